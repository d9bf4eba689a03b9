//! Cursor, from the source of its SDK.

use serde_json::{Map, Value};
use symposium_model::agent::AgentId;
use symposium_model::edit::Format;
use symposium_model::hook::{Decision, Event, HookOutput};

use crate::command::Shell;
use crate::dialect::{Abilities, Ask, Can, Dialect, DialectOwner, EventNames, MessageChannel, Neutral, Rewrite};
use crate::form::{
    Allow, AnswerStream, Defer, Emission, Fields, McpNames, NativeForm, PlainText, Refusal, Reply, StartMatcher, Tool,
    Verdict, Wire,
};
use crate::holdings::{
    At, BareUrl, Causes, Holder, Holdings, HookPlace, Layer, Matching, Meaning, Notation, PromptMatcher, Settings,
    Star, StartsIn, Substitution, plugin_stays_on, server_stays_on,
};
use crate::permission::{self, PermissionFile, RuleText};
use crate::servers;
use crate::situation::{Place, Scope};
use crate::spec::{
    AgentSpec, BothScopes, Choice, CommandKey, Evidence, Grouping, HandlerForm, HookFile, HookLayout, IgnoredFiles,
    Instructions, McpFile, OwnShell, Ownership, References, RootOnly, SkillDirectories, Sse, Strictness, TimeUnit,
    Trust, always,
};
use crate::wire::{PATCH_ALSO, decision_of, fields_of, object_of, refusal_of, text_of};

