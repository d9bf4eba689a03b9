//! Width of the terminal.

/// Returns the columns of the terminal that standard output goes to; `None` when it goes elsewhere.
pub fn output_columns() -> Option<usize> {
    columns(&std::io::stdout())
}

pub fn error_columns() -> Option<usize> {
    columns(&std::io::stderr())
}

#[cfg(unix)]
fn columns(stream: &impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    // A terminal of unknown size says 0.
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn columns<T>(_: &T) -> Option<usize> {
    None
}
