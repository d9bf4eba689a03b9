//! Makes an index of the plugins in a directory, for any web server.

use std::collections::BTreeSet;
use std::path::Path;

use semver::Version;
use symposium_io::fs::FsError;
use symposium_io::source::{DirectoryTree, IndexWriter, PackedPlugin, SourceTree, load_source, skill_files};
use symposium_model::catalog::{LoadedPlugin, PluginKind};
use symposium_model::config::{SourceKind, SourceRank, SourceSpec};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::manifest::{PluginReference, stated_version};
use symposium_model::plugin_index::{
    ANY_FILE, MAX_ANYWHERE, MAX_ARCHIVE, PublishedPlugin, is_plugin_name, needed_atoms,
};
use symposium_model::sync::SkillFile;

use crate::error::CliError;

/// A manifest larger than this was not read either.
const MAX_MANIFEST: u64 = 8 * 1024 * 1024;

/// The name of the manifest in every archive.
const MANIFEST: &str = "symposium.toml";

#[derive(Debug, Default)]
pub(crate) struct IndexReport {
    pub(crate) plugins: usize,
    /// The number of crates that have a file.
    pub(crate) crates: usize,
    /// The number of plugins that need no crate.
    pub(crate) anywhere: usize,
    pub(crate) bytes: u64,
    /// Plugins that are not in the index, and why.
    pub(crate) faults: Vec<Diagnostic>,
}

/// Writes the index of a source to a directory.
pub(crate) fn write_index(source: &Path, out: &Path) -> Result<IndexReport, CliError> {
    let tree = DirectoryTree::open(source).map_err(|error| {
        let error = CliError::failed(format!("Cannot read `{}`: {}", source.display(), error.kind));
        error.hint("pass an existing directory of plugins")
    })?;
    let unwritten = |error: FsError| {
        let error = CliError::failed(format!("Failed to write `{}`: {}", error.path.display(), error.kind));
        error.hint("make the directory writable, and run the command again")
    };
    let Some(mut index) = IndexWriter::open(out).map_err(unwritten)? else {
        let error = CliError::failed(format!("`{}` is not empty and is not an index", out.display()));
        return Err(error.hint("pass an empty or new directory to `--out`"));
    };
    let name = tree.root().file_name().map_or_else(|| "source".into(), |name| name.to_string_lossy().into_owned());
    let spec = SourceSpec::whole(name, SourceKind::Path(source.to_owned()), SourceRank::User);
    let loaded = load_source(spec, &tree);
    let mut report = IndexReport { faults: loaded.findings.faults, ..IndexReport::default() };
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut files: BTreeSet<String> = BTreeSet::new();
    for plugin in &loaded.plugins {
        let fault = |reason: String| {
            let message = format!("Plugin `{}` is not in the index: {reason}", plugin.plugin.name);
            Diagnostic::warning(plugin.shown.clone(), message)
        };
        if names.contains(plugin.plugin.name.as_str()) {
            report.faults.push(fault("another plugin has its name".to_owned()).help("rename one of them"));
            continue;
        }
        let packed = match pack(&tree, plugin) {
            Ok(packed) => packed,
            Err((reason, help)) => {
                report.faults.push(fault(reason).help(help));
                continue;
            }
        };
        let (published, packed) = packed;
        let places = published.files();
        if places.iter().any(|place| place == ANY_FILE) {
            if report.anywhere == MAX_ANYWHERE {
                let reason = format!("more than {MAX_ANYWHERE} plugins have no crate as their condition");
                report.faults.push(fault(reason).help("add `crates = [\"…\"]` to plugins that are for a crate"));
                continue;
            }
            report.anywhere += 1;
        } else {
            files.extend(places);
        }
        index.add(&published, &packed).map_err(unwritten)?;
        names.insert(&plugin.plugin.name);
        report.plugins += 1;
        report.bytes += packed.size;
    }
    for file in index.finish().map_err(unwritten)? {
        let message = format!("`{file}` is larger than a reader accepts");
        report.faults.push(Diagnostic::warning(out.display().to_string(), message).help("split plugins by crate"));
    }
    report.crates = files.len();
    Ok(report)
}

/// The reason why a plugin cannot be in an index, and the help.
type PackFault = (String, &'static str);

fn pack(tree: &dyn SourceTree, loaded: &LoadedPlugin) -> Result<(PublishedPlugin, PackedPlugin), PackFault> {
    let name = &loaded.plugin.name;
    if !is_plugin_name(name) {
        return Err(("its name cannot be the name of a directory".to_owned(), "use letters, digits and `-`"));
    }
    if loaded.plugin.plugins.iter().any(PluginReference::is_beside) {
        let reason = "it needs a plugin beside it, which would not be in its archive".to_owned();
        return Err((reason, "name the other plugin's repository or crate, or publish the directory with git"));
    }
    let files = files_of(tree, loaded)?;
    let text = tree.read_text(&loaded.path, MAX_MANIFEST).unwrap_or_default();
    let version = stated_version(&text).unwrap_or(Version::new(0, 0, 0));
    let help = "make the plugin smaller";
    let packed = PackedPlugin::pack(name, &files).map_err(|reason| (reason, help))?;
    if packed.size > MAX_ARCHIVE {
        return Err((format!("its archive is larger than {} MB", MAX_ARCHIVE / 1024 / 1024), help));
    }
    let published = PublishedPlugin {
        name: name.clone(),
        version,
        crates: needed_atoms(loaded),
        sha256: packed.sha256.clone(),
        size: packed.size,
        archive: packed.archive.clone(),
    };
    Ok((published, packed))
}

/// Returns the files of a plugin as they are in its archive.
fn files_of(tree: &dyn SourceTree, loaded: &LoadedPlugin) -> Result<Vec<SkillFile>, PackFault> {
    let help = "move the plugin into a directory of its own, with all its files";
    let unread = |reason: String| (reason, "make its files readable, and leave out links that lead elsewhere");
    let (directory, manifest) = loaded.path.rsplit_once('/').unwrap_or(("", &loaded.path));
    if !directory.is_empty() {
        let prefix = format!("{directory}/");
        if loaded.skills.iter().any(|skill| !skill.path.starts_with(&prefix)) {
            return Err(("it has skills outside its directory".to_owned(), help));
        }
        let mut files = skill_files(tree, directory).map_err(unread)?;
        for file in &mut files {
            if file.path == manifest && loaded.kind == PluginKind::Manifest {
                MANIFEST.clone_into(&mut file.path);
            }
        }
        return Ok(files);
    }
    // Which other files at the top of the source belong to it is unknown.
    if loaded.plugin.has_workflow() {
        return Err(("it has hooks or servers, and is not in a directory of its own".to_owned(), help));
    }
    let read = tree.read_file(manifest, MAX_MANIFEST).map_err(|error| unread(error.to_string()))?;
    let path = if loaded.kind == PluginKind::Manifest { MANIFEST.to_owned() } else { manifest.to_owned() };
    let mut files = vec![SkillFile { path, bytes: read.0, executable: false }];
    for skill in &loaded.skills {
        let Some((skill, _)) = skill.path.rsplit_once('/') else { continue };
        for file in skill_files(tree, skill).map_err(unread)? {
            files.push(SkillFile { path: format!("{skill}/{}", file.path), ..file });
        }
    }
    Ok(files)
}