/// How Cursor talks. Text on stdout that is not its JSON blocks a tool; nothing at all is fine.
pub(crate) static DIALECT: Dialect = Dialect {
    owner: DialectOwner::Agent(AgentId::Cursor),
    events: EventNames {
        session_start: "sessionStart",
        user_prompt_submit: "beforeSubmitPrompt",
        pre_tool_use: "preToolUse",
        post_tool_use: "postToolUse",
        tool_failed: Some("postToolUseFailure"),
        stop: Some("stop"),
    },
    aliases: &[],
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
    withheld: &[],
    own: NativeForm {
        matched: &[
            ("beforeShellExecution", "command"),
            ("afterShellExecution", "command"),
            ("beforeMCPExecution", "tool_name"),
            ("afterMCPExecution", "tool_name"),
            ("subagentStart", "subagent_type"),
            ("subagentStop", "subagent_type"),
        ],
        session_start: StartMatcher::Ignored,
        // What was printed would be taken for the reason.
        refusal: Refusal::ExitCode,
        // At many events it takes what is no JSON for a refusal.
        plain_text: PlainText::Harmful,
        answers_on: AnswerStream::Stdout,
        void: &[],
        defer: Defer::Unknown,
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
    message: MessageChannel::Impossible,
    context_limit: None,
    project_variable: Some("CURSOR_PROJECT_DIR"),
    neutral: Neutral::SILENCE,
    wire: Wire {
        fields: Fields {
            session_id: &["session_id", "conversation_id"],
            tool_response: &["tool_output"],
            error: &["error_message", "error"],
            output: &["output", "stdout"],
            sub_agent: &["subagent_id"],
            stop_hook_active: &["loop_count"],
            stop_hook_active_is: |active| u8::from(active).into(),
            ..Fields::USUAL
        },
        // As its hook engine names them, whatever the model calls them.
        tools: &[
            Tool::same("Bash", &["Shell"]),
            Tool::same("Read", &["Read"]),
            // It reads Claude's `Edit` as this one.
            Tool::same("Write", &["Write"]).also(&["Edit"]),
            Tool::same("Glob", &["Glob"]),
            Tool::same("Grep", &["Grep"]),
            Tool::same("Task", &["Task"]),
            Tool::same("WebFetch", &["WebFetch", "Fetch"]),
            Tool::same("WebSearch", &["WebSearch"]),
            // What is typed into a shell that runs; it tells only how much that is.
            Tool::same("Bash", &["WriteShellStdin"]),
            // It has one name for all that is done to a file.
            Tool::same("Write", &["Delete"]).also(&["Edit"]),
            // What models call them.
            Tool::keyed("Write", &["StrReplace", "EditNotebook"], &[("file_path", "path")]).also(&["Edit"]),
            Tool::keyed("Patch", &["ApplyPatch"], &[("patch", "input")]).also(PATCH_ALSO),
            // It may write what it fetched.
            Tool::keyed("Write", &["FetchMcpResource"], &[("file_path", "download_path")])
                .only_with("download_path", &[])
                .also(&["Edit"]),
        ],
        harmless: &["ComputerUse", "FetchMcpResource", "List", "ListMcpResources", "ReadLints", "RecordScreen"],
        mcp: McpNames { split: server_of, join: |_, tool| format!("MCP:{tool}") },
        write,
        read,
        allow: Allow::Grants,
        plain_text: &[],
    },
    guests: &[],
};

/// The name holds the tool alone; the server is told only where the event names it.
fn server_of(name: &str, payload: &Map<String, Value>, _: &[String]) -> Option<(String, String)> {
    let tool = name.strip_prefix("MCP:")?;
    let server = payload.get("mcp_server")?;
    let server = server.as_str().or_else(|| server.get("name")?.as_str())?;
    Some((server.to_owned(), tool.to_owned()))
}

/// Anything but JSON of the right shape blocks.
fn write(reply: &Reply<'_>) -> Emission {
    let (permission, reason) = match &reply.verdict {
        Verdict::Nothing => (None, None),
        Verdict::Allow(reason) => (Some("allow"), reason.as_deref()),
        Verdict::Ask(reason) => (Some("ask"), reason.as_deref()),
        Verdict::Block(reason) => (Some("deny"), Some(reason.as_str())),
    };
    let context = ("additional_context", reply.context.as_deref().map(Value::from));
    let answer = match reply.event {
        Event::PreToolUse => fields_of([
            ("permission", permission.map(Value::from)),
            ("user_message", reason.map(Value::from)),
            ("agent_message", reason.map(Value::from)),
            ("updated_input", reply.rewrite.clone()),
            context,
        ]),
        Event::UserPromptSubmit => fields_of([
            ("continue", permission.map(|_| false.into())),
            ("user_message", reason.map(Value::from)),
            context,
        ]),
        Event::Stop => fields_of([("followup_message", reason.map(Value::from))]),
        Event::PostToolUse | Event::SessionStart => fields_of([context]),
    };
    Emission::json(answer)
}

fn read(_: Event, answer: &mut Map<String, Value>) -> HookOutput {
    let message = text_of(answer, "agent_message").or_else(|| text_of(answer, "user_message"));
    let refused = (answer.get("continue") == Some(&Value::Bool(false))).then_some(Decision::Deny);
    let followup = text_of(answer, "followup_message").filter(|text| !text.trim().is_empty());
    let refused = refused.or(refusal_of(answer, "decision")).or(followup.as_ref().map(|_| Decision::Deny));
    HookOutput {
        decision: decision_of(answer, "permission").max(refused),
        reason: message.or(followup).or_else(|| text_of(answer, "reason")),
        additional_context: text_of(answer, "additional_context").or_else(|| text_of(answer, "additionalContext")),
        updated_input: object_of(answer, "updated_input"),
        ..HookOutput::default()
    }
}

/// Everything known about Cursor.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    id: AgentId::Cursor,
    title: "Cursor",
    evidence: Evidence::Documents,
    programs: &["cursor-agent", "cursor"],
    home_signs: &[".cursor"],
    // Not `cursor`: in the terminal of its editor a person types.
    own_shell: OwnShell {
        variables: &["CURSOR_AGENT"],
        programs: &["cursor-agent"],
        paths: &["/cursor-agent/versions/"],
    },
    moved_by: &[],
    skills: SkillDirectories {
        project: ".agents/skills",
        also_in_project: &[".cursor/skills"],
        global: &[".cursor/skills", ".agents/skills"],
        ignored: IgnoredFiles::Opened,
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
        references: References::EnvInBraces,
        sse: Sse::Spoken,
        persons_keys: &["disabled"],
        strictness: Strictness::UNKNOWN,
    },
    instructions: Instructions { project: &["AGENTS.md", ".cursor/rules/*.mdc"], global: &[], hidden: &[] },
    root_only: RootOnly::Nothing,
    trust: Trust::Unrecorded,
    waits_for: None,
    notes: &[],
    holdings: &HOLDINGS,
    permissions: &PERMISSIONS,
    dialect: &DIALECT,
};

/// Where people say which commands it may run.
static PERMISSIONS: [PermissionFile; 2] = [
    PermissionFile { at: At::Home(".cursor/cli-config.json"), notation: Some(Notation::Json), rules },
    PermissionFile { at: At::Project(".cursor/cli.json"), notation: Some(Notation::Json), rules },
];

fn rules(settings: &Value) -> Vec<RuleText> {
    let lists = [&["permissions", "allow"][..], &["permissions", "deny"]];
    permission::beginning_in_parentheses(settings, &lists, &["Shell"])
}

