//! GitHub Copilot CLI.

use serde_json::{Value, json};
use symposium_model::agent::AgentId;
use symposium_model::edit::Format;

use crate::command::Shell;
use crate::dialect::{Abilities, Ask, Can, Dialect, EventNames, Neutral, Rewrite};
use crate::servers;
use crate::situation::{Place, Scope};
use crate::spec::{
    AgentSpec, BothScopes, Choice, CommandKey, Evidence, FolderRecord, Grouping, HandlerForm, HookFile, HookLayout,
    Instructions, McpFile, Note, Ownership, Reaction, RootOnly, SkillDirectories, Sse, Strictness, TimeUnit, Trust,
    always,
};

/// How Copilot CLI talks, in its own camelCase; it takes Claude's names too and then talks differently.
pub(crate) static DIALECT: Dialect = Dialect {
    agent: AgentId::Copilot,
    events: EventNames {
        session_start: "sessionStart",
        user_prompt_submit: "userPromptSubmitted",
        pre_tool_use: "preToolUse",
        post_tool_use: "postToolUse",
        tool_failed: Some("postToolUseFailure"),
        stop: Some("agentStop"),
    },
    native: &[
        "sessionEnd",
        "userPromptTransformed",
        "permissionRequest",
        "preMcpToolCall",
        "subagentStart",
        "subagentStop",
        "errorOccurred",
        "notification",
        "preCompact",
    ],
    can: Abilities {
        session_start: Can::ONLY_TELL,
        user_prompt_submit: Can::TELL_OR_BLOCK,
        pre_tool_use: Can { rewrite: Rewrite::Works, ask: Ask::Works, ..Can::TELL_OR_BLOCK },
        post_tool_use: Can::TELL_WHY,
        stop: Some(Can::ANOTHER_TURN),
    },
    context_limit: None,
    project_variable: Some("COPILOT_PROJECT_DIR"),
    // A non-zero exit denies the tool, whatever was printed.
    neutral: Neutral::SILENCE,
};

/// Everything known about Copilot CLI.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    id: AgentId::Copilot,
    title: "GitHub Copilot CLI",
    evidence: Evidence::Ran("1.0.102"),
    programs: &["copilot"],
    home_signs: &[".copilot"],
    skills: SkillDirectories {
        project: ".agents/skills",
        also_in_project: &[".claude/skills", ".github/skills"],
        global: &[".copilot/skills", ".agents/skills"],
    },
    hooks: &[HookFile {
        // Of a repository only the files at its root are read.
        project: Place::GitRoot(".github/hooks/symposium.json"),
        global: Place::Home(".copilot/hooks/symposium.json"),
        wanted: always,
        events: &DIALECT.events,
        native: DIALECT.native,
        windows_shell: Shell::PowerShell,
        layout: HookLayout::Own {
            handler: HandlerForm {
                grouping: Grouping::Flat,
                fixed: &[("type", "command")],
                // An entry with only `powershell` denies every tool where there is no PowerShell.
                command: CommandKey::ByShell,
                timeout_key: "timeoutSec",
                timeout_unit: TimeUnit::Seconds,
            },
            frame: hook_file,
        },
        strictness: Strictness {
            comment: Reaction::IgnoresFile,
            trailing_comma: Reaction::IgnoresFile,
            byte_order_mark: Reaction::Unknown,
            empty: Reaction::Unknown,
            unknown_key: Reaction::Accepts,
        },
    }],
    both_scopes: BothScopes::BothCall,
    mcp: McpFile {
        // `.github/mcp.json` counts only while there is no `.mcp.json`: a new one would hide it.
        project: Choice {
            existing: &[Place::Project(".mcp.json"), Place::Project(".github/mcp.json")],
            otherwise: Place::Project(".mcp.json"),
        },
        global: Choice::only(Place::Home(".copilot/mcp-config.json")),
        ownership: Ownership::Shared,
        key: "mcpServers",
        format: Format::Json,
        // As Claude Code writes it, since `.mcp.json` is read by both.
        server: servers::typed,
        sse: Sse::Spoken,
        persons_keys: &["tools"],
        strictness: Strictness { unknown_key: Reaction::Accepts, ..Strictness::UNKNOWN },
    },
    instructions: Instructions {
        project: &[
            "AGENTS.md",
            "CLAUDE.md",
            "GEMINI.md",
            ".github/copilot-instructions.md",
            ".github/instructions/*.instructions.md",
        ],
        global: &[".copilot/copilot-instructions.md"],
    },
    root_only: RootOnly::Nothing,
    trust: Trust::Folders {
        file: Place::Home(".copilot/config.json"),
        record: FolderRecord::ElementOf("trustedFolders"),
    },
    waits_for: None,
    notes: &[Note::of(
        Scope::Project,
        "Copilot CLI uses the project's hooks and MCP servers only in a folder you trust: \
         start `copilot` there once and confirm",
    )],
    dialect: &DIALECT,
};

fn hook_file(hooks: &Value) -> Value {
    json!({ "version": 1, "hooks": hooks })
}
