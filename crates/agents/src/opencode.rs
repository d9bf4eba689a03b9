//! OpenCode.

use serde_json::{Map, Value};
use symposium_model::agent::AgentId;
use symposium_model::edit::Format;
use symposium_model::hook::{Decision, Event, HookOutput};
use symposium_model::transport::Transport;

use crate::command::Shell;
use crate::dialect::{Abilities, AgentEvent, Can, Dialect, DialectOwner, EventNames, MessageChannel, Neutral, Rewrite};
use crate::form::{
    Allow, AnswerStream, Defer, Emission, Fields, McpNames, NativeForm, PlainText, Refusal, Reply, StartMatcher, Tool,
    Verdict, Wire,
};
use crate::holdings::{
    At, BareUrl, Causes, Holdings, Layer, Matching, Notation, PromptMatcher, Star, StartsIn, Substitution,
    hook_stays_on, plugin_stays_on, server_stays_on,
};
use crate::permission::{PermissionFile, RuleText};
use crate::servers::insert_pairs;
use crate::situation::{McpServer, Place, Scope, Situation};
use crate::spec::{
    AgentSpec, BothScopes, Calls, Choice, Evidence, HiddenInstructions, HookFile, HookLayout, IgnoredFiles,
    Instructions, McpFile, MovedBy, Note, Others, OwnShell, Ownership, PackageWait, Reaction, References, RootOnly,
    SkillDirectories, Sse, StartProbe, Strictness, Trust,
};
use crate::wire::{PATCH_ALSO, fields_of, mcp_by_known_server, object_of, text_of};

/// How OpenCode talks, through the bridge: it has no command hooks, only modules it loads.
///
/// The bridge sends `{event, session_id, cwd, tool, args, output?, prompt?}` and takes `{deny?, args?, context?}`, where
/// `output` is the whole result as OpenCode hands it over, or `{error}`, and `args` are all of the tool's arguments. A native event is
/// sent as OpenCode raises it, and its answer is not read. A function OpenCode calls so that something can be changed is
/// sent as `{event, cwd, input, output}` and may be answered with `{output}`: what is to be others in there.
pub(crate) static DIALECT: Dialect = Dialect {
    owner: DialectOwner::Agent(AgentId::OpenCode),
    events: EventNames {
        session_start: "session-start",
        user_prompt_submit: "user-prompt-submit",
        pre_tool_use: "pre-tool-use",
        // After a tool that failed too; its output then tells what it said.
        post_tool_use: "post-tool-use",
        tool_failed: None,
        // Nothing fires before a turn ends; `session.idle` tells it afterwards.
        stop: None,
    },
    aliases: &[("tool.execute.before", Event::PreToolUse), ("tool.execute.after", Event::PostToolUse)],
    native: &[
        "session.created",
        "session.updated",
        "session.status",
        "session.idle",
        "session.diff",
        "message.updated",
        "file.edited",
        "file.watcher.updated",
        "permission.asked",
        "permission.replied",
        // These are functions; the bridge knows which.
        "chat.message",
        "chat.params",
        "shell.env",
        "experimental.chat.system.transform",
        "experimental.text.complete",
    ],
    withheld: &[],
    // Events tell it afterwards, and a function that throws ends the whole request.
    own: NativeForm {
        matched: &[],
        session_start: StartMatcher::Ignored,
        refusal: Refusal::Unheard,
        plain_text: PlainText::Harmful,
        answers_on: AnswerStream::Stdout,
        void: &[],
        defer: Defer::Unknown,
        known: &[],
    },
    can: Abilities {
        session_start: Can::ONLY_TELL,
        // A prompt could be refused, but the person would only see "Unexpected server error".
        user_prompt_submit: Can::TELL_WHY,
        pre_tool_use: Can { rewrite: Rewrite::Works, ..Can::TELL_OR_BLOCK },
        post_tool_use: Can::TELL_WHY,
        // It is told when the result is written already.
        tool_failed: Some(Can::ONLY_WATCH),
        stop: None,
    },
    message: MessageChannel::Impossible,
    context_limit: None,
    project_variable: None,
    neutral: Neutral { stdout: "{}", silent_on: &[] },
    wire: Wire {
        fields: Fields {
            event: "event",
            tool_name: &["tool"],
            tool_input: &["args"],
            tool_response: &["output"],
            // Text of a built-in tool, contents of an MCP tool.
            output: &["output", "content"],
            failed: |response| response.get("error").is_some_and(|error| !error.is_null()),
            stop_hook_active: &[],
            ..Fields::USUAL
        },
        tools: &[
            Tool::same("Bash", &["bash"]),
            Tool::keyed("Read", &["read"], &[("file_path", "filePath")]),
            Tool::keyed("Write", &["write"], &[("file_path", "filePath")]),
            Tool::keyed(
                "Edit",
                &["edit"],
                &[("file_path", "filePath"), ("old_string", "oldString"), ("new_string", "newString")],
            ),
            Tool::same("Glob", &["glob"]),
            Tool::same("Grep", &["grep"]),
            Tool::same("WebFetch", &["webfetch"]),
            Tool::same("Task", &["task"]),
            Tool::keyed("Skill", &["skill"], &[("skill", "name")]),
            // Many GPT models get this one in the place of `edit` and `write`; older versions call it otherwise.
            Tool::keyed("Patch", &["apply_patch", "patch"], &[("patch", "patchText")]).also(PATCH_ALSO),
            // Several edits of one file; older versions have it.
            Tool::keyed("Edit", &["multiedit"], &[("file_path", "filePath")]),
        ],
        harmless: &["todowrite"],
        mcp: McpNames {
            split: |name, _, servers| mcp_by_known_server(name, "_", servers),
            join: |server, tool| format!("{server}_{tool}"),
        },
        write,
        read,
        allow: Allow::NoObjection,
        plain_text: &[],
    },
    guests: &[],
};

