//! The searchable texts of the sources of a call, from the cache as far as it holds.

use std::cell::RefCell;
use std::path::Path;

use symposium_io::source::{SearchIndex, SourceMemory, SourceStability, SourceTree, search_index};
use symposium_io::state_file::keep;
use symposium_io::{clock, fs};
use symposium_model::catalog::{LoadedSource, SourceDiagnostics};
use symposium_model::config::{AppDirectories, SourceExtent, SourceKind, SourceSpec};

use super::source_cache::{MAX_INDEX, place};
use super::{open, specs};
use crate::ops::context::Context;
use crate::ops::fetch_report::FetchReport;

/// A source, and a line for each of its skills and plugins.
pub(crate) struct SearchedSource {
    pub(crate) name: String,
    pub(crate) lines: String,
}

/// Reads the searchable texts of every source except those of crates. Also returns these sources, without plugins.
pub(crate) fn searched_sources(context: &Context) -> (Vec<SearchedSource>, Vec<LoadedSource>) {
    let searched = RefCell::new(Vec::new());
    let load = |spec: SourceSpec, tree: &dyn SourceTree| {
        if spec.extent == SourceExtent::Whole {
            let lines = lines(&context.directories, &spec, tree);
            searched.borrow_mut().push(SearchedSource { name: spec.name.clone(), lines });
        }
        LoadedSource::without_plugins(spec, tree.shown(""), SourceDiagnostics::default())
    };
    let opened = specs(context).0.into_iter().map(|spec| open(spec, context, &FetchReport::default(), &load));
    let opened = opened.collect();
    (searched.into_inner(), opened)
}

fn lines(directories: &AppDirectories, spec: &SourceSpec, tree: &dyn SourceTree) -> String {
    let Some((file, about)) = place(directories, spec, tree) else { return String::new() };
    // A project can write into a vendored copy, but not into the cache.
    let checkouts = directories.plugin_sources();
    let is_fixed = match &spec.kind {
        SourceKind::Embedded => true,
        SourceKind::Git { .. } | SourceKind::Index { .. } => Path::new(&about).starts_with(checkouts),
        SourceKind::UserPlugins(_) | SourceKind::Path(_) | SourceKind::Crate(_) | SourceKind::Workspace(_) => false,
    };
    let stability = if is_fixed { SourceStability::Fixed } else { SourceStability::Changing };
    let file = file.with_extension("search");
    let text = fs::read_text(&file, MAX_INDEX).unwrap_or_default();
    let memory = SourceMemory { text: &text, about: &about, now: clock::precisely() };
    let SearchIndex { lines, renewed } = search_index(spec, tree, stability, &memory);
    // A search is no reason to create Symposium's directories.
    if let Some(renewed) = renewed.filter(|_| fs::is_dir(&directories.index()))
        && let Err(error) = keep(&file, &renewed)
    {
        tracing::warn!(%error, "failed to write the search index");
    }
    lines
}
