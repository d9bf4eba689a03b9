//! Items by the name of their crate, by path, or by words.

use std::collections::HashSet;

use symposium_api::{
    CrateIndex, ItemKind, ItemView, MOST_HITS, OUTLINE_BYTES, SearchHit, find_item, find_off_name, follow_link,
    print_outline, search_words,
};
use symposium_io::api_cache::{IndexStore, StoredIndex};
use symposium_model::guidance_provider::ApiReach;

use super::rows::{ApiCrateRow, ApiItemRow, RowMaker};
use super::workspace::{ApiWorkspace, FoundLibrary};
use super::{ApiAnswer, ApiReport};
use crate::error::CliError;

/// The most items of an outline that are listed as such.
const MOST_ITEMS: usize = 2_000;
/// With more items of one name, each is only a line.
const MOST_VIEWS: usize = 4;
/// Bytes of the line that names other versions, without them.
const OTHERS_SIGNS: usize = 40;
/// The most crates that are re-exported inside each other.
const MOST_LINKS: usize = 8;
/// Paths that are named in place of one that is not there.
const SUGGESTIONS: usize = 5;

/// Finds items.
pub(super) struct ItemLookup<'w> {
    pub(super) workspace: &'w ApiWorkspace<'w>,
    pub(super) store: &'w IndexStore<'w>,
    pub(super) reach: ApiReach,
}

/// An item with everything that belongs to it.
pub(crate) struct ItemReport {
    pub(crate) item: ApiItemRow,
    /// The crate, with its version.
    pub(crate) home: String,
    pub(crate) members: Vec<ApiItemRow>,
    /// For a module: what it re-exports from elsewhere.
    pub(crate) reexports: Vec<ReexportRow>,
    pub(crate) implements: Vec<String>,
    /// Other public paths.
    pub(crate) other_paths: Vec<String>,
    /// The crate that the item is defined in, if that is another.
    pub(crate) defined_in: Option<String>,
}

/// An item that a module re-exports.
pub(crate) struct ReexportRow {
    /// The name that it has in the module.
    pub(crate) name: String,
    pub(crate) item: ApiItemRow,
}

/// An index, with the position of its package.
struct OpenIndex {
    position: usize,
    index: CrateIndex,
}

/// Indexes of several crates, and rows for those without one.
struct LoadedIndexes {
    found: Vec<(usize, StoredIndex)>,
    missing: Vec<ApiCrateRow>,
}

