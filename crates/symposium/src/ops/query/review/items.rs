//! The items of a revision: programs, sources, settings and dependencies with guidance, beside texts and files of agents.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use symposium_io::{fs, git_path};
use symposium_model::catalog::{LoadedPlugin, LoadedSource};
use symposium_model::config::{SourceKind, SourceRank};
use symposium_model::edit::EditFormat;
use symposium_model::hook::ToolMatcher;
use symposium_model::lockfile::SourcePin;
use symposium_model::manifest::HookOrder;
use symposium_model::review::{NOT_REVIEWED, ReviewItem, ReviewSection, ReviewedFile};
use symposium_model::select::{PluginVerdict, SkillState};
use symposium_model::trust::CommandKind;

use super::agent_places::is_own_file;
use super::revision::RevisionView;
use super::texts::{ListedSkills, source_of, with_conditions};
use crate::ops::catalog::{crate_plugins, root_of};
use crate::ops::fetch_report::short;
use crate::ops::guidance;
use crate::ops::trust::{self, IN_WORKSPACE, PluginTrust, executables};

/// Keys of a configuration that are shown as sources.
const SOURCE_KEYS: [&str; 2] = ["plugin-source", "registry"];

impl RevisionView {
    pub(super) fn items(&self) -> Vec<ReviewItem> {
        let ListedSkills { mut items, files } = self.skills();
        items.extend(self.session_texts());
        items.extend(self.plugins());
        items.extend(self.agent_files(&files));
        items.extend(self.sources());
        items.extend(self.settings());
        items.extend(self.dependencies());
        items
    }

    fn plugins(&self) -> Vec<ReviewItem> {
        let mut items = Vec::new();
        for (source, loaded, verdict) in self.shared_plugins() {
            let plugin = &loaded.plugin;
            let is_embedded = source.spec.rank == SourceRank::Builtin;
            let shown = executables(loaded);
            if shown.is_empty() || (is_embedded && !plugin.has_workflow()) {
                continue;
            }
            let item = ReviewItem::new(ReviewSection::Run, "plugin", &plugin.name)
                .from_source(source_of(source))
                .with_detail("state", self.state_of(source, loaded, verdict));
            let item = with_conditions(item, &verdict.verdict.checks);
            let item = self.with_switches(item, source, loaded);
            items.push(if is_embedded {
                item
            } else {
                self.with_standing(source, loaded, verdict, |standing| {
                    self.with_programs(item, source, loaded, standing)
                })
            });
        }
        items
    }

    /// Adds the hooks that are switched off one by one.
    fn with_switches(&self, item: ReviewItem, source: &LoadedSource, loaded: &LoadedPlugin) -> ReviewItem {
        let (choices, by) = (self.context.choices(), source.spec.bringer());
        let name = &loaded.plugin.name;
        let is_off = |hook: &&symposium_model::manifest::Hook| !choices.hook(by, name, &hook.name, hook.order).is_on();
        let off = loaded.plugin.hooks.iter().filter(is_off);
        off.fold(item, |item, hook| item.with_detail(format!("state of hook {}", hook.name), "off"))
    }

