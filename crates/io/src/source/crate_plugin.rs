//! Plugins inside crates: their detection and loading.

use std::path::Path;

use symposium_model::catalog::{LoadedPlugin, LoadedSource, SourceDiagnostics};
use symposium_model::config::SourceSpec;
use symposium_model::crates::cargo_manifest::parse_manifest;
use symposium_model::diagnostic::{Diagnostic, Severity};
use symposium_model::manifest::{self, GroupSource, ParsedManifest, Plugin};

use super::discover::{MAX_MANIFEST, is_symposium_toml};
use super::load::{LoadedManifest, ManifestText, ReadAudience, empty, implicit_group, read_groups};
use super::tree::{SourceTree, join};
use crate::fs::{self, FileKind};

/// The name of the metadata table in Cargo.toml, regardless of how the table is written.
const METADATA: &str = "symposium";

/// Indications that a crate contains a plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrateSigns {
    manifest: Option<String>,
    /// True if Cargo.toml may have a table for Symposium.
    metadata: bool,
    skills: bool,
}

impl CrateSigns {
    /// Returns the file that describes the plugin of the crate in `tree`; `None` when there is only a directory of
    /// skills.
    pub fn manifest(&self, tree: &dyn SourceTree, krate: &str) -> Option<String> {
        let metadata = || (self.metadata && metadata_of(tree, krate).is_some()).then(|| "Cargo.toml".to_owned());
        self.manifest.clone().or_else(metadata)
    }
}

pub fn package_name(tree: &dyn SourceTree, directory: &str) -> Option<String> {
    let path = join(directory, "Cargo.toml");
    let text = tree.read_text(&path, MAX_MANIFEST).ok()?;
    let (manifest, _) = parse_manifest(&path, &text).ok()?;
    Some(manifest.package?.name.to_string())
}

/// Checks for indications of a plugin with one listing and one small file; `None` when there are none.
pub fn crate_signs(directory: &Path) -> Option<CrateSigns> {
    let entries = fs::list(directory).ok()?;
    let is_file = |kind| matches!(kind, FileKind::File | FileKind::Link);
    let manifest = entries.iter().find(|entry| is_symposium_toml(&entry.name) && is_file(entry.kind));
    let skills = entries
        .iter()
        .any(|entry| entry.name == "skills" && matches!(entry.kind, FileKind::Directory | FileKind::Link));
    let text = fs::read(&directory.join("Cargo.toml"), MAX_MANIFEST).unwrap_or_default();
    let metadata = std::str::from_utf8(&text).is_ok_and(|text| text.contains(METADATA));
    let signs = CrateSigns { manifest: manifest.map(|entry| entry.name.clone()), metadata, skills };
    (signs.manifest.is_some() || signs.metadata || signs.skills).then_some(signs)
}

pub fn load_crate(spec: SourceSpec, krate: &str, tree: &dyn SourceTree, signs: &CrateSigns) -> LoadedSource {
    let mut loaded = read_crate(krate, tree, signs);
    let mut findings = loaded.take_findings(ReadAudience::User);
    for fault in &mut findings.faults {
        // It is a crate of another author: the user cannot fix it, and nothing here depends on it.
        fault.severity = Severity::Warning;
    }
    LoadedSource { plugins: loaded.plugin.into_iter().collect(), findings, ..empty(spec, tree) }
}

pub fn load_own_crate(
    krate: &str,
    tree: &dyn SourceTree,
    signs: &CrateSigns,
) -> (Option<LoadedPlugin>, SourceDiagnostics) {
    let mut loaded = read_crate(krate, tree, signs);
    let findings = loaded.take_findings(ReadAudience::Author);
    (loaded.plugin, findings)
}

fn read_crate(krate: &str, tree: &dyn SourceTree, signs: &CrateSigns) -> LoadedManifest {
    let mut loaded = LoadedManifest::default();
    let metadata = if signs.metadata { metadata_of(tree, krate) } else { None };
    match (&signs.manifest, metadata) {
        (Some(manifest), metadata) => {
            match tree.read_text(manifest, MAX_MANIFEST) {
                Ok(text) => {
                    let parsed = manifest::parse_for_crate(&tree.shown(manifest), &text, krate);
                    take(tree, manifest, &text, parsed, &mut loaded);
                }
                Err(error) => {
                    let message = format!("Cannot read this manifest: {error}");
                    let help = "replace it with a readable text file, or remove it";
                    loaded.findings.faults.push(Diagnostic::error(tree.shown(manifest), message).help(help));
                }
            }
            if metadata.is_some() {
                let message = format!("`[package.metadata.symposium]` is ignored, because {manifest} exists");
                let remark = Diagnostic::warning(tree.shown("Cargo.toml"), message);
                loaded.findings.remarks.push(remark.help("keep one of the two"));
            }
        }
        (None, Some((text, parsed))) => take(tree, "Cargo.toml", &text, parsed, &mut loaded),
        (None, None) if signs.skills => {
            let mut plugin = Plugin::empty(krate.to_owned());
            plugin.skills.extend(implicit_group(tree, "", &plugin));
            read_groups(tree, ManifestText { path: "skills", base: "", text: "" }, plugin, &mut loaded);
            // A directory of that name without a skill in it serves another purpose.
            loaded.plugin = loaded.plugin.filter(|plugin| !plugin.skills.is_empty());
        }
        (None, None) => {}
    }
    loaded
}

/// Lists the skill directories that a crate names, for callers that use only the skills of the crate.
pub fn crate_skill_directories(tree: &dyn SourceTree, krate: &str, signs: &CrateSigns) -> Vec<String> {
    let parsed = match &signs.manifest {
        Some(manifest) => match tree.read_text(manifest, MAX_MANIFEST) {
            Ok(text) => Some(manifest::parse_for_crate(&tree.shown(manifest), &text, krate)),
            Err(_) => return Vec::new(),
        },
        None => metadata_of(tree, krate).map(|(_, parsed)| parsed),
    };
    // An invalid manifest names nothing; without a manifest the directory `skills` counts.
    let plugin = parsed.map_or_else(|| Some(Plugin::empty(krate.to_owned())), |parsed| parsed.plugin);
    let Some(mut plugin) = plugin else { return Vec::new() };
    add_default_group(tree, &mut plugin);
    let paths = plugin.skills.into_iter().filter_map(|group| match group.source {
        GroupSource::Path(path) => Some(path),
        GroupSource::Git(_) | GroupSource::Crate | GroupSource::CratePath(_) => None,
    });
    paths.collect()
}

fn metadata_of(tree: &dyn SourceTree, krate: &str) -> Option<(String, ParsedManifest)> {
    let text = tree.read_text("Cargo.toml", MAX_MANIFEST).ok()?;
    let parsed = manifest::parse_metadata(&tree.shown("Cargo.toml"), &text, krate)?;
    Some((text, parsed))
}

fn take(tree: &dyn SourceTree, path: &str, text: &str, parsed: ParsedManifest, loaded: &mut LoadedManifest) {
    loaded.findings = SourceDiagnostics::of_usable(parsed.diagnostics);
    let Some(mut plugin) = parsed.plugin else { return };
    add_default_group(tree, &mut plugin);
    read_groups(tree, ManifestText { path, base: "", text }, plugin, loaded);
}

fn add_default_group(tree: &dyn SourceTree, plugin: &mut Plugin) {
    let is_named = plugin.skills.iter().any(|group| {
        matches!(&group.source, GroupSource::Path(path) if path.trim_start_matches("./").trim_end_matches('/') == "skills")
    });
    if !is_named {
        plugin.skills.extend(implicit_group(tree, "", plugin));
    }
}
