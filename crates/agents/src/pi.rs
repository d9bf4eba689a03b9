//! Pi: its dialect and its files. Its hooks are extensions, modules in JavaScript.

use serde_json::Value;
use symposium_model::agent::AgentId;
use symposium_model::hook::ToolResult;

use crate::bridge;
use crate::dialect::{AgentDialect, DialectOwner, EventAbilities, EventNames, HookAbilities};
use crate::registration_input::{AgentPath, RegisteredServer, Scope};
use crate::servers;
use crate::settings_layout::{LayerPath, SettingsLayer, SettingsLayout};
use crate::shell_output::{OutputExtent, ShellOutput};
use crate::spec::{
    AgentSpec, FileChoice, HiddenInstructions, HookFile, HookLayout, InstructionFiles, McpFile, RegistrationNote,
    RelocationVariable, RootRequirement, ShellTraces, SkillDirectories, SpecEvidence,
};
use crate::usual::{self, SERVERS};
use crate::wire_format::{FieldNames, ToolMapping, WireFormat};

/// Pi's dialect, through the bridge. A native event is sent as `{event, session_id, cwd, input}`, and Pi gets the answer
/// as it is. A call that makes several edits is one event for each of them.
pub(crate) static DIALECT: AgentDialect = AgentDialect {
    events: EventNames { stop: Some("stop"), ..bridge::EVENTS },
    native: &[
        "input",
        "session_shutdown",
        "agent_start",
        "agent_end",
        "agent_settled",
        "turn_start",
        "turn_end",
        "tool_execution_start",
        "tool_execution_end",
        "resources_discover",
    ],
    can: HookAbilities { stop: Some(EventAbilities::ANOTHER_TURN), ..bridge::ABILITIES },
    wire: WireFormat {
        fields: FieldNames {
            output: &["content"],
            failed: |response| response.get("isError") == Some(&Value::Bool(true)),
            stop_hook_active: &["stop_hook_active"],
            shell_output,
            replaced_output: |_, _, text| Some(text.into()),
            ..bridge::FIELDS
        },
        tools: &[
            ToolMapping::same("Bash", &["bash"]),
            ToolMapping::keyed("Read", &["read"], &[("file_path", "path")]),
            ToolMapping::keyed("Write", &["write"], &[("file_path", "path")]),
            ToolMapping::keyed(
                "Edit",
                &["edit"],
                &[("file_path", "path"), ("old_string", "oldText"), ("new_string", "newText")],
            ),
        ],
        // Its code can only call the other tools, which raise events of their own.
        harmless: &["codemode"],
        ..bridge::WIRE
    },
    ..bridge::dialect(DialectOwner::Agent(AgentId::Pi))
};

/// Reads the output of a command. The text for the model is in `content`, the exit code beside it.
fn shell_output(result: &ToolResult) -> Option<ShellOutput<'_>> {
    let response = result.response.as_ref()?;
    let text = response.get("content")?.get(0)?.get("text")?.as_str()?;
    let fact = |key: &str| response.get("structuredContent").and_then(|facts| facts.get(key));
    let exit_code = fact("exit_code").and_then(Value::as_i64).and_then(|code| i32::try_from(code).ok());
    let is_cut = fact("truncated") == Some(&Value::Bool(true));
    let extent = if is_cut { OutputExtent::Cut } else { OutputExtent::Whole };
    Some(ShellOutput { exit_code, extent, ..ShellOutput::plain(text) })
}

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Pi",
    evidence: SpecEvidence::Ran("1.5.0"),
    programs: &["pi"],
    home_signs: &[".pi"],
    own_shell: ShellTraces {
        variables: &["PI_CODING_AGENT", "PI_SESSION_ID"],
        programs: &["pi"],
        paths: &["/pi-coding-agent/"],
    },
    moved_by: &[RelocationVariable { variable: "PI_CODING_AGENT_DIR", directory: ".pi/agent", along: &[] }],
    skills: SkillDirectories {
        also_in_project: &[".pi/skills"],
        global: &[".pi/agent/skills", ".agents/skills"],
        ..usual::SKILLS
    },
    hooks: &[HookFile {
        global: AgentPath::Home(".pi/agent/extensions/symposium.js"),
        layout: HookLayout::Written(|calls| bridge::module(include_str!("pi_bridge.js"), calls)),
        ..usual::hook_file(".pi/extensions/symposium.js", &DIALECT)
    }],
    mcp: McpFile {
        global: Some(FileChoice::only(AgentPath::Home(".pi/agent/mcp.json"))),
        server,
        persons_keys: &["exposure"],
        ..usual::mcp_file(".pi/mcp.json")
    },
    instructions: InstructionFiles {
        project: &["AGENTS.md", "CLAUDE.md"],
        global: &[".pi/agent/AGENTS.md"],
        hidden: &[HiddenInstructions {
            file: AgentPath::Project("CLAUDE.md"),
            by: AgentPath::Project("AGENTS.md"),
            brought_in_by: None,
        }],
    },
    root_only: RootRequirement::Registration,
    notes: &[
        RegistrationNote::both(
            "Pi reads the skills of a project only if you trust the project and git does not ignore them: start `pi` there \
             once and agree, or start it with `--approve`, and set `[install] commit = true`",
        ),
        RegistrationNote::for_scope(
            Scope::Project,
            "Pi loads the hooks and MCP servers of a project only if you trust the project; without that it says nothing",
        ),
    ],
    holdings: &HOLDINGS,
    ..usual::spec(AgentId::Pi, &DIALECT)
};

/// Writes a server whose tools the model is offered one by one. Otherwise it would reach them only from its own code.
fn server(server: &RegisteredServer) -> Value {
    let mut value = servers::fields(server);
    value.insert("exposure".to_owned(), Value::from("direct"));
    Value::Object(value)
}

/// Only servers: Pi's hooks are modules in JavaScript.
static HOLDINGS: SettingsLayout = SettingsLayout {
    layers: &[
        SettingsLayer::user(".pi/agent/mcp.json", None, SERVERS),
        SettingsLayer::project(".pi/mcp.json", None, SERVERS),
    ],
    programs: &[LayerPath::Home(".pi/agent/extensions/*"), LayerPath::Project(".pi/extensions/*")],
    ..bridge::LAYOUT
};
