//! Ends what a program started when we are killed outright, which no handler of ours could answer.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use std::os::unix::process::CommandExt;

use rustix::process::Pid;

/// When a program has run this long, it is watched. Those that end sooner do not pay for it.
pub(super) const WATCHED_AFTER: Duration = Duration::from_millis(20);

/// What every process of one run has in its environment, unless it emptied that.
pub(super) const MARK: &str = "SYMPOSIUM_RUN";

/// Its input ends when we do. It is in a group of its own, so that what kills our group leaves it to do its work.
/// Shells do not agree on how a group is named; all know one of these. What left the group is known by its mark, where
/// there is `/proc`; it may start others while it is looked for, so this is done until none is found.
const SCRIPT: &str = r#"trap '' HUP INT TERM; read -r _; kill -s KILL -- "-$1" || kill -9 "-$1"
for round in 1 2 3 4 5 6 7 8; do
  found=
  for process in /proc/[0-9]*; do
    if grep -qsF "$2" "$process/environ"; then found=1; kill -9 "${process#/proc/}"; fi
  done
  [ "$found" ] || break
done"#;

/// A shell that waits for our end.
pub(super) struct ParentWatch(Child);

impl ParentWatch {
    /// Starts it. Without it only the unlikely case is left open, so failing is no error.
    pub(super) fn over(group: Pid, mark: &str) -> Option<Self> {
        let watch = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "symposium-watch", &group.to_string(), &format!("{MARK}={mark}")])
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
