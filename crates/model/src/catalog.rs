//! The catalog: all the plugins and skills of the sources, before conditions are evaluated.

use std::path::PathBuf;

use crate::conditions::ConditionSet;
use crate::config::{CratePlace, SourceExtent, SourceRank, SourceSpec};
use crate::crates::{CrateAtom, CrateName, CrateSet};
use crate::diagnostic::{Diagnostic, Severity};
use crate::hook::hook_plan::FileState;
use crate::manifest::{Plugin, PluginReference};
use crate::skill::SkillDocument;

/// The position of a plugin in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PluginId {
    pub source: usize,
    pub plugin: usize,
}

/// The position of a skill in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillId {
    pub plugin: PluginId,
    pub skill: usize,
}

/// The loaded sources, lowest rank first.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    pub sources: Vec<LoadedSource>,
}

#[derive(Debug, Clone)]
pub struct LoadedSource {
    pub spec: SourceSpec,
    pub place: String,
    /// The checkout it was read from. A git source without one has not been fetched.
    pub copy: Option<SourceCopy>,
    pub plugins: Vec<LoadedPlugin>,
    /// Plugins that were not read because the workspace has none of their crates; in the order of their paths.
    pub passed_over: Vec<SkippedPlugin>,
    pub findings: SourceDiagnostics,
}

/// A plugin that cannot apply, as recorded in the source cache. There can be very many, and they are rarely looked up,
/// so everything is in one string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedPlugin {
    /// The state of its manifest or SKILL.md; `None` when that is not a file.
    pub state: Option<FileState>,
    /// The path, the name, and the names of its skills, each on a line.
    text: String,
    path_end: usize,
    name_end: usize,
}

impl SkippedPlugin {
    /// Makes a record; `skills` are names, each on a line.
    pub fn new(path: &str, name: &str, skills: &str, state: Option<FileState>) -> Self {
        let path_end = path.len();
        let name_end = path_end + 1 + name.len();
        Self { state, text: [path, name, skills].join("\n"), path_end, name_end }
    }

    /// Returns its manifest or SKILL.md, relative to the source.
    pub fn path(&self) -> &str {
        self.text.get(..self.path_end).unwrap_or_default()
    }

    pub fn name(&self) -> &str {
        self.text.get(self.path_end + 1..self.name_end).unwrap_or_default()
    }

    pub fn skills(&self) -> impl Iterator<Item = &str> {
        self.text.get(self.name_end + 1..).unwrap_or_default().lines()
    }
}

/// The crates through which a plugin can apply; plugins that need others are skipped.
#[derive(Debug, Clone, Copy)]
pub struct RelevantCrates<'r> {
    pub crates: Option<&'r CrateSet>,
    /// A crate that a query is about, even if it is not a dependency.
    pub asked: Option<&'r CrateName>,
}

impl RelevantCrates<'_> {
    pub fn includes(&self, name: &str) -> bool {
        self.crates.is_some_and(|crates| crates.has(name)) || self.asked.is_some_and(|asked| asked.is_written(name))
    }
}

/// A checkout of a git or index source, or a vendored copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceCopy {
    pub directory: PathBuf,
    pub commit: String,
    /// The time it was fetched or found to be up to date, in seconds since 1970.
    pub fetched: u64,
    pub choice: CopyChoice,
}

/// The reason why one of a source's checkouts is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyChoice {
    /// The source leads to it now.
    Current,
    /// The project's lockfile pins it, and the source led to it once on this machine.
    Earlier,
    /// The project's lockfile pins it, and nothing else names it.
    Pinned,
    /// It is vendored in the project, as the lockfile says.
    Vendored,
}

impl LoadedSource {
    pub fn without_plugins(spec: SourceSpec, place: String, findings: SourceDiagnostics) -> Self {
        Self { spec, place, copy: None, plugins: Vec::new(), passed_over: Vec::new(), findings }
    }

    pub fn krate(&self) -> Option<&CratePlace> {
        self.spec.kind.crate_place()
    }

    /// Tells whether it is the workspace itself, without skills of its own, as most workspaces are.
    pub fn is_bare_workspace(&self) -> bool {
        let is_empty = self.plugins.is_empty() && self.findings.all().next().is_none();
        self.spec.kind.is_workspace() && is_empty
    }

    pub fn is_missing(&self) -> bool {
        self.spec.kind.is_fetched() && self.copy.is_none()
    }

    /// Removes everything but hooks and servers of a source that the project leaves out. The disabled ones stay in the
    /// catalog, so that they can be reported and nothing is removed from the user's own settings.
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

    /// Returns the rank that trust is based on. If the project's lockfile pins the content of a user's source, that is
    /// the project's choice: a lockfile can name any commit.
    pub fn trust_rank(&self) -> SourceRank {
        match (self.spec.rank, self.copy.as_ref().map(|copy| copy.choice)) {
            (SourceRank::User, Some(CopyChoice::Pinned | CopyChoice::Vendored)) => SourceRank::Project,
            (rank, _) => rank,
        }
    }
}

