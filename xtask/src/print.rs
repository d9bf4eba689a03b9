//! The one place where chores write to the terminal.

/// Writes what a chore found, to stdout.
#[expect(clippy::print_stdout, reason = "chores are run by people at a terminal; this is their only way out")]
pub(crate) fn data(text: &str) {
    println!("{text}");
}

/// Writes what a chore has to say about itself, to stderr.
#[expect(clippy::print_stderr, reason = "chores are run by people at a terminal; this is their only way out")]
pub(crate) fn talk(text: &str) {
    eprintln!("{text}");
}
