//! Reads the disk at the places that the desired state and the ledger name. Nothing is decided here.

use std::path::Path;

use symposium_io::fs;
use symposium_io::install;
use symposium_io::settings::{self, MAX_SETTINGS};
use symposium_io::write_blocker::{self, WriteBlocker};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::sync::diff::is_free;
use symposium_model::sync::{
    DesiredSkill, DesiredState, InstalledState, Ledger, LedgerRecord, Observed, ObservedText, ReadFailure,
    WrittenContent,
};

/// Reads what a comparison with the desired state needs, if these records may go.
pub(super) fn observe<'r>(
    desired: &DesiredState,
    ledger: &Ledger,
    records: impl Iterator<Item = &'r LedgerRecord>,
) -> Observed {
    let mut observed = observe_records(records);
    for file in &desired.files {
        add_text(&file.path, &mut observed);
    }
    for skill in &desired.skills {
        add_skill(skill, ledger, &mut observed);
    }
    observed
}

/// Reads what is needed to revert records.
pub(crate) fn observe_records<'r>(records: impl Iterator<Item = &'r LedgerRecord>) -> Observed {
    let mut observed = Observed::default();
    for record in records {
        match record.written {
            WrittenContent::Skill { .. } => add_place(&record.path, &mut observed),
            WrittenContent::Entries { .. } | WrittenContent::File { .. } | WrittenContent::Amended { .. } => {
                add_text(&record.path, &mut observed);
            }
        }
        observed.gone.extend(record.workspaces().filter(|workspace| fs::is_gone(workspace)).map(Path::to_owned));
    }
    observed
}

/// Reads the places that a skill may have, up to the first that is free.
pub(super) fn add_skill(skill: &DesiredSkill, ledger: &Ledger, observed: &mut Observed) {
    for name in skill.names() {
        add_place(&skill.parent.join(name.as_str()), observed);
        let of_user = skill.user_directories.iter().map(|directory| directory.join(name.as_str()));
        observed.existing.extend(of_user.filter(|place| fs::exists(place)));
        if is_free(skill, &name, ledger, observed) {
            return;
        }
    }
    if let Some(blocker @ WriteBlocker::NoDirectory(_)) = write_blocker::to_making_in(&skill.parent) {
        observed.blocked.insert(skill.parent.clone(), blocker.to_string());
    }
}

/// Reads the place of a skill.
pub(super) fn add_place(path: &Path, observed: &mut Observed) {
    observed.skills.entry(path.to_owned()).or_insert_with(|| read_place(path));
}

fn read_place(path: &Path) -> Result<InstalledState, ReadFailure> {
    install::observe(path).map_err(|error| {
        let (is_transient, reason) = (error.is_transient(), error.kind.to_string());
        ReadFailure { path: error.path, reason, is_transient }
    })
}

fn add_text(path: &Path, observed: &mut Observed) {
    observed.texts.entry(path.to_owned()).or_insert_with(|| read_text(path));
}

fn read_text(path: &Path) -> Result<Option<ObservedText>, Box<Diagnostic>> {
    let is_link = fs::is_link(path);
    if is_link && !fs::exists(path) {
        let found = Diagnostic::error(path.display().to_string(), "Skipped: it is a broken link");
        return Err(Box::new(found.help("remove the link, or create its target")));
    }
    let found = settings::read_whole(path, MAX_SETTINGS).map_err(|error| {
        let found = Diagnostic::error(path.display().to_string(), format!("Skipped: {}", error.kind));
        let help = match error.kind {
            fs::FsErrorKind::BeingWritten => {
                "nothing was written to it; run the command again after that program has finished"
            }
            _ => "make it a readable text file; nothing was written to it",
        };
        Box::new(found.help(help))
    })?;
    Ok(found.map(|text| ObservedText { text, is_link }))
}
