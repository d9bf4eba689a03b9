//! Explains why something does or does not apply.

mod files;
mod parts;

use symposium_io::fs;
use symposium_model::authority::WorkspaceToggles;
use symposium_model::catalog::{LoadedPlugin, LoadedSource, SkillId};
use symposium_model::config::{SourceAuthority, SourceRank};
use symposium_model::crates::{CargoLockState, CrateName, CrateSet, DependencyScope, LockedCrate, VersionCertainty};
use symposium_model::evaluate::Verdict;
use symposium_model::explain;
use symposium_model::manifest::{Hook, Plugin};
use symposium_model::select::{ConditionLevel, PluginVerdict, SkillState, SkillVerdict};
use symposium_model::trust::TrustStatus;

use super::extension_state::ExtensionState;
use super::status::StatusReport;
use super::usage::SkillUse;
use super::{hook_list, hook_log};
use crate::ops::context::Context;
use crate::ops::resolve::Resolution;
use crate::ops::{catalog, guidance, rtk};
use crate::run_report::RunReport;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhyKind {
    Crate,
    Skill,
    Plugin,
    Hook,
    Server,
    File,
}

/// The answer about one thing of the name asked for.
pub(crate) struct WhyAnswer {
    /// What it is: `` crate `rand` ``.
    pub(crate) subject: String,
    pub(crate) verdict: String,
    /// The reasons, each a sentence.
    pub(crate) reasons: Vec<String>,
}

pub(crate) struct WhyInput<'e> {
    context: &'e Context,
    resolution: &'e Resolution,
    status: StatusReport,
}

impl<'e> WhyInput<'e> {
    pub(crate) fn new(context: &'e Context, resolution: &'e Resolution, report: &RunReport) -> Self {
        Self { context, resolution, status: StatusReport::new(context, resolution, report) }
    }

    /// Lists every hook that could run here.
    fn hooks(&self) -> Vec<hook_list::ListedHook> {
        let log = hook_log::read(&self.context.directories.logs).unwrap_or_default();
        hook_list::rows(self.context, self.resolution, &log)
    }
}

/// Explains everything that has this name, of the kind that is asked about.
pub(crate) fn explain(evidence: &WhyInput<'_>, kind: Option<WhyKind>, name: &str) -> Vec<WhyAnswer> {
    let is_asked = |asked: WhyKind| kind.is_none_or(|kind| kind == asked);
    let mut explanations = Vec::new();
    if is_asked(WhyKind::Crate) {
        explanations.extend(about_crate(evidence, name));
    }
    if is_asked(WhyKind::Skill) {
        explanations.extend(about_skills(evidence, name));
    }
    if is_asked(WhyKind::Plugin) {
        explanations.extend(about_plugins(evidence, name));
    }
    if is_asked(WhyKind::Hook) {
        explanations.extend(parts::about_hooks(evidence, name));
    }
    if is_asked(WhyKind::Server) {
        explanations.extend(parts::about_servers(evidence, name));
    }
    if is_asked(WhyKind::File) {
        explanations.extend(files::about_file(evidence, name));
        explanations.extend(files::about_written(evidence, name));
    }
    explanations
}

/// Every name that explains something, the longer ways to say it too.
pub(crate) fn known_names(evidence: &WhyInput<'_>) -> Vec<String> {
    let crates = evidence.resolution.crates().map(CrateSet::crates).unwrap_or_default();
    let mut known: Vec<String> = crates.iter().map(|krate| krate.name.to_string()).collect();
    for (_, loaded) in evidence.resolution.catalog.plugins() {
        let plugin = &loaded.plugin;
        known.push(plugin.name.clone());
        known.extend(loaded.skills.iter().map(|skill| skill.document.name.as_str().to_owned()));
        known
            .extend(plugin.hooks.iter().flat_map(|hook| [hook.name.clone(), format!("{}/{}", plugin.name, hook.name)]));
        known.extend(plugin.mcp_servers.iter().map(|server| server.name.clone()));
    }
    for verdict in &evidence.resolution.selection.skills {
        let Some((_, skill)) = evidence.resolution.catalog.skill(verdict.id) else { continue };
        known.extend(verdict.crates.iter().map(|found| format!("{}/{}", found.name, skill.document.name.as_str())));
    }
    known.sort_unstable();
    known.dedup();
    known
}

