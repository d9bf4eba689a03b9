//! The conversion of a hook's matcher to canonical names, so that it covers the same tools on every agent.

use std::collections::BTreeSet;

use symposium_model::agent::AgentId;
use symposium_model::hook::Matcher;

use crate::settings_layout::{MatcherSyntax, StarMeaning};
use crate::spec;
use crate::wire_format::{ToolInput, ToolMapping, WireFormat};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum MappedMatcher {
    All,
    Only { matcher: String, alone: Vec<String> },
    Never(&'static str),
}

/// Maps a matcher of an agent's tools. `servers` are the names of its MCP servers.
pub(super) fn map(
    agent: AgentId,
    matching: MatcherSyntax,
    written: Option<&str>,
    servers: &BTreeSet<String>,
) -> MappedMatcher {
    let holdings = spec(agent).holdings;
    let text = written.map_or("", str::trim);
    let nothing = text.is_empty();
    if text == "*" && holdings.star == StarMeaning::Never {
        return MappedMatcher::Never("the matcher `*` is not a regular expression, so it never ran");
    }
    if nothing || matches!(text, "*" | ".*") {
        return MappedMatcher::All;
    }
    let wire = &spec(agent).dialect.wire;
    // With this syntax, a list of plain names is exact, while anything else makes all of it a pattern.
    let by_name = matching == MatcherSyntax::NamesOrPattern && is_list_of_names(text);
    let names_are_parts = matching == MatcherSyntax::NamesOrPattern && !by_name;
    let matching = if names_are_parts { MatcherSyntax::Pattern } else { matching };
    let mut names: Vec<String> = Vec::new();
    let mut patterns: Vec<String> = Vec::new();
    let mut alone = Vec::new();
    for part in parts(text, matching) {
        let part = part.trim();
        if part.is_empty() {
            continue;
        }
        if let Some(tools) = of_server(wire, part, servers) {
            let is_name = tools.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            add(if is_name { &mut names } else { &mut patterns }, tools);
            continue;
        }
        let hits = hits(wire, matching, part);
        let is_tool = wire.tools.iter().any(|tool| tool.native.contains(&part));
        // A part of a name may occur in other names too.
        let is_name = is_tool || hits.is_empty() || matching != MatcherSyntax::Pattern;
        if is_plain(part) && is_name && !names_are_parts {
            if hits.is_empty() {
                if !is_canonical(part) && !part.starts_with("mcp__") {
                    alone.push(part.to_owned());
                }
                add(&mut names, part.to_owned());
            }
            for hit in hits {
                add(&mut names, hit.to_owned());
            }
            continue;
        }
        let pattern = as_pattern(part, matching);
        let covered = Matcher::Pattern(pattern.clone());
        for hit in hits.into_iter().filter(|hit| !covered.matches(&[hit])) {
            add(&mut names, hit.to_owned());
        }
        add(&mut patterns, pattern);
    }
    // A matcher of plain names is exact; a hyphen makes it a pattern.
    let is_exact = |name: &String| !name.contains('-');
    if !names.iter().all(is_exact) && names.len() + patterns.len() > 1 {
        patterns.extend(names.iter().filter(|name| !is_exact(name)).map(|name| format!("^{name}$")));
        names.retain(is_exact);
    }
    if patterns.is_empty() {
        return MappedMatcher::Only { matcher: names.join("|"), alone };
    }
    match names.as_slice() {
        [] => {}
        [name] => patterns.insert(0, format!("^{name}$")),
        names => patterns.insert(0, format!("^(?:{})$", names.join("|"))),
    }
    MappedMatcher::Only { matcher: patterns.join("|"), alone }
}

fn add(list: &mut Vec<String>, item: String) {
    if !list.contains(&item) {
        list.push(item);
    }
}

fn is_plain(part: &str) -> bool {
    part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

fn is_canonical(name: &str) -> bool {
    AgentId::ALL.into_iter().any(|agent| spec(agent).dialect.wire.tools.iter().any(|tool| tool.canonical == name))
}

/// Returns the canonical names of the agent's tools that a part of a matcher covers.
fn hits(wire: &WireFormat, matching: MatcherSyntax, part: &str) -> Vec<&'static str> {
    let matcher = match matching {
        MatcherSyntax::NamesOrPattern => Matcher::parse(part),
        MatcherSyntax::Pattern | MatcherSyntax::WholePattern | MatcherSyntax::Glob => {
            Matcher::Pattern(as_pattern(part, matching))
        }
    };
    let mut hits = Vec::new();
    for tool in wire.tools.iter().filter(|tool| is_main(wire, tool)) {
        if main_names(tool).iter().any(|name| matcher.matches(&[name])) && !hits.contains(&tool.canonical) {
            hits.push(tool.canonical);
        }
    }
    hits
}

/// Returns whether an agent's tool is the main one of its canonical name. A matcher for another tool that does the same
/// keeps its name, so that it does not cover more than before.
fn is_main(wire: &WireFormat, tool: &ToolMapping) -> bool {
    wire.tools.iter().find(|main| main.canonical == tool.canonical).is_some_and(|main| main.native == tool.native)
}

/// Returns the names of that tool; one whose input is a string may share a name with another.
fn main_names(tool: &ToolMapping) -> &'static [&'static str] {
    match tool.input {
        ToolInput::Text(_) => tool.native.get(..1).unwrap_or_default(),
        ToolInput::Keys | ToolInput::Composed(..) => tool.native,
    }
}

