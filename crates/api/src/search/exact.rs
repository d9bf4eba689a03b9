//! One item, by its path or the end of it.

use super::rank::full_path;
use crate::index::{ApiItem, CrateIndex, ItemKind};
use crate::source::PackageId;

const MOST_LINKS: usize = 8;

/// An item with everything that belongs to it.
#[derive(Debug, Clone)]
pub struct ItemView<'a> {
    pub index: &'a CrateIndex,
    pub item: &'a ApiItem,
    /// Methods, variants, fields, or the items of a module. A type alias has those of the type it stands for.
    pub members: Vec<&'a ApiItem>,
    /// The index that the members are in.
    pub member_index: &'a CrateIndex,
    /// For a module: items that it re-exports and that are listed under another path.
    pub reexports: Vec<ItemReexport<'a>>,
    /// Other public paths, with the name of the crate.
    pub other_paths: Vec<String>,
}

/// An item that a module re-exports.
#[derive(Debug, Clone, Copy)]
pub struct ItemReexport<'a> {
    /// The name that it has in the module.
    pub name: &'a str,
    pub item: &'a ApiItem,
}

/// A path that leads into another crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrateLink {
    pub package: PackageId,
    /// The path without the crate.
    pub path: String,
}

impl ItemView<'_> {
    /// The path with the name of the crate.
    pub fn full_path(&self) -> String {
        full_path(self.index, self.item)
    }
}

/// Finds items by a path such as `tokio::sync::Semaphore`, `Semaphore::acquire` or `axum::http::Uri`. A whole path goes
/// before the end of one; what is hidden is not found.
pub fn find_item<'a>(indexes: &[&'a CrateIndex], path: &str) -> Vec<ItemView<'a>> {
    let path = path.trim().trim_start_matches("::").trim_end_matches("()").trim_end_matches('!');
    let mut found = Vec::new();
    for index in indexes {
        if let Some(rest) = strip_crate(path, &index.name) {
            find_in(indexes, index, rest, 0, &mut found);
        }
    }
    if found.is_empty() {
        for index in indexes {
            find_in(indexes, index, path, 0, &mut found);
        }
    }
    if found.is_empty() {
        let ending = format!("::{path}");
        for index in indexes {
            let fitting = index.items.iter().filter(|item| !item.is_hidden && item.path.ends_with(&ending));
            found.extend(fitting.map(|item| view(indexes, index, item)));
        }
    }
    found
}

/// Finds a re-export of something that is not known, because features are off.
pub fn find_off_name<'a>(index: &'a CrateIndex, path: &str) -> Option<&'a ApiItem> {
    let path = listed_path(index, path.trim_end_matches("()").trim_end_matches('!'));
    index.off_names.iter().find(|name| name.path == path)
}

/// Finds the other crate that a path leads into: one that is re-exported as a whole, or that has the type of an alias.
pub fn follow_link(index: &CrateIndex, path: &str) -> Option<CrateLink> {
    let path = listed_path(index, path);
    index.items.iter().filter(|item| !item.is_hidden).find_map(|item| {
        let rest = strip_crate(&path, &item.path)?;
        if let Some(package) = &item.whole_crate {
            return Some(CrateLink { package: package.clone(), path: rest.to_owned() });
        }
        let aliased = item.aliased.as_ref()?;
        Some(CrateLink { package: aliased.package.clone()?, path: join(&aliased.path, rest) })
    })
}

fn join(path: &str, rest: &str) -> String {
    if rest.is_empty() { path.to_owned() } else { format!("{path}::{rest}") }
}

fn strip_crate<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    if path == name {
        return Some("");
    }
    path.strip_prefix(name)?.strip_prefix("::")
}

fn find_in<'a>(
    indexes: &[&'a CrateIndex],
    index: &'a CrateIndex,
    path: &str,
    links: usize,
    found: &mut Vec<ItemView<'a>>,
) {
    let path = listed_path(index, path);
    let link = follow_link(index, &path).filter(|_| links <= MOST_LINKS);
    let linked = link.as_ref().and_then(|link| indexes.iter().find(|other| other.package == link.package));
    let first = index.items.partition_point(|item| item.path.as_str() < path.as_str());
    let same = index.items.iter().skip(first).take_while(|item| item.path == path);
    // A crate that is re-exported as a whole is shown as itself.
    let shown = same.filter(|item| !item.is_hidden && (item.whole_crate.is_none() || linked.is_none()));
    let before = found.len();
    found.extend(shown.map(|item| view(indexes, index, item)));
    if found.len() == before
        && let (Some(link), Some(other)) = (&link, linked)
    {
        find_in(indexes, other, &link.path, links + 1, found);
    }
}

