//! Whether conditions hold in a workspace, and why.

use std::collections::{BTreeMap, BTreeSet};

use semver::Version;

use crate::conditions::Conditions;
use crate::crates::{Certainty, CrateAtom, CrateName, CrateSet, LockedCrate, Scope, VersionCondition};
use crate::predicate::Predicate;

/// What conditions are tested against.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'f> {
    /// The workspace's crates; `None` outside any workspace.
    pub crates: Option<&'f CrateSet>,
    /// Which of them count.
    pub scope: Scope,
    /// Environment variables.
    pub env: &'f BTreeMap<String, String>,
    /// Those of the paths asked for that exist.
    pub paths: &'f BTreeSet<String>,
}

/// Where the plugin that asks comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// From a member of the workspace itself.
    WorkspaceMember,
    /// From anywhere else.
    Elsewhere,
}

/// One condition, its answer and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The condition as it is written.
    pub condition: String,
    /// Whether it holds.
    pub holds: bool,
    /// Why.
    pub reason: Reason,
}

/// Why a condition holds or does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// These dependencies match.
    Matches(Vec<FoundCrate>),
    /// It is a dependency, at other versions.
    OtherVersions(Vec<FoundCrate>),
    /// It is needed by a dependency only, and those do not count.
    OnlyTransitive(Vec<FoundCrate>),
    /// No dependency has that name.
    NotADependency,
    /// `*` in a workspace.
    AnyWorkspace,
    /// There is no workspace to have dependencies.
    NoWorkspace,
    /// The path or program is there.
    PathExists,
    /// It is not.
    PathMissing,
    /// The variable is as wanted.
    VariableSet,
    /// The variable is not set.
    VariableUnset,
    /// The variable has another value, which is not repeated: it may be a secret.
    VariableDiffers,
    /// The plugin is, or is not, the workspace's own.
    Owner(Owner),
    /// Answering would mean running something.
    Unsupported,
    /// It depends on what is inside.
    Inner(Vec<Check>),
}

/// A crate of the workspace that played a part in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundCrate {
    /// Its name.
    pub name: CrateName,
    /// Its version.
    pub version: Version,
    /// How sure the version is.
    pub certainty: Certainty,
}

/// The answer for one level of conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether all of it holds.
    pub holds: bool,
    /// Each condition's answer, in the order in which they are written.
    pub checks: Vec<Check>,
    /// The crates through which its `crates` list holds.
    pub listed: Vec<FoundCrate>,
    /// The crates through which any of it holds.
    pub matched: Vec<FoundCrate>,
}

/// Tests one level of conditions: any of its crates, and all of its predicates.
pub fn evaluate(conditions: &Conditions, facts: &Facts<'_>, owner: Owner) -> Verdict {
    let mut checks: Vec<Check> = Vec::new();
    let mut holds = true;
    if !conditions.crates.is_empty() {
        let atoms: Vec<Check> = conditions.crates.iter().map(|atom| check_atom(atom, facts)).collect();
        holds = atoms.iter().any(|check| check.holds);
        checks.push(grouped("any", atoms, holds));
    }
    for predicate in &conditions.predicates {
        let check = check_predicate(predicate, facts, owner);
        holds &= check.holds;
        checks.push(check);
    }
    let mut matched = Vec::new();
    let mut listed = Vec::new();
    if holds {
        for (position, check) in checks.iter().enumerate() {
            collect_matches(check, &mut matched);
            // The list, if there is one, is the first check.
            if position == 0 && !conditions.crates.is_empty() {
                listed.clone_from(&matched);
            }
        }
    }
    Verdict { holds, checks, listed, matched }
}

/// Whether conditions may hold in some workspace, with the variables as they are: what asks about crates or files is open.
pub fn may_hold(conditions: &Conditions, env: &BTreeMap<String, String>) -> bool {
    conditions.predicates.iter().all(|predicate| open_answer(predicate, env) != Some(false))
}

/// The answer to a predicate in any workspace; `None` when that depends on the workspace.
fn open_answer(predicate: &Predicate, env: &BTreeMap<String, String>) -> Option<bool> {
    let inner =
        |list: &[Predicate]| -> Vec<Option<bool>> { list.iter().map(|inner| open_answer(inner, env)).collect() };
    let unless_open = |answers: Vec<Option<bool>>, decisive: bool| match answers {
        answers if answers.contains(&Some(decisive)) => Some(decisive),
        answers if answers.contains(&None) => None,
        _ => Some(!decisive),
    };
    match predicate {
        Predicate::DependsOn(_) | Predicate::PathExists(_) => None,
        Predicate::Env { name, value } => {
            let found = env.get(name);
            Some(found.is_some_and(|found| value.as_ref().is_none_or(|wanted| wanted == found)))
        }
        Predicate::WorkspaceMember | Predicate::Unsupported { .. } => Some(false),
        Predicate::Not(_) if predicate.unsupported().is_some() => Some(false),
        Predicate::Not(inner) => open_answer(inner, env).map(|answer| !answer),
        Predicate::Any(list) => unless_open(inner(list), true),
        Predicate::All(list) => unless_open(inner(list), false),
    }
}