impl ItemLookup<'_> {
    pub(super) fn load(&self, position: usize) -> Result<CrateIndex, CliError> {
        let stored = self.store.load(position).map_err(|fault| self.workspace.refuse(position, fault))?;
        Ok(self.workspace.rename(stored.unpack(), position))
    }

    /// Shows what a crate has.
    pub(super) fn outline(&self, found: FoundLibrary) -> Result<ApiReport, CliError> {
        let index = CrateIndex { name: found.name.clone(), ..self.load(found.position)? };
        let rest = format!(
            "\n`symposium api {0}::NAME` shows an item whole, `symposium api {0} WORDS` finds one.\n",
            found.name
        );
        // Other versions are named too.
        let room = OUTLINE_BYTES.saturating_sub(rest.len() + found.others.join(", ").len() + OTHERS_SIGNS);
        let text = print_outline(&index, room) + &rest;
        let rows = RowMaker::new(self.workspace, &index, found.position);
        let is_part = |kind: ItemKind| matches!(kind, ItemKind::Method | ItemKind::Variant | ItemKind::Field);
        let outlined =
            index.items.iter().filter(|item| !item.is_hidden && !item.path.is_empty() && !is_part(item.kind));
        let items: Vec<ApiItemRow> = outlined.clone().take(MOST_ITEMS).map(|item| rows.make(item)).collect();
        let more = outlined.count().saturating_sub(items.len());
        let crates = vec![ApiCrateRow::new(&index, found.others)];
        Ok(ApiReport { crates, answer: ApiAnswer::Outline { text, items, more }, hints: Vec::new() })
    }

    /// Finds a path. One that begins with a crate is looked for in that crate.
    pub(super) fn find_path(&self, path: &str, version: Option<&str>) -> Result<ApiReport, CliError> {
        let (head, rest) = path.trim_start_matches("::").split_once("::").unwrap_or((path, ""));
        let Some(found) = self.workspace.find_crate(head, version)? else {
            if ["std", "core", "alloc"].contains(&head) {
                return Err(CliError::no(format!("`{path}` is of the standard library, which is not a dependency"))
                    .hint("only what Cargo.lock has is looked into"));
            }
            return match self.find_everywhere(path) {
                Some(report) => Ok(report),
                None => self.find_through_alias(path).unwrap_or_else(|| Err(self.unknown(path))),
            };
        };
        let first = CrateIndex { name: found.name.clone(), ..self.load(found.position)? };
        let path = format!("{}::{rest}", found.name);
        let mut indexes = vec![OpenIndex { position: found.position, index: first }];
        self.add_linked(&mut indexes, rest);
        let all: Vec<&CrateIndex> = indexes.iter().map(|open| &open.index).collect();
        let views = find_item(&all, &path);
        if views.is_empty() {
            let own: Vec<&CrateIndex> = all.into_iter().take(1).collect();
            if let Some(feature) = own.iter().find_map(|index| find_off_name(index, rest)?.feature.as_deref()) {
                return Err(refuse_off(&path, feature));
            }
            let near = search_words(&own, &rest.replace("::", " ")).hits.into_iter().take(SUGGESTIONS);
            let near: Vec<String> = near.map(|hit| format!("{} ({})", hit.full_path(), hit.item.kind.word())).collect();
            let title = own.first().map(|index| format!("`{}` {}", index.name, index.package.version));
            let message = format!("{} has no public item `{rest}`", title.unwrap_or_default());
            let error = if near.is_empty() {
                CliError::no(message)
            } else {
                CliError::no(format!("{message}; the nearest are:")).list(near)
            };
            return Err(error.hint(format!("run `symposium api {}` to list its items", found.name)));
        }
        let mut report = self.report_views(&views, &indexes);
        // What another crate re-exports as a whole is called as it was asked for.
        if let ApiAnswer::Items(items) = &mut report.answer
            && let [item] = items.as_mut_slice()
            && !item.item.path.starts_with(&format!("{}::", found.name))
        {
            let before = std::mem::replace(&mut item.item.path, path.clone());
            for member in &mut item.members {
                member.path = member.path.replacen(&before, &path, 1);
            }
        }
        report.crates.iter_mut().take(1).for_each(|row| row.others.clone_from(&found.others));
        Ok(report)
    }

    /// Finds a single name: that of an item, else words.
    pub(super) fn find_name(&self, name: &str) -> Result<ApiReport, CliError> {
        match self.find_everywhere(name) {
            Some(report) => Ok(report),
            None => self.find_words(name),
        }
    }

    /// Finds items by words.
    pub(super) fn find_words(&self, question: &str) -> Result<ApiReport, CliError> {
        let loaded = self.load_scope();
        let indexes: Vec<OpenIndex> = (loaded.found.iter())
            .map(|(position, stored)| self.open(stored.unpack_matching(question), *position))
            .collect();
        let all: Vec<&CrateIndex> = indexes.iter().map(|open| &open.index).collect();
        let hits = search_words(&all, question);
        if hits.hits.is_empty() {
            return Err(self.unknown(question));
        }
        let items = hits.hits.iter().map(|hit: &SearchHit<'_>| self.rows(hit.index, &indexes).make(hit.item));
        let items = items.collect();
        let crates = indexes.iter().map(|open| ApiCrateRow::new(&open.index, Vec::new())).chain(loaded.missing);
        let answer = ApiAnswer::Hits { items, more: hits.more };
        Ok(ApiReport { crates: crates.collect(), answer, hints: Vec::new() })
    }

    /// Finds a path or the end of one in every crate that could have it.
    fn find_everywhere(&self, path: &str) -> Option<ApiReport> {
        let loaded = self.load_scope();
        let fitting = loaded.found.iter().filter(|(_, stored)| stored.may_have(path));
        let indexes: Vec<OpenIndex> = fitting.map(|(position, stored)| self.open(stored.unpack(), *position)).collect();
        let all: Vec<&CrateIndex> = indexes.iter().map(|open| &open.index).collect();
        let mut views = find_item(&all, path);
        self.remove_copies(&mut views, &indexes);
        (!views.is_empty()).then(|| self.report_views(&views, &indexes))
    }

    /// Finds a member of the type that an alias stands for, which may be of another crate.
    fn find_through_alias(&self, path: &str) -> Option<Result<ApiReport, CliError>> {
        let (owner, member) = path.rsplit_once("::")?;
        let loaded = self.load_scope();
        let fitting = loaded.found.iter().filter(|(_, stored)| stored.may_have(owner));
        let indexes: Vec<OpenIndex> = fitting.map(|(position, stored)| self.open(stored.unpack(), *position)).collect();
        let all: Vec<&CrateIndex> = indexes.iter().map(|open| &open.index).collect();
        let views = find_item(&all, owner);
        let alias = views.iter().find(|view| view.item.aliased.is_some())?;
        Some(self.find_path(&format!("{}::{member}", alias.full_path()), None))
    }

    fn open(&self, index: CrateIndex, position: usize) -> OpenIndex {
        OpenIndex { position, index: self.workspace.rename(index, position) }
    }

    fn rows<'r>(&'r self, index: &'r CrateIndex, indexes: &[OpenIndex]) -> RowMaker<'r> {
        RowMaker::new(self.workspace, index, position_in(indexes, index))
    }

    fn load_scope(&self) -> LoadedIndexes {
        let positions = self.workspace.positions(self.reach == ApiReach::Everything);
        let mut loaded = LoadedIndexes { found: Vec::new(), missing: Vec::new() };
        for (position, stored) in positions.iter().zip(self.store.load_all(&positions)) {
            match stored {
                Ok(stored) => loaded.found.push((*position, stored)),
                Err(fault) => loaded.missing.extend(ApiCrateRow::without_index(self.workspace, *position, fault)),
            }
        }
        loaded
    }

    /// Adds the crates that a path leads into: they are re-exported as a whole, or have the type of an alias.
    fn add_linked(&self, indexes: &mut Vec<OpenIndex>, rest: &str) {
        let mut rest = rest.to_owned();
        for _ in 0..MOST_LINKS {
            let Some(last) = indexes.last() else { return };
            let Some(link) = follow_link(&last.index, &rest) else { return };
            let Some(position) = self.workspace.position_of(&link.package, last.position) else { return };
            let Ok(index) = self.load(position) else { return };
            indexes.push(OpenIndex { position, index });
            rest = link.path;
        }
    }

    fn report_views(&self, views: &[ItemView<'_>], indexes: &[OpenIndex]) -> ApiReport {
        let mut crates: Vec<ApiCrateRow> = Vec::new();
        for view in views {
            if !crates.iter().any(|row| row.name == view.index.name && row.version == view.index.package.version) {
                crates.push(ApiCrateRow::new(view.index, Vec::new()));
            }
        }
        let row = |view: &ItemView<'_>| self.rows(view.index, indexes).make(view.item);
        let answer = if views.len() > MOST_VIEWS {
            let items = views.iter().take(MOST_HITS).map(row).collect();
            ApiAnswer::Hits { items, more: views.len().saturating_sub(MOST_HITS) }
        } else {
            ApiAnswer::Items(views.iter().map(|view| self.report_item(view, indexes)).collect())
        };
        ApiReport { crates, answer, hints: Vec::new() }
    }

    fn report_item(&self, view: &ItemView<'_>, indexes: &[OpenIndex]) -> ItemReport {
        let rows = self.rows(view.index, indexes);
        let member_rows = self.rows(view.member_index, indexes);
        let origin = view.item.origin.and_then(|origin| view.index.origins.get(usize::from(origin)));
        let package = &view.index.package;
        ItemReport {
            item: rows.make(view.item),
            home: format!("{} {}", package.name, package.version),
            members: view.members.iter().map(|member| member_rows.make(member)).collect(),
            reexports: (view.reexports.iter())
                .map(|found| ReexportRow { name: found.name.to_owned(), item: rows.make(found.item) })
                .collect(),
            implements: view.item.implements.clone(),
            other_paths: view.other_paths.clone(),
            defined_in: origin.map(|package| format!("{} {}", package.name, package.version)),
        }
    }

    /// Keeps one of the items that are the same, re-exported by several crates: the one that is defined there.
    fn remove_copies(&self, views: &mut Vec<ItemView<'_>>, indexes: &[OpenIndex]) {
        views.sort_by_key(|view| view.item.origin.is_some());
        let mut seen = HashSet::new();
        views.retain(|view| {
            let position = position_in(indexes, view.index);
            let origin = view.item.origin.and_then(|origin| view.index.origins.get(usize::from(origin)));
            let home = origin.map_or(Some(position), |package| self.workspace.position_of(package, position));
            seen.insert((home, view.item.file.clone(), view.item.line, view.item.name().to_owned(), view.item.kind))
        });
    }

    fn unknown(&self, query: &str) -> CliError {
        let (place, hint) = match self.reach {
            ApiReach::Direct => ("the direct dependencies", "pass `--all` to search every crate in Cargo.lock"),
            ApiReach::Everything => {
                ("the crates in Cargo.lock", "run `symposium api NAME` to list the items of a crate")
            }
        };
        CliError::no(format!("No item in {place} matches `{query}`")).hint(hint)
    }
}

/// The error for a re-export that features that are off leave out, with the crate that it is from.
fn refuse_off(path: &str, feature: &str) -> CliError {
    let (needs, them) = if feature.contains(' ') {
        (format!("the features `{feature}`, which are not all on"), "them")
    } else {
        (format!("the feature `{feature}`, which is off"), "it")
    };
    CliError::no(format!("`{path}` needs {needs}"))
        .hint(format!("turn {them} on in Cargo.toml; only then is the crate locked that has the item"))
}

/// The position of the package of an index.
fn position_in(indexes: &[OpenIndex], index: &CrateIndex) -> usize {
    let found = indexes.iter().find(|open| std::ptr::eq(&raw const open.index, index));
    found.map_or(usize::MAX, |open| open.position)
}
