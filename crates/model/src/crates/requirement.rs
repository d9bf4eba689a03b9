//! Version requirements of dependencies, and the lowest version each allows.

use std::fmt;

use semver::{BuildMetadata, Comparator, Op, Prerelease, Version, VersionReq};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRequirement {
    text: Box<str>,
    /// `None` allows every version, including pre-releases: a path or git dependency without a `version`.
    comparators: Option<VersionReq>,
}

impl VersionRequirement {
    pub fn parse(text: &str) -> Result<Self, semver::Error> {
        let comparators = Some(VersionReq::parse(text)?);
        Ok(Self { text: text.trim().into(), comparators })
    }

    pub fn any() -> Self {
        Self { text: "*".into(), comparators: None }
    }

    /// Returns the requirement as written; `*` when there is none.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn allows(&self, version: &Version) -> bool {
        self.comparators.as_ref().is_none_or(|comparators| comparators.matches(version))
    }

    pub fn lowest(&self) -> Version {
        let comparators = self.comparators.iter().flat_map(|all| &all.comparators);
        comparators.map(lower_bound).max().unwrap_or(Version::new(0, 0, 0))
    }
}

impl fmt::Display for VersionRequirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn lower_bound(comparator: &Comparator) -> Version {
    let Comparator { op, major, minor, patch, pre } = comparator;
    match op {
        Op::Less | Op::LessEq => Version::new(0, 0, 0),
        Op::Greater => match (minor, patch) {
            (None, _) => Version::new(major.saturating_add(1), 0, 0),
            (Some(minor), None) => Version::new(*major, minor.saturating_add(1), 0),
            // The release itself comes after its own pre-releases.
            (Some(minor), Some(patch)) if !pre.is_empty() => Version::new(*major, *minor, *patch),
            (Some(minor), Some(patch)) => Version::new(*major, *minor, patch.saturating_add(1)),
        },
        // `Op` belongs to the semver crate and may grow; every other operator starts at the version it names.
        _ => Version {
            major: *major,
            minor: minor.unwrap_or(0),
            patch: patch.unwrap_or(0),
            pre: if patch.is_some() { pre.clone() } else { Prerelease::EMPTY },
            build: BuildMetadata::EMPTY,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_version_is_the_highest_lower_bound() {
        for (requirement, lowest) in [
            ("1.2", "1.2.0"),
            ("^1.2", "1.2.0"),
            ("1", "1.0.0"),
            ("0.0.3", "0.0.3"),
            (">=1, <2", "1.0.0"),
            ("<2, >=1.4.1, >1.2", "1.4.1"),
            ("<2", "0.0.0"),
            ("<=1.5", "0.0.0"),
            ("*", "0.0.0"),
            (">1.2", "1.3.0"),
            (">1.2.3", "1.2.4"),
            (">1", "2.0.0"),
            (">1.2.3-rc.1", "1.2.3"),
            ("=1.0.3", "1.0.3"),
            ("=1.0", "1.0.0"),
            ("~1.2", "1.2.0"),
            ("~1.2.9", "1.2.9"),
            ("1.*", "1.0.0"),
            ("1.2.*", "1.2.0"),
            ("1.0.0-alpha.2", "1.0.0-alpha.2"),
            ("1.2.3+build", "1.2.3"),
            (">18446744073709551615", "18446744073709551615.0.0"),
        ] {
            let parsed = VersionRequirement::parse(requirement).unwrap();
            assert_eq!(parsed.lowest().to_string(), lowest, "{requirement}");
            if !requirement.starts_with(">18") {
                assert!(parsed.allows(&parsed.lowest()), "{requirement} allows its own lowest version");
            }
        }
        assert_eq!(VersionRequirement::any().lowest(), Version::new(0, 0, 0));
    }

    #[test]
    fn no_requirement_allows_pre_releases_and_a_star_does_not() {
        let pre_release = Version::parse("1.0.0-alpha").unwrap();
        assert!(VersionRequirement::any().allows(&pre_release));
        assert!(!VersionRequirement::parse("*").unwrap().allows(&pre_release));
        assert!(VersionRequirement::parse("latest").is_err());
    }
}
