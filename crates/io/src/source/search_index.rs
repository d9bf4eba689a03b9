//! The search index of a source: the names, crates and descriptions of all its plugins, without opening their files.
//!
//! A text file beside the source cache, which neither a hook nor `sync` reads. The first line says which source it is
//! about and how many paths the second line has; the index holds as long as their metadata is the same. Then follows a
//! line for every skill, and for every plugin with more than skills.

use std::collections::HashSet;

use symposium_model::catalog::{LoadedPlugin, LoadedSource, PluginKind};
use symposium_model::conditions::ConditionSet;
use symposium_model::config::SourceSpec;
use symposium_model::crates::{CrateAtom, CrateName};
use symposium_model::search::{SearchEntry, SearchedKind};
use symposium_model::skill::SKILL_FILE;

use super::cached_load::SourceMemory;
use super::discover::FoundManifest;
use super::listing_recorder::ListingRecorder;
use super::load::{self, MAX_SKILL, ReadAudience, load_source, read_skill, stand_alone};
use super::metadata_hash::MetadataHash;
use super::tree::{SourceTree, TreeState, join};

/// The first word of the file; its number changes with the format.
const HEADER: &str = "symposium-search-1";

/// The number of files and directories whose metadata is compared. In a larger source only that of directories is.
const MAX_CHECKED: usize = 256;

/// The longest description in the index, in bytes: agents show no more of it either.
const MAX_DESCRIPTION: usize = 1024;

/// Nanoseconds, as in the source cache.
const SETTLED: i64 = 2_000_000_000;

/// Whether the files of a source can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceStability {
    /// A checkout of a commit, or embedded: its place tells everything.
    Fixed,
    Changing,
}

/// The index of a source.
#[derive(Debug)]
pub struct SearchIndex {
    /// A line for each entry.
    pub lines: String,
    /// The file to store, if it is new and would hold.
    pub renewed: Option<String>,
}

/// Returns the stored index if it holds, or makes it from the whole source.
pub fn search_index(
    spec: &SourceSpec,
    tree: &dyn SourceTree,
    stability: SourceStability,
    memory: &SourceMemory<'_>,
) -> SearchIndex {
    if let Some(lines) = stored_lines(tree, memory) {
        return SearchIndex { lines: lines.to_owned(), renewed: None };
    }
    let recorder = ListingRecorder::new(tree);
    let source = load_source(spec.clone(), &recorder);
    let lines: String = source.plugins.iter().map(plugin_lines).collect();
    let paths = match stability {
        SourceStability::Fixed => Some(Vec::new()),
        SourceStability::Changing => recorder.finish(i64::MAX).map(|listed| checked_paths(listed.seen, &source)),
    };
    let renewed = paths.and_then(|paths| render(tree, memory, &paths, &lines));
    SearchIndex { lines, renewed }
}

fn stored_lines<'m>(tree: &dyn SourceTree, memory: &SourceMemory<'m>) -> Option<&'m str> {
    let (header, rest) = memory.text.split_once('\n')?;
    let (paths, lines) = rest.split_once('\n')?;
    let mut fields = header.split('\t');
    let (HEADER, Some(about), Some(sign), None) = (fields.next()?, fields.next(), fields.next(), fields.next()) else {
        return None;
    };
    let sign = MetadataHash::parse(sign)?;
    (about == memory.about && MetadataHash::now(tree, paths.split('\t').skip(1)) == sign).then_some(lines)
}

fn render(tree: &dyn SourceTree, memory: &SourceMemory<'_>, paths: &[String], lines: &str) -> Option<String> {
    let horizon = memory.now.saturating_sub(SETTLED);
    let is_settled = |path: &String| match tree.state(path) {
        TreeState::Known { modified, changed, .. } => modified.max(changed) < horizon,
        TreeState::Absent | TreeState::Link => false,
    };
    if !paths.iter().all(|path| !path.contains(['\t', '\n', '\r']) && is_settled(path)) {
        return None;
    }
    let sign = MetadataHash::now(tree, paths.iter().map(String::as_str));
    let listed: String = paths.iter().flat_map(|path| ["\t", path.as_str()]).collect();
    Some(format!("{HEADER}\t{}\t{sign}\n{listed}\n{lines}", memory.about))
}