fn about_crate(evidence: &WhyInput<'_>, name: &str) -> Option<WhyAnswer> {
    let name = CrateName::parse(name)?;
    let naming = skills_naming(evidence, &name);
    let subject = format!("crate `{name}`");
    let Some(crates) = evidence.resolution.crates() else {
        return (!naming.is_empty()).then(|| WhyAnswer {
            subject,
            verdict: "not a dependency: this directory is not part of a cargo workspace".to_owned(),
            reasons: naming.iter().map(|verdict| skill_line(evidence, verdict)).collect(),
        });
    };
    let direct: Vec<&LockedCrate> = crates.versions(&name, catalog::scope(&evidence.context.settings)).collect();
    let all: Vec<&LockedCrate> = crates.versions(&name, DependencyScope::Transitive).collect();
    if all.is_empty() && naming.is_empty() && !crates.is_member(&name) {
        return None;
    }
    let verdict = match (direct.is_empty(), all.is_empty()) {
        (false, _) => "a dependency of this workspace",
        (true, false) => "only an indirect dependency of this workspace; skills apply to direct dependencies",
        (true, true) if crates.is_member(&name) => "a member of this workspace that no other member depends on",
        (true, true) => "not a dependency of this workspace",
    };
    let mut reasons: Vec<String> = all.iter().map(|krate| version_line(crates, krate)).collect();
    for krate in direct.iter().filter(|krate| guidance::source_of(evidence.context, krate).is_none()) {
        let unknown = "so its plugins are unknown; run `cargo fetch` to download it";
        reasons.push(format!("the source of {} {} is not on this machine, {unknown}", krate.name, krate.version));
    }
    reasons.extend(lock_line(crates.lock()));
    reasons.extend(naming.iter().map(|verdict| skill_line(evidence, verdict)));
    if naming.is_empty() {
        reasons.push("no skill of any source names it".to_owned());
    }
    Some(WhyAnswer { subject, verdict: verdict.to_owned(), reasons })
}

fn lock_line(lock: CargoLockState) -> Option<String> {
    match lock {
        CargoLockState::Present => None,
        CargoLockState::Absent => Some("there is no Cargo.lock, so versions are assumed from the manifests".to_owned()),
        CargoLockState::Broken => {
            Some("Cargo.lock cannot be used, so versions are assumed from the manifests".to_owned())
        }
    }
}

/// `rand 0.8.5 is locked: demo 0.1.0 -> rand 0.8.5; declared by …`.
fn version_line(crates: &CrateSet, krate: &LockedCrate) -> String {
    let certainty = match krate.certainty {
        VersionCertainty::Locked => "locked",
        VersionCertainty::Assumed => "assumed",
    };
    let path = explain::path(crates, krate);
    let mut line = format!("{} {} is {certainty}, through {path}", krate.name, krate.version);
    for usage in &krate.uses {
        line.push_str(&format!("; {}", explain::request(usage)));
    }
    line
}

/// Skills with a condition on the crate, at any level.
fn skills_naming<'e>(evidence: &'e WhyInput<'_>, name: &CrateName) -> Vec<&'e SkillVerdict> {
    let ids: Vec<SkillId> = evidence.resolution.catalog.skills_naming(name).into_iter().map(|(id, _)| id).collect();
    // What a crate brings itself need not name it.
    let own = |verdict: &&SkillVerdict| {
        let source = evidence.resolution.catalog.skill(verdict.id).map(|(source, _)| source);
        source.and_then(LoadedSource::krate).is_some_and(|place| place.name == *name)
    };
    evidence.resolution.selection.skills.iter().filter(|verdict| ids.contains(&verdict.id) || own(verdict)).collect()
}

fn skill_line(evidence: &WhyInput<'_>, verdict: &SkillVerdict) -> String {
    let (name, source) = evidence
        .resolution
        .catalog
        .skill(verdict.id)
        .map_or(("", ""), |(source, skill)| (skill.document.name.as_str(), source.spec.name.as_str()));
    let reasons = reasons_of(evidence, verdict);
    format!("skill `{name}` of source `{source}`, {}: {}", state_text(evidence, verdict), reasons.join("; "))
}

