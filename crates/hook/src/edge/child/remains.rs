//! Ends everything that a program has started, also what tried to get away.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpgid, waitpid};

use super::signals::Signals;
use super::watch::Watch;

/// How long the killed may take to be gone before we go on without having seen it.
const PATIENCE: Duration = Duration::from_millis(250);

/// Ends the program with its group, and whatever else became ours since `strays` were claimed.
pub(super) fn end(program: Pid, watch: Option<Watch>, strays: &Strays, signals: &Signals) {
    let limit = Instant::now() + PATIENCE;
    // Before the program is reaped, so that its number is still that of its group and of nothing else. No member can
    // slip through by forking: the system lets a fork fail when its group is being killed.
    let _ = kill_process_group(program, Signal::KILL);
    let _ = kill_process(program, Signal::KILL);
    if let Some(watch) = watch {
        watch.end();
    }
    let mut reaped = false;
    loop {
        reaped = reaped || !matches!(waitpid(Some(program), WaitOptions::NOHANG), Ok(None));
        if (reap_group(program) && reaped) || !signals.wait(limit) {
            break;
        }
    }
    strays.end(signals, Instant::now() + PATIENCE);
}

/// Reaps members of the group that are children of ours; false while some live.
fn reap_group(group: Pid) -> bool {
    loop {
        match waitpgid(group, WaitOptions::NOHANG) {
            Ok(Some(_)) => {}
            Ok(None) => return false,
            Err(_) => return true,
        }
    }
}

pub(super) use strays::Strays;

#[cfg(target_os = "linux")]
mod strays {
    use super::{Instant, Pid, Signal, Signals, WaitOptions, kill_process, kill_process_group, waitpid};
    use rustix::process::{WaitId, WaitIdOptions, getpgid, getpid, set_child_subreaper, waitid};

    /// Processes that left the group of the program. When their parents die they become children of ours.
    pub(crate) struct Strays {
        /// Our children from before; they have nothing to do with the program.
        spared: Vec<Pid>,
    }

    impl Strays {
        /// From now on, orphans among our descendants are ours.
        pub(crate) fn claim() -> Self {
            let spared = adopted();
            let _ = set_child_subreaper(Some(getpid()));
            Self { spared }
        }

        /// Ends them. Their own children become ours in turn, so this goes on until none is left.
        pub(super) fn end(&self, signals: &Signals, limit: Instant) {
            loop {
                let mut found = adopted();
                found.retain(|pid| !self.spared.contains(pid));
                if found.is_empty() {
                    break;
                }
                let mut alive = false;
                for pid in found {
                    // A group is ended as a whole only when it is its own: a process can join groups of others.
                    if getpgid(Some(pid)) == Ok(pid) {
                        let _ = kill_process_group(pid, Signal::KILL);
                    }
                    let _ = kill_process(pid, Signal::KILL);
                    alive |= matches!(waitpid(Some(pid), WaitOptions::NOHANG), Ok(None));
                }
                if Instant::now() >= limit || (alive && !signals.wait(limit)) {
                    break;
                }
            }
        }
    }

    impl Drop for Strays {
        fn drop(&mut self) {
            let _ = set_child_subreaper(None);
        }
    }

    /// The children of our main thread, to which orphans are given.
    fn adopted() -> Vec<Pid> {
        // Almost always there are none, and this is the cheapest way to know.
        if waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT).is_err() {
            return Vec::new();
        }
        let list = format!("/proc/self/task/{}/children", getpid());
        let text = std::fs::read_to_string(list).unwrap_or_default();
        text.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod strays {
    use super::{Instant, Signals};

    /// There is no way to find them here.
    pub(crate) struct Strays;

    impl Strays {
        pub(crate) fn claim() -> Self {
            Self
        }

        #[expect(clippy::unused_self, reason = "the same calls everywhere")]
        pub(super) fn end(&self, _signals: &Signals, _limit: Instant) {}
    }
}
