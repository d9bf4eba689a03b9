//! Claude Code.

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::edit::Format;
use symposium_model::hook::Event;

use crate::command::Shell;
use crate::dialect::{Abilities, Ask, Can, Dialect, DialectOwner, EventNames, Guest, MessageChannel, Neutral, Rewrite};
use crate::form::{
    Allow, AnswerStream, Defer, Emission, Fields, McpNames, NativeForm, PlainText, Refusal, Reply, StartMatcher, Tool,
    Wire,
};
use crate::holdings::{
    At, BareUrl, Causes, Holdings, HookPlace, Layer, Matching, Meaning, Notation, PluginPlace, PromptMatcher, Settings,
    Star, StartsIn, Substitution, WORKSPACE,
};
use crate::permission::{self, PermissionFile, RuleText};
use crate::servers;
use crate::situation::{Place, Scope};
use crate::spec::{
    AgentSpec, BothScopes, Choice, CommandKey, Evidence, FolderRecord, Grouping, HandlerForm, HiddenInstructions,
    HookFile, HookLayout, IgnoredFiles, Instructions, McpFile, MovedBy, Note, OwnShell, Ownership, Reaction,
    References, RootOnly, SkillDirectories, Sse, Strictness, TimeUnit, Trust, always,
};
use crate::wire::{canonical_mcp, canonical_mcp_name, fields_of, read_nested, write_nested};
use crate::{copilot, cursor, gemini, vscode};

/// How Claude Code talks.
pub(crate) static DIALECT: Dialect = Dialect {
    owner: DialectOwner::Agent(AgentId::Claude),
    events: EventNames {
        session_start: "SessionStart",
        user_prompt_submit: "UserPromptSubmit",
        pre_tool_use: "PreToolUse",
        post_tool_use: "PostToolUse",
        // A tool that fails fires this one instead.
        tool_failed: Some("PostToolUseFailure"),
        stop: Some("Stop"),
    },
    aliases: &[],
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
    withheld: &[("WorktreeCreate", "a hook that is registered for it must make the worktree itself")],
    own: NativeForm {
        matched: &[
            ("SessionEnd", "reason"),
            ("PermissionRequest", "tool_name"),
            ("PermissionDenied", "tool_name"),
            ("Notification", "notification_type"),
            ("SubagentStart", "agent_type"),
            ("SubagentStop", "agent_type"),
            ("PreCompact", "trigger"),
            ("PostCompact", "trigger"),
            ("InstructionsLoaded", "load_reason"),
            ("ConfigChange", "source"),
        ],
        session_start: StartMatcher::Source,
        refusal: Refusal::ExitCodeAndOutput,
        plain_text: PlainText::Harmless,
        answers_on: AnswerStream::Stdout,
        void: &[],
        defer: Defer::Known,
        known: &[],
    },
    can: Abilities {
        session_start: Can::ONLY_TELL,
        user_prompt_submit: Can::TELL_OR_BLOCK,
        pre_tool_use: Can { rewrite: Rewrite::Works, ask: Ask::Works, ..Can::TELL_OR_BLOCK },
        post_tool_use: Can::TELL_WHY,
        tool_failed: None,
        stop: Some(Can::ANOTHER_TURN),
    },
    message: MessageChannel::Shown,
    // 9,990 characters arrive whole; 10,100 become a file and a preview.
    context_limit: Some(9_990),
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    neutral: Neutral::SILENCE,
    wire: Wire {
        fields: Fields {
            error: &["error"],
            // Errors are merged into `stdout`. The shape differs by tool.
            output: &["stdout", "content", "file"],
            // Of a written file it tells what is in it now, not what the tool said.
            without_output: Some("structuredPatch"),
            sub_agent: &["agent_id"],
            last_message: &["last_assistant_message"],
            ..Fields::USUAL
        },
        tools: &[
            Tool::same("Bash", &["Bash"]),
            Tool::same("Read", &["Read"]),
            Tool::same("Write", &["Write"]),
            // The second makes several edits of one file; older versions have it.
            Tool::same("Edit", &["Edit", "MultiEdit"]),
            Tool::same("Glob", &["Glob"]),
            Tool::same("Grep", &["Grep"]),
            Tool::same("WebFetch", &["WebFetch"]),
            Tool::same("WebSearch", &["WebSearch"]),
            Tool::same("Task", &["Agent", "Task"]),
            Tool::same("Skill", &["Skill"]),
            // It runs a command and tells what that prints, line by line. The second is the shell on Windows.
            Tool::same("Bash", &["Monitor", "PowerShell"]),
            Tool::keyed("Edit", &["NotebookEdit"], &[("file_path", "notebook_path"), ("new_string", "new_source")]),
        ],
        harmless: &[
            "CronCreate",
            "CronDelete",
            "CronList",
            // Nobody can call it.
            "DeferredToolPlaceholder",
            // A copy of the repository beside it, and back.
            "EnterWorktree",
            "ExitWorktree",
            "ListAgents",
            "ReportFindings",
            "ScheduleWakeup",
            "SendMessage",
            "TaskStop",
            "ToolSearch",
            // Its script starts agents, whose tools raise events.
            "Workflow",
        ],
        mcp: McpNames { split: canonical_mcp, join: canonical_mcp_name },
        write,
        read: read_nested,
        allow: Allow::Grants,
        plain_text: &[Event::SessionStart, Event::UserPromptSubmit],
    },
    guests: &[
        Guest { dialect: &cursor::DIALECT, raised: |peek| peek.is_from_cursor() },
        Guest { dialect: &copilot::DIALECT, raised: |peek| peek.is_from_copilot() },
        Guest { dialect: &vscode::DIALECT, raised: |peek| peek.is_from_vscode() },
        // It reads the file only when it is asked to take the hooks over; then it runs our command as it stands.
        Guest { dialect: &gemini::DIALECT, raised: |peek| peek.is_from_gemini(gemini::DIALECT.own_events()) },
    ],
};

