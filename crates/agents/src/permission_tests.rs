use serde_json::json;
use symposium_model::agent::AgentId;

use super::*;
use crate::spec;

fn patterns(agent: AgentId, path: &str, value: &Value) -> Vec<Option<String>> {
    let ends_so = |file: &&PermissionFile| match file.at {
        LayerPath::Home(at) | LayerPath::Project(at) | LayerPath::GitRoot(at) => at.ends_with(path),
        LayerPath::MachineFolder { .. } | LayerPath::Machine { .. } => false,
    };
    let file = spec(agent).permissions.iter().find(ends_so).unwrap_or_else(|| panic!("{agent} has no {path}"));
    (file.rules)(value).into_iter().map(|rule| rule.pattern).collect()
}

#[test]
fn rules_are_found_as_each_agent_writes_them() {
    let some = |texts: &[&str]| texts.iter().map(|text| Some((*text).to_owned())).collect::<Vec<_>>();
    let claude = json!({"permissions": {
        "allow": ["Bash(git status)", "Read(src/**)", "Bash", "WebFetch"],
        "deny": ["Bash(git push:*)", 3],
        "ask": ["Bash(npm run test *)"],
    }});
    for path in [".claude/settings.json", ".claude/settings.local.json"] {
        assert_eq!(
            patterns(AgentId::Claude, path, &claude),
            some(&["git status", "git push:*", "npm run test *"]),
            "{path}"
        );
    }
    let gemini = json!({"tools": {"allowed": ["run_shell_command(cargo test)", "read_file"], "exclude": ["ShellTool(rm -rf)"],
        "core": ["run_shell_command"]}, "excludeTools": ["run_shell_command(git push)"]});
    assert_eq!(patterns(AgentId::Gemini, "settings.json", &gemini), some(&["cargo test*", "rm -rf*", "git push*"]));
    let policy = json!({"rule": [
        {"toolName": "run_shell_command", "commandPrefix": "cargo test", "decision": "allow"},
        {"toolName": "run_shell_command", "commandPrefix": ["git push", "git reset"], "decision": "deny"},
        {"toolName": ["run_shell_command"], "commandRegex": "^git", "decision": "deny"},
        {"toolName": "read_file", "argsPattern": "x", "decision": "deny"},
        {"toolName": "run_shell_command", "decision": "ask_user"},
    ]});
    let mut expected = some(&["cargo test*", "git push*", "git reset*"]);
    expected.push(None);
    assert_eq!(patterns(AgentId::Gemini, "policies/*.toml", &policy), expected);
    let codex = "prefix_rule(pattern=[\"cargo\",\"test\"], decision=\"allow\")\n\
                 prefix_rule(\n    pattern = ['git', [\"push\", \"reset\"], 'x'],\n    decision = \"forbidden\",\n)\n";
    assert_eq!(patterns(AgentId::Codex, "rules/*.rules", &json!(codex)), some(&["cargo test", "git"]));
    let copilot = json!({"locations": {"/w": {"tool_approvals": [
        {"kind": "commands", "commandIdentifiers": ["git push", "cargo:*"]}, {"kind": "write"},
    ]}}});
    assert_eq!(patterns(AgentId::Copilot, "permissions-config.json", &copilot), some(&["git push*", "cargo*"]));
    let opencode = json!({"permission": {"bash": {"*": "ask", "git push*": "deny"}, "edit": "allow"},
        "agent": {"plan": {"permission": {"bash": {"cargo *": "allow"}}}, "build": {"permission": "allow"}}});
    assert_eq!(patterns(AgentId::OpenCode, "opencode.jsonc", &opencode), some(&["*", "git push*", "cargo *"]));
    assert_eq!(patterns(AgentId::OpenCode, "opencode.json", &json!({"permission": "ask"})), some(&[]));
    let cursor = json!({"permissions": {"allow": ["Shell(git)", "Read(**)"], "deny": ["Shell(rm)"]}});
    assert_eq!(patterns(AgentId::Cursor, "cli-config.json", &cursor), some(&["git*", "rm*"]));
}

#[test]
fn every_agent_that_takes_a_changed_command_has_a_place_for_rules() {
    use crate::{RewriteEffect, dialect};
    use symposium_model::hook::Event;
    // Pi asks no permission at all, no rules about single commands are known of Cline and Crush, and droid takes a changed
    // command only with a plugin's allow.
    let without_rules = [AgentId::Cline, AgentId::Pi, AgentId::Crush, AgentId::Droid];
    for agent in AgentId::ALL.into_iter().filter(|agent| !without_rules.contains(agent)) {
        let can = dialect(agent).can.at(Event::PreToolUse);
        let rewrites = can.is_some_and(|can| can.rewrite != RewriteEffect::Impossible);
        assert_eq!(!spec(agent).permissions.is_empty(), rewrites, "{agent}");
    }
}
