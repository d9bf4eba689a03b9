//! Claude Code: its dialect and its files.

mod settings;

use std::borrow::Cow;

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::hook::{Event, NativeUse, ToolResult};

use crate::command::ShellKind;
use crate::context_facts::{ContextFacts, ListingLimit, ToolListing};
use crate::dialect::{
    AgentDialect, CallerRule, DialectOwner, EventAbilities, HookAbilities, MessageChannel, OutputEffect,
};
use crate::registration_input::{AgentPath, Scope};
use crate::servers;
use crate::shell_output::{OutputExtent, ShellOutput, leading_number};
use crate::spec::{
    AgentSpec, AgentTrust, FileChoice, FolderRecord, HiddenInstructions, HookFile, IgnoredFiles, InstructionFiles,
    McpFile, RegistrationNote, RelocationVariable, RootRequirement, SettingsReaction, SettingsStrictness,
    ShellPathChannel, ShellTraces, SkillDirectories, SpecEvidence,
};
use crate::usual;
use crate::wire::{fields_of, write_nested};
use crate::wire_format::{
    AllowMeaning, DeferSupport, FieldNames, HookAnswer, LoweredOutcome, NativeForm, RefusalFormat, StartMatcher,
    ToolMapping, WireFormat,
};
use crate::{copilot, cursor, gemini, vscode};

pub(crate) static DIALECT: AgentDialect = AgentDialect {
    // A tool that fails fires this one instead.
    events: usual::EVENTS_AND_FAILURE,
    native: &[
        "SessionEnd",
        "PermissionRequest",
        "PermissionDenied",
        "Notification",
        "StopFailure",
        "SubagentStart",
        "SubagentStop",
        "PreCompact",
        "PostCompact",
        "InstructionsLoaded",
        "TaskCreated",
        "TaskCompleted",
        "TeammateIdle",
        "ConfigChange",
        "CwdChanged",
        "FileChanged",
        "WorktreeRemove",
        "Elicitation",
        "ElicitationResult",
    ],
    withheld: &[("WorktreeCreate", "a hook for this event must create the worktree itself")],
    own: NativeForm {
        matched: &[
            ("SessionEnd", "reason"),
            ("PermissionRequest", "tool_name"),
            ("PermissionDenied", "tool_name"),
            ("Notification", "notification_type"),
            ("SubagentStart", "agent_type"),
            ("SubagentStop", "agent_type"),
            ("PreCompact", "trigger"),
            ("PostCompact", "trigger"),
            ("InstructionsLoaded", "load_reason"),
            ("ConfigChange", "source"),
        ],
        session_start: StartMatcher::Source,
        refusal: RefusalFormat::ExitCodeAndOutput,
        defer: DeferSupport::Known,
        ..usual::NATIVE
    },
    can: HookAbilities {
        pre_tool_use: Some(EventAbilities::TELL_CHANGE_OR_ASK),
        post_tool_use: Some(EventAbilities { output: OutputEffect::Works, ..EventAbilities::TELL_WHY }),
        tool_failed: Some(EventAbilities::TELL_WHY),
        ..usual::ABILITIES
    },
    message: MessageChannel::Shown,
    // 9,990 characters arrive whole; 10,100 become a file and a preview.
    context_limit: Some(9_990),
    // A longer one becomes a file and a preview.
    output_limit: Some(30_000),
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    wire: WireFormat {
        fields: FieldNames {
            error: &["error"],
            // Errors are merged into `stdout`. The shape differs by tool.
            output: &["stdout", "content", "file"],
            // For a written file it reports the new content, not the output of the tool.
            without_output: Some("structuredPatch"),
            file_copy: Some("originalFile"),
            sub_agent: &["agent_id"],
            last_message: &["last_assistant_message"],
            shell_output,
            replaced_output,
            ..FieldNames::USUAL
        },
        tools: &[
            ToolMapping::same("Bash", &["Bash"]),
            ToolMapping::same("Read", &["Read"]),
            ToolMapping::same("Write", &["Write"]),
            // The second makes several edits of one file; older versions have it.
            ToolMapping::same("Edit", &["Edit", "MultiEdit"]),
            ToolMapping::same("Glob", &["Glob"]),
            ToolMapping::same("Grep", &["Grep"]),
            ToolMapping::same("WebFetch", &["WebFetch"]),
            ToolMapping::same("WebSearch", &["WebSearch"]),
            ToolMapping::same("Task", &["Agent", "Task"]),
            ToolMapping::same("Skill", &["Skill"]),
            // The first runs a command and reports its output line by line; the second is the shell on Windows.
            ToolMapping::same("Bash", &["Monitor", "PowerShell"]),
            ToolMapping::keyed(
                "Edit",
                &["NotebookEdit"],
                &[("file_path", "notebook_path"), ("new_string", "new_source")],
            ),
        ],
        harmless: &[
            "CronCreate",
            "CronDelete",
            "CronList",
            // The model cannot call it.
            "DeferredToolPlaceholder",
            // They enter and leave a copy of the repository beside it.
            "EnterWorktree",
            "ExitWorktree",
            "ListAgents",
            "ReportFindings",
            "ScheduleWakeup",
            "SendMessage",
            "TaskStop",
            "ToolSearch",
            // Its script starts agents, whose tools raise events.
            "Workflow",
        ],
        write,
        allow: AllowMeaning::Grants,
        plain_text: &[Event::SessionStart, Event::UserPromptSubmit],
        ..usual::WIRE
    },
    sub_agent_start: Some("SubagentStart"),
    guests: &[
        CallerRule { dialect: &cursor::DIALECT, raised: |peek| peek.is_from_cursor() },
        CallerRule { dialect: &copilot::DIALECT, raised: |peek| peek.is_from_copilot() },
        CallerRule { dialect: &vscode::DIALECT, raised: |peek| peek.is_from_vscode() },
        // Gemini reads the file only when the user asks it to import the hooks; then it runs Symposium's command
        // unchanged.
        CallerRule { dialect: &gemini::DIALECT, raised: |peek| peek.is_from_gemini(gemini::DIALECT.own_events()) },
    ],
    ..usual::dialect(DialectOwner::Agent(AgentId::Claude))
};

