//! The items of a revision: skills, session texts, programs, sources, settings and dependencies with guidance.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use symposium_io::source::skill_files;
use symposium_model::authority::is_personal;
use symposium_model::catalog::{LoadedPlugin, LoadedSource};
use symposium_model::config::{SourceKind, SourceRank};
use symposium_model::edit::EditFormat;
use symposium_model::hook::ToolMatcher;
use symposium_model::lockfile::SourcePin;
use symposium_model::manifest::HookOrder;
use symposium_model::review::{ReviewItem, ReviewSection, ReviewedFile};
use symposium_model::select::{PluginVerdict, SkillState};
use symposium_model::trust::CommandKind;

use super::revision::RevisionView;
use crate::ops::catalog::{crate_plugins, tree_of_skill};
use crate::ops::fetch_report::short;
use crate::ops::guidance;
use crate::ops::query::extension_state::ExtensionState;
use crate::ops::query::status::is_switched_on;
use crate::ops::trust::{self, IN_WORKSPACE, PluginTrust, executables};

/// Keys of a configuration that are shown as sources.
const SOURCE_KEYS: [&str; 2] = ["plugin-source", "registry"];

impl RevisionView {
    pub(super) fn items(&self) -> Vec<ReviewItem> {
        let mut items = self.skills();
        items.extend(self.session_texts());
        items.extend(self.plugins());
        items.extend(self.agent_files());
        items.extend(self.sources());
        items.extend(self.settings());
        items.extend(self.dependencies());
        items
    }

    fn skills(&self) -> Vec<ReviewItem> {
        let catalog = &self.resolution.catalog;
        let mut items = Vec::new();
        for verdict in &self.resolution.selection.skills {
            let state = match verdict.state {
                SkillState::Applies => ExtensionState::On.word().to_owned(),
                SkillState::Off => ExtensionState::Off.word().to_owned(),
                SkillState::Candidate => ExtensionState::Candidate.word().to_owned(),
                SkillState::Blocked(kind) => format!("{}: it has {}", ExtensionState::Blocked.word(), kind.describe()),
                SkillState::DoesNotMatch
                | SkillState::NoWorkspace
                | SkillState::Shadowed(_)
                | SkillState::PluginShadowed(_) => continue,
            };
            let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
            let subjects: Vec<String> = guidance::subjects(catalog, verdict)
                .iter()
                .map(|found| format!("{} {}", found.name, found.version))
                .collect();
            let mut item = ReviewItem::new(ReviewSection::Told, "skill", skill.document.name.as_str())
                .noting(subjects.join(", "))
                .with_detail("source", &source.spec.name)
                .with_detail("state", state)
                .with_detail("digest", skill.document.told_digest());
            // Embedded skills come with the program, not with a revision.
            if source.spec.rank != SourceRank::Builtin {
                let directory = skill.path.rsplit_once('/').map_or("", |(directory, _)| directory);
                let files = tree_of_skill(source, skill).map(|tree| skill_files(&*tree, directory));
                match files {
                    Some(Ok(files)) => {
                        item = files.iter().fold(item, |item, file| item.with_file(&file.path, &file.bytes));
                    }
                    Some(Err(reason)) => item = item.with_detail("files", self.without_place(&reason)),
                    None => {}
                }
            }
            items.push(item);
        }
        items
    }

    fn session_texts(&self) -> Vec<ReviewItem> {
        let mut items = Vec::new();
        for (source, loaded, verdict) in self.shared_plugins().filter(|(_, _, verdict)| verdict.is_active()) {
            let Some(text) = &loaded.plugin.session_start_context else { continue };
            let state = self.state_of(source, loaded, verdict);
            let item = ReviewItem::new(ReviewSection::Told, "session text", &loaded.plugin.name)
                .with_detail("source", &source.spec.name)
                .with_detail("state", state)
                .with_file("session-start-context", text.as_bytes());
            items.push(item);
        }
        items
    }

    /// Lists the plugins that are not a user's own.
    fn shared_plugins(&self) -> impl Iterator<Item = (&LoadedSource, &LoadedPlugin, &PluginVerdict)> {
        let verdicts = self.resolution.selection.plugins.iter();
        let found = verdicts.filter_map(|verdict| {
            let (source, loaded) = self.resolution.catalog.plugin(verdict.id)?;
            Some((source, loaded, verdict))
        });
        found.filter(|(source, _, _)| !is_personal(source.spec.rank))
    }

    fn state_of(&self, source: &LoadedSource, loaded: &LoadedPlugin, verdict: &PluginVerdict) -> String {
        if !verdict.verdict.holds {
            "off: its conditions do not hold".to_owned()
        } else if verdict.is_candidate() {
            ExtensionState::Candidate.word().to_owned()
        } else if verdict.gives_way_to().is_some() {
            ExtensionState::Conflict.word().to_owned()
        } else if is_switched_on(&self.context.choices(), source.spec.bringer(), &loaded.plugin) {
            ExtensionState::On.word().to_owned()
        } else {
            ExtensionState::Off.word().to_owned()
        }
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
                .with_detail("source", &source.spec.name)
                .with_detail("state", self.state_of(source, loaded, verdict));
            let item = self.with_switches(item, source, loaded);
            items.push(if is_embedded {
                item
            } else {
                self.with_standing(source, loaded, verdict, |standing| self.with_programs(item, loaded, standing))
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
    fn with_programs(&self, mut item: ReviewItem, loaded: &LoadedPlugin, standing: &PluginTrust) -> ReviewItem {
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
        let manifest = loaded.path.rsplit('/').next().unwrap_or(&loaded.path);
        match &standing.gathered {
            Ok(gathered) => {
                for covered in gathered.content.files().iter().filter(|covered| covered.path != manifest) {
                    let path = self.without_place(&covered.path);
                    match gathered.texts.iter().find(|text| text.path == covered.path) {
                        Some(text) => item = item.with_file(path, text.said.as_bytes()),
                        None => item.files.push(ReviewedFile {
                            path,
                            text: None,
                            fingerprint: covered.hash.as_str().to_owned(),
                        }),
                    }
                }
                item
            }
            Err(reason) => item.with_detail("files", self.without_place(reason)),
        }
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
                for submodule in self.submodules(|path| Path::new(&*path.shown()).starts_with(below)) {
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
        let Some(text) = &self.context.project_text else { return Vec::new() };
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
            item = item.with_detail("not reviewed", source);
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
