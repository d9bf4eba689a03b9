//! Goose: its dialect and its files.

use serde_json::{Map, Value, json};
use symposium_model::agent::AgentId;
use symposium_model::edit::EditFormat;
use symposium_model::hook::Event;
use symposium_model::transport::ServerTransport;

use crate::command::ShellKind;
use crate::context_facts::{ContextFacts, ToolListing};
use crate::dialect::{
    AgentDialect, DenyEffect, DialectOwner, EventAbilities, EventNames, HookAbilities, MessageChannel, NeutralAnswer,
};
use crate::registration_input::{AgentPath, RegisteredServer, Scope};
use crate::servers;
use crate::settings_layout::{
    BareUrl, CauseMatcher, LayerPath, LoadedLayer, MatcherSyntax, PluginPlace, PromptMatcher, SettingsFormat,
    SettingsLayer, SettingsLayout, StarMeaning, StartDirectory, VariableMeaning, VariableSubstitution, hook_stays_on,
    server_stays_on,
};
use crate::shell_output::ShellOutput;
use crate::spec::{
    AgentSpec, AgentTrust, CommandKey, DoubleRegistration, FileChoice, FileSharing, HandlerForm, HandlerGrouping,
    HookFile, HookLayout, IgnoredFiles, InstructionFiles, McpFile, ReferenceSyntax, RegistrationNote,
    RelocationVariable, RootRequirement, SettingsStrictness, ShellPathChannel, ShellTraces, SkillDirectories,
    SpecEvidence, SseSupport, TimeUnit, always,
};
use crate::wire::{fields_of, read_nested};
use crate::wire_format::{
    AllowMeaning, AnswerStream, DeferSupport, EVERY, FieldNames, HookAnswer, LoweredDecision, LoweredOutcome, McpNames,
    NativeForm, PlainText, RefusalFormat, StartMatcher, ToolMapping, WireFormat,
};

/// Goose's dialect. No output of a hook ever reaches the model, except the reason of a block.
pub(crate) static DIALECT: AgentDialect = AgentDialect {
    owner: DialectOwner::Agent(AgentId::Goose),
    events: EventNames {
        session_start: "SessionStart",
        user_prompt_submit: "UserPromptSubmit",
        pre_tool_use: "PreToolUse",
        post_tool_use: "PostToolUse",
        // A command that exits non-zero fires this one instead.
        tool_failed: Some("PostToolUseFailure"),
        stop: Some("Stop"),
    },
    aliases: &[],
    native: &[
        "SessionEnd",
        "PreToolUseResult",
        "BeforeShellExecution",
        "AfterShellExecution",
        "BeforeReadFile",
        "AfterFileEdit",
        "SubagentStart",
        "SubagentStop",
    ],
    withheld: &[],
    own: NativeForm {
        // The event names the subject of its matcher.
        matched: &[(EVERY, "matcher_context")],
        session_start: StartMatcher::Ignored,
        refusal: RefusalFormat::ExitCode,
        plain_text: PlainText::Harmless,
        answers_on: AnswerStream::Stdout,
        void: &[],
        defer: DeferSupport::Unknown,
        known: &[],
    },
    can: HookAbilities {
        session_start: EventAbilities::ONLY_WATCH,
        user_prompt_submit: EventAbilities::ONLY_WATCH,
        pre_tool_use: EventAbilities { deny: DenyEffect::Blocks, ..EventAbilities::ONLY_WATCH },
        post_tool_use: EventAbilities::ONLY_WATCH,
        tool_failed: None,
        stop: Some(EventAbilities::ANOTHER_TURN),
    },
    message: MessageChannel::Impossible,
    context_limit: None,
    output_limit: None,
    project_variable: None,
    neutral: NeutralAnswer::SILENCE,
    wire: WireFormat {
        fields: FieldNames {
            event: "event",
            cwd: &["working_dir"],
            // Goose does not send the output of a tool.
            tool_response: &["tool_response"],
            prompt: &["message"],
            source: &[],
            last_message: &["last_assistant_message"],
            shell_output: |result| {
                Some(ShellOutput { exit_code: Some(i32::from(result.failed)), ..ShellOutput::default() })
            },
            ..FieldNames::USUAL
        },
        tools: &[
            ToolMapping::same("Bash", &["shell"]),
            ToolMapping::keyed("Read", &["read"], &[("file_path", "path")]),
            ToolMapping::keyed("Write", &["write"], &[("file_path", "path")]),
            ToolMapping::keyed(
                "Edit",
                &["edit"],
                &[("file_path", "path"), ("old_string", "before"), ("new_string", "after")],
            ),
            ToolMapping::keyed("Skill", &["load_skill"], &[("skill", "name")]),
            // Code that calls the other tools, none of which then raises an event.
            ToolMapping::keyed("Bash", &["execute_typescript"], &[("command", "code")]),
            // Names of older versions.
            ToolMapping::same("Bash", &["developer__shell"]),
            ToolMapping::keyed("Bash", &["computercontroller__automation_script"], &[("command", "script")]),
            ToolMapping::keyed("Read", EDITOR, &[("file_path", "path")]).only_with("command", &["view"]),
            ToolMapping::keyed("Write", EDITOR, &[("file_path", "path"), ("content", "file_text")])
                .only_with("command", &["write"]),
            ToolMapping::keyed(
                "Edit",
                EDITOR,
                &[("file_path", "path"), ("old_string", "old_str"), ("new_string", "new_str")],
            ),
            ToolMapping::keyed("Read", DOCUMENTS, &[("file_path", "path")]).only_with("operation", READING),
            ToolMapping::keyed("Edit", DOCUMENTS, &[("file_path", "path")]),
        ],
        harmless: &[
            "analyze",
            // Pages that it shows, in its own folder.
            "apps__create_app",
            "apps__delete_app",
            "apps__iterate_app",
            "apps__list_apps",
            "computercontroller__pdf_tool",
            // Starts an agent, whose tools raise events.
            "delegate",
            "extensionmanager__list_resources",
            "extensionmanager__manage_extensions",
            "extensionmanager__read_resource",
            "extensionmanager__search_available_extensions",
            "get_function_details",
            "list_functions",
            "load",
            // Its own notes, in its own folder.
            "memory__remember_memory",
            "memory__remove_memory_category",
            "memory__remove_specific_memory",
            "memory__retrieve_memories",
            "read_image",
            "tree",
        ],
        mcp: McpNames { split: server_of, join: |server, tool| format!("{server}__{tool}") },
        write,
        read: read_nested,
        allow: AllowMeaning::NoObjection,
        plain_text: &[],
    },
    // It tells the model not to retry.
    sub_agent_start: None,
    repeats_refused: false,
    guests: &[],
};