/// What the bridge takes.
fn write(reply: &Reply<'_>) -> Emission {
    let deny = match &reply.verdict {
        Verdict::Block(reason) => Some(reason.as_str().into()),
        Verdict::Nothing | Verdict::Allow(_) | Verdict::Ask(_) => None,
    };
    Emission::json(fields_of([
        ("deny", deny),
        ("args", reply.rewrite.clone()),
        ("context", reply.context.as_deref().map(Value::from)),
    ]))
}

fn read(_: Event, answer: &mut Map<String, Value>) -> HookOutput {
    let reason = text_of(answer, "deny");
    HookOutput {
        decision: reason.is_some().then_some(Decision::Deny),
        reason,
        additional_context: text_of(answer, "context"),
        updated_input: object_of(answer, "args"),
        ..HookOutput::default()
    }
}

/// Comments and trailing commas are fine.
const SETTINGS: Strictness = Strictness {
    comment: Reaction::Accepts,
    trailing_comma: Reaction::Accepts,
    unknown_key: Reaction::Accepts,
    ..Strictness::UNKNOWN
};

/// Everything known about OpenCode.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    id: AgentId::OpenCode,
    title: "OpenCode",
    evidence: Evidence::Ran("1.18.33"),
    programs: &["opencode"],
    home_signs: &[".config/opencode", ".opencode", ".local/share/opencode"],
    own_shell: OwnShell { variables: &["OPENCODE", "OPENCODE_PID"], programs: &["opencode", ".opencode"], paths: &[] },
    moved_by: &[MovedBy { variable: "XDG_CONFIG_HOME", directory: ".config", along: &[] }],
    skills: SkillDirectories {
        project: ".agents/skills",
        also_in_project: &[".opencode/skills", ".opencode/skill", ".claude/skills"],
        global: &[
            ".agents/skills",
            ".config/opencode/skills",
            ".config/opencode/skill",
            ".opencode/skills",
            ".claude/skills",
        ],
        ignored: IgnoredFiles::Opened,
    },
    hooks: &[HookFile {
        project: Place::Project(".opencode/plugins/symposium.js"),
        global: Place::Home(".config/opencode/plugins/symposium.js"),
        wanted: wants_hooks,
        events: &DIALECT.events,
        native: DIALECT.native,
        // The bridge starts us without a shell.
        windows_shell: Shell::Cmd,
        layout: HookLayout::Written(bridge),
        strictness: Strictness::UNKNOWN,
    }],
    both_scopes: BothScopes::BothCall,
    mcp: McpFile {
        project: Choice {
            existing: &[Place::Project("opencode.jsonc"), Place::Project("opencode.json")],
            otherwise: Place::Project("opencode.json"),
            others: Others::Read,
        },
        global: Choice {
            existing: &[Place::Home(".config/opencode/opencode.jsonc"), Place::Home(".config/opencode/opencode.json")],
            otherwise: Place::Home(".config/opencode/opencode.json"),
            others: Others::Read,
        },
        ownership: Ownership::Shared,
        key: "mcp",
        format: Format::Json,
        server,
        references: References::EnvInCurlies,
        sse: Sse::Spoken,
        persons_keys: &["enabled", "timeout"],
        strictness: SETTINGS,
    },
    instructions: Instructions {
        project: &["AGENTS.md", "CLAUDE.md"],
        global: &[".config/opencode/AGENTS.md", ".claude/CLAUDE.md"],
        hidden: &[
            HiddenInstructions {
                file: Place::Project("CLAUDE.md"),
                by: Place::Project("AGENTS.md"),
                brought_in_by: None,
            },
            HiddenInstructions {
                file: Place::Home(".claude/CLAUDE.md"),
                by: Place::Home(".config/opencode/AGENTS.md"),
                brought_in_by: None,
            },
        ],
    },
    root_only: RootOnly::Nothing,
    trust: Trust::Unrecorded,
    waits_for: Some(&PACKAGE),
    notes: &[Note {
        scope: None,
        when: wants_hooks,
        text: "OpenCode waits for an npm install before it loads any plugin, over a minute when offline: \
               set `npm_config_fetch_retries=0` in its environment to avoid that, \
               or `[agents.opencode] hooks = false` to do without hooks",
    }],
    holdings: &HOLDINGS,
    permissions: &PERMISSIONS,
    dialect: &DIALECT,
};

