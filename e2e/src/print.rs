//! The one place where the harness writes to the terminal.

/// Writes a result, to stdout.
#[expect(clippy::print_stdout, reason = "a chore run by people at a terminal; this is its only way out")]
pub(crate) fn data(text: &str) {
    println!("{text}");
}

/// Writes what the harness has to say about itself, to stderr.
#[expect(clippy::print_stderr, reason = "a chore run by people at a terminal; this is its only way out")]
pub(crate) fn talk(text: &str) {
    eprintln!("{text}");
}