const EDITOR: &[&str] = &["developer__text_editor"];
const DOCUMENTS: &[&str] = &["computercontroller__docx_tool", "computercontroller__xlsx_tool"];
/// Operations of those tools that do not change a document.
const READING: &[&str] = &["extract_text", "list_worksheets", "get_columns", "get_range", "find_text", "get_cell"];

/// Returns server and tool. The name of a plugin's server contains the plugin's name too: Symposium's is
/// `symposium_symposium__list`.
fn server_of(name: &str, _: &Map<String, Value>, _: &[String]) -> Option<(String, String)> {
    let (server, tool) = name.split_once("__").filter(|(server, tool)| !server.is_empty() && !tool.is_empty())?;
    let server = server.strip_prefix(concat!("symposium", "_")).filter(|rest| !rest.is_empty()).unwrap_or(server);
    Some((server.to_owned(), tool.to_owned()))
}

/// Writes an answer. Exit code 2 blocks a tool; at the end of a turn only JSON is read.
fn write(reply: &LoweredOutcome<'_>) -> HookAnswer {
    match &reply.verdict {
        LoweredDecision::Block(reason) if reply.event == Event::Stop => {
            HookAnswer::json(fields_of([("decision", Some("block".into())), ("reason", Some(reason.as_str().into()))]))
        }
        LoweredDecision::Block(reason) => HookAnswer::blocked(reason),
        LoweredDecision::Nothing | LoweredDecision::Allow(_) | LoweredDecision::Ask(_) => DIALECT.neutral(None),
    }
}

