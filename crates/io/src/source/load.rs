//! Loading of a source into the catalog: all manifests and skills, with their diagnostics.

use std::path::Path;

use symposium_model::catalog::{LoadedPlugin, LoadedSkill, LoadedSource, PluginKind, SourceDiagnostics};
use symposium_model::conditions::ConditionSet;
use symposium_model::config::{SourceSpec, inside};
use symposium_model::diagnostic::{Diagnostic, Severity};
use symposium_model::manifest::{
    self, ClaimedDirectories, CommandSpec, DefaultSkills, GroupSource, Plugin, SkillGroup,
};
use symposium_model::skill::{self, SKILL_FILE};

use super::discover::{self, FoundFiles, FoundManifest, GroupSkill, MAX_MANIFEST};
use super::owned_directories::{OwnedDirectories, group_directory, is_below};
use super::tree::{SourceTree, TreeError, join};

/// Bytes. The largest SKILL.md found in public repositories is below 300 kB; agents read it completely.
pub const MAX_SKILL: u64 = 2 * 1024 * 1024;

pub fn load_source(spec: SourceSpec, tree: &dyn SourceTree) -> LoadedSource {
    let mut source = empty(spec, tree);
    let mut owned = OwnedDirectories::default();
    let found = discover::discover(tree, discover::most_in(source.spec.rank), &mut |manifest| {
        let mut loaded = read_manifest(tree, manifest, &source.spec.name);
        source.findings.extend(loaded.take_findings(ReadAudience::User));
        owned.add(loaded.owned);
        source.plugins.extend(loaded.plugin);
    });
    for directory in &report_search(&mut source, found) {
        // A skill that belongs to a group is not a plugin of its own.
        if owned.has(directory) {
            continue;
        }
        let text = tree.read_text(&join(directory, SKILL_FILE), MAX_SKILL);
        let (skill, findings) = read_skill(tree, directory, text, None);
        source.findings.extend(findings);
        source.plugins.extend(skill.filter(|skill| owned.leaves_alone(skill)).map(stand_alone));
    }
    source.plugins.sort_by(|a, b| a.path.cmp(&b.path));
    tracing::info!(source = source.spec.name, plugins = source.plugins.len(), "read source");
    source
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadAudience {
    Author,
    User,
}

/// Loads the plugin whose manifest is at `path`. At the top of the tree, a manifest without a name is named `root`.
pub fn load_plugin(
    tree: &dyn SourceTree,
    path: &str,
    root: &str,
    audience: ReadAudience,
) -> (Option<LoadedPlugin>, SourceDiagnostics) {
    let (directory, file) = path.rsplit_once('/').unwrap_or(("", path));
    let manifest = FoundManifest {
        path: path.to_owned(),
        directory: directory.to_owned(),
        owns_directory: !directory.is_empty() || discover::is_manifest_of(root, file),
        text: None,
    };
    let mut loaded = read_manifest(tree, manifest, root);
    let findings = loaded.take_findings(audience);
    (loaded.plugin, findings)
}

pub fn find_manifests(tree: &dyn SourceTree) -> (Vec<String>, Vec<Diagnostic>) {
    let mut manifests = Vec::new();
    let found = discover::discover(tree, usize::MAX, &mut |manifest| manifests.push(manifest.path));
    (manifests, found.diagnostics)
}

pub fn find_skills(tree: &dyn SourceTree, directory: &str) -> (Vec<String>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let skills = discover::group_skills(tree, directory, MAX_SKILL, &mut diagnostics);
    (directories(skills), diagnostics)
}

pub fn plugin_skills(tree: &dyn SourceTree, manifest: &str, plugin: &Plugin) -> Vec<String> {
    let base = manifest.rsplit_once('/').map_or("", |(directory, _)| directory);
    let mut skills = Vec::new();
    for group in &plugin.skills {
        let GroupSource::Path(path) = &group.source else { continue };
        if let Some(directory) = group_directory(tree, base, path) {
            skills.extend(directories(discover::group_skills(tree, &directory, MAX_SKILL, &mut Vec::new())));
        }
    }
    skills.sort();
    skills.dedup();
    skills
}

/// Loads the skills in a directory of another tree than their plugin's, for the plugin's group at index `group`. `Err`
/// says why the directory cannot be read.
pub fn load_group(
    tree: &dyn SourceTree,
    directory: &str,
    elsewhere: &Path,
    group: usize,
) -> Result<(Vec<LoadedSkill>, SourceDiagnostics), TreeError> {
    let Some(directory) = group_directory(tree, "", directory) else {
        return Err(TreeError::Unusable("it is outside".to_owned()));
    };
    let mut diagnostics = Vec::new();
    let mut skills = Vec::new();
    let mut findings = SourceDiagnostics::default();
    for found in discover::group_skills(tree, &directory, MAX_SKILL, &mut diagnostics)? {
        let (skill, about) = read_skill(tree, &found.directory, found.text, Some(group));
        findings.extend(about);
        skills.extend(skill.map(|skill| LoadedSkill { elsewhere: Some(elsewhere.to_owned()), ..skill }));
    }
    findings.extend(SourceDiagnostics::of_skipped(diagnostics));
    Ok((skills, findings))
}

fn directories(skills: Result<Vec<GroupSkill>, TreeError>) -> Vec<String> {
    skills.unwrap_or_default().into_iter().map(|skill| skill.directory).collect()
}

pub(super) fn empty(spec: SourceSpec, tree: &dyn SourceTree) -> LoadedSource {
    LoadedSource::without_plugins(spec, tree.shown(""), SourceDiagnostics::default())
}

/// Adds the findings of the search for plugins, before those about the plugins.
pub(super) fn report_search(source: &mut LoadedSource, found: FoundFiles) -> Vec<String> {
    let of_plugins = std::mem::take(&mut source.findings);
    source.findings = SourceDiagnostics { is_cut: found.is_cut, ..SourceDiagnostics::of_skipped(found.diagnostics) };
    source.findings.extend(of_plugins);
    found.skills
}

#[derive(Default)]
pub(super) struct LoadedManifest {
    pub(super) plugin: Option<LoadedPlugin>,
    pub(super) findings: SourceDiagnostics,
    /// One for each script of a hook that does not exist.
    missing: Vec<Diagnostic>,
    /// The directories that belong to the plugin, besides the one that is all its own.
    pub(super) owned: OwnedDirectories,
    /// The plugin, if only its manifest was read.
    pub(super) skipped: Option<Plugin>,
}

impl LoadedManifest {
    /// Takes the diagnostics. A missing script is an error for the plugin's author; its user cannot fix it, and the
    /// rest of the plugin works.
    pub(super) fn take_findings(&mut self, audience: ReadAudience) -> SourceDiagnostics {
        let mut missing = std::mem::take(&mut self.missing);
        for finding in &mut missing {
            finding.severity = match audience {
                ReadAudience::Author => Severity::Error,
                ReadAudience::User => Severity::Warning,
            };
        }
        let mut findings = std::mem::take(&mut self.findings);
        findings.extend(SourceDiagnostics::of_usable(missing));
        findings
    }
}

pub(super) fn read_manifest(tree: &dyn SourceTree, found: FoundManifest, source_name: &str) -> LoadedManifest {
    read_where(tree, found, source_name, |_| true)
}

/// Loads a plugin. If its manifest is valid and `may_apply` denies it, nothing but the manifest is read.
pub(super) fn read_where(
    tree: &dyn SourceTree,
    mut found: FoundManifest,
    source_name: &str,
    may_apply: impl Fn(&Plugin) -> bool,
) -> LoadedManifest {
    let shown = tree.shown(&found.path);
    let mut loaded = LoadedManifest::default();
    let text = found.text.take().map_or_else(|| tree.read_text(&found.path, MAX_MANIFEST), |(text, _)| Ok(text));
    let text = match text {
        Ok(text) => text,
        Err(error) => {
            let help = "replace it with a readable text file, or remove it";
            let fault = Diagnostic::error(shown, format!("Cannot read this manifest: {error}")).help(help);
            loaded.findings.faults.push(fault);
            loaded.owned = OwnedDirectories::by(tree, &found, &ClaimedDirectories::Unknown, None);
            return loaded;
        }
    };
    let parsed = manifest::parse(&shown, &text, &fallback_name(&found, source_name));
    loaded.findings = SourceDiagnostics::of_usable(parsed.diagnostics);
    loaded.owned = OwnedDirectories::by(tree, &found, &parsed.claims, parsed.plugin.as_ref());
    let Some(mut plugin) = parsed.plugin else { return loaded };
    if loaded.findings.faults.is_empty() && !found.directory.is_empty() && !may_apply(&plugin) {
        loaded.skipped = Some(plugin);
        return loaded;
    }
    // Without a condition the skills would apply to every workspace, which the author must state explicitly.
    let says_for_whom = !plugin.conditions.is_empty();
    if found.owns_directory && !found.directory.is_empty() && plugin.skills.is_empty() && says_for_whom {
        plugin.skills.extend(implicit_group(tree, &found.directory, &plugin));
    }
    let from = ManifestText { path: &found.path, base: &found.directory, text: &text };
    read_groups(tree, from, plugin, &mut loaded);
    loaded
}

#[derive(Clone, Copy)]
pub(super) struct ManifestText<'m> {
    pub(super) path: &'m str,
    /// The directory to which its paths are relative.
    pub(super) base: &'m str,
    pub(super) text: &'m str,
}

