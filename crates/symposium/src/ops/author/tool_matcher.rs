//! Whether the matcher of a hook names tools that agents have.

use symposium_agents::{AgentEvent, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::{HookEvent, ToolMatcher};
use symposium_model::manifest::Hook;
use symposium_model::suggest::nearest;

/// Something about a matcher that its author should know.
pub(crate) struct MatcherRemark {
    pub(crate) word: String,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// Says what the author of a hook should know about its matcher.
pub(crate) fn remarks(hook: &Hook) -> Vec<MatcherRemark> {
    if !is_about_tools(hook) {
        return Vec::new();
    }
    match &hook.matcher {
        ToolMatcher::All => Vec::new(),
        ToolMatcher::Exact(names) => {
            let only = hook.only_agent();
            names.iter().filter_map(|name| remark(name, names, only)).collect()
        }
        ToolMatcher::Pattern(pattern) => pattern_remark(pattern, &hook.matcher).into_iter().collect(),
    }
}

/// Whether the event of a hook is about a tool: elsewhere a matcher means something else.
fn is_about_tools(hook: &Hook) -> bool {
    match &hook.event {
        HookEvent::Canonical(event) => event.is_about_tool(),
        HookEvent::Native { agent, event } => match dialect(*agent).event_from(event) {
            Some(AgentEvent::Canonical(event)) => event.is_about_tool(),
            Some(AgentEvent::ToolFailed) => true,
            Some(AgentEvent::Native(_)) | None => false,
        },
    }
}

/// The names every agent's tools are translated to.
fn canonical_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for tool in AgentId::ALL.into_iter().flat_map(|agent| dialect(agent).wire.tools) {
        if !names.contains(&tool.canonical) {
            names.push(tool.canonical);
        }
    }
    names
}

fn native_names(agent: AgentId) -> impl Iterator<Item = &'static str> {
    dialect(agent).wire.tools.iter().flat_map(|tool| tool.native.iter().copied())
}

/// Tools of MCP servers have names that only their servers know.
fn may_be_mcp(name: &str) -> bool {
    name.to_ascii_lowercase().starts_with("mcp") || name.contains("__")
}

fn is_known(name: &str) -> bool {
    canonical_names().contains(&name) || AgentId::ALL.into_iter().flat_map(native_names).any(|native| native == name)
}

/// Returns the remark about a name in a matcher; `None` if the name is known or may belong to an MCP tool.
fn remark(name: &str, names: &[String], only: Option<AgentId>) -> Option<MatcherRemark> {
    let canonical = canonical_names();
    if canonical.contains(&name) || may_be_mcp(name) {
        return None;
    }
    let owners: Vec<AgentId> =
        AgentId::ALL.into_iter().filter(|agent| native_names(*agent).any(|native| native == name)).collect();
    if only.is_some_and(|only| owners.contains(&only)) {
        return None;
    }
    let word = name.to_owned();
    if let Some(owner) = owners.first() {
        let tools = dialect(*owner).wire.tools.iter();
        let meant = tools.clone().find(|tool| tool.native.contains(&name)).map(|tool| tool.canonical)?;
        if names.iter().any(|other| other == meant) {
            return None;
        }
        let agents: Vec<&str> = owners.iter().map(|agent| agent.name()).collect();
        let message =
            format!("`{name}` is the name of `{meant}` in {}, so the hook runs on no other agent", agents.join(", "));
        return Some(MatcherRemark {
            word,
            message,
            help: format!("write `{meant}`, the canonical name for every agent"),
        });
    }
    let near = nearest(name, &canonical).or_else(|| {
        let natives: Vec<&str> = AgentId::ALL.into_iter().flat_map(native_names).collect();
        let near = nearest(name, &natives)?;
        let tools = AgentId::ALL.into_iter().flat_map(|agent| dialect(agent).wire.tools);
        tools.into_iter().find(|tool| tool.native.contains(&near)).map(|tool| tool.canonical)
    });
    // Beside others that agents have, a name is more likely a tool of one agent than a slip.
    let is_alone = !names.iter().any(|other| is_known(other));
    match (near, only.is_none() && is_alone) {
        (Some(near), _) => Some(MatcherRemark {
            word,
            message: format!("no agent has a tool `{name}`"),
            help: format!("did you mean `{near}`?"),
        }),
        // An agent has more tools than those with a name for all.
        (None, false) => None,
        (None, true) => Some(MatcherRemark {
            word,
            message: format!("`{name}` is not a canonical tool name"),
            help: format!("use one of {}, or name the agent that has this tool with `agent`", canonical.join(", ")),
        }),
    }
}

fn pattern_remark(pattern: &str, matcher: &ToolMatcher) -> Option<MatcherRemark> {
    if pattern.to_ascii_lowercase().contains("mcp") || matcher.fault().is_some() {
        return None;
    }
    let names = canonical_names().into_iter().chain(AgentId::ALL.into_iter().flat_map(native_names));
    let names: Vec<&str> = names.chain(["mcp__server__tool"]).collect();
    if matcher.matches(&names) {
        return None;
    }
    Some(MatcherRemark {
        word: pattern.to_owned(),
        message: format!("`{pattern}` matches no known tool of any agent"),
        help: format!("the tools are {}", canonical_names().join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_up_in_every_agents_words() {
        for (name, only, said) in [
            ("Bash", None, None),
            ("mcp__jira__create", None, None),
            ("jira__create", None, None),
            ("bash", None, Some("write `Bash`")),
            ("bash", Some(AgentId::OpenCode), None),
            ("bash", Some(AgentId::Claude), Some("write `Bash`")),
            ("Shel", None, Some("did you mean `Bash`?")),
            ("Edti", None, Some("did you mean `Edit`?")),
            ("NotebookEdit", None, Some("write `Edit`")),
            ("NotebookEdit", Some(AgentId::Claude), None),
            ("ExitPlanMode", None, Some("with `agent`")),
            ("ExitPlanMode", Some(AgentId::Claude), None),
        ] {
            let remark = remark(name, &[name.to_owned()], only);
            match (&remark, said) {
                (Some(remark), Some(said)) => assert!(remark.help.contains(said), "{name}: {}", remark.help),
                (None, None) => {}
                (Some(remark), None) => panic!("{name}: {}", remark.message),
                (None, Some(_)) => panic!("{name}: nothing is said"),
            }
        }
        let both = ["Edit".to_owned(), "MultiEdit".to_owned()];
        assert!(remark("MultiEdit", &both, None).is_none(), "the name for all is there too");
        for (pattern, is_known) in
            [("^Ba", true), ("Notebook.*", true), ("ExitPlan.*", false), ("mcp__.*", true), (".*", true)]
        {
            assert_eq!(pattern_remark(pattern, &ToolMatcher::parse(pattern)).is_none(), is_known, "{pattern}");
        }
    }
}
