//! Ends the program's group when we are killed outright, which no handler of ours could answer.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use std::os::unix::process::CommandExt;

use rustix::process::Pid;

/// When a program has run this long, it is watched. Those that end sooner do not pay for it.
pub(super) const WATCHED_AFTER: Duration = Duration::from_millis(20);

/// Its input ends when we do. It is in a group of its own, so that what kills our group leaves it to do its work.
/// Shells do not agree on how a group is named; all know one of these.
const SCRIPT: &str = r#"trap '' HUP INT TERM; read -r _; kill -s KILL -- "-$1" || kill -9 "-$1""#;

/// A shell that waits for our end.
pub(super) struct Watch(Child);

impl Watch {
    /// Starts it. Without it only the unlikely case is left open, so failing is no error.
    pub(super) fn over(group: Pid) -> Option<Self> {
        let watch = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "symposium-watch", &group.to_string()])
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        watch.ok().map(Self)
    }

    /// Sends it away. It is killed before its input is closed, so it does nothing any more.
    pub(super) fn end(mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
