//! Cursor: its dialect and its files, known from the source of its SDK.

use serde_json::{Map, Value};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, HookDecision, HookOutput, ToolResult};

use crate::dialect::{AgentDialect, DialectOwner, EventAbilities, EventNames, HookAbilities};
use crate::permission::{self, PermissionFile, RuleText};
use crate::registration_input::Scope;
use crate::settings_layout::{
    HookPlace, LayerOwner, LayerPath, LoadedLayer, MatcherSyntax, SettingsLayer, SettingsLayout, VariableMeaning,
};
use crate::shell_output::ShellOutput;
use crate::spec::{
    AgentSpec, HandlerForm, HandlerGrouping, HookFile, HookLayout, IgnoredFiles, InstructionFiles, McpFile,
    ReferenceSyntax, ShellTraces, SkillDirectories,
};
use crate::usual::{self, HOOKS, SERVERS};
use crate::wire::{PATCH_ALSO, decision_of, fields_of, object_of, refusal_of, text_of};
use crate::wire_format::{
    AllowMeaning, FieldNames, HookAnswer, LoweredDecision, LoweredOutcome, McpNames, NativeForm, PlainText,
    RefusalFormat, ToolMapping, WireFormat,
};

/// Cursor's dialect. Text on stdout that is not its JSON blocks a tool; empty output is fine.
pub(crate) static DIALECT: AgentDialect = AgentDialect {
    events: EventNames {
        session_start: Some("sessionStart"),
        user_prompt_submit: Some("beforeSubmitPrompt"),
        pre_tool_use: Some("preToolUse"),
        post_tool_use: Some("postToolUse"),
        tool_failed: Some("postToolUseFailure"),
        stop: Some("stop"),
    },
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
    own: NativeForm {
        matched: &[
            ("beforeShellExecution", "command"),
            ("afterShellExecution", "command"),
            ("beforeMCPExecution", "tool_name"),
            ("afterMCPExecution", "tool_name"),
            ("subagentStart", "subagent_type"),
            ("subagentStop", "subagent_type"),
        ],
        // Standard output would be taken for the reason.
        refusal: RefusalFormat::ExitCode,
        // At many events it takes output that is not JSON for a refusal.
        plain_text: PlainText::Harmful,
        ..usual::NATIVE
    },
    can: HookAbilities { pre_tool_use: Some(EventAbilities::TELL_CHANGE_OR_ASK), ..usual::ABILITIES },
    project_variable: Some("CURSOR_PROJECT_DIR"),
    wire: WireFormat {
        fields: FieldNames {
            session_id: &["session_id", "conversation_id"],
            tool_response: &["tool_output"],
            error: &["error_message", "error"],
            output: &["output", "stdout"],
            sub_agent: &["subagent_id"],
            stop_hook_active: &["loop_count"],
            stop_hook_active_is: |active| u8::from(active).into(),
            shell_output,
            ..FieldNames::USUAL
        },
        // The names of its hook engine, whatever the model calls them.
        tools: &[
            ToolMapping::same("Bash", &["Shell"]),
            ToolMapping::same("Read", &["Read"]),
            // It reads Claude's `Edit` as this one.
            ToolMapping::same("Write", &["Write"]).also(&["Edit"]),
            ToolMapping::same("Glob", &["Glob"]),
            ToolMapping::same("Grep", &["Grep"]),
            ToolMapping::same("Task", &["Task"]),
            ToolMapping::same("WebFetch", &["WebFetch", "Fetch"]),
            ToolMapping::same("WebSearch", &["WebSearch"]),
            // Input for a running shell; the event holds only its length.
            ToolMapping::same("Bash", &["WriteShellStdin"]),
            // It has one name for every change of a file.
            ToolMapping::same("Write", &["Delete"]).also(&["Edit"]),
            // The names that models use.
            ToolMapping::keyed("Write", &["StrReplace", "EditNotebook"], &[("file_path", "path")]).also(&["Edit"]),
            ToolMapping::keyed("Patch", &["ApplyPatch"], &[("patch", "input")]).also(PATCH_ALSO),
            // It may write the fetched resource to a file.
            ToolMapping::keyed("Write", &["FetchMcpResource"], &[("file_path", "download_path")])
                .only_with("download_path", &[])
                .also(&["Edit"]),
        ],
        harmless: &["ComputerUse", "FetchMcpResource", "List", "ListMcpResources", "ReadLints", "RecordScreen"],
        mcp: McpNames { split: server_of, join: |_, tool| format!("MCP:{tool}") },
        write,
        read,
        allow: AllowMeaning::Grants,
        ..usual::WIRE
    },
    ..usual::dialect(DialectOwner::Agent(AgentId::Cursor))
};

