//! The project's on/off choices.

use crate::config::Toggle;
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

    fn entry(&self, krate: &str, skill: Option<&str>) -> Option<bool> {
        let found = self.skills.iter().find(|toggle| match (toggle.key.split_once('/'), skill) {
            (Some((key_crate, key_skill)), Some(skill)) => key_skill == skill && same_crate(key_crate, krate),
            (None, None) => same_crate(&toggle.key, krate),
            (Some(_), None) | (None, Some(_)) => false,
        });
        found.map(|toggle| toggle.on)
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
}
