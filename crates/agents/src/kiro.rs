//! Kiro: its dialect and its files, known from its documentation and the source of its predecessor.

use serde_json::{Map, Value, json};
use symposium_model::agent::AgentId;
use symposium_model::edit::EditFormat;
use symposium_model::hook::{Event, HookOutput};

use crate::command::ShellKind;
use crate::context_facts::ContextFacts;
use crate::dialect::{
    AgentDialect, AgentEvent, ContextEffect, DialectOwner, EventAbilities, EventNames, HookAbilities, MessageChannel,
    NeutralAnswer,
};
use crate::register::{TIMEOUT_SECONDS, json_text};
use crate::registration_input::{AgentPath, RegistrationInput, Scope};
use crate::servers;
use crate::settings_layout::{
    BareUrl, CauseMatcher, HookArrangement, LayerPath, MatcherSyntax, PromptMatcher, SettingsLayer, SettingsLayout,
    StarMeaning, StartDirectory, VariableMeaning, VariableSubstitution, hook_stays_on, plugin_stays_on,
    server_stays_on,
};
use crate::spec::{
    AgentSpec, AgentTrust, CommandKey, DoubleRegistration, FileChoice, FileSharing, HandlerForm, HandlerGrouping,
    HookFile, HookLayout, IgnoredFiles, InstructionFiles, McpFile, ReferenceSyntax, RegisteredCalls, RegistrationNote,
    RootRequirement, SettingsStrictness, ShellPathChannel, ShellTraces, SkillDirectories, SpecEvidence, SseSupport,
    TimeUnit, always,
};
use crate::wire::read_nested;
use crate::wire_format::{
    AllowMeaning, AnswerStream, DeferSupport, FieldNames, HookAnswer, LoweredDecision, LoweredOutcome, McpNames,
    NativeForm, PlainText, RefusalFormat, StartMatcher, ToolMapping, WireFormat,
};

pub(crate) static DIALECT: AgentDialect = AgentDialect {
    owner: DialectOwner::Agent(AgentId::Kiro),
    events: EventNames {
        session_start: "agentSpawn",
        user_prompt_submit: "userPromptSubmit",
        pre_tool_use: "preToolUse",
        post_tool_use: "postToolUse",
        tool_failed: None,
        stop: Some("stop"),
    },
    aliases: &[],
    native: STANDALONE_ONLY,
    withheld: &[],
    own: NativeForm {
        matched: &[],
        session_start: StartMatcher::Ignored,
        refusal: RefusalFormat::ExitCode,
        plain_text: PlainText::Harmless,
        answers_on: AnswerStream::Stdout,
        void: &[],
        defer: DeferSupport::Unknown,
        known: &[],
    },
    can: HookAbilities {
        session_start: EventAbilities::ONLY_TELL,
        user_prompt_submit: EventAbilities::TELL_WHY,
        pre_tool_use: EventAbilities { context: ContextEffect::Impossible, ..EventAbilities::TELL_OR_BLOCK },
        post_tool_use: EventAbilities::ONLY_WATCH,
        tool_failed: None,
        stop: Some(EventAbilities::ONLY_WATCH),
    },
    message: MessageChannel::Impossible,
    // `max_output_size` of a hook.
    context_limit: Some(10_240),
    output_limit: None,
    project_variable: None,
    neutral: NeutralAnswer::SILENCE,
    wire: WireFormat {
        fields: FieldNames {
            // Not in every mode.
            session_id: &["session_id"],
            output: &["result", "items", "stdout"],
            failed: |response| response.get("success") == Some(&Value::Bool(false)),
            source: &[],
            ..FieldNames::USUAL
        },
        // The names differ by generation of the program.
        tools: &[
            ToolMapping::same("Bash", &["execute_bash", "shell", "execute_cmd"]),
            ToolMapping::keyed("Read", &["fs_read", "read"], &[("file_path", "path")]),
            ToolMapping::keyed(
                "Edit",
                &["fs_write", "write"],
                &[("file_path", "path"), ("old_string", "old_str"), ("new_string", "new_str")],
            )
            .only_with("command", &["str_replace", "insert", "append"]),
            ToolMapping::keyed("Write", &["fs_write", "write"], WRITE_KEYS).only_with("command", &["create"]),
            ToolMapping::keyed("Write", &["fs_write", "write"], WRITE_KEYS),
            ToolMapping::same("Glob", &["glob"]),
            ToolMapping::same("Grep", &["grep"]),
        ],
        // Its tools are known from its documentation only.
        harmless: &[],
        mcp: McpNames {
            split: |name, _, _| {
                let (server, tool) = name.strip_prefix('@')?.split_once('/')?;
                Some((server.to_owned(), tool.to_owned()))
            },
            join: |server, tool| format!("@{server}/{tool}"),
        },
        write,
        read,
        allow: AllowMeaning::NoObjection,
        plain_text: &[Event::SessionStart, Event::UserPromptSubmit],
    },
    sub_agent_start: None,
    repeats_refused: true,
    guests: &[],
};