/// Writes an answer without `null` in any field: Claude Code would discard the whole answer.
fn write(reply: &LoweredOutcome<'_>) -> HookAnswer {
    let mut reply = reply.clone();
    if let Some(input) = &mut reply.rewrite {
        drop_nulls(input);
    }
    let mut answer = write_nested(&reply);
    let more = fields_of([
        ("reloadSkills", reply.reload_skills.then_some(true.into())),
        ("updatedToolOutput", reply.output.take()),
    ]);
    if !more.is_empty() {
        let own = answer
            .entry("hookSpecificOutput")
            .or_insert_with(|| Value::Object(fields_of([("hookEventName", Some(reply.native_event.into()))])));
        if let Some(own) = own.as_object_mut() {
            own.extend(more);
        }
    }
    HookAnswer::json(answer)
}

/// Reads both streams of a command that succeeded, or the error of one that failed.
fn shell_output(result: &ToolResult) -> Option<ShellOutput<'_>> {
    match result.response.as_ref()? {
        Value::String(error) => {
            let (first, text) = error.split_once('\n').unwrap_or((error, ""));
            let exit_code = first.strip_prefix("Exit code ").and_then(leading_number)?;
            let is_cut = text.contains(" characters truncated] ...");
            let extent = if is_cut { OutputExtent::Cut } else { OutputExtent::Whole };
            Some(ShellOutput { exit_code: Some(exit_code), extent, ..ShellOutput::plain(text) })
        }
        Value::Object(response) => {
            let said = |key: &str| response.get(key) == Some(&Value::Bool(true));
            let stdout = response.get("stdout")?.as_str()?;
            // A command that goes on in the background has not ended.
            if result.failed || said("interrupted") || said("isImage") || response.contains_key("backgroundTaskId") {
                return None;
            }
            let stderr = response.get("stderr").and_then(Value::as_str).filter(|text| !text.is_empty());
            let text = stderr.map_or(Cow::Borrowed(stdout), |stderr| Cow::Owned(format!("{stdout}\n{stderr}")));
            let whole = response.get("persistedOutputPath").and_then(Value::as_str);
            let extent = whole.map_or(OutputExtent::Whole, OutputExtent::CutBeside);
            Some(ShellOutput { text, exit_code: Some(0), extent, ..ShellOutput::default() })
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

/// Returns the result of a tool with another text in it. A text alone is accepted only for a tool of an MCP server.
fn replaced_output(tool: &NativeUse, result: &ToolResult, text: &str) -> Option<Value> {
    if tool.name.starts_with("mcp__") {
        return Some(text.into());
    }
    let mut fields = result.response.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
    match tool.name.as_str() {
        "Bash" => {
            // The model is referred to the file as long as these two are there.
            fields.retain(|key, value| !key.starts_with("persistedOutput") && !value.is_null());
            fields.insert("stdout".to_owned(), text.into());
            fields.insert("stderr".to_owned(), "".into());
            fields.entry("interrupted").or_insert(false.into());
        }
        "Read" => {
            let file = fields.get_mut("file")?.as_object_mut()?;
            file.insert("content".to_owned(), text.into());
            file.insert("numLines".to_owned(), text.lines().count().max(1).into());
        }
        _ => return None,
    }
    Some(Value::Object(fields))
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(drop_nulls);
        }
        Value::Array(values) => values.iter_mut().for_each(drop_nulls),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Claude Code",
    evidence: SpecEvidence::Ran("2.1.325"),
    programs: &["claude"],
    home_signs: &[".claude", ".claude.json"],
    own_shell: ShellTraces {
        variables: &["CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_PID"],
        programs: &["claude"],
        paths: &["/@anthropic-ai/claude-code/"],
    },
    shell_path: ShellPathChannel::SessionFile("CLAUDE_ENV_FILE"),
    moved_by: &[RelocationVariable { variable: "CLAUDE_CONFIG_DIR", directory: ".claude", along: &[".claude.json"] }],
    skills: SkillDirectories {
        project: ".claude/skills",
        also_in_project: &[],
        global: &[".claude/skills"],
        ignored: IgnoredFiles::Opened,
    },
    context: ContextFacts {
        skill_names: 1,
        skill_frame: 5,
        // 8,000 characters less those of the bundled skills, which are never cut.
        limit: Some(ListingLimit {
            room: 1_800,
            taken: 0,
            models: "models with 200k tokens",
            beyond: "shows the others by name only",
            setting: Some("`skillListingBudgetFraction` in its settings.json above its default of 0.01"),
        }),
        tools: ToolListing::Names,
    },
    hooks: &[HookFile {
        // It looks for Git Bash.
        windows_shell: ShellKind::Posix,
        strictness: SettingsStrictness {
            comment: SettingsReaction::IgnoresFile,
            trailing_comma: SettingsReaction::IgnoresFile,
            byte_order_mark: SettingsReaction::Accepts,
            empty: SettingsReaction::IgnoresFile,
            unknown_key: SettingsReaction::Accepts,
        },
        ..usual::hook_file(".claude/settings.json", &DIALECT)
    }],
    mcp: McpFile {
        // `mcpServers` in settings.json is never read.
        project: Some(FileChoice::only(AgentPath::Project(".mcp.json"))),
        server: servers::typed,
        strictness: SettingsStrictness {
            comment: SettingsReaction::IgnoresFile,
            unknown_key: SettingsReaction::Accepts,
            ..SettingsStrictness::UNKNOWN
        },
        ..usual::mcp_file(".claude.json")
    },
    instructions: InstructionFiles {
        project: &["CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md"],
        global: &[".claude/CLAUDE.md"],
        hidden: &[HiddenInstructions {
            file: AgentPath::Project("AGENTS.md"),
            by: AgentPath::Project("CLAUDE.md"),
            brought_in_by: Some("@AGENTS.md"),
        }],
    },
    root_only: RootRequirement::Registration,
    trust: AgentTrust::Folders {
        file: AgentPath::Home(".claude.json"),
        record: FolderRecord::KeyOf("projects", "hasTrustDialogAccepted"),
    },
    notes: &[RegistrationNote::for_scope(
        Scope::Project,
        "Claude Code asks once whether it may start the MCP servers of `.mcp.json`; confirm it there",
    )],
    holdings: &settings::HOLDINGS,
    permissions: &settings::PERMISSIONS,
    allow: Some(&settings::ALLOW),
    ..usual::spec(AgentId::Claude, &DIALECT)
};
