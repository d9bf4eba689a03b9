//! The user's own choices for a workspace: `<config>/workspaces/HASH.toml`, one file for each, about what only they have.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use symposium_io::fs;
use symposium_io::settings::{self, SettingsChange, WritePatience};
use symposium_model::config::{AppDirectories, ParsedToggles, parse_choices};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::sync::fingerprint;

use crate::error::CliError;

/// A larger file holds no choices.
const MAX_CHOICES: u64 = 1024 * 1024;
/// The number of digits in the name of a file, from the hash of the workspace's path.
const NAME_LENGTH: usize = 32;

/// Returns the path of the user's toggles for a workspace, even if there is no such file.
pub(crate) fn path(directories: &AppDirectories, root: &Path) -> PathBuf {
    let hash = fingerprint(root.as_os_str().as_encoded_bytes());
    let name = hash.as_str().get(..NAME_LENGTH).unwrap_or(hash.as_str());
    directories.workspaces().join(format!("{name}.toml"))
}

/// Reads the choices for a workspace. What cannot be understood chooses nothing.
pub(crate) fn read(directories: &AppDirectories, root: &Path) -> (ParsedToggles, Option<String>) {
    let path = path(directories, root);
    let shown = path.display().to_string();
    match fs::read_text_if_there(&path, MAX_CHOICES) {
        Ok(None) => (ParsedToggles::default(), None),
        Ok(Some(text)) => (parse_choices(&shown, &text), Some(text)),
        Err(error) => {
            let found =
                Diagnostic::error(shown, format!("Cannot read your toggles for this workspace: {}", error.kind));
            let found = found.help("make it a readable text file, or remove it");
            (ParsedToggles { diagnostics: vec![found], ..ParsedToggles::default() }, None)
        }
    }
}

pub(crate) fn new_text(root: &Path) -> String {
    // A JSON string is a string of TOML too.
    let workspace = serde_json::Value::from(root.display().to_string());
    format!(
        "# Your own choices for one workspace, about plugins and skills that only you have; `symposium on` and `symposium\n\
         # off` write them. They are not in the project's files.\n\
         workspace = {workspace}\n"
    )
}

/// Writes the user's toggles for a workspace. It is an error if the file no longer has the text `before`. The caller
/// holds the lock.
pub(crate) fn write(path: &Path, before: Option<&str>, text: &str) -> Result<(), CliError> {
    let mut changed = false;
    let written = settings::update_private(path, WritePatience::Long, |current| {
        changed = current != before;
        Ok::<_, Infallible>(if changed { SettingsChange::Keep } else { SettingsChange::Write(text.to_owned()) })
    });
    let failed = |reason: String| {
        let message = format!("Failed to write your toggles to {}: {reason}", path.display());
        CliError::failed(message).hint("check that the directory is writable, and run the command again")
    };
    written.map_err(|error| failed(error.kind.to_string()))?;
    if changed { Err(failed("the file changed while Symposium worked".to_owned())) } else { Ok(()) }
}

/// Removes the choices for a workspace.
pub(crate) fn remove(directories: &AppDirectories, root: &Path) {
    let _ = fs::remove_file(&path(directories, root));
    fs::remove_empty_dirs(&[directories.workspaces()]);
}
