//! Judges whether a dependency that is asked for can exist, by what cargo's index cache says.

use semver::{Op, Version, VersionReq};

use super::registry_index::{RegistryEntry, RegistryVersion};
use crate::suggest::nearest;

/// Everything a judgement needs.
#[derive(Debug, Clone, Copy)]
pub struct DependencyQuestion<'q> {
    /// The crate's name in the registry.
    pub package: &'q str,
    /// None for `cargo add NAME`, which takes the newest version.
    pub requirement: Option<&'q str>,
    pub features: &'q [String],
    /// None when the cache does not have the crate.
    pub entry: Option<&'q RegistryEntry>,
    pub freshness: IndexFreshness,
    /// The `rust-version` of the workspace.
    pub rust_version: Option<&'q Version>,
    /// Versions of this crate that the workspace has already.
    pub locked: &'q [Version],
    /// Names of crates in the cache; looked at only when the crate is not there.
    pub names: &'q [&'q str],
}

/// Tells whether the cache can miss what was published since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexFreshness {
    /// Cargo asked the registry a short time ago.
    Current,
    /// Something may have been published since: what is missing is told and not denied.
    Dated,
}

/// The result of a judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DependencyVerdict {
    /// Nothing to say.
    Silent,
    /// Worth knowing; one sentence for each point.
    Noted(Vec<String>),
    /// Cargo would refuse it: why, and what would be right.
    Denied { reason: String, correction: String },
}

/// Judges one dependency of the registry crates.io.
pub fn check_dependency(question: &DependencyQuestion<'_>) -> DependencyVerdict {
    let Some(entry) = question.entry else { return note_misspelling(question) };
    let Some(candidates) = CandidateSet::collect(question, entry) else {
        return deny_requirement(question, entry);
    };
    if candidates.may_be_unknown {
        return DependencyVerdict::Silent;
    }
    if candidates.all.is_empty() {
        return deny_versions(question, entry, &candidates);
    }
    if let Some(verdict) = deny_feature(question, &candidates) {
        return verdict;
    }
    let notes =
        [note_newer(question, entry), note_rust_version(question, &candidates), note_second_copy(question, entry)];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    if notes.is_empty() { DependencyVerdict::Silent } else { DependencyVerdict::Noted(notes) }
}

/// The versions that cargo could take.
struct CandidateSet<'e> {
    all: Vec<&'e RegistryVersion>,
    /// Versions that fit but were withdrawn.
    yanked: Vec<&'e Version>,
    /// Whether a version that fits is not understood, or locked and not in the cache.
    may_be_unknown: bool,
}

impl<'e> CandidateSet<'e> {
    /// Collects what fits; none if the requirement is not one.
    fn collect(question: &DependencyQuestion<'_>, entry: &'e RegistryEntry) -> Option<Self> {
        let requirements = match question.requirement {
            Some(text) => vec![VersionReq::parse(text).ok()?],
            None => newest_requirements(question, entry),
        };
        let fits = |version: &Version| requirements.iter().any(|requirement| requirement.matches(version));
        let fitting = entry.versions.iter().filter(|known| fits(&known.version));
        // A locked version stays in use when it is withdrawn.
        let is_usable = |known: &&RegistryVersion| !known.yanked || question.locked.contains(&known.version);
        let all: Vec<&RegistryVersion> = fitting.clone().filter(is_usable).collect();
        let yanked = fitting.filter(|known| known.yanked).map(|known| &known.version).collect();
        let is_known = |version: &Version| entry.versions.iter().any(|known| known.version == *version);
        let unread_fits = entry.unread.iter().any(|text| Version::parse(text).map_or(true, |version| fits(&version)));
        let locked_fits = question.locked.iter().any(|version| fits(version) && !is_known(version));
        Some(Self { all, yanked, may_be_unknown: unread_fits || locked_fits })
    }
}

/// The oldest Rust that is thought of when the workspace names none: cargo then goes by the compiler it finds.
const OLDEST_RUST: Version = Version::new(1, 70, 0);

