//! How an MCP server is reached: what a manifest declares and an agent's settings repeat.

/// How an MCP server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transport {
    /// A process that speaks on its standard streams.
    Stdio {
        command: String,
        args: Vec<String>,
        env: Vec<(String, String)>,
    },
    /// A server on the network.
    Http {
        url: String,
        headers: Vec<(String, String)>,
    },
    Sse {
        url: String,
        headers: Vec<(String, String)>,
    },
}

/// An MCP server of a plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredServer {
    /// The name it is registered under.
    pub name: String,
    pub transport: Transport,
}
