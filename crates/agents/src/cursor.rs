//! Cursor, from the source of its SDK.

use symposium_model::agent::AgentId;
use symposium_model::edit::Format;

use crate::command::Shell;
use crate::dialect::{Abilities, Ask, Can, Dialect, EventNames, Neutral, Rewrite};
use crate::servers;
use crate::situation::Place;
use crate::spec::{
    AgentSpec, BothScopes, Choice, CommandKey, Evidence, Grouping, HandlerForm, HookFile, HookLayout, Instructions,
    McpFile, Ownership, RootOnly, SkillDirectories, Sse, Strictness, TimeUnit, Trust, always,
};

/// How Cursor talks. Text on stdout that is not its JSON blocks a tool; nothing at all is fine.
pub(crate) static DIALECT: Dialect = Dialect {
    agent: AgentId::Cursor,
    events: EventNames {
        session_start: "sessionStart",
        user_prompt_submit: "beforeSubmitPrompt",
        pre_tool_use: "preToolUse",
        post_tool_use: "postToolUse",
        tool_failed: Some("postToolUseFailure"),
        stop: Some("stop"),
    },
    native: &[
        "sessionEnd",
        "beforeShellExecution",
        "afterShellExecution",
        "beforeMCPExecution",
        "afterMCPExecution",
        "beforeReadFile",
        "afterFileEdit",
        "beforeTabFileRead",
        "afterTabFileEdit",
        "subagentStart",
        "subagentStop",
        "preCompact",
        "afterAgentResponse",
        "afterAgentThought",
        "workspaceOpen",
    ],
    can: Abilities {
        session_start: Can::ONLY_TELL,
        user_prompt_submit: Can::TELL_OR_BLOCK,
        pre_tool_use: Can { rewrite: Rewrite::Works, ask: Ask::Works, ..Can::TELL_OR_BLOCK },
        post_tool_use: Can::TELL_WHY,
        stop: Some(Can::ANOTHER_TURN),
    },
    context_limit: None,
    project_variable: Some("CURSOR_PROJECT_DIR"),
    neutral: Neutral::SILENCE,
};

/// Everything known about Cursor.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    id: AgentId::Cursor,
    title: "Cursor",
    evidence: Evidence::Documents,
    programs: &["cursor-agent", "cursor"],
    home_signs: &[".cursor"],
    skills: SkillDirectories {
        project: ".agents/skills",
        also_in_project: &[".cursor/skills"],
        global: &[".cursor/skills", ".agents/skills"],
    },
    hooks: &[HookFile {
        project: Place::Project(".cursor/hooks.json"),
        global: Place::Home(".cursor/hooks.json"),
        wanted: always,
        events: &DIALECT.events,
        native: DIALECT.native,
        windows_shell: Shell::Cmd,
        layout: HookLayout::Shared {
            handler: HandlerForm {
                grouping: Grouping::Flat,
                fixed: &[],
                command: CommandKey::Command,
                timeout_key: "timeout",
                timeout_unit: TimeUnit::Seconds,
            },
            starts_as: "{\n  \"version\": 1\n}\n",
        },
        strictness: Strictness::UNKNOWN,
    }],
    both_scopes: BothScopes::BothCall,
    mcp: McpFile {
        project: Choice::only(Place::Project(".cursor/mcp.json")),
        global: Choice::only(Place::Home(".cursor/mcp.json")),
        ownership: Ownership::Shared,
        key: "mcpServers",
        format: Format::Json,
        server: servers::untyped,
        sse: Sse::Spoken,
        persons_keys: &["disabled"],
        strictness: Strictness::UNKNOWN,
    },
    instructions: Instructions { project: &["AGENTS.md", ".cursor/rules/*.mdc"], global: &[] },
    root_only: RootOnly::Nothing,
    trust: Trust::Unrecorded,
    waits_for: None,
    notes: &[],
    dialect: &DIALECT,
};
