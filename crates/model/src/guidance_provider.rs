//! The questions that an agent can ask Symposium, independent of the transport.

use std::path::PathBuf;

/// Answers questions of an agent in the words of the command line.
///
/// An `Err` is a refusal with its reason, which is also text for the agent.
pub trait GuidanceProvider {
    /// Returns Rust guidance and the skills of the workspace: `symposium start`.
    fn start(&self) -> String;

    /// Lists the crates of the workspace that have skills: `symposium crate --list`.
    fn list(&self) -> String;

    /// Describes one crate, as locked or as if locked at `version`: `symposium crate NAME`.
    fn krate(&self, name: &str, version: Option<&str>) -> Result<String, String>;

    /// Reads or searches the source of a crate at its locked version. May stop early once `wanted` returns false.
    fn source(&self, question: &SourceQuestion<'_>, wanted: &dyn Fn() -> bool) -> Result<String, String>;

    /// Shows public items of the locked versions: `symposium api QUERY`.
    fn api(&self, question: &ApiQuestion<'_>) -> Result<String, String>;

    /// Explains why a crate, skill, plugin or file does or does not apply: `symposium why NAME`.
    fn why(&self, name: &str) -> Result<String, String>;

    /// Returns the text for a client by this name at the start of its session.
    fn instructions(&self, client: &str) -> String;

    /// Sets the directories that the client works in. The first one in a workspace, or else the first that exists,
    /// replaces the current directory.
    fn work_in(&self, roots: &[PathBuf]);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceQuestion<'a> {
    pub name: &'a str,
    /// A locked version of the crate, or the beginning of one.
    pub version: Option<&'a str>,
    pub action: SourceAction,
    pub path: Option<&'a str>,
    pub query: Option<&'a str>,
    /// Lines of a file, such as `120-180`.
    pub range: Option<&'a str>,
    /// The end of an earlier answer.
    pub cursor: Option<&'a str>,
}

/// A question about public items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiQuestion<'q> {
    /// A crate, a path, or words.
    pub query: &'q str,
    /// Which of several locked versions is meant.
    pub version: Option<&'q str>,
    pub reach: ApiReach,
    pub changes: Option<ChangesFrom<'q>>,
}

/// Says where paths and words are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApiReach {
    Direct,
    Everything,
}

/// Says which version the locked one is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangesFrom<'q> {
    /// The version that was locked before.
    Previous,
    Version(&'q str),
}

impl<'q> ChangesFrom<'q> {
    /// Reads a version; an empty text is the version that was locked before.
    pub fn parse(written: &'q str) -> Self {
        match written.trim() {
            "" => Self::Previous,
            version => Self::Version(version),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceAction {
    List,
    Read,
    Search,
    Examples,
}

impl SourceAction {
    pub const ALL: [Self; 4] = [Self::List, Self::Read, Self::Search, Self::Examples];

    pub fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Read => "read",
            Self::Search => "search",
            Self::Examples => "examples",
        }
    }
}