pub(super) fn read_groups(tree: &dyn SourceTree, from: ManifestText<'_>, plugin: Plugin, loaded: &mut LoadedManifest) {
    let ManifestText { path: manifest, base, text } = from;
    let shown = tree.shown(manifest);
    let mut skills = Vec::new();
    for (position, group) in plugin.skills.iter().enumerate() {
        let GroupSource::Path(path) = &group.source else { continue };
        let mut fault = |message: String, help: String| {
            let fault = Diagnostic::error(shown.clone(), message).at(text, group.place.clone());
            loaded.findings.faults.push(fault.help(help));
        };
        let Some(directory) = group_directory(tree, base, path) else {
            let help = "use a path below the manifest's directory".to_owned();
            fault(format!("Skill group `{path}` is outside the source"), help);
            continue;
        };
        let mut diagnostics = Vec::new();
        match discover::group_skills(tree, &directory, MAX_SKILL, &mut diagnostics) {
            Ok(found) => {
                for skill in found {
                    let (skill, findings) = read_skill(tree, &skill.directory, skill.text, Some(position));
                    loaded.findings.extend(findings);
                    skills.extend(skill);
                }
            }
            Err(error) => {
                let help = format!("create `{}`, or correct `source.path`", tree.shown(&directory));
                fault(format!("Skill group `{path}` cannot be read: {error}"), help);
            }
        }
        loaded.findings.extend(SourceDiagnostics::of_skipped(diagnostics));
    }
    check_scripts(tree, &from, &plugin, loaded);
    let kind = PluginKind::Manifest;
    loaded.plugin = Some(LoadedPlugin { plugin, kind, path: manifest.to_owned(), shown, skills });
}

