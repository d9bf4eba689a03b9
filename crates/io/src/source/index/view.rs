//! The plugins of an index for one workspace as a directory like any other source: unpacked from archives that were
//! checked, each in a directory of its name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use semver::Version;
use symposium_model::catalog::LoadedPlugin;
use symposium_model::config::{IndexAddress, SourceKind, SourceRank, SourceSpec};
use symposium_model::manifest::stated_version;
use symposium_model::plugin_index::{MAX_ARCHIVE, PublishedPlugin, identify_plugins};
use symposium_model::sync::fingerprint;

use super::PluginIndexFault;
use crate::source::contents::{
    self, ContentRefusal, ContentSize, FetchedContents, MAX_BYTES, MAX_DIRECTORIES, MAX_ENTRIES,
};
use crate::source::directory::DirectoryTree;
use crate::source::fetch_error::FetchError;
use crate::source::full_tree::whole_fingerprint;
use crate::source::git::{CheckoutInfo, GitCopy, VERSION};
use crate::source::load::load_source;
use crate::source::tarball::{self, MAX_RATIO, UNSUSPICIOUS};
use crate::source::tree::SourceTree;
use crate::{clock, fs};

const MAX_LIST: u64 = 16 * 1024 * 1024;

/// Bytes that are unpacked for one workspace, whatever becomes of them.
const MOST_EFFORT: u64 = 16 * MAX_BYTES;

pub(super) fn archive_path(directory: &Path, plugin: &PublishedPlugin) -> PathBuf {
    directory.join("archives").join(format!("{}.tar.gz", plugin.sha256.as_str()))
}

/// Returns the plugins in a directory that was made earlier.
pub(super) fn plugins_of(directory: &Path, commit: &str) -> Option<Vec<PublishedPlugin>> {
    let text = fs::read_text_of_no_link(&directory.join(format!("{commit}.plugins")), MAX_LIST).ok()?;
    let plugins: Vec<PublishedPlugin> = serde_json::from_str(&text).ok()?;
    (identify_plugins(&plugins).as_str() == commit).then_some(plugins)
}

/// Checks an archive before any of it is used. `Err` says how it differs from its entry in the index.
pub(super) fn check_archive(plugin: &PublishedPlugin, bytes: &[u8]) -> Result<(), FetchError> {
    let found = fingerprint(bytes);
    if found != plugin.sha256 {
        let (expected, found) = (plugin.sha256.as_str(), found.as_str());
        let message = format!("the archive is not the one that the index names: expected {expected}, found {found}");
        return Err(FetchError::Http(message));
    }
    if bytes.len() as u64 != plugin.size {
        return Err(FetchError::Http(format!("the archive has {} bytes instead of {}", bytes.len(), plugin.size)));
    }
    Ok(())
}

/// Room for the plugins of one workspace: as much as for a repository.
struct ViewRoom {
    left: ContentSize,
    /// Bytes that may still be unpacked, also those of plugins that turn out not to have room.
    effort: u64,
}

impl ViewRoom {
    fn take(&mut self, contents: &FetchedContents) -> Result<(), FetchError> {
        let size = contents.size();
        // With the directory around it.
        let size = ContentSize { directories: size.directories + 1, ..size };
        self.left = self.left.checked_sub(size).ok_or_else(Self::refusal)?;
        Ok(())
    }

    fn refusal() -> FetchError {
        FetchError::BeyondLimit(format!("all plugins of this workspace together have more than {}", limits()))
    }
}

fn limits() -> String {
    format!("{MAX_ENTRIES} files, {MAX_DIRECTORIES} directories or {} MB", MAX_BYTES / 1024 / 1024)
}

/// The directory of a set of plugins, and the ones that could not be used.
pub(super) struct MadeView {
    pub(super) copy: GitCopy,
    pub(super) faults: Vec<PluginIndexFault>,
}

