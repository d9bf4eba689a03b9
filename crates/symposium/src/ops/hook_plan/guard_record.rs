//! The record of policy hooks that were in force, beside the plans of a workspace, and the lock of its writers.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use symposium_agents::{AgentEvent, dialect};
use symposium_io::file_lock::{self, FileLock};
use symposium_io::{fs, state_file};
use symposium_model::agent::AgentId;
use symposium_model::catalog::LoadedSource;
use symposium_model::config::{AppDirectories, SourceAuthority, SourceExtent, SourceRank};
use symposium_model::hook::Event;
use symposium_model::hook::hook_plan::{Handler, HandlerAction, PlanSlot, directory};
use symposium_model::trust::GrantSubject;

/// The file beside the plans.
const FILE: &str = "guards";

/// Limits the wait for another run of Symposium that writes plans.
const PATIENCE: Duration = Duration::from_secs(5);

/// A larger record is not ours.
const MAX_RECORD: u64 = 16 * 1024 * 1024;

/// A policy hook that was in force, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordedGuard {
    pub(crate) source: String,
    pub(super) path: String,
    /// Whether only the user has it.
    pub(crate) personal: bool,
    /// The subject of its grant, where it needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) granted_as: Option<GrantSubject>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) agent: Option<AgentId>,
    pub(super) event: String,
    pub(crate) handler: Handler,
    /// Whether it applies only to some workspaces.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) conditional: bool,
    /// The files of its plugin that its command names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) scripts: Vec<String>,
}

/// The policy hooks that were in force with a configuration.
#[derive(Debug, Serialize, Deserialize)]
struct GuardRecord {
    /// The configuration directory; with another one it says nothing.
    home: PathBuf,
    guards: Vec<RecordedGuard>,
}

impl RecordedGuard {
    pub(super) fn slot(&self) -> Option<PlanSlot> {
        match self.agent {
            None => Event::parse(&self.event).map(PlanSlot::Canonical),
            Some(agent) => match dialect(agent).event_from(&self.event)? {
                AgentEvent::Native(name) => Some(PlanSlot::Native(agent, name)),
                AgentEvent::Canonical(_) | AgentEvent::ToolFailed => None,
            },
        }
    }

    /// Whose word counts for it; its source may be gone.
    pub(super) fn bringer(&self, source: Option<&LoadedSource>) -> SourceAuthority {
        let rank = if self.personal { SourceRank::User } else { SourceRank::Project };
        source.map_or(SourceAuthority { rank, extent: SourceExtent::Whole }, |source| source.spec.bringer())
    }

    /// The manifest that it was read from.
    pub(super) fn manifest(&self) -> PathBuf {
        let name = Path::new(&self.path).file_name().unwrap_or_default();
        Path::new(&self.handler.directory).join(name)
    }

    /// Its event, as manifests name it.
    pub(crate) fn event_name(&self) -> String {
        match self.agent {
            None => Event::parse(&self.event).map(Event::name).unwrap_or_default().to_owned(),
            Some(agent) => format!("{agent}:{}", self.event),
        }
    }

    /// Finds a file that it cannot run without, and that is not there.
    pub(super) fn missing_script(&self) -> Option<PathBuf> {
        let program = if let HandlerAction::Direct { program, .. } = &self.handler.run { Some(program) } else { None };
        let program = program.map(Path::new).filter(|program| program.is_absolute());
        let needed = program.into_iter().chain(self.scripts.iter().map(Path::new));
        needed.into_iter().find(|file| !fs::exists(file)).map(Path::to_owned)
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        let key = |guard: &Self| (guard.agent, guard.event.clone(), guard.handler.title());
        key(self) == key(other)
    }
}

/// The policy hooks that were in force here, and those of the user that were in force everywhere.
pub(super) fn recorded(directories: &AppDirectories, root: Option<&Path>) -> Vec<RecordedGuard> {
    let mut guards = match root {
        Some(root) => read(directories, &directory(&directories.cache, root.to_str())),
        None => Vec::new(),
    };
    let everywhere = read(directories, &directory(&directories.cache, None));
    for guard in everywhere.into_iter().filter(|guard| guard.personal) {
        if !guards.iter().any(|known| known.is_same(&guard)) {
            guards.push(guard);
        }
    }
    guards
}

pub(super) fn read(directories: &AppDirectories, directory: &Path) -> Vec<RecordedGuard> {
    let text = fs::read_text_if_there(&directory.join(FILE), MAX_RECORD).ok().flatten();
    let record: Option<GuardRecord> = text.and_then(|text| serde_json::from_str(&text).ok());
    record.filter(|record| record.home == directories.config).map(|record| record.guards).unwrap_or_default()
}

pub(super) fn acquire_lock(directories: &AppDirectories) -> Option<FileLock> {
    file_lock::acquire(&directories.plans_lock(), PATIENCE).ok()
}

/// Records the policy hooks of the user for directories in which nothing was compiled yet, and forgets those that were
/// withdrawn.
pub(super) fn write_everywhere(
    directories: &AppDirectories,
    in_force: &[RecordedGuard],
    withdrawn: &[RecordedGuard],
) -> fs::FsResult<()> {
    let everywhere = self::directory(&directories.cache, None);
    let known = read(directories, &everywhere);
    let personal = || in_force.iter().filter(|guard| guard.personal && !guard.conditional);
    let is_replaced = |guard: &&RecordedGuard| personal().chain(withdrawn).any(|newer| newer.is_same(guard));
    let others = known.iter().filter(|guard| !is_replaced(guard)).cloned();
    let all: Vec<RecordedGuard> = others.chain(personal().cloned()).collect();
    if all == known { Ok(()) } else { write_all(directories, &everywhere, all) }
}

pub(super) fn write_all(
    directories: &AppDirectories,
    directory: &Path,
    guards: Vec<RecordedGuard>,
) -> fs::FsResult<()> {
    let file = directory.join(FILE);
    if guards.is_empty() {
        return if fs::exists(&file) { fs::remove_file(&file) } else { Ok(()) };
    }
    // Our own types can always be written down.
    let record = GuardRecord { home: directories.config.clone(), guards };
    let text = serde_json::to_string(&record).unwrap_or_default();
    state_file::keep(&file, &text).map(|_| ())
}
