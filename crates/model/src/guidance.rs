//! What an agent can ask us, whatever carries the question.

use std::path::PathBuf;

/// Answers questions of an agent, in the words of the command line.
///
/// An `Err` is a no with its reason: text for the agent too.
pub trait GuidanceProvider {
    /// Rust guidance and the skills of the workspace: `symposium start`.
    fn start(&self) -> String;

    /// The crates of the workspace that have skills: `symposium crate --list`.
    fn list(&self) -> String;

    /// Everything about one crate, as locked or as if locked at `version`: `symposium crate NAME`.
    fn krate(&self, name: &str, version: Option<&str>) -> Result<String, String>;

    /// Something in the source of a crate at its locked version. It may end early when nobody wants it any more.
    fn source(&self, question: &SourceQuestion<'_>, wanted: &dyn Fn() -> bool) -> Result<String, String>;

    /// Why a crate, skill, plugin or file does or does not apply: `symposium why NAME`.
    fn why(&self, name: &str) -> Result<String, String>;

    /// What a client by this name is told at the start of its session.
    fn instructions(&self, client: &str) -> String;

    /// The client says which directories it works in; the first that is one takes the place of the current directory.
    fn work_in(&self, roots: &[PathBuf]);
}

/// A question about the source of a crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceQuestion<'a> {
    pub name: &'a str,
    /// Which of its locked versions, or the beginning of that.
    pub version: Option<&'a str>,
    pub action: SourceAction,
    /// A file or directory of the crate.
    pub path: Option<&'a str>,
    pub query: Option<&'a str>,
    /// Lines of a file, such as `120-180`.
    pub range: Option<&'a str>,
    /// Where an earlier answer ended.
    pub cursor: Option<&'a str>,
}

/// What can be asked about the source of a crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceAction {
    List,
    Read,
    Search,
    /// Files and documentation that show how it is used.
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
