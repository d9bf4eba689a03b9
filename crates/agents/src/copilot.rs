//! GitHub Copilot CLI: its dialect and its files.

use serde_json::{Map, Value, json};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, HookOutput, ToolResult};

use crate::command::ShellKind;
use crate::context_facts::{ContextFacts, ListingLimit, ToolListing};
use crate::dialect::{
    AgentDialect, CallerRule, DialectOwner, EventAbilities, EventNames, HookAbilities, NeutralAnswer, OutputEffect,
};
use crate::permission::{self, PermissionFile, RuleText};
use crate::registration_input::{AgentPath, Scope};
use crate::servers;
use crate::settings_layout::{
    LayerPath, LoadedLayer, MatcherSyntax, PluginPlace, SettingsLayer, SettingsLayout, StarMeaning, StartDirectory,
    VariableMeaning,
};
use crate::shell_output::{ShellOutput, leading_number, response_text};
use crate::spec::{
    AgentSpec, AgentTrust, CommandKey, FileChoice, FolderRecord, HandlerForm, HandlerGrouping, HookFile, HookLayout,
    IgnoredFiles, InstructionFiles, McpFile, OtherFiles, RegistrationNote, RelocationVariable, SettingsReaction,
    SettingsStrictness, ShellTraces, SkillDirectories, SpecEvidence, TimeUnit,
};
use crate::usual::{self, HOOKS, SERVERS};
use crate::vscode;
use crate::wire::{PATCH_ALSO, decision_of, fields_of, mcp_by_known_server, read_nested, refusal_of, text_of};
use crate::wire_format::{
    AllowMeaning, FieldNames, HookAnswer, LoweredDecision, LoweredOutcome, McpNames, NativeForm, RefusalFormat,
    ToolMapping, WireFormat,
};

