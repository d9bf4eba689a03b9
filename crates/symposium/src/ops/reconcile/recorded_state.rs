//! What is known of a place: what is there, and the record of what we wrote.

use std::path::Path;

use symposium_io::settings::{self, MAX_SETTINGS};
use symposium_io::{clock, fs};
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::sync::{LedgerRecord, WrittenContent};

use super::desired::DesiredFile;
use super::{ChangeStep, PlannedChange};

pub(crate) struct RecordOwner<'o> {
    pub(crate) path: &'o Path,
    pub(crate) agents: &'o [AgentId],
    pub(crate) extension: Option<&'o str>,
    pub(crate) source: Option<&'o str>,
    pub(crate) workspace: Option<&'o Path>,
}

impl<'o> RecordOwner<'o> {
    pub(crate) fn of_file(file: &'o DesiredFile) -> Self {
        Self {
            path: &file.path,
            agents: &file.agents,
            extension: None,
            source: None,
            workspace: file.workspace.as_deref(),
        }
    }

    pub(crate) fn of_action(action: &'o PlannedChange) -> Self {
        Self {
            path: &action.path,
            agents: &action.agents,
            extension: action.extension.as_deref(),
            source: match &action.step {
                ChangeStep::Install { source, .. } => source.as_deref(),
                ChangeStep::Edit { .. }
                | ChangeStep::Restore { .. }
                | ChangeStep::GiveBack { .. }
                | ChangeStep::Configure { .. }
                | ChangeStep::Write { .. }
                | ChangeStep::Delete { .. }
                | ChangeStep::Uninstall { .. } => None,
            },
            workspace: action.workspace.as_deref(),
        }
    }
}

/// A record like the known one; its time changes only with its content.
pub(crate) fn record(owner: &RecordOwner<'_>, written: WrittenContent, known: Option<&LedgerRecord>) -> LedgerRecord {
    let mut fresh = LedgerRecord {
        path: owner.path.to_owned(),
        workspace: owner.workspace.map(Path::to_owned),
        also_for: Vec::new(),
        agents: owner.agents.to_vec(),
        extension: owner.extension.map(str::to_owned),
        source: owner.source.map(str::to_owned),
        written,
        time: clock::now(),
    };
    if let Some(known) = known {
        fresh = fresh.shared_with(known);
        let time = known.time;
        if (LedgerRecord { time, ..fresh.clone() }) == *known {
            fresh.time = time;
        }
    }
    fresh
}

/// The text of a file; `None` when it is not there.
pub(crate) fn read(path: &Path) -> Result<Option<String>, Box<Diagnostic>> {
    if fs::is_link(path) && !fs::exists(path) {
        let found = Diagnostic::error(path.display().to_string(), "Skipped: it is a link that leads nowhere");
        return Err(Box::new(found.help("remove the link, or create what it points to")));
    }
    settings::read_whole(path, MAX_SETTINGS).map_err(|error| {
        let found = Diagnostic::error(path.display().to_string(), format!("Skipped: {}", error.kind));
        let help = match error.kind {
            fs::FsErrorKind::BeingWritten => {
                "nothing was written to it; run the command again when that program is done"
            }
            _ => "make it a readable text file; nothing was written to it",
        };
        Box::new(found.help(help))
    })
}
