//! The handlers of a hook plan.

use serde::{Deserialize, Serialize};

use super::handler::{OnFailure, PayloadFormat};
use super::matcher::ToolMatcher;
use super::path_stamp::PathStamp;
use crate::agent::AgentId;

/// A hook compiled for one event: the command or built-in workflow that answers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handler {
    pub plugin: String,
    pub name: String,
    pub matcher: ToolMatcher,
    pub run: HandlerAction,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub directory: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    /// Agents it is skipped on, because they have an entry of their own that does the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_for: Vec<AgentId>,
    /// That agent's native event, if the manifest names one. The handler runs on no other event, not even an equivalent
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub format: PayloadFormat,
    /// Set for a policy of the user: it runs regardless of the environment variables, and within its own time budget.
    #[serde(default, skip_serializing_if = "is_false")]
    pub guard: bool,
    /// Set if it runs besides handlers of its plugin with another format; otherwise one of them is enough.
    #[serde(default, skip_serializing_if = "is_false")]
    pub apart: bool,
    /// In seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub on_failure: OnFailure,
    /// Directories searched before `PATH`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// Directories of the plugin from which an interpreter may load modules, the nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<String>,
    /// Environment variables in addition to the usual ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<(String, String)>,
    /// Files that the grant covers, compared again before each start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub granted: Vec<PathStamp>,
    #[serde(default, skip_serializing_if = "HandlerIsolation::is_none")]
    pub isolation: HandlerIsolation,
}

/// The separation of a handler from the agent's working directory and from the variables set there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HandlerIsolation {
    /// Starts in the agent's working directory, with the caller's environment.
    #[default]
    None,
    /// Removes the variables by which programs load code.
    Environment,
    /// Besides, starts at the root of the workspace, where the granted files are looked up.
    Workspace,
}

impl HandlerIsolation {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Handler {
    /// Returns a handler for every tool, in the canonical format, with default settings.
    pub fn new(plugin: &str, name: &str, run: HandlerAction) -> Self {
        Self {
            plugin: plugin.to_owned(),
            name: name.to_owned(),
            matcher: ToolMatcher::All,
            run,
            directory: String::new(),
            agent: None,
            not_for: Vec::new(),
            native: None,
            format: PayloadFormat::Symposium,
            guard: false,
            apart: false,
            timeout: None,
            on_failure: OnFailure::Allow,
            path: Vec::new(),
            modules: Vec::new(),
            variables: Vec::new(),
            granted: Vec::new(),
            isolation: HandlerIsolation::None,
        }
    }

    pub fn needs_grant(&self) -> bool {
        !self.granted.is_empty() || self.isolation == HandlerIsolation::Workspace
    }

    /// Returns the name that users know: `plugin/hook`.
    pub fn title(&self) -> String {
        format!("{}/{}", self.plugin, self.name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HandlerAction {
    /// A program, by path or by a name to look up in `PATH`.
    Direct {
        program: String,
        args: Vec<String>,
    },
    /// A command line for the shell.
    Shell {
        line: String,
        args: Vec<String>,
    },
    /// The built-in workflow that shortens commands.
    Rtk {
        /// Commands that stay as they are.
        exclude: Vec<String>,
    },
    Autofmt(FormattingSettings),
    /// The built-in workflow that shortens the output of cargo.
    Cargo,
    /// The built-in workflow that looks up new dependencies in cargo's index cache.
    Deps,
    /// The built-in workflow that asks for a cargo run before the agent stops.
    Finish,
}

impl HandlerAction {
    /// Returns true for a workflow that runs inside the hook process.
    pub fn is_built_in(&self) -> bool {
        match self {
            Self::Direct { .. } | Self::Shell { .. } => false,
            Self::Rtk { .. } | Self::Autofmt(_) | Self::Cargo | Self::Deps | Self::Finish => true,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormattingSettings {
    /// The directory and edition of each package. The longest directory that contains a file counts.
    pub editions: Vec<(String, String)>,
    /// The user's default toolchain, if known; or an installed one that the project asks for and the user granted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toolchain: Option<String>,
}
