//! `symposium doctor`: each agent, what is not as it should be, and the fix.

use serde::Serialize;
use symposium_agents::spec;
use symposium_agents::spec::SpecEvidence;
use symposium_model::agent::AgentId;

use super::session::CliSession;
use crate::error::CommandExit;
use crate::ops::agent_detection::{self, AgentPresence};
use crate::ops::ledger_store;
use crate::ops::query::doctor::{AgentReport, FindingWeight, MeasureMode, examine, plan_report};
use crate::ops::resolve::{LedgerDetail, ResolutionDetail};
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
    /// The evidence of the agent: its `program`, only a `directory`, or `nothing`.
    found: &'static str,
    version: Option<String>,
    answered_in_ms: Option<f64>,
    /// The time that the agent took to load a plugin, if it was measured.
    plugin_loaded_in_ms: Option<f64>,
    instructions: Vec<String>,
    /// The rules because of which the workflow `rtk` leaves commands alone.
    rtk_rules: Vec<String>,
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
pub(super) fn run(session: &mut CliSession, named: Vec<AgentId>, network: NetworkUse) -> CommandExit {
    let printer = session.printer;
    let announce = |message: &str| {
        if printer.answer == OutputFormat::Human {
            printer.note(message);
        }
    };
    let measure = match network {
        NetworkUse::Allowed if !named.is_empty() => MeasureMode::Start(&announce),
        NetworkUse::Allowed | NetworkUse::OffLimits => MeasureMode::Look,
    };
    let mut agents: Vec<AgentId> = if named.is_empty() {
        let context = &session.context;
        let mut agents = context.user_agents();
        agents.extend(context.project_agents());
        agents.extend(if agents.is_empty() { agent_detection::agents(context.home.as_deref()) } else { Vec::new() });
        agents
    } else {
        named
    };
    agents.sort();
    agents.dedup();
    let resolution = session.resolve_inputs(ResolutionDetail::EVERYTHING.with_ledger(LedgerDetail::Read));
    let context = &session.context;
    let awaiting = resolution.trust.awaiting(&resolution.catalog);
    let plans = plan_report(context, &resolution);
    let examined = agents.into_iter().map(|agent| examine(context, &resolution, agent, measure, &plans));
    let examinations: Vec<AgentReport> = examined.collect();
    session.report_briefly(&resolution.diagnostics.ledger);
    ledger_store::restore_files(&resolution.ledger);
    match printer.answer {
        OutputFormat::Json => {
            let agents = examinations.iter().map(row).collect();
            printer.json(&Document { version: 1, agents, awaiting });
        }
        OutputFormat::Human => {
            printer.text(&text(&examinations));
            super::sync::mention_unserved_agents(session);
            if !awaiting.is_empty() {
                let names: Vec<String> = awaiting.iter().map(|name| format!("`{name}`")).collect();
                printer.warning(&format!("These plugins are not trusted yet: {}", names.join(", ")));
                printer.hint("run `symposium trust` to review them");
            }
        }
    }
    let failing =
        examinations.iter().flat_map(|found| &found.findings).any(|found| found.weight == FindingWeight::Error);
    if failing { CommandExit::No } else { CommandExit::Ok }
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
        rtk_rules: found.rules.clone(),
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
            .line("No agent is configured, and none was found. Run `symposium init --agent NAME` to set one up.");
    }
    let mut text = StyledText::default();
    for found in examinations {
        let installed = match (&found.presence, &found.version) {
            (AgentPresence::Program(_), Some(version)) => format!("installed, {version}"),
            (AgentPresence::Program(_), None) => "installed".to_owned(),
            (AgentPresence::Directory(_), _) => "used (directory only, program not found on PATH)".to_owned(),
            (AgentPresence::Nowhere, _) if spec(found.agent).programs.is_empty() => "any program".to_owned(),
            (AgentPresence::Nowhere, _) => "not found".to_owned(),
        };
        let evidence = match spec(found.agent).evidence {
            SpecEvidence::Ran(_) => "",
            SpecEvidence::Documents if spec(found.agent).programs.is_empty() => "",
            SpecEvidence::Documents => "; supported by its documents, not run by us",
        };
        text = text.strong(spec(found.agent).title).line(format!(": {installed}{evidence}"));
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
        if let Some(rule) = found.rules.first() {
            let count = found.rules.len();
            let rules = if count == 1 { "rule is".to_owned() } else { format!("{count} rules are") };
            text = text
                .dim(format!("  rtk does not shorten commands that your {rules} about, such as `{rule}`:"))
                .end()
                .dim("  the agent would judge the changed command, which the rule may not match")
                .end();
        }
        if let Some(took) = found.loaded_in {
            text = text.line(format!("  the agent took {:.1} s to load a plugin", took.as_secs_f64()));
        }
        if let Some(took) = found.answered_in {
            text = text.line(format!("  a test event was answered in {:.1} ms", took.as_secs_f64() * 1000.0));
        }
    }
    text
}