/// No field may be `null`: one discards the whole answer.
fn write(reply: &Reply<'_>) -> Emission {
    let mut reply = reply.clone();
    if let Some(input) = &mut reply.rewrite {
        drop_nulls(input);
    }
    let mut answer = write_nested(&reply);
    if reply.reload_skills {
        let own = answer
            .entry("hookSpecificOutput")
            .or_insert_with(|| Value::Object(fields_of([("hookEventName", Some(reply.native_event.into()))])));
        if let Some(own) = own.as_object_mut() {
            own.insert("reloadSkills".to_owned(), true.into());
        }
    }
    Emission::json(answer)
}

/// A field of an input that is `null` says no more than one that is missing.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(drop_nulls);
        }
        Value::Array(values) => values.iter_mut().for_each(drop_nulls),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Everything known about Claude Code.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    id: AgentId::Claude,
    title: "Claude Code",
    evidence: Evidence::Ran("2.1.325"),
    programs: &["claude"],
    home_signs: &[".claude", ".claude.json"],
    own_shell: OwnShell {
        variables: &["CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_PID"],
        programs: &["claude"],
        paths: &["/@anthropic-ai/claude-code/"],
    },
    moved_by: &[MovedBy { variable: "CLAUDE_CONFIG_DIR", directory: ".claude", along: &[".claude.json"] }],
    skills: SkillDirectories {
        project: ".claude/skills",
        also_in_project: &[],
        global: &[".claude/skills"],
        ignored: IgnoredFiles::Opened,
    },
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
        references: References::Braces,
        sse: Sse::Spoken,
        persons_keys: &[],
        strictness: Strictness {
            comment: Reaction::IgnoresFile,
            unknown_key: Reaction::Accepts,
            ..Strictness::UNKNOWN
        },
    },
    instructions: Instructions {
        project: &["CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md"],
        global: &[".claude/CLAUDE.md"],
        hidden: &[HiddenInstructions {
            file: Place::Project("AGENTS.md"),
            by: Place::Project("CLAUDE.md"),
            brought_in_by: Some("@AGENTS.md"),
        }],
    },
    root_only: RootOnly::Registration,
    trust: Trust::Folders {
        file: Place::Home(".claude.json"),
        record: FolderRecord::KeyOf("projects", "hasTrustDialogAccepted"),
    },
    waits_for: None,
    notes: &[Note::of(
        Scope::Project,
        "Claude Code asks once whether it may start the MCP servers of `.mcp.json`: agree there",
    )],
    holdings: &HOLDINGS,
    permissions: &PERMISSIONS,
    dialect: &DIALECT,
};

