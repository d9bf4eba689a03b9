//! The commands people and agents wait for, besides the hook.

use std::path::Path;

use super::home::Home;
use super::job::Job;

/// The first line of an MCP client.
const HELLO: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
    r#""capabilities":{},"clientInfo":{"name":"perf","version":"1"}}}"#,
    "\n"
);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Command {
    /// How it is called in tables.
    pub(super) title: &'static str,
    args: &'static [&'static str],
    input: Option<&'static str>,
}

/// `sync`, when there is nothing to do.
pub(super) const SYNC: Command = Command { title: "sync, nothing changed", args: &["sync"], input: None };
/// `status`.
pub(super) const STATUS: Command = Command { title: "status", args: &["status"], input: None };
/// `crate NAME`.
pub(super) const CRATE: Command = Command { title: "crate serde", args: &["crate", "serde"], input: None };

pub(super) const ALL: [Command; 5] = [
    SYNC,
    STATUS,
    CRATE,
    Command { title: "--help", args: &["--help"], input: None },
    Command { title: "mcp, initialize", args: &["mcp"], input: Some(HELLO) },
];

impl Command {
    /// The call, in a project.
    pub(super) fn job(&self, home: &Home, project: &Path) -> Result<Job, String> {
        match self.input {
            None => Ok(home.job(self.title, project, self.args)),
            Some(input) => home.job_with(self.title, project, self.args, input),
        }
    }
}