/// Makes the directory of a set of plugins, unless it is there. The first ones get room first.
pub(super) fn make(
    directory: &Path,
    archives: &IndexAddress,
    plugins: Vec<PublishedPlugin>,
) -> Result<MadeView, FetchError> {
    if let Some(copy) = find(directory, &plugins) {
        return Ok(MadeView { copy, faults: Vec::new() });
    }
    let staging = fs::staging_dir(directory)?;
    let tree = staging.path().join("tree");
    fs::create_private_dir(&tree)?;
    let mut faults = Vec::new();
    let mut usable = Vec::new();
    let mut room = ViewRoom { left: ContentSize::LIMIT, effort: MOST_EFFORT };
    for plugin in plugins {
        match unpack(directory, &tree, &plugin, &mut room) {
            Ok(()) => usable.push(plugin),
            Err(FetchError::File(error)) if error.is_unwritable() => return Err(FetchError::File(error)),
            Err(error) => faults.push(PluginIndexFault::about_plugin(&plugin, archives, &error)),
        }
    }
    for (name, reason) in contradictions(&tree, &usable)? {
        let at = usable.iter().position(|plugin| plugin.name == name);
        if let Some(plugin) = at.map(|at| usable.remove(at)) {
            fs::remove_tree(&tree.join(&plugin.name))?;
            faults.push(PluginIndexFault::about_plugin(&plugin, archives, &FetchError::Http(reason)));
        }
    }
    // A lockfile names plugins in this order, whichever plugin got room first.
    usable.sort_by_cached_key(|plugin| plugin.name.to_ascii_lowercase());
    if let Some(copy) = find(directory, &usable) {
        return Ok(MadeView { copy, faults });
    }
    let commit = identify_plugins(&usable).as_str().to_owned();
    let damaged = || FetchError::from(ContentRefusal::Damaged("the written copy could not be read".to_owned()));
    let info = CheckoutInfo {
        version: VERSION,
        commit: commit.clone(),
        time: None,
        fetched: clock::now(),
        tree: contents::fingerprint_of(&tree).ok_or_else(damaged)?,
        whole: DirectoryTree::open(&tree).ok().and_then(|tree| whole_fingerprint(&tree).ok()),
        entries: fs::count(&tree)?,
        notes: Vec::new(),
        followed: true,
    };
    // Serializing these types cannot fail.
    let list = serde_json::to_string(&usable).unwrap_or_default();
    fs::replace_dir(&tree, &directory.join(&commit))?;
    fs::replace(&directory.join(format!("{commit}.plugins")), list.as_bytes())?;
    info.write(directory)?;
    let copy = info.copy(directory).ok_or_else(damaged)?;
    Ok(MadeView { copy, faults })
}

fn find(directory: &Path, plugins: &[PublishedPlugin]) -> Option<GitCopy> {
    let commit = identify_plugins(plugins);
    plugins_of(directory, commit.as_str())?;
    CheckoutInfo::read(directory, commit.as_str())?.copy(directory)
}

fn unpack(directory: &Path, tree: &Path, plugin: &PublishedPlugin, room: &mut ViewRoom) -> Result<(), FetchError> {
    let archive = archive_path(directory, plugin);
    let bytes = match fs::read(&archive, MAX_ARCHIVE) {
        // A plugin with the same archive found it damaged.
        Err(error) if error.is_not_found() => {
            return Err(FetchError::Http("its archive was damaged; the next fetch gets it again".to_owned()));
        }
        bytes => bytes?,
    };
    if let Err(error) = check_archive(plugin, &bytes) {
        // The next fetch gets a damaged one again.
        if fingerprint(&bytes) != plugin.sha256 {
            fs::remove_file(&archive)?;
        }
        return Err(error);
    }
    if room.effort == 0 {
        return Err(ViewRoom::refusal());
    }
    let unpacked = tarball::unpack(bytes.as_slice(), "");
    // One that is refused may have cost as much as it could.
    let most = (bytes.len() as u64).saturating_mul(MAX_RATIO).clamp(UNSUSPICIOUS, MAX_BYTES);
    room.effort = room.effort.saturating_sub(unpacked.as_ref().map_or(most, |unpacked| unpacked.read));
    let mut unpacked = unpacked.map_err(|error| match error {
        FetchError::Empty => FetchError::Http("the archive is empty".to_owned()),
        FetchError::Refused(
            ContentRefusal::TooManyFiles | ContentRefusal::TooManyDirectories | ContentRefusal::TooLarge,
        ) => FetchError::Http(format!("refused: it has more than {}", limits())),
        error => error,
    })?;
    unpacked.contents.require_all()?;
    room.take(&unpacked.contents)?;
    let place = tree.join(&plugin.name);
    fs::create_private_dir(&place)?;
    let written = unpacked.contents.write(&place);
    if written.is_err() {
        fs::remove_tree(&place)?;
    }
    written?;
    Ok(())
}