/// The state of a skill, and what it means for this one where the conditions do not tell.
fn state_text(evidence: &WhyInput<'_>, verdict: &SkillVerdict) -> String {
    let report = evidence.status.of_skill(verdict.id);
    let state = report.map_or(ExtensionState::Off, |report| report.state);
    let remark = match verdict.state {
        SkillState::NoWorkspace => Some("it does not apply outside a workspace".to_owned()),
        // Its conditions are named.
        SkillState::DoesNotMatch => None,
        SkillState::Applies if state == ExtensionState::On => None,
        SkillState::Candidate => {
            let krate = verdict.crates.first().map(|found| found.name.to_string()).unwrap_or_default();
            Some(format!("run `symposium on {krate}` to switch it on"))
        }
        SkillState::Applies
        | SkillState::Off
        | SkillState::Blocked(_)
        | SkillState::Shadowed(_)
        | SkillState::PluginShadowed(_) => report.map(|report| report.reason.clone()),
    };
    remark.into_iter().fold(state.word().to_owned(), |word, remark| format!("{word}, {remark}"))
}

/// The conditions of all levels, as sentences.
fn reasons_of(evidence: &WhyInput<'_>, verdict: &SkillVerdict) -> Vec<String> {
    let mut reasons = Vec::new();
    let source = evidence.resolution.catalog.skill(verdict.id).map(|(source, _)| source);
    if let Some(place) = source.filter(|source| source.spec.rank == SourceRank::Crate).and_then(LoadedSource::krate) {
        reasons.push(format!("{} {} ships it", place.name, place.version));
    }
    for (level, verdict) in &verdict.levels {
        let place = match level {
            ConditionLevel::Plugin => " (plugin)",
            ConditionLevel::Group => " (skill group)",
            ConditionLevel::Skill => "",
        };
        reasons.extend(sentences(verdict).into_iter().map(|sentence| format!("{sentence}{place}")));
    }
    if reasons.is_empty() {
        reasons.push("it names no crate, so it applies to every cargo workspace".to_owned());
    }
    reasons
}

fn sentences(verdict: &Verdict) -> Vec<String> {
    verdict.checks.iter().map(explain::sentence).collect()
}

fn about_skills(evidence: &WhyInput<'_>, name: &str) -> Vec<WhyAnswer> {
    let (whole, part) = match name.split_once('/') {
        Some((whole, part)) => (Some(whole), part),
        None => (None, name),
    };
    let mut explanations = Vec::new();
    for verdict in &evidence.resolution.selection.skills {
        let Some((source, skill)) = evidence.resolution.catalog.skill(verdict.id) else { continue };
        if skill.document.name.as_str() == part && whole.is_none_or(|whole| is_part_of(evidence, verdict, whole)) {
            let mut reasons = reasons_of(evidence, verdict);
            if verdict.state == SkillState::Applies {
                reasons.extend(installed_line(evidence, part));
                reasons.extend(evidence.status.use_of(verdict.id).map(SkillUse::sentence));
            }
            reasons.push(format!("it comes from {}, in source `{}`", skill.shown, source.spec.name));
            let subject = format!("skill `{part}`");
            explanations.push(WhyAnswer { subject, verdict: state_text(evidence, verdict), reasons });
        }
    }
    explanations
}

/// Where a skill that applies is installed, if it is.
fn installed_line(evidence: &WhyInput<'_>, name: &str) -> Option<String> {
    let here = evidence.resolution.ledger.records.iter().filter(|record| record.is_for(evidence.context.root()));
    let mut agents: Vec<&str> = here
        .filter(|record| record.extension.as_deref() == Some(name) && fs::exists(&record.path))
        .flat_map(|record| record.agents.iter().map(|agent| agent.name()))
        .collect();
    agents.sort_unstable();
    agents.dedup();
    (!agents.is_empty()).then(|| format!("it is installed here for {}", agents.join(", ")))
}

/// Whether a skill is one of a crate's or a plugin's; `*` stands for those that are for no crate in particular.
fn is_part_of(evidence: &WhyInput<'_>, verdict: &SkillVerdict, whole: &str) -> bool {
    let of_plugin =
        evidence.resolution.catalog.plugin(verdict.id.plugin).is_some_and(|(_, loaded)| loaded.plugin.name == whole);
    let of_none = whole == "*" && verdict.crates.is_empty();
    let naming = |name: CrateName| skills_naming(evidence, &name).iter().any(|named| named.id == verdict.id);
    of_plugin || of_none || CrateName::parse(whole).is_some_and(naming)
}

