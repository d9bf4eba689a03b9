//! Writes an imported plugin, and the record by which the next import knows what its owner changed.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;

use serde::{Deserialize, Serialize};
use symposium_agents::Scope;
use symposium_agents::import::{ManifestPart, MergeAction};
use symposium_io::fs::{self, FsError};
use symposium_io::settings::{self, SettingsChange, WritePatience};
use symposium_model::sync::ContentFingerprint;

use super::{ImportReport, MANIFEST};
use crate::error::CliError;

const RECORD: &str = "imported.json";

/// The version of that file.
const VERSION: u32 = 1;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ImportRecord {
    version: u32,
    pub(super) parts: Vec<ManifestPart>,
    pub(super) files: BTreeMap<String, ContentFingerprint>,
}

impl ImportRecord {
    /// The record of an import into a plugin with this one.
    pub(super) fn merge_parts(parts: &[ManifestPart], known: Option<&Self>) -> Self {
        let files = known.map(|record| record.files.clone()).unwrap_or_default();
        Self { version: VERSION, parts: parts.to_vec(), files }
    }
}

/// Reads the record in a plugin's directory; `None` when there is no plugin yet.
pub(super) fn read_record(directory: &Path) -> Result<Option<ImportRecord>, CliError> {
    let path = directory.join(RECORD);
    let text = fs::read_text_if_there(&path, fs::MAX_SETTINGS);
    let record = text.ok().flatten().and_then(|text| serde_json::from_str::<ImportRecord>(&text).ok());
    match record.filter(|record| record.version == VERSION) {
        Some(record) => Ok(Some(record)),
        None if !fs::has_content(directory) => Ok(None),
        None => {
            let message = format!("`{}` already exists, and was not created by an import", directory.display());
            Err(CliError::failed(message).hint("move it, and import again"))
        }
    }
}

pub(crate) fn write(root: Option<&Path>, import: &ImportReport) -> Result<(), CliError> {
    let failed = |error: &FsError| {
        CliError::failed(format!("Failed to write the plugin: {error}"))
            .hint("check that the directory is writable and the disk is not full, and import again")
    };
    for file in &import.files {
        if matches!(file.fate, MergeAction::New | MergeAction::Updated) {
            let path = import.directory.join(&file.path);
            put(&path, &file.bytes, file.executable, import.scope).map_err(|error| failed(&error))?;
        }
    }
    if import.before.as_deref() != Some(import.manifest.text.as_str()) {
        put_text(root, import, MANIFEST, &import.manifest.text)?;
    }
    if import.recorded.as_ref() != Some(&import.record) {
        let text = serde_json::to_string_pretty(&import.record).unwrap_or_default();
        put_text(root, import, RECORD, &format!("{text}\n"))?;
    }
    Ok(())
}

fn put(path: &Path, bytes: &[u8], executable: bool, scope: Scope) -> Result<(), FsError> {
    let write = |path: &Path| match (scope, executable) {
        (Scope::User, false) => fs::write_new(path, bytes),
        (Scope::User, true) => fs::write_new_program(path, bytes),
        (Scope::Project, false) => fs::write_new_shared(path, bytes),
        (Scope::Project, true) => fs::write_new_executable(path, bytes),
    };
    if fs::exists(path) { fs::replace_by(path, write) } else { write(path) }
}

fn put_text(root: Option<&Path>, import: &ImportReport, name: &str, text: &str) -> Result<(), CliError> {
    let path = import.directory.join(name);
    let edit = |_: Option<&str>| Ok::<_, Infallible>(SettingsChange::Write(text.to_owned()));
    let written = match import.scope {
        Scope::User => settings::update_private(&path, WritePatience::Long, edit),
        Scope::Project => settings::update(&path, root, WritePatience::Long, edit),
    };
    written.map(|_| ()).map_err(|error| {
        CliError::failed(format!("Failed to write {}: {}", error.path.display(), error.kind))
            .hint("check that the directory is writable, and import again")
    })
}