/// The diagnostics of a source, by their relevance to its users.
#[derive(Debug, Clone, Default)]
pub struct SourceDiagnostics {
    /// Errors, and everything that was skipped because of one.
    pub faults: Vec<Diagnostic>,
    /// Content that is not on this machine yet; the source itself is valid.
    pub awaited: Vec<Diagnostic>,
    /// Warnings for the author; nothing is missing.
    pub remarks: Vec<Diagnostic>,
    /// Set when the source has more content than is read.
    pub is_cut: bool,
}

impl SourceDiagnostics {
    pub fn extend(&mut self, other: Self) {
        self.faults.extend(other.faults);
        self.awaited.extend(other.awaited);
        self.remarks.extend(other.remarks);
        self.is_cut |= other.is_cut;
    }

    /// Sorts the diagnostics of a valid item: only its errors make a part of it unusable.
    pub fn of_usable(diagnostics: Vec<Diagnostic>) -> Self {
        let (faults, remarks) = diagnostics.into_iter().partition(|found| found.severity == Severity::Error);
        Self { faults, remarks, ..Self::default() }
    }

    pub fn of_skipped(diagnostics: Vec<Diagnostic>) -> Self {
        Self { faults: diagnostics, ..Self::default() }
    }

    pub fn all(&self) -> impl Iterator<Item = &Diagnostic> {
        self.faults.iter().chain(&self.awaited).chain(&self.remarks)
    }
}

#[derive(Debug, Clone)]
pub struct LoadedPlugin {
    pub plugin: Plugin,
    pub kind: PluginKind,
    pub path: String,
    pub shown: String,
    pub skills: Vec<LoadedSkill>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PluginKind {
    Manifest,
    /// A skill on its own, which counts as a plugin of its name.
    StandAlone,
}

#[derive(Debug, Clone)]
pub struct LoadedSkill {
    pub document: SkillDocument,
    pub conditions: ConditionSet,
    pub group: Option<usize>,
    /// Its SKILL.md, relative to the source, or to `elsewhere`.
    pub path: String,
    pub shown: String,
    /// The directory it is in, when that is not its plugin's source: a crate's own, or a checkout.
    pub elsewhere: Option<PathBuf>,
}

impl Catalog {
    /// Returns the names of all plugins, including the skipped ones.
    pub fn plugin_names(&self) -> impl Iterator<Item = &str> {
        let passed_over = self.sources.iter().flat_map(|source| &source.passed_over);
        self.plugins().map(|(_, loaded)| loaded.plugin.name.as_str()).chain(passed_over.map(SkippedPlugin::name))
    }

    pub fn skill_names(&self) -> impl Iterator<Item = &str> {
        let skills = self.plugins().flat_map(|(_, loaded)| &loaded.skills).map(|skill| skill.document.name.as_str());
        let passed_over = self.sources.iter().flat_map(|source| &source.passed_over);
        skills.chain(passed_over.flat_map(SkippedPlugin::skills))
    }

    pub fn plugins(&self) -> impl Iterator<Item = (&LoadedSource, &LoadedPlugin)> {
        self.sources.iter().flat_map(|source| source.plugins.iter().map(move |plugin| (source, plugin)))
    }

    pub fn plugin(&self, id: PluginId) -> Option<(&LoadedSource, &LoadedPlugin)> {
        let source = self.sources.get(id.source)?;
        Some((source, source.plugins.get(id.plugin)?))
    }

    pub fn skill(&self, id: SkillId) -> Option<(&LoadedSource, &LoadedSkill)> {
        let (source, plugin) = self.plugin(id.plugin)?;
        Some((source, plugin.skills.get(id.skill)?))
    }

    /// Returns every skill that has a condition on the crate, at any level, with those conditions.
    pub fn skills_naming(&self, name: &CrateName) -> Vec<(SkillId, Vec<&CrateAtom>)> {
        let mut found = Vec::new();
        for (source, read) in self.sources.iter().enumerate() {
            for (plugin, loaded) in read.plugins.iter().enumerate() {
                for (skill, entry) in loaded.skills.iter().enumerate() {
                    let group = entry.group.and_then(|group| loaded.plugin.skills.get(group));
                    // A stand-alone skill lends its conditions to its plugin.
                    let plugin_level = (loaded.kind == PluginKind::Manifest).then_some(&loaded.plugin.conditions);
                    let levels = [plugin_level, group.map(|group| &group.conditions)];
                    let levels = levels.into_iter().flatten().chain([&entry.conditions]);
                    let atoms: Vec<&CrateAtom> =
                        levels.flat_map(ConditionSet::crate_atoms).filter(|atom| atom.name() == Some(name)).collect();
                    if !atoms.is_empty() {
                        found.push((SkillId { plugin: PluginId { source, plugin }, skill }, atoms));
                    }
                }
            }
        }
        found
    }

    pub fn crates(&self) -> impl Iterator<Item = &CrateName> {
        self.conditions().flat_map(ConditionSet::crate_atoms).filter_map(CrateAtom::name)
    }

    pub fn conditions(&self) -> impl Iterator<Item = &ConditionSet> {
        self.plugins().flat_map(|(_, loaded)| {
            loaded.plugin.all_conditions().chain(loaded.skills.iter().map(|skill| &skill.conditions))
        })
    }
}
