//! Gemini CLI: its dialect and its files.

use serde_json::{Map, Value};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, HookDecision, HookOutput, ToolResult};
use symposium_model::transport::ServerTransport;

use crate::command::ShellKind;
use crate::context_facts::{ContextFacts, ToolListing};
use crate::dialect::{
    AgentDialect, ContextEffect, DialectOwner, EventAbilities, EventNames, HookAbilities, MessageChannel,
    NeutralAnswer, OutputEffect, RewriteEffect,
};
use crate::permission::{self, PermissionFile, RuleText};
use crate::registration_input::{AgentPath, RegisteredServer, Scope};
use crate::servers;
use crate::settings_layout::{
    BareUrl, CauseMatcher, HookPlace, LayerPath, LoadedLayer, MatcherSyntax, PluginPlace, SettingsFormat,
    SettingsLayer, SettingsLayout, VariableMeaning, VariableSubstitution,
};
use crate::shell_output::{ShellOutput, labelled_output, response_text};
use crate::spec::{
    AgentSpec, AgentTrust, AllowRules, FolderRecord, HandlerForm, HookFile, HookLayout, IgnoredFiles, InstructionFiles,
    McpFile, RegistrationNote, RelocationVariable, RootRequirement, SettingsReaction, SettingsStrictness, ShellTraces,
    SkillDirectories, SpecEvidence, TimeUnit,
};
use crate::usual::{self, HOOKS, SERVERS};
use crate::wire::{decision_of, fields_of, mcp_by_known_server, object_of, stops, system_message, text_of};
use crate::wire_format::{
    AnswerStream, FieldNames, HookAnswer, LoweredDecision, LoweredOutcome, McpNames, NativeForm, PlainText,
    RefusalFormat, StartMatcher, ToolMapping, WireFormat,
};

pub(crate) static DIALECT: AgentDialect = AgentDialect {
    events: EventNames {
        user_prompt_submit: "BeforeAgent",
        pre_tool_use: "BeforeTool",
        // Fires for a failed tool too.
        post_tool_use: "AfterTool",
        stop: Some("AfterAgent"),
        ..usual::EVENTS
    },
    native: &["SessionEnd", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress", "Notification"],
    own: NativeForm {
        matched: &[("SessionEnd", "reason"), ("PreCompress", "trigger")],
        session_start: StartMatcher::Source,
        refusal: RefusalFormat::Json,
        plain_text: PlainText::Message,
        answers_on: AnswerStream::StdoutElseStderr,
        ..usual::NATIVE
    },
    can: HookAbilities {
        // An ask ends or blocks a run without a user.
        pre_tool_use: EventAbilities {
            context: ContextEffect::Impossible,
            rewrite: RewriteEffect::Works,
            ..EventAbilities::TELL_OR_BLOCK
        },
        post_tool_use: EventAbilities { output: OutputEffect::OfFailures, ..EventAbilities::TELL_WHY },
        // Context added to the result of a tool that returned an error is lost.
        tool_failed: Some(EventAbilities { output: OutputEffect::OfFailures, ..EventAbilities::ONLY_WATCH }),
        ..usual::ABILITIES
    },
    message: MessageChannel::Shown,
    project_variable: Some("GEMINI_PROJECT_DIR"),
    // With nothing on stdout it reads stderr instead. On `BeforeToolSelection` any object changes the request.
    neutral: NeutralAnswer { stdout: "{}", silent_on: &["BeforeToolSelection"] },
    wire: WireFormat {
        fields: FieldNames {
            output: &["llmContent"],
            failed: |response| response.get("error").is_some_and(|error| !error.is_null()),
            // In a run without a user the context of the session's start is part of the prompt.
            before_prompt: Some(("<hook_context>", "</hook_context>")),
            last_message: &["prompt_response"],
            shell_output,
            replaced_output: |_, _, text| Some(text.into()),
            ..FieldNames::USUAL
        },
        tools: &[
            ToolMapping::same("Bash", &["run_shell_command"]),
            ToolMapping::same("Read", &["read_file"]),
            ToolMapping::same("Write", &["write_file"]),
            ToolMapping::same("Edit", &["replace"]),
            ToolMapping::same("Glob", &["glob"]),
            ToolMapping::same("Grep", &["grep_search", "search_file_content"]),
            ToolMapping::same("WebFetch", &["web_fetch"]),
            ToolMapping::same("WebSearch", &["google_web_search"]),
            ToolMapping::same("Task", &["invoke_agent"]),
            ToolMapping::keyed("Skill", &["activate_skill"], &[("skill", "name")]),
        ],
        harmless: &[
            "enter_plan_mode",
            "list_background_processes",
            "list_directory",
            "read_background_output",
            "update_topic",
            "write_todos",
        ],
        mcp: McpNames { split: server_of, join: |server, tool| format!("mcp_{server}_{tool}") },
        write,
        read,
        ..usual::WIRE
    },
    ..usual::dialect(DialectOwner::Agent(AgentId::Gemini))
};

/// Returns server and tool from the event, since single underscores separate them in the name and occur in both.
fn server_of(name: &str, payload: &Map<String, Value>, servers: &[String]) -> Option<(String, String)> {
    let told = payload.get("mcp_context").and_then(|context| {
        Some((context.get("server_name")?.as_str()?.to_owned(), context.get("tool_name")?.as_str()?.to_owned()))
    });
    told.or_else(|| mcp_by_known_server(name.strip_prefix("mcp_")?, "_", servers))
}

/// Reads the output of a command from the text around it: `Output: …`, `Exit Code: 3` unless it is 0, and other lines.
fn shell_output(result: &ToolResult) -> Option<ShellOutput<'_>> {
    let whole = response_text(result, &["llmContent"])?;
    let start = whole.find(OUTPUT).filter(|at| matches!(whole.get(..*at), Some("" | "<untrusted_context>\n")))?;
    labelled_output(whole, start + OUTPUT.len(), &AFTER_OUTPUT)
}

