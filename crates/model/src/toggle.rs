//! The project's on/off choices.

use crate::config::{SourceRank, Toggle};
use crate::crates::CrateName;
use crate::evaluate::FoundCrate;

/// `[skills]` of the project's configuration, and what counts for names it does not mention.
#[derive(Debug, Clone, Copy)]
pub struct Toggles<'t> {
    /// Entries as written: a crate, or `crate/skill`.
    pub skills: &'t [Toggle],
    /// What an unmentioned crate counts as.
    pub default: bool,
}

impl Toggles<'_> {
    /// Whether a skill is on, given the crates through which it matched.
    ///
    /// It is on if one of those crates is; `"crate/skill"` decides before `crate`. A skill that is for no crate in
    /// particular goes by `"*/skill"`.
    pub fn skill_is_on(&self, skill: &str, crates: &[FoundCrate]) -> bool {
        if crates.is_empty() {
            return self.entry("*", Some(skill)).unwrap_or(true);
        }
        crates.iter().any(|krate| {
            let name = krate.name.as_str();
            self.entry(name, Some(skill)).or_else(|| self.entry(name, None)).unwrap_or(self.default)
        })
    }

    /// Whether somebody switched a skill off, for all of the crates through which it matched.
    pub fn skill_is_off(&self, skill: &str, crates: &[FoundCrate]) -> bool {
        let chosen = |krate: &FoundCrate| {
            let name = krate.name.as_str();
            self.entry(name, Some(skill)).or_else(|| self.entry(name, None))
        };
        !crates.is_empty() && crates.iter().all(|krate| chosen(krate) == Some(false))
    }

    fn entry(&self, krate: &str, skill: Option<&str>) -> Option<bool> {
        let found = self.skills.iter().find(|toggle| match (toggle.key.split_once('/'), skill) {
            (Some((key_crate, key_skill)), Some(skill)) => key_skill == skill && same_crate(key_crate, krate),
            (None, None) => same_crate(&toggle.key, krate),
            (Some(_), None) | (None, Some(_)) => false,
        });
        found.map(|toggle| toggle.on)
    }
}

/// `[workflows]` of the project's configuration, and what counts for names it does not mention.
#[derive(Debug, Clone, Copy)]
pub struct Workflows<'t> {
    /// Entries as written: a plugin, or `plugin/hook`.
    pub toggles: &'t [Toggle],
    /// What an unmentioned plugin counts as.
    pub default: bool,
}

impl Workflows<'_> {
    /// Whether the workflows of a plugin are on: its hooks, session context and MCP servers.
    pub fn plugin_is_on(&self, rank: SourceRank, plugin: &str) -> bool {
        self.entry(plugin, None).unwrap_or(self.default && !is_off_at_first(rank, plugin))
    }

    /// Whether one hook of a plugin is on: `"plugin/hook"` decides before `plugin`.
    pub fn hook_is_on(&self, rank: SourceRank, plugin: &str, hook: &str) -> bool {
        self.entry(plugin, Some(hook)).unwrap_or_else(|| self.plugin_is_on(rank, plugin))
    }

    fn entry(&self, plugin: &str, hook: Option<&str>) -> Option<bool> {
        let found = self.toggles.iter().find(|toggle| match (toggle.key.split_once('/'), hook) {
            (Some((key_plugin, key_hook)), Some(hook)) => key_hook == hook && same_crate(key_plugin, plugin),
            (None, None) => same_crate(&toggle.key, plugin),
            (Some(_), None) | (None, Some(_)) => false,
        });
        found.map(|toggle| toggle.on)
    }
}

/// Whether a plugin's workflows wait for somebody to switch them on, whatever new ones usually start as.
pub fn is_off_at_first(rank: SourceRank, plugin: &str) -> bool {
    match rank {
        SourceRank::Builtin => plugin == "autofmt",
        SourceRank::Recommendations | SourceRank::Crate | SourceRank::User | SourceRank::Project => false,
    }
}

fn same_crate(a: &str, b: &str) -> bool {
    a == b || CrateName::parse(a).is_some_and(|a| Some(a) == CrateName::parse(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crates::Certainty;

    #[test]
    fn the_most_precise_entry_decides_and_one_crate_is_enough() {
        let entries: Vec<Toggle> = [
            ("serde", false),
            ("tokio", true),
            ("tokio/tokio-console", false),
            ("serde-json", false),
            ("*/rust", false),
        ]
        .map(|(key, on)| Toggle { key: key.to_owned(), on, line: 1 })
        .into();
        let found = |names: &[&str]| -> Vec<FoundCrate> {
            let version = semver::Version::new(1, 0, 0);
            names
                .iter()
                .map(|name| FoundCrate {
                    name: CrateName::parse(name).unwrap(),
                    version: version.clone(),
                    certainty: Certainty::Locked,
                })
                .collect()
        };
        for (skill, crates, default, on) in [
            ("s", &["serde"][..], true, false),
            ("s", &["serde_json"], true, false),
            ("s", &["serde", "tokio"], true, true),
            ("tokio-console", &["tokio"], true, false),
            ("tokio-console", &["tokio", "serde"], true, false),
            ("s", &["rand"], true, true),
            ("s", &["rand"], false, false),
            ("rust", &[], true, false),
            ("other", &[], false, true),
        ] {
            let toggles = Toggles { skills: &entries, default };
            assert_eq!(toggles.skill_is_on(skill, &found(crates)), on, "{skill} {crates:?}");
        }
    }

    #[test]
    fn workflows_are_on_unless_an_entry_or_their_first_choice_says_otherwise() {
        let entries: Vec<Toggle> =
            [("rtk", false), ("guard/slow", false), ("off", false), ("off/one", true), ("my_plugin", false)]
                .map(|(key, on)| Toggle { key: key.to_owned(), on, line: 1 })
                .into();
        let (ours, theirs) = (SourceRank::Builtin, SourceRank::User);
        for (rank, plugin, hook, default, plugin_on, hook_on) in [
            (ours, "rtk", "rtk", true, false, false),
            (theirs, "guard", "fast", true, true, true),
            (theirs, "guard", "slow", true, true, false),
            (theirs, "guard", "fast", false, false, false),
            (theirs, "off", "one", true, false, true),
            (theirs, "off", "two", true, false, false),
            (theirs, "my-plugin", "x", true, false, false),
            (ours, "autofmt", "autofmt", true, false, false),
            (theirs, "autofmt", "autofmt", true, true, true),
        ] {
            let workflows = Workflows { toggles: &entries, default };
            assert_eq!(workflows.plugin_is_on(rank, plugin), plugin_on, "{plugin}");
            assert_eq!(workflows.hook_is_on(rank, plugin, hook), hook_on, "{plugin}/{hook}");
        }
        let entries = [Toggle { key: "autofmt".to_owned(), on: true, line: 1 }];
        assert!(Workflows { toggles: &entries, default: false }.plugin_is_on(ours, "autofmt"));
    }
}
