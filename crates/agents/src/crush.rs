//! Crush: its dialect and its files, by its documents and its public source. Its one event is the one before a tool, in
//! its main agent; it raises none in sub-agents.

use serde_json::{Map, Value};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, HookDecision, HookOutput};

use crate::command::ShellKind;
use crate::dialect::{AgentDialect, DialectOwner, EventAbilities, EventNames, HookAbilities, RewriteEffect};
use crate::registration_input::AgentPath;
use crate::servers;
use crate::settings_layout::{MatcherSyntax, SettingsLayer, SettingsLayout, StarMeaning, VariableMeaning};
use crate::spec::{
    AgentSpec, FileChoice, HandlerForm, HandlerGrouping, HookFile, HookLayout, InstructionFiles, McpFile,
    ReferenceSyntax, RegistrationNote, RelocationVariable, ShellTraces, SkillDirectories,
};
use crate::usual::{self, HOOKS};
use crate::wire::{decision_of, fields_of, mcp_by_known_server, object_of, read_nested, text_of};
use crate::wire_format::{
    AllowMeaning, FieldNames, HookAnswer, LoweredDecision, LoweredOutcome, McpNames, ToolMapping, WireFormat,
};

pub(crate) static DIALECT: AgentDialect = AgentDialect {
    events: EventNames { pre_tool_use: Some("PreToolUse"), ..EventNames::NONE },
    can: HookAbilities {
        pre_tool_use: Some(EventAbilities { rewrite: RewriteEffect::Works, ..EventAbilities::TELL_OR_BLOCK }),
        ..HookAbilities::NONE
    },
    project_variable: Some("CRUSH_PROJECT_DIR"),
    wire: WireFormat {
        fields: FieldNames { event: "event", ..FieldNames::USUAL },
        tools: &[
            ToolMapping::same("Bash", &["bash"]),
            ToolMapping::same("Read", &["view"]),
            ToolMapping::same("Write", &["write", "download"]),
            // The second makes several edits of one file.
            ToolMapping::same("Edit", &["edit", "multiedit"]),
            ToolMapping::keyed("Edit", &["lsp_replace_symbol"], &[("new_string", "replacement")]),
            // It names a directory and changes any file there.
            ToolMapping::keyed("Edit", &["lsp_rename"], &[("file_path", "path"), ("new_string", "new_name")]),
            ToolMapping::same("Glob", &["glob"]),
            ToolMapping::same("Grep", &["grep"]),
            ToolMapping::same("WebFetch", &["fetch", "web_fetch", "agentic_fetch"]),
            ToolMapping::same("WebSearch", &["web_search"]),
            ToolMapping::same("Task", &["agent"]),
        ],
        harmless: &[
            "crush_info",
            "crush_logs",
            "job_kill",
            "job_output",
            "list_mcp_resources",
            "ls",
            "lsp_call_hierarchy",
            "lsp_definition",
            "lsp_diagnostics",
            "lsp_references",
            "lsp_restart",
            "lsp_symbols",
            "question",
            "read_mcp_resource",
            "sourcegraph",
            "todos",
        ],
        mcp: McpNames {
            split: |name, _, servers| mcp_by_known_server(name.strip_prefix("mcp_")?, "_", servers),
            join: |server, tool| format!("mcp_{server}_{tool}"),
        },
        write,
        read,
        allow: AllowMeaning::Grants,
        ..usual::WIRE
    },
    ..usual::dialect(DialectOwner::Agent(AgentId::Crush))
};

fn write(reply: &LoweredOutcome<'_>) -> HookAnswer {
    let (decision, reason) = match &reply.verdict {
        LoweredDecision::Nothing | LoweredDecision::Ask(_) => (None, None),
        LoweredDecision::Allow(reason) => (Some("allow"), reason.as_deref()),
        LoweredDecision::Block(reason) => (Some("deny"), Some(reason.as_str())),
    };
    HookAnswer::json(fields_of([
        ("decision", decision.map(Value::from)),
        ("reason", reason.map(Value::from)),
        ("context", reply.context.as_deref().map(Value::from)),
        ("updated_input", reply.rewrite.clone()),
    ]))
}