const OUTPUT: &str = "Output: ";

const AFTER_OUTPUT: [&str; 5] =
    ["Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: ", "</untrusted_context>"];

/// Writes an answer. A deny must be JSON on standard output; a changed input must be complete. After a tool, a deny
/// replaces the output by its reason, and context beside it is lost.
fn write(reply: &LoweredOutcome<'_>) -> HookAnswer {
    let mut answer = Map::new();
    if let Some(text) = reply.output.as_ref().and_then(Value::as_str) {
        let text = [Some(text), reply.context.as_deref()].into_iter().flatten().collect::<Vec<_>>().join("\n\n");
        answer.insert("decision".to_owned(), "deny".into());
        answer.insert("reason".to_owned(), text.into());
        answer.extend(system_message(reply));
        return HookAnswer::json(answer);
    }
    match &reply.verdict {
        // An allow skips no question here.
        LoweredDecision::Nothing | LoweredDecision::Allow(_) => {}
        LoweredDecision::Ask(reason) => {
            answer.insert("decision".to_owned(), "deny".into());
            answer.insert("reason".to_owned(), reason.clone().unwrap_or_default().into());
        }
        LoweredDecision::Block(reason) => {
            answer.insert("decision".to_owned(), "deny".into());
            answer.insert("reason".to_owned(), reason.as_str().into());
        }
    }
    let own = fields_of([
        ("hookEventName", Some(reply.native_event.into())),
        ("additionalContext", reply.context.as_deref().map(Value::from)),
        ("tool_input", reply.rewrite.clone()),
    ]);
    if own.len() > 1 {
        answer.insert("hookSpecificOutput".to_owned(), Value::Object(own));
    }
    answer.extend(system_message(reply));
    HookAnswer::json(answer)
}

fn read(event: Event, answer: &mut Map<String, Value>) -> HookOutput {
    let mut own = object_of(answer, "hookSpecificOutput").unwrap_or_default();
    let mut output = HookOutput {
        decision: decision_of(answer, "decision"),
        reason: text_of(answer, "reason"),
        additional_context: text_of(&mut own, "additionalContext"),
        updated_input: object_of(&mut own, "tool_input"),
        ..HookOutput::default()
    };
    // Other agents cannot end the session on request; the tool or prompt in question is denied instead.
    if matches!(event, Event::PreToolUse | Event::UserPromptSubmit)
        && let Some(stopped) = stops(answer)
    {
        output.reason = stopped.reason.or(output.reason);
        output.decision = Some(HookDecision::Deny);
    }
    output
}

