//! Antigravity CLI: its files, by its documents. It has hooks too, but they do not say what it makes of an answer without
//! a decision: it may block every tool, so Symposium registers none.

use serde_json::{Map, Value};
use symposium_model::agent::AgentId;
use symposium_model::transport::ServerTransport;

use crate::dialect::AgentDialect;
use crate::registration_input::{AgentPath, RegisteredServer, Scope};
use crate::servers;
use crate::settings_layout::{SettingsLayer, SettingsLayout};
use crate::spec::{
    AgentSpec, FileChoice, McpFile, ReferenceSyntax, RegistrationNote, ShellTraces, SkillDirectories, SseSupport,
};
use crate::usual::{self, SERVERS};

pub(crate) static DIALECT: AgentDialect = usual::without_hooks(AgentId::Antigravity);

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Antigravity CLI",
    programs: &["agy"],
    home_signs: &[".gemini/antigravity-cli"],
    own_shell: ShellTraces { variables: &[], programs: &["agy"], paths: &[] },
    skills: SkillDirectories { global: &[".gemini/config/skills"], ..usual::SKILLS },
    mcp: McpFile {
        global: Some(FileChoice::only(AgentPath::Home(".gemini/config/mcp_config.json"))),
        server,
        references: ReferenceSyntax::Unknown,
        sse: SseSupport::NotSpoken,
        persons_keys: &["disabled"],
        ..usual::mcp_file(".agents/mcp_config.json")
    },
    notes: &[
        RegistrationNote::both("Symposium registers no hooks with Antigravity CLI, only skills and MCP servers"),
        RegistrationNote::for_scope(
            Scope::Project,
            "Antigravity CLI reads the files of a project with `agy -p` only if `--add-dir` names the project by its absolute path",
        ),
    ],
    holdings: &SettingsLayout {
        layers: &[
            SettingsLayer::user(".gemini/config/mcp_config.json", None, SERVERS),
            SettingsLayer::project(".agents/mcp_config.json", None, SERVERS),
        ],
        ..usual::LAYOUT
    },
    ..usual::spec(AgentId::Antigravity, &DIALECT)
};

/// Writes a server. The address of one has a key of its own.
fn server(server: &RegisteredServer) -> Value {
    let mut value = Map::new();
    match &server.transport {
        ServerTransport::Stdio { .. } => value = servers::fields(server),
        ServerTransport::Http { url, headers } | ServerTransport::Sse { url, headers } => {
            value.insert("serverUrl".to_owned(), Value::from(url.as_str()));
            servers::insert_pairs(&mut value, "headers", headers);
        }
    }
    Value::Object(value)
}
