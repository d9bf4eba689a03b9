//! Lists every extension that could apply here, with its source, its state and its agents.

use symposium_io::skill_directory::{InstalledState, observe};
use symposium_model::agent::AgentId;
use symposium_model::authority::{OffReason, ToggleState, WorkspaceToggles, is_personal};
use symposium_model::catalog::{LoadedPlugin, LoadedSkill, LoadedSource, PluginId, PluginKind, SkillId};
use symposium_model::config::{SourceAuthority, Toggle};
use symposium_model::crates::VersionCertainty;
use symposium_model::explain;
use symposium_model::manifest::{Hook, Plugin};
use symposium_model::select::{PluginVerdict, SkillState, SkillVerdict};
use symposium_model::sync::{LedgerRecord, PruneGuard, WrittenContent};
use symposium_model::trust::TrustStatus;

use super::extension_state::{ExtensionState, StateReport};
use super::skill_audit::{self, AuditFinding};
use super::usage::{SkillUse, UsageCounts};
use crate::ops::context::Context;
use crate::ops::guidance;
use crate::ops::hook_plan;
use crate::ops::hook_plan::kept_guards::{KeptGuard, kept_guards};
use crate::ops::reconcile::missing_skills::{MissingCause, MissingSkill, missing};
use crate::ops::reconcile::skill_content::reads_in_place;
use crate::ops::resolve::Resolution;
use crate::ops::rtk;
use crate::run_report::RunReport;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatusSubject {
    Skill(SkillId),
    Workflow(PluginId),
    /// It is in no source any more.
    Leftover,
    /// A policy hook that has lost its manifest.
    KeptGuard,
}

impl StatusSubject {
    fn plugin(self) -> Option<PluginId> {
        match self {
            Self::Skill(skill) => Some(skill.plugin),
            Self::Workflow(plugin) => Some(plugin),
            Self::Leftover | Self::KeptGuard => None,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Skill(_) | Self::Leftover => "skill",
            Self::Workflow(_) | Self::KeptGuard => "workflow",
        }
    }
}

#[derive(Debug)]
pub(crate) struct ExtensionRow {
    pub(crate) name: String,
    pub(crate) subject: StatusSubject,
    pub(crate) krate: Option<String>,
    pub(crate) crate_version: Option<String>,
    /// Whether the version is only assumed, since no `Cargo.lock` says it.
    pub(crate) is_assumed: bool,
    pub(crate) source: String,
    pub(crate) report: StateReport,
    pub(crate) agents: Vec<AgentId>,
    /// Suspicious content of a skill, or hooks of a workflow that never run.
    pub(crate) findings: Vec<String>,
    pub(crate) used: Option<SkillUse>,
    /// Whether the text output shows the reason, because the state alone is unclear.
    pub(crate) is_odd: bool,
}

pub(crate) struct StatusReport {
    /// Skills, then workflows, then what is left of others.
    pub(crate) rows: Vec<ExtensionRow>,
    /// Skills that some agents do not have.
    pub(crate) missing: Vec<MissingSkill>,
}

impl StatusReport {
    /// `report` tells whether everything was read.
    pub(crate) fn new(context: &Context, resolution: &Resolution, report: &RunReport) -> Self {
        let missing = missing(context, resolution);
        let usage = UsageCounts::read(&context.directories, context.root());
        let known = InstalledFacts { context, resolution, missing: &missing, usage: &usage };
        let mut rows = known.skills();
        rows.extend(known.workflows());
        if let Some(file) = context.unread_switches() {
            let undecided = rows.iter_mut().filter(|row| row.report.depends_on_switch());
            undecided.for_each(|row| row.report = StateReport::unknown(file));
        }
        rows.extend(kept_guards(context, resolution).iter().map(kept_row));
        let orphans = known.orphans(&rows, report);
        rows.extend(orphans);
        Self { rows, missing }
    }

    /// Returns how a skill stands; `None` for one that does not apply here.
    pub(crate) fn of_skill(&self, id: SkillId) -> Option<&StateReport> {
        self.rows.iter().find(|row| row.subject == StatusSubject::Skill(id)).map(|row| &row.report)
    }

    /// Returns how often agents loaded a skill here.
    pub(crate) fn use_of(&self, id: SkillId) -> Option<&SkillUse> {
        self.rows.iter().find(|row| row.subject == StatusSubject::Skill(id)).and_then(|row| row.used.as_ref())
    }

    /// Whether anything of a plugin could be used here.
    pub(crate) fn has_part_of(&self, id: PluginId) -> bool {
        self.rows.iter().any(|row| row.subject.plugin() == Some(id))
    }

