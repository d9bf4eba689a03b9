//! OpenCode: its dialect and its files.

use serde_json::{Map, Value};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, ToolResult};
use symposium_model::transport::ServerTransport;

use crate::bridge;
use crate::command::ShellKind;
use crate::context_facts::{ContextFacts, ToolListing};
use crate::dialect::{AgentDialect, DialectOwner, EventAbilities, HookAbilities};
use crate::permission::{PermissionFile, RuleText};
use crate::registration_input::{AgentPath, RegisteredServer, RegistrationInput};
use crate::servers::insert_pairs;
use crate::settings_layout::{LayerPath, SettingsLayer, SettingsLayout};
use crate::shell_output::{OutputExtent, ShellOutput, response_text};
use crate::spec::{
    AgentSpec, FileChoice, HiddenInstructions, HookFile, HookLayout, IgnoredFiles, InstructionFiles, McpFile,
    PackageWait, ReferenceSyntax, RegistrationNote, RelocationVariable, SettingsReaction, SettingsStrictness,
    ShellPathChannel, ShellTraces, SkillDirectories, SpecEvidence, StartProbe,
};
use crate::usual;
use crate::wire::{PATCH_ALSO, mcp_by_known_server};
use crate::wire_format::{FieldNames, McpNames, ToolMapping, WireFormat};

/// OpenCode's dialect, through the bridge. A native event is sent as OpenCode raises it, and its answer is not read. A
/// function that OpenCode calls to let a plugin change something is sent as `{event, cwd, input, output}` and may be
/// answered with `{output}`: the changed fields of it.
pub(crate) static DIALECT: AgentDialect = AgentDialect {
    aliases: &[("tool.execute.before", Event::PreToolUse), ("tool.execute.after", Event::PostToolUse)],
    native: &NATIVE,
    can: HookAbilities {
        // The event arrives after the result is written.
        tool_failed: Some(EventAbilities::ONLY_WATCH),
        ..bridge::ABILITIES
    },
    wire: WireFormat {
        fields: FieldNames {
            // Text of a built-in tool, contents of an MCP tool.
            output: &["output", "content"],
            failed: |response| response.get("error").is_some_and(|error| !error.is_null()),
            shell_output,
            // The result of an MCP tool is a list of contents instead of a text.
            replaced_output: |_, result, text| {
                let is_list = result.response.as_ref().is_some_and(|response| response.get("content").is_some());
                (!is_list).then(|| text.into())
            },
            ..bridge::FIELDS
        },
        tools: &TOOLS,
        harmless: &["todowrite"],
        mcp: McpNames {
            split: |name, _, servers| mcp_by_known_server(name, "_", servers),
            join: |server, tool| format!("{server}_{tool}"),
        },
        ..bridge::WIRE
    },
    ..bridge::dialect(DialectOwner::Agent(AgentId::OpenCode))
};

pub(crate) const NATIVE: [&str; 15] = [
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
];

pub(crate) const TOOLS: [ToolMapping; 11] = [
    ToolMapping::same("Bash", &["bash"]),
    ToolMapping::keyed("Read", &["read"], &[("file_path", "filePath")]),
    ToolMapping::keyed("Write", &["write"], &[("file_path", "filePath")]),
    ToolMapping::keyed(
        "Edit",
        &["edit"],
        &[("file_path", "filePath"), ("old_string", "oldString"), ("new_string", "newString")],
    ),
    ToolMapping::same("Glob", &["glob"]),
    ToolMapping::same("Grep", &["grep"]),
    ToolMapping::same("WebFetch", &["webfetch"]),
    ToolMapping::same("Task", &["task"]),
    ToolMapping::keyed("Skill", &["skill"], &[("skill", "name")]),
    // Many GPT models get this one instead of `edit` and `write`; older versions have another name for it.
    ToolMapping::keyed("Patch", &["apply_patch", "patch"], &[("patch", "patchText")]).also(PATCH_ALSO),
    // Several edits of one file; older versions have it.
    ToolMapping::keyed("Edit", &["multiedit"], &[("file_path", "filePath")]),
];

