//! Conditions on one crate: `serde`, `tokio>=1.40`, `serde=1.0`, `*`.

use std::fmt;
use std::ops::Range;

use semver::{Comparator, Op, Version, VersionReq};

use super::CrateName;

/// A crate's name with an optional requirement on its version, or `*` for any workspace.
#[derive(Clone, PartialEq, Eq)]
pub enum CrateAtom {
    /// `*`: holds in every cargo workspace, even in one without dependencies.
    Any,
    Crate {
        name: CrateName,
        requirement: VersionCondition,
    },
}

/// Comparisons that must all hold; none for any version. `=1.0` means `^1.0`; `==1.0.219` means exactly that version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VersionCondition {
    comparators: Vec<(VersionOperator, Comparator)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtomError {
    pub message: String,
    pub help: String,
    pub span: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum VersionOperator {
    AtLeast,
    AtMost,
    Above,
    Below,
    Caret,
    Tilde,
    Compatible,
    Exact,
}

impl VersionOperator {
    /// The longest spelling first, so that `==` is not read as `=`.
    const ALL: [(&'static str, Self); 8] = [
        (">=", Self::AtLeast),
        ("<=", Self::AtMost),
        ("==", Self::Exact),
        (">", Self::Above),
        ("<", Self::Below),
        ("^", Self::Caret),
        ("~", Self::Tilde),
        ("=", Self::Compatible),
    ];

    fn split(text: &str) -> Option<(Self, &str)> {
        Self::ALL.iter().find_map(|(spelling, operator)| Some((*operator, text.strip_prefix(spelling)?)))
    }

    fn semver(self) -> Op {
        match self {
            Self::AtLeast => Op::GreaterEq,
            Self::AtMost => Op::LessEq,
            Self::Above => Op::Greater,
            Self::Below => Op::Less,
            Self::Caret | Self::Compatible => Op::Caret,
            Self::Tilde => Op::Tilde,
            Self::Exact => Op::Exact,
        }
    }

    fn spelling(self) -> &'static str {
        Self::ALL.iter().find(|(_, operator)| *operator == self).map_or("", |(spelling, _)| spelling)
    }
}

impl VersionCondition {
    /// Checks the version against every comparison.
    ///
    /// A pre-release also counts as the release it leads to: its API is that of the coming version, and semver alone
    /// would let `1.0.0-rc.2` match nothing but a bare name.
    pub fn holds_for(&self, version: &Version) -> bool {
        let requirement = self.requirement();
        requirement.matches(version)
            || (!version.pre.is_empty()
                && requirement.matches(&Version::new(version.major, version.minor, version.patch)))
    }

    /// Returns the condition in cargo's own form.
    pub fn requirement(&self) -> VersionReq {
        VersionReq { comparators: self.comparators.iter().map(|(_, comparator)| comparator.clone()).collect() }
    }

    /// Returns a version that appears in the condition and satisfies it, with as many digits as are written.
    pub fn named_version(&self) -> Option<(Version, String)> {
        self.comparators.iter().find_map(|(_, written)| {
            let parts = [Some(written.major), written.minor, written.patch];
            let version = Version::new(written.major, written.minor.unwrap_or(0), written.patch.unwrap_or(0));
            let digits: Vec<String> = parts.iter().map_while(|part| part.map(|part| part.to_string())).collect();
            (version > Version::new(0, 0, 0) && self.holds_for(&version)).then(|| (version, digits.join(".")))
        })
    }

    pub fn is_any(&self) -> bool {
        self.comparators.is_empty()
    }

    /// Parses `>=1.0,<2.0`; a version without an operator counts as `^`.
    pub fn parse(text: &str) -> Result<Self, AtomError> {
        let mut comparators = Vec::new();
        let mut offset = 0;
        for part in text.split(',') {
            let lead = part.len() - part.trim_start().len();
            let trimmed = part.trim();
            let span = offset + lead..offset + lead + trimmed.len().max(1);
            let (operator, digits) = VersionOperator::split(trimmed).unwrap_or((VersionOperator::Caret, trimmed));
            let digits = digits.trim_start();
            let fault = |message: String| AtomError {
                message,
                help: "write a version after the operator, such as `>=1.40` or `=1.0`".to_owned(),
                span: span.clone(),
            };
            if digits.is_empty() {
                return Err(fault(format!("The version is missing in `{}`", text.trim())));
            }
            if !digits.starts_with(|c: char| c.is_ascii_digit()) {
                return Err(fault(format!("`{digits}` is not a version")));
            }
            // The grammar of comparators knows `1`, `1.2` and `1.2.3-rc.1`; with the operator in front it cannot be
            // `*`.
            let mut comparator: Comparator =
                format!("={digits}").parse().map_err(|error| fault(format!("`{digits}` is not a version: {error}")))?;
            comparator.op = operator.semver();
            comparators.push((operator, comparator));
            offset += part.len() + 1;
        }
        Ok(Self { comparators })
    }
}

impl CrateAtom {
    pub fn parse(text: &str) -> Result<Self, AtomError> {
        let trimmed = text.trim();
        let lead = text.len() - text.trim_start().len();
        let whole = lead..lead + trimmed.len();
        if trimmed == "*" {
            return Ok(Self::Any);
        }
        let name_len = trimmed.find(|c: char| c.is_whitespace() || "<>=^~,".contains(c)).unwrap_or(trimmed.len());
        let (name, rest) = trimmed.split_at_checked(name_len).unwrap_or((trimmed, ""));
        let help = "write a crate name, then an optional version condition: `serde`, `tokio>=1.40`";
        let Some(name) = CrateName::parse(name) else {
            let message = match trimmed {
                "" => "The crate name is missing".to_owned(),
                _ => format!("`{trimmed}` is not a crate name"),
            };
            return Err(AtomError { message, help: help.to_owned(), span: whole });
        };
        let requirement = if rest.trim().is_empty() {
            VersionCondition::default()
        } else {
            let offset = whole.start + name_len;
            VersionCondition::parse(rest)
                .map_err(|error| AtomError { span: error.span.start + offset..error.span.end + offset, ..error })?
        };
        Ok(Self::Crate { name, requirement })
    }

    /// Parses a comma-separated list. A part that starts with an operator continues the atom before it, so that
    /// `serde>=1.0,<2.0` is one atom here too.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, AtomError> {
        let mut atoms = Vec::new();
        for (start, part) in split_atoms(text) {
            if part.trim().is_empty() {
                continue;
            }
            let atom = Self::parse(part)
                .map_err(|error| AtomError { span: error.span.start + start..error.span.end + start, ..error })?;
            atoms.push(atom);
        }
        Ok(atoms)
    }

    pub fn name(&self) -> Option<&CrateName> {
        match self {
            Self::Any => None,
            Self::Crate { name, .. } => Some(name),
        }
    }
}

fn split_atoms(text: &str) -> Vec<(usize, &str)> {
    let mut parts: Vec<(usize, &str)> = Vec::new();
    let mut start = 0;
    for part in text.split(',') {
        let end = start + part.len();
        match parts.last_mut() {
            Some((begin, previous)) if VersionOperator::split(part.trim_start()).is_some() => {
                *previous = text.get(*begin..end).unwrap_or(part);
            }
            _ => parts.push((start, part)),
        }
        start = end + 1;
    }
    parts
}

impl fmt::Display for VersionCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (operator, comparator)) in self.comparators.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            let bare = Comparator { op: Op::Exact, ..comparator.clone() }.to_string();
            write!(f, "{}{}", operator.spelling(), bare.trim_start_matches('='))?;
        }
        Ok(())
    }
}

impl fmt::Display for CrateAtom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Crate { name, requirement } => write!(f, "{name}{requirement}"),
        }
    }
}

impl fmt::Debug for CrateAtom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

#[cfg(test)]
#[path = "atom_tests.rs"]
mod tests;