    /// Returns how a plugin stands as a whole.
    pub(crate) fn of_plugin(&self, id: PluginId) -> StateReport {
        let parts: Vec<&ExtensionRow> = self.rows.iter().filter(|row| row.subject.plugin() == Some(id)).collect();
        let states: Vec<ExtensionState> = parts.iter().map(|row| row.report.state).collect();
        let state = ExtensionState::of_parts(&states);
        let telling = parts.iter().find(|row| row.report.state == state);
        telling.map_or_else(|| StateReport::new(state, "it does not apply here"), |row| row.report.clone())
    }
}

fn kept_row(kept: &KeptGuard) -> ExtensionRow {
    ExtensionRow {
        name: kept.guard.handler.title(),
        subject: StatusSubject::KeptGuard,
        krate: None,
        crate_version: None,
        is_assumed: false,
        source: kept.guard.source.clone(),
        report: StateReport::of_kept_guard(kept),
        agents: Vec::new(),
        findings: Vec::new(),
        used: None,
        is_odd: true,
    }
}

struct InstalledFacts<'k> {
    context: &'k Context,
    resolution: &'k Resolution,
    missing: &'k [MissingSkill],
    usage: &'k UsageCounts,
}

struct SkillStanding {
    report: StateReport,
    /// Whether that leaves a question.
    is_odd: bool,
}

