//! Evaluated conditions and dependencies as sentences for users.

use crate::crates::{CrateSet, DependencyKind, DirectUse, LockedCrate, VersionCertainty};
use crate::evaluate::{CheckReason, ConditionCheck, ConditionOwner, FoundCrate};

/// Describes a check: `` `rand=0.8` matches rand 0.8.5 ``.
pub fn sentence(check: &ConditionCheck) -> String {
    let condition = &check.condition;
    match &check.reason {
        CheckReason::Matches(found) => format!("`{condition}` matches {}", list(found)),
        CheckReason::OtherVersions(found) => format!("`{condition}` does not match {}", list(found)),
        CheckReason::OnlyTransitive(found) => {
            format!("`{condition}` does not match: {} is only an indirect dependency", list(found))
        }
        CheckReason::NotADependency => format!("`{condition}` does not match: not a dependency of this workspace"),
        CheckReason::AnyWorkspace => format!("`{condition}` matches any workspace"),
        CheckReason::NoWorkspace => format!("`{condition}` does not match: this is not a cargo workspace"),
        CheckReason::PathExists => format!("`{condition}` holds: it exists"),
        CheckReason::PathMissing => format!("`{condition}` does not hold: there is no such file or program"),
        CheckReason::VariableSet => format!("`{condition}` holds: the variable is set"),
        CheckReason::VariableUnset => format!("`{condition}` does not hold: the variable is not set"),
        CheckReason::VariableDiffers => format!("`{condition}` does not hold: the variable has another value"),
        CheckReason::Owner(ConditionOwner::WorkspaceMember) => {
            format!("`{condition}` holds: the plugin belongs to this workspace")
        }
        CheckReason::Owner(ConditionOwner::Elsewhere) => {
            format!("`{condition}` does not hold: the plugin does not belong to this workspace")
        }
        CheckReason::Unsupported => format!("`{condition}` never holds: Symposium runs no programs for conditions"),
        CheckReason::Inner(inner) if !check.holds && condition.starts_with("any(") && inner.len() > 1 => {
            unmatched(condition, inner)
        }
        CheckReason::Inner(inner) => {
            let word = if check.holds { "holds" } else { "does not hold" };
            let inner: Vec<String> = inner.iter().map(sentence).collect();
            format!("`{condition}` {word}: {}", inner.join("; "))
        }
    }
}

/// Describes a list of alternatives that does not match. Crates that the workspace does not use are only counted.
fn unmatched(condition: &str, inner: &[ConditionCheck]) -> String {
    let (unused, others): (Vec<_>, Vec<_>) =
        inner.iter().partition(|check| check.reason == CheckReason::NotADependency);
    let mut sentences: Vec<String> = others.into_iter().map(sentence).collect();
    if sentences.is_empty() {
        return format!("`{condition}` does not match: none of them is a dependency of this workspace");
    }
    match unused.len() {
        0 => {}
        1 => sentences.push("the other crate it names is not a dependency".to_owned()),
        count => sentences.push(format!("the other {count} crates it names are not dependencies")),
    }
    sentences.join("; ")
}

/// Lists crates with their versions: `rand 0.8.5 and rand 0.9.1 (assumed)`.
pub fn list(found: &[FoundCrate]) -> String {
    let each: Vec<String> = found
        .iter()
        .map(|krate| {
            let assumed = match krate.certainty {
                VersionCertainty::Locked => "",
                VersionCertainty::Assumed => " (assumed)",
            };
            format!("{} {}{assumed}", krate.name, krate.version)
        })
        .collect();
    match each.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// Describes the requirement of one member: `` `demo` (dev, as `r`) requires `0.8` ``.
pub fn request(by: &DirectUse) -> String {
    match &by.requirement {
        Some(requirement) => format!("{} requires `{requirement}`", usage(by)),
        None => format!("{} requires an unknown version", usage(by)),
    }
}

/// Describes one member's use of a crate: `` `demo` (dev, as `r`) ``.
pub fn usage(usage: &DirectUse) -> String {
    let mut details = Vec::new();
    match usage.kind {
        DependencyKind::Normal => {}
        DependencyKind::Dev => details.push("dev".to_owned()),
        DependencyKind::Build => details.push("build".to_owned()),
    }
    if usage.optional {
        details.push("optional".to_owned());
    }
    details.extend(usage.target.as_ref().map(|target| format!("on {target}")));
    details.extend(usage.renamed.as_ref().map(|renamed| format!("as `{renamed}`")));
    let member = &usage.member;
    if details.is_empty() { format!("`{member}`") } else { format!("`{member}` ({})", details.join(", ")) }
}

/// Shows the path from a member to a crate: `demo 0.1.0 -> tokio 1.44.1`.
pub fn path(crates: &CrateSet, krate: &LockedCrate) -> String {
    let steps = crates.path_to(&krate.name, &krate.version).unwrap_or_default();
    let steps: Vec<String> = steps.iter().map(|step| format!("{} {}", step.name, step.version)).collect();
    steps.join(" -> ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_that_are_not_used_are_only_counted() {
        let check = |condition: &str, reason| ConditionCheck { condition: condition.to_owned(), holds: false, reason };
        let found = FoundCrate {
            name: crate::crates::CrateName::parse("rand").unwrap(),
            version: semver::Version::new(0, 9, 1),
            certainty: VersionCertainty::Locked,
        };
        let rand = check("rand=0.8", CheckReason::OtherVersions(vec![found]));
        let unused = check("rand_core=0.6", CheckReason::NotADependency);
        for (inner, expected) in [
            (
                vec![rand.clone(), unused.clone()],
                "`rand=0.8` does not match rand 0.9.1; the other crate it names is not a dependency",
            ),
            (
                vec![rand, unused.clone(), unused.clone()],
                "`rand=0.8` does not match rand 0.9.1; the other 2 crates it names are not dependencies",
            ),
            (vec![unused.clone(), unused], "`any(…)` does not match: none of them is a dependency of this workspace"),
        ] {
            assert_eq!(sentence(&check("any(…)", CheckReason::Inner(inner))), expected);
        }
    }

    #[test]
    fn a_requirement_that_was_not_read_is_not_called_any() {
        let plain = DirectUse {
            member: "demo".to_owned(),
            kind: DependencyKind::Normal,
            target: None,
            optional: false,
            renamed: None,
            requirement: None,
        };
        assert_eq!(request(&plain), "`demo` requires an unknown version");
        let dev = DirectUse {
            kind: DependencyKind::Dev,
            renamed: Some("r".to_owned()),
            requirement: Some("*".to_owned()),
            ..plain
        };
        assert_eq!(request(&dev), "`demo` (dev, as `r`) requires `*`");
    }
}