fn about_plugins(evidence: &WhyInput<'_>, name: &str) -> Vec<WhyAnswer> {
    let mut explanations = Vec::new();
    for verdict in &evidence.resolution.selection.plugins {
        let Some((source, loaded)) = evidence.resolution.catalog.plugin(verdict.id) else { continue };
        // A skill on its own was explained as a skill.
        let is_manifest = loaded.kind == symposium_model::catalog::PluginKind::Manifest;
        if loaded.plugin.name == name && is_manifest {
            explanations.push(about_plugin(evidence, verdict, source, loaded));
        }
    }
    explanations
}

/// Whether what a plugin brings is run, where that is a question.
fn permission_line(permission: &TrustStatus) -> Option<String> {
    match permission {
        TrustStatus::Free => None,
        TrustStatus::Granted => Some("its programs are granted with their present content".to_owned()),
        TrustStatus::NeedsGrant => {
            Some("its programs are not granted yet; run `symposium trust` to review them".to_owned())
        }
        TrustStatus::Changed(_) => {
            Some("its programs changed since they were granted; run `symposium trust` to review them".to_owned())
        }
        TrustStatus::Never => {
            Some("its programs never run: `[trust] projects = \"never\"` is set in the configuration".to_owned())
        }
        TrustStatus::Unknown(reason) => Some(format!("its programs cannot be granted: {reason}")),
    }
}

/// What is switched off of what a plugin runs or says, if anything is.
fn toggle_line(choices: &WorkspaceToggles<'_>, by: SourceAuthority, plugin: &Plugin) -> Option<String> {
    let is_on = choices.plugin(by, &plugin.name).is_on();
    let other = |hook: &&Hook| choices.hook(by, &plugin.name, &hook.name, hook.order).is_on() != is_on;
    let others: Vec<String> =
        plugin.hooks.iter().filter(other).map(|hook| format!("`{}/{}`", plugin.name, hook.name)).collect();
    match (is_on, others.join(", ")) {
        (true, none) if none.is_empty() => None,
        (true, off) => Some(format!("switched off in this project: {off}")),
        (false, none) if none.is_empty() => {
            Some(format!("its workflows are switched off; run `symposium on {}` to switch them on", plugin.name))
        }
        (false, on) => Some(format!("its workflows are switched off in this project, except {on}")),
    }
}

fn about_plugin(
    evidence: &WhyInput<'_>,
    verdict: &PluginVerdict,
    source: &LoadedSource,
    loaded: &LoadedPlugin,
) -> WhyAnswer {
    let mut reasons = sentences(&verdict.verdict);
    if loaded.plugin.conditions.is_empty() {
        reasons.push("it has no conditions".to_owned());
    }
    if let Some(place) = source.krate() {
        reasons.extend(place.brought_by.as_ref().map(|by| format!("plugin `{by}` depends on it")));
        if verdict.is_candidate() {
            let krate = &place.name;
            reasons.push(format!(
                "crate `{krate}` ships it, and it is not switched on; run `symposium on {krate}` to switch it on"
            ));
        }
    }
    if let Some((_, winner)) = verdict.gives_way_to().and_then(|winner| evidence.resolution.catalog.plugin(winner)) {
        reasons.push(format!("it is not used, because another plugin has the same name: {}", winner.shown));
    }
    let (choices, by, plugin) = (evidence.context.choices(), source.spec.bringer(), &loaded.plugin);
    let is_on = |hook: &Hook| choices.hook(by, &plugin.name, &hook.name, hook.order).is_on();
    let absence = rtk::absence_for(by.rank, plugin, is_on).filter(|_| verdict.is_active());
    if plugin.has_workflow() && verdict.is_active() {
        reasons.extend(toggle_line(&choices, by, plugin));
        reasons.extend(absence.clone());
    }
    if let Some(standing) = evidence.resolution.trust.standing(verdict.id) {
        reasons.extend(permission_line(&standing.permission));
    }
    reasons.push(format!("it comes from {}, in source `{}`", loaded.shown, source.spec.name));
    WhyAnswer {
        subject: format!("plugin `{}`", loaded.plugin.name),
        verdict: evidence.status.of_plugin(verdict.id).shown(),
        reasons,
    }
}
