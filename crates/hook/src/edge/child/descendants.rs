//! Termination of all processes that a program started, including those that left its process group.

use std::time::{Duration, Instant};

use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpgid, waitpid};

use super::parent_watch::ParentWatch;
use super::signals::SignalGuard;

/// The time for killed processes to disappear; after that the hook continues without having seen it.
const PATIENCE: Duration = Duration::from_millis(250);

/// The same limit while new processes keep appearing: a program may start them as fast as it can, or a busy machine has
/// very many. Leaving them running would be worse than a late answer.
#[cfg(target_os = "linux")]
const MOST_PATIENCE: Duration = Duration::from_millis(2_500);

/// Ends the program with its group, and all processes that became children of this process since `strays` was created.
pub(super) fn end(program: Pid, watch: Option<ParentWatch>, strays: &StrayProcesses, signals: &SignalGuard) {
    let limit = Instant::now() + PATIENCE;
    // Kill before the program is reaped, so that its number still belongs to its group and to nothing else. No member
    // can escape by forking: the system lets a fork fail while its group is being killed.
    let _ = kill_process_group(program, Signal::KILL);
    let _ = kill_process(program, Signal::KILL);
    if let Some(watch) = watch {
        watch.end();
    }
    let mut reaped = false;
    loop {
        reaped = reaped || !matches!(retry_on_intr(|| waitpid(Some(program), WaitOptions::NOHANG)), Ok(None));
        if (reap_group(program) && reaped) || !signals.wait(limit) {
            break;
        }
    }
    strays.end(signals);
}

/// Reaps members of the group that are children of this process; returns false while some are alive.
fn reap_group(group: Pid) -> bool {
    loop {
        match retry_on_intr(|| waitpgid(group, WaitOptions::NOHANG)) {
            Ok(Some(_)) => {}
            Ok(None) => return false,
            Err(_) => return true,
        }
    }
}

/// Processes that left the group of the program. They become children of this process when their parents die. Only
/// Linux offers a way to find them.
pub(super) struct StrayProcesses {
    /// Children that existed before; they have nothing to do with the program.
    #[cfg(target_os = "linux")]
    spared: Vec<Pid>,
}

#[cfg(target_os = "linux")]
mod strays {
    use std::collections::HashSet;

    use super::{
        Instant, MOST_PATIENCE, PATIENCE, Pid, Signal, SignalGuard, StrayProcesses, WaitOptions, kill_process,
        kill_process_group, retry_on_intr, waitpid,
    };
    use rustix::process::{WaitId, WaitIdOptions, getpgid, getpid, set_child_subreaper, waitid};

    impl StrayProcesses {
        /// Makes this process the parent of all orphans among its descendants from now on.
        pub(crate) fn claim() -> Self {
            let spared = adopted();
            let _ = set_child_subreaper(Some(getpid()));
            Self { spared }
        }

        /// Ends the strays. Their own children become children of this process in turn, so this repeats until none is
        /// left.
        pub(super) fn end(&self, signals: &SignalGuard) {
            let mut found = self.found();
            if found.is_empty() {
                return;
            }
            let begun = Instant::now();
            let mut killed = HashSet::new();
            while !found.is_empty() {
                let mut alive = false;
                let mut limit = begun + PATIENCE;
                for pid in found {
                    if killed.insert(pid) {
                        limit = begun + MOST_PATIENCE;
                    }
                    // A group is killed only if the process leads it: a process can join groups of other programs.
                    if getpgid(Some(pid)) == Ok(pid) {
                        let _ = kill_process_group(pid, Signal::KILL);
                    }
                    let _ = kill_process(pid, Signal::KILL);
                    alive |= matches!(retry_on_intr(|| waitpid(Some(pid), WaitOptions::NOHANG)), Ok(None));
                }
                if Instant::now() >= limit || (alive && !signals.wait(limit)) {
                    break;
                }
                found = self.found();
            }
        }

        fn found(&self) -> Vec<Pid> {
            let mut found = adopted();
            found.retain(|pid| !self.spared.contains(pid));
            found
        }
    }

    impl Drop for StrayProcesses {
        fn drop(&mut self) {
            let _ = set_child_subreaper(None);
        }
    }

    /// Lists the children of the main thread, which becomes the parent of orphans.
    fn adopted() -> Vec<Pid> {
        // Almost always there are none, and this is the cheapest check.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if retry_on_intr(|| waitid(WaitId::All, options)).is_err() {
            return Vec::new();
        }
        let list = format!("/proc/self/task/{}/children", getpid());
        let text = std::fs::read_to_string(list).unwrap_or_default();
        text.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod strays {
    use super::{SignalGuard, StrayProcesses};

    impl StrayProcesses {
        pub(crate) fn claim() -> Self {
            Self {}
        }

        #[expect(clippy::unused_self, reason = "the same calls everywhere")]
        pub(super) fn end(&self, _signals: &SignalGuard) {}
    }
}
