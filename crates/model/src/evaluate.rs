//! Evaluation of conditions in a workspace, with the reason for each result.

use std::collections::{BTreeMap, BTreeSet};

use semver::Version;

use crate::conditions::ConditionSet;
use crate::crates::{CrateAtom, CrateName, CrateSet, DependencyScope, LockedCrate, VersionCertainty, VersionCondition};
use crate::predicate::Predicate;

#[derive(Debug, Clone, Copy)]
pub struct ConditionFacts<'f> {
    /// `None` outside any workspace.
    pub crates: Option<&'f CrateSet>,
    pub scope: DependencyScope,
    /// The scope by the user's settings alone.
    pub user_scope: DependencyScope,
    pub env: &'f BTreeMap<String, String>,
    /// Those of the queried paths that exist.
    pub paths: &'f BTreeSet<String>,
}

/// The origin of the plugin that has the condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionOwner {
    WorkspaceMember,
    Elsewhere,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionCheck {
    pub condition: String,
    pub holds: bool,
    pub reason: CheckReason,
}

impl ConditionCheck {
    /// Tells whether the result may be another one on another machine, with the same crates.
    pub fn depends_on_machine(&self) -> bool {
        match &self.reason {
            CheckReason::PathExists
            | CheckReason::PathMissing
            | CheckReason::VariableSet
            | CheckReason::VariableUnset
            | CheckReason::VariableDiffers
            | CheckReason::Unsupported => true,
            CheckReason::Inner(inner) => inner.iter().any(Self::depends_on_machine),
            CheckReason::Matches(_)
            | CheckReason::OtherVersions(_)
            | CheckReason::OnlyTransitive(_)
            | CheckReason::NotADependency
            | CheckReason::AnyWorkspace
            | CheckReason::NoWorkspace
            | CheckReason::Owner(_) => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckReason {
    Matches(Vec<FoundCrate>),
    OtherVersions(Vec<FoundCrate>),
    /// It is a transitive dependency only, and those are out of scope.
    OnlyTransitive(Vec<FoundCrate>),
    NotADependency,
    AnyWorkspace,
    NoWorkspace,
    /// The path or program exists.
    PathExists,
    PathMissing,
    /// The variable has the required value.
    VariableSet,
    VariableUnset,
    /// The variable has another value, which is not shown: it may be a secret.
    VariableDiffers,
    Owner(ConditionOwner),
    /// An answer would require running a program.
    Unsupported,
    Inner(Vec<ConditionCheck>),
}

/// A crate of the workspace that decided a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundCrate {
    pub name: CrateName,
    pub version: Version,
    pub certainty: VersionCertainty,
}

/// The result for one level of conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub holds: bool,
    /// In the order in which the conditions are written.
    pub checks: Vec<ConditionCheck>,
    /// The crates through which its `crates` list holds.
    pub listed: Vec<FoundCrate>,
    /// The crates through which any of it holds.
    pub matched: Vec<FoundCrate>,
}

/// Evaluates one level of conditions: any of its crates, and all of its predicates.
pub fn evaluate(conditions: &ConditionSet, facts: &ConditionFacts<'_>, owner: ConditionOwner) -> Verdict {
    let mut checks: Vec<ConditionCheck> = Vec::new();
    let mut holds = true;
    if !conditions.crates.is_empty() {
        let atoms: Vec<ConditionCheck> = conditions.crates.iter().map(|atom| check_atom(atom, facts)).collect();
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

/// Tells whether conditions can hold in some workspace, with these variables; conditions on crates or files count as
/// open.
pub fn may_hold(conditions: &ConditionSet, env: &BTreeMap<String, String>) -> bool {
    conditions.predicates.iter().all(|predicate| open_answer(predicate, env) != Some(false))
}

/// Evaluates a predicate for any workspace; `None` when the result depends on the workspace.
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

/// Combines several checks into one; a single check stays as it is.
fn grouped(function: &str, mut checks: Vec<ConditionCheck>, holds: bool) -> ConditionCheck {
    if checks.len() == 1
        && let Some(only) = checks.pop()
    {
        return only;
    }
    let conditions: Vec<&str> = checks.iter().map(|check| check.condition.as_str()).collect();
    ConditionCheck {
        condition: format!("{function}({})", conditions.join(", ")),
        holds,
        reason: CheckReason::Inner(checks),
    }
}

fn collect_matches(check: &ConditionCheck, matched: &mut Vec<FoundCrate>) {
    match &check.reason {
        CheckReason::Matches(found) if check.holds => {
            for found in found {
                if !matched.contains(found) {
                    matched.push(found.clone());
                }
            }
        }
        CheckReason::Inner(inner) if check.holds => inner.iter().for_each(|check| collect_matches(check, matched)),
        CheckReason::Inner(_)
        | CheckReason::Matches(_)
        | CheckReason::OtherVersions(_)
        | CheckReason::OnlyTransitive(_)
        | CheckReason::NotADependency
        | CheckReason::AnyWorkspace
        | CheckReason::NoWorkspace
        | CheckReason::PathExists
        | CheckReason::PathMissing
        | CheckReason::VariableSet
        | CheckReason::VariableUnset
        | CheckReason::VariableDiffers
        | CheckReason::Owner(_)
        | CheckReason::Unsupported => {}
    }
}

fn check_predicate(predicate: &Predicate, facts: &ConditionFacts<'_>, owner: ConditionOwner) -> ConditionCheck {
    let answer = |holds, reason| ConditionCheck { condition: predicate.to_string(), holds, reason };
    match predicate {
        Predicate::DependsOn(atom) => check_atom(atom, facts),
        Predicate::PathExists(path) => {
            let exists = facts.paths.contains(path);
            answer(exists, if exists { CheckReason::PathExists } else { CheckReason::PathMissing })
        }
        Predicate::Env { name, value } => match (facts.env.get(name), value) {
            (None, _) => answer(false, CheckReason::VariableUnset),
            (Some(actual), Some(wanted)) if actual != wanted => answer(false, CheckReason::VariableDiffers),
            (Some(_), _) => answer(true, CheckReason::VariableSet),
        },
        Predicate::WorkspaceMember => answer(owner == ConditionOwner::WorkspaceMember, CheckReason::Owner(owner)),
        Predicate::Not(inner) => {
            let inner = check_predicate(inner, facts, owner);
            // An unsupported predicate does not hold when it is negated either.
            let holds = !inner.holds && predicate.unsupported().is_none();
            answer(holds, CheckReason::Inner(vec![inner]))
        }
        Predicate::Any(list) => {
            let inner: Vec<ConditionCheck> = list.iter().map(|inner| check_predicate(inner, facts, owner)).collect();
            answer(inner.iter().any(|check| check.holds), CheckReason::Inner(inner))
        }
        Predicate::All(list) => {
            let inner: Vec<ConditionCheck> = list.iter().map(|inner| check_predicate(inner, facts, owner)).collect();
            answer(inner.iter().all(|check| check.holds), CheckReason::Inner(inner))
        }
        Predicate::Unsupported { .. } => answer(false, CheckReason::Unsupported),
    }
}

fn check_atom(atom: &CrateAtom, facts: &ConditionFacts<'_>) -> ConditionCheck {
    let answer = |holds, reason| ConditionCheck { condition: atom.to_string(), holds, reason };
    let Some(crates) = facts.crates else { return answer(false, CheckReason::NoWorkspace) };
    match atom {
        CrateAtom::Any => answer(true, CheckReason::AnyWorkspace),
        CrateAtom::Crate { name, requirement } => {
            let (holds, reason) = check_crate(name, requirement, crates, facts.scope);
            answer(holds, reason)
        }
    }
}

fn check_crate(
    name: &CrateName,
    wanted: &VersionCondition,
    crates: &CrateSet,
    scope: DependencyScope,
) -> (bool, CheckReason) {
    let found = |scope| crates.versions(name, scope).map(FoundCrate::from_locked).collect::<Vec<_>>();
    let all = found(scope);
    let matching: Vec<FoundCrate> = all.iter().filter(|krate| wanted.holds_for(&krate.version)).cloned().collect();
    if !matching.is_empty() {
        return (true, CheckReason::Matches(matching));
    }
    if !all.is_empty() {
        return (false, CheckReason::OtherVersions(all));
    }
    let transitive = found(DependencyScope::Transitive);
    if transitive.is_empty() {
        (false, CheckReason::NotADependency)
    } else {
        (false, CheckReason::OnlyTransitive(transitive))
    }
}

impl FoundCrate {
    fn from_locked(krate: &LockedCrate) -> Self {
        Self { name: krate.name.clone(), version: krate.version.clone(), certainty: krate.certainty }
    }
}

#[cfg(test)]
#[path = "evaluate_tests.rs"]
mod tests;
