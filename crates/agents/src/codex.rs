//! Codex CLI.

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::edit::Format;
use symposium_model::hook::Event;
use symposium_model::transport::Transport;

use crate::command::Shell;
use crate::dialect::{Abilities, Can, Dialect, EventNames, Neutral, Rewrite};
use crate::form::{Emission, Fields, McpNames, Reply, Tool, Verdict, Wire};
use crate::servers;
use crate::situation::{McpServer, Place, Scope};
use crate::spec::{
    AgentSpec, BothScopes, Choice, CommandKey, Evidence, Grouping, HandlerForm, HookFile, HookLayout, Instructions,
    McpFile, Note, Ownership, Reaction, RootOnly, SkillDirectories, Sse, Strictness, TimeUnit, Trust, always,
};
use crate::wire::{canonical_mcp, canonical_mcp_name, read_nested, write_nested};

/// How Codex CLI talks.
pub(crate) static DIALECT: Dialect = Dialect {
    agent: AgentId::Codex,
    events: EventNames {
        session_start: "SessionStart",
        user_prompt_submit: "UserPromptSubmit",
        pre_tool_use: "PreToolUse",
        // Fires for a failed command too, and does not say that it failed.
        post_tool_use: "PostToolUse",
        tool_failed: None,
        stop: Some("Stop"),
    },
    native: &["SessionEnd", "PermissionRequest", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"],
    can: Abilities {
        session_start: Can::ONLY_TELL,
        user_prompt_submit: Can::TELL_OR_BLOCK,
        pre_tool_use: Can { rewrite: Rewrite::NeedsAllow, ..Can::TELL_OR_BLOCK },
        post_tool_use: Can::TELL_WHY,
        // There is no end to it: `stop_hook_active` must be heeded.
        stop: Some(Can::ANOTHER_TURN),
    },
    // 2,500 tokens; 9,990 characters arrived whole.
    context_limit: Some(9_990),
    project_variable: None,
    neutral: Neutral::SILENCE,
    wire: Wire {
        fields: Fields {
            event: "hook_event_name",
            session_id: &["session_id"],
            cwd: &["cwd"],
            tool_name: &["tool_name"],
            tool_input: &["tool_input"],
            tool_response: &["tool_response"],
            output: &["content", "output"],
            failed: |response| response.get("isError") == Some(&Value::Bool(true)),
            prompt: &["prompt"],
            before_prompt: None,
            source: &["source"],
            source_words: &[],
            sub_agent: &["agent_id"],
            stop_hook_active: &["stop_hook_active"],
            last_message: &["last_assistant_message"],
        },
        tools: &[Tool::same("Bash", &["Bash"]), Tool::keyed("Patch", &["apply_patch"], &[("patch", "command")])],
        mcp: McpNames { split: canonical_mcp, join: canonical_mcp_name },
        write,
        read: read_nested,
        plain_text: &[Event::SessionStart, Event::UserPromptSubmit],
    },
    guests: &[],
};

/// An unknown field discards the whole answer, and so does an allow without a changed input.
fn write(reply: &Reply<'_>) -> Emission {
    let mut reply = reply.clone();
    if matches!(reply.verdict, Verdict::Allow(_)) && reply.rewrite.is_none() {
        reply.verdict = Verdict::Nothing;
    }
    if reply.is_neutral() {
        return DIALECT.neutral(None);
    }
    Emission::json(write_nested(&reply))
}

/// Everything known about Codex CLI.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    id: AgentId::Codex,
    title: "Codex CLI",
    evidence: Evidence::Ran("0.166.0"),
    programs: &["codex"],
    home_signs: &[".codex"],
    skills: SkillDirectories {
        project: ".agents/skills",
        also_in_project: &[".codex/skills"],
        global: &[".agents/skills", ".codex/skills"],
    },
    hooks: &[HookFile {
        project: Place::Project(".codex/hooks.json"),
        global: Place::Home(".codex/hooks.json"),
        wanted: always,
        events: &DIALECT.events,
        native: DIALECT.native,
        windows_shell: Shell::PowerShell,
        layout: HookLayout::Shared {
            // Trust hangs on the hash of the handler and on its position: text and order must never change by themselves.
            handler: HandlerForm {
                grouping: Grouping::Groups,
                fixed: &[("type", "command")],
                command: CommandKey::Command,
                timeout_key: "timeout",
                timeout_unit: TimeUnit::Seconds,
            },
            starts_as: "{}\n",
        },
        // Only `description` and `hooks` may stand at the top.
        strictness: Strictness {
            comment: Reaction::RejectsFile,
            trailing_comma: Reaction::RejectsFile,
            byte_order_mark: Reaction::RejectsFile,
            empty: Reaction::RejectsFile,
            unknown_key: Reaction::RejectsFile,
        },
    }],
    both_scopes: BothScopes::BothCall,
    mcp: McpFile {
        project: Choice::only(Place::Project(".codex/config.toml")),
        global: Choice::only(Place::Home(".codex/config.toml")),
        ownership: Ownership::Shared,
        key: "mcp_servers",
        format: Format::Toml,
        server,
        sse: Sse::NotSpoken,
        persons_keys: &["enabled", "startup_timeout_sec", "tool_timeout_sec", "enabled_tools", "disabled_tools"],
        strictness: Strictness { unknown_key: Reaction::Accepts, ..Strictness::UNKNOWN },
    },
    instructions: Instructions { project: &["AGENTS.md"], global: &[".codex/AGENTS.md"] },
    root_only: RootOnly::Nothing,
    trust: Trust::Hooks { file: Place::Home(".codex/config.toml"), table: &["hooks", "state"] },
    notes: &[
        Note::both(
            "Codex CLI runs a hook only after you trusted it: start `codex` once and review or trust the new hooks \
             when it asks; until then it skips them without a word",
        ),
        Note::of(
            Scope::Project,
            "Codex CLI reads `.codex/` of a project only in a project you trust, \
             and from a subdirectory only inside a git repository",
        ),
    ],
    dialect: &DIALECT,
};

/// Headers have a name of their own.
fn server(server: &McpServer) -> Value {
    let mut value = servers::fields(server);
    match &server.transport {
        Transport::Stdio { .. } => {}
        Transport::Http { .. } | Transport::Sse { .. } => {
            if let Some(headers) = value.remove("headers") {
                value.insert("http_headers".to_owned(), headers);
            }
        }
    }
    Value::Object(value)
}