const WRITE_KEYS: &[(&str, &str)] = &[("file_path", "path"), ("content", "file_text")];

/// Reads an answer. At the start and with a prompt Kiro takes any output of a handler as context; at other events it
/// reads nothing but the exit code, and a deny in JSON is accepted all the same.
fn read(event: Event, answer: &mut Map<String, Value>) -> HookOutput {
    match event {
        Event::SessionStart | Event::UserPromptSubmit => {
            let text = Value::Object(std::mem::take(answer)).to_string();
            HookOutput { additional_context: Some(text), ..HookOutput::default() }
        }
        Event::PreToolUse | Event::PostToolUse | Event::Stop => read_nested(event, answer),
    }
}

/// Writes an answer. Exit code 2 blocks; otherwise standard output is context.
fn write(reply: &LoweredOutcome<'_>) -> HookAnswer {
    match &reply.verdict {
        LoweredDecision::Block(reason) => HookAnswer::blocked(reason),
        LoweredDecision::Nothing | LoweredDecision::Allow(_) | LoweredDecision::Ask(_) => {
            HookAnswer::text(reply.context.clone().unwrap_or_default())
        }
    }
}

static STANDALONE_EVENTS: EventNames = EventNames {
    session_start: "SessionStart",
    user_prompt_submit: "UserPromptSubmit",
    pre_tool_use: "PreToolUse",
    post_tool_use: "PostToolUse",
    tool_failed: None,
    stop: Some("Stop"),
};

const STANDALONE_ONLY: &[&str] = &["PreTaskExec", "PostTaskExec", "PostFileCreate", "PostFileSave", "PostFileDelete"];

pub(crate) static SPEC: AgentSpec = AgentSpec {
    id: AgentId::Kiro,
    title: "Kiro",
    evidence: SpecEvidence::Documents,
    programs: &["kiro-cli", "kiro"],
    home_signs: &[".kiro"],
    // Not `kiro-cli-term`, which runs between a terminal and the user's own shell, nor the editor.
    own_shell: ShellTraces {
        variables: &["KIRO_SESSION_ID", "KIRO_AGENT_PATH"],
        programs: &["kiro-cli", "kiro-cli-chat"],
        paths: &[],
    },
    shell_path: ShellPathChannel::Unknown,
    moved_by: &[],
    skills: SkillDirectories {
        project: ".kiro/skills",
        also_in_project: &[],
        global: &[".kiro/skills"],
        ignored: IgnoredFiles::Opened,
    },
    context: ContextFacts::UNKNOWN,
    hooks: &[
        HookFile {
            project: AgentPath::Project(".kiro/agents/symposium.json"),
            global: AgentPath::Home(".kiro/agents/symposium.json"),
            wanted: always,
            events: &DIALECT.events,
            native: &[],
            windows_shell: ShellKind::Cmd,
            layout: HookLayout::Own {
                // A nested entry, as Claude's, makes Kiro fall back to another agent without a message.
                handler: HandlerForm {
                    grouping: HandlerGrouping::Flat,
                    fixed: &[],
                    command: CommandKey::Command,
                    timeout_key: "timeout_ms",
                    timeout_unit: TimeUnit::Milliseconds,
                },
                frame: agent_file,
            },
            strictness: SettingsStrictness::UNKNOWN,
        },
        HookFile {
            project: AgentPath::Project(".kiro/hooks/symposium.json"),
            global: AgentPath::Home(".kiro/hooks/symposium.json"),
            wanted: wants_standalone,
            events: &STANDALONE_EVENTS,
            native: STANDALONE_ONLY,
            windows_shell: ShellKind::Cmd,
            layout: HookLayout::Written(standalone_file),
            strictness: SettingsStrictness::UNKNOWN,
        },
    ],
    // Of two agents with the same name the project's is used.
    both_scopes: DoubleRegistration::ProjectHidesGlobal,
    mcp: McpFile {
        project: FileChoice::only(AgentPath::Project(".kiro/settings/mcp.json")),
        global: FileChoice::only(AgentPath::Home(".kiro/settings/mcp.json")),
        ownership: FileSharing::Shared,
        key: "mcpServers",
        format: EditFormat::Json,
        server: servers::untyped,
        references: ReferenceSyntax::Braces,
        sse: SseSupport::Spoken,
        persons_keys: &["disabled", "timeout", "autoApprove", "disabledTools"],
        strictness: SettingsStrictness::UNKNOWN,
    },
    instructions: InstructionFiles {
        project: &[".kiro/steering/*.md", "AGENTS.md"],
        global: &[".kiro/steering/*.md"],
        hidden: &[],
    },
    root_only: RootRequirement::Nothing,
    trust: AgentTrust::Unrecorded,
    waits_for: None,
    notes: &[
        RegistrationNote::both(
            "Kiro calls Symposium's hooks only if the agent `symposium` is selected: start `kiro-cli chat --agent \
             symposium`, or make it the default with `kiro-cli agent set-default symposium`",
        ),
        RegistrationNote {
            scope: None,
            when: wants_standalone,
            text: "Kiro IDE and the future Kiro CLI 3 call the stand-alone hooks with every agent, including \
                   `symposium`",
        },
    ],
    holdings: &HOLDINGS,
    permissions: &[],
    allow: None,
    dialect: &DIALECT,
};

