//! Watcher process that ends the processes of a program if the hook is killed by SIGKILL, which no signal handler can
//! see.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use std::os::unix::process::CommandExt;

use rustix::process::Pid;

/// The run time after which a program is watched. Programs that end sooner do not pay for the watcher.
pub(super) const WATCHED_AFTER: Duration = Duration::from_millis(20);

/// The environment variable that identifies every process of one run, unless the process cleared its environment.
pub(super) const MARK: &str = "SYMPOSIUM_RUN";

/// The script's input ends when the hook process does. The script runs in its own process group, so that a kill of the
/// hook's group does not reach it. Shells disagree on how to name a group; every shell knows one of the two forms. A
/// process that left the group is found by its variable, where `/proc` exists; it may start others during the search,
/// so the search repeats until none is found.
const SCRIPT: &str = r#"trap '' HUP INT TERM; read -r _; kill -s KILL -- "-$1" || kill -9 "-$1"
for round in 1 2 3 4 5 6 7 8; do
  found=
  for process in /proc/[0-9]*; do
    if grep -qsF "$2" "$process/environ"; then found=1; kill -9 "${process#/proc/}"; fi
  done
  [ "$found" ] || break
done"#;

pub(super) struct ParentWatch(Child);

impl ParentWatch {
    /// Starts the watcher. A failure is no error: the watcher only covers an unlikely case.
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

    /// Stops the watcher. It is killed before its input is closed, so it does nothing any more.
    pub(super) fn end(mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
