//! Replacement of the user's files, for the one workflow that edits them: a file is replaced only if it is still as it
//! was read.
#![expect(clippy::disallowed_methods, reason = "the hot path does not link the crate that owns files")]

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use symposium_model::crates::lexical_path::without_verbatim;
use symposium_model::hook::hook_plan::FileState;

use super::stamp;

#[derive(Debug)]
pub(crate) struct OriginalFile {
    path: PathBuf,
    metadata: Metadata,
    state: FileState,
    pub(crate) bytes: Vec<u8>,
}

#[derive(Debug)]
pub(crate) enum EditBlocker {
    /// Outside the given directory after following links.
    Outside,
    NotAFile,
    TooLarge,
    ReadOnly,
    /// It has other hard links, which would keep the old content.
    Linked,
    Changed,
    Io(io::Error),
}

impl From<io::Error> for EditBlocker {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl OriginalFile {
    /// Reads a file of at most `limit` bytes, if it can be replaced. Links are followed as long as they stay inside.
    pub(crate) fn read(path: &Path, inside: &Path, limit: u64) -> Result<Self, EditBlocker> {
        let path = without_verbatim(fs::canonicalize(path)?);
        if !path.starts_with(without_verbatim(fs::canonicalize(inside)?)) {
            return Err(EditBlocker::Outside);
        }
        let (metadata, bytes) = read_at_most(&path, limit)?;
        if metadata.permissions().readonly() {
            return Err(EditBlocker::ReadOnly);
        }
        if names(&metadata) > 1 {
            return Err(EditBlocker::Linked);
        }
        let state = stamp::state_from(&metadata);
        Ok(Self { path, metadata, state, bytes })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the content atomically, keeping mode and owner, unless the file changed since it was read.
    pub(crate) fn replace(&self, bytes: &[u8]) -> Result<(), EditBlocker> {
        let mut name = std::ffi::OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(format!(".symposium-{}", std::process::id()));
        let temporary = self.path.with_file_name(name);
        let replaced = self.write(&temporary, bytes).and_then(|()| {
            // As late as possible: a change between this line and the next is lost.
            self.unchanged()?;
            Ok(fs::rename(&temporary, &self.path)?)
        });
        if replaced.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        replaced
    }

    fn write(&self, temporary: &Path, bytes: &[u8]) -> Result<(), EditBlocker> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(temporary)?;
        file.write_all(bytes)?;
        give_to_owner(&file, &self.metadata)?;
        file.set_permissions(self.metadata.permissions())?;
        Ok(file.sync_data()?)
    }

    fn unchanged(&self) -> Result<(), EditBlocker> {
        let limit = u64::try_from(self.bytes.len()).unwrap_or(u64::MAX);
        match read_at_most(&self.path, limit) {
            Ok((metadata, bytes)) if stamp::state_from(&metadata) == self.state && bytes == self.bytes => Ok(()),
            Ok(_) | Err(_) => Err(EditBlocker::Changed),
        }
    }
}

pub(crate) fn nearest_with<'a>(file: &'a Path, names: &[&str]) -> Option<&'a Path> {
    let holds = |directory: &&Path| names.iter().any(|name| directory.join(name).is_file());
    file.ancestors().skip(1).find(holds)
}

pub(crate) fn outside_projects() -> PathBuf {
    if cfg!(unix) { PathBuf::from("/") } else { std::env::temp_dir() }
}

fn read_at_most(path: &Path, limit: u64) -> Result<(Metadata, Vec<u8>), EditBlocker> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // The path was resolved, so a link here is new; and opening a pipe must not wait for a writer.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or_default());
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(EditBlocker::NotAFile);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(limit)).unwrap_or_default());
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
        return Err(EditBlocker::TooLarge);
    }
    Ok((metadata, bytes))
}

#[cfg(unix)]
fn names(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names(_: &Metadata) -> u64 {
    1
}

/// Keeps the owner of a file that another user, for example root, edits.
#[cfg(unix)]
fn give_to_owner(file: &File, metadata: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let ours = file.metadata()?;
    if (ours.uid(), ours.gid()) == (metadata.uid(), metadata.gid()) {
        return Ok(());
    }
    std::os::unix::fs::fchown(file, Some(metadata.uid()), Some(metadata.gid()))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix the system may refuse")]
fn give_to_owner(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}