/// Copilot's dialect in its own camelCase; it accepts Claude's event names too and then sends a different payload.
pub(crate) static DIALECT: AgentDialect = AgentDialect {
    events: EventNames {
        session_start: Some("sessionStart"),
        user_prompt_submit: Some("userPromptSubmitted"),
        pre_tool_use: Some("preToolUse"),
        post_tool_use: Some("postToolUse"),
        tool_failed: Some("postToolUseFailure"),
        stop: Some("agentStop"),
    },
    native: &[
        "sessionEnd",
        "userPromptTransformed",
        "permissionRequest",
        "preMcpToolCall",
        "subagentStart",
        "subagentStop",
        "errorOccurred",
        "notification",
        "preCompact",
    ],
    own: NativeForm {
        matched: &[
            ("sessionEnd", "reason"),
            ("permissionRequest", "toolName"),
            ("preMcpToolCall", "toolName"),
            ("subagentStart", "agentType"),
            ("subagentStop", "agentType"),
        ],
        // A decision on standard output counts too.
        refusal: RefusalFormat::ExitCodeAndOutput,
        ..usual::NATIVE
    },
    can: HookAbilities {
        pre_tool_use: Some(EventAbilities::TELL_CHANGE_OR_ASK),
        post_tool_use: Some(EventAbilities { output: OutputEffect::Works, ..EventAbilities::TELL_WHY }),
        tool_failed: Some(EventAbilities::TELL_WHY),
        ..usual::ABILITIES
    },
    project_variable: Some("COPILOT_PROJECT_DIR"),
    // A non-zero exit code denies the tool, whatever was printed.
    neutral: NeutralAnswer::SILENCE,
    wire: WireFormat {
        // The second names are those of events that are registered in Claude's spelling.
        fields: FieldNames {
            event: "hookEventName",
            session_id: &["sessionId", "session_id"],
            tool_name: &["toolName", "tool_name"],
            tool_input: &["toolArgs", "tool_input"],
            tool_response: &["toolResult", "tool_result"],
            error: &["error"],
            output: &["textResultForLlm", "text_result_for_llm"],
            failed: |response| {
                let kind = response.get("resultType").or_else(|| response.get("result_type"));
                kind.and_then(Value::as_str).is_some_and(|kind| kind != "success")
            },
            source_words: &[("new", "startup")],
            sub_agent: &["agentId", "agent_id"],
            shell_output,
            replaced_output: |_, _, text| Some(json!({ "textResultForLlm": text, "resultType": "success" })),
            ..FieldNames::USUAL
        },
        tools: &[
            ToolMapping::same("Bash", &["bash", "Bash", "powershell"]),
            // Some models get no other tool for files. In Claude's spelling it has the name of the one for edits.
            ToolMapping::text("Patch", &["apply_patch", "Edit"], "patch").also(PATCH_ALSO),
            ToolMapping::keyed("Patch", &["apply_patch"], &[("patch", "input")]).also(PATCH_ALSO),
            ToolMapping::keyed("Read", &["view", "Read"], &[("file_path", "path")]),
            ToolMapping::keyed("Write", &["create", "Write"], &[("file_path", "path"), ("content", "file_text")]),
            ToolMapping::keyed(
                "Edit",
                &["edit", "Edit"],
                &[("file_path", "path"), ("old_string", "old_str"), ("new_string", "new_str")],
            ),
            ToolMapping::same("Glob", &["glob", "Glob"]),
            ToolMapping::same("Grep", &["grep", "Grep", "rg"]),
            ToolMapping::same("WebFetch", &["web_fetch"]),
            ToolMapping::same("Task", &["task", "Agent"]),
            ToolMapping::same("Skill", &["skill"]),
            // Input for a running shell.
            ToolMapping::keyed("Bash", &["write_bash", "write_powershell"], &[("command", "input")]),
            ToolMapping::keyed("Read", &["str_replace_editor"], &[("file_path", "path")])
                .only_with("command", &["view"]),
            ToolMapping::keyed("Write", &["str_replace_editor"], &[("file_path", "path"), ("content", "file_text")])
                .only_with("command", &["create"]),
            ToolMapping::keyed(
                "Edit",
                &["str_replace_editor"],
                &[("file_path", "path"), ("old_string", "old_str"), ("new_string", "new_str")],
            ),
        ],
        harmless: &[
            "fetch_copilot_cli_documentation",
            "list_agents",
            "list_bash",
            "list_powershell",
            "read_agent",
            "read_bash",
            "read_powershell",
            // Its own databases, about the session.
            "session_store_sql",
            "sql",
            "stop_bash",
            "stop_powershell",
            "write_agent",
        ],
        mcp: McpNames {
            split: |name, _, servers| mcp_by_known_server(name, "-", servers),
            join: |server, tool| format!("{server}-{tool}"),
        },
        write,
        read,
        allow: AllowMeaning::Grants,
        ..usual::WIRE
    },
    sub_agent_start: Some("subagentStart"),
    guests: &[CallerRule { dialect: &vscode::DIALECT, raised: |peek| peek.is_from_vscode() }],
    ..usual::dialect(DialectOwner::Agent(AgentId::Copilot))
};

/// Writes a flat answer with a complete changed input. A decision about a tool stands in Claude's form too: Copilot
/// respects it there as well, and other programs that read Claude's settings and cannot be told from Copilot read only
/// that.
fn write(reply: &LoweredOutcome<'_>) -> HookAnswer {
    let (decision, reason) = match &reply.verdict {
        LoweredDecision::Nothing => (None, None),
        LoweredDecision::Allow(reason) => (Some("allow"), reason.as_deref()),
        LoweredDecision::Ask(reason) => (Some("ask"), reason.as_deref()),
        LoweredDecision::Block(reason) => (Some("deny"), Some(reason.as_str())),
    };
    let answer = match reply.event {
        Event::PreToolUse => fields_of([
            ("permissionDecision", decision.map(Value::from)),
            ("permissionDecisionReason", reason.map(Value::from)),
            ("modifiedArgs", reply.rewrite.clone()),
            ("additionalContext", reply.context.as_deref().map(Value::from)),
            ("hookSpecificOutput", in_claudes_form(&reply.verdict, decision, reason)),
        ]),
        Event::PostToolUse | Event::UserPromptSubmit | Event::SessionStart | Event::Stop => fields_of([
            ("decision", decision.map(|_| Value::from("block"))),
            ("reason", reason.map(Value::from)),
            ("modifiedResult", reply.output.clone()),
            ("additionalContext", reply.context.as_deref().map(Value::from)),
        ]),
    };
    HookAnswer::json(answer)
}