/// The requirements that cover what `cargo add NAME` may choose: the newest version, and the newest that fits the Rust
/// version, with everything between them when that is not known.
fn newest_requirements(question: &DependencyQuestion<'_>, entry: &RegistryEntry) -> Vec<VersionReq> {
    let oldest = OLDEST_RUST;
    let have = question.rust_version.unwrap_or(&oldest);
    let usable = || entry.versions.iter().filter(|known| !known.yanked);
    let released = || usable().filter(|known| known.version.pre.is_empty());
    let newest = released().map(|known| &known.version).max().or_else(|| usable().map(|known| &known.version).max());
    let fits_rust = |known: &&RegistryVersion| known.rust_version.as_ref().is_none_or(|needed| needed <= have);
    let for_rust = released().filter(fits_rust).map(|known| &known.version).max();
    let sign = if question.rust_version.is_none() { ">=" } else { "" };
    let texts = newest.map(Version::to_string).into_iter().chain(for_rust.map(|version| format!("{sign}{version}")));
    texts.filter_map(|text| VersionReq::parse(&text).ok()).collect()
}

fn newest_release(entry: &RegistryEntry) -> Option<&Version> {
    let usable = entry.versions.iter().filter(|known| !known.yanked);
    let newest = usable.clone().map(|known| &known.version).filter(|version| version.pre.is_empty()).max();
    newest.or_else(|| usable.map(|known| &known.version).max())
}

/// A denial, or a note if the cache may not have heard of everything.
fn deny(question: &DependencyQuestion<'_>, reason: String, correction: String) -> DependencyVerdict {
    match question.freshness {
        IndexFreshness::Current => DependencyVerdict::Denied { reason, correction },
        IndexFreshness::Dated => DependencyVerdict::Noted(vec![format!(
            "{reason} (according to cargo's local index, which may be old); {correction}"
        )]),
    }
}

fn correct_version(question: &DependencyQuestion<'_>, entry: &RegistryEntry) -> String {
    newest_release(entry).map_or_else(
        || format!("use another crate than `{}`: every version of it was yanked", question.package),
        |newest| format!("the newest version is {newest}: `{} = \"{}\"`", question.package, short_requirement(newest)),
    )
}

/// The usual way to ask for a version: `1.2` for 1.2.3, all of it for a pre-release.
fn short_requirement(version: &Version) -> String {
    let Version { major, minor, patch, .. } = version;
    if !version.pre.is_empty() {
        format!("={version}")
    } else if (*major, *minor) == (0, 0) {
        format!("0.0.{patch}")
    } else {
        format!("{major}.{minor}")
    }
}

fn deny_requirement(question: &DependencyQuestion<'_>, entry: &RegistryEntry) -> DependencyVerdict {
    let text = question.requirement.unwrap_or_default();
    // However new the registry's content is, this is no requirement.
    DependencyVerdict::Denied {
        reason: format!("`{text}` is not a version requirement for `{}`", question.package),
        correction: correct_version(question, entry),
    }
}

fn deny_versions(
    question: &DependencyQuestion<'_>,
    entry: &RegistryEntry,
    candidates: &CandidateSet<'_>,
) -> DependencyVerdict {
    let DependencyQuestion { package, requirement, .. } = question;
    let Some(requirement) = requirement else { return DependencyVerdict::Silent };
    let reason = match candidates.yanked.iter().max() {
        Some(yanked) => format!("only yanked versions of `{package}` satisfy `{requirement}`, such as {yanked}"),
        None => format!("no version of `{package}` satisfies `{requirement}`"),
    };
    deny(question, reason, correct_version(question, entry))
}

/// The most names of features that are listed.
const LISTED_FEATURES: usize = 30;

fn deny_feature(question: &DependencyQuestion<'_>, candidates: &CandidateSet<'_>) -> Option<DependencyVerdict> {
    // Forms with `dep:` and `/` are cargo's to judge.
    let plain = question.features.iter().filter(|feature| !feature.contains([':', '/', '?']));
    let missing: Vec<&String> =
        plain.filter(|feature| !candidates.all.iter().any(|known| known.has_feature(feature))).collect();
    let feature = missing.first()?;
    let newest = candidates.all.iter().max_by_key(|known| &known.version)?;
    let mut names: Vec<&str> = newest.feature_names().filter(|name| !name.starts_with('_')).collect();
    names.sort_unstable();
    names.dedup();
    let package = question.package;
    let shown: Vec<String> = missing.iter().map(|feature| format!("`{feature}`")).collect();
    let word = if shown.len() == 1 { "feature" } else { "features" };
    let shown = shown.join(", ");
    let reason = match question.requirement {
        Some(text) => format!("no version of `{package}` that satisfies `{text}` has the {word} {shown}"),
        None => format!("`{package}` {} has no {word} {shown}", newest.version),
    };
    let near = nearest(feature, &names).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    let more = names.len().saturating_sub(LISTED_FEATURES);
    let list = names.iter().take(LISTED_FEATURES).copied().collect::<Vec<_>>().join(", ");
    let correction = match (names.is_empty(), more) {
        (true, _) => format!("`{package}` {} has no features", newest.version),
        (false, 0) => format!("{near}`{package}` {} has: {list}", newest.version),
        (false, more) => format!("{near}`{package}` {} has: {list} and {more} more", newest.version),
    };
    Some(deny(question, reason, correction))
}

