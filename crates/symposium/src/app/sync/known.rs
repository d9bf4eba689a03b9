//! What is known of a place: what is there, and the record of what we wrote.

use std::path::Path;

use symposium_io::settings::{self, MAX_SETTINGS};
use symposium_io::{clock, fs};
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::sync::{Record, Written};

use super::desired::DesiredFile;
use super::{Action, Step};

/// Whose a record is.
pub(super) struct Owner<'o> {
    pub(super) path: &'o Path,
    pub(super) agents: &'o [AgentId],
    pub(super) extension: Option<&'o str>,
    pub(super) source: Option<&'o str>,
    pub(super) workspace: Option<&'o Path>,
}

impl<'o> Owner<'o> {
    pub(super) fn of_file(file: &'o DesiredFile) -> Self {
        Self {
            path: &file.path,
            agents: &file.agents,
            extension: None,
            source: None,
            workspace: file.workspace.as_deref(),
        }
    }

    pub(super) fn of_action(action: &'o Action) -> Self {
        Self {
            path: &action.path,
            agents: &action.agents,
            extension: action.extension.as_deref(),
            source: match &action.step {
                Step::Install { source, .. } => source.as_deref(),
                Step::Edit { .. }
                | Step::Restore { .. }
                | Step::GiveBack { .. }
                | Step::Configure { .. }
                | Step::Write { .. }
                | Step::Delete { .. }
                | Step::Uninstall { .. } => None,
            },
            workspace: action.workspace.as_deref(),
        }
    }
}

/// A record like the known one; its time changes only with its content.
pub(super) fn record(owner: &Owner<'_>, written: Written, known: Option<&Record>) -> Record {
    let mut fresh = Record {
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
        if (Record { time, ..fresh.clone() }) == *known {
            fresh.time = time;
        }
    }
    fresh
}

/// The text of a file; `None` when it is not there.
pub(super) fn read(path: &Path) -> Result<Option<String>, Box<Diagnostic>> {
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
