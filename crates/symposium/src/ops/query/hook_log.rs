//! Reads the hook log.

use std::path::Path;

use symposium_hook::{HandlerEnd, HandlerRun, LogEntry, trail_files};
use symposium_io::fs::{self, FsError};
use symposium_model::hook::HookDecision;

/// The maximum size of a file of the hook log, which is rotated before it gets there.
const MAX_FILE: u64 = 16 * 1024 * 1024;

/// The entries of the hook log, oldest first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct HookLog {
    pub(crate) events: Vec<LogEntry>,
    pub(crate) broken: usize,
}

/// Reads the files of the hook log in `logs`.
pub(crate) fn read(logs: &Path) -> Result<HookLog, FsError> {
    let mut trail = HookLog::default();
    for file in trail_files() {
        match fs::read(&logs.join(file), MAX_FILE) {
            // A line cut off in the middle of a character is one broken line, not a broken file.
            Ok(bytes) => trail.add(&String::from_utf8_lossy(&bytes)),
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(trail)
}

impl HookLog {
    fn add(&mut self, lines: &str) {
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(entry) => self.events.push(entry),
                Err(_) => self.broken += 1,
            }
        }
    }

    /// Counts the events whose input was rewritten, and those among them that the `rtk` workflow rewrote.
    pub(crate) fn rewrites(&self) -> (usize, usize) {
        let rewritten = || self.events.iter().filter(|event| event.rewritten);
        let is_rtk =
            |handler: &HandlerRun| handler.name.starts_with("rtk/") && handler.ended() == HandlerEnd::Rewritten;
        let by_rtk = |event: &&LogEntry| event.handlers.iter().any(is_rtk);
        (rewritten().count(), rewritten().filter(by_rtk).count())
    }

    pub(crate) fn denied(&self) -> usize {
        self.events.iter().filter(|event| event.decision.as_deref() == Some(HookDecision::Deny.name())).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_lines_are_counted() {
        let mut trail = HookLog::default();
        trail.add(
            "{\"time\":1,\"agent\":\"claude\",\"event\":\"stop\",\"ms\":2,\"later\":true}\n\n{\"time\":\nnull\n[]\n",
        );
        assert_eq!((trail.events.len(), trail.broken), (1, 3));
    }

    #[test]
    fn rewrites_are_counted() {
        let mut trail = HookLog::default();
        trail.add(
            r#"{"time":1,"agent":"a","event":"e","ms":1,"rewritten":true,"handlers":[{"name":"rtk/shorten","end":"rewritten","ms":1}]}
               {"time":1,"agent":"a","event":"e","ms":1,"rewritten":true,"handlers":[{"name":"p/h","end":"0","ms":1},{"name":"rtk/shorten","end":"unchanged","ms":1}]}
               {"time":1,"agent":"a","event":"e","ms":1,"decision":"deny","handlers":[{"name":"rtk/shorten","end":"unchanged","ms":1}]}"#,
        );
        assert_eq!((trail.rewrites(), trail.denied(), trail.broken), ((2, 1), 1, 0));
    }
}