impl InstalledFacts<'_> {
    fn skills(&self) -> Vec<ExtensionRow> {
        let Resolution { catalog, selection, .. } = self.resolution;
        let deceptions = skill_audit::in_skills(catalog, selection);
        let row = |verdict: &SkillVerdict| {
            let (source, skill) = catalog.skill(verdict.id)?;
            let name = skill.document.name.as_str();
            let SkillStanding { report, is_odd } = self.state_of(verdict, name)?;
            let subjects = guidance::subjects(catalog, verdict);
            let found = subjects.first();
            let of_skill = deceptions.iter().filter(|found| found.name == name && found.place == skill.shown);
            Some(ExtensionRow {
                name: name.to_owned(),
                subject: StatusSubject::Skill(verdict.id),
                krate: found.map(|found| found.name.to_string()),
                crate_version: found.map(|found| found.version.to_string()),
                is_assumed: found.is_some_and(|found| found.certainty == VersionCertainty::Assumed),
                source: source.spec.name.clone(),
                report,
                agents: match verdict.state {
                    SkillState::Shadowed(_) | SkillState::PluginShadowed(_) => Vec::new(),
                    SkillState::Applies
                    | SkillState::Off
                    | SkillState::Blocked(_)
                    | SkillState::Candidate
                    | SkillState::DoesNotMatch
                    | SkillState::NoWorkspace => self.agents_with(source, skill),
                },
                used: self.usage.of_skill(&skill.document, &verdict.crates),
                findings: of_skill.map(AuditFinding::sentence).collect(),
                is_odd,
            })
        };
        selection.skills.iter().filter_map(row).collect()
    }

    fn workflows(&self) -> Vec<ExtensionRow> {
        let Resolution { catalog, selection, trust, .. } = self.resolution;
        let mut rows = Vec::new();
        for verdict in selection.plugins.iter().filter(|verdict| verdict.verdict.holds) {
            let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
            if loaded.plugin.has_workflow() {
                let permission = trust.standing(verdict.id).map(|standing| &standing.permission);
                rows.push(self.workflow(source, loaded, verdict, permission.and_then(waiting)));
            }
        }
        rows
    }

    /// The workflow of a plugin whose conditions hold; `waiting` is why it may not run.
    fn workflow(
        &self,
        source: &LoadedSource,
        loaded: &LoadedPlugin,
        verdict: &PluginVerdict,
        waiting: Option<StateReport>,
    ) -> ExtensionRow {
        let plugin = &loaded.plugin;
        let (choices, by) = (self.context.choices(), source.spec.bringer());
        let switched = |hook: &Hook| choices.hook(by, &plugin.name, &hook.name, hook.order);
        let hook_is_on = |hook: &Hook| switched(hook).is_on();
        let on = is_switched_on(&choices, by, plugin);
        let silenced = |hook: &&Hook| is_personal(by.rank) && switched(hook) == ToggleState::Off(OffReason::Project);
        let silenced: Vec<&str> = plugin.hooks.iter().filter(silenced).map(|hook| hook.name.as_str()).collect();
        let unheard = unheard(plugin, hook_is_on);
        let absence = rtk::absence_for(source.spec.rank, plugin, hook_is_on);
        let report = match (verdict.gives_way_to().is_some(), on, waiting) {
            _ if verdict.is_candidate() && !is_off(&self.context.settings.workflows, &plugin.name) => {
                let krate = source.krate().map_or(plugin.name.clone(), |place| place.name.to_string());
                let reason = format!("shipped by {krate}; run `symposium on {krate}` to switch it on");
                StateReport::new(ExtensionState::Candidate, reason)
            }
            (true, _, _) => {
                let winner = verdict.gives_way_to().and_then(|winner| self.resolution.catalog.plugin(winner));
                let winner = winner.map(|(other, winner)| (other, winner.shown.as_str()));
                StateReport::new(ExtensionState::Conflict, gives_way("plugin", source, winner))
            }
            (false, false, _) => {
                StateReport::new(ExtensionState::Off, format!("run `symposium on {}` to switch it on", plugin.name))
            }
            (false, true, Some(waiting)) => waiting,
            (false, true, None) => match absence {
                Some(reason) => StateReport { state: ExtensionState::Off, cause: Some(rtk::NOT_FOUND), reason },
                None => {
                    let sentences = std::iter::once("its conditions hold".to_owned()).chain(unheard.iter().cloned());
                    StateReport::new(ExtensionState::On, sentences.collect::<Vec<_>>().join(". "))
                }
            },
        };
        let state = report.state;
        let mut findings = if state == ExtensionState::On { unheard } else { Vec::new() };
        if verdict.gives_way_to().is_none() {
            findings.extend(silenced.iter().map(|hook| {
                let title = format!("{}/{hook}", plugin.name);
                format!(
                    "This project switches off your hook `{title}`; run `symposium on {title}` to switch it on here"
                )
            }));
        }
        ExtensionRow {
            name: plugin.name.clone(),
            subject: StatusSubject::Workflow(verdict.id),
            krate: source.krate().map(|place| place.name.to_string()),
            crate_version: source.krate().map(|place| place.version.to_string()),
            is_assumed: false,
            source: source.spec.name.clone(),
            report,
            agents: Vec::new(),
            used: None,
            findings,
            is_odd: state == ExtensionState::Conflict,
        }
    }

    /// Skills that are installed though nothing asks for them any more.
    fn orphans(&self, rows: &[ExtensionRow], report: &RunReport) -> Vec<ExtensionRow> {
        let absence = PruneGuard::new(report.is_unread(), &self.resolution.catalog, self.resolution.crates());
        let here = self.resolution.ledger.records.iter().filter(|record| record.is_for(self.context.root()));
        let mut names: Vec<&str> = here.filter_map(|record| record.extension.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| !rows.iter().any(|row| row.name == *name));
        names.into_iter().filter_map(|name| self.orphan(name, &absence)).collect()
    }

    fn orphan(&self, name: &str, absence: &PruneGuard<'_>) -> Option<ExtensionRow> {
        let is_there = |record: &&LedgerRecord| !matches!(observe(&record.path), Ok(InstalledState::Absent));
        let there: Vec<&LedgerRecord> = self.records(name).filter(is_there).collect();
        let edited = there.iter().filter(|record| !is_as_written(record)).count();
        let gone = there.iter().all(|record| absence.skill_is_gone(name, record.source.as_deref()));
        let fate = match (gone, edited) {
            (false, _) => "it is kept until all sources can be read again",
            (true, 0) => "`symposium sync` removes it",
            (true, all) if all == there.len() => "it was edited after installation, so it is kept",
            (true, _) => "`symposium sync` removes the copies that were not edited",
        };
        (!there.is_empty()).then(|| ExtensionRow {
            name: name.to_owned(),
            subject: StatusSubject::Leftover,
            krate: None,
            crate_version: None,
            is_assumed: false,
            source: String::new(),
            report: StateReport::new(ExtensionState::Orphaned, format!("no longer needed; {fate}")),
            agents: agents_of(there.iter().copied()),
            used: None,
            findings: Vec::new(),
            is_odd: true,
        })
    }

    /// The records of a skill in this workspace.
    fn records(&self, name: &str) -> impl Iterator<Item = &LedgerRecord> {
        let root = self.context.root();
        let of_skill = move |record: &&LedgerRecord| record.extension.as_deref() == Some(name) && record.is_for(root);
        self.resolution.ledger.records.iter().filter(of_skill)
    }

    /// Lists the agents that a skill is installed for, or that find it where it lies.
    fn agents_with(&self, source: &LoadedSource, skill: &LoadedSkill) -> Vec<AgentId> {
        let records = self.records(skill.document.name.as_str());
        let is_there = |record: &&LedgerRecord| matches!(observe(&record.path), Ok(InstalledState::Directory(_)));
        let mut agents = agents_of(records.filter(is_there));
        agents.extend(self.context.agents().into_iter().filter(|agent| reads_in_place(*agent, source, skill)));
        agents.sort_unstable_by_key(|agent| agent.name());
        agents.dedup();
        agents
    }

    /// The state of a skill that matches; `None` for one that does not.
    fn state_of(&self, verdict: &SkillVerdict, name: &str) -> Option<SkillStanding> {
        let plain =
            |state, reason: String| Some(SkillStanding { report: StateReport::new(state, reason), is_odd: false });
        let odd = |state, reason: String| Some(SkillStanding { report: StateReport::new(state, reason), is_odd: true });
        let catalog = &self.resolution.catalog;
        let (source, _) = catalog.skill(verdict.id)?;
        match verdict.state {
            SkillState::DoesNotMatch | SkillState::NoWorkspace => None,
            SkillState::Candidate => plain(ExtensionState::Candidate, guidance::describe_candidate(verdict)),
            SkillState::Off => plain(ExtensionState::Off, self.why_off(verdict, name)),
            SkillState::Blocked(kind) => odd(ExtensionState::Blocked, format!("its text has {}", kind.describe())),
            SkillState::Shadowed(winner) => {
                let winner = catalog.skill(winner).map(|(other, winner)| (other, winner.shown.as_str()));
                odd(ExtensionState::Conflict, gives_way("skill", source, winner))
            }
            SkillState::PluginShadowed(winner) => {
                let winner = catalog.plugin(winner);
                let what = match winner.map(|(_, winner)| winner.kind) {
                    Some(PluginKind::StandAlone) => "skill",
                    Some(PluginKind::Manifest) | None => "plugin",
                };
                let winner = winner.map(|(other, winner)| (other, winner.shown.as_str()));
                odd(ExtensionState::Conflict, gives_way(what, source, winner))
            }
            SkillState::Applies => Some(self.applying(verdict, name)),
        }
    }

    fn why_off(&self, verdict: &SkillVerdict, name: &str) -> String {
        let by = self.resolution.catalog.skill(verdict.id).map(|(source, _)| source.spec.bringer());
        match by.map(|by| self.context.choices().skill(by, name, &verdict.crates)) {
            Some(ToggleState::Off(OffReason::User)) => "you switched it off in this workspace".to_owned(),
            Some(ToggleState::On | ToggleState::Off(OffReason::Project | OffReason::NotYetOn)) | None => {
                "switched off in `.symposium/config.toml`".to_owned()
            }
        }
    }

    fn applying(&self, verdict: &SkillVerdict, name: &str) -> SkillStanding {
        if self.records(name).any(|record| !is_as_written(record)) {
            let reason =
                format!("edited after installation, and kept; run `symposium sync --restore {name}` to restore it");
            return SkillStanding { report: StateReport::new(ExtensionState::Drifted, reason), is_odd: true };
        }
        let absent: Vec<(ExtensionState, String)> =
            self.missing.iter().filter(|missing| missing.name == name).map(|missing| self.absence(missing)).collect();
        // What needs a person first.
        let state = [ExtensionState::Conflict, ExtensionState::Blocked]
            .into_iter()
            .find(|state| absent.iter().any(|(other, _)| other == state));
        let matched = if verdict.crates.is_empty() {
            String::from("for every workspace")
        } else {
            format!("matches {}", explain::list(&verdict.crates))
        };
        let renamed = self.records(name).find_map(|record| {
            let installed = record.path.file_name()?.to_str()?;
            (installed != name).then(|| format!("installed as `{installed}`, because you have your own `{name}`"))
        });
        // What the next sync does is said for all of them at once.
        let is_odd = state.is_some() || renamed.is_some();
        let remarks: Vec<String> = absent.into_iter().map(|(_, reason)| reason).chain(renamed).collect();
        let reason = if remarks.is_empty() { matched } else { remarks.join("; ") };
        SkillStanding { report: StateReport::new(state.unwrap_or(ExtensionState::On), reason), is_odd }
    }

    /// The state that a missing skill has, and the reason.
    fn absence(&self, missing: &MissingSkill) -> (ExtensionState, String) {
        let agents: Vec<&str> = missing.agents.iter().map(|agent| agent.name()).collect();
        let absent = format!("not installed for {}", agents.join(", "));
        match &missing.cause {
            MissingCause::NotYet => (ExtensionState::On, format!("{absent} yet; run `symposium sync`")),
            MissingCause::Unrecorded => (
                ExtensionState::On,
                format!("on disk for {}, but not recorded; run `symposium sync`", agents.join(", ")),
            ),
            MissingCause::Taken(path) => {
                let path = self.context.roots().shown(path);
                let fix = "rename it, and run `symposium sync`";
                (ExtensionState::Conflict, format!("{absent}: `{path}` belongs to you and is kept; {fix}"))
            }
            MissingCause::Unwritable(reason) => {
                (ExtensionState::Blocked, format!("{absent}: {reason}; fix that, and run `symposium sync`"))
            }
            MissingCause::Locked => {
                let fix = "run `symposium sync --update` to update the lockfile";
                (ExtensionState::Blocked, format!("{absent}: the lockfile pins different content; {fix}"))
            }
        }
    }
}