/// Returns the group for a directory `skills` beside a manifest that says nothing about skills.
pub(super) fn implicit_group(tree: &dyn SourceTree, directory: &str, plugin: &Plugin) -> Option<SkillGroup> {
    let path = "skills";
    let is_wanted = plugin.default_skills == DefaultSkills::Used;
    (is_wanted && tree.exists(&join(directory, path))).then(|| SkillGroup {
        conditions: ConditionSet::default(),
        source: GroupSource::Path(path.to_owned()),
        place: 0..0,
    })
}

/// Returns the name for a manifest without one: that of its directory, its file, or its source.
fn fallback_name(found: &FoundManifest, source_name: &str) -> String {
    if let Some(name) = found.directory.rsplit('/').next().filter(|name| !name.is_empty()) {
        return name.to_owned();
    }
    if found.owns_directory {
        return source_name.to_owned();
    }
    found.path.trim_end_matches(".toml").to_owned()
}

/// Checks that the scripts of hooks exist. A hook without its script would fail at every event.
fn check_scripts(tree: &dyn SourceTree, manifest: &ManifestText<'_>, plugin: &Plugin, loaded: &mut LoadedManifest) {
    let ManifestText { path, base, text } = *manifest;
    let shown = tree.shown(path);
    for hook in &plugin.hooks {
        let CommandSpec::Line { line, .. } = &hook.command else { continue };
        let Some(word) = line.split_whitespace().next() else { continue };
        if !word.contains('/') || word.starts_with('/') || word.contains(['$', '~', '"', '\'']) {
            continue;
        }
        let found = |message: String| Diagnostic::error(shown.clone(), message).at(text, hook.places.command.clone());
        match inside(&join(base, word)).and_then(|path| path.to_str().map(str::to_owned)) {
            None => {
                let message = format!("Hook `{}` runs `{word}`, which is outside the plugin", hook.name);
                let fault = found(message).help("keep scripts in the plugin's directory");
                loaded.findings.faults.push(fault);
            }
            // A script outside the plugin's directory is never run, so it need not exist.
            Some(path) if !tree.exists(&path) && (base.is_empty() || is_below(&path, base)) => {
                let message = format!("Hook `{}` runs `{word}`, which does not exist", hook.name);
                let help = format!("create `{}`, or correct `command`", tree.shown(&path));
                let fault = found(message).help(help);
                loaded.missing.push(fault);
            }
            Some(_) => {}
        }
    }
}

