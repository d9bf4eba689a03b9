//! `symposium doctor`: each agent, what is not as it should be, and the fix.

use serde::Serialize;
use symposium_agents::spec;
use symposium_model::agent::AgentId;

use crate::ops::agent_detection::{self, AgentPresence};
use crate::ops::context::Context;
use crate::ops::query::doctor::{AgentReport, ByName, FindingWeight, MeasureMode, examine};
use crate::ops::reconcile::ledger_store;
use crate::ops::reconcile::servers::plugin_servers;
use crate::ops::trust::TrustReport;
use crate::ops::{catalog, fallback_plugins, hook_plan};
use crate::ui::exit::CommandExit;
use crate::ui::printer::OutputFormat;
use crate::ui::text::{StyledText, begin_lower};

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
pub(super) enum NetworkUse {
    Allowed,
    OffLimits,
}

/// Runs the command; an error among the findings makes the answer no.
pub(super) fn run(context: &Context, named: Vec<AgentId>, network: NetworkUse) -> CommandExit {
    let measure = match network {
        NetworkUse::Allowed if !named.is_empty() => MeasureMode::Start,
        NetworkUse::Allowed | NetworkUse::OffLimits => MeasureMode::Look,
    };
    let mut agents: Vec<AgentId> = if named.is_empty() {
        let mut agents = context.user_agents();
        agents.extend(context.project_agents());
        agents.extend(if agents.is_empty() { agent_detection::agents(context.home.as_deref()) } else { Vec::new() });
        agents
    } else {
        named
    };
    agents.sort();
    agents.dedup();
    let PluginAgents { called, awaiting } = plugins(context);
    let examined = agents.into_iter().map(|agent| examine(context, agent, measure, &called));
    let examinations: Vec<AgentReport> = examined.collect();
    // Every agent is examined by what it says; what is wrong with it is said once.
    ledger_store::read(context);
    match context.printer.answer {
        OutputFormat::Json => {
            let agents = examinations.iter().map(row).collect();
            context.printer.json(&Document { version: 1, agents, awaiting });
        }
        OutputFormat::Human => {
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
    let failing =
        examinations.iter().flat_map(|found| &found.findings).any(|found| found.weight == FindingWeight::Error);
    if failing { CommandExit::No } else { CommandExit::Ok }
}

/// What plugins have to do with agents here.
struct PluginAgents {
    /// Programs that their hooks and servers start by name.
    called: Vec<ByName>,
    /// Those whose executables wait for a grant.
    awaiting: Vec<String>,
}

fn plugins(context: &Context) -> PluginAgents {
    let crates = context.workspace_crates();
    let crate_set = crates.as_ref().map(|workspace| &workspace.crates);
    let catalog = catalog::read_silently(context, crate_set);
    let selection = fallback_plugins::select(context, &catalog, crate_set);
    let (trust, ledger) = (TrustReport::load(context, &catalog, &selection), ledger_store::read_silently(context));
    let awaiting = trust.awaiting(&catalog);
    let servers = catalog::with_facts(context, &catalog, crate_set, |facts| {
        plugin_servers(context, &catalog, &selection, facts, &trust, &ledger)
    });
    let (catalog, selection, crates) = (&catalog, &selection, crates.as_ref());
    let plans =
        hook_plan::compile(hook_plan::Input { context, catalog, selection, crates, ledger: &ledger, trust: &trust });
    let handlers = plans.files.iter().flat_map(|(_, plan)| &plan.handlers);
    let mut called: Vec<ByName> = handlers.filter_map(ByName::of_handler).collect();
    called.extend(servers.permitted.iter().filter_map(|server| ByName::of_server(&server.server)));
    PluginAgents { called, awaiting }
}

fn word(weight: FindingWeight) -> &'static str {
    match weight {
        FindingWeight::Error => "error",
        FindingWeight::Warning => "warning",
    }
}

fn row(found: &AgentReport) -> Row {
    Row {
        name: found.agent.name(),
        installed: matches!(found.presence, AgentPresence::Program(_)),
        found: match found.presence {
            AgentPresence::Program(_) => "program",
            AgentPresence::Directory(_) => "directory",
            AgentPresence::Nowhere => "nothing",
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

fn text(examinations: &[AgentReport]) -> StyledText {
    if examinations.is_empty() {
        return StyledText::default()
            .line("No agent is configured, and none was found; `symposium init --agent NAME` sets one up.");
    }
    let mut text = StyledText::default();
    for found in examinations {
        let installed = match (&found.presence, &found.version) {
            (AgentPresence::Program(_), Some(version)) => format!("installed, {version}"),
            (AgentPresence::Program(_), None) => "installed".to_owned(),
            (AgentPresence::Directory(_), _) => "used (directory only, program not found on PATH)".to_owned(),
            (AgentPresence::Nowhere, _) => "not found".to_owned(),
        };
        text = text.strong(spec(found.agent).title).line(format!(": {installed}"));
        for finding in &found.findings {
            let label = word(finding.weight);
            text = match finding.weight {
                FindingWeight::Error => text.plain("  ").error(label),
                FindingWeight::Warning => text.plain("  ").warning(label),
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
