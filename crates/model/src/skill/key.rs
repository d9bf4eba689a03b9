//! The keys of a SKILL.md that Symposium knows.

use super::one_line::one_line;
use super::yaml::{YamlEntry, YamlNode};
use crate::conditions::MisspelledCondition;
use crate::suggest;

const CONDITIONS: [FrontmatterKey; 3] = [FrontmatterKey::Crates, FrontmatterKey::DependsOn, FrontmatterKey::Predicates];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrontmatterKey {
    Name,
    Description,
    License,
    Compatibility,
    AllowedTools,
    Metadata,
    Crates,
    DependsOn,
    Predicates,
    Activation,
    Digest,
}

impl FrontmatterKey {
    pub(super) const ALL: [Self; 11] = [
        Self::Name,
        Self::Description,
        Self::License,
        Self::Compatibility,
        Self::AllowedTools,
        Self::Metadata,
        Self::Crates,
        Self::DependsOn,
        Self::Predicates,
        Self::Activation,
        Self::Digest,
    ];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::License => "license",
            Self::Compatibility => "compatibility",
            Self::AllowedTools => "allowed-tools",
            Self::Metadata => "metadata",
            Self::Crates => "crates",
            Self::DependsOn => "depends-on",
            Self::Predicates => "predicates",
            Self::Activation => "activation",
            Self::Digest => "digest",
        }
    }

    /// Parses a key leniently: capitals and `_` for `-` do not matter.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = one_line(text).to_ascii_lowercase().replace('_', "-");
        Self::ALL.into_iter().find(|key| key.as_str() == text)
    }

    pub(super) fn names_no_crate(self, node: &YamlNode) -> bool {
        matches!(self, Self::Crates | Self::DependsOn) && node.is_nothing()
    }

    pub(super) fn misspelled(text: &str, entries: &[YamlEntry]) -> Option<MisspelledCondition> {
        if Self::read(text).is_some() {
            return None;
        }
        let present =
            |meant: &str| entries.iter().filter_map(|entry| Self::read(&entry.key)).any(|key| key.as_str() == meant);
        MisspelledCondition::find(&one_line(text), &CONDITIONS.map(Self::as_str), present)
    }

    /// Returns true for a key of Symposium, which is also understood under `metadata`, where the installed form has it.
    pub(super) fn is_ours(self) -> bool {
        match self {
            Self::Crates | Self::DependsOn | Self::Predicates | Self::Activation | Self::Digest => true,
            Self::Name
            | Self::Description
            | Self::License
            | Self::Compatibility
            | Self::AllowedTools
            | Self::Metadata => false,
        }
    }
}

pub(super) fn nearest(text: &str) -> Option<FrontmatterKey> {
    let names = FrontmatterKey::ALL.map(FrontmatterKey::as_str);
    let meant = suggest::nearest(text, &names)?;
    FrontmatterKey::ALL.into_iter().find(|key| key.as_str() == meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_liberally() {
        for key in FrontmatterKey::ALL {
            assert_eq!(FrontmatterKey::read(key.as_str()), Some(key));
        }
        assert_eq!(FrontmatterKey::read("Allowed_Tools"), Some(FrontmatterKey::AllowedTools));
        assert_eq!(FrontmatterKey::read(" depends_on "), Some(FrontmatterKey::DependsOn));
        assert_eq!(FrontmatterKey::read("version"), None);
    }

    #[test]
    fn typing_errors_find_their_key() {
        for (text, wanted) in [
            ("descripton", Some(FrontmatterKey::Description)),
            ("crate", Some(FrontmatterKey::Crates)),
            ("licence", Some(FrontmatterKey::License)),
            ("activaton", Some(FrontmatterKey::Activation)),
            ("version", None),
            ("origin", None),
            ("tools", None),
            (&"x".repeat(10_000), None),
        ] {
            assert_eq!(nearest(text), wanted, "{text}");
        }
    }
}
