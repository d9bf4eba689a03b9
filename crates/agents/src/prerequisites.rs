//! The prerequisites of a registration besides its files: the user's trust, and packages an agent installs first.

use serde_json::Value;

use crate::registration_input::AgentPath;

#[derive(Debug, Clone, Copy)]
pub enum AgentTrust {
    /// It does not ask, or the place of the answer is unknown.
    Unrecorded,
    /// Folders, by path, in a JSON file in the home directory.
    Folders {
        file: AgentPath,
        record: FolderRecord,
    },
    Hooks(&'static HookTrust),
}

/// The record of the hooks that the user trusts: in a TOML file, by the content of a handler and its position.
///
/// It is read to tell the user which hooks still need trust. It is never written: that decision is the user's.
#[derive(Debug)]
pub struct HookTrust {
    pub file: AgentPath,
    /// The path of keys to the table with an entry for each handler.
    pub table: &'static [&'static str],
    pub key: fn(&HandlerPlace<'_>) -> String,
    pub hash_key: &'static str,
    /// Returns the text whose SHA-256 is recorded, for an event, a group and one of its handlers; `None` when they
    /// contain something whose effect on the hash is unknown.
    pub hashed: fn(event: &str, group: &Value, handler: &Value) -> Option<String>,
    /// The key of the entry that is `false` when the user disabled the handler.
    pub switch: &'static str,
    /// The key of the table of projects in the same file, the key in a project's entry, and the value with which
    /// nothing of the project is read.
    pub distrusted: (&'static str, &'static str, &'static str),
}

#[derive(Debug, Clone, Copy)]
pub struct HandlerPlace<'a> {
    pub file: &'a str,
    pub event: &'a str,
    pub group: usize,
    pub handler: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderRecord {
    /// An element of the array under this key.
    ElementOf(&'static str),
    /// A key of the whole file, with this value.
    KeyWithValue(&'static str),
    /// A key of the first object; the second key in its value is then `true`.
    KeyOf(&'static str, &'static str),
}

/// An npm package an agent installs into its own directories before it loads a plugin.
#[derive(Debug)]
pub struct PackageWait {
    pub package: &'static str,
    /// The directories it installs into, as far as they exist.
    pub directories: &'static [AgentPath],
    /// The variable and value with which npm gives up at once.
    pub give_up: (&'static str, &'static str),
    pub probe: StartProbe,
}

/// A start of an agent in an empty home that ends as soon as a plugin is loaded.
#[derive(Debug)]
pub struct StartProbe {
    pub args: &'static [&'static str],
    pub file: &'static str,
    pub text: &'static str,
    pub says: &'static str,
    pub homes: &'static [(&'static str, &'static str)],
    /// Other variables to set, or to remove with `None`.
    pub variables: &'static [(&'static str, Option<&'static str>)],
    /// The variable that points to the user's npm settings, and their path in the real home: a mirror or a proxy
    /// decides how long the installation takes.
    pub npm_settings: (&'static str, &'static str),
}