/// Where people say which commands it may run.
static PERMISSIONS: [PermissionFile; 5] = [
    PermissionFile { at: managed("managed-settings.json"), notation: Some(Notation::Json), rules },
    PermissionFile { at: managed("managed-settings.d/*.json"), notation: Some(Notation::Json), rules },
    PermissionFile { at: At::Home(".claude/settings.json"), notation: Some(Notation::Json), rules },
    PermissionFile { at: At::Project(".claude/settings.json"), notation: Some(Notation::Json), rules },
    PermissionFile { at: At::Project(".claude/settings.local.json"), notation: Some(Notation::Json), rules },
];

fn rules(settings: &Value) -> Vec<RuleText> {
    let lists = [&["permissions", "allow"][..], &["permissions", "deny"], &["permissions", "ask"]];
    permission::in_parentheses(settings, &lists, &["Bash"])
}

/// What people may already have in Claude Code.
static HOLDINGS: Holdings = Holdings {
    layers: &[
        Layer::json(Scope::Global, managed("managed-settings.json"), HOOKS, None),
        Layer::json(Scope::Global, managed("managed-settings.d/*.json"), HOOKS, None),
        Layer::json(Scope::Global, managed("managed-mcp.json"), None, SERVERS),
        Layer::json(Scope::Global, At::Home(".claude/settings.json"), HOOKS, None),
        Layer::json(Scope::Global, At::Home(".claude.json"), None, SERVERS),
        Layer::json(Scope::Global, At::Home(".claude/plugins/cache/*/*/*/hooks/hooks.json"), HOOKS, None),
        Layer::json(Scope::Global, At::Home(".claude/plugins/cache/*/*/*/.claude-plugin/plugin.json"), HOOKS, SERVERS),
        Layer::json(Scope::Global, At::Home(".claude/plugins/cache/*/*/*/.mcp.json"), None, SERVERS),
        // It says which of those are installed; settings say which are switched on.
        Layer::json(Scope::Global, At::Home(INSTALLED), None, None),
        Layer::json(Scope::Project, At::Project(".claude/settings.json"), HOOKS, None),
        Layer::json(Scope::Project, At::Project(".claude/settings.local.json"), HOOKS, None),
        Layer::json(Scope::Project, At::Project(".mcp.json"), None, SERVERS),
        Layer::json(Scope::Project, At::Home(".claude.json"), None, Some(&["projects", WORKSPACE, "mcpServers"])),
    ],
    command_keys: &["command"],
    timeouts: &[("timeout", TimeUnit::Seconds)],
    default_timeout: 600,
    matching: Matching::NamesOrPattern,
    star: Star::All,
    prompt_matcher: PromptMatcher::Ignored,
    borrowed_events: None,
    bare_url: BareUrl::Http,
    unportable: &[
        ("if", "only Claude Code understands the condition `if`; test it in the script, and import again without it"),
        ("async", "Claude Code does not wait for it; a handler is always waited for, so its answer would count"),
        ("asyncRewake", "only Claude Code can be woken by a hook that runs in the background"),
        ("once", "only Claude Code counts how often a hook ran in a session"),
    ],
    fails_closed: None,
    variables: &[
        ("CLAUDE_CODE_SESSION_ID", Meaning::Session),
        // Scripts know it, from older versions.
        ("CLAUDE_SESSION_ID", Meaning::Session),
        ("CLAUDE_PLUGIN_ROOT", Meaning::Plugin),
        ("CLAUDE_ENV_FILE", Meaning::OwnAffair),
        ("CLAUDE_EFFORT", Meaning::OwnAffair),
    ],
    starts_in: StartsIn::WorkingDirectory,
    substitution: Substitution::ByShell,
    hook_is_off,
    server_is_off,
    plugin_is_off,
    causes: Causes::NamesOrPattern,
    programs: &[],
    plugin_skills: &[(Scope::Global, At::Home(".claude/plugins/cache/*/*/*/skills"))],
};