fn checked_paths(listed: Vec<String>, source: &LoadedSource) -> Vec<String> {
    let manifests = source.plugins.iter().map(|loaded| &loaded.path);
    let skills = source.plugins.iter().flat_map(|loaded| &loaded.skills).map(|skill| &skill.path);
    let files: HashSet<&String> = manifests.chain(skills).collect();
    let mut paths = listed;
    if paths.len() + files.len() <= MAX_CHECKED {
        paths.extend(files.into_iter().cloned());
    }
    paths.truncate(MAX_CHECKED);
    paths
}

/// Formats the lines of a plugin: one for each skill, and one for itself unless it is nothing but skills.
pub fn plugin_lines(loaded: &LoadedPlugin) -> String {
    let plugin = &loaded.plugin;
    let mut lines = String::new();
    let own = [&plugin.conditions];
    if plugin.has_workflow() || (loaded.skills.is_empty() && plugin.has_content()) {
        let hooks = plugin.hooks.iter().map(|hook| hook.description.as_deref().unwrap_or(&hook.name));
        let servers = plugin.mcp_servers.iter().map(|server| server.name.as_str());
        let description = hooks.chain(servers).collect::<Vec<_>>().join("; ");
        push_line(&mut lines, SearchedKind::Plugin, loaded, &plugin.name, &crate_names(&own), &description);
    }
    let mut seen = HashSet::new();
    for skill in loaded.skills.iter().filter(|skill| seen.insert(&skill.shown)) {
        let group = skill.group.and_then(|group| plugin.skills.get(group)).map(|group| &group.conditions);
        let levels: Vec<&ConditionSet> = match loaded.kind {
            PluginKind::Manifest => own.into_iter().chain(group).chain([&skill.conditions]).collect(),
            // It lends its conditions to its plugin.
            PluginKind::StandAlone => own.to_vec(),
        };
        let (name, description) = (skill.document.name.as_str(), skill.document.listed_description());
        push_line(&mut lines, SearchedKind::Skill, loaded, name, &crate_names(&levels), &description);
    }
    lines
}

fn crate_names(levels: &[&ConditionSet]) -> String {
    let atoms = levels.iter().flat_map(|level| level.crate_atoms());
    let mut names: Vec<&str> = atoms.filter_map(CrateAtom::name).map(CrateName::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names.join(" ")
}

fn push_line(
    lines: &mut String,
    kind: SearchedKind,
    loaded: &LoadedPlugin,
    name: &str,
    crates: &str,
    description: &str,
) {
    let mut end = description.len().min(MAX_DESCRIPTION);
    while !description.is_char_boundary(end) {
        end -= 1;
    }
    let description = description.get(..end).unwrap_or_default();
    let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    // A path must be found again, so it is written as it is or not at all.
    if !loaded.path.contains(['\t', '\n', '\r']) {
        let fields =
            [kind.word(), &loaded.path, &plain(name), &plain(&loaded.plugin.name), crates, &plain(description)];
        lines.push_str(&fields.join("\t"));
        lines.push('\n');
    }
}

/// Parses a line of an index.
pub fn parse_search_line(line: &str) -> Option<SearchEntry<'_>> {
    let mut fields = line.split('\t');
    let kind = match fields.next()? {
        "skill" => SearchedKind::Skill,
        "plugin" => SearchedKind::Plugin,
        _ => return None,
    };
    let (path, name, plugin) = (fields.next()?, fields.next()?, fields.next()?);
    Some(SearchEntry { kind, name, path, plugin, crates: fields.next()?, description: fields.next()? })
}

/// Loads the plugins at these paths of a source, which are manifests or the SKILL.md of stand-alone skills.
pub fn load_places(spec: SourceSpec, tree: &dyn SourceTree, paths: &[String]) -> LoadedSource {
    let mut source = load::empty(spec, tree);
    for path in paths {
        let (directory, file) = path.rsplit_once('/').unwrap_or(("", path));
        if file == SKILL_FILE {
            let text = tree.read_text(&join(directory, SKILL_FILE), MAX_SKILL);
            let (skill, findings) = read_skill(tree, directory, text, None);
            source.findings.extend(findings);
            source.plugins.extend(skill.map(stand_alone));
            continue;
        }
        let owns_directory = !directory.is_empty() || super::discover::is_symposium_toml(file);
        let manifest =
            FoundManifest { path: path.clone(), directory: directory.to_owned(), owns_directory, text: None };
        let mut loaded = load::read_manifest(tree, manifest, &source.spec.name);
        source.findings.extend(loaded.take_findings(ReadAudience::User));
        source.plugins.extend(loaded.plugin);
    }
    source
}
