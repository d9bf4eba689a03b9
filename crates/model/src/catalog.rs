//! Everything the sources offer, before anybody asks whether it applies.

use std::path::PathBuf;

use crate::conditions::Conditions;
use crate::config::{CratePlace, SourceExtent, SourceKind, SourceRank, SourceSpec};
use crate::crates::{CrateAtom, CrateName, CrateSet};
use crate::diagnostic::{Diagnostic, Severity};
use crate::hook::hook_plan::FileState;
use crate::manifest::{Plugin, PluginReference};
use crate::skill::SkillDocument;

/// A plugin's place in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PluginId {
    pub source: usize,
    /// Position of the plugin in it.
    pub plugin: usize,
}

/// A skill's place in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillId {
    pub plugin: PluginId,
    /// Position of the skill in it.
    pub skill: usize,
}

/// What all sources hold, least specific source first.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    pub sources: Vec<LoadedSource>,
}

/// One source that was read.
#[derive(Debug, Clone)]
pub struct LoadedSource {
    pub spec: SourceSpec,
    /// Where its content is, for people.
    pub place: String,
    /// The copy it was read from, when it had to be fetched. Without one there is nothing to read yet.
    pub copy: Option<SourceCopy>,
    /// Its plugins, in the order of their paths.
    pub plugins: Vec<LoadedPlugin>,
    /// Those that were not read, because what they need is not there; in the order of their paths.
    pub passed_over: Vec<SkippedPlugin>,
    /// What is wrong with it.
    pub findings: SourceDiagnostics,
}

/// A plugin that cannot apply, by what is remembered of it. There can be very many, and they are hardly ever asked for, so
/// all is in one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedPlugin {
    /// Its manifest or SKILL.md as it was found; `None` when that is no file.
    pub state: Option<FileState>,
    /// The path, the name, and the names of its skills, each on a line.
    text: String,
    path_end: usize,
    name_end: usize,
}

impl SkippedPlugin {
    /// Puts together what is remembered; `skills` are names, each on a line.
    pub fn new(path: &str, name: &str, skills: &str, state: Option<FileState>) -> Self {
        let path_end = path.len();
        let name_end = path_end + 1 + name.len();
        Self { state, text: [path, name, skills].join("\n"), path_end, name_end }
    }

    /// Its manifest or SKILL.md, relative to the source.
    pub fn path(&self) -> &str {
        self.text.get(..self.path_end).unwrap_or_default()
    }

    pub fn name(&self) -> &str {
        self.text.get(self.path_end + 1..self.name_end).unwrap_or_default()
    }

    /// The names of its skills.
    pub fn skills(&self) -> impl Iterator<Item = &str> {
        self.text.get(self.name_end + 1..).unwrap_or_default().lines()
    }
}

/// The crates through which something could apply: what needs others is passed over.
#[derive(Debug, Clone, Copy)]
pub struct RelevantCrates<'r> {
    /// The workspace's crates; `None` outside any workspace.
    pub crates: Option<&'r CrateSet>,
    /// One that is asked about, whether it is a dependency or not.
    pub asked: Option<&'r CrateName>,
}

impl RelevantCrates<'_> {
    /// Whether something that needs the crate could apply, or is asked about.
    pub fn includes(&self, name: &str) -> bool {
        let asked = || CrateName::parse(name).is_some_and(|name| self.asked == Some(&name));
        self.crates.is_some_and(|crates| crates.has(name)) || (self.asked.is_some() && asked())
    }
}

/// A copy of a source that lies elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceCopy {
    pub directory: PathBuf,
    /// The commit it was made from.
    pub commit: String,
    /// When it was fetched, or found to be up to date; in seconds since 1970.
    pub fetched: u64,
    pub choice: CopyChoice,
}

/// Why a copy counts, of all that a source has had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyChoice {
    /// The source leads to it now.
    Current,
    /// The project's lock names it, and the source led to it once on this machine.
    Earlier,
    /// The project's lock names it, and nothing else does.
    Pinned,
    /// It lies in the project, as its lock says.
    Vendored,
}

