//! Configuration of the user and of a project, and the settings that result from both.

mod directories;
#[cfg(feature = "manifests")]
mod file;
mod git_address;
mod index_address;
mod redact;
mod refresh;
mod settings;
mod source_kind;
mod sources;

/// The project's configuration file, relative to its root.
pub const PROJECT_FILE: &str = ".symposium/config.toml";

/// The file beside it that tells git how to merge it.
pub const ATTRIBUTES_FILE: &str = ".gitattributes";

pub use directories::{AppDirectories, DirectoryVariables, NamedDirectories};
#[cfg(feature = "manifests")]
pub use file::{ParsedConfig, ParsedToggles, parse, parse_choices, query_keys};
pub use git_address::{AddressFault, GitAddress, GitProtocol};
pub use index_address::IndexAddress;
pub use redact::redact;
pub use refresh::{FetchHistory, FetchTrigger, is_due};
pub use settings::{
    AgentSettings, AutoEnable, ConfigFile, EffectiveSettings, INDEX_BYTES, LogLevel, Scope, SettingOrigin,
    SettingValue, SourceEntry, SourceLocation, Toggle, TrustProjects, UserToggles, WrittenValue,
};
pub use source_kind::{CratePlace, SkillPlaces, SourceKind};
pub use sources::{
    MAX_PROJECT_SOURCES, SourceAuthority, SourceExtent, SourceProblem, SourceRank, SourceSpec, inside,
    repository_address, source_specs,
};