pub(crate) static SPEC: AgentSpec = AgentSpec {
    id: AgentId::Goose,
    title: "Goose",
    evidence: SpecEvidence::Ran("1.52.0"),
    programs: &["goose"],
    home_signs: &[".config/goose"],
    own_shell: ShellTraces {
        variables: &["AGENT_SESSION_ID", "GOOSE_TERMINAL"],
        programs: &["goose", "goosed"],
        paths: &[],
    },
    shell_path: ShellPathChannel::Unknown,
    moved_by: &[RelocationVariable { variable: "XDG_CONFIG_HOME", directory: ".config", along: &[] }],
    skills: SkillDirectories {
        project: ".agents/skills",
        also_in_project: &[".goose/skills", ".claude/skills"],
        global: &[".agents/skills", ".config/goose/skills", ".claude/skills", ".config/agents/skills"],
        ignored: IgnoredFiles::Opened,
    },
    context: ContextFacts { skill_names: 1, skill_frame: 10, limit: None, tools: ToolListing::Whole },
    hooks: &[HookFile {
        // A directory below `plugins/` is a plugin; it needs no manifest.
        project: AgentPath::Project(".agents/plugins/symposium/hooks/hooks.json"),
        global: AgentPath::Home(".agents/plugins/symposium/hooks/hooks.json"),
        wanted: always,
        events: &DIALECT.events,
        native: DIALECT.native,
        windows_shell: ShellKind::Cmd,
        layout: HookLayout::Own {
            // No `on_failure`: with `block`, any unexpected result would deny the tool.
            handler: HandlerForm {
                grouping: HandlerGrouping::Groups,
                fixed: &[("type", "command")],
                command: CommandKey::Command,
                timeout_key: "timeout",
                timeout_unit: TimeUnit::Seconds,
            },
            frame: hook_file,
        },
        strictness: SettingsStrictness::UNKNOWN,
    }],
    // Of two plugins with the same name the project's is used.
    both_scopes: DoubleRegistration::ProjectHidesGlobal,
    mcp: McpFile {
        project: FileChoice::only(AgentPath::Project(".agents/plugins/symposium/.mcp.json")),
        global: FileChoice::only(AgentPath::Home(".agents/plugins/symposium/.mcp.json")),
        ownership: FileSharing::Own,
        key: "mcpServers",
        format: EditFormat::Json,
        server,
        references: ReferenceSyntax::ByName,
        sse: SseSupport::NotSpoken,
        persons_keys: &[],
        strictness: SettingsStrictness::UNKNOWN,
    },
    instructions: InstructionFiles {
        project: &[".goosehints", "AGENTS.md"],
        global: &[".config/goose/.goosehints", ".config/goose/AGENTS.md", ".agents/AGENTS.md"],
        hidden: &[],
    },
    root_only: RootRequirement::RegistrationAndSkills,
    trust: AgentTrust::Unrecorded,
    waits_for: None,
    notes: &[RegistrationNote::both(
        "Goose accepts no context from hooks: it gets the session text from Symposium's MCP server, and hooks can \
         only block",
    )],
    holdings: &HOLDINGS,
    permissions: &[],
    allow: None,
    dialect: &DIALECT,
};

fn hook_file(hooks: &Value) -> Value {
    json!({ "hooks": hooks })
}

/// Writes a server. Only a remote one needs its type; a local one inherits the whole environment.
fn server(server: &RegisteredServer) -> Value {
    match &server.transport {
        ServerTransport::Stdio { command, args, env } => {
            let (env, _) = servers::without_handed_on(env);
            let transport = ServerTransport::Stdio { command: command.clone(), args: args.clone(), env };
            servers::untyped(&RegisteredServer { name: server.name.clone(), transport })
        }
        ServerTransport::Http { .. } | ServerTransport::Sse { .. } => servers::typed(server),
    }
}

static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::json(Scope::User, LayerPath::Home(".agents/plugins/*/hooks/hooks.json"), HOOKS, None),
        SettingsLayer::json(Scope::User, LayerPath::Home(".agents/plugins/*/.mcp.json"), None, SERVERS),
        SettingsLayer::json(Scope::User, LayerPath::Home(".config/goose/config.yaml"), None, Some(&["extensions"]))
            .written_in(SettingsFormat::Yaml),
        SettingsLayer::json(Scope::Project, LayerPath::Project(".agents/plugins/*/hooks/hooks.json"), HOOKS, None),
        SettingsLayer::json(Scope::Project, LayerPath::Project(".agents/plugins/*/.mcp.json"), None, SERVERS),
        // These list the disabled plugins.
        SettingsLayer::json(Scope::User, LayerPath::Home(".config/goose/settings.json"), None, None),
        SettingsLayer::json(Scope::Project, LayerPath::Project(".config/goose/settings.json"), None, None),
        SettingsLayer::json(Scope::Project, LayerPath::Project(".config/goose/settings.local.json"), None, None),
    ],
    command_keys: &["command"],
    timeouts: &[("timeout", TimeUnit::Seconds)],
    default_timeout: 30,
    matching: MatcherSyntax::Pattern,
    star: StarMeaning::Never,
    prompt_matcher: PromptMatcher::Prompt,
    borrowed_events: None,
    bare_url: BareUrl::Http,
    unportable: &[],
    fails_closed: Some(("on_failure", "block")),
    variables: &[("PLUGIN_ROOT", VariableMeaning::Plugin)],
    starts_in: StartDirectory::WorkingDirectory,
    substitution: VariableSubstitution::ByShell,
    hook_is_off: hook_stays_on,
    server_is_off: server_stays_on,
    plugin_is_off,
    causes: CauseMatcher::Unknown,
    programs: &[],
    plugin_skills: &[
        (Scope::User, LayerPath::Home(".agents/plugins/*/skills")),
        (Scope::Project, LayerPath::Project(".agents/plugins/*/skills")),
    ],
};

const HOOKS: Option<&[&str]> = Some(&["hooks"]);
const SERVERS: Option<&[&str]> = Some(&["mcpServers"]);

/// Returns the reason why a plugin is off. Goose disables whole plugins, by the name of their directory.
fn plugin_is_off(place: &PluginPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    let (_, below) = place.path.split_once("/.agents/plugins/")?;
    let plugin = below.split('/').next()?;
    let off = all.iter().find(|settings| settings.lists(&["disabledPlugins"], plugin))?;
    Some(format!("`disabledPlugins` in {} switches it off", off.shown))
}
