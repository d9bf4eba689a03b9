//! Kiro, from its documents and its ancestor's source.

use serde_json::{Map, Value, json};
use symposium_model::agent::AgentId;
use symposium_model::edit::Format;
use symposium_model::hook::{Event, HookOutput};

use crate::command::Shell;
use crate::dialect::{Abilities, AgentEvent, Can, Context, Dialect, DialectOwner, EventNames, MessageChannel, Neutral};
use crate::form::{
    Allow, AnswerStream, Defer, Emission, Fields, McpNames, NativeForm, PlainText, Refusal, Reply, StartMatcher, Tool,
    Verdict, Wire,
};
use crate::holdings::{
    At, BareUrl, Causes, Holdings, Layer, Matching, Meaning, PromptMatcher, Shape, Star, StartsIn, Substitution,
    hook_stays_on, plugin_stays_on, server_stays_on,
};
use crate::register::{TIMEOUT_SECONDS, json_text};
use crate::servers;
use crate::situation::{Place, Scope, Situation};
use crate::spec::{
    AgentSpec, BothScopes, Calls, Choice, CommandKey, Evidence, Grouping, HandlerForm, HookFile, HookLayout,
    IgnoredFiles, Instructions, McpFile, Note, OwnShell, Ownership, References, RootOnly, SkillDirectories, Sse,
    Strictness, TimeUnit, Trust, always,
};
use crate::wire::read_nested;

/// How Kiro talks.
pub(crate) static DIALECT: Dialect = Dialect {
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
        refusal: Refusal::ExitCode,
        plain_text: PlainText::Harmless,
        answers_on: AnswerStream::Stdout,
        void: &[],
        defer: Defer::Unknown,
        known: &[],
    },
    can: Abilities {
        session_start: Can::ONLY_TELL,
        user_prompt_submit: Can::TELL_WHY,
        pre_tool_use: Can { context: Context::Impossible, ..Can::TELL_OR_BLOCK },
        post_tool_use: Can::ONLY_WATCH,
        tool_failed: None,
        stop: Some(Can::ONLY_WATCH),
    },
    message: MessageChannel::Impossible,
    // `max_output_size` of a hook.
    context_limit: Some(10_240),
    project_variable: None,
    neutral: Neutral::SILENCE,
    wire: Wire {
        fields: Fields {
            // Not in every mode.
            session_id: &["session_id"],
            output: &["result", "items", "stdout"],
            failed: |response| response.get("success") == Some(&Value::Bool(false)),
            source: &[],
            ..Fields::USUAL
        },
        // The names differ by generation of the program.
        tools: &[
            Tool::same("Bash", &["execute_bash", "shell", "execute_cmd"]),
            Tool::keyed("Read", &["fs_read", "read"], &[("file_path", "path")]),
            Tool::keyed(
                "Edit",
                &["fs_write", "write"],
                &[("file_path", "path"), ("old_string", "old_str"), ("new_string", "new_str")],
            )
            .only_with("command", &["str_replace", "insert", "append"]),
            Tool::keyed("Write", &["fs_write", "write"], WRITE_KEYS).only_with("command", &["create"]),
            Tool::keyed("Write", &["fs_write", "write"], WRITE_KEYS),
            Tool::same("Glob", &["glob"]),
            Tool::same("Grep", &["grep"]),
        ],
        // Its tools are known from documents only.
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
        allow: Allow::NoObjection,
        plain_text: &[Event::SessionStart, Event::UserPromptSubmit],
    },
    guests: &[],
};

const WRITE_KEYS: &[(&str, &str)] = &[("file_path", "path"), ("content", "file_text")];

/// What a handler of its prints is context, whatever it is. Elsewhere nothing is read but the exit code; a deny is
/// taken all the same.
fn read(event: Event, answer: &mut Map<String, Value>) -> HookOutput {
    match event {
        Event::SessionStart | Event::UserPromptSubmit => {
            let text = Value::Object(std::mem::take(answer)).to_string();
            HookOutput { additional_context: Some(text), ..HookOutput::default() }
        }
        Event::PreToolUse | Event::PostToolUse | Event::Stop => read_nested(event, answer),
    }
}

/// Exit code 2 blocks; what is printed otherwise is context.
fn write(reply: &Reply<'_>) -> Emission {
    match &reply.verdict {
        Verdict::Block(reason) => Emission::blocked(reason),
        Verdict::Nothing | Verdict::Allow(_) | Verdict::Ask(_) => {
            Emission::text(reply.context.clone().unwrap_or_default())
        }
    }
}

/// The names in stand-alone hook files.
static STANDALONE_EVENTS: EventNames = EventNames {
    session_start: "SessionStart",
    user_prompt_submit: "UserPromptSubmit",
    pre_tool_use: "PreToolUse",
    post_tool_use: "PostToolUse",
    tool_failed: None,
    stop: Some("Stop"),
};

/// Events that only stand-alone hook files have.
const STANDALONE_ONLY: &[&str] = &["PreTaskExec", "PostTaskExec", "PostFileCreate", "PostFileSave", "PostFileDelete"];