/// Reads the output of a command. The last line tells how it ended: `<shellId: 1 completed with exit code 3>`.
fn shell_output(result: &ToolResult) -> Option<ShellOutput<'_>> {
    let whole = response_text(result, &["textResultForLlm", "text_result_for_llm"])?;
    let start = whole.trim_end().rfind("<shellId: ")?;
    let (text, after) = whole.split_at_checked(start)?;
    let (_, code) = after.trim_end().strip_suffix('>')?.split_once(" completed with exit code ")?;
    Some(ShellOutput { exit_code: Some(leading_number(code)?), after, ..ShellOutput::plain(text) })
}

/// Returns a decision that stops a tool. An allow is for Copilot alone.
fn in_claudes_form(verdict: &LoweredDecision, decision: Option<&str>, reason: Option<&str>) -> Option<Value> {
    let own = fields_of([
        ("hookEventName", Some("PreToolUse".into())),
        ("permissionDecision", decision.map(Value::from)),
        ("permissionDecisionReason", reason.map(Value::from)),
    ]);
    matches!(verdict, LoweredDecision::Ask(_) | LoweredDecision::Block(_)).then_some(Value::Object(own))
}

/// Removes the changed arguments and returns them. Those of a patch are a string.
fn modified_arguments(answer: &mut Map<String, Value>) -> Option<Map<String, Value>> {
    match answer.remove("modifiedArgs") {
        Some(Value::Object(fields)) => Some(fields),
        Some(patch @ Value::String(_)) => Some(Map::from_iter([("patch".to_owned(), patch)])),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) | None => None,
    }
}

fn read(event: Event, answer: &mut Map<String, Value>) -> HookOutput {
    // Events registered in Claude's spelling may be answered in its form too.
    let nested = match event {
        Event::PreToolUse if answer.contains_key("hookSpecificOutput") => read_nested(event, answer),
        Event::PreToolUse | Event::PostToolUse | Event::UserPromptSubmit | Event::SessionStart | Event::Stop => {
            HookOutput::default()
        }
    };
    HookOutput {
        decision: decision_of(answer, "permissionDecision").max(refusal_of(answer, "decision")).max(nested.decision),
        reason: text_of(answer, "permissionDecisionReason").or_else(|| text_of(answer, "reason")).or(nested.reason),
        additional_context: text_of(answer, "additionalContext").or(nested.additional_context),
        updated_input: modified_arguments(answer).or(nested.updated_input),
        ..HookOutput::default()
    }
}

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "GitHub Copilot CLI",
    evidence: SpecEvidence::Ran("1.0.102"),
    programs: &["copilot"],
    home_signs: &[".copilot"],
    own_shell: ShellTraces {
        variables: &["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"],
        programs: &["copilot"],
        paths: &["/@github/copilot/"],
    },
    moved_by: &[RelocationVariable { variable: "COPILOT_HOME", directory: ".copilot", along: &[] }],
    skills: SkillDirectories {
        project: ".agents/skills",
        also_in_project: &[".claude/skills", ".github/skills"],
        global: &[".copilot/skills", ".agents/skills"],
        ignored: IgnoredFiles::Opened,
    },
    context: ContextFacts {
        skill_names: 1,
        skill_frame: 95,
        limit: Some(ListingLimit {
            room: 15_000,
            taken: 0,
            models: "",
            beyond: "shows the others by name only",
            setting: Some("the variable `SKILL_CHAR_BUDGET`"),
        }),
        tools: ToolListing::Descriptions,
    },
    hooks: &[HookFile {
        // Of a repository only the files at its root are read.
        project: AgentPath::GitRoot(".github/hooks/symposium.json"),
        windows_shell: ShellKind::PowerShell,
        layout: HookLayout::Own {
            handler: HandlerForm {
                grouping: HandlerGrouping::Flat,
                // An entry with only `powershell` denies every tool where there is no PowerShell.
                command: CommandKey::ByShell,
                timeout_key: "timeoutSec",
                ..usual::HANDLER
            },
            frame: hook_file,
        },
        strictness: SettingsStrictness {
            comment: SettingsReaction::IgnoresFile,
            trailing_comma: SettingsReaction::IgnoresFile,
            byte_order_mark: SettingsReaction::Unknown,
            empty: SettingsReaction::Unknown,
            unknown_key: SettingsReaction::Accepts,
        },
        ..usual::hook_file(".copilot/hooks/symposium.json", &DIALECT)
    }],
    mcp: McpFile {
        // `.github/mcp.json` counts only while there is no `.mcp.json`: a new one would hide it.
        project: Some(FileChoice {
            existing: &[AgentPath::Project(".mcp.json"), AgentPath::Project(".github/mcp.json")],
            otherwise: AgentPath::Project(".mcp.json"),
            others: OtherFiles::Hidden,
        }),
        // As Claude Code writes it, since both read `.mcp.json`.
        server: servers::typed,
        persons_keys: &["tools"],
        strictness: SettingsStrictness { unknown_key: SettingsReaction::Accepts, ..SettingsStrictness::UNKNOWN },
        ..usual::mcp_file(".copilot/mcp-config.json")
    },
    instructions: InstructionFiles {
        project: &[
            "AGENTS.md",
            "CLAUDE.md",
            "GEMINI.md",
            ".github/copilot-instructions.md",
            ".github/instructions/*.instructions.md",
        ],
        global: &[".copilot/copilot-instructions.md"],
        hidden: &[],
    },
    trust: AgentTrust::Folders {
        file: AgentPath::Home(".copilot/config.json"),
        record: FolderRecord::ElementOf("trustedFolders"),
    },
    notes: &[RegistrationNote::for_scope(
        Scope::Project,
        "Copilot CLI uses the project's hooks and MCP servers only in a folder that you trust: start `copilot` there \
         once, and confirm",
    )],
    holdings: &HOLDINGS,
    permissions: &PERMISSIONS,
    ..usual::spec(AgentId::Copilot, &DIALECT)
};