/// What people may already have in Cursor.
static HOLDINGS: Holdings = Holdings {
    layers: &[
        Layer::json(
            Scope::Global,
            At::Machine {
                path: "/etc/cursor/hooks.json",
                macos: "/Library/Application Support/Cursor/hooks.json",
                variable: None,
            },
            HOOKS,
            None,
        ),
        Layer::json(Scope::Global, At::Home(".cursor/hooks.json"), HOOKS, None),
        Layer::json(Scope::Global, At::Home(".cursor/mcp.json"), None, SERVERS),
        Layer::json(Scope::Project, At::Project(".cursor/hooks.json"), HOOKS, None).unlinked(),
        Layer::json(Scope::Project, At::Project(".cursor/mcp.json"), None, SERVERS),
        Layer::json(Scope::Global, At::Home(".claude/settings.json"), HOOKS, None).lent(AgentId::Claude),
        Layer::json(Scope::Project, At::Project(".claude/settings.json"), HOOKS, None).lent(AgentId::Claude).unlinked(),
        Layer::json(Scope::Project, At::Project(".claude/settings.local.json"), HOOKS, None)
            .lent(AgentId::Claude)
            .unlinked(),
    ],
    command_keys: &["command"],
    timeouts: &[("timeout", TimeUnit::Seconds)],
    default_timeout: 60,
    matching: Matching::Pattern,
    star: Star::All,
    prompt_matcher: PromptMatcher::Ignored,
    borrowed_events: None,
    bare_url: BareUrl::Http,
    unportable: &[],
    fails_closed: Some(("failClosed", "true")),
    variables: &[
        ("CURSOR_PLUGIN_ROOT", Meaning::Plugin),
        ("CURSOR_TRANSCRIPT_PATH", Meaning::OwnAffair),
        ("CURSOR_VERSION", Meaning::OwnAffair),
    ],
    starts_in: StartsIn::WorkingDirectory,
    substitution: Substitution::ByShell,
    hook_is_off,
    server_is_off: server_stays_on,
    plugin_is_off: plugin_stays_on,
    causes: Causes::Unknown,
    programs: &[],
    plugin_skills: &[],
};

const HOOKS: Option<&[&str]> = Some(&["hooks"]);
const SERVERS: Option<&[&str]> = Some(&["mcpServers"]);

/// Claude Code's events as this one translates them; it passes over all others.
const BORROWED: &[&str] = &[
    "PreToolUse",
    "PostToolUse",
    "UserPromptSubmit",
    "Stop",
    "SubagentStop",
    "SessionStart",
    "SessionEnd",
    "PreCompact",
];
/// Those it only knows by name.
const KNOWN_BY_NAME: &[&str] = &["PermissionRequest", "Notification"];

/// Of Claude Code's files it runs what it can translate, and takes a file for one of those only when some group of hooks
/// in it has a `matcher`, of whatever value.
fn hook_is_off(hook: &HookPlace<'_>, all: &[Settings<'_>]) -> Option<String> {
    let borrowed = |settings: &&Settings<'_>| {
        settings.path == hook.file && settings.layer.holder == Holder::Other(AgentId::Claude)
    };
    let settings = all.iter().find(borrowed)?;
    let events = settings.at(&["hooks"], None).and_then(Value::as_object);
    let is_recognised = events.into_iter().flatten().any(|(event, groups)| {
        let is_group =
            |group: &Value| group.get("hooks").is_some_and(Value::is_array) && group.get("matcher").is_some();
        [BORROWED, KNOWN_BY_NAME].iter().any(|known| known.contains(&event.as_str()))
            && groups.as_array().is_some_and(|groups| groups.iter().any(is_group))
    });
    if !is_recognised {
        return Some(format!("Cursor passes over {}, where no group of hooks has a `matcher`", settings.shown));
    }
    if !BORROWED.contains(&hook.event) {
        return Some(format!("Cursor does not take `{}` over from Claude Code", hook.event));
    }
    let group = settings.at(&["hooks", hook.event], None).and_then(|groups| groups.get(hook.group));
    let matcher = group.and_then(|group| group.get("matcher")?.as_str()).filter(|_| hook.event.ends_with("ToolUse"));
    // It has no such tool.
    let is_never = |matcher: &str| matcher.split('|').all(|name| name.trim() == "Glob");
    matcher.filter(|matcher| is_never(matcher)).map(|matcher| format!("Cursor has no tool for the matcher `{matcher}`"))
}