/// Returns server and tool. The name contains only the tool, so the server is known only where the event names it.
fn server_of(name: &str, payload: &Map<String, Value>, _: &[String]) -> Option<(String, String)> {
    let tool = name.strip_prefix("MCP:")?;
    let server = payload.get("mcp_server")?;
    let server = server.as_str().or_else(|| server.get("name")?.as_str())?;
    Some((server.to_owned(), tool.to_owned()))
}

/// Writes an answer. Anything but JSON of the right shape blocks.
fn write(reply: &LoweredOutcome<'_>) -> HookAnswer {
    let (permission, reason) = match &reply.verdict {
        LoweredDecision::Nothing => (None, None),
        LoweredDecision::Allow(reason) => (Some("allow"), reason.as_deref()),
        LoweredDecision::Ask(reason) => (Some("ask"), reason.as_deref()),
        LoweredDecision::Block(reason) => (Some("deny"), Some(reason.as_str())),
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
    HookAnswer::json(answer)
}

/// Reads the output of a command, which is JSON inside a string.
fn shell_output(result: &ToolResult) -> Option<ShellOutput<'_>> {
    let whole: Value = serde_json::from_str(result.response.as_ref()?.as_str()?).ok()?;
    let text = |key: &str| whole.get(key).and_then(Value::as_str).unwrap_or_default();
    let code = whole.get("exitCode").and_then(Value::as_i64);
    let text = format!("{}{}", text("stdout"), text("stderr"));
    let exit_code = code.and_then(|code| i32::try_from(code).ok());
    Some(ShellOutput { text: text.into(), exit_code, ..ShellOutput::default() })
}

fn read(_: Event, answer: &mut Map<String, Value>) -> HookOutput {
    let message = text_of(answer, "agent_message").or_else(|| text_of(answer, "user_message"));
    let refused = (answer.get("continue") == Some(&Value::Bool(false))).then_some(HookDecision::Deny);
    let followup = text_of(answer, "followup_message").filter(|text| !text.trim().is_empty());
    let refused = refused.or(refusal_of(answer, "decision")).or(followup.as_ref().map(|_| HookDecision::Deny));
    HookOutput {
        decision: decision_of(answer, "permission").max(refused),
        reason: message.or(followup).or_else(|| text_of(answer, "reason")),
        additional_context: text_of(answer, "additional_context").or_else(|| text_of(answer, "additionalContext")),
        updated_input: object_of(answer, "updated_input"),
        ..HookOutput::default()
    }
}

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Cursor",
    programs: &["cursor-agent", "cursor"],
    home_signs: &[".cursor"],
    // Not `cursor`: the user types in the terminal of its editor.
    own_shell: ShellTraces {
        variables: &["CURSOR_AGENT"],
        programs: &["cursor-agent"],
        paths: &["/cursor-agent/versions/"],
    },
    skills: SkillDirectories {
        project: ".agents/skills",
        also_in_project: &[".cursor/skills"],
        global: &[".cursor/skills", ".agents/skills"],
        ignored: IgnoredFiles::Opened,
    },
    hooks: &[HookFile {
        layout: HookLayout::Shared {
            handler: HandlerForm { grouping: HandlerGrouping::Flat, fixed: &[], ..usual::HANDLER },
            starts_as: "{\n  \"version\": 1\n}\n",
        },
        ..usual::hook_file(".cursor/hooks.json", &DIALECT)
    }],
    mcp: McpFile {
        references: ReferenceSyntax::EnvInBraces,
        persons_keys: &["disabled"],
        ..usual::mcp_file(".cursor/mcp.json")
    },
    instructions: InstructionFiles { project: &["AGENTS.md", ".cursor/rules/*.mdc"], global: &[], hidden: &[] },
    holdings: &HOLDINGS,
    permissions: &PERMISSIONS,
    ..usual::spec(AgentId::Cursor, &DIALECT)
};

