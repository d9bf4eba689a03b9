//! What an agent can ask us, whatever carries the question.

/// Answers questions of an agent, in the words of the command line.
///
/// An `Err` is a no with its reason: text for the agent too.
pub trait Guidance {
    /// Rust guidance and the skills of the workspace: `symposium start`.
    fn start(&self) -> String;

    /// The crates of the workspace that have skills: `symposium crate --list`.
    fn list(&self) -> String;

    /// Everything about one crate, as locked or as if locked at `version`: `symposium crate NAME`.
    fn krate(&self, name: &str, version: Option<&str>) -> Result<String, String>;

    /// Why a crate, skill, plugin or file does or does not apply: `symposium why NAME`.
    fn why(&self, name: &str) -> Result<String, String>;

    /// What a client by this name is told at the start of its session.
    fn instructions(&self, client: &str) -> String;
}