    /// Adds every command, and every file that a grant would cover.
    fn with_programs(
        &self,
        mut item: ReviewItem,
        source: &LoadedSource,
        loaded: &LoadedPlugin,
        standing: &PluginTrust,
    ) -> ReviewItem {
        for command in executables(loaded) {
            let kind = match command.kind {
                CommandKind::Hook => "hook",
                CommandKind::Server => "MCP server",
                CommandKind::Installation => "installation",
            };
            let hook =
                loaded.plugin.hooks.iter().find(|hook| command.kind == CommandKind::Hook && hook.name == command.name);
            let label = match hook {
                Some(hook) => {
                    let matcher = match &hook.matcher {
                        ToolMatcher::All => String::new(),
                        matcher @ (ToolMatcher::Exact(_) | ToolMatcher::Pattern(_)) => format!(" of {matcher}"),
                    };
                    let order = match hook.order {
                        HookOrder::Policy => ", policy",
                        HookOrder::Normal | HookOrder::Rewrite => "",
                    };
                    format!("{kind} {}{matcher}{order}", command.title)
                }
                None => format!("{kind} {}", command.title),
            };
            if let Some(refusal) = standing.refusal(command.kind, &command.name) {
                item =
                    item.with_detail(format!("{kind} {} cannot be granted", command.name), self.without_place(refusal));
            }
            item = item.with_detail(label, command.command);
        }
        let manifest = root_of(source).map(|root| root.join(&loaded.path));
        let directory = manifest.as_deref().and_then(Path::parent);
        match &standing.gathered {
            Ok(gathered) => {
                for covered in gathered.content.files() {
                    let place = match covered.path.strip_prefix(IN_WORKSPACE) {
                        Some(path) => Some(self.root.join(path)),
                        None => directory.map(|directory| directory.join(&covered.path)),
                    };
                    // It is an item of its own.
                    if place.as_deref().is_some_and(|place| self.is_own_file(place)) {
                        continue;
                    }
                    let is_executable = place.as_deref().is_some_and(fs::is_executable);
                    let path = self.without_place(&covered.path);
                    let text = gathered.texts.iter().find(|text| text.path == covered.path);
                    let fingerprint = match text {
                        Some(_) => String::new(),
                        None => covered.hash.as_str().to_owned(),
                    };
                    let text = text.map(|text| text.said.replace("\r\n", "\n"));
                    let file = ReviewedFile { path, text, fingerprint, is_executable };
                    item.files.push(self.without_secrets(file, place.as_deref()));
                }
                item
            }
            Err(reason) => item.with_detail("files", self.without_place(reason)),
        }
    }

    /// Tells whether a file is in the repository and one of Symposium's own.
    fn is_own_file(&self, place: &Path) -> bool {
        let inside = place.strip_prefix(&self.top).ok().map(git_path::from_system);
        inside.is_some_and(|inside| self.paths.contains(&inside) && is_own_file(&inside.shown()))
    }

    fn with_standing<T>(
        &self,
        source: &LoadedSource,
        loaded: &LoadedPlugin,
        verdict: &PluginVerdict,
        of: impl FnOnce(&PluginTrust) -> T,
    ) -> T {
        match self.resolution.trust.standing(verdict.id) {
            Some(standing) => of(standing),
            None => of(&trust::standing_of(&self.context, source, loaded)),
        }
    }

    /// Lists the files of the workspace that commands name and that were written empty.
    pub(super) fn empty_covered_files(&self) -> Vec<PathBuf> {
        let Some(exported) = &self.exported else { return Vec::new() };
        let mut found = Vec::new();
        for (source, loaded, verdict) in self.shared_plugins() {
            if executables(loaded).is_empty() {
                continue;
            }
            self.with_standing(source, loaded, verdict, |standing| {
                let covered = standing.gathered.iter().flat_map(|gathered| gathered.content.files());
                let paths = covered.filter_map(|file| file.path.strip_prefix(IN_WORKSPACE));
                found.extend(paths.map(|path| self.root.join(path)).filter(|path| exported.is_empty_file(path)));
            });
        }
        found
    }

    fn sources(&self) -> Vec<ReviewItem> {
        let mut items = Vec::new();
        for source in &self.resolution.catalog.sources {
            let name = &source.spec.name;
            let place = match &source.spec.kind {
                SourceKind::Crate(_) | SourceKind::UserPlugins(_) | SourceKind::Workspace(_) => continue,
                SourceKind::Embedded => "part of Symposium".to_owned(),
                SourceKind::Path(path) => self.without_place(&path.display().to_string()),
                SourceKind::Git { address, .. } => address.shown().to_owned(),
                SourceKind::Index { address, .. } => address.shown().to_owned(),
            };
            let mut item = ReviewItem::new(ReviewSection::Sources, "source", name)
                .noting(source.spec.kind.name())
                .with_detail("place", place);
            if source.spec.kind.auto_update() == Some(false) {
                item = item.with_detail("auto-update", "false");
            }
            if let Some(SourcePin::Git { commit, .. }) = self.context.lock.pin(name) {
                item = item.with_detail("locked at", short(commit));
            }
            if let SourceKind::Path(path) = &source.spec.kind
                && let Ok(below) = path.strip_prefix(&self.top)
            {
                for submodule in self.submodules.iter().filter(|one| Path::new(&*one.path.shown()).starts_with(below)) {
                    let label = format!("submodule {}, which is not reviewed", submodule.path.shown());
                    item = item.with_detail(label, format!("at {}", submodule.commit));
                }
            }
            if source.is_missing() && source.spec.rank == SourceRank::Project {
                let content =
                    format!("not fetched, so it is not reviewed here; `symposium plugin sync {name}` fetches it");
                item = item.with_detail("content", content);
            }
            items.push(item);
        }
        items
    }

