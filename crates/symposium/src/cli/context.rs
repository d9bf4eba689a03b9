//! `symposium context`: the text that stands in a model's context because of Symposium, for each agent.

use serde::Serialize;
use symposium_agents::spec;
use symposium_model::agent::AgentId;

use super::mcp::INSTRUCTIONS;
use super::session::CliSession;
use crate::error::CommandExit;
use crate::ops::agent_detection;
use crate::ops::query::context_cost::{ContextCost, measure};
use crate::ops::resolve::{LedgerDetail, ResolutionDetail};
use crate::ops::trust::TrustDetail;
use crate::ui::printer::OutputFormat;
use crate::ui::text::{StyledText, begin_lower, count_of, pad};

#[derive(Serialize)]
struct Document {
    version: u32,
    agents: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    parts: Vec<PartRow>,
    bytes: usize,
    /// The agent's limit for the list of skills.
    limit: Option<usize>,
    /// Whether the list of skills passes the limit.
    over: bool,
}

#[derive(Serialize)]
struct PartRow {
    what: &'static str,
    bytes: usize,
}

pub(super) fn run(session: &mut CliSession, named: Vec<AgentId>) -> CommandExit {
    let detail = ResolutionDetail::RELEVANT.with_trust(TrustDetail::Granted).with_ledger(LedgerDetail::Read);
    let resolution = session.resolve(detail);
    let agents = if named.is_empty() { known_agents(session) } else { named };
    let costs = measure(&session.context, &resolution, &agents, INSTRUCTIONS);
    match session.printer.answer {
        OutputFormat::Json => {
            session.printer.json(&Document { version: 1, agents: costs.iter().map(row).collect() });
        }
        OutputFormat::Human if costs.is_empty() => session.printer.text(
            &StyledText::default()
                .line("No agent is configured, and none was found; `symposium init --agent NAME` sets one up."),
        ),
        OutputFormat::Human => session.printer.text(&costs.iter().fold(StyledText::default(), page)),
    }
    CommandExit::Ok
}

fn known_agents(session: &CliSession) -> Vec<AgentId> {
    let context = &session.context;
    let mut agents = [context.user_agents(), context.project_agents()].concat();
    if agents.is_empty() {
        agents = agent_detection::agents(context.home.as_deref());
    }
    agents.sort();
    agents.dedup();
    agents
}

fn row(cost: &ContextCost) -> Row {
    Row {
        name: cost.agent.name(),
        parts: cost.parts.iter().map(|part| PartRow { what: part.what, bytes: part.bytes }).collect(),
        bytes: cost.bytes(),
        limit: cost.listing.limit().map(|limit| limit.room),
        over: cost.listing.is_over(),
    }
}

fn page(text: StyledText, cost: &ContextCost) -> StyledText {
    let line = |what: &str, bytes: usize, more: &str| {
        let line = format!("  {}{bytes:>8} bytes{:>8} tokens{more}", pad(what, 18), bytes / 4);
        line.trim_end().to_owned()
    };
    let listed = match cost.listing.limit() {
        Some(limit) => format!("   {}; limit {}", count_of(cost.listing.skills.len(), "skill"), limit.room),
        None => format!("   {}; no limit known", count_of(cost.listing.skills.len(), "skill")),
    };
    let mut text = text.strong(spec(cost.agent).title).end();
    for (at, part) in cost.parts.iter().enumerate() {
        text = text.line(line(part.what, part.bytes, if at == 0 { &listed } else { "" }));
    }
    text = text.line(line("total", cost.bytes(), ""));
    if let Some(warning) = &cost.warning {
        text = text.plain("  ").warning("warning").line(format!(": {}", begin_lower(&warning.message)));
        text = text.dim(format!("    help: {}", warning.fix)).end();
    }
    text
}