/// One check for several; a single one stands for itself.
fn grouped(function: &str, mut checks: Vec<Check>, holds: bool) -> Check {
    if checks.len() == 1
        && let Some(only) = checks.pop()
    {
        return only;
    }
    let conditions: Vec<&str> = checks.iter().map(|check| check.condition.as_str()).collect();
    Check { condition: format!("{function}({})", conditions.join(", ")), holds, reason: Reason::Inner(checks) }
}

fn collect_matches(check: &Check, matched: &mut Vec<FoundCrate>) {
    match &check.reason {
        Reason::Matches(found) if check.holds => {
            for found in found {
                if !matched.contains(found) {
                    matched.push(found.clone());
                }
            }
        }
        Reason::Inner(inner) if check.holds => inner.iter().for_each(|check| collect_matches(check, matched)),
        Reason::Inner(_)
        | Reason::Matches(_)
        | Reason::OtherVersions(_)
        | Reason::OnlyTransitive(_)
        | Reason::NotADependency
        | Reason::AnyWorkspace
        | Reason::NoWorkspace
        | Reason::PathExists
        | Reason::PathMissing
        | Reason::VariableSet
        | Reason::VariableUnset
        | Reason::VariableDiffers
        | Reason::Owner(_)
        | Reason::Unsupported => {}
    }
}

fn check_predicate(predicate: &Predicate, facts: &Facts<'_>, owner: Owner) -> Check {
    let answer = |holds, reason| Check { condition: predicate.to_string(), holds, reason };
    match predicate {
        Predicate::DependsOn(atom) => check_atom(atom, facts),
        Predicate::PathExists(path) => {
            let exists = facts.paths.contains(path);
            answer(exists, if exists { Reason::PathExists } else { Reason::PathMissing })
        }
        Predicate::Env { name, value } => match (facts.env.get(name), value) {
            (None, _) => answer(false, Reason::VariableUnset),
            (Some(actual), Some(wanted)) if actual != wanted => answer(false, Reason::VariableDiffers),
            (Some(_), _) => answer(true, Reason::VariableSet),
        },
        Predicate::WorkspaceMember => answer(owner == Owner::WorkspaceMember, Reason::Owner(owner)),
        Predicate::Not(inner) => {
            let inner = check_predicate(inner, facts, owner);
            // What cannot be answered is not true when it is negated either.
            let holds = !inner.holds && predicate.unsupported().is_none();
            answer(holds, Reason::Inner(vec![inner]))
        }
        Predicate::Any(list) => {
            let inner: Vec<Check> = list.iter().map(|inner| check_predicate(inner, facts, owner)).collect();
            answer(inner.iter().any(|check| check.holds), Reason::Inner(inner))
        }
        Predicate::All(list) => {
            let inner: Vec<Check> = list.iter().map(|inner| check_predicate(inner, facts, owner)).collect();
            answer(inner.iter().all(|check| check.holds), Reason::Inner(inner))
        }
        Predicate::Unsupported { .. } => answer(false, Reason::Unsupported),
    }
}

fn check_atom(atom: &CrateAtom, facts: &Facts<'_>) -> Check {
    let answer = |holds, reason| Check { condition: atom.to_string(), holds, reason };
    let Some(crates) = facts.crates else { return answer(false, Reason::NoWorkspace) };
    match atom {
        CrateAtom::Any => answer(true, Reason::AnyWorkspace),
        CrateAtom::Crate { name, requirement } => {
            let (holds, reason) = check_crate(name, requirement, crates, facts.scope);
            answer(holds, reason)
        }
    }
}

fn check_crate(name: &CrateName, wanted: &VersionCondition, crates: &CrateSet, scope: Scope) -> (bool, Reason) {
    let found = |scope| crates.versions(name, scope).map(FoundCrate::of).collect::<Vec<_>>();
    let all = found(scope);
    let matching: Vec<FoundCrate> = all.iter().filter(|krate| wanted.holds_for(&krate.version)).cloned().collect();
    if !matching.is_empty() {
        return (true, Reason::Matches(matching));
    }
    if !all.is_empty() {
        return (false, Reason::OtherVersions(all));
    }
    let transitive = found(Scope::Transitive);
    if transitive.is_empty() { (false, Reason::NotADependency) } else { (false, Reason::OnlyTransitive(transitive)) }
}

impl FoundCrate {
    fn of(krate: &LockedCrate) -> Self {
        Self { name: krate.name.clone(), version: krate.version.clone(), certainty: krate.certainty }
    }
}

#[cfg(test)]
#[path = "evaluate_tests.rs"]
mod tests;
