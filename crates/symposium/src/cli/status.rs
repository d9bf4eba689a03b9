//! `symposium status`: every extension, where it comes from, its state, and who has it.

use serde::Serialize;
use symposium_agents::spec;
use symposium_io::install::{Installed, observe};
use symposium_model::catalog::{Catalog, PluginKind, Relevant};
use symposium_model::manifest::{Hook, Plugin};
use symposium_model::select::{SkillState, SkillVerdict};
use symposium_model::sync::{Ledger, Record, Written};
use symposium_model::trust::Permission;

use super::actions;
use crate::app::catalog;
use crate::app::catalog::Upkeep;
use crate::app::context::Context;
use crate::app::deceptions::{self, Deception};
use crate::app::guidance;
use crate::app::plan;
use crate::app::sync::absence::Absence;
use crate::app::sync::ledger_file;
use crate::app::sync::missing::{Cause, Missing, missing};
use crate::app::trust::Trust;
use crate::ui::exit::Exit;
use crate::ui::printer::Answer;
use crate::ui::table::WIDTH;
use crate::ui::text::{Text, pad, wrap};

#[derive(Serialize)]
struct Document {
    version: u32,
    extensions: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    kind: &'static str,
    #[serde(rename = "crate")]
    krate: Option<String>,
    crate_version: Option<String>,
    source: String,
    state: &'static str,
    agents: Vec<&'static str>,
    reason: String,
    /// What in it deserves a second look: of a skill its text, of a workflow hooks that never run.
    findings: Vec<String>,
    /// Whether the reason is for people too: the state alone leaves a question.
    #[serde(skip)]
    is_odd: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context) -> Exit {
    let crates = context.crates();
    let relevant = Relevant { crates: crates.as_ref(), asked: None };
    let catalog = catalog::read_relevant(context, &relevant, Upkeep::LeaveAlone);
    let selection = catalog::select_for(context, &catalog, crates.as_ref());
    let ledger = ledger_file::read(context);
    let trust = Trust::of(context, &catalog, &selection);
    let deceptions = deceptions::in_skills(&catalog, &selection);
    let missing = missing(context, (&catalog, &selection), &ledger);
    let mut rows = Vec::new();
    for verdict in &selection.skills {
        let Some((source, skill)) = catalog.skill(verdict.id) else { continue };
        let name = skill.document.name.as_str();
        let installed = Known { context, catalog: &catalog, ledger: &ledger, missing: &missing };
        let Some(Standing { state, reason, is_odd }) = installed.state_of(verdict, name) else { continue };
        let found = verdict.crates.first();
        rows.push(Row {
            name: name.to_owned(),
            kind: "skill",
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
                | SkillState::NoWorkspace => installed_for(context, &ledger, name),
            },
            reason,
            findings: deceptions
                .iter()
                .filter(|found| found.name == name && found.place == skill.shown)
                .map(Deception::sentence)
                .collect(),
            is_odd,
        });
    }
    for verdict in selection.plugins.iter().filter(|verdict| verdict.verdict.holds) {
        let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
        let plugin = &loaded.plugin;
        if !plugin.has_workflow() {
            continue;
        }
        let workflows = context.workflows();
        let rank = source.spec.rank;
        let mut hooks = plugin.hooks.iter();
        let on = workflows.plugin_is_on(rank, &plugin.name)
            || hooks.any(|hook| workflows.hook_is_on(rank, &plugin.name, &hook.name));
        let waiting = trust.standing(verdict.id).and_then(|standing| waiting(&standing.permission));
        let unheard = unheard(plugin, |hook| workflows.hook_is_on(rank, &plugin.name, &hook.name));
        let (state, reason) = match (verdict.shadowed_by.is_some(), on, waiting) {
            _ if verdict.is_candidate() && !is_off(context, &plugin.name) => {
                let krate = source.krate().map_or(plugin.name.clone(), |place| place.name.to_string());
                ("candidate", format!("{krate} itself brings it; `symposium on {krate}` switches it on"))
            }
            (true, _, _) => {
                let winner = verdict.shadowed_by.and_then(|winner| catalog.plugin(winner));
                let place = winner.map_or("another", |(_, winner)| winner.shown.as_str());
                ("conflict", gives_way("plugin", place))
            }
            (false, false, _) => ("off", format!("`symposium on {}` switches it on", plugin.name)),
            (false, true, Some(reason)) => ("untrusted", reason),
            (false, true, None) if unheard.is_empty() => ("on", "its conditions hold".to_owned()),
            (false, true, None) => ("on", format!("its conditions hold. {}", unheard.join(". "))),
        };
        let findings = if state == "on" { unheard } else { Vec::new() };
        rows.push(Row {
            name: plugin.name.clone(),
            kind: "workflow",
            krate: source.krate().map(|place| place.name.to_string()),
            crate_version: source.krate().map(|place| place.version.to_string()),
            source: source.spec.name.clone(),
            state,
            agents: Vec::new(),
            reason,
            findings,
            is_odd: state == "conflict",
        });
    }
    rows.extend(orphans(context, &ledger, &rows, &Absence::of(context, &catalog, crates.as_ref())));
    match context.printer.answer {
        Answer::Json => context.printer.json(&Document { version: 1, extensions: rows }),
        Answer::Human => {
            context.printer.text(&table(&rows));
            if rows.iter().any(|row| row.agents.is_empty() && row.kind == "skill") && context.agents().is_empty() {
                context
                    .printer
                    .hint("no agent is configured, so no skill is installed; `symposium init` sets up yours");
            }
            for finding in rows.iter().flat_map(|row| &row.findings) {
                context.printer.warning(finding);
            }
            let mut waiting: Vec<&str> =
                rows.iter().filter(|row| row.state == "candidate").filter_map(|row| row.krate.as_deref()).collect();
            waiting.sort_unstable();
            waiting.dedup();
            for krate in waiting {
                context.printer.note(&format!(
                    "`{krate}` brings extensions of its own, which nobody switched on; `symposium on {krate}` does"
                ));
            }
            let untrusted = rows.iter().filter(|row| row.state == "untrusted");
            for row in untrusted {
                context.printer.warning(&format!("Nothing of `{}` is run: {}", row.name, row.reason));
            }
        }
    }
    Exit::Ok
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

