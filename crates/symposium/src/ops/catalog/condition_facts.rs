//! Gathers the facts that conditions are tested against: crates, variables, paths.

use std::collections::BTreeSet;
use std::path::Path;

use symposium_io::{env, fs};
use symposium_model::catalog::Catalog;
use symposium_model::config::EffectiveSettings;
use symposium_model::crates::{CrateSet, DependencyScope};
use symposium_model::evaluate::ConditionFacts;
use symposium_model::predicate::Predicate;

use crate::ops::context::Context;

/// Hands what conditions are tested against to `test`.
pub(crate) fn with_facts<T>(
    context: &Context,
    catalog: &Catalog,
    crates: Option<&CrateSet>,
    test: impl FnOnce(&ConditionFacts<'_>) -> T,
) -> T {
    let env = env::variables();
    let paths = existing_paths(context.root(), catalog);
    test(&ConditionFacts {
        crates,
        scope: scope(&context.settings),
        user_scope: user_scope(&context.settings),
        env: &env,
        paths: &paths,
    })
}

pub(crate) fn scope(settings: &EffectiveSettings) -> DependencyScope {
    if settings.transitive.value { DependencyScope::Transitive } else { DependencyScope::Direct }
}

pub(super) fn user_scope(settings: &EffectiveSettings) -> DependencyScope {
    if settings.user_transitive { DependencyScope::Transitive } else { DependencyScope::Direct }
}

/// The dependencies that skills of any source may match through.
pub(crate) fn widest_scope(settings: &EffectiveSettings) -> DependencyScope {
    match (scope(settings), user_scope(settings)) {
        (DependencyScope::Direct, DependencyScope::Direct) => DependencyScope::Direct,
        (DependencyScope::Transitive, _) | (_, DependencyScope::Transitive) => DependencyScope::Transitive,
    }
}

/// Those of the paths that conditions ask for which are there: in the workspace, or as programs.
pub(super) fn existing_paths(root: Option<&Path>, catalog: &Catalog) -> BTreeSet<String> {
    let mut wanted = BTreeSet::new();
    for conditions in catalog.conditions() {
        conditions.walk_predicates(|predicate| {
            if let Predicate::PathExists(path) = predicate {
                wanted.insert(path.clone());
            }
        });
    }
    let programs = env::program_directories();
    wanted.retain(|path| {
        let in_workspace = root.is_some_and(|root| fs::exists(&root.join(path)));
        let is_program = !path.contains('/') && programs.iter().any(|directory| fs::is_file(&directory.join(path)));
        in_workspace || is_program
    });
    wanted
}
