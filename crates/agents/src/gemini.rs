//! Gemini CLI.

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::edit::Format;
use symposium_model::transport::Transport;

use crate::command::Shell;
use crate::dialect::{Abilities, Can, Context, Dialect, EventNames, Neutral, Rewrite};
use crate::servers;
use crate::situation::{McpServer, Place, Scope};
use crate::spec::{
    AgentSpec, BothScopes, Choice, CommandKey, Evidence, FolderRecord, Grouping, HandlerForm, HookFile, HookLayout,
    Instructions, McpFile, Note, Ownership, Reaction, RootOnly, SkillDirectories, Sse, Strictness, TimeUnit, Trust,
    always,
};

/// How Gemini CLI talks.
pub(crate) static DIALECT: Dialect = Dialect {
    agent: AgentId::Gemini,
    events: EventNames {
        session_start: "SessionStart",
        user_prompt_submit: "BeforeAgent",
        pre_tool_use: "BeforeTool",
        // Fires for a failed tool too.
        post_tool_use: "AfterTool",
        tool_failed: None,
        stop: Some("AfterAgent"),
    },
    native: &["SessionEnd", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress", "Notification"],
    can: Abilities {
        session_start: Can::ONLY_TELL,
        user_prompt_submit: Can::TELL_OR_BLOCK,
        // Asking ends or hangs a run without a person.
        pre_tool_use: Can { context: Context::Impossible, rewrite: Rewrite::Works, ..Can::TELL_OR_BLOCK },
        post_tool_use: Can::TELL_WHY,
        stop: Some(Can::ANOTHER_TURN),
    },
    context_limit: None,
    project_variable: Some("GEMINI_PROJECT_DIR"),
    // With nothing on stdout it reads stderr instead. On `BeforeToolSelection` any object changes the request.
    neutral: Neutral { stdout: "{}", silent_on: &["BeforeToolSelection"] },
};

/// Comments are fine; the rest keeps Gemini CLI from starting.
const SETTINGS: Strictness = Strictness {
    comment: Reaction::Accepts,
    trailing_comma: Reaction::RefusesToStart(52),
    byte_order_mark: Reaction::RefusesToStart(52),
    empty: Reaction::RefusesToStart(52),
    unknown_key: Reaction::Accepts,
};

/// Everything known about Gemini CLI.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    id: AgentId::Gemini,
    title: "Gemini CLI",
    evidence: Evidence::Ran("0.61.0"),
    programs: &["gemini"],
    home_signs: &[".gemini"],
    skills: SkillDirectories {
        project: ".agents/skills",
        also_in_project: &[".gemini/skills"],
        global: &[".gemini/skills", ".agents/skills"],
    },
    hooks: &[HookFile {
        project: Place::Project(".gemini/settings.json"),
        global: Place::Home(".gemini/settings.json"),
        wanted: always,
        events: &DIALECT.events,
        native: DIALECT.native,
        windows_shell: Shell::PowerShell,
        layout: HookLayout::Shared {
            handler: HandlerForm {
                grouping: Grouping::Groups,
                // The name is what `hooksConfig.disabled` lists.
                fixed: &[("type", "command"), ("name", "symposium")],
                command: CommandKey::Command,
                timeout_key: "timeout",
                timeout_unit: TimeUnit::Milliseconds,
            },
            starts_as: "{}\n",
        },
        strictness: SETTINGS,
    }],
    both_scopes: BothScopes::BothCall,
    mcp: McpFile {
        project: Choice::only(Place::Project(".gemini/settings.json")),
        global: Choice::only(Place::Home(".gemini/settings.json")),
        ownership: Ownership::Shared,
        key: "mcpServers",
        format: Format::Json,
        server,
        sse: Sse::Spoken,
        persons_keys: &["trust", "timeout", "includeTools", "excludeTools"],
        strictness: SETTINGS,
    },
    instructions: Instructions { project: &["GEMINI.md"], global: &[".gemini/GEMINI.md"] },
    root_only: RootOnly::RegistrationAndSkills,
    trust: Trust::Folders {
        file: Place::Home(".gemini/trustedFolders.json"),
        record: FolderRecord::KeyWithValue("TRUST_FOLDER"),
    },
    waits_for: None,
    notes: &[
        Note::of(
            Scope::Project,
            "Gemini CLI runs no hooks and starts no MCP servers in a folder you do not trust: \
             start `gemini` in the workspace root once and choose to trust it",
        ),
        Note::of(
            Scope::Global,
            "Gemini CLI runs hooks, also yours, only in folders you trust: \
             start `gemini` in a workspace root once and choose to trust it",
        ),
    ],
    dialect: &DIALECT,
};

/// The key tells the transport: `command`, `httpUrl`, or `url` for the older protocol.
fn server(server: &McpServer) -> Value {
    let mut value = servers::fields(server);
    match &server.transport {
        Transport::Http { .. } => {
            if let Some(url) = value.remove("url") {
                value.insert("httpUrl".to_owned(), url);
            }
        }
        Transport::Stdio { .. } | Transport::Sse { .. } => {}
    }
    Value::Object(value)
}