/// Reads the output of a command. The model is not told the exit code, and gets only the end of a long output.
fn shell_output(result: &ToolResult) -> Option<ShellOutput<'_>> {
    let text = response_text(result, &["output"])?;
    let metadata = result.response.as_ref()?.get("metadata");
    let fact = |key: &str| metadata.and_then(|metadata| metadata.get(key));
    let exit_code = fact("exit").and_then(Value::as_i64).and_then(|code| i32::try_from(code).ok());
    let is_cut = fact("truncated") == Some(&Value::Bool(true));
    let extent = match (is_cut, fact("outputPath").and_then(Value::as_str)) {
        (false, _) => OutputExtent::Whole,
        (true, None) => OutputExtent::Cut,
        (true, Some(file)) => OutputExtent::CutBeside(file),
    };
    Some(ShellOutput { exit_code, extent, ..ShellOutput::plain(text) })
}

/// Comments and trailing commas are accepted.
const SETTINGS: SettingsStrictness = SettingsStrictness {
    comment: SettingsReaction::Accepts,
    trailing_comma: SettingsReaction::Accepts,
    unknown_key: SettingsReaction::Accepts,
    ..SettingsStrictness::UNKNOWN
};

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "OpenCode",
    evidence: SpecEvidence::Ran("1.18.33"),
    programs: &["opencode"],
    home_signs: &[".config/opencode", ".opencode", ".local/share/opencode"],
    own_shell: ShellTraces {
        variables: &["OPENCODE", "OPENCODE_PID"],
        programs: &["opencode", ".opencode"],
        paths: &[],
    },
    shell_path: ShellPathChannel::Module,
    moved_by: &[RelocationVariable { variable: "XDG_CONFIG_HOME", directory: ".config", along: &[] }],
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
    context: ContextFacts { skill_names: 2, skill_frame: 167, limit: None, tools: ToolListing::Whole },
    hooks: &[HookFile {
        project: AgentPath::Project(".opencode/plugins/symposium.js"),
        wanted: wants_hooks,
        // The bridge starts Symposium without a shell.
        windows_shell: ShellKind::Cmd,
        layout: HookLayout::Written(|calls| bridge::module(MODULE, calls)),
        ..usual::hook_file(".config/opencode/plugins/symposium.js", &DIALECT)
    }],
    mcp: McpFile {
        project: Some(FileChoice::either(&[AgentPath::Project("opencode.jsonc"), AgentPath::Project("opencode.json")])),
        global: Some(FileChoice::either(&[
            AgentPath::Home(".config/opencode/opencode.jsonc"),
            AgentPath::Home(".config/opencode/opencode.json"),
        ])),
        key: "mcp",
        server,
        references: ReferenceSyntax::EnvInCurlies,
        persons_keys: &["enabled", "timeout"],
        strictness: SETTINGS,
        ..usual::mcp_file(".mcp.json")
    },
    instructions: InstructionFiles {
        project: &["AGENTS.md", "CLAUDE.md"],
        global: &[".config/opencode/AGENTS.md", ".claude/CLAUDE.md"],
        hidden: &[
            HiddenInstructions {
                file: AgentPath::Project("CLAUDE.md"),
                by: AgentPath::Project("AGENTS.md"),
                brought_in_by: None,
            },
            HiddenInstructions {
                file: AgentPath::Home(".claude/CLAUDE.md"),
                by: AgentPath::Home(".config/opencode/AGENTS.md"),
                brought_in_by: None,
            },
        ],
    },
    waits_for: Some(&PACKAGE),
    notes: &[RegistrationNote {
        scope: None,
        when: wants_hooks,
        text: "OpenCode waits for an npm install before it loads a plugin, over a minute if offline: set \
               `npm_config_fetch_retries=0` in its environment to avoid that, or `[agents.opencode] hooks = false` to \
               disable hooks",
    }],
    holdings: &HOLDINGS,
    permissions: &PERMISSIONS,
    ..usual::spec(AgentId::OpenCode, &DIALECT)
};

static PERMISSIONS: [PermissionFile; 13] = permission_files([
    LayerPath::Home(".config/opencode/config.json"),
    LayerPath::Home(".config/opencode/opencode.json"),
    LayerPath::Home(".config/opencode/opencode.jsonc"),
    LayerPath::Home(".opencode/opencode.json"),
    LayerPath::Home(".opencode/opencode.jsonc"),
    LayerPath::Project("opencode.json"),
    LayerPath::Project("opencode.jsonc"),
    LayerPath::Project(".opencode/opencode.json"),
    LayerPath::Project(".opencode/opencode.jsonc"),
    // It reads the directories above too, up to the root of the repository.
    LayerPath::GitRoot("opencode.json"),
    LayerPath::GitRoot("opencode.jsonc"),
    LayerPath::GitRoot(".opencode/opencode.json"),
    LayerPath::GitRoot(".opencode/opencode.jsonc"),
]);