/// The path under which something is listed that is asked for by an alias, or by a path through one.
fn listed_path(index: &CrateIndex, path: &str) -> String {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if index.items.iter().any(|item| item.path == path) {
            break;
        }
        let by_alias =
            index.aliases.iter().find_map(|alias| strip_crate(&path, &alias.alias).map(|rest| join(&alias.path, rest)));
        let by_type = || {
            let own = index.items.iter().filter_map(|item| Some((item, item.aliased.as_ref()?)));
            let mut own = own.filter(|(_, aliased)| aliased.package.is_none());
            own.find_map(|(item, aliased)| strip_crate(&path, &item.path).map(|rest| join(&aliased.path, rest)))
        };
        match by_alias.or_else(by_type) {
            Some(listed) => path = listed,
            None => break,
        }
    }
    path
}

fn view<'a>(indexes: &[&'a CrateIndex], index: &'a CrateIndex, item: &'a ApiItem) -> ItemView<'a> {
    let (member_index, owner) = member_owner(indexes, index, item);
    let is_inside = |alias: &str| item.kind == ItemKind::Module && strip_crate(alias, &item.path).is_some();
    let aliases = index.aliases.iter().filter(|alias| alias.path == item.path && !alias.is_hidden);
    // What is below a module is something else of the same name.
    let aliases = aliases.filter(|alias| !is_inside(&alias.alias));
    let other_paths = aliases.map(|alias| format!("{}::{}", index.name, alias.alias)).collect();
    let members = list_members(member_index, owner);
    let reexports = if item.kind == ItemKind::Module { list_reexports(index, &item.path) } else { Vec::new() };
    ItemView { index, item, members, member_index, reexports, other_paths }
}

/// Finds what has the members of an item: itself, or the type that it is an alias of.
fn member_owner<'a>(
    indexes: &[&'a CrateIndex],
    index: &'a CrateIndex,
    item: &'a ApiItem,
) -> (&'a CrateIndex, &'a ApiItem) {
    let mut owner = (index, item);
    for _ in 0..MOST_LINKS {
        let (index, item) = owner;
        let Some(aliased) = &item.aliased else { break };
        let home = match &aliased.package {
            Some(package) => indexes.iter().find(|other| other.package == *package).copied(),
            None => Some(index),
        };
        let found = home.and_then(|home| Some((home, home.items.iter().find(|other| other.path == aliased.path)?)));
        match found {
            Some(found) => owner = found,
            None => break,
        }
    }
    owner
}

fn list_members<'a>(index: &'a CrateIndex, owner: &ApiItem) -> Vec<&'a ApiItem> {
    if !owner.kind.has_members() {
        return Vec::new();
    }
    let below = if owner.path.is_empty() { String::new() } else { format!("{}::", owner.path) };
    let first = index.items.partition_point(|other| other.path.as_str() < below.as_str());
    let members = index.items.iter().skip(first).take_while(|other| other.path.starts_with(&below));
    let members = members.filter(|other| !other.is_hidden && !other.path.is_empty()).chain(&index.off_names);
    members.filter(|other| other.parent() == owner.path).collect()
}

/// Lists what a module re-exports under a path that is not the one it is listed under. Hidden re-exports are listed if there
/// are no others, as in some preludes.
fn list_reexports<'a>(index: &'a CrateIndex, module: &str) -> Vec<ItemReexport<'a>> {
    let (mut shown, mut hidden) = (Vec::new(), Vec::new());
    for alias in &index.aliases {
        let (parent, name) = alias.alias.rsplit_once("::").unwrap_or(("", &alias.alias));
        if parent == module {
            let first = index.items.partition_point(|item| item.path.as_str() < alias.path.as_str());
            let items = index.items.iter().skip(first).take_while(|item| item.path == alias.path);
            let is_itself = |item: &ApiItem| item.kind == ItemKind::Module && item.path == module;
            let items = items.filter(|item| !item.is_hidden && !is_itself(item));
            let list = if alias.is_hidden { &mut hidden } else { &mut shown };
            list.extend(items.map(|item| ItemReexport { name, item }));
        }
    }
    if shown.is_empty() { hidden } else { shown }
}