/// What is known about what is installed.
struct Known<'k> {
    context: &'k Context,
    catalog: &'k Catalog,
    ledger: &'k Ledger,
    missing: &'k [Missing],
}

/// How a skill stands.
struct Standing {
    state: &'static str,
    reason: String,
    /// Whether that leaves a question.
    is_odd: bool,
}

impl Known<'_> {
    /// The state of a skill that matches; `None` for one that does not.
    fn state_of(&self, verdict: &SkillVerdict, name: &str) -> Option<Standing> {
        let plain = |state, reason| Some(Standing { state, reason, is_odd: false });
        let odd = |state, reason| Some(Standing { state, reason, is_odd: true });
        match verdict.state {
            SkillState::DoesNotMatch | SkillState::NoWorkspace => None,
            SkillState::Candidate => plain("candidate", guidance::candidate(verdict)),
            SkillState::Off => plain("off", "switched off in `.symposium/config.toml`".to_owned()),
            SkillState::Blocked(kind) => odd("blocked", format!("its text has {}", kind.describe())),
            SkillState::Shadowed(winner) => {
                let place = self.catalog.skill(winner).map_or("another", |(_, skill)| skill.shown.as_str());
                odd("conflict", gives_way("skill", place))
            }
            SkillState::PluginShadowed(winner) => {
                let winner = self.catalog.plugin(winner).map(|(_, winner)| winner);
                let what = match winner.map(|winner| winner.kind) {
                    Some(PluginKind::StandAlone) => "skill",
                    Some(PluginKind::Manifest) | None => "plugin",
                };
                odd("conflict", gives_way(what, winner.map_or("another", |winner| winner.shown.as_str())))
            }
            SkillState::Applies => Some(self.applying(verdict, name)),
        }
    }

    fn applying(&self, verdict: &SkillVerdict, name: &str) -> Standing {
        if records(self.context, self.ledger, name).any(|record| !is_as_written(record)) {
            let reason =
                format!("edited since it was installed, and kept; `symposium sync --restore {name}` puts it back");
            return Standing { state: "drifted", reason, is_odd: true };
        }
        let absent: Vec<(&'static str, String)> =
            self.missing.iter().filter(|missing| missing.name == name).map(|missing| self.absence(missing)).collect();
        // What needs a person first.
        let state = ["conflict", "blocked"].into_iter().find(|state| absent.iter().any(|(other, _)| other == state));
        let matched = if verdict.crates.is_empty() {
            String::from("for no crate in particular")
        } else {
            format!("matches {}", symposium_model::explain::list(&verdict.crates))
        };
        let renamed = records(self.context, self.ledger, name).find_map(|record| {
            let installed = record.path.file_name()?.to_str()?;
            (installed != name).then(|| format!("installed as `{installed}`, because you have a `{name}` of your own"))
        });
        let remarks: Vec<String> = absent.into_iter().map(|(_, reason)| reason).chain(renamed).collect();
        match remarks.is_empty() {
            true => Standing { state: "on", reason: matched, is_odd: false },
            false => Standing { state: state.unwrap_or("on"), reason: remarks.join("; "), is_odd: true },
        }
    }

    /// The state that a missing skill has, and the reason.
    fn absence(&self, missing: &Missing) -> (&'static str, String) {
        let agents: Vec<&str> = missing.agents.iter().map(|agent| agent.name()).collect();
        let absent = format!("not installed for {}", agents.join(", "));
        match &missing.cause {
            Cause::NotYet => ("on", format!("{absent} yet; `symposium sync` does it")),
            Cause::Unrecorded => {
                ("on", format!("there for {}, but not recorded; `symposium sync` does that", agents.join(", ")))
            }
            Cause::Taken(path) => {
                let path = actions::shown(self.context, path);
                let fix = "rename yours, and run `symposium sync`";
                ("conflict", format!("{absent}: `{path}` is yours, and stays; {fix}"))
            }
            Cause::Unwritable(reason) => {
                ("blocked", format!("{absent}: {reason}; mend that, and run `symposium sync`"))
            }
            Cause::Locked => {
                let fix = "`symposium sync --update` moves the lock to what there is now";
                ("blocked", format!("{absent}: the project is locked to another content of it; {fix}"))
            }
        }
    }
}

