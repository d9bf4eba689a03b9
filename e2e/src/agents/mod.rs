//! How each real agent is installed, started without a person, and what its tools are called: one file for each.

mod claude;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod goose;
mod kilo;
mod opencode;
mod pi;
mod qwen;

pub(crate) use cursor::ENGINE as CURSOR_ENGINE;

use std::path::Path;

use crate::model::ToolCall;

/// Everything the harness knows about an agent.
pub(crate) struct Agent {
    /// As `symposium init --agent` takes it.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) package: &'static str,
    /// The version the matrix is about.
    pub(crate) version: &'static str,
    pub(crate) packaging: Packaging,
    /// The program, below `node_modules`.
    pub(crate) program: &'static str,
    /// A folder below `~/.cache` that need not be made anew for every home. Nothing in it may depend on a home: what the
    /// agent remembers, and a variable that moves the whole cache, ours included, would carry over from run to run.
    pub(crate) kept: Option<&'static str>,
    /// Settings below the user's, in `system-defaults.json` in the agent's cache; empty where it needs none.
    pub(crate) defaults: &'static str,
    /// Ways to run it that differ in the tools it offers its model: models, or extensions. The first is the usual one.
    pub(crate) variants: &'static [&'static str],
    /// Arguments and environment of a run.
    pub(crate) launch: fn(&Launch) -> Start,
    /// A wish in the words of its tools.
    pub(crate) call: fn(&Act) -> ToolCall,
    /// Files a person might have before Symposium comes: a hook and an MCP server of their own.
    pub(crate) existing: fn(Scope, &Existing) -> Vec<(String, String)>,
}

/// How its package is brought into the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packaging {
    Installed,
    /// Beside these packages and without its other dependencies, which are in the script it brings; run by this version
    /// of node.
    Unpacked {
        node: &'static str,
        beside: &'static [&'static str],
    },
}

/// All of them, in the order of the matrix.
pub(crate) const AGENTS: [&Agent; 10] = [
    &claude::AGENT,
    &copilot::AGENT,
    &gemini::AGENT,
    &codex::AGENT,
    &opencode::AGENT,
    &goose::AGENT,
    &qwen::AGENT,
    &kilo::AGENT,
    &cline::AGENT,
    &pi::AGENT,
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// In the home directory, for every project.
    User,
    Project,
}

/// What a run is about.
pub(crate) struct Launch<'a> {
    /// The model: `http://127.0.0.1:PORT`.
    pub(crate) model: &'a str,
    pub(crate) prompt: &'a str,
    /// Where the agent is started.
    pub(crate) directory: &'a Path,
    /// The project it is started in: a git repository, which the person trusts.
    pub(crate) project: &'a Path,
    /// A folder that outlives the run, private to this agent.
    pub(crate) cache: &'a Path,
    pub(crate) review: Review,
    pub(crate) session: Session,
    /// One of the agent's variants.
    pub(crate) variant: &'a str,
}

/// Whether a person has looked at the hooks in the agent's settings, where the agent asks for that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Review {
    Done,
    Open,
}

/// Which conversation a prompt belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Session {
    New,
    /// The last one in the directory. Only OpenCode's is ever gone on with: with others one run can have several prompts.
    Last,
}

pub(crate) struct Start {
    pub(crate) arguments: Vec<String>,
    pub(crate) environment: Vec<(&'static str, String)>,
}

/// What the scripted model wants to do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act<'a> {
    Shell(&'a str),
    /// Read a file, by its absolute path.
    Read(&'a str),
    /// Write a new file: its path below the project, and its text.
    Write {
        path: &'a str,
        text: &'a str,
    },
    /// Replace a line of a file, by its absolute path.
    Edit {
        path: &'a str,
        old: &'a str,
        new: &'a str,
    },
    /// Change files by a patch, where the agent has a tool for that.
    Patch(&'a str),
    /// Hand a task to a sub-agent.
    Delegate(&'a str),
    /// Load a skill: its name, and the absolute path of its SKILL.md.
    Skill {
        name: &'a str,
        file: &'a str,
    },
    /// Call a tool of an MCP server, without arguments.
    Mcp {
        server: &'a str,
        tool: &'a str,
    },
}

/// A hook and an MCP server of somebody else.
pub(crate) struct Existing<'a> {
    /// A shell command to be run before every tool.
    pub(crate) hook: &'a str,
    /// The program of the MCP server, which takes the one argument `probe-server`; it is called `probe`.
    pub(crate) server: &'a str,
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// A call of an ordinary tool.
fn tool(name: impl Into<String>, arguments: serde_json::Value) -> ToolCall {
    ToolCall { tool: name.into(), arguments, namespace: None }
}

/// A JSON file as people write it.
fn file(path: &str, content: &serde_json::Value) -> (String, String) {
    (path.to_owned(), format!("{content:#}\n"))
}
