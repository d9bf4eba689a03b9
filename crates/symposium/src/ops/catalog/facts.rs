//! What conditions are tested against: crates, variables, paths.

use std::collections::BTreeSet;

use symposium_io::{env, fs};
use symposium_model::catalog::Catalog;
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
    let paths = existing_paths(context, catalog);
    test(&ConditionFacts { crates, scope: scope(context), user_scope: user_scope(context), env: &env, paths: &paths })
}

pub(crate) fn scope(context: &Context) -> DependencyScope {
    if context.settings.transitive.value { DependencyScope::Transitive } else { DependencyScope::Direct }
}

/// Which dependencies count by the user's own word.
pub(super) fn user_scope(context: &Context) -> DependencyScope {
    if context.settings.user_transitive { DependencyScope::Transitive } else { DependencyScope::Direct }
}

/// Those of the paths that conditions ask for which are there: in the workspace, or as programs.
pub(super) fn existing_paths(context: &Context, catalog: &Catalog) -> BTreeSet<String> {
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
        let in_workspace = context.root().is_some_and(|root| fs::exists(&root.join(path)));
        let is_program = !path.contains('/') && programs.iter().any(|directory| fs::is_file(&directory.join(path)));
        in_workspace || is_program
    });
    wanted
}
