//! Cline: its dialect and its files. It has two kinds of hooks. A hook file can refuse a tool only by ending the whole
//! run, so Symposium is a plugin, a module in JavaScript: its refusal reaches the model, and the run goes on.

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::hook::ToolResult;
use symposium_model::transport::ServerTransport;

use crate::bridge;
use crate::dialect::{AgentDialect, DialectOwner, EventAbilities, HookAbilities};
use crate::registration_input::{AgentPath, RegisteredServer};
use crate::servers;
use crate::settings_layout::{BareUrl, LayerPath, SettingsLayer, SettingsLayout};
use crate::shell_output::{ShellOutput, leading_number, response_text};
use crate::spec::{
    AgentSpec, FileChoice, HookFile, HookLayout, InstructionFiles, McpFile, RegistrationNote, SettingsReaction,
    SettingsStrictness, ShellTraces, SkillDirectories, SpecEvidence,
};
use crate::usual::{self, SERVERS};
use crate::wire::{PATCH_ALSO, mcp_by_known_server};
use crate::wire_format::{FieldNames, McpNames, ToolMapping, WireFormat};

/// Cline's dialect, through the bridge. A tool that takes a list is one event for each item.
pub(crate) static DIALECT: AgentDialect = AgentDialect {
    native: &["afterRun"],
    can: HookAbilities {
        // A tool that fails raises the same event, and its output cannot be changed.
        post_tool_use: Some(EventAbilities::TELL_WHY),
        ..bridge::ABILITIES
    },
    wire: WireFormat {
        fields: FieldNames {
            output: &["result", "content"],
            failed: |response| {
                response.get("success") == Some(&Value::Bool(false))
                    || response.get("error").is_some_and(|error| !error.is_null())
            },
            shell_output,
            ..bridge::FIELDS
        },
        tools: &[
            ToolMapping::same("Bash", &["run_commands"]),
            ToolMapping::keyed("Read", &["read_files"], &[("file_path", "path")]),
            ToolMapping::keyed(
                "Edit",
                &["editor"],
                &[("file_path", "path"), ("old_string", "old_text"), ("new_string", "new_text")],
            )
            .only_with("old_text", &[]),
            ToolMapping::keyed("Write", &["editor"], &[("file_path", "path"), ("content", "new_text")]),
            // Models whose name says GPT or Codex get it in place of `editor`.
            ToolMapping::text("Patch", &["apply_patch"], "patch").also(PATCH_ALSO),
            ToolMapping::keyed("Patch", &["apply_patch"], &[("patch", "input")]).also(PATCH_ALSO),
            ToolMapping::same("Grep", &["search_codebase"]),
            ToolMapping::same("WebFetch", &["fetch_web_content"]),
            ToolMapping::keyed("Task", &["spawn_agent", "team_run_task"], &[("prompt", "task")]),
            ToolMapping::same("Skill", &["skills"]),
        ],
        harmless: &[
            "ask_question",
            // It ends the run with a summary.
            "submit_and_exit",
            // They organise other agents, whose tools raise events of their own.
            "team_attach_outcome_fragment",
            "team_await_runs",
            "team_broadcast",
            "team_cancel_run",
            "team_cleanup",
            "team_create_outcome",
            "team_finalize_outcome",
            "team_list_outcomes",
            "team_list_runs",
            "team_mission_log",
            "team_read_mailbox",
            "team_review_outcome_fragment",
            "team_send_message",
            "team_shutdown_teammate",
            "team_spawn_teammate",
            "team_status",
            "team_task",
        ],
        mcp: McpNames {
            split: |name, _, servers| mcp_by_known_server(name, "__", servers),
            join: |server, tool| format!("{server}__{tool}"),
        },
        ..bridge::WIRE
    },
    ..bridge::dialect(DialectOwner::Agent(AgentId::Cline))
};

/// Reads the output of a command. If it failed, the first line of the text says so.
fn shell_output(result: &ToolResult) -> Option<ShellOutput<'_>> {
    let whole = response_text(result, &["result"])?;
    let Some((code, rest)) = whole.strip_prefix(FAILED).and_then(|rest| rest.split_once("]\n")) else {
        return Some(ShellOutput { exit_code: Some(0), ..ShellOutput::plain(whole) });
    };
    let before = whole.get(..whole.len() - rest.len())?;
    Some(ShellOutput { exit_code: leading_number(code), before, ..ShellOutput::plain(rest) })
}

const FAILED: &str = "[Command exited with code ";

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Cline",
    evidence: SpecEvidence::Ran("3.0.65"),
    programs: &["cline"],
    home_signs: &[".cline"],
    own_shell: ShellTraces {
        variables: &["CLINE_BUILD_ENV", "CLINE_CONNECTOR_CLI_LAUNCH", "CLINE_ACTIVE"],
        programs: &["cline"],
        paths: &[],
    },
    skills: SkillDirectories {
        also_in_project: &[".cline/skills", ".clinerules/skills"],
        global: &[".cline/skills", ".agents/skills"],
        ..usual::SKILLS
    },
    hooks: &[HookFile {
        layout: HookLayout::Written(|calls| {
            let module = bridge::module(include_str!("cline_bridge.js"), calls);
            module.replacen("timeout: 60_000", "timeout: Math.max(1, deadline - Date.now())", 1)
        }),
        ..usual::hook_file(".cline/plugins/symposium.js", &DIALECT)
    }],
    mcp: McpFile {
        project: None,
        global: Some(FileChoice::only(AgentPath::Home(".cline/data/settings/cline_mcp_settings.json"))),
        server,
        persons_keys: &["disabled", "autoApprove", "timeout"],
        strictness: SettingsStrictness {
            comment: SettingsReaction::IgnoresFile,
            unknown_key: SettingsReaction::Accepts,
            ..SettingsStrictness::UNKNOWN
        },
        ..usual::mcp_file("")
    },
    instructions: InstructionFiles {
        project: &["AGENTS.md", ".clinerules/*.md", ".cline/rules/*.md"],
        global: &[".agents/AGENTS.md", ".cline/rules/*.md", "Cline/Rules/*.md", "Documents/Cline/Rules/*.md"],
        hidden: &[],
    },
    notes: &[RegistrationNote::both(
        "Cline loads plugins only if it finds `node` on its PATH; without it, Symposium's hooks do not run",
    )],
    holdings: &HOLDINGS,
    ..usual::spec(AgentId::Cline, &DIALECT)
};

/// Writes a server. The types of servers with an address come from its documentation.
fn server(server: &RegisteredServer) -> Value {
    let mut value = servers::fields(server);
    let kind = match &server.transport {
        ServerTransport::Stdio { .. } => None,
        ServerTransport::Http { .. } => Some("streamableHttp"),
        ServerTransport::Sse { .. } => Some("sse"),
    };
    value.extend(kind.map(|kind| ("type".to_owned(), Value::from(kind))));
    Value::Object(value)
}

/// Only servers: its hooks are modules and scripts in forms of its own.
static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[SettingsLayer::user(".cline/data/settings/cline_mcp_settings.json", None, SERVERS)],
    bare_url: BareUrl::Sse,
    server_is_off: usual::server_is_disabled,
    programs: &[
        LayerPath::Home(".cline/plugins/*"),
        LayerPath::Home(".cline/hooks/*"),
        LayerPath::Home("Documents/Cline/Plugins/*"),
        LayerPath::Home("Documents/Cline/Hooks/*"),
        LayerPath::Project(".cline/plugins/*"),
        LayerPath::Project(".cline/hooks/*"),
        LayerPath::Project(".clinerules/hooks/*"),
    ],
    ..bridge::LAYOUT
};
