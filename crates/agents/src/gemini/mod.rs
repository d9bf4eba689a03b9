//! Gemini CLI: its dialect and its files.

mod settings;

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
use crate::registration_input::{AgentPath, RegisteredServer, Scope};
use crate::servers;
use crate::shell_output::{ShellOutput, labelled_output, response_text};
use crate::spec::{
    AgentSpec, AgentTrust, FolderRecord, HandlerForm, HookFile, HookLayout, IgnoredFiles, InstructionFiles, McpFile,
    RegistrationNote, RelocationVariable, RootRequirement, SettingsReaction, SettingsStrictness, ShellTraces,
    SkillDirectories, SpecEvidence, TimeUnit,
};
use crate::usual;
use crate::wire::{decision_of, fields_of, mcp_by_known_server, object_of, stops, system_message, text_of};
use crate::wire_format::{
    AnswerStream, FieldNames, HookAnswer, LoweredDecision, LoweredOutcome, McpNames, NativeForm, PlainText,
    RefusalFormat, StartMatcher, ToolMapping, WireFormat,
};

pub(crate) use settings::server_is_off;

pub(crate) static DIALECT: AgentDialect = AgentDialect {
    events: EventNames {
        user_prompt_submit: Some("BeforeAgent"),
        pre_tool_use: Some("BeforeTool"),
        // Fires for a failed tool too.
        post_tool_use: Some("AfterTool"),
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
        pre_tool_use: Some(EventAbilities {
            context: ContextEffect::Impossible,
            rewrite: RewriteEffect::Works,
            ..EventAbilities::TELL_OR_BLOCK
        }),
        post_tool_use: Some(EventAbilities { output: OutputEffect::OfFailures, ..EventAbilities::TELL_WHY }),
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
    // Antigravity CLI has files in `.gemini` too.
    home_signs: &[".gemini/settings.json", ".gemini/tmp"],
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
    holdings: &settings::HOLDINGS,
    permissions: &settings::PERMISSIONS,
    allow: Some(&settings::ALLOW),
    ..usual::spec(AgentId::Gemini, &DIALECT)
};

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
