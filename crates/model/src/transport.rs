//! How an MCP server is reached: what a manifest declares and an agent's settings repeat.

/// How an MCP server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transport {
    /// A process that speaks on its standard streams.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables set for it.
        env: Vec<(String, String)>,
    },
    /// A server on the network.
    Http {
        /// Its address.
        url: String,
        /// Headers sent to it.
        headers: Vec<(String, String)>,
    },
    /// The older streaming protocol.
    Sse {
        /// Its address.
        url: String,
        /// Headers sent to it.
        headers: Vec<(String, String)>,
    },
}