fn is_as_written(record: &LedgerRecord) -> bool {
    match (&record.written, observe(&record.path)) {
        (written @ WrittenContent::Skill { .. }, Ok(InstalledState::Directory(tree))) => written.is_skill(&tree),
        (WrittenContent::Skill { .. }, Ok(InstalledState::Other)) => false,
        // What may not be read now need not be edited.
        (WrittenContent::Skill { .. }, Err(error)) => error.is_transient(),
        // A directory that is gone is put back by the next sync; that is no edit.
        (WrittenContent::Skill { .. }, Ok(InstalledState::Absent))
        | (WrittenContent::Entries { .. } | WrittenContent::File { .. } | WrittenContent::Amended { .. }, _) => true,
    }
}

/// The agents that records are for, by name.
fn agents_of<'r>(records: impl Iterator<Item = &'r LedgerRecord>) -> Vec<AgentId> {
    let mut agents: Vec<AgentId> = records.flat_map(|record| record.agents.iter().copied()).collect();
    agents.sort_unstable_by_key(|agent| agent.name());
    agents.dedup();
    agents
}

/// A sentence for each hook that is on and that no agent ever calls.
fn unheard(plugin: &Plugin, is_on: impl Fn(&Hook) -> bool) -> Vec<String> {
    let on = plugin.hooks.iter().filter(|hook| is_on(hook));
    let never = on.filter_map(|hook| Some((&hook.name, hook_plan::never_runs(hook)?)));
    never.map(|(hook, why)| format!("Hook `{}/{hook}` never runs: {why}", plugin.name)).collect()
}

