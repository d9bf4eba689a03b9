//! Reports panics.

/// Turns a panic, which is a bug of ours, into a plain message and exit code 101, also where panics abort.
pub(crate) fn report_panics() {
    rescue_panics(|| 101);
}

/// Does the same, after a last step that returns the exit code. Nothing can be caught where panics abort.
pub(crate) fn rescue_panics(last_step: impl Fn() -> u8 + Send + Sync + 'static) {
    std::panic::set_hook(Box::new(move |panic| {
        let code = last_step();
        let place = panic.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        let message = panic.payload_as_str().unwrap_or("no message");
        super::printer::last_words(&format!(
            "error: this is a bug in Symposium: {message}{place}\n\
             help: please report it with the command you ran\n"
        ));
        #[expect(
            clippy::exit,
            clippy::disallowed_methods,
            reason = "after a panic there is nothing left to unwind to"
        )]
        std::process::exit(code.into());
    }));
}
