//! Goose: its dialect and its files.

use serde_json::{Map, Value, json};
use symposium_model::agent::AgentId;
use symposium_model::hook::Event;
use symposium_model::transport::ServerTransport;

use crate::context_facts::{ContextFacts, ToolListing};
use crate::dialect::{AgentDialect, DenyEffect, DialectOwner, EventAbilities, HookAbilities};
use crate::registration_input::{RegisteredServer, Scope};
use crate::servers;
use crate::settings_layout::{
    LayerPath, LoadedLayer, MatcherSyntax, PluginPlace, PromptMatcher, SettingsFormat, SettingsLayer, SettingsLayout,
    StarMeaning, VariableMeaning,
};
use crate::shell_output::ShellOutput;
use crate::spec::{
    AgentSpec, DoubleRegistration, FileSharing, HookFile, HookLayout, IgnoredFiles, InstructionFiles, McpFile,
    ReferenceSyntax, RegistrationNote, RelocationVariable, RootRequirement, ShellTraces, SkillDirectories,
    SpecEvidence, SseSupport,
};
use crate::usual::{self, HOOKS, SERVERS};
use crate::wire::fields_of;
use crate::wire_format::{
    EVERY, FieldNames, HookAnswer, LoweredDecision, LoweredOutcome, McpNames, NativeForm, ToolMapping, WireFormat,
};

/// Goose's dialect. No output of a hook ever reaches the model, except the reason of a block.
pub(crate) static DIALECT: AgentDialect = AgentDialect {
    // A command that exits non-zero fires this one instead.
    events: usual::EVENTS_AND_FAILURE,
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
    own: NativeForm {
        // The event names the subject of its matcher.
        matched: &[(EVERY, "matcher_context")],
        ..usual::NATIVE
    },
    can: HookAbilities {
        session_start: Some(EventAbilities::ONLY_WATCH),
        user_prompt_submit: Some(EventAbilities::ONLY_WATCH),
        pre_tool_use: Some(EventAbilities { deny: DenyEffect::Blocks, ..EventAbilities::ONLY_WATCH }),
        post_tool_use: Some(EventAbilities::ONLY_WATCH),
        ..usual::ABILITIES
    },
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
        ..usual::WIRE
    },
    // It tells the model not to retry.
    repeats_refused: false,
    ..usual::dialect(DialectOwner::Agent(AgentId::Goose))
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
    title: "Goose",
    evidence: SpecEvidence::Ran("1.52.0"),
    programs: &["goose"],
    home_signs: &[".config/goose"],
    own_shell: ShellTraces {
        variables: &["AGENT_SESSION_ID", "GOOSE_TERMINAL"],
        programs: &["goose", "goosed"],
        paths: &[],
    },
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
        layout: HookLayout::Own {
            // No `on_failure`: with `block`, any unexpected result would deny the tool.
            handler: usual::HANDLER,
            frame: hook_file,
        },
        ..usual::hook_file(".agents/plugins/symposium/hooks/hooks.json", &DIALECT)
    }],
    // Of two plugins with the same name the project's is used.
    both_scopes: DoubleRegistration::ProjectHidesGlobal,
    mcp: McpFile {
        ownership: FileSharing::Own,
        server,
        references: ReferenceSyntax::ByName,
        sse: SseSupport::NotSpoken,
        ..usual::mcp_file(".agents/plugins/symposium/.mcp.json")
    },
    instructions: InstructionFiles {
        project: &[".goosehints", "AGENTS.md"],
        global: &[".config/goose/.goosehints", ".config/goose/AGENTS.md", ".agents/AGENTS.md"],
        hidden: &[],
    },
    root_only: RootRequirement::RegistrationAndSkills,
    notes: &[RegistrationNote::both(
        "Goose accepts no context from hooks: it gets the session text from Symposium's MCP server, and hooks can \
         only block",
    )],
    holdings: &HOLDINGS,
    ..usual::spec(AgentId::Goose, &DIALECT)
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
        SettingsLayer::user(".agents/plugins/*/hooks/hooks.json", HOOKS, None),
        SettingsLayer::user(".agents/plugins/*/.mcp.json", None, SERVERS),
        SettingsLayer::user(".config/goose/config.yaml", None, Some(&["extensions"])).written_in(SettingsFormat::Yaml),
        SettingsLayer::project(".agents/plugins/*/hooks/hooks.json", HOOKS, None),
        SettingsLayer::project(".agents/plugins/*/.mcp.json", None, SERVERS),
        // These list the disabled plugins.
        SettingsLayer::user(".config/goose/settings.json", None, None),
        SettingsLayer::project(".config/goose/settings.json", None, None),
        SettingsLayer::project(".config/goose/settings.local.json", None, None),
    ],
    default_timeout: 30,
    matching: MatcherSyntax::Pattern,
    star: StarMeaning::Never,
    prompt_matcher: PromptMatcher::Prompt,
    fails_closed: Some(("on_failure", "block")),
    variables: &[("PLUGIN_ROOT", VariableMeaning::Plugin)],
    plugin_is_off,
    plugin_skills: &[
        (Scope::User, LayerPath::Home(".agents/plugins/*/skills")),
        (Scope::Project, LayerPath::Project(".agents/plugins/*/skills")),
    ],
    ..usual::LAYOUT
};

/// Returns the reason why a plugin is off. Goose disables whole plugins, by the name of their directory.
fn plugin_is_off(place: &PluginPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    let (_, below) = place.path.split_once("/.agents/plugins/")?;
    let plugin = below.split('/').next()?;
    let off = all.iter().find(|settings| settings.lists(&["disabledPlugins"], plugin))?;
    Some(format!("`disabledPlugins` in {} switches it off", off.shown))
}