/// Everything known about Kiro.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    id: AgentId::Kiro,
    title: "Kiro",
    evidence: Evidence::Documents,
    programs: &["kiro-cli", "kiro"],
    home_signs: &[".kiro"],
    // Not `kiro-cli-term`, which stands between a terminal and the person's own shell, nor the editor.
    own_shell: OwnShell {
        variables: &["KIRO_SESSION_ID", "KIRO_AGENT_PATH"],
        programs: &["kiro-cli", "kiro-cli-chat"],
        paths: &[],
    },
    moved_by: &[],
    skills: SkillDirectories {
        project: ".kiro/skills",
        also_in_project: &[],
        global: &[".kiro/skills"],
        ignored: IgnoredFiles::Opened,
    },
    hooks: &[
        HookFile {
            project: Place::Project(".kiro/agents/symposium.json"),
            global: Place::Home(".kiro/agents/symposium.json"),
            wanted: always,
            events: &DIALECT.events,
            native: &[],
            windows_shell: Shell::Cmd,
            layout: HookLayout::Own {
                // A nested entry, as Claude's, makes Kiro fall back to another agent without a word.
                handler: HandlerForm {
                    grouping: Grouping::Flat,
                    fixed: &[],
                    command: CommandKey::Command,
                    timeout_key: "timeout_ms",
                    timeout_unit: TimeUnit::Milliseconds,
                },
                frame: agent_file,
            },
            strictness: Strictness::UNKNOWN,
        },
        HookFile {
            project: Place::Project(".kiro/hooks/symposium.json"),
            global: Place::Home(".kiro/hooks/symposium.json"),
            wanted: wants_standalone,
            events: &STANDALONE_EVENTS,
            native: STANDALONE_ONLY,
            windows_shell: Shell::Cmd,
            layout: HookLayout::Written(standalone_file),
            strictness: Strictness::UNKNOWN,
        },
    ],
    // Of two agents of one name the project's is taken.
    both_scopes: BothScopes::ProjectHidesGlobal,
    mcp: McpFile {
        project: Choice::only(Place::Project(".kiro/settings/mcp.json")),
        global: Choice::only(Place::Home(".kiro/settings/mcp.json")),
        ownership: Ownership::Shared,
        key: "mcpServers",
        format: Format::Json,
        server: servers::untyped,
        references: References::Braces,
        sse: Sse::Spoken,
        persons_keys: &["disabled", "timeout", "autoApprove", "disabledTools"],
        strictness: Strictness::UNKNOWN,
    },
    instructions: Instructions {
        project: &[".kiro/steering/*.md", "AGENTS.md"],
        global: &[".kiro/steering/*.md"],
        hidden: &[],
    },
    root_only: RootOnly::Nothing,
    trust: Trust::Unrecorded,
    waits_for: None,
    notes: &[
        Note::both(
            "Kiro calls our hooks only while the agent `symposium` is selected: start `kiro-cli chat --agent symposium`, \
             or make it the default with `kiro-cli agent set-default symposium`",
        ),
        Note {
            scope: None,
            when: wants_standalone,
            text: "Kiro IDE and the coming Kiro CLI 3 call the stand-alone hooks with every agent, also beside `symposium`",
        },
    ],
    holdings: &HOLDINGS,
    permissions: &[],
    dialect: &DIALECT,
};

fn wants_standalone(situation: &Situation) -> bool {
    situation.switches.kiro_standalone_hooks
}

/// An agent of our own: hooks live in agents. Without `tools` it could do nothing, without `includeMcpJson` the person
/// would lose their servers, and without the resources it would see no skills.
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

/// The newer format: hooks that belong to no agent.
fn standalone_file(calls: &Calls<'_>) -> String {
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

/// What people may already have in Kiro.
static HOLDINGS: Holdings = Holdings {
    layers: &[
        Layer::json(Scope::Global, At::Home(".kiro/agents/*.json"), HOOKS, SERVERS),
        Layer { shape: Shape::Listed, ..Layer::json(Scope::Global, At::Home(".kiro/hooks/*.json"), HOOKS, None) },
        Layer::json(Scope::Global, At::Home(".kiro/settings/mcp.json"), None, SERVERS),
        Layer::json(Scope::Project, At::Project(".kiro/agents/*.json"), HOOKS, SERVERS),
        Layer { shape: Shape::Listed, ..Layer::json(Scope::Project, At::Project(".kiro/hooks/*.json"), HOOKS, None) },
        Layer::json(Scope::Project, At::Project(".kiro/settings/mcp.json"), None, SERVERS),
    ],
    command_keys: &["command"],
    // Stand-alone hooks count seconds.
    timeouts: &[("timeout_ms", TimeUnit::Milliseconds), ("timeout", TimeUnit::Seconds)],
    default_timeout: 30,
    matching: Matching::Glob,
    star: Star::All,
    prompt_matcher: PromptMatcher::Ignored,
    borrowed_events: None,
    bare_url: BareUrl::Http,
    unportable: &[("cache_ttl_seconds", "only Kiro keeps the answers of hooks; without that it would run every time")],
    fails_closed: None,
    variables: &[("USER_PROMPT", Meaning::OwnAffair)],
    starts_in: StartsIn::WorkingDirectory,
    substitution: Substitution::ByShell,
    hook_is_off: hook_stays_on,
    server_is_off: server_stays_on,
    plugin_is_off: plugin_stays_on,
    causes: Causes::Unknown,
    programs: &[],
    plugin_skills: &[],
};

const HOOKS: Option<&[&str]> = Some(&["hooks"]);
const SERVERS: Option<&[&str]> = Some(&["mcpServers"]);
