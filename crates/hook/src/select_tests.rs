use serde_json::{Map, json};
use symposium_model::hook::hook_plan::HandlerAction;
use symposium_model::hook::{NativeUse, ToolMatcher, ToolResult, ToolUse};

use super::*;

fn handler(plugin: &str, matcher: &str, format: PayloadFormat, agent: Option<AgentId>) -> Handler {
    let run = HandlerAction::Direct { program: "true".to_owned(), args: vec![] };
    let plain = Handler::new(plugin, &format!("{matcher}-{format:?}"), run);
    Handler { matcher: ToolMatcher::parse(matcher), agent, format, ..plain }
}

fn tool(canonical: &str, native: &str) -> HookInput {
    let native = NativeUse { name: native.to_owned(), input: json!({}) };
    let tool = ToolUse { name: canonical.to_owned(), input: Map::new(), native: Some(native) };
    HookInput { agent: None, session_id: None, cwd: None, sub_agent: None, detail: EventDetail::PreToolUse(tool) }
}

fn chosen(all: &[Handler], input: &HookInput, agent: AgentId) -> Vec<String> {
    handlers(all, input, Some(agent), &[]).into_iter().map(|handler| handler.name.clone()).collect()
}

#[test]
fn matchers_are_tried_on_both_names() {
    let canonical = PayloadFormat::Symposium;
    let all = [
        handler("a", "Bash", canonical, None),
        handler("b", "shell", canonical, None),
        handler("c", "Edit", canonical, None),
        handler("d", "", canonical, Some(AgentId::Claude)),
    ];
    assert_eq!(chosen(&all, &tool("Bash", "shell"), AgentId::Goose), ["Bash-Symposium", "shell-Symposium"]);
    assert_eq!(chosen(&all, &tool("Patch", "apply_patch"), AgentId::Codex), ["Edit-Symposium"]);
    assert_eq!(chosen(&all, &tool("X", "x"), AgentId::Claude), ["-Symposium"]);
}

#[test]
fn one_plugin_answers_in_one_format() {
    let claude = PayloadFormat::Agent(AgentId::Claude);
    let gemini = PayloadFormat::Agent(AgentId::Gemini);
    let all = [
        handler("p", "Bash", claude, None),
        handler("p", "Bash", PayloadFormat::Symposium, None),
        handler("q", "Bash", claude, None),
        handler("q", "run_shell_command", gemini, None),
        handler("r", "Edit", claude, None),
        handler("r", "Bash", PayloadFormat::Symposium, None),
    ];
    let bash = tool("Bash", "run_shell_command");
    assert_eq!(
        chosen(&all, &tool("Bash", "Bash"), AgentId::Claude),
        ["Bash-Agent(Claude)", "Bash-Agent(Claude)", "Bash-Symposium"]
    );
    assert_eq!(
        chosen(&all, &bash, AgentId::Gemini),
        ["Bash-Symposium", "run_shell_command-Agent(Gemini)", "Bash-Symposium"]
    );
    assert_eq!(chosen(&all, &bash, AgentId::Goose), ["Bash-Symposium", "Bash-Agent(Claude)", "Bash-Symposium"]);
}

#[test]
fn what_was_imported_counts_whatever_language_it_speaks() {
    let apart = |matcher, format| Handler { apart: true, ..handler("p", matcher, format, None) };
    let all = [
        apart("Bash", PayloadFormat::Agent(AgentId::Claude)),
        apart("Bash", PayloadFormat::Agent(AgentId::Copilot)),
        apart("Edit", PayloadFormat::Agent(AgentId::Copilot)),
    ];
    for agent in [AgentId::Copilot, AgentId::Claude, AgentId::Gemini] {
        let found = chosen(&all, &tool("Bash", "bash"), agent);
        assert_eq!(found, ["Bash-Agent(Claude)", "Bash-Agent(Copilot)"], "{agent}");
    }
}

#[test]
fn some_scripts_look_at_how_a_session_starts() {
    let start = |source: Option<&str>| HookInput {
        detail: EventDetail::SessionStart { source: source.map(str::to_owned) },
        ..tool("", "")
    };
    let all = [
        handler("a", "resume", PayloadFormat::Agent(AgentId::Claude), None),
        handler("b", "resume", PayloadFormat::Symposium, None),
    ];
    assert_eq!(chosen(&all, &start(Some("resume")), AgentId::Claude).len(), 2);
    assert_eq!(chosen(&all, &start(Some("startup")), AgentId::Claude), ["resume-Symposium"]);
    for format in [AgentId::Gemini, AgentId::Codex] {
        let all = [handler("a", "resume", PayloadFormat::Agent(format), None)];
        assert_eq!(chosen(&all, &start(Some("resume")), AgentId::Claude).len(), 1, "{format}");
        assert_eq!(chosen(&all, &start(Some("startup")), AgentId::Claude).len(), 0, "{format}");
        assert_eq!(chosen(&all, &start(Some("new")), AgentId::Copilot).len(), 0, "{format}");
    }
    let kiro = [handler("a", "resume", PayloadFormat::Agent(AgentId::Kiro), None)];
    assert_eq!(chosen(&kiro, &start(Some("startup")), AgentId::Claude).len(), 1, "it knows no such thing");
    let startup = [handler("a", "startup", PayloadFormat::Agent(AgentId::Claude), None)];
    assert_eq!(chosen(&startup, &start(Some("what")), AgentId::Kiro).len(), 1);
    assert_eq!(chosen(&startup, &start(None), AgentId::Kiro).len(), 1);
}

#[test]
fn a_handler_leaves_alone_agents_and_twins_it_is_not_for() {
    let mut all = [
        Handler { not_for: vec![AgentId::Claude], ..handler("a", "Bash", PayloadFormat::Symposium, None) },
        Handler { native: Some("PostToolUse".to_owned()), ..handler("b", "Bash", PayloadFormat::Symposium, None) },
        Handler {
            native: Some("PostToolUseFailure".to_owned()),
            ..handler("c", "Bash", PayloadFormat::Symposium, None)
        },
    ];
    for (handler, name) in all.iter_mut().zip(["not for Claude", "went well", "failed"]) {
        handler.name = name.to_owned();
    }
    let after = |failed| {
        let EventDetail::PreToolUse(tool) = tool("Bash", "Bash").detail else { panic!("it is one") };
        let result = ToolResult { response: None, failed, output: None };
        HookInput { detail: EventDetail::PostToolUse(tool, result), ..self::tool("Bash", "Bash") }
    };
    assert_eq!(chosen(&all, &after(false), AgentId::Claude), ["went well"]);
    assert_eq!(chosen(&all, &after(true), AgentId::Claude), ["failed"]);
    let without_twin: Vec<String> = chosen(&all, &after(true), AgentId::Gemini);
    assert_eq!(without_twin, ["not for Claude", "went well", "failed"], "it has one event for both");
}

#[test]
fn whoever_names_the_agents_own_event_runs_beside_the_others() {
    let canonical = handler("a", "", PayloadFormat::Symposium, None);
    let own = Handler {
        name: "own".to_owned(),
        native: Some("PreToolUse".to_owned()),
        ..handler("a", "", PayloadFormat::Agent(AgentId::Claude), Some(AgentId::Claude))
    };
    let all = [canonical, own];
    assert_eq!(chosen(&all, &tool("Bash", "Bash"), AgentId::Claude), ["-Symposium", "own"]);
    assert_eq!(chosen(&all, &tool("Bash", "shell"), AgentId::Goose), ["-Symposium"]);
}
