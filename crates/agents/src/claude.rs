//! Claude Code.

use symposium_model::agent::AgentId;
use symposium_model::edit::Format;

use crate::command::Shell;
use crate::dialect::{Abilities, Ask, Can, Dialect, EventNames, Neutral, Rewrite};
use crate::servers;
use crate::situation::{Place, Scope, Situation};
use crate::spec::{
    AgentSpec, BothScopes, Choice, CommandKey, Evidence, FolderRecord, Grouping, HandlerForm, HookFile, HookLayout,
    Instructions, McpFile, Note, Ownership, Reaction, RootOnly, SkillDirectories, Sse, Strictness, TimeUnit, Trust,
    always,
};

/// How Claude Code talks.
pub(crate) static DIALECT: Dialect = Dialect {
    agent: AgentId::Claude,
    events: EventNames {
        session_start: "SessionStart",
        user_prompt_submit: "UserPromptSubmit",
        pre_tool_use: "PreToolUse",
        post_tool_use: "PostToolUse",
        // A tool that fails fires this one instead.
        tool_failed: Some("PostToolUseFailure"),
        stop: Some("Stop"),
    },
    // Not `WorktreeCreate`: whoever registers it must make the worktree.
    native: &[
        "SessionEnd",
        "PermissionRequest",
        "PermissionDenied",
        "Notification",
        "StopFailure",
        "SubagentStart",
        "SubagentStop",
        "PreCompact",
        "PostCompact",
        "InstructionsLoaded",
        "TaskCreated",
        "TaskCompleted",
        "TeammateIdle",
        "ConfigChange",
        "CwdChanged",
        "FileChanged",
        "WorktreeRemove",
        "Elicitation",
        "ElicitationResult",
    ],
    can: Abilities {
        session_start: Can::ONLY_TELL,
        user_prompt_submit: Can::TELL_OR_BLOCK,
        pre_tool_use: Can { rewrite: Rewrite::Works, ask: Ask::Works, ..Can::TELL_OR_BLOCK },
        post_tool_use: Can::TELL_WHY,
        stop: Some(Can::ANOTHER_TURN),
    },
    // 9,990 characters arrive whole; 10,100 become a file and a preview.
    context_limit: Some(9_990),
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    neutral: Neutral::SILENCE,
};

/// Everything known about Claude Code.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    id: AgentId::Claude,
    title: "Claude Code",
    evidence: Evidence::Ran("2.1.325"),
    programs: &["claude"],
    home_signs: &[".claude", ".claude.json"],
    skills: SkillDirectories { project: ".claude/skills", also_in_project: &[], global: &[".claude/skills"] },
    hooks: &[HookFile {
        project: Place::Project(".claude/settings.json"),
        global: Place::Home(".claude/settings.json"),
        wanted: always,
        events: &DIALECT.events,
        native: DIALECT.native,
        // It looks for Git Bash.
        windows_shell: Shell::Posix,
        layout: HookLayout::Shared {
            handler: HandlerForm {
                grouping: Grouping::Groups,
                fixed: &[("type", "command")],
                command: CommandKey::Command,
                timeout_key: "timeout",
                timeout_unit: TimeUnit::Seconds,
            },
            starts_as: "{}\n",
        },
        strictness: Strictness {
            comment: Reaction::IgnoresFile,
            trailing_comma: Reaction::IgnoresFile,
            byte_order_mark: Reaction::Accepts,
            empty: Reaction::IgnoresFile,
            unknown_key: Reaction::Accepts,
        },
    }],
    both_scopes: BothScopes::BothCall,
    mcp: McpFile {
        // `mcpServers` in settings.json is never read.
        project: Choice::only(Place::Project(".mcp.json")),
        global: Choice::only(Place::Home(".claude.json")),
        ownership: Ownership::Shared,
        key: "mcpServers",
        format: Format::Json,
        server: servers::typed,
        sse: Sse::Spoken,
        persons_keys: &[],
        strictness: Strictness {
            comment: Reaction::IgnoresFile,
            unknown_key: Reaction::Accepts,
            ..Strictness::UNKNOWN
        },
    },
    instructions: Instructions {
        // AGENTS.md only where there is no CLAUDE.md.
        project: &["CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md"],
        global: &[".claude/CLAUDE.md"],
    },
    root_only: RootOnly::Registration,
    trust: Trust::Folders {
        file: Place::Home(".claude.json"),
        record: FolderRecord::KeyOf("projects", "hasTrustDialogAccepted"),
    },
    waits_for: None,
    notes: &[
        Note::of(
            Scope::Project,
            "Claude Code asks once whether it may start the MCP servers of `.mcp.json`: agree there",
        ),
        Note {
            scope: Some(Scope::Project),
            when: hides_github_servers,
            text: "Copilot CLI reads `.github/mcp.json` no longer once `.mcp.json` exists: \
                   copy your servers there if you use both",
        },
    ],
    dialect: &DIALECT,
};

/// Whether our `.mcp.json` is new beside a `.github/mcp.json`.
fn hides_github_servers(situation: &Situation) -> bool {
    let exists = |place| situation.existing.contains(&place);
    exists(Place::Project(".github/mcp.json")) && !exists(Place::Project(".mcp.json"))
}