/// Versions that cargo takes for one another differ in nothing left of their first number that is not zero.
fn is_older_series(version: &Version, than: &Version) -> bool {
    let series = |version: &Version| match (version.major, version.minor) {
        (0, 0) => (0, 0, version.patch),
        (0, minor) => (0, minor, 0),
        (major, _) => (major, 0, 0),
    };
    series(version) < series(than)
}

fn note_newer(question: &DependencyQuestion<'_>, entry: &RegistryEntry) -> Option<String> {
    let text = question.requirement?;
    let requirement = VersionReq::parse(text).ok()?;
    let newest = newest_release(entry).filter(|newest| newest.pre.is_empty())?;
    let fitting = entry.versions.iter().filter(|known| !known.yanked && requirement.matches(&known.version));
    let highest = fitting.map(|known| &known.version).max()?;
    // Who writes an exact version or an upper bound knows that there is more.
    let is_bounded = requirement.comparators.iter().any(|part| matches!(part.op, Op::Exact | Op::Less | Op::LessEq));
    (is_older_series(highest, newest) && !is_bounded)
        .then(|| format!("`{}` {newest} is out; `{text}` stays at {highest}", question.package))
}

fn note_rust_version(question: &DependencyQuestion<'_>, candidates: &CandidateSet<'_>) -> Option<String> {
    let have = question.rust_version?;
    let needed: Option<Vec<&Version>> = candidates.all.iter().map(|known| known.rust_version.as_ref()).collect();
    let least = needed?.into_iter().min()?;
    (least > have).then(|| {
        let which = question.requirement.map_or("could be chosen".to_owned(), |text| format!("satisfies `{text}`"));
        let package = question.package;
        format!(
            "every version of `{package}` that {which} needs Rust {least} or newer, but the workspace requires only \
             {have}"
        )
    })
}

fn note_second_copy(question: &DependencyQuestion<'_>, entry: &RegistryEntry) -> Option<String> {
    let requirements = match question.requirement {
        Some(text) => vec![VersionReq::parse(text).ok()?],
        None => newest_requirements(question, entry),
    };
    let fits = |version: &&Version| requirements.iter().any(|requirement| requirement.matches(version));
    if question.locked.is_empty() || question.locked.iter().any(|version| fits(&version)) {
        return None;
    }
    let locked: Vec<String> = question.locked.iter().map(Version::to_string).collect();
    Some(format!(
        "the workspace already has `{}` {}; this adds another version of it",
        question.package,
        locked.join(", ")
    ))
}

/// The shortest name about which a slip of one letter is worth mentioning.
const SHORTEST_NAME: usize = 4;

fn note_misspelling(question: &DependencyQuestion<'_>) -> DependencyVerdict {
    let package = question.package;
    if package.chars().count() < SHORTEST_NAME || question.names.contains(&package) {
        return DependencyVerdict::Silent;
    }
    let near: Vec<String> = question
        .names
        .iter()
        .filter(|name| is_one_letter_apart(package, name))
        .take(3)
        .map(|name| format!("`{name}`"))
        .collect();
    if near.is_empty() {
        return DependencyVerdict::Silent;
    }
    let note = format!("`{package}` is not in cargo's local index; did you mean {}?", near.join(" or "));
    DependencyVerdict::Noted(vec![note])
}

/// Tells whether one letter was added, dropped, changed, or swapped with its neighbour.
fn is_one_letter_apart(one: &str, other: &str) -> bool {
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    let common = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one, other) = (one.get(common..).unwrap_or_default(), other.get(common..).unwrap_or_default());
    match (one, other) {
        ([_, rest @ ..], longer) if rest == longer => true,
        (shorter, [_, rest @ ..]) if shorter == rest => true,
        ([_, one @ ..], [_, other @ ..]) if one == other => true,
        ([a, b, one @ ..], [c, d, other @ ..]) => a == d && b == c && one == other,
        _ => false,
    }
}

#[cfg(test)]
#[path = "dependency_check_tests.rs"]
mod tests;