    fn settings(&self) -> Vec<ReviewItem> {
        let Some(text) = self.context.project_text.as_ref().filter(|_| !self.has_secret_settings()) else {
            return Vec::new();
        };
        let item = |name: String| ReviewItem::new(ReviewSection::Settings, "setting", name);
        match symposium_edit::value(text, EditFormat::Toml) {
            Ok(value) => {
                let mut leaves = Vec::new();
                flatten(&value.unwrap_or_default(), String::new(), &mut leaves);
                leaves.into_iter().map(|(key, value)| item(key).with_detail("value", value)).collect()
            }
            Err(error) => {
                let found = error.diagnostic(".symposium/config.toml");
                vec![item(".symposium/config.toml".to_owned()).with_detail("problem", found.message)]
            }
        }
    }

    /// Lists the crates with guidance that is on, and those that may carry some. A version alone is no change of guidance.
    fn dependencies(&self) -> Vec<ReviewItem> {
        let mut found: BTreeMap<String, CrateGuidance<'_>> = BTreeMap::new();
        for verdict in &self.resolution.selection.skills {
            let Some((_, skill)) = self.resolution.catalog.skill(verdict.id) else { continue };
            if verdict.state != SkillState::Applies {
                continue;
            }
            for krate in guidance::subjects(&self.resolution.catalog, verdict) {
                let guidance = found.entry(krate.name.to_string()).or_default();
                guidance.versions.insert(krate.version.to_string());
                guidance.skills.insert(skill.document.name.as_str());
            }
        }
        let missing = self.resolution.crates().map(|crates| crate_plugins::missing(&self.context, crates));
        for krate in missing.unwrap_or_default() {
            let guidance = found.entry(krate.name.to_string()).or_default();
            guidance.versions.insert(krate.version.to_string());
            guidance.missing.insert(krate.version.to_string());
        }
        found.into_iter().map(|(name, guidance)| guidance.item(name)).collect()
    }
}

/// Collects what is known about the guidance for a crate.
#[derive(Default)]
struct CrateGuidance<'s> {
    versions: BTreeSet<String>,
    skills: BTreeSet<&'s str>,
    /// Versions whose source is not on this machine.
    missing: BTreeSet<String>,
}

impl CrateGuidance<'_> {
    fn item(self, name: String) -> ReviewItem {
        let join = |versions: BTreeSet<String>| versions.into_iter().collect::<Vec<_>>().join(", ");
        let mut item = ReviewItem::new(ReviewSection::Dependencies, "crate", name).noting(join(self.versions));
        if !self.skills.is_empty() {
            item = item.with_detail("skills", self.skills.into_iter().collect::<Vec<_>>().join(", "));
        }
        if !self.missing.is_empty() {
            let source = format!("the source of {} is not on this machine; it may carry a plugin", join(self.missing));
            item = item.with_detail(NOT_REVIEWED, source);
        }
        item
    }
}

/// Lists the values of a configuration with their keys.
fn flatten(value: &Value, key: String, leaves: &mut Vec<(String, String)>) {
    match value {
        Value::Object(entries) => {
            for (name, value) in
                entries.iter().filter(|(name, _)| !key.is_empty() || !SOURCE_KEYS.contains(&name.as_str()))
            {
                let below = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                flatten(value, below, leaves);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            leaves.push((key, value.to_string()));
        }
    }
}