fn wants_standalone(situation: &RegistrationInput) -> bool {
    situation.switches.kiro_standalone_hooks
}

/// Returns an agent definition, since hooks belong to agents. Without `tools` the agent could do nothing, without
/// `includeMcpJson` the user would lose their servers, and without the resources it would see no skills.
fn agent_file(hooks: &Value) -> Value {
    json!({
        "name": "symposium",
        "description": "Kiro with Symposium's skills and hooks for the crates of the workspace. Written by `symposium sync`.",
        "tools": ["*"],
        "includeMcpJson": true,
        "resources": ["skill://.kiro/skills/**/SKILL.md", "skill://~/.kiro/skills/**/SKILL.md"],
        "hooks": hooks,
    })
}

/// Returns a file in the newer format: hooks that belong to no agent.
fn standalone_file(calls: &RegisteredCalls<'_>) -> String {
    let hook = |(name, event): &(&str, AgentEvent)| {
        json!({
            "name": format!("symposium {}", event.word()),
            "trigger": name,
            "action": { "type": "command", "command": calls.caller.command(event.word(), calls.shell) },
            "timeout": TIMEOUT_SECONDS,
        })
    };
    json_text(&json!({ "version": "v1", "hooks": calls.events.iter().map(hook).collect::<Vec<_>>() }))
}

static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::json(Scope::User, LayerPath::Home(".kiro/agents/*.json"), HOOKS, SERVERS),
        SettingsLayer {
            shape: HookArrangement::Listed,
            ..SettingsLayer::json(Scope::User, LayerPath::Home(".kiro/hooks/*.json"), HOOKS, None)
        },
        SettingsLayer::json(Scope::User, LayerPath::Home(".kiro/settings/mcp.json"), None, SERVERS),
        SettingsLayer::json(Scope::Project, LayerPath::Project(".kiro/agents/*.json"), HOOKS, SERVERS),
        SettingsLayer {
            shape: HookArrangement::Listed,
            ..SettingsLayer::json(Scope::Project, LayerPath::Project(".kiro/hooks/*.json"), HOOKS, None)
        },
        SettingsLayer::json(Scope::Project, LayerPath::Project(".kiro/settings/mcp.json"), None, SERVERS),
    ],
    command_keys: &["command"],
    // Stand-alone hooks count in seconds.
    timeouts: &[("timeout_ms", TimeUnit::Milliseconds), ("timeout", TimeUnit::Seconds)],
    default_timeout: 30,
    matching: MatcherSyntax::Glob,
    star: StarMeaning::All,
    prompt_matcher: PromptMatcher::Ignored,
    borrowed_events: None,
    bare_url: BareUrl::Http,
    unportable: &[(
        "cache_ttl_seconds",
        "only Kiro caches the answers of hooks; without the cache it would run every time",
    )],
    fails_closed: None,
    variables: &[("USER_PROMPT", VariableMeaning::OwnAffair)],
    starts_in: StartDirectory::WorkingDirectory,
    substitution: VariableSubstitution::ByShell,
    hook_is_off: hook_stays_on,
    server_is_off: server_stays_on,
    plugin_is_off: plugin_stays_on,
    causes: CauseMatcher::Unknown,
    programs: &[],
    plugin_skills: &[],
};

const HOOKS: Option<&[&str]> = Some(&["hooks"]);
const SERVERS: Option<&[&str]> = Some(&["mcpServers"]);
