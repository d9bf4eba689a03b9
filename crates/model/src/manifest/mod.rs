//! Plugin manifests: what a plugin bundles, read from TOML in every dialect that is out there.

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

pub use expected::{Expected, ExpectedDecision, TestCase, TestInput};
pub use named_crate::crate_place;
pub use parse::{Parsed, asked, parse, parse_for_crate, parse_metadata};
pub use plugin::{
    Command, DefaultSkills, Format, GroupSource, Hook, HookPlaces, Installation, InstallationSource, McpServer,
    OnFailure, Order, Plugin, PluginReference, Program, ReferenceSource, SkillGroup,
};
pub use skills::Claims;
