//! What Cargo.lock says about one package, borrowed from its text where possible.

use std::borrow::Cow;

use semver::Version;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CargoLock<'a> {
    /// The number in `version = …`; formats 1 and 2 do not have it.
    pub format: Option<u32>,
    /// The packages, in the order of the file; the `[root]` of ancient files comes where it stands.
    pub packages: Vec<LockedPackage<'a>>,
}

/// One package of a Cargo.lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedPackage<'a> {
    pub name: Cow<'a, str>,
    pub version: Version,
    /// Where it comes from; absent for workspace members and path dependencies.
    pub source: Option<Cow<'a, str>>,
    /// What it needs, of every kind, feature and target.
    pub dependencies: Vec<LockedDependency<'a>>,
    /// The package a `[replace]` section puts in its place.
    pub replace: Option<Box<LockedDependency<'a>>>,
}

/// One package's mention of another: only as many parts as tell it from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedDependency<'a> {
    pub name: Cow<'a, str>,
    /// Which one of that name. There are thousands of mentions, and few need this, so it lies elsewhere.
    pub which: Option<Box<PackageKey<'a>>>,
}

/// What tells a package from others of its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageKey<'a> {
    /// The version, when several are in the file.
    pub version: Version,
    /// The source, when several of one version are in the file.
    pub source: Option<Cow<'a, str>>,
}

impl<'a> LockedDependency<'a> {
    /// Reads `name`, `name version` or `name version (source)`.
    pub fn parse(text: Cow<'a, str>) -> Option<Self> {
        match text {
            Cow::Borrowed(text) => Self::parse_borrowed(text),
            Cow::Owned(text) => LockedDependency::parse_borrowed(&text).map(LockedDependency::into_owned),
        }
    }

    pub(super) fn parse_borrowed(text: &'a str) -> Option<Self> {
        // The usual case first; on texts this short a plain loop is faster than a search.
        if !text.is_empty() && text.bytes().all(|byte| byte != b' ') {
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
