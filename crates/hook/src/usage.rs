//! Count of loaded skills: lines appended to one file of the user, which is compacted when it has grown.

use std::path::Path;
use std::thread;
use std::time::Duration;

use symposium_model::config::AppDirectories;
use symposium_model::usage::{LoadCount, LoadKind, folded_text, workspace_number};

use crate::edge::{clock, disk};
use crate::session::SessionFact;

/// Bytes. A file of this size is compacted.
const FULL: u64 = 64 * 1024;
/// Bytes. A file of this size could not be compacted for long, so nothing is appended to it.
const TOO_LARGE: u64 = 1024 * 1024;
/// The number of attempts, 1 ms apart, while another process compacts the file. After that the load is not counted.
const TRIES: u32 = 30;

pub(crate) struct LoadOrigin<'l> {
    pub(crate) agent: &'l str,
    pub(crate) workspace: Option<&'l Path>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CountOutcome {
    Counted,
    PassedOver,
}

/// Counts loads. Errors are ignored: a missing count is no reason to fail.
pub(crate) fn record(directories: &AppDirectories, loader: &LoadOrigin<'_>, facts: &[SessionFact]) {
    let lines: String = facts.iter().filter_map(|fact| line(loader, fact)).collect();
    if !lines.is_empty() {
        add(directories, &lines);
    }
}

fn add(directories: &AppDirectories, lines: &str) -> CountOutcome {
    let (file, lock) = (directories.usage_file(), directories.usage_lock());
    if disk::size(&file) >= TOO_LARGE {
        return CountOutcome::PassedOver;
    }
    // Many processes may append at once; one compacts the file while no other appends.
    let Some(held) = (0..TRIES).find_map(|_| {
        let held = disk::try_share_lock(&lock);
        if held.is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        held
    }) else {
        return CountOutcome::PassedOver;
    };
    let added = disk::append(&file, lines.as_bytes());
    drop(held);
    if disk::size(&file) >= FULL {
        fold(&file, &lock);
    }
    if added.is_ok() { CountOutcome::Counted } else { CountOutcome::PassedOver }
}

fn fold(file: &Path, lock: &Path) {
    let Some(_held) = disk::try_lock(lock) else { return };
    if let Some(bytes) = disk::read(file, 2 * TOO_LARGE) {
        let _ = disk::replace(file, folded_text(&String::from_utf8_lossy(&bytes)).as_bytes());
    }
}

fn line(loader: &LoadOrigin<'_>, fact: &SessionFact) -> Option<String> {
    let (kind, name) = match fact {
        SessionFact::Skill(name) => (LoadKind::Skill, name),
        SessionFact::Crate(name) => (LoadKind::Crate, name),
        SessionFact::Prompt
        | SessionFact::Named(_)
        | SessionFact::Digest(_)
        | SessionFact::Told(_)
        | SessionFact::Changed(_)
        | SessionFact::Checked
        | SessionFact::Asked
        | SessionFact::Answered
        | SessionFact::Forgotten => return None,
    };
    let (name, agent, last) = (name.clone(), loader.agent.to_owned(), clock::now() / 1000);
    LoadCount { kind, name, workspace: workspace_number(loader.workspace), count: 1, last, agent }.to_line()
}

#[cfg(test)]
mod tests {
    use symposium_model::usage::read_counts;

    use super::*;

    /// Far more lines than fit before compaction, from many threads: no counted line is lost, and the file stays small.
    #[test]
    fn many_at_once_lose_no_count() {
        let home = tempfile::tempdir().unwrap();
        let place = home.path().to_owned();
        let directories = AppDirectories { config: place.clone(), cache: place.clone(), logs: place };
        let loader = LoadOrigin { agent: "claude", workspace: None };
        let lines: Vec<String> =
            (0..40).filter_map(|at| line(&loader, &SessionFact::Skill(format!("skill-{at}")))).collect();
        let lines = lines.concat();
        let add_many = || (0..50).filter(|_| add(&directories, &lines) == CountOutcome::Counted).count();
        let counted: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(add_many)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(counted > 0);
        let text = String::from_utf8(disk::read(&directories.usage_file(), u64::MAX).unwrap()).unwrap();
        let counts = read_counts(&text);
        let sum: u64 = counts.iter().map(|found| found.count).sum();
        assert_eq!((counts.len(), sum), (40, u64::try_from(counted * 40).unwrap()));
        assert!(u64::try_from(text.len()).unwrap() < TOO_LARGE, "{}", text.len());
    }
}
