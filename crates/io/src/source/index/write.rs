//! Writes an index: the same plugins give the same bytes, and a file that stays the same is not touched.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};
use symposium_model::plugin_index::{
    ANY_FILE, ARCHIVES, CONFIG_FILE, IndexConfig, MAX_INDEX_FILE, PublishedPlugin, archive_file, parse_file,
};
use symposium_model::sync::{ContentFingerprint, SkillFile, fingerprint};

use crate::fs::{self, DirectoryEntry, FileKind, FsResult};
use crate::source::tree::join;

/// A file of an earlier index may be larger than a reader accepts.
const MAX_OLD_FILE: u64 = 64 * MAX_INDEX_FILE;

/// An archive of a plugin.
pub struct PackedPlugin {
    pub sha256: ContentFingerprint,
    pub size: u64,
    /// Its path below the place of archives.
    pub archive: String,
    pub(super) bytes: Vec<u8>,
}

impl PackedPlugin {
    /// Packs the files of a plugin below a directory of its name. `Err` says why an archive cannot hold them.
    pub fn pack(name: &str, files: &[SkillFile]) -> Result<Self, String> {
        let mut sorted: Vec<&SkillFile> = files.iter().collect();
        sorted.sort_by(|a, b| a.path.cmp(&b.path));
        let packer = GzBuilder::new().write(Vec::new(), Compression::best());
        let mut archive = tar::Builder::new(packer);
        let failed = |error: std::io::Error| error.to_string();
        for file in sorted {
            let mut header = tar::Header::new_ustar();
            header.set_size(file.bytes.len() as u64);
            header.set_mode(if file.executable { 0o755 } else { 0o644 });
            header.set_mtime(0);
            header.set_uid(0);
            header.set_gid(0);
            let path = format!("{name}/{}", file.path);
            header.set_path(&path).map_err(|_| format!("the path `{}` is too long", file.path))?;
            header.set_cksum();
            archive.append(&header, file.bytes.as_slice()).map_err(failed)?;
        }
        let bytes = archive.into_inner().and_then(flate2::write::GzEncoder::finish).map_err(failed)?;
        let sha256 = fingerprint(&bytes);
        Ok(Self { size: bytes.len() as u64, archive: archive_file(sha256.as_str()), sha256, bytes })
    }
}

/// An index that is being written to a directory.
pub struct IndexWriter {
    directory: PathBuf,
    files: BTreeMap<String, Vec<String>>,
    /// The directory has a `config.json` of an index, in which a person may have named another place for archives.
    has_config: bool,
}

impl IndexWriter {
    /// Begins to write to a directory that is empty, absent, or holds an index. `Ok(None)` if it holds something else.
    pub fn open(directory: &Path) -> FsResult<Option<Self>> {
        let config = fs::read_text_of_no_link(&directory.join(CONFIG_FILE), MAX_INDEX_FILE);
        let has_config = config.is_ok_and(|text| IndexConfig::parse(&text).is_ok());
        if !fs::is_gone(directory) && !has_config && fs::count(directory)? > 0 {
            return Ok(None);
        }
        Ok(Some(Self { directory: directory.to_owned(), files: BTreeMap::new(), has_config }))
    }

    /// Adds a plugin. Its archive is written at once, and its lines at the end.
    pub fn add(&mut self, plugin: &PublishedPlugin, packed: &PackedPlugin) -> FsResult<()> {
        let archive = self.directory.join(ARCHIVES).join(&packed.archive);
        Self::write(&archive, &packed.bytes)?;
        for file in plugin.files() {
            self.files.entry(file).or_default().push(plugin.to_string());
        }
        Ok(())
    }

    fn write(path: &Path, bytes: &[u8]) -> FsResult<()> {
        match fs::read(path, bytes.len() as u64) {
            Ok(found) if found == bytes => return Ok(()),
            Err(error) if error.is_not_found() => {}
            Ok(_) | Err(_) => fs::remove_file(path)?,
        }
        fs::write_new_shared(path, bytes)
    }

    /// Writes the lines, and removes the files of an earlier index that have no plugin any more. Archives stay: a
    /// lockfile may name them. Returns the files that are larger than a reader accepts.
    pub fn finish(mut self) -> FsResult<Vec<String>> {
        let files = std::mem::take(&mut self.files);
        let mut too_large = Vec::new();
        let mut written: BTreeSet<String> = BTreeSet::new();
        for (file, mut lines) in files {
            lines.sort();
            let text = format!("{}\n", lines.join("\n"));
            if text.len() as u64 > MAX_INDEX_FILE {
                too_large.push(file.clone());
            }
            Self::write(&self.directory.join(&file), text.as_bytes())?;
            written.insert(file);
        }
        for entry in fs::list(&self.directory).unwrap_or_default() {
            let may_be_old = match entry.kind {
                FileKind::Directory => entry.name.len() <= 2,
                FileKind::File => entry.name == ANY_FILE,
                FileKind::Link | FileKind::Other => false,
            };
            if may_be_old {
                self.prune(&entry, "", &written)?;
            }
        }
        if !self.has_config {
            // Serializing these types cannot fail.
            let config = serde_json::to_string(&IndexConfig::default()).unwrap_or_default();
            Self::write(&self.directory.join(CONFIG_FILE), format!("{config}\n").as_bytes())?;
        }
        Ok(too_large)
    }

    /// Removes an entry, or the entries below it, as far as it is an old file of an index. Everything else is the user's.
    fn prune(&self, entry: &DirectoryEntry, below: &str, written: &BTreeSet<String>) -> FsResult<()> {
        let file = join(below, &entry.name);
        let path = self.directory.join(&file);
        match entry.kind {
            FileKind::Directory if !below.contains('/') => {
                for entry in fs::list_own(&path)? {
                    self.prune(&entry, &file, written)?;
                }
            }
            FileKind::File if !written.contains(&file) => {
                let text = fs::read_text_of_no_link(&path, MAX_OLD_FILE).unwrap_or_default();
                if parse_file(&file, &text).is_ok_and(|plugins| !plugins.is_empty()) {
                    fs::remove_file(&path)?;
                    let parents = path.ancestors().skip(1).take_while(|parent| **parent != self.directory);
                    fs::remove_empty_dirs(&parents.map(Path::to_owned).collect::<Vec<_>>());
                }
            }
            FileKind::Directory | FileKind::File | FileKind::Link | FileKind::Other => {}
        }
        Ok(())
    }
}