/// Comments are accepted; all other deviations keep Gemini CLI from starting.
const SETTINGS: SettingsStrictness = SettingsStrictness {
    comment: SettingsReaction::Accepts,
    trailing_comma: SettingsReaction::RefusesToStart(52),
    byte_order_mark: SettingsReaction::RefusesToStart(52),
    empty: SettingsReaction::RefusesToStart(52),
    unknown_key: SettingsReaction::Accepts,
};

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Gemini CLI",
    evidence: SpecEvidence::Ran("0.61.0"),
    programs: &["gemini"],
    home_signs: &[".gemini"],
    own_shell: ShellTraces { variables: &["GEMINI_CLI"], programs: &["gemini"], paths: &["/@google/gemini-cli/"] },
    moved_by: &[RelocationVariable { variable: "GEMINI_CLI_HOME", directory: "", along: &[] }],
    skills: SkillDirectories {
        project: ".agents/skills",
        also_in_project: &[".gemini/skills"],
        global: &[".gemini/skills", ".agents/skills"],
        ignored: IgnoredFiles::Refused,
    },
    context: ContextFacts { skill_names: 5, skill_frame: 125, limit: None, tools: ToolListing::Whole },
    hooks: &[HookFile {
        windows_shell: ShellKind::PowerShell,
        layout: HookLayout::Shared {
            handler: HandlerForm {
                // `hooksConfig.disabled` lists hooks by this name.
                fixed: &[("type", "command"), ("name", "symposium")],
                timeout_unit: TimeUnit::Milliseconds,
                ..usual::HANDLER
            },
            starts_as: "{}\n",
        },
        strictness: SETTINGS,
        ..usual::hook_file(".gemini/settings.json", &DIALECT)
    }],
    mcp: McpFile {
        server,
        persons_keys: &["trust", "timeout", "includeTools", "excludeTools"],
        strictness: SETTINGS,
        ..usual::mcp_file(".gemini/settings.json")
    },
    instructions: InstructionFiles { project: &["GEMINI.md"], global: &[".gemini/GEMINI.md"], hidden: &[] },
    root_only: RootRequirement::RegistrationAndSkills,
    trust: AgentTrust::Folders {
        file: AgentPath::Home(".gemini/trustedFolders.json"),
        record: FolderRecord::KeyWithValue("TRUST_FOLDER"),
    },
    notes: &[
        RegistrationNote::for_scope(
            Scope::Project,
            "Gemini CLI runs no hooks and starts no MCP servers in a folder that you do not trust: start `gemini` in \
             the workspace root once, and trust it",
        ),
        RegistrationNote::for_scope(
            Scope::User,
            "Gemini CLI runs hooks, including your own, only in folders that you trust: start `gemini` in a workspace \
             root once, and trust it",
        ),
    ],
    holdings: &HOLDINGS,
    permissions: &PERMISSIONS,
    allow: Some(&ALLOW),
    ..usual::spec(AgentId::Gemini, &DIALECT)
};

/// Settings of lower precedence than the user's own.
const SYSTEM_DEFAULTS: LayerPath = LayerPath::Machine {
    path: "/etc/gemini-cli/system-defaults.json",
    macos: "/Library/Application Support/GeminiCli/system-defaults.json",
    variable: Some("GEMINI_CLI_SYSTEM_DEFAULTS_PATH"),
};

const SYSTEM_SETTINGS: LayerPath = LayerPath::Machine {
    path: "/etc/gemini-cli/settings.json",
    macos: "/Library/Application Support/GeminiCli/settings.json",
    variable: Some("GEMINI_CLI_SYSTEM_SETTINGS_PATH"),
};

static ALLOW: AllowRules = AllowRules {
    file: AgentPath::Home(".gemini/settings.json"),
    list: &["tools", "allowed"],
    rules: &[
        "run_shell_command(symposium start)",
        "run_shell_command(symposium crate)",
        "run_shell_command(symposium api)",
    ],
};

static PERMISSIONS: [PermissionFile; 8] = [
    PermissionFile::json(SYSTEM_DEFAULTS, rules),
    PermissionFile::json(LayerPath::Home(".gemini/settings.json"), rules),
    PermissionFile::json(LayerPath::Project(".gemini/settings.json"), rules),
    PermissionFile::json(SYSTEM_SETTINGS, rules),
    PermissionFile {
        at: LayerPath::Home(".gemini/policies/*.toml"),
        notation: Some(SettingsFormat::Toml),
        rules: policies,
    },
    PermissionFile {
        at: LayerPath::Project(".gemini/policies/*.toml"),
        notation: Some(SettingsFormat::Toml),
        rules: policies,
    },
    // It may have been started in the root of the repository.
    PermissionFile::json(LayerPath::GitRoot(".gemini/settings.json"), rules),
    PermissionFile {
        at: LayerPath::GitRoot(".gemini/policies/*.toml"),
        notation: Some(SettingsFormat::Toml),
        rules: policies,
    },
];

const SHELL_TOOLS: [&str; 3] = ["run_shell_command", "ShellTool", "Shell"];

fn rules(settings: &Value) -> Vec<RuleText> {
    let lists = [
        &["tools", "allowed"][..],
        &["tools", "exclude"],
        &["tools", "core"],
        &["allowedTools"],
        &["excludeTools"],
        &["coreTools"],
    ];
    permission::beginning_in_parentheses(settings, &lists, &SHELL_TOOLS)
}