/// Whether anything of a plugin's workflows is switched on.
pub(crate) fn is_switched_on(choices: &WorkspaceToggles<'_>, by: SourceAuthority, plugin: &Plugin) -> bool {
    let is_on = |hook: &Hook| choices.hook(by, &plugin.name, &hook.name, hook.order).is_on();
    choices.plugin(by, &plugin.name).is_on() || plugin.hooks.iter().any(is_on)
}

/// Whether the workflows of a plugin are switched off.
fn is_off(workflows: &[Toggle], plugin: &str) -> bool {
    workflows.iter().any(|toggle| toggle.key == plugin && !toggle.on)
}

/// Returns the state of a plugin whose hooks and servers lack a grant.
fn waiting(permission: &TrustStatus) -> Option<StateReport> {
    let reason = match permission {
        TrustStatus::Free | TrustStatus::Granted => String::new(),
        TrustStatus::NeedsGrant => "not granted yet; run `symposium trust` to review it".to_owned(),
        TrustStatus::Changed(_) => {
            "changed since it was granted; run `symposium trust` to review the changes".to_owned()
        }
        TrustStatus::Never => "`[trust] projects = \"never\"` is set in the configuration".to_owned(),
        TrustStatus::Unknown(reason) => format!("it cannot be granted: {reason}"),
    };
    ExtensionState::of_waiting(permission).map(|state| StateReport::new(state, reason))
}

/// Explains that another skill or plugin of the same name is used: `winner`, with its source. Only what lies in a
/// directory of the user's can be renamed.
fn gives_way(what: &str, loser: &LoadedSource, winner: Option<(&LoadedSource, &str)>) -> String {
    let place = winner.map_or("another", |(_, place)| place);
    let is_editable = |source: &LoadedSource| source.spec.kind.is_editable();
    let advice = match (is_editable(loser), winner.is_some_and(|(other, _)| is_editable(other))) {
        (true, true) => "; rename one of them to use both",
        (true, false) => "; rename this one to use both",
        (false, true) => "; rename that one to use both",
        (false, false) => "",
    };
    format!("not used, because the {what} {place} has the same name{advice}")
}