impl LoadedSource {
    /// One of which no plugin was read.
    pub fn without_plugins(spec: SourceSpec, place: String, findings: SourceDiagnostics) -> Self {
        Self { spec, place, copy: None, plugins: Vec::new(), passed_over: Vec::new(), findings }
    }

    /// The crate it is the source of.
    pub fn krate(&self) -> Option<&CratePlace> {
        match &self.spec.kind {
            SourceKind::Crate(place) => Some(place),
            SourceKind::Embedded | SourceKind::UserPlugins(_) | SourceKind::Path(_) | SourceKind::Git { .. } => None,
        }
    }

    /// Whether what it holds is not known, because it was never fetched.
    pub fn is_missing(&self) -> bool {
        matches!(self.spec.kind, SourceKind::Git { .. }) && self.copy.is_none()
    }

    /// Leaves nothing but hooks and servers of a source that a project leaves out. What is off because of that stays
    /// known, so that it can be said, and so that nothing of the user's own settings goes.
    pub fn keep_hooks(&mut self) {
        if self.spec.extent == SourceExtent::Whole {
            return;
        }
        let brings = |plugin: &Plugin| plugin.plugins.iter().any(PluginReference::is_beside);
        let runs = |plugin: &Plugin| !plugin.hooks.is_empty() || !plugin.mcp_servers.is_empty();
        self.plugins.retain(|loaded| runs(&loaded.plugin) || brings(&loaded.plugin));
        for loaded in &mut self.plugins {
            loaded.skills.clear();
            let plugin = &mut loaded.plugin;
            plugin.skills.clear();
            plugin.session_start_context = None;
            plugin.plugins.retain(PluginReference::is_beside);
        }
    }

    /// How far its content is trusted. What a repository chose of a user's source is that repository's choice: a commit
    /// of anybody can be named in a lock.
    pub fn trust_rank(&self) -> SourceRank {
        match (self.spec.rank, self.copy.as_ref().map(|copy| copy.choice)) {
            (SourceRank::User, Some(CopyChoice::Pinned | CopyChoice::Vendored)) => SourceRank::Project,
            (rank, _) => rank,
        }
    }
}

/// What is wrong in a source, by how much it matters to somebody who only uses it.
#[derive(Debug, Clone, Default)]
pub struct SourceDiagnostics {
    /// Something is missing because of it: an error, or something that was skipped.
    pub faults: Vec<Diagnostic>,
    /// Something it refers to is not on this machine yet; nothing is wrong with it.
    pub awaited: Vec<Diagnostic>,
    /// Nothing is missing; its author should know.
    pub remarks: Vec<Diagnostic>,
    /// Whether there is more in the source than is looked at.
    pub is_cut: bool,
}

impl SourceDiagnostics {
    /// Takes over what was found elsewhere.
    pub fn extend(&mut self, other: Self) {
        self.faults.extend(other.faults);
        self.awaited.extend(other.awaited);
        self.remarks.extend(other.remarks);
        self.is_cut |= other.is_cut;
    }

    /// Errors and warnings of something that can be used all the same: only errors cost it a part.
    pub fn of_usable(diagnostics: Vec<Diagnostic>) -> Self {
        let (faults, remarks) = diagnostics.into_iter().partition(|found| found.severity == Severity::Error);
        Self { faults, remarks, ..Self::default() }
    }

    /// What was said about something that is left out.
    pub fn of_skipped(diagnostics: Vec<Diagnostic>) -> Self {
        Self { faults: diagnostics, ..Self::default() }
    }

    pub fn all(&self) -> impl Iterator<Item = &Diagnostic> {
        self.faults.iter().chain(&self.awaited).chain(&self.remarks)
    }
}

/// A plugin and the skills it bundles.
#[derive(Debug, Clone)]
pub struct LoadedPlugin {
    pub plugin: Plugin,
    /// Whether it has a manifest at all.
    pub kind: PluginKind,
    /// Its manifest or SKILL.md, relative to the source.
    pub path: String,
    pub shown: String,
    pub skills: Vec<LoadedSkill>,
}

