//! Every extension that could be here: where it comes from, how it stands, and who has it.

use symposium_io::install::{Installed, observe};
use symposium_model::agent::AgentId;
use symposium_model::authority::{OffBy, Switched, is_personal};
use symposium_model::catalog::{Catalog, LoadedPlugin, PluginKind, Relevant, Source};
use symposium_model::crates::CrateSet;
use symposium_model::explain;
use symposium_model::manifest::{Hook, Plugin};
use symposium_model::select::{PluginVerdict, Selection, SkillState, SkillVerdict};
use symposium_model::sync::{Ledger, Record, Written};
use symposium_model::trust::Permission;

use super::catalog::{self, Upkeep};
use super::context::Context;
use super::deceptions::{self, Deception};
use super::sync::absence::Absence;
use super::sync::ledger_file;
use super::sync::missing::{Cause, Missing, missing};
use super::trust::Trust;
use super::{guidance, plan, rtk};

/// What an extension is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A skill.
    Skill,
    /// Hooks, session context and MCP servers of a plugin.
    Workflow,
}

impl Kind {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Workflow => "workflow",
        }
    }
}

/// How an extension stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It is used.
    On,
    /// Somebody switched it off, or nobody on.
    Off,
    /// A dependency brings it, and nobody switched it on.
    Candidate,
    /// Nobody agreed to what it would run.
    Untrusted,
    /// It cannot be installed, or must not be.
    Blocked,
    /// The user edited what was installed.
    Drifted,
    /// It is installed, and nothing asks for it any more.
    Orphaned,
    /// Something else has its name.
    Conflict,
}

impl State {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Candidate => "candidate",
            Self::Untrusted => "untrusted",
            Self::Blocked => "blocked",
            Self::Drifted => "drifted",
            Self::Orphaned => "orphaned",
            Self::Conflict => "conflict",
        }
    }
}

/// One extension.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) krate: Option<String>,
    pub(crate) crate_version: Option<String>,
    pub(crate) source: String,
    pub(crate) state: State,
    /// Who has it.
    pub(crate) agents: Vec<AgentId>,
    pub(crate) reason: String,
    /// What in it deserves a second look: of a skill its text, of a workflow hooks that never run.
    pub(crate) findings: Vec<String>,
    /// Whether the reason is for people too: the state alone leaves a question.
    pub(crate) is_odd: bool,
}

/// How everything stands.
pub(crate) struct Status {
    /// Skills, then workflows, then what is left of others.
    pub(crate) rows: Vec<Row>,
    /// Skills that some agents do not have.
    pub(crate) missing: Vec<Missing>,
}

impl Status {
    /// Finds it out, from what is on disk now.
    pub(crate) fn of(context: &Context) -> Self {
        let crates = context.crates();
        let relevant = Relevant { crates: crates.as_ref(), asked: None };
        let catalog = catalog::read_relevant(context, &relevant, Upkeep::LeaveAlone);
        let selection = catalog::select_for(context, &catalog, crates.as_ref());
        let ledger = ledger_file::read(context);
        let missing = missing(context, (&catalog, &selection), &ledger);
        let known = Known { context, catalog: &catalog, ledger: &ledger, missing: &missing };
        let mut rows = known.skills(&selection);
        rows.extend(known.workflows(&selection));
        let orphans = known.orphans(&rows, crates.as_ref());
        rows.extend(orphans);
        Self { rows, missing }
    }
}

/// What is known about what is installed.
struct Known<'k> {
    context: &'k Context,
    catalog: &'k Catalog,
    ledger: &'k Ledger,
    missing: &'k [Missing],
}

/// How a skill stands.
struct Standing {
    state: State,
    reason: String,
    /// Whether that leaves a question.
    is_odd: bool,
}

