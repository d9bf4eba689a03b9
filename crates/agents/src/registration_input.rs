//! The input of a registration, as values.

pub use symposium_model::config::{AgentSettings, Scope};
pub use symposium_model::transport::RegisteredServer;

/// A file of an agent, relative to the directory its variant names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AgentPath {
    Home(&'static str),
    Project(&'static str),
    /// Relative to the root of the git repository that contains the workspace; without git, to the workspace root.
    GitRoot(&'static str),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SymposiumProgram {
    /// An absolute path: for files of one user on one machine.
    Path {
        path: String,
        /// The options that name Symposium's directories: an agent started from a desktop may lack the variables for
        /// them, and one in a project may have other values.
        directories: Vec<String>,
    },
    /// By name, through PATH: for files that are committed.
    Bare,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OsFamily {
    Posix,
    Windows,
}

/// A directory with programs that run under the names of others in an agent's shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShimDirectory {
    pub directory: String,
    /// The value of PATH with the directory in front, for agents that cannot refer to the PATH of the moment.
    pub path: String,
}

/// Everything a registration depends on besides agent and scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistrationInput {
    pub program: SymposiumProgram,
    pub os: OsFamily,
    /// True when a plugin handles `Stop`, or once did: a registered event stays registered.
    pub stop: bool,
    /// The native events that a plugin handles, or once did, in the agent's spelling. Unknown ones are ignored.
    pub native_events: Vec<String>,
    /// The MCP servers of plugins; Symposium's own server is added in front of them.
    pub servers: Vec<RegisteredServer>,
    /// Those of [`alternatives`](crate::alternatives) that exist, or will exist once the other agents chosen with this
    /// one are registered.
    pub existing: Vec<AgentPath>,
    pub switches: AgentSettings,
    /// Only for the user's own files.
    pub shim: Option<ShimDirectory>,
}

impl RegistrationInput {
    pub fn new(program: SymposiumProgram, os: OsFamily) -> Self {
        Self {
            program,
            os,
            stop: false,
            native_events: Vec::new(),
            servers: Vec::new(),
            existing: Vec::new(),
            switches: AgentSettings::default(),
            shim: None,
        }
    }
}
