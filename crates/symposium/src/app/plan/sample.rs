//! Sources for tests, without a disk.

use std::collections::{BTreeMap, BTreeSet};

use semver::Version;
use symposium_io::source::{EmbeddedFile, EmbeddedTree, load_source};
use symposium_model::authority::{Choices, Unmentioned};
use symposium_model::candidate::Candidates;
use symposium_model::catalog::Catalog;
use symposium_model::config::{OwnChoices, SourceKind, SourceRank, SourceSpec, Toggle};
use symposium_model::crates::{CrateName, CrateSet, Scope};
use symposium_model::evaluate::Facts;
use symposium_model::select::{Selection, select};

/// Files of a source, by path.
pub(super) type Files = &'static [(&'static str, &'static str)];

/// A catalog of sources; each has its rank for a name, and lies in `/RANK`.
pub(super) fn catalog(sources: &[(SourceRank, Files)]) -> Catalog {
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
    test: impl FnOnce(&Selection, &Facts<'_>, &Choices<'_>) -> T,
) -> T {
    let crates = CrateSet::empty().assuming(&CrateName::parse("serde").unwrap(), Version::new(1, 0, 0));
    let (env, paths) = (BTreeMap::new(), BTreeSet::new());
    let facts =
        Facts { crates: Some(&crates), scope: Scope::Direct, user_scope: Scope::Direct, env: &env, paths: &paths };
    let toggles: Vec<Toggle> =
        toggles.iter().map(|(key, on)| Toggle { key: (*key).to_owned(), on: *on, line: 1 }).collect();
    let own = OwnChoices::default();
    let choices = Choices { skills: &[], workflows: &toggles, own: &own, unmentioned: Unmentioned::ON };
    let selection = select(catalog, &facts, &choices, &Candidates::NONE);
    test(&selection, &facts, &choices)
}