impl Known<'_> {
    fn skills(&self, selection: &Selection) -> Vec<Row> {
        let deceptions = deceptions::in_skills(self.catalog, selection);
        let row = |verdict: &SkillVerdict| {
            let (source, skill) = self.catalog.skill(verdict.id)?;
            let name = skill.document.name.as_str();
            let Standing { state, reason, is_odd } = self.state_of(verdict, name)?;
            let found = verdict.crates.first();
            let of_skill = deceptions.iter().filter(|found| found.name == name && found.place == skill.shown);
            Some(Row {
                name: name.to_owned(),
                kind: Kind::Skill,
                krate: found.map(|found| found.name.to_string()),
                crate_version: found.map(|found| found.version.to_string()),
                source: source.spec.name.clone(),
                state,
                agents: match verdict.state {
                    SkillState::Shadowed(_) | SkillState::PluginShadowed(_) => Vec::new(),
                    SkillState::Applies
                    | SkillState::Off
                    | SkillState::Blocked(_)
                    | SkillState::Candidate
                    | SkillState::DoesNotMatch
                    | SkillState::NoWorkspace => self.installed_for(name),
                },
                reason,
                findings: of_skill.map(Deception::sentence).collect(),
                is_odd,
            })
        };
        selection.skills.iter().filter_map(row).collect()
    }

    fn workflows(&self, selection: &Selection) -> Vec<Row> {
        let trust = Trust::of(self.context, self.catalog, selection);
        let mut rows = Vec::new();
        for verdict in selection.plugins.iter().filter(|verdict| verdict.verdict.holds) {
            let Some((source, loaded)) = self.catalog.plugin(verdict.id) else { continue };
            if loaded.plugin.has_workflow() {
                let waiting = trust.standing(verdict.id).and_then(|standing| waiting(&standing.permission));
                rows.push(self.workflow(source, loaded, verdict, waiting));
            }
        }
        rows
    }

    /// The workflow of a plugin whose conditions hold; `waiting` is why it may not run.
    fn workflow(
        &self,
        source: &Source,
        loaded: &LoadedPlugin,
        verdict: &PluginVerdict,
        waiting: Option<String>,
    ) -> Row {
        let plugin = &loaded.plugin;
        let (choices, by) = (self.context.choices(), source.spec.bringer());
        let switched = |hook: &Hook| choices.hook(by, &plugin.name, &hook.name, hook.order);
        let hook_is_on = |hook: &Hook| switched(hook).is_on();
        let on = choices.plugin(by, &plugin.name).is_on() || plugin.hooks.iter().any(hook_is_on);
        let silenced = |hook: &&Hook| is_personal(by.rank) && switched(hook) == Switched::Off(OffBy::Project);
        let silenced: Vec<&str> = plugin.hooks.iter().filter(silenced).map(|hook| hook.name.as_str()).collect();
        let unheard = unheard(plugin, hook_is_on);
        let absence = rtk::absence_for(source.spec.rank, plugin, hook_is_on).map(|absence| format!(", but {absence}"));
        let (state, reason) = match (verdict.shadowed_by.is_some(), on, waiting) {
            _ if verdict.is_candidate() && !is_off(self.context, &plugin.name) => {
                let krate = source.krate().map_or(plugin.name.clone(), |place| place.name.to_string());
                (State::Candidate, format!("{krate} itself brings it; `symposium on {krate}` switches it on"))
            }
            (true, _, _) => {
                let winner = verdict.shadowed_by.and_then(|winner| self.catalog.plugin(winner));
                let place = winner.map_or("another", |(_, winner)| winner.shown.as_str());
                (State::Conflict, gives_way("plugin", place))
            }
            (false, false, _) => (State::Off, format!("`symposium on {}` switches it on", plugin.name)),
            (false, true, Some(reason)) => (State::Untrusted, reason),
            (false, true, None) if unheard.is_empty() => {
                (State::On, format!("its conditions hold{}", absence.unwrap_or_default()))
            }
            (false, true, None) => (State::On, format!("its conditions hold. {}", unheard.join(". "))),
        };
        let mut findings = if state == State::On { unheard } else { Vec::new() };
        if verdict.shadowed_by.is_none() {
            findings.extend(silenced.iter().map(|hook| {
                let title = format!("{}/{hook}", plugin.name);
                format!("This project switches off your hook `{title}`; `symposium on {title}` switches it on here")
            }));
        }
        Row {
            name: plugin.name.clone(),
            kind: Kind::Workflow,
            krate: source.krate().map(|place| place.name.to_string()),
            crate_version: source.krate().map(|place| place.version.to_string()),
            source: source.spec.name.clone(),
            state,
            agents: Vec::new(),
            reason,
            findings,
            is_odd: state == State::Conflict,
        }
    }

    /// Skills that are installed though nothing asks for them any more.
    fn orphans(&self, rows: &[Row], crates: Option<&CrateSet>) -> Vec<Row> {
        let absence = Absence::of(self.context, self.catalog, crates);
        let here = self.ledger.records.iter().filter(|record| record.is_for(self.context.root()));
        let mut names: Vec<&str> = here.filter_map(|record| record.extension.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| !rows.iter().any(|row| row.name == *name));
        names.into_iter().filter_map(|name| self.orphan(name, &absence)).collect()
    }

    fn orphan(&self, name: &str, absence: &Absence<'_>) -> Option<Row> {
        let is_there = |record: &&Record| !matches!(observe(&record.path), Ok(Installed::Absent));
        let there: Vec<&Record> = self.records(name).filter(is_there).collect();
        let edited = there.iter().filter(|record| !is_as_written(record)).count();
        let gone = there.iter().all(|record| absence.skill_is_gone(name, record.source.as_deref()));
        let fate = match (gone, edited) {
            (false, _) => "it is kept until everything can be read again",
            (true, 0) => "`symposium sync` removes it",
            (true, all) if all == there.len() => "it was edited since it was installed, so it is kept",
            (true, _) => "`symposium sync` removes it where it was not edited, and keeps the rest",
        };
        (!there.is_empty()).then(|| Row {
            name: name.to_owned(),
            kind: Kind::Skill,
            krate: None,
            crate_version: None,
            source: String::new(),
            state: State::Orphaned,
            agents: agents_of(there.iter().copied()),
            reason: format!("nothing asks for it any more; {fate}"),
            findings: Vec::new(),
            is_odd: true,
        })
    }

    /// The records of a skill in this workspace.
    fn records(&self, name: &str) -> impl Iterator<Item = &Record> {
        let root = self.context.root();
        let of_skill = move |record: &&Record| record.extension.as_deref() == Some(name) && record.is_for(root);
        self.ledger.records.iter().filter(of_skill)
    }

    fn installed_for(&self, name: &str) -> Vec<AgentId> {
        agents_of(self.records(name).filter(|record| matches!(observe(&record.path), Ok(Installed::Directory(_)))))
    }

    /// The state of a skill that matches; `None` for one that does not.
    fn state_of(&self, verdict: &SkillVerdict, name: &str) -> Option<Standing> {
        let plain = |state, reason| Some(Standing { state, reason, is_odd: false });
        let odd = |state, reason| Some(Standing { state, reason, is_odd: true });
        match verdict.state {
            SkillState::DoesNotMatch | SkillState::NoWorkspace => None,
            SkillState::Candidate => plain(State::Candidate, guidance::candidate(verdict)),
            SkillState::Off => plain(State::Off, self.why_off(verdict, name)),
            SkillState::Blocked(kind) => odd(State::Blocked, format!("its text has {}", kind.describe())),
            SkillState::Shadowed(winner) => {
                let place = self.catalog.skill(winner).map_or("another", |(_, skill)| skill.shown.as_str());
                odd(State::Conflict, gives_way("skill", place))
            }
            SkillState::PluginShadowed(winner) => {
                let winner = self.catalog.plugin(winner).map(|(_, winner)| winner);
                let what = match winner.map(|winner| winner.kind) {
                    Some(PluginKind::StandAlone) => "skill",
                    Some(PluginKind::Manifest) | None => "plugin",
                };
                odd(State::Conflict, gives_way(what, winner.map_or("another", |winner| winner.shown.as_str())))
            }
            SkillState::Applies => Some(self.applying(verdict, name)),
        }
    }

    /// Why a skill is off.
    fn why_off(&self, verdict: &SkillVerdict, name: &str) -> String {
        let by = self.catalog.skill(verdict.id).map(|(source, _)| source.spec.bringer());
        match by.map(|by| self.context.choices().skill(by, name, &verdict.crates)) {
            Some(Switched::Off(OffBy::User)) => "you switched it off in this workspace".to_owned(),
            Some(Switched::On | Switched::Off(OffBy::Project | OffBy::NotYetOn)) | None => {
                "switched off in `.symposium/config.toml`".to_owned()
            }
        }
    }

    fn applying(&self, verdict: &SkillVerdict, name: &str) -> Standing {
        if self.records(name).any(|record| !is_as_written(record)) {
            let reason =
                format!("edited since it was installed, and kept; `symposium sync --restore {name}` puts it back");
            return Standing { state: State::Drifted, reason, is_odd: true };
        }
        let absent: Vec<(State, String)> =
            self.missing.iter().filter(|missing| missing.name == name).map(|missing| self.absence(missing)).collect();
        // What needs a person first.
        let state =
            [State::Conflict, State::Blocked].into_iter().find(|state| absent.iter().any(|(other, _)| other == state));
        let matched = if verdict.crates.is_empty() {
            String::from("for no crate in particular")
        } else {
            format!("matches {}", explain::list(&verdict.crates))
        };
        let renamed = self.records(name).find_map(|record| {
            let installed = record.path.file_name()?.to_str()?;
            (installed != name).then(|| format!("installed as `{installed}`, because you have a `{name}` of your own"))
        });
        // What the next sync does is said for all of them at once.
        let is_odd = state.is_some() || renamed.is_some();
        let remarks: Vec<String> = absent.into_iter().map(|(_, reason)| reason).chain(renamed).collect();
        let reason = if remarks.is_empty() { matched } else { remarks.join("; ") };
        Standing { state: state.unwrap_or(State::On), reason, is_odd }
    }

    /// The state that a missing skill has, and the reason.
    fn absence(&self, missing: &Missing) -> (State, String) {
        let agents: Vec<&str> = missing.agents.iter().map(|agent| agent.name()).collect();
        let absent = format!("not installed for {}", agents.join(", "));
        match &missing.cause {
            Cause::NotYet => (State::On, format!("{absent} yet; `symposium sync` does it")),
            Cause::Unrecorded => {
                (State::On, format!("there for {}, but not recorded; `symposium sync` does that", agents.join(", ")))
            }
            Cause::Taken(path) => {
                let path = self.context.shown(path);
                let fix = "rename yours, and run `symposium sync`";
                (State::Conflict, format!("{absent}: `{path}` is yours, and stays; {fix}"))
            }
            Cause::Unwritable(reason) => {
                (State::Blocked, format!("{absent}: {reason}; mend that, and run `symposium sync`"))
            }
            Cause::Locked => {
                let fix = "`symposium sync --update` moves the lock to what there is now";
                (State::Blocked, format!("{absent}: the project is locked to another content of it; {fix}"))
            }
        }
    }
}