/// Reads an answer. It takes Claude Code's form too, and then nothing beside it counts.
fn read(event: Event, answer: &mut Map<String, Value>) -> HookOutput {
    if answer.contains_key("hookSpecificOutput") {
        return read_nested(event, answer);
    }
    let halts = answer.remove("halt") == Some(Value::Bool(true));
    let decision = decision_of(answer, "decision");
    let lines = answer.get("context").and_then(Value::as_array).map(|lines| {
        lines.iter().filter_map(Value::as_str).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    });
    let context = text_of(answer, "context").or(lines);
    answer.remove("context");
    HookOutput {
        decision: if halts { Some(HookDecision::Deny) } else { decision },
        reason: text_of(answer, "reason"),
        additional_context: context,
        updated_input: object_of(answer, "updated_input"),
        ..HookOutput::default()
    }
}

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Crush",
    programs: &["crush"],
    home_signs: &[".config/crush", ".local/share/crush"],
    moved_by: &[RelocationVariable { variable: "XDG_CONFIG_HOME", directory: ".config", along: &[] }],
    own_shell: ShellTraces { variables: &["CRUSH"], programs: &["crush"], paths: &[] },
    skills: SkillDirectories {
        also_in_project: &[".crush/skills", ".claude/skills", ".cursor/skills"],
        global: &[".config/crush/skills", ".config/agents/skills", ".agents/skills", ".claude/skills"],
        ..usual::SKILLS
    },
    hooks: &[HookFile {
        global: AgentPath::Home(CONFIG),
        // It has a shell of its own.
        windows_shell: ShellKind::Posix,
        layout: HookLayout::Shared {
            handler: HandlerForm { grouping: HandlerGrouping::Flat, fixed: &[], ..usual::HANDLER },
            starts_as: "{}\n",
        },
        ..usual::hook_file("crush.json", &DIALECT)
    }],
    mcp: McpFile {
        global: Some(FileChoice::only(AgentPath::Home(CONFIG))),
        key: "mcp",
        server: servers::typed,
        references: ReferenceSyntax::Expanded,
        persons_keys: &["disabled", "timeout", "disabled_tools", "enabled_tools"],
        ..usual::mcp_file("crush.json")
    },
    instructions: InstructionFiles {
        project: &["AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "CRUSH.md", "crush.md"],
        global: &[".config/crush/CRUSH.md", ".config/AGENTS.md"],
        hidden: &[],
    },
    notes: &[RegistrationNote::both(
        "Crush runs hooks only before the tools of its main agent: it takes no text at session start and none after a tool",
    )],
    holdings: &HOLDINGS,
    ..usual::spec(AgentId::Crush, &DIALECT)
};

const CONFIG: &str = ".config/crush/crush.json";

const MCP: Option<&[&str]> = Some(&["mcp"]);

static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::user(CONFIG, HOOKS, MCP),
        SettingsLayer::project("crush.json", HOOKS, MCP),
        SettingsLayer::project(".crush.json", HOOKS, MCP),
    ],
    default_timeout: 30,
    matching: MatcherSyntax::Pattern,
    star: StarMeaning::Never,
    variables: &[
        ("CRUSH_CWD", VariableMeaning::WorkingDirectory),
        ("CRUSH_SESSION_ID", VariableMeaning::Session),
        ("CRUSH_EVENT", VariableMeaning::OwnAffair),
        ("CRUSH_TOOL_NAME", VariableMeaning::OwnAffair),
        ("CRUSH_TOOL_INPUT_COMMAND", VariableMeaning::OwnAffair),
        ("CRUSH_TOOL_INPUT_FILE_PATH", VariableMeaning::OwnAffair),
    ],
    server_is_off: usual::server_is_disabled,
    ..usual::LAYOUT
};
