//! Any program that reads `.agents/skills` and `.mcp.json`. Nothing else is known of it.

use symposium_model::agent::AgentId;

use crate::dialect::AgentDialect;
use crate::servers;
use crate::settings_layout::{SettingsLayer, SettingsLayout};
use crate::spec::{AgentSpec, McpFile};
use crate::usual::{self, SERVERS};

pub(crate) static DIALECT: AgentDialect = usual::without_hooks(AgentId::Agents);

pub(crate) static SPEC: AgentSpec = AgentSpec {
    title: "Generic agent",
    // As Claude Code writes it, since both read that file.
    mcp: McpFile { global: None, server: servers::typed, ..usual::mcp_file(".mcp.json") },
    holdings: &SettingsLayout { layers: &[SettingsLayer::project(".mcp.json", None, SERVERS)], ..usual::LAYOUT },
    ..usual::spec(AgentId::Agents, &DIALECT)
};