fn policies(file: &Value) -> Vec<RuleText> {
    let mut found = Vec::new();
    for rule in file.get("rule").and_then(Value::as_array).into_iter().flatten() {
        let texts = |key: &str| match rule.get(key) {
            Some(Value::String(text)) => vec![text.clone()],
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Some(_) | None => Vec::new(),
        };
        let starts = texts("commandPrefix").into_iter();
        found.extend(starts.map(|text| RuleText { pattern: Some(permission::begins_with(&text)), text }));
        let is_shell = texts("toolName").iter().any(|tool| SHELL_TOOLS.contains(&tool.as_str()));
        let patterns = texts("commandRegex").into_iter().chain(texts("argsPattern").into_iter().filter(|_| is_shell));
        found.extend(patterns.map(|text| RuleText { text, pattern: None }));
    }
    found
}

/// Writes a server. The key tells the transport: `command`, `httpUrl`, or `url` for SSE.
pub(crate) fn server(server: &RegisteredServer) -> Value {
    let mut value = servers::fields(server);
    match &server.transport {
        ServerTransport::Http { .. } => {
            if let Some(url) = value.remove("url") {
                value.insert("httpUrl".to_owned(), url);
            }
        }
        ServerTransport::Stdio { .. } | ServerTransport::Sse { .. } => {}
    }
    Value::Object(value)
}

static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::json(Scope::User, SYSTEM_DEFAULTS, HOOKS, SERVERS),
        SettingsLayer::json(Scope::User, LayerPath::Home(".gemini/settings.json"), HOOKS, SERVERS),
        SettingsLayer::json(Scope::Project, LayerPath::Project(".gemini/settings.json"), HOOKS, SERVERS),
        SettingsLayer::json(Scope::User, SYSTEM_SETTINGS, HOOKS, SERVERS),
        SettingsLayer::json(Scope::User, LayerPath::Home(".gemini/extensions/*/hooks/hooks.json"), HOOKS, None),
        SettingsLayer::json(Scope::User, LayerPath::Home(".gemini/extensions/*/gemini-extension.json"), None, SERVERS),
        // It lists the disabled extensions.
        SettingsLayer::json(Scope::User, LayerPath::Home(".gemini/extensions/extension-enablement.json"), None, None),
    ],
    timeouts: &[("timeout", TimeUnit::Milliseconds)],
    matching: MatcherSyntax::Pattern,
    bare_url: BareUrl::Sse,
    variables: &[
        ("GEMINI_CWD", VariableMeaning::WorkingDirectory),
        ("GEMINI_SESSION_ID", VariableMeaning::Session),
        ("extensionPath", VariableMeaning::Plugin),
        ("GEMINI_PLANS_DIR", VariableMeaning::OwnAffair),
    ],
    substitution: VariableSubstitution::Quoted,
    hook_is_off,
    server_is_off,
    plugin_is_off,
    causes: CauseMatcher::Word,
    plugin_skills: &[(Scope::User, LayerPath::Home(".gemini/extensions/*/skills"))],
    ..usual::LAYOUT
};

fn hook_is_off(hook: &HookPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    all.iter().find_map(|settings| {
        let key = if settings.says(&["hooksConfig", "enabled"], false) {
            "hooksConfig.enabled"
        } else if settings.lists(&["hooksConfig", "disabled"], hook.name) {
            "hooksConfig.disabled"
        } else {
            return None;
        };
        Some(format!("`{key}` in {} switches it off", settings.shown))
    })
}

pub(crate) fn server_is_off(name: &str, all: &[LoadedLayer<'_>]) -> Option<String> {
    let off = all.iter().find(|settings| settings.lists(&["mcp", "excluded"], name))?;
    Some(format!("`mcp.excluded` in {} switches it off", off.shown))
}

/// Extensions are enabled and disabled per directory; the last matching rule counts.
fn plugin_is_off(place: &PluginPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    let (home, below) = place.path.split_once("/.gemini/extensions/")?;
    let extension = below.split('/').next()?;
    let here = place.workspace.unwrap_or(home);
    let is_above = |rule: &str| {
        let directory = rule.trim_end_matches('*').trim_end_matches('/');
        here.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    all.iter().find_map(|settings| {
        let rules = settings.at(&[extension, "overrides"], None)?.as_array()?;
        let rules = rules.iter().filter_map(Value::as_str);
        let last = rules.rev().find(|rule| is_above(rule.trim_start_matches('!')))?;
        last.starts_with('!').then(|| format!("its extension is switched off in {}", settings.shown))
    })
}
