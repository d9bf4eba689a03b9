//! A source that is a directory on disk.

use std::path::{Path, PathBuf};

use super::root_handle::{PlainReadError, RootHandle};
use super::tree::{DirectoryListing, SourceTree, TreeEntry, TreeEntryKind, TreeError, TreeState, join};
use crate::fs::{self, DirectoryEntry, FileKind, FsErrorKind};

/// Sources with 100 000 plugins in one directory exist; listing a much larger one would only cost time.
const MAX_PLUGINS: usize = 250_000;

/// A directory as a tree. Links are followed only while they stay inside it.
#[derive(Debug)]
pub struct DirectoryTree {
    root: PathBuf,
    /// The root with links resolved, to check that paths stay inside.
    canonical: PathBuf,
    root_handle: RootHandle,
}

impl DirectoryTree {
    pub fn open(root: &Path) -> fs::FsResult<Self> {
        let canonical = fs::canonical(root)?;
        fs::can_list(&canonical)?;
        let root_handle = RootHandle::open(&canonical)?;
        Ok(Self { root: root.to_owned(), canonical, root_handle })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Sorts out the entries of a directory that are not part of the source.
    fn sort_entries(
        &self,
        directory: &str,
        listed: fs::FsResult<Vec<DirectoryEntry>>,
    ) -> Result<DirectoryListing, TreeError> {
        let mut listing = DirectoryListing::default();
        for entry in listed.map_err(|error| tree_error(&error))? {
            let kind = match entry.kind {
                FileKind::File => Ok(TreeEntryKind::File),
                FileKind::Directory => Ok(TreeEntryKind::Directory),
                FileKind::Link => self.follow(directory, &entry.name),
                FileKind::Other => Err("neither a file nor a directory".to_owned()),
            };
            match kind {
                Ok(kind) => listing.entries.push(TreeEntry { name: entry.name, kind }),
                Err(reason) => listing.left_out.push((entry.name, reason)),
            }
        }
        Ok(listing)
    }

    /// Returns the kind of a link's target, or the reason why it is not followed.
    fn follow(&self, directory: &str, name: &str) -> Result<TreeEntryKind, String> {
        let link = self.root.join(join(directory, name));
        let target = fs::canonical(&link).map_err(|error| format!("a broken link: {}", error.kind))?;
        let Ok(inside) = target.strip_prefix(&self.canonical) else {
            return Err("a link to a place outside the source; copy its target into the source, or add it as a source"
                .to_owned());
        };
        if self.canonical.join(directory).starts_with(&target) {
            let target = if inside.as_os_str().is_empty() {
                "the source itself".to_owned()
            } else {
                format!("`{}`", inside.display())
            };
            return Err(format!("a link back to {target}"));
        }
        if fs::is_dir(&target) {
            Ok(TreeEntryKind::LinkedDirectory)
        } else if fs::is_file(&target) {
            Ok(TreeEntryKind::File)
        } else {
            Err("a link to something that is neither file nor directory".to_owned())
        }
    }
}

fn tree_error(error: &fs::FsError) -> TreeError {
    if error.is_not_found() { TreeError::Absent } else { TreeError::Unusable(error.kind.to_string()) }
}

impl SourceTree for DirectoryTree {
    fn list(&self, directory: &str) -> Result<DirectoryListing, TreeError> {
        self.sort_entries(directory, fs::list(&self.root.join(directory)))
    }

    fn list_plugins(&self, directory: &str) -> Result<DirectoryListing, TreeError> {
        self.sort_entries(directory, fs::list_up_to(&self.root.join(directory), MAX_PLUGINS))
    }

    fn read_text(&self, path: &str, limit: u64) -> Result<String, TreeError> {
        let file = self.root.join(path);
        match fs::read_text_of_no_link(&file, limit) {
            Err(error) if matches!(error.kind, FsErrorKind::Link) => {
                let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
                match self.follow(directory, name).map_err(TreeError::Unusable)? {
                    TreeEntryKind::File => fs::read_text(&file, limit).map_err(|error| tree_error(&error)),
                    TreeEntryKind::Directory | TreeEntryKind::LinkedDirectory => {
                        Err(TreeError::Unusable(FsErrorKind::NotRegular.to_string()))
                    }
                }
            }
            text => text.map_err(|error| tree_error(&error)),
        }
    }

    fn read_text_with_state(&self, path: &str, limit: u64) -> Result<(String, TreeState), TreeError> {
        let plain = self.root_handle.read_plain_text(path, limit);
        tracing::trace!(path = %self.root.join(path).display(), found = plain.is_ok(), "reading");
        match plain {
            Ok(read) => Ok(read),
            Err(PlainReadError::Absent) => Err(TreeError::Absent),
            // A link, or something that has to be explained.
            Err(PlainReadError::Other) => {
                let state = self.state(path);
                Ok((self.read_text(path, limit)?, state))
            }
        }
    }

    fn read_file(&self, path: &str, limit: u64) -> Result<(Vec<u8>, bool), TreeError> {
        if self.leads_out(path) {
            return Err(TreeError::Unusable("a link to a place outside the source".to_owned()));
        }
        let file = self.root.join(path);
        let bytes = fs::read(&file, limit).map_err(|error| tree_error(&error))?;
        Ok((bytes, fs::is_executable(&file)))
    }

    fn exists(&self, path: &str) -> bool {
        fs::exists(&self.root.join(path))
    }

    fn leads_out(&self, path: &str) -> bool {
        let mut above = self.root.clone();
        for part in path.split('/').filter(|part| !part.is_empty()) {
            above.push(part);
            if fs::is_link(&above) && !fs::canonical(&above).is_ok_and(|target| target.starts_with(&self.canonical)) {
                return true;
            }
        }
        false
    }

    fn state(&self, path: &str) -> TreeState {
        self.root_handle.state(path)
    }

    fn shown(&self, path: &str) -> String {
        let shown = self.root.join(path);
        // A path given without a directory is shown without one.
        let shown = shown.strip_prefix(".").unwrap_or(&shown);
        if shown.as_os_str().is_empty() {
            ".".to_owned()
        } else {
            shown.display().to_string().trim_end_matches('/').to_owned()
        }
    }
}
