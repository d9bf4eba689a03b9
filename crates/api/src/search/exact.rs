//! One item, by its path or the end of it.

use super::rank::full_path;
use crate::index::{ApiItem, CrateIndex, OffName};

const MOST_LINKS: usize = 8;

/// An item with everything that belongs to it.
#[derive(Debug, Clone)]
pub struct ItemView<'a> {
    pub index: &'a CrateIndex,
    pub item: &'a ApiItem,
    /// Methods, variants, fields, or the items of a module.
    pub members: Vec<&'a ApiItem>,
    /// Other public paths, with the name of the crate.
    pub other_paths: Vec<String>,
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
            found.extend(fitting.map(|item| view(index, item)));
        }
    }
    found
}

/// Finds a re-export of something that is not known, because features are off.
pub fn find_off_name<'a>(index: &'a CrateIndex, path: &str) -> Option<&'a OffName> {
    let path = listed_path(index, path.trim_end_matches("()").trim_end_matches('!'));
    index.off_names.iter().find(|name| name.path == path)
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
    let first = index.items.partition_point(|item| item.path.as_str() < path.as_str());
    let same = index.items.iter().skip(first).take_while(|item| item.path == path);
    let before = found.len();
    found.extend(same.filter(|item| !item.is_hidden).map(|item| view(index, item)));
    if found.len() > before || links > MOST_LINKS {
        return;
    }
    // Below a crate that is re-exported as a whole.
    for item in &index.items {
        if let Some(package) = &item.whole_crate
            && let Some(rest) = strip_crate(&path, &item.path)
            && let Some(other) = indexes.iter().find(|other| other.package == *package)
        {
            find_in(indexes, other, rest, links + 1, found);
        }
    }
}

/// The path under which something is listed that is asked for by an alias, or by a path through one.
fn listed_path(index: &CrateIndex, path: &str) -> String {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let alias = index.aliases.iter().find(|alias| {
            path.strip_prefix(alias.alias.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
                && !index.items.iter().any(|item| item.path == path)
        });
        match alias {
            Some(alias) => path = format!("{}{}", alias.path, path.get(alias.alias.len()..).unwrap_or_default()),
            None => break,
        }
    }
    path
}

fn view<'a>(index: &'a CrateIndex, item: &'a ApiItem) -> ItemView<'a> {
    let below = if item.path.is_empty() { String::new() } else { format!("{}::", item.path) };
    let first = index.items.partition_point(|other| other.path.as_str() < below.as_str());
    let members = index.items.iter().skip(first).take_while(|other| other.path.starts_with(&below));
    let members =
        members.filter(|other| !other.is_hidden && !other.path.is_empty() && other.parent() == item.path).collect();
    let aliases = index.aliases.iter().filter(|alias| alias.path == item.path && !alias.is_hidden);
    let other_paths = aliases.map(|alias| format!("{}::{}", index.name, alias.alias)).collect();
    ItemView { index, item, members, other_paths }
}
