//! Transports of MCP servers, as declared in manifests and in the settings of agents.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerTransport {
    Stdio { command: String, args: Vec<String>, env: Vec<(String, String)> },
    Http { url: String, headers: Vec<(String, String)> },
    Sse { url: String, headers: Vec<(String, String)> },
}

/// An MCP server of a plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredServer {
    /// The name it is registered under.
    pub name: String,
    pub transport: ServerTransport,
}
