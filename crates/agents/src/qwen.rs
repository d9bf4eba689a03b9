//! Qwen Code: its dialect and its files. It comes from Gemini CLI, and its hooks have Claude Code's form.

use serde_json::{Map, Value};
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, HookDecision, HookOutput, ToolResult};

use crate::context_facts::{ContextFacts, ToolListing};
use crate::dialect::{AgentDialect, ContextEffect, DialectOwner, EventAbilities, HookAbilities};
use crate::gemini;
use crate::registration_input::Scope;
use crate::settings_layout::{
    BareUrl, CauseMatcher, HookPlace, LayerPath, LoadedLayer, MatcherSyntax, SettingsLayer, SettingsLayout,
    VariableMeaning,
};
use crate::shell_output::{ShellOutput, labelled_output, response_text};
use crate::spec::{
    AgentSpec, HookFile, HookLayout, InstructionFiles, McpFile, RegistrationNote, RelocationVariable, RootRequirement,
    SettingsReaction, SettingsStrictness, ShellTraces, SkillDirectories, SpecEvidence, TimeUnit,
};
use crate::usual::{self, HOOKS, SERVERS};
use crate::wire::{read_nested, stops, write_nested};
use crate::wire_format::{
    AnswerStream, FieldNames, HookAnswer, LoweredDecision, LoweredOutcome, NativeForm, StartMatcher, ToolMapping,
    WireFormat,
};

pub(crate) static DIALECT: AgentDialect = AgentDialect {
    events: usual::EVENTS_AND_FAILURE,
    native: &[
        "SessionEnd",
        "UserPromptExpansion",
        "PostToolBatch",
        "SubagentStart",
        "SubagentStop",
        "Notification",
        "InstructionsLoaded",
        "MessageDisplay",
        "TodoCreated",
        "TodoCompleted",
        "PermissionRequest",
        "PermissionDenied",
        "StopFailure",
        "PreCompact",
        "PostCompact",
        "SessionDelete",
    ],
    own: NativeForm {
        matched: &[
            ("SessionEnd", "reason"),
            ("UserPromptExpansion", "command_name"),
            ("SubagentStart", "agent_type"),
            ("SubagentStop", "agent_type"),
            ("Notification", "notification_type"),
            ("InstructionsLoaded", "file_path"),
            ("PermissionRequest", "tool_name"),
            ("PermissionDenied", "tool_name"),
            ("StopFailure", "error"),
            ("PreCompact", "trigger"),
            ("PostCompact", "trigger"),
        ],
        session_start: StartMatcher::Source,
        answers_on: AnswerStream::StdoutElseStderr,
        ..usual::NATIVE
    },
    can: HookAbilities {
        // Without a user, an ask is a deny; a changed input has no effect, and context is lost.
        pre_tool_use: Some(EventAbilities { context: ContextEffect::Impossible, ..EventAbilities::TELL_OR_BLOCK }),
        tool_failed: Some(EventAbilities::TELL_WHY),
        ..usual::ABILITIES
    },
    // It sets the variables of Claude Code and Gemini CLI too.
    project_variable: Some("QWEN_PROJECT_DIR"),
    wire: WireFormat {
        fields: FieldNames {
            error: &["error"],
            output: &["llmContent"],
            // The event comes before every request to the model.
            users_prompt: Some("submitted_prompt"),
            sub_agent: &["agent_id"],
            last_message: &["last_assistant_message"],
            shell_output,
            ..FieldNames::USUAL
        },
        tools: &[
            // The second one runs a command in the background and reports its lines.
            ToolMapping::same("Bash", &["run_shell_command", "monitor"]),
            ToolMapping::same("Read", &["read_file"]),
            ToolMapping::same("Write", &["write_file"]),
            ToolMapping::same("Edit", &["edit"]),
            ToolMapping::same("Glob", &["glob"]),
            ToolMapping::same("Grep", &["grep_search"]),
            ToolMapping::same("WebFetch", &["web_fetch"]),
            ToolMapping::same("Task", &["agent"]),
            ToolMapping::same("Skill", &["skill"]),
            ToolMapping::keyed(
                "Edit",
                &["notebook_edit"],
                &[("file_path", "notebook_path"), ("new_string", "new_source")],
            ),
        ],
        harmless: &[
            "get_goal",
            "list_agents",
            "list_directory",
            "todo_write",
            // It calls another tool, which raises an event under its own name.
            "tool_call",
            "tool_search",
            "update_goal",
        ],
        write,
        read,
        plain_text: &[Event::SessionStart, Event::UserPromptSubmit],
        ..usual::WIRE
    },
    ..usual::dialect(DialectOwner::Agent(AgentId::Qwen))
};

/// Writes an answer. Of several hooks the last `permissionDecision` counts, so an allow of Symposium could undo the deny
/// of another hook, and is not written; a deny stands in `continue` too, which no other hook can undo.
fn write(reply: &LoweredOutcome<'_>) -> HookAnswer {
    let mut reply = reply.clone();
    if matches!(reply.verdict, LoweredDecision::Allow(_)) {
        reply.verdict = LoweredDecision::Nothing;
    }
    if reply.is_neutral() {
        return DIALECT.neutral(None);
    }
    let mut answer = write_nested(&reply);
    if let (Event::PreToolUse, LoweredDecision::Block(reason)) = (reply.event, &reply.verdict) {
        answer.insert("continue".to_owned(), false.into());
        answer.insert("stopReason".to_owned(), reason.as_str().into());
    }
    HookAnswer::json(answer)
}

