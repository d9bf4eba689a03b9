//! What a registration depends on, as values.

pub use symposium_model::transport::RegisteredServer;

/// For whom a registration is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// For everybody who works on a project; the files may be committed.
    Project,
    /// For one person, in all projects.
    Global,
}

/// A file of an agent, relative to where that file lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AgentPath {
    /// In the person's home directory.
    Home(&'static str),
    Project(&'static str),
    /// In the root of the git repository the workspace is in; without git, in the workspace root.
    GitRoot(&'static str),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SymposiumProgram {
    /// By an absolute path: for files of one person on one machine.
    Path {
        path: String,
        /// The options that name our directories: an agent started from a desktop may lack our variables, and one in a
        /// project may have others.
        directories: Vec<String>,
    },
    /// By name, through PATH: for files that are committed.
    Bare,
}

/// The kind of system the agent runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OsFamily {
    /// Linux, macOS and the like.
    Posix,
    Windows,
}

/// Settings of ours that concern one agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    /// `[agents.opencode] hooks`.
    pub opencode_hooks: bool,
    /// `[agents.kiro] standalone-hooks`.
    pub kiro_standalone_hooks: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self { opencode_hooks: true, kiro_standalone_hooks: false }
    }
}

/// Everything a registration depends on besides agent and scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistrationInput {
    /// How the agent calls us.
    pub program: SymposiumProgram,
    pub os: OsFamily,
    /// Whether a plugin handles `Stop`, or once did: what is registered stays.
    pub stop: bool,
    /// The agent's own events that a plugin handles, or once did, in the agent's spelling. Unknown ones are left out.
    pub native_events: Vec<String>,
    /// The MCP servers of plugins; our own comes first by itself.
    pub servers: Vec<RegisteredServer>,
    /// Which of [`alternatives`](crate::alternatives) exist, or will once the other agents chosen with this one are
    /// registered.
    pub existing: Vec<AgentPath>,
    /// Settings of ours that concern one agent.
    pub switches: Switches,
}

impl RegistrationInput {
    /// The usual situation: nothing but our own events and server.
    pub fn new(program: SymposiumProgram, os: OsFamily) -> Self {
        Self {
            program,
            os,
            stop: false,
            native_events: Vec::new(),
            servers: Vec::new(),
            existing: Vec::new(),
            switches: Switches::default(),
        }
    }
}
