//! What stands between a registration and its being used: the person's trust, and packages to install first.

use serde_json::Value;

use crate::registration_input::AgentPath;

/// Where an agent records what the person trusts.
#[derive(Debug, Clone, Copy)]
pub enum AgentTrust {
    /// It does not ask, or we do not know where it writes the answer.
    Unrecorded,
    /// Folders, by path, in a JSON file in the home directory.
    Folders {
        file: AgentPath,
        record: FolderRecord,
    },
    Hooks(&'static HookTrust),
}

/// How an agent records which hooks the person trusts: in a TOML file, by what a handler says and where it stands.
///
/// It is read to tell people what waits for them. It is never written: that decision is theirs.
#[derive(Debug)]
pub struct HookTrust {
    pub file: AgentPath,
    /// The keys that lead to the table with an entry for each handler.
    pub table: &'static [&'static str],
    /// The key of a handler's entry.
    pub key: fn(&HandlerPlace<'_>) -> String,
    /// Where the entry holds the hash of what was trusted.
    pub hash_key: &'static str,
    /// The text whose SHA-256 that is, for an event, a group and one of its handlers; `None` when there is something in
    /// them of which we do not know what becomes of it.
    pub hashed: fn(event: &str, group: &Value, handler: &Value) -> Option<String>,
    /// Where the entry holds `false` when the person switched the handler off.
    pub switch: &'static str,
    /// The keys of a project's own entry in the same file, around its path, and the value with which nothing of the
    /// project is read.
    pub distrusted: (&'static str, &'static str, &'static str),
}

#[derive(Debug, Clone, Copy)]
pub struct HandlerPlace<'a> {
    /// The file, from the root of the file system.
    pub file: &'a str,
    /// The event, as the file calls it.
    pub event: &'a str,
    /// The number of its group.
    pub group: usize,
    /// Its number in the group.
    pub handler: usize,
}

/// How a trusted folder is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderRecord {
    /// As an element of the array under this key.
    ElementOf(&'static str),
    /// As a key of the whole file, with this value.
    KeyWithValue(&'static str),
    /// As a key of this object, whose own key is then `true`.
    KeyOf(&'static str, &'static str),
}

/// An npm package an agent installs into its own directories before it loads a plugin.
#[derive(Debug)]
pub struct PackageWait {
    pub package: &'static str,
    /// The directories, those that exist.
    pub directories: &'static [AgentPath],
    /// The variable, and its value, with which npm gives up at once.
    pub give_up: (&'static str, &'static str),
    /// How the wait can be measured.
    pub probe: StartProbe,
}

/// A start of an agent in an empty home that ends as soon as a plugin is loaded.
#[derive(Debug)]
pub struct StartProbe {
    pub args: &'static [&'static str],
    /// The plugin, in that home.
    pub file: &'static str,
    pub text: &'static str,
    /// What it prints when it is loaded.
    pub says: &'static str,
    /// The variables that lead to the home and to directories in it.
    pub homes: &'static [(&'static str, &'static str)],
    /// Other variables to set, or with `None` to take away.
    pub variables: &'static [(&'static str, Option<&'static str>)],
    /// The variable that leads to the person's settings of npm, and where these are in the real home: a mirror or a
    /// proxy decides how long it takes.
    pub npm_settings: (&'static str, &'static str),
}