/// Where people say which commands it may run.
static PERMISSIONS: [PermissionFile; 9] = [
    permission_file(At::Home(".config/opencode/config.json")),
    permission_file(At::Home(".config/opencode/opencode.json")),
    permission_file(At::Home(".config/opencode/opencode.jsonc")),
    permission_file(At::Home(".opencode/opencode.json")),
    permission_file(At::Home(".opencode/opencode.jsonc")),
    permission_file(At::Project("opencode.json")),
    permission_file(At::Project("opencode.jsonc")),
    permission_file(At::Project(".opencode/opencode.json")),
    permission_file(At::Project(".opencode/opencode.jsonc")),
];

const fn permission_file(at: At) -> PermissionFile {
    PermissionFile { at, notation: Some(Notation::Json), rules }
}

/// Rules such as `"permission": {"bash": {"git push*": "deny"}}`, for every agent of it and for single ones.
fn rules(settings: &Value) -> Vec<RuleText> {
    let agents = settings.get("agent").and_then(Value::as_object).into_iter().flat_map(|agents| agents.values());
    let commands = std::iter::once(settings).chain(agents);
    let commands = commands.filter_map(|of| of.get("permission")?.get("bash")?.as_object()).flatten();
    commands.map(|(text, _)| RuleText { text: text.clone(), pattern: Some(text.clone()) }).collect()
}

/// What it installs into each of its directories, at every start, until it is there. Without a network npm tries for 72
/// to 80 seconds, and plugins are loaded only then; with a network it took 11 to 15 seconds, once.
static PACKAGE: PackageWait = PackageWait {
    package: "@opencode-ai/plugin",
    directories: &[Place::Project(".opencode"), Place::Home(".config/opencode"), Place::Home(".opencode")],
    give_up: ("npm_config_fetch_retries", "0"),
    probe: StartProbe {
        // It loads plugins, and starts no session.
        args: &["debug", "info"],
        file: ".config/opencode/plugins/probe.js",
        text: "import { writeSync } from \"node:fs\";\n\
               export const Probe = async () => { writeSync(1, \"symposium-probe-loaded\\n\"); process.exit(0); };\n",
        says: "symposium-probe-loaded",
        homes: &[
            ("HOME", ""),
            ("XDG_CONFIG_HOME", ".config"),
            ("XDG_DATA_HOME", ".local/share"),
            ("XDG_CACHE_HOME", ".cache"),
            ("XDG_STATE_HOME", ".local/state"),
        ],
        variables: &[
            // Else it looks, and writes, in every directory above.
            ("OPENCODE_DISABLE_PROJECT_CONFIG", Some("1")),
            ("OPENCODE_DISABLE_MODELS_FETCH", Some("1")),
            ("OPENCODE_DISABLE_AUTOUPDATE", Some("1")),
            ("OPENCODE_DISABLE_SHARE", Some("1")),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", Some("1")),
            ("OPENCODE_CONFIG", None),
            ("OPENCODE_CONFIG_DIR", None),
            ("OPENCODE_CONFIG_CONTENT", None),
        ],
        npm_settings: ("npm_config_userconfig", ".npmrc"),
    },
};