/// Loads a skill. An unusable one is skipped with a warning and affects nothing else.
pub(super) fn read_skill(
    tree: &dyn SourceTree,
    directory: &str,
    text: Result<String, TreeError>,
    group: Option<usize>,
) -> (Option<LoadedSkill>, SourceDiagnostics) {
    let path = join(directory, SKILL_FILE);
    let shown = tree.shown(&path);
    let text = match text {
        Ok(text) => text,
        Err(error) => {
            let message = format!("Skipped this skill: {error}");
            let help = "replace it with a text file of reasonable size, or remove it";
            return (None, SourceDiagnostics::of_skipped(vec![Diagnostic::warning(shown, message).help(help)]));
        }
    };
    let name = directory.rsplit('/').next().unwrap_or_default();
    let parsed = skill::parse(&shown, name, &text);
    let mut diagnostics = parsed.diagnostics;
    let skill = parsed.document.and_then(|document| match skill::conditions(&shown, &text, &document) {
        Ok(conditions) => Some(LoadedSkill { document, conditions, group, path, shown, elsewhere: None }),
        Err(errors) => {
            diagnostics.extend(errors);
            None
        }
    });
    for finding in &mut diagnostics {
        if skill.is_none() && finding.severity == Severity::Error {
            finding.message = format!("Skipped this skill: {}", begin_lower(&finding.message));
        }
        finding.severity = Severity::Warning;
    }
    let findings = if skill.is_some() {
        SourceDiagnostics::of_usable(diagnostics)
    } else {
        SourceDiagnostics::of_skipped(diagnostics)
    };
    (skill, findings)
}

pub(super) fn stand_alone(skill: LoadedSkill) -> LoadedPlugin {
    let mut plugin = Plugin::empty(skill.document.name.as_str().to_owned());
    // It is active where its skill applies.
    plugin.conditions = skill.conditions.clone();
    LoadedPlugin {
        plugin,
        kind: PluginKind::StandAlone,
        path: skill.path.clone(),
        shown: skill.shown.clone(),
        skills: vec![skill],
    }
}

/// Returns a message as it goes on after a colon. Names in capitals stay.
fn begin_lower(message: &str) -> String {
    let mut letters = message.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(next)) if next.is_lowercase() || next == ' ' => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => message.to_owned(),
    }
}