/// Returns the files in which the user has rules in OpenCode's form.
#[expect(clippy::indexing_slicing, reason = "it runs while the program is compiled")]
pub(crate) const fn permission_files<const N: usize>(places: [LayerPath; N]) -> [PermissionFile; N] {
    let mut files = [PermissionFile::json(LayerPath::Home(""), rules); N];
    let mut at = 0;
    while at < N {
        files[at].at = places[at];
        at += 1;
    }
    files
}

/// Finds rules such as `"permission": {"bash": {"git push*": "deny"}}`, for all of its agents and for single ones.
fn rules(settings: &Value) -> Vec<RuleText> {
    let agents = settings.get("agent").and_then(Value::as_object).into_iter().flat_map(|agents| agents.values());
    let commands = std::iter::once(settings).chain(agents);
    let commands = commands.filter_map(|of| of.get("permission")?.get("bash")?.as_object()).flatten();
    commands.map(|(text, _)| RuleText { text: text.clone(), pattern: Some(text.clone()) }).collect()
}

/// The package it installs into each of its directories, at every start, until it is there. Without a network npm tries
/// for 72 to 80 seconds, and plugins are loaded only then; with a network it took 11 to 15 seconds, once.
static PACKAGE: PackageWait = PackageWait {
    package: "@opencode-ai/plugin",
    directories: &[AgentPath::Project(".opencode"), AgentPath::Home(".config/opencode"), AgentPath::Home(".opencode")],
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
            // Otherwise it reads, and writes, in every directory above.
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

/// The functions that OpenCode, or an agent that comes from it, calls.
pub(crate) const MODULE: &str = include_str!("opencode_bridge.js");

fn wants_hooks(situation: &RegistrationInput) -> bool {
    situation.switches.opencode_hooks
}

fn server(server: &RegisteredServer) -> Value {
    let mut value = Map::new();
    match &server.transport {
        ServerTransport::Stdio { command, args, env } => {
            let words = std::iter::once(command).chain(args).map(String::as_str);
            value.insert("type".to_owned(), Value::from("local"));
            value.insert("command".to_owned(), words.collect::<Value>());
            insert_pairs(&mut value, "environment", env);
        }
        ServerTransport::Http { url, headers } | ServerTransport::Sse { url, headers } => {
            value.insert("type".to_owned(), Value::from("remote"));
            value.insert("url".to_owned(), Value::from(url.as_str()));
            insert_pairs(&mut value, "headers", headers);
        }
    }
    value.insert("enabled".to_owned(), Value::from(true));
    Value::Object(value)
}

/// Only servers: OpenCode's hooks are modules in JavaScript.
pub(crate) static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::user(".config/opencode/config.json", None, SERVERS),
        SettingsLayer::user(".config/opencode/opencode.json", None, SERVERS),
        SettingsLayer::user(".config/opencode/opencode.jsonc", None, SERVERS),
        SettingsLayer::user(".opencode/opencode.json", None, SERVERS),
        SettingsLayer::user(".opencode/opencode.jsonc", None, SERVERS),
        SettingsLayer::project("opencode.json", None, SERVERS),
        SettingsLayer::project("opencode.jsonc", None, SERVERS),
        SettingsLayer::project(".opencode/opencode.json", None, SERVERS),
        SettingsLayer::project(".opencode/opencode.jsonc", None, SERVERS),
    ],
    programs: &[
        LayerPath::Home(".config/opencode/plugin/*"),
        LayerPath::Home(".config/opencode/plugins/*"),
        LayerPath::Home(".opencode/plugin/*"),
        LayerPath::Home(".opencode/plugins/*"),
        LayerPath::Project(".opencode/plugin/*"),
        LayerPath::Project(".opencode/plugins/*"),
    ],
    ..bridge::LAYOUT
};

pub(crate) const SERVERS: Option<&[&str]> = Some(&["mcp"]);
