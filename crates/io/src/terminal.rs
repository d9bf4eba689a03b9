//! How wide the terminal is.

/// The columns of the terminal that standard output goes to; `None` when it goes elsewhere.
pub fn output_columns() -> Option<usize> {
    columns(&std::io::stdout())
}

/// The same for standard error.
pub fn error_columns() -> Option<usize> {
    columns(&std::io::stderr())
}

#[cfg(unix)]
fn columns(stream: &impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    // A terminal that does not know says 0.
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn columns<T>(_: &T) -> Option<usize> {
    None
}
