//! The packages of a Cargo.lock, borrowed from its text where possible.

use std::borrow::Cow;

use semver::Version;

use crate::byte_search::find_byte;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CargoLock<'a> {
    /// The number in `version = …`; formats 1 and 2 do not have it.
    pub format: Option<u32>,
    /// In the order of the file; the `[root]` of ancient files is one of them.
    pub packages: Vec<LockedPackage<'a>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedPackage<'a> {
    pub name: Cow<'a, str>,
    pub version: Version,
    /// Absent for workspace members and path dependencies.
    pub source: Option<Cow<'a, str>>,
    /// Dependencies of every kind, feature and target.
    pub dependencies: Vec<LockedDependency<'a>>,
    pub replace: Option<Box<LockedDependency<'a>>>,
}

/// A reference from one package to another, with only as many parts as are needed to be unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedDependency<'a> {
    pub name: Cow<'a, str>,
    /// Boxed, because a file has thousands of dependencies and few need it.
    pub which: Option<Box<PackageKey<'a>>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageKey<'a> {
    pub version: Version,
    pub source: Option<Cow<'a, str>>,
}

impl<'a> LockedDependency<'a> {
    /// Parses `name`, `name version` or `name version (source)`.
    pub fn parse(text: Cow<'a, str>) -> Option<Self> {
        match text {
            Cow::Borrowed(text) => Self::parse_borrowed(text),
            Cow::Owned(text) => LockedDependency::parse_borrowed(&text).map(LockedDependency::into_owned),
        }
    }

    pub(super) fn parse_borrowed(text: &'a str) -> Option<Self> {
        // The usual case first.
        if !text.is_empty() && find_byte(text.as_bytes(), b' ').is_none() {
            return Some(Self { name: Cow::Borrowed(text), which: None });
        }
        let mut parts = text.splitn(3, ' ');
        let name = parts.next().filter(|name| !name.is_empty())?;
        let version = Version::parse(parts.next()?).ok()?;
        let source = match parts.next() {
            None => None,
            Some(source) => Some(Cow::Borrowed(source.strip_prefix('(')?.strip_suffix(')')?)),
        };
        Some(Self { name: Cow::Borrowed(name), which: Some(Box::new(PackageKey { version, source })) })
    }

    fn into_owned<'b>(self) -> LockedDependency<'b> {
        let which = self.which.map(|which| {
            let PackageKey { version, source } = *which;
            Box::new(PackageKey { version, source: source.map(|source| Cow::Owned(source.into_owned())) })
        });
        LockedDependency { name: Cow::Owned(self.name.into_owned()), which }
    }
}