static PERMISSIONS: [PermissionFile; 1] =
    [PermissionFile::json(LayerPath::Home(".copilot/permissions-config.json"), rules)];

/// Finds the allowed commands, whatever directory they were allowed in.
fn rules(file: &Value) -> Vec<RuleText> {
    let inside: Vec<&Value> = match file {
        Value::Object(fields) => fields.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    let commands = file.get("commandIdentifiers").and_then(Value::as_array).into_iter().flatten();
    let own = commands.filter_map(Value::as_str);
    let own = own.map(|text| RuleText { text: text.to_owned(), pattern: Some(permission::begins_with(text)) });
    own.chain(inside.into_iter().flat_map(rules)).collect()
}

fn hook_file(hooks: &Value) -> Value {
    json!({ "version": 1, "hooks": hooks })
}

static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::user(".copilot/hooks/*.json", HOOKS, None),
        SettingsLayer::user(".copilot/settings.json", HOOKS, None),
        SettingsLayer::user(".copilot/mcp-config.json", None, SERVERS),
        SettingsLayer::json(Scope::Project, LayerPath::GitRoot(".github/hooks/*.json"), HOOKS, None),
        SettingsLayer::json(Scope::Project, LayerPath::GitRoot(".github/hooks/*/*.json"), HOOKS, None),
        SettingsLayer::json(Scope::Project, LayerPath::GitRoot(".github/copilot/settings.json"), HOOKS, None),
        SettingsLayer::json(Scope::Project, LayerPath::GitRoot(".github/copilot/settings.local.json"), HOOKS, None),
        SettingsLayer::project(".mcp.json", None, SERVERS),
        SettingsLayer::project(".github/mcp.json", None, SERVERS),
        SettingsLayer::project(".claude/settings.json", HOOKS, None).lent(AgentId::Claude),
        SettingsLayer::project(".claude/settings.local.json", HOOKS, None).lent(AgentId::Claude),
    ],
    command_keys: &["bash", "command"],
    timeouts: &[("timeoutSec", TimeUnit::Seconds), ("timeout", TimeUnit::Seconds)],
    default_timeout: 30,
    matching: MatcherSyntax::WholePattern,
    star: StarMeaning::Never,
    borrowed_events: Some(AgentId::Claude),
    variables: &[("COPILOT_HOOK_DIR", VariableMeaning::OwnAffair), ("COPILOT_CLI", VariableMeaning::OwnAffair)],
    starts_in: StartDirectory::Project,
    plugin_is_off: is_hidden,
    ..usual::LAYOUT
};

/// Returns the reason why a file has no effect: Copilot reads only one of the two files for a project's servers.
fn is_hidden(place: &PluginPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    let project = place.path.strip_suffix("/.github/mcp.json")?;
    let hides = |settings: &&LoadedLayer<'_>| settings.path.strip_prefix(project) == Some("/.mcp.json");
    all.iter().find(hides).map(|other| format!("Copilot CLI does not read this file if {} exists", other.shown))
}
