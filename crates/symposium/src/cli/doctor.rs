//! `symposium doctor`: each agent, what is not as it should be, and the fix.

use serde::Serialize;
use symposium_agents::spec;
use symposium_model::agent::AgentId;

use crate::app::context::Context;
use crate::app::detect::{self, Presence};
use crate::app::doctor::{ByName, Examination, Measure, Weight, examine};
use crate::app::sync::ledger_file;
use crate::app::sync::servers::plugin_servers;
use crate::app::trust::Trust;
use crate::app::{catalog, plan, stand_ins};
use crate::ui::exit::Exit;
use crate::ui::printer::Answer;
use crate::ui::text::{Text, begin_lower};

#[derive(Serialize)]
struct Document {
    version: u32,
    agents: Vec<Row>,
    /// Plugins whose executables wait for a grant.
    awaiting: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    installed: bool,
    /// What shows that it is there: its `program`, only a `directory`, or `nothing`.
    found: &'static str,
    version: Option<String>,
    answered_in_ms: Option<f64>,
    /// How long the agent took to load a plugin, where that was measured.
    plugin_loaded_in_ms: Option<f64>,
    instructions: Vec<String>,
    findings: Vec<FindingRow>,
}

#[derive(Serialize)]
struct FindingRow {
    severity: &'static str,
    message: String,
    fix: String,
}

/// Whether an agent may be started that uses the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Network {
    /// It may.
    Allowed,
    /// Not in this call.
    OffLimits,
}

/// Runs the command; an error among the findings makes the answer no.
pub(super) fn run(context: &Context, named: Vec<AgentId>, network: Network) -> Exit {
    let measure = match network {
        Network::Allowed if !named.is_empty() => Measure::Start,
        Network::Allowed | Network::OffLimits => Measure::Look,
    };
    let mut agents: Vec<AgentId> = if named.is_empty() {
        let mut agents = context.user_agents();
        agents.extend(context.project_agents());
        agents.extend(if agents.is_empty() { detect::agents(context.home.as_deref()) } else { Vec::new() });
        agents
    } else {
        named
    };
    agents.sort();
    agents.dedup();
    let Plugins { called, awaiting } = plugins(context);
    let examined = agents.into_iter().map(|agent| examine(context, agent, measure, &called));
    let examinations: Vec<Examination> = examined.collect();
    // Every agent is examined by what it says; what is wrong with it is said once.
    ledger_file::read(context);
    match context.printer.answer {
        Answer::Json => {
            let agents = examinations.iter().map(row).collect();
            context.printer.json(&Document { version: 1, agents, awaiting });
        }
        Answer::Human => {
            context.printer.text(&text(&examinations));
            super::sync::mention_unserved_agents(context);
            if !awaiting.is_empty() {
                let names: Vec<String> = awaiting.iter().map(|name| format!("`{name}`")).collect();
                context
                    .printer
                    .warning(&format!("Nobody agreed to what these plugins would run: {}", names.join(", ")));
                context.printer.hint("`symposium trust` shows it, and asks");
            }
        }
    }
    let failing = examinations.iter().flat_map(|found| &found.findings).any(|found| found.weight == Weight::Error);
    if failing { Exit::No } else { Exit::Ok }
}

/// What plugins have to do with agents here.
struct Plugins {
    /// Programs that their hooks and servers start by name.
    called: Vec<ByName>,
    /// Those whose executables wait for a grant.
    awaiting: Vec<String>,
}

fn plugins(context: &Context) -> Plugins {
    let crates = context.workspace_crates();
    let crate_set = crates.as_ref().map(|workspace| &workspace.crates);
    let catalog = catalog::read_silently(context, crate_set);
    let selection = stand_ins::select(context, &catalog, crate_set);
    let (trust, ledger) = (Trust::of(context, &catalog, &selection), ledger_file::read_silently(context));
    let awaiting = trust.awaiting(&catalog);
    let servers = catalog::with_facts(context, &catalog, crate_set, |facts| {
        plugin_servers(context, &catalog, &selection, facts, (&trust, &ledger))
    });
    let (catalog, selection, crates) = (&catalog, &selection, crates.as_ref());
    let plans = plan::compile(plan::Input { context, catalog, selection, crates, ledger: &ledger, trust: &trust });
    let handlers = plans.files.iter().flat_map(|(_, plan)| &plan.handlers);
    let mut called: Vec<ByName> = handlers.filter_map(ByName::of_handler).collect();
    called.extend(servers.permitted.iter().filter_map(|server| ByName::of_server(server.server())));
    Plugins { called, awaiting }
}

fn word(weight: Weight) -> &'static str {
    match weight {
        Weight::Error => "error",
        Weight::Warning => "warning",
    }
}

fn row(found: &Examination) -> Row {
    Row {
        name: found.agent.name(),
        installed: matches!(found.presence, Presence::Program(_)),
        found: match found.presence {
            Presence::Program(_) => "program",
            Presence::Directory(_) => "directory",
            Presence::Nowhere => "nothing",
        },
        version: found.version.clone(),
        answered_in_ms: found.answered_in.map(|took| took.as_secs_f64() * 1000.0),
        plugin_loaded_in_ms: found.loaded_in.map(|took| took.as_secs_f64() * 1000.0),
        instructions: found.instructions.iter().map(|path| path.display().to_string()).collect(),
        findings: found
            .findings
            .iter()
            .map(|finding| FindingRow {
                severity: word(finding.weight),
                message: finding.message.clone(),
                fix: finding.fix.clone(),
            })
            .collect(),
    }
}

fn text(examinations: &[Examination]) -> Text {
    if examinations.is_empty() {
        return Text::default()
            .line("No agent is configured, and none was found; `symposium init --agent NAME` sets one up.");
    }
    let mut text = Text::default();
    for found in examinations {
        let installed = match (&found.presence, &found.version) {
            (Presence::Program(_), Some(version)) => format!("installed, {version}"),
            (Presence::Program(_), None) => "installed".to_owned(),
            (Presence::Directory(_), _) => "used (directory only, program not found on PATH)".to_owned(),
            (Presence::Nowhere, _) => "not found".to_owned(),
        };
        text = text.strong(spec(found.agent).title).line(format!(": {installed}"));
        for finding in &found.findings {
            let label = word(finding.weight);
            text = match finding.weight {
                Weight::Error => text.plain("  ").error(label),
                Weight::Warning => text.plain("  ").warning(label),
            };
            text = text.line(format!(": {}", begin_lower(&finding.message)));
            text = text.dim(format!("    help: {}", finding.fix)).end();
        }
        for path in &found.instructions {
            text = text.dim(format!("  also reads {}", path.display())).end();
        }
        if let Some(took) = found.loaded_in {
            text = text.line(format!("  a plugin was loaded {:.1} s after the start", took.as_secs_f64()));
        }
        if let Some(took) = found.answered_in {
            text = text.line(format!("  a test event was answered in {:.1} ms", took.as_secs_f64() * 1000.0));
        }
    }
    text
}
