//! One line on a terminal while something takes more than a second.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use symposium_model::scan;

/// The time before progress is shown.
const SILENT_FOR: Duration = Duration::from_secs(1);

/// A line that is overwritten, and removed on drop. Nothing is shown without a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    start: Instant,
    is_wanted: bool,
    is_shown: bool,
}

impl Progress {
    /// A line that is shown on a terminal, if it is wanted at all.
    pub(crate) fn new(is_wanted: bool) -> Self {
        let is_wanted = is_wanted && std::io::stderr().is_terminal();
        Self { start: Instant::now(), is_wanted, is_shown: false }
    }

    /// Shows what goes on and for how long it has.
    pub(crate) fn show(&mut self, what: &str) {
        let elapsed = self.start.elapsed();
        if !self.is_wanted || elapsed < SILENT_FOR {
            return;
        }
        // A line that wraps could not be written over.
        let what: String = scan::one_line(what).chars().take(60).collect();
        self.is_shown = true;
        write(&format!("\r\x1b[2K{what} … {} s", elapsed.as_secs()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            write("\r\x1b[2K");
        }
    }
}

fn write(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}