/// The records of a skill in this workspace.
fn records<'l>(context: &'l Context, ledger: &'l Ledger, name: &'l str) -> impl Iterator<Item = &'l Record> {
    ledger
        .records
        .iter()
        .filter(move |record| record.extension.as_deref() == Some(name) && record.is_for(context.root()))
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

fn installed_for(context: &Context, ledger: &Ledger, name: &str) -> Vec<&'static str> {
    let mut agents: Vec<&'static str> = records(context, ledger, name)
        .filter(|record| matches!(observe(&record.path), Ok(Installed::Directory(_))))
        .flat_map(|record| record.agents.iter().map(|agent| spec(*agent).id.name()))
        .collect();
    agents.sort_unstable();
    agents.dedup();
    agents
}

/// Skills that are installed though nothing asks for them any more.
fn orphans(context: &Context, ledger: &Ledger, rows: &[Row], absence: &Absence<'_>) -> Vec<Row> {
    let here = ledger.records.iter().filter(|record| record.is_for(context.root()));
    let mut names: Vec<&str> = here.filter_map(|record| record.extension.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    let mut orphans = Vec::new();
    for name in names.into_iter().filter(|name| !rows.iter().any(|row| row.name == *name)) {
        let is_there = |record: &&Record| !matches!(observe(&record.path), Ok(Installed::Absent));
        let there: Vec<&Record> = records(context, ledger, name).filter(is_there).collect();
        let edited = there.iter().filter(|record| !is_as_written(record)).count();
        let gone = there.iter().all(|record| absence.skill_is_gone(name, record.source.as_deref()));
        let fate = match (gone, edited) {
            (false, _) => "it is kept until everything can be read again",
            (true, 0) => "`symposium sync` removes it",
            (true, all) if all == there.len() => "it was edited since it was installed, so it is kept",
            (true, _) => "`symposium sync` removes it where it was not edited, and keeps the rest",
        };
        let mut agents: Vec<&'static str> =
            there.iter().flat_map(|record| record.agents.iter().map(|agent| agent.name())).collect();
        agents.sort_unstable();
        agents.dedup();
        if !there.is_empty() {
            orphans.push(Row {
                name: name.to_owned(),
                kind: "skill",
                krate: None,
                crate_version: None,
                source: String::new(),
                state: "orphaned",
                agents,
                reason: format!("nothing asks for it any more; {fate}"),
                findings: Vec::new(),
                is_odd: true,
            });
        }
    }
    orphans
}

/// Before the reason of the state above.
const INDENT: &str = "    ";

/// The agents get at least this much of a line.
const NARROWEST: usize = 20;

fn table(rows: &[Row]) -> Text {
    if rows.is_empty() {
        return Text::default().line("No extension applies here.");
    }
    let header = ["EXTENSION", "CRATE", "SOURCE", "STATE", "AGENTS"].map(str::to_owned);
    let mut lines = vec![header];
    for row in rows {
        let krate = match (&row.krate, &row.crate_version) {
            (Some(krate), Some(version)) => format!("{krate} {version}"),
            _ => "-".to_owned(),
        };
        let agents = if row.agents.is_empty() { "-".to_owned() } else { row.agents.join(", ") };
        lines.push([row.name.clone(), krate, row.source.clone(), row.state.to_owned(), agents]);
    }
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..4).map(width).collect();
    let before_agents: usize = widths.iter().map(|width| width + 2).sum();
    let mut text = Text::default();
    for (number, line) in lines.iter().enumerate() {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{}  ", pad(cell, *width)));
        let mut joined: String = cells.collect();
        // Eight agents do not fit beside the rest; they go on below, in their column.
        let agents = line.last().map(String::as_str).unwrap_or_default();
        let agents = wrap(agents, WIDTH.saturating_sub(before_agents).max(NARROWEST));
        joined.push_str(&agents.join(&format!("\n{}", " ".repeat(before_agents))));
        text = if number == 0 { text.heading(joined.trim_end()) } else { text.line(joined.trim_end()) };
        let row = number.checked_sub(1).and_then(|number| rows.get(number));
        for line in row.filter(|row| row.is_odd).map(|row| wrap(&row.reason, WIDTH - INDENT.len())).unwrap_or_default()
        {
            text = text.dim(format!("{INDENT}{line}")).end();
        }
    }
    text
}