/// Reads an answer. Before a tool, a stop only keeps the tool from running.
fn read(event: Event, answer: &mut Map<String, Value>) -> HookOutput {
    let mut output = read_nested(event, answer);
    if event == Event::PreToolUse
        && let Some(stopped) = stops(answer)
    {
        output.reason = stopped.reason.or(output.reason);
        output.decision = Some(HookDecision::Deny);
    }
    output
}

/// Reads the output of a command from the text around it, which is also the error of a command that failed.
fn shell_output(result: &ToolResult) -> Option<ShellOutput<'_>> {
    let whole = response_text(result, &["llmContent"]).or_else(|| result.response.as_ref()?.as_str())?;
    let directory = whole.find("\nDirectory: ")?;
    let start = directory + whole.get(directory..)?.find(OUTPUT)?;
    labelled_output(whole, start + OUTPUT.len(), &AFTER_OUTPUT)
}

const OUTPUT: &str = "\nOutput: ";

const AFTER_OUTPUT: [&str; 5] = ["Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: "];

/// With any other deviation in the user's file Qwen Code does not start, and it replaces the project's file by an empty
/// one.
const SETTINGS: SettingsStrictness = SettingsStrictness {
    comment: SettingsReaction::Accepts,
    trailing_comma: SettingsReaction::RefusesToStart(1),
    byte_order_mark: SettingsReaction::Accepts,
    empty: SettingsReaction::RefusesToStart(1),
    unknown_key: SettingsReaction::Accepts,
};

/// Without this key it would write it itself.
const NEW_SETTINGS: &str = "{\n  \"$version\": 4\n}\n";

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Qwen Code",
    evidence: SpecEvidence::Ran("0.24.4"),
    programs: &["qwen"],
    home_signs: &[".qwen"],
    own_shell: ShellTraces {
        variables: &["QWEN_CODE", "QWEN_CODE_SESSION_ID"],
        programs: &["qwen"],
        paths: &["/@qwen-code/qwen-code/"],
    },
    moved_by: &[RelocationVariable { variable: "QWEN_HOME", directory: ".qwen", along: &[] }],
    skills: SkillDirectories {
        also_in_project: &[".qwen/skills"],
        global: &[".qwen/skills", ".agents/skills"],
        ..usual::SKILLS
    },
    context: ContextFacts { tools: ToolListing::Names, ..ContextFacts::UNKNOWN },
    hooks: &[HookFile {
        layout: HookLayout::Shared { handler: usual::HANDLER, starts_as: NEW_SETTINGS },
        strictness: SETTINGS,
        ..usual::hook_file(".qwen/settings.json", &DIALECT)
    }],
    mcp: McpFile {
        starts_as: NEW_SETTINGS,
        server: gemini::server,
        persons_keys: &["trust", "timeout", "includeTools", "excludeTools"],
        strictness: SETTINGS,
        ..usual::mcp_file(".qwen/settings.json")
    },
    instructions: InstructionFiles {
        project: &["QWEN.md", "AGENTS.md", ".qwen/QWEN.local.md"],
        global: &[".qwen/QWEN.md", ".qwen/AGENTS.md"],
        hidden: &[],
    },
    root_only: RootRequirement::RegistrationAndSkills,
    notes: &[RegistrationNote::for_scope(
        Scope::Project,
        "Qwen Code starts the MCP servers of a project only after you approve them: start `qwen` in the workspace root \
         once, and use `/mcp`",
    )],
    holdings: &HOLDINGS,
    ..usual::spec(AgentId::Qwen, &DIALECT)
};

/// Settings of lower precedence than the user's own.
const SYSTEM_DEFAULTS: LayerPath = LayerPath::Machine {
    path: "/etc/qwen-code/system-defaults.json",
    macos: "/Library/Application Support/QwenCode/system-defaults.json",
    variable: Some("QWEN_CODE_SYSTEM_DEFAULTS_PATH"),
};

const SYSTEM_SETTINGS: LayerPath = LayerPath::Machine {
    path: "/etc/qwen-code/settings.json",
    macos: "/Library/Application Support/QwenCode/settings.json",
    variable: Some("QWEN_CODE_SYSTEM_SETTINGS_PATH"),
};

static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::json(Scope::User, SYSTEM_DEFAULTS, HOOKS, SERVERS),
        SettingsLayer::user(".qwen/settings.json", HOOKS, SERVERS),
        SettingsLayer::project(".qwen/settings.json", HOOKS, SERVERS),
        SettingsLayer::json(Scope::User, SYSTEM_SETTINGS, HOOKS, SERVERS),
        SettingsLayer::project(".mcp.json", None, SERVERS).lent(AgentId::Claude),
    ],
    timeouts: &[("timeout", TimeUnit::SecondsBelowThousand)],
    matching: MatcherSyntax::Pattern,
    bare_url: BareUrl::Sse,
    unportable: &[(
        "async",
        "Qwen Code runs it in the background and ignores its answer; Symposium waits for every handler",
    )],
    variables: &[
        ("QWEN_CODE_SESSION_ID", VariableMeaning::Session),
        ("QWEN_CODE_AGENT_ID", VariableMeaning::OwnAffair),
        ("QWEN_CODE_PROMPT_ID", VariableMeaning::OwnAffair),
        ("QWEN_CODE_MODEL", VariableMeaning::OwnAffair),
    ],
    hook_is_off,
    server_is_off: gemini::server_is_off,
    causes: CauseMatcher::NamesOrPattern,
    ..usual::LAYOUT
};

fn hook_is_off(_: &HookPlace<'_>, all: &[LoadedLayer<'_>]) -> Option<String> {
    let off = all.iter().find(|settings| settings.says(&["disableAllHooks"], true))?;
    Some(format!("`disableAllHooks` in {} switches it off", off.shown))
}