/// What makes something a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PluginKind {
    Manifest,
    /// A skill on its own, which counts as a plugin of its name.
    StandAlone,
}

/// A skill as it lies in its source.
#[derive(Debug, Clone)]
pub struct LoadedSkill {
    pub document: SkillDocument,
    pub conditions: Conditions,
    /// Which of the plugin's groups it belongs to.
    pub group: Option<usize>,
    /// Its SKILL.md, relative to the source, or to `elsewhere`.
    pub path: String,
    pub shown: String,
    /// The directory it lies in, when that is not its plugin's source: a crate's own, or a copy of a repository.
    pub elsewhere: Option<PathBuf>,
}

impl Catalog {
    /// The names of all plugins, of those that were passed over too.
    pub fn plugin_names(&self) -> impl Iterator<Item = &str> {
        let passed_over = self.sources.iter().flat_map(|source| &source.passed_over);
        self.plugins().map(|(_, loaded)| loaded.plugin.name.as_str()).chain(passed_over.map(SkippedPlugin::name))
    }

    /// The names of all skills, of those that were passed over too.
    pub fn skill_names(&self) -> impl Iterator<Item = &str> {
        let skills = self.plugins().flat_map(|(_, loaded)| &loaded.skills).map(|skill| skill.document.name.as_str());
        let passed_over = self.sources.iter().flat_map(|source| &source.passed_over);
        skills.chain(passed_over.flat_map(SkippedPlugin::skills))
    }

    /// Every plugin with its source.
    pub fn plugins(&self) -> impl Iterator<Item = (&LoadedSource, &LoadedPlugin)> {
        self.sources.iter().flat_map(|source| source.plugins.iter().map(move |plugin| (source, plugin)))
    }

    /// The plugin at a place.
    pub fn plugin(&self, id: PluginId) -> Option<(&LoadedSource, &LoadedPlugin)> {
        let source = self.sources.get(id.source)?;
        Some((source, source.plugins.get(id.plugin)?))
    }

    /// The skill at a place.
    pub fn skill(&self, id: SkillId) -> Option<(&LoadedSource, &LoadedSkill)> {
        let (source, plugin) = self.plugin(id.plugin)?;
        Some((source, plugin.skills.get(id.skill)?))
    }

    /// Every skill that has a condition on the crate, at any level, with those conditions.
    pub fn skills_naming(&self, name: &CrateName) -> Vec<(SkillId, Vec<&CrateAtom>)> {
        let mut found = Vec::new();
        for (source, read) in self.sources.iter().enumerate() {
            for (plugin, loaded) in read.plugins.iter().enumerate() {
                for (skill, entry) in loaded.skills.iter().enumerate() {
                    let group = entry.group.and_then(|group| loaded.plugin.skills.get(group));
                    // A skill on its own lends its conditions to its plugin.
                    let plugin_level = (loaded.kind == PluginKind::Manifest).then_some(&loaded.plugin.conditions);
                    let levels = [plugin_level, group.map(|group| &group.conditions)];
                    let levels = levels.into_iter().flatten().chain([&entry.conditions]);
                    let atoms: Vec<&CrateAtom> =
                        levels.flat_map(Conditions::crate_atoms).filter(|atom| atom.name() == Some(name)).collect();
                    if !atoms.is_empty() {
                        found.push((SkillId { plugin: PluginId { source, plugin }, skill }, atoms));
                    }
                }
            }
        }
        found
    }

    /// Every crate that a condition is about, some of them several times.
    pub fn crates(&self) -> impl Iterator<Item = &CrateName> {
        self.conditions().flat_map(Conditions::crate_atoms).filter_map(CrateAtom::name)
    }

    /// Every set of conditions anywhere, to find out which facts they ask for.
    pub fn conditions(&self) -> impl Iterator<Item = &Conditions> {
        self.plugins().flat_map(|(_, loaded)| {
            loaded.plugin.all_conditions().chain(loaded.skills.iter().map(|skill| &skill.conditions))
        })
    }
}
