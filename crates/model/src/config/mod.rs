//! Settings: what the user and the project wrote, and what follows from both.

mod directories;
#[cfg(feature = "manifests")]
mod file;
mod git_address;
mod redact;
mod refresh;
mod settings;
mod sources;

/// Where a project's configuration lies in it.
pub const PROJECT_FILE: &str = ".symposium/config.toml";

pub use directories::{Directories, DirectoryVariables, NamedDirectories};
#[cfg(feature = "manifests")]
pub use file::{Parsed, asked, parse};
pub use git_address::{AddressFault, GitAddress, Protocol};
pub use redact::redact;
pub use refresh::{History, Occasion, is_due};
pub use settings::{
    AutoEnable, ConfigFile, LogLevel, Origin, Scope, Setting, Settings, SourceEntry, SourceLocation, Toggle,
    TrustProjects, Written,
};
pub use sources::{
    CratePlace, MAX_PROJECT_SOURCES, SourceKind, SourceProblem, SourceRank, SourceSpec, inside, source_specs,
};
