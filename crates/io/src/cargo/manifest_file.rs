//! Reading of one Cargo.toml.

use std::path::Path;

use symposium_model::crates::cargo_manifest::parse_manifest;
use symposium_model::crates::resolve::ManifestFile;
use symposium_model::diagnostic::Diagnostic;

use crate::fs::{self, FsError, FsErrorKind};

const LIMIT: u64 = 1024 * 1024;

pub(super) enum ManifestLookup {
    Read(Box<ManifestFile>),
    Absent,
    /// The file exists; a diagnostic says why it cannot be used.
    Unusable,
}

pub(super) fn read_manifest(directory: &Path, findings: &mut Vec<Diagnostic>) -> ManifestLookup {
    let file = directory.join("Cargo.toml");
    let path = file.display().to_string();
    let text = match fs::read_text(&file, LIMIT) {
        Ok(text) => text,
        Err(error) if error.is_not_found() => return ManifestLookup::Absent,
        Err(error) => {
            findings.push(unreadable(&error));
            return ManifestLookup::Unusable;
        }
    };
    match parse_manifest(&path, &text) {
        Ok((manifest, more)) => {
            findings.extend(more);
            ManifestLookup::Read(Box::new(ManifestFile { directory: directory.to_owned(), path, manifest }))
        }
        Err(finding) => {
            findings.push(*finding);
            ManifestLookup::Unusable
        }
    }
}

pub(super) fn unreadable(error: &FsError) -> Diagnostic {
    let help = match &error.kind {
        FsErrorKind::NotFound | FsErrorKind::NotADirectory => "check whether the file is still there",
        FsErrorKind::NotRegular | FsErrorKind::Link => "replace it with a regular file",
        FsErrorKind::TooLarge { .. } => "files of this size are not read; check its content",
        FsErrorKind::NotUtf8 { .. } => "save the file as UTF-8",
        FsErrorKind::BeingWritten => "run the command again after that program has finished",
        FsErrorKind::Io(_) | FsErrorKind::TooMany { .. } => "check its permissions and links",
    };
    Diagnostic::error(error.path.display().to_string(), format!("Cannot read this file: {}", error.kind)).help(help)
}