fn wants_hooks(situation: &Situation) -> bool {
    situation.switches.opencode_hooks
}

/// The module OpenCode loads. The values go in as JSON, which JavaScript reads as the same value.
fn bridge(calls: &Calls<'_>) -> String {
    let native = calls.events.iter().filter_map(|(name, event)| match event {
        AgentEvent::Native(_) => Some(*name),
        AgentEvent::Canonical(_) | AgentEvent::ToolFailed => None,
    });
    // Backwards, so that nothing put in is taken for a place to put something.
    include_str!("opencode_bridge.js")
        .replacen("[\"@NATIVE@\"]", &native.collect::<Value>().to_string(), 1)
        .replacen("[\"@OPTIONS@\"]", &Value::from(calls.caller.options()).to_string(), 1)
        .replacen("\"@PROGRAM@\"", &Value::from(calls.caller.executable()).to_string(), 1)
}

fn server(server: &McpServer) -> Value {
    let mut value = Map::new();
    match &server.transport {
        Transport::Stdio { command, args, env } => {
            let words = std::iter::once(command).chain(args).map(String::as_str);
            value.insert("type".to_owned(), Value::from("local"));
            value.insert("command".to_owned(), words.collect::<Value>());
            insert_pairs(&mut value, "environment", env);
        }
        Transport::Http { url, headers } | Transport::Sse { url, headers } => {
            value.insert("type".to_owned(), Value::from("remote"));
            value.insert("url".to_owned(), Value::from(url.as_str()));
            insert_pairs(&mut value, "headers", headers);
        }
    }
    value.insert("enabled".to_owned(), Value::from(true));
    Value::Object(value)
}

/// What people may already have in OpenCode: servers. Its hooks are modules in JavaScript.
static HOLDINGS: Holdings = Holdings {
    layers: &[
        Layer::json(Scope::Global, At::Home(".config/opencode/config.json"), None, SERVERS),
        Layer::json(Scope::Global, At::Home(".config/opencode/opencode.json"), None, SERVERS),
        Layer::json(Scope::Global, At::Home(".config/opencode/opencode.jsonc"), None, SERVERS),
        Layer::json(Scope::Global, At::Home(".opencode/opencode.json"), None, SERVERS),
        Layer::json(Scope::Global, At::Home(".opencode/opencode.jsonc"), None, SERVERS),
        Layer::json(Scope::Project, At::Project("opencode.json"), None, SERVERS),
        Layer::json(Scope::Project, At::Project("opencode.jsonc"), None, SERVERS),
        Layer::json(Scope::Project, At::Project(".opencode/opencode.json"), None, SERVERS),
        Layer::json(Scope::Project, At::Project(".opencode/opencode.jsonc"), None, SERVERS),
    ],
    command_keys: &[],
    timeouts: &[],
    default_timeout: 0,
    matching: Matching::NamesOrPattern,
    star: Star::All,
    prompt_matcher: PromptMatcher::Ignored,
    borrowed_events: None,
    bare_url: BareUrl::Http,
    unportable: &[],
    fails_closed: None,
    variables: &[],
    starts_in: StartsIn::WorkingDirectory,
    substitution: Substitution::ByShell,
    hook_is_off: hook_stays_on,
    server_is_off: server_stays_on,
    plugin_is_off: plugin_stays_on,
    causes: Causes::Unknown,
    programs: &[
        At::Home(".config/opencode/plugin/*"),
        At::Home(".config/opencode/plugins/*"),
        At::Home(".opencode/plugin/*"),
        At::Home(".opencode/plugins/*"),
        At::Project(".opencode/plugin/*"),
        At::Project(".opencode/plugins/*"),
    ],
    plugin_skills: &[],
};

const SERVERS: Option<&[&str]> = Some(&["mcp"]);
