//! Plugin manifests, parsed from TOML in every known dialect.

mod cases;
mod conditions;
mod expected;
mod hooks;
mod installations;
mod named_agent;
mod named_crate;
mod needed;
mod parse;
mod plugin;
mod servers;
mod skills;

pub use expected::{ExpectedDecision, ExpectedOutcome, TestCase, TestInput};
pub use named_crate::crate_place;
pub use parse::{ParsedManifest, parse, parse_for_crate, parse_metadata, query_keys, stated_version};
pub use plugin::{
    CommandSpec, DefaultSkills, GroupSource, Hook, HookOrder, HookPlaces, Installation, InstallationSource, McpServer,
    OnFailure, PayloadFormat, Plugin, PluginReference, ProgramFile, ReferenceSource, SkillGroup,
};
pub use skills::ClaimedDirectories;