static PERMISSIONS: [PermissionFile; 3] = [
    PermissionFile::json(LayerPath::Home(".cursor/cli-config.json"), rules),
    PermissionFile::json(LayerPath::Project(".cursor/cli.json"), rules),
    PermissionFile::json(LayerPath::GitRoot(".cursor/cli.json"), rules),
];

fn rules(settings: &Value) -> Vec<RuleText> {
    let lists = [&["permissions", "allow"][..], &["permissions", "deny"]];
    permission::beginning_in_parentheses(settings, &lists, &["Shell"])
}

static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::json(
            Scope::User,
            LayerPath::Machine {
                path: "/etc/cursor/hooks.json",
                macos: "/Library/Application Support/Cursor/hooks.json",
                variable: None,
            },
            HOOKS,
            None,
        ),
        SettingsLayer::user(".cursor/hooks.json", HOOKS, None),
        SettingsLayer::user(".cursor/mcp.json", None, SERVERS),
        SettingsLayer::project(".cursor/hooks.json", HOOKS, None).unlinked(),
        SettingsLayer::project(".cursor/mcp.json", None, SERVERS),
        SettingsLayer::user(".claude/settings.json", HOOKS, None).lent(AgentId::Claude),
        SettingsLayer::project(".claude/settings.json", HOOKS, None).lent(AgentId::Claude).unlinked(),
        SettingsLayer::project(".claude/settings.local.json", HOOKS, None).lent(AgentId::Claude).unlinked(),
    ],
    matching: MatcherSyntax::Pattern,
    fails_closed: Some(("failClosed", "true")),
    variables: &[
        ("CURSOR_PLUGIN_ROOT", VariableMeaning::Plugin),
        ("CURSOR_TRANSCRIPT_PATH", VariableMeaning::OwnAffair),
        ("CURSOR_VERSION", VariableMeaning::OwnAffair),
    ],
    hook_is_off,
    ..usual::LAYOUT
};

/// Claude Code's events that Cursor translates; it ignores all others.
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
const KNOWN_BY_NAME: &[&str] = &["PermissionRequest", "Notification"];

/// Returns the reason why a hook is off. Of Claude Code's files Cursor runs the hooks it can translate, and recognises
/// such a file only when some group of hooks in it has a `matcher`, of any value.
fn hook_is_off(hook: &HookPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    let borrowed = |settings: &&LoadedLayer<'_>| {
        settings.path == hook.file && settings.layer.holder == LayerOwner::Other(AgentId::Claude)
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
        return Some(format!("Cursor ignores {}, in which no group of hooks has a `matcher`", settings.shown));
    }
    if !BORROWED.contains(&hook.event) {
        return Some(format!("Cursor does not import `{}` from Claude Code", hook.event));
    }
    let group = settings.at(&["hooks", hook.event], None).and_then(|groups| groups.get(hook.group));
    let matcher = group.and_then(|group| group.get("matcher")?.as_str()).filter(|_| hook.event.ends_with("ToolUse"));
    // Cursor has no such tool.
    let is_never = |matcher: &str| matcher.split('|').all(|name| name.trim() == "Glob");
    matcher.filter(|matcher| is_never(matcher)).map(|matcher| format!("Cursor has no tool for the matcher `{matcher}`"))
}
