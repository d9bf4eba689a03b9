//! Stores the grants: `trust.json`, and beside it the granted texts, to show changes.

use symposium_io::fs;
use symposium_io::settings;
use symposium_io::state_file::keep;
use symposium_model::config::AppDirectories;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::hook::hook_plan::PathStamp;
use symposium_model::trust::GrantSet;

use super::files::CoveredText;
use crate::error::CliError;
use crate::ops::context::{CallAudience, Context};
use crate::run_report::RunReport;

/// A store beyond this is not ours.
const MAX_STORE: u64 = 16 * 1024 * 1024;

/// The reason why an existing store cannot be read.
#[derive(Debug, Clone)]
pub(crate) enum StoreFailure {
    Broken,
    /// It may not be read now, for this reason; perhaps later.
    Now(String),
}

/// Reads what was agreed to; `Err` when there is something that cannot be read, and then nothing is agreed to.
pub(crate) fn read(directories: &AppDirectories) -> Result<GrantSet, StoreFailure> {
    match fs::read_text_if_there(&directories.trust_file(), MAX_STORE) {
        Ok(None) => Ok(GrantSet::default()),
        Ok(Some(text)) => GrantSet::parse(&text).ok_or(StoreFailure::Broken),
        Err(error) if error.is_transient() => Err(StoreFailure::Now(error.kind.to_string())),
        Err(_) => Err(StoreFailure::Broken),
    }
}

pub(super) fn stamp(directories: &AppDirectories) -> Option<PathStamp> {
    let path = directories.trust_file();
    Some(PathStamp { path: path.to_str()?.to_owned(), state: symposium_hook::stamp::take(&path) })
}

/// Renames an invalid store, and warns. A store that cannot be read now is an error, because it is the only record of
/// the grants. The caller holds the lock.
pub(crate) fn set_broken_aside(context: &Context, report: &mut RunReport) -> Result<(), CliError> {
    let path = context.directories.trust_file();
    match read(&context.directories) {
        Ok(_) => return Ok(()),
        Err(StoreFailure::Now(reason)) => {
            let message = format!("Failed to read the grants in {}: {reason}", path.display());
            return Err(CliError::failed(message).hint("make the file readable, and run the command again"));
        }
        // In the background the warning would be lost, so this waits for a run of the user.
        Err(StoreFailure::Broken) if context.options.audience == CallAudience::Background => return Ok(()),
        Err(StoreFailure::Broken) => {}
    }
    let aside = context.directories.config.join("trust.json.broken");
    let kept = match fs::move_file(&path, &aside) {
        Ok(()) => format!("it is kept as {}", aside.display()),
        Err(error) => error.to_string(),
    };
    report.warning(format!(
        "{} could not be read, so all grants are lost; run `symposium trust` to grant again; {kept}",
        path.display()
    ));
    Ok(())
}

/// Writes the grants and the texts of `reviewed`, and removes texts that no grant covers. The caller holds the lock.
pub(crate) fn write(
    directories: &AppDirectories,
    grants: &GrantSet,
    reviewed: &[CoveredText],
) -> Result<(), Box<Diagnostic>> {
    let path = directories.trust_file();
    let failed = |reason: String| {
        let message = format!("Failed to write the grants: {reason}");
        let help = "check that the directory is writable and the disk is not full, and run the command again";
        Box::new(Diagnostic::error(path.display().to_string(), message).help(help))
    };
    for text in reviewed.iter().filter(|text| grants.covers(&text.hash)) {
        // Without it a later change is named all the same, only not shown line by line.
        let _ = keep(&directories.trusted_texts().join(&text.hash), &text.said);
    }
    let text = grants.to_text().map_err(|error| failed(error.to_string()))?;
    let empty = grants.all().is_empty();
    let written = settings::write_own(&path, (!empty).then_some(text.as_str()));
    written.map_err(|error| failed(error.kind.to_string()))?;
    for entry in fs::list(&directories.trusted_texts()).unwrap_or_default() {
        if !grants.covers(&entry.name) {
            let _ = fs::remove_file(&directories.trusted_texts().join(&entry.name));
        }
    }
    fs::remove_empty_dirs(&[directories.trusted_texts()]);
    Ok(())
}

/// The text of a file as it was when it was granted, if it was kept.
pub(crate) fn earlier_text(directories: &AppDirectories, hash: &str) -> Option<String> {
    let text = fs::read_text(&directories.trusted_texts().join(hash), MAX_STORE).ok()?;
    // Only what was granted is shown as such.
    (symposium_model::sync::fingerprint(text.as_bytes()).as_str() == hash).then_some(text)
}