/// Which plugins are installed, and where.
const INSTALLED: &str = ".claude/plugins/installed_plugins.json";

/// What an organisation prescribes.
const fn managed(below: &'static str) -> At {
    At::MachineFolder {
        path: "/etc/claude-code",
        macos: "/Library/Application Support/ClaudeCode",
        variable: "CLAUDE_CODE_MANAGED_SETTINGS_PATH",
        below,
    }
}

const HOOKS: Option<&[&str]> = Some(&["hooks"]);
const SERVERS: Option<&[&str]> = Some(&["mcpServers"]);

fn hook_is_off(hook: &HookPlace<'_>, all: &[Settings<'_>]) -> Option<String> {
    let is_managed = |settings: &Settings<'_>| matches!(settings.layer.at, At::MachineFolder { .. });
    let from_managed = all.iter().any(|settings| is_managed(settings) && settings.path == hook.file);
    all.iter().find_map(|settings| {
        let key = if settings.says(&["disableAllHooks"], true) {
            "disableAllHooks"
        } else if !from_managed && is_managed(settings) && settings.says(&["allowManagedHooksOnly"], true) {
            "allowManagedHooksOnly"
        } else {
            return None;
        };
        Some(format!("`{key}` in {} switches it off", settings.shown))
    })
}

/// A plugin counts in the version that is installed, and when the person's settings switch it on. What only the project
/// switches on is not theirs to take elsewhere.
fn plugin_is_off(place: &PluginPlace<'_>, all: &[Settings<'_>]) -> Option<String> {
    let (_, below) = place.path.split_once("/plugins/cache/")?;
    let plugin = below.split('/').nth(1)?;
    let listed = all.iter().filter(|settings| settings.layer.at == At::Home(INSTALLED));
    let mut installed = listed.filter_map(|settings| settings.at(&["plugins"], None)?.as_object()).flatten();
    let is_here = |copies: &Value| {
        let copies = copies.as_array().into_iter().flatten();
        let paths = copies.filter_map(|copy| copy.get("installPath")?.as_str());
        paths.into_iter().any(|path| place.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
    };
    let Some((name, _)) = installed.find(|(_, copies)| is_here(copies)) else {
        return Some(format!("this version of the plugin `{plugin}` is not installed any more"));
    };
    let says = |of: Scope| {
        let layers = all.iter().filter(|settings| settings.layer.scope == of);
        layers.filter_map(|settings| settings.at(&["enabledPlugins", name], None)?.as_bool()).next_back()
    };
    match (says(Scope::Global), says(Scope::Project)) {
        (Some(true), None | Some(true)) => None,
        (Some(true), Some(false)) | (_, None | Some(false)) => {
            Some(format!("the plugin `{name}` is not switched on in `enabledPlugins`"))
        }
        (_, Some(true)) => Some(format!("the plugin `{name}` is switched on in this project alone")),
    }
}

fn server_is_off(name: &str, all: &[Settings<'_>]) -> Option<String> {
    let off = all.iter().find(|settings| settings.lists(&["disabledMcpjsonServers"], name))?;
    Some(format!("`disabledMcpjsonServers` in {} switches it off", off.shown))
}