fn is_as_written(record: &Record) -> bool {
    match (&record.written, observe(&record.path)) {
        (written @ Written::Skill { .. }, Ok(Installed::Directory(tree))) => written.is_skill(&tree),
        (Written::Skill { .. }, Ok(Installed::Other)) => false,
        // What may not be read now need not be edited.
        (Written::Skill { .. }, Err(error)) => error.is_transient(),
        // A directory that is gone is put back by the next sync; that is no edit.
        (Written::Skill { .. }, Ok(Installed::Absent))
        | (Written::Entries { .. } | Written::File { .. } | Written::Amended { .. }, _) => true,
    }
}

/// The agents that records are for, by name.
fn agents_of<'r>(records: impl Iterator<Item = &'r Record>) -> Vec<AgentId> {
    let mut agents: Vec<AgentId> = records.flat_map(|record| record.agents.iter().copied()).collect();
    agents.sort_unstable_by_key(|agent| agent.name());
    agents.dedup();
    agents
}

/// A sentence for each hook that is on and that no agent ever calls.
fn unheard(plugin: &Plugin, is_on: impl Fn(&Hook) -> bool) -> Vec<String> {
    let on = plugin.hooks.iter().filter(|hook| is_on(hook));
    let never = on.filter_map(|hook| Some((&hook.name, plan::never_runs(hook)?)));
    never.map(|(hook, why)| format!("Hook `{}/{hook}` never runs: {why}", plugin.name)).collect()
}

/// Whether somebody switched a plugin's workflows off.
fn is_off(context: &Context, plugin: &str) -> bool {
    context.settings.workflows.iter().any(|toggle| toggle.key == plugin && !toggle.on)
}

/// Why a plugin's hooks and servers do not run, if they do not.
fn waiting(permission: &Permission) -> Option<String> {
    match permission {
        Permission::Free | Permission::Granted => None,
        Permission::NeedsGrant => Some("nobody agreed to what it would do; `symposium trust` shows it".to_owned()),
        Permission::Changed(_) => Some("it is not what was granted; `symposium trust` shows what changed".to_owned()),
        Permission::Never => Some("`[trust] projects = \"never\"` in the configuration".to_owned()),
        Permission::Unknown(reason) => Some(format!("it cannot be granted: {reason}")),
    }
}

/// Why something is not used, when another of its name is.
fn gives_way(what: &str, winner: &str) -> String {
    format!("gives way to the {what} {winner}, which has the same name; rename one of them to have both")
}
