//! Sources for tests, without a disk.

use std::collections::{BTreeMap, BTreeSet};

use semver::Version;
use symposium_io::source::{EmbeddedFile, EmbeddedTree, load_source};
use symposium_model::authority::{DefaultToggle, WorkspaceToggles};
use symposium_model::candidate::CandidatePolicy;
use symposium_model::catalog::Catalog;
use symposium_model::config::{SourceKind, SourceRank, SourceSpec, Toggle, UserToggles};
use symposium_model::crates::{CrateName, CrateSet, DependencyScope};
use symposium_model::evaluate::ConditionFacts;
use symposium_model::select::{Selection, select};

/// Files of a source, by path.
pub(super) type SampleFiles = &'static [(&'static str, &'static str)];

/// A catalog of sources; each has its rank for a name, and lies in `/RANK`.
pub(super) fn catalog(sources: &[(SourceRank, SampleFiles)]) -> Catalog {
    let read = sources.iter().map(|(rank, files)| {
        let name = format!("{rank:?}").to_lowercase();
        let kind = match rank {
            SourceRank::Builtin => SourceKind::Embedded,
            _ => SourceKind::Path(format!("/{name}").into()),
        };
        let files = files.iter().map(|(path, text)| EmbeddedFile { path, bytes: text.as_bytes() }).collect();
        load_source(SourceSpec::whole(name, kind, *rank), &EmbeddedTree::new(files))
    });
    Catalog { sources: read.collect() }
}

/// Hands over what follows from a catalog in a workspace that depends on serde 1.0.0 alone.
pub(super) fn with_facts<T>(
    catalog: &Catalog,
    toggles: &[(&str, bool)],
    test: impl FnOnce(&Selection, &ConditionFacts<'_>, &WorkspaceToggles<'_>) -> T,
) -> T {
    let crates = CrateSet::empty().assuming(&CrateName::parse("serde").unwrap(), Version::new(1, 0, 0));
    let (env, paths) = (BTreeMap::new(), BTreeSet::new());
    let facts = ConditionFacts {
        crates: Some(&crates),
        scope: DependencyScope::Direct,
        user_scope: DependencyScope::Direct,
        env: &env,
        paths: &paths,
    };
    let toggles: Vec<Toggle> =
        toggles.iter().map(|(key, on)| Toggle { key: (*key).to_owned(), on: *on, line: 1 }).collect();
    let own = UserToggles::default();
    let choices = WorkspaceToggles { skills: &[], workflows: &toggles, own: &own, unmentioned: DefaultToggle::ON };
    let selection = select(catalog, &facts, &choices, &CandidatePolicy::NONE);
    test(&selection, &facts, &choices)
}
