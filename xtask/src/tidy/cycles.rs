//! No circle of modules: inside a crate, modules of the same parent use each other in one direction only.
//!
//! What counts is an edge between siblings. If `a::x` uses `b::y`, then `a` depends on `b` at the level of their common
//! parent; the same rule holds in every folder. A parent may use and re-export its children, and a child may use what
//! its parent itself defines: neither is an edge. A re-exported item counts for the module that defines it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::module_names::Names;
use super::module_tree::{Module, Scope, modules, roots};
use super::source_file::SourceFile;
use super::violation::Violation;

/// Finds the circles in the crates that live in `folders`.
pub(super) fn check(files: &[SourceFile], folders: &[&str]) -> Vec<Violation> {
    folders
        .iter()
        .flat_map(|folder| roots(files, folder))
        .flat_map(|root| circles(&modules(files, root, Scope::Shipped), root))
        .collect()
}

/// Where one module uses another: file and line.
type Places = Vec<(String, usize)>;
/// For each module of one parent, the siblings it uses.
type Uses = BTreeMap<String, BTreeMap<String, Places>>;

fn circles(modules: &[Module], root: &str) -> Vec<Violation> {
    let names = Names::of(modules);
    let mut levels: BTreeMap<Vec<String>, Uses> = BTreeMap::new();
    for (module, reference) in names.references() {
        let Some(target) = names.module_of(&module.path, &reference.parts) else { continue };
        let shared = module.path.iter().zip(&target).take_while(|(from, to)| from == to).count();
        let (Some(from), Some(to)) = (module.path.get(shared), target.get(shared)) else { continue };
        let parent = target.iter().take(shared).cloned().collect();
        let uses = levels.entry(parent).or_default().entry(from.clone()).or_default();
        uses.entry(to.clone()).or_default().push((module.file.clone(), reference.line));
    }
    levels
        .iter()
        .flat_map(|(parent, uses)| shortest_circles(uses).into_iter().map(|c| describe(root, parent, &c, uses)))
        .collect()
}

/// One circle, as short as possible, for each knot of modules that all reach each other.
fn shortest_circles(uses: &Uses) -> Vec<Vec<&str>> {
    let mut in_a_knot: BTreeSet<&str> = BTreeSet::new();
    let mut circles = Vec::new();
    for start in uses.keys() {
        if in_a_knot.contains(start.as_str()) {
            continue;
        }
        let reached = reach(uses, start);
        let knot: BTreeSet<&str> =
            reached.keys().copied().filter(|module| reach(uses, module).contains_key(start.as_str())).collect();
        in_a_knot.extend(&knot);
        circles.extend(knot.iter().filter_map(|module| circle_from(uses, module)).min_by_key(Vec::len));
    }
    circles
}

/// The shortest way from a module back to itself.
fn circle_from<'a>(uses: &'a Uses, start: &'a str) -> Option<Vec<&'a str>> {
    let reached = reach(uses, start);
    let mut circle = vec![start];
    let mut at = *reached.get(start)?;
    while at != start {
        circle.push(at);
        at = reached.get(at)?;
    }
    circle.push(start);
    circle.reverse();
    Some(circle)
}

/// The modules that `start` reaches, nearest first, each with the module before it.
fn reach<'a>(uses: &'a Uses, start: &'a str) -> BTreeMap<&'a str, &'a str> {
    let mut reached = BTreeMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(from) = waiting.pop_front() {
        for to in uses.get(from).into_iter().flat_map(BTreeMap::keys) {
            if !reached.contains_key(to.as_str()) {
                reached.insert(to.as_str(), from);
                waiting.push_back(to);
            }
        }
    }
    reached
}

/// How many places are shown for one step of a circle.
const SHOWN: usize = 3;

fn describe(root: &str, parent: &[String], circle: &[&str], uses: &Uses) -> Violation {
    let mut first = None;
    let mut steps = Vec::new();
    for pair in circle.windows(2) {
        let [from, to] = pair else { continue };
        let places = uses.get(*from).and_then(|uses| uses.get(*to)).map_or(&[][..], Vec::as_slice);
        let shown: Vec<String> = places.iter().take(SHOWN).map(|(file, line)| format!("{file}:{line}")).collect();
        let more = places.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        steps.push(format!("\n    `{from}` uses `{to}` at {}{more}", shown.join(", ")));
        first = first.or_else(|| places.first().cloned());
    }
    let (file, line) = first.unwrap_or_else(|| (root.to_owned(), 1));
    let level = if parent.is_empty() { "crate".to_owned() } else { format!("crate::{}", parent.join("::")) };
    Violation {
        file,
        line,
        message: format!("Modules of `{level}` form a circle: {}{}", circle.join(" -> "), steps.concat()),
        fix: "move what both need into a module that neither of them contains, or turn one of the uses around"
            .to_owned(),
    }
}

#[cfg(test)]
#[path = "cycles_tests.rs"]
mod tests;