fn as_pattern(part: &str, matching: MatcherSyntax) -> String {
    match matching {
        MatcherSyntax::NamesOrPattern | MatcherSyntax::Pattern => part.to_owned(),
        MatcherSyntax::WholePattern => format!("^(?:{part})$"),
        MatcherSyntax::Glob => {
            let mut pattern = String::from("^");
            for character in part.chars() {
                match character {
                    '*' => pattern.push_str(".*"),
                    '?' => pattern.push('.'),
                    plain if plain.is_ascii_alphanumeric() || plain == '_' => pattern.push(plain),
                    special => pattern.extend(['\\', special]),
                }
            }
            pattern + "$"
        }
    }
}

/// Splits a matcher into its alternatives; one with brackets is not split.
fn parts(text: &str, matching: MatcherSyntax) -> Vec<&str> {
    match matching {
        MatcherSyntax::Glob => vec![text],
        MatcherSyntax::NamesOrPattern => text.split(['|', ',', ' ']).collect(),
        MatcherSyntax::Pattern | MatcherSyntax::WholePattern => {
            if text.contains(['(', '[', '\\']) {
                vec![text]
            } else {
                text.split('|').collect()
            }
        }
    }
}

fn is_list_of_names(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '|' | ',' | ' '))
}

/// Returns the canonical names of MCP tools for a part in the agent's notation.
fn of_server(wire: &WireFormat, part: &str, servers: &BTreeSet<String>) -> Option<String> {
    let bare = part.strip_prefix('^').unwrap_or(part);
    let ends = bare.strip_suffix('$').unwrap_or(bare);
    for server in servers {
        let start = (wire.mcp.join)(server, "");
        if !start.contains(server.as_str()) {
            continue;
        }
        if ends == start.trim_end_matches('/') || ends == start {
            return Some(format!("mcp__{server}__.*"));
        }
        if let Some(tool) = ends.strip_prefix(start.as_str()) {
            return Some(format!("mcp__{server}__{tool}"));
        }
    }
    // The prefix before every server's name: `mcp_`, `@`, `MCP:`.
    let example = (wire.mcp.join)("S", "T");
    let (start, _) = example
        .split_once('S')
        .filter(|_| !example.starts_with("MCP:"))
        .unwrap_or((example.strip_suffix('T').unwrap_or_default(), ""));
    if start.is_empty() || start.starts_with("mcp__") {
        return None;
    }
    let tool = ends.strip_prefix(start)?;
    if tool.is_empty() || tool == ".*" {
        return Some("mcp__.*".to_owned());
    }
    // Only where the name consists of the tool alone.
    example.starts_with("MCP:").then(|| format!("mcp__.*__{tool}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_have_one_name_on_every_agent() {
        let servers = BTreeSet::from(["github".to_owned()]);
        for (agent, written, wanted) in [
            (AgentId::Claude, "Bash", "Bash"),
            (AgentId::Claude, "Edit|MultiEdit, Write", "Edit|Write"),
            (AgentId::Claude, "MultiEdit", "Edit"),
            (AgentId::Claude, "Agent", "Task"),
            (AgentId::Claude, "mcp__github__.*", "mcp__github__.*"),
            (AgentId::Claude, "^(Write|Edit)$", "^(Write|Edit)$"),
            (AgentId::Claude, "Notebook.*", "Notebook.*"),
            // There it matches `NotebookEdit` too.
            (AgentId::Claude, "Edit|mcp__.*", "Edit|mcp__.*"),
            (AgentId::Claude, "^Agent$|mcp__.*", "^Task$|^Agent$|mcp__.*"),
            (AgentId::Gemini, "write_file|replace", "Write|Edit"),
            (AgentId::Gemini, "run_shell", "^Bash$|run_shell"),
            // There it matches `write_todos` too.
            (AgentId::Gemini, "write|glob", "^(?:Write|Glob)$|write"),
            (AgentId::Gemini, "run_.*", "^Bash$|run_.*"),
            (AgentId::Gemini, "write_.*|replace", "^(?:Write|Edit)$|write_.*"),
            (AgentId::Gemini, "mcp_github_create_issue", "mcp__github__create_issue"),
            (AgentId::Gemini, "^mcp_github_.*", "mcp__github__.*"),
            (AgentId::Gemini, "mcp_.*|glob", "^Glob$|mcp__.*"),
            (AgentId::Gemini, "list_directory", "list_directory"),
            (AgentId::Codex, "apply_patch|Bash", "Patch|Bash"),
            (AgentId::Copilot, "bash|create", "Bash|Write"),
            (AgentId::Copilot, "github-.*", "mcp__github__.*"),
            (AgentId::Copilot, "bash|my-tool", "^Bash$|^my-tool$"),
            (AgentId::Copilot, "b.sh", "^Bash$|^(?:b.sh)$"),
            (AgentId::Kiro, "fs_write", "Edit|Write"),
            (AgentId::Kiro, "fs_*", "^(?:Read|Edit|Write)$|^fs_.*$"),
            (AgentId::Kiro, "@github", "mcp__github__.*"),
            (AgentId::Kiro, "@github/get", "mcp__github__get"),
            (AgentId::Cursor, "Shell|MCP:search", "^Bash$|mcp__.*__search"),
            (AgentId::Goose, "shell", "Bash"),
            (AgentId::Goose, "github__search", "mcp__github__search"),
        ] {
            match map(agent, spec(agent).holdings.matching, Some(written), &servers) {
                MappedMatcher::Only { matcher, .. } => assert_eq!(matcher, wanted, "{agent} {written}"),
                other => panic!("{agent} {written}: {other:?}"),
            }
        }
    }

    #[test]
    fn every_tool_and_no_tool() {
        let map = |agent, written| map(agent, spec(agent).holdings.matching, written, &BTreeSet::new());
        for written in [None, Some(""), Some(" "), Some(".*")] {
            assert_eq!(map(AgentId::Claude, written), MappedMatcher::All);
            assert_eq!(map(AgentId::Goose, written), MappedMatcher::All);
        }
        assert_eq!(map(AgentId::Claude, Some("*")), MappedMatcher::All);
        assert!(matches!(map(AgentId::Goose, Some("*")), MappedMatcher::Never(_)));
        let MappedMatcher::Only { alone, .. } = map(AgentId::Gemini, Some("list_directory|glob")) else { panic!() };
        assert_eq!(alone, ["list_directory"]);
    }
}