/// Lists the plugins whose files say something else than the index, with the reason.
fn contradictions(tree: &Path, plugins: &[PublishedPlugin]) -> Result<Vec<(String, String)>, FetchError> {
    let files = DirectoryTree::open(tree)?;
    let spec = SourceSpec::whole("index", SourceKind::Path(tree.to_owned()), SourceRank::User);
    let loaded = load_source(spec, &files).plugins;
    let mut below: BTreeMap<&str, Vec<&LoadedPlugin>> = BTreeMap::new();
    for loaded in &loaded {
        let (directory, _) = loaded.path.split_once('/').unwrap_or_default();
        below.entry(directory).or_default().push(loaded);
    }
    let mut found = Vec::new();
    for plugin in plugins {
        let reason = match below.get(plugin.name.as_str()) {
            None => Some("the archive has no plugin that can be read".to_owned()),
            Some(own) => own.iter().find_map(|loaded| {
                let name = &loaded.plugin.name;
                if *name != plugin.name {
                    return Some(format!("the archive has the plugin `{}` instead", name.escape_debug()));
                }
                let text = files.read_text(&loaded.path, MAX_ARCHIVE).unwrap_or_default();
                let version = stated_version(&text).unwrap_or(Version::new(0, 0, 0));
                (version != plugin.version)
                    .then(|| format!("the archive has version {version} instead of {}", plugin.version))
            }),
        };
        found.extend(reason.map(|reason| (plugin.name.clone(), reason)));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use symposium_model::sync::SkillFile;

    use super::*;
    use crate::source::PackedPlugin;

    #[test]
    fn a_plugin_whose_files_cannot_be_written_spares_the_others() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("archives")).unwrap();
        let publish = |name: &str, path: &str| {
            let manifest =
                format!("name = \"{name}\"\n[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"true\"\n");
            let file = |path: &str| SkillFile {
                path: path.to_owned(),
                bytes: manifest.clone().into_bytes(),
                executable: false,
            };
            let packed = PackedPlugin::pack(name, &[file("symposium.toml"), file(path)]).unwrap();
            let PackedPlugin { sha256, size, archive, .. } = packed;
            let version = Version::new(0, 0, 0);
            let plugin = PublishedPlugin { name: name.to_owned(), version, crates: Vec::new(), sha256, size, archive };
            std::fs::write(archive_path(directory.path(), &plugin), packed.bytes).unwrap();
            plugin
        };
        let plugins =
            vec![publish("deep", &format!("{}x", "a/".repeat(40))), publish("good", &format!("{}x", "a/".repeat(32)))];
        let archives = IndexAddress::parse("https://h/archives").unwrap();
        let made = make(directory.path(), &archives, plugins).unwrap();
        let faults: Vec<String> = made.faults.iter().map(ToString::to_string).collect();
        assert!(faults.len() == 1 && faults[0].contains("plugin `deep` 0.0.0"), "{faults:?}");
        assert!(faults[0].contains("is more than 32 directories deep"), "{faults:?}");
        assert_eq!(plugins_of(directory.path(), &made.copy.commit).unwrap().len(), 1);
        // A lockfile can pin the others.
        assert!(made.copy.whole.is_some());
    }
}
