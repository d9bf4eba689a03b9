//! Rustdoc's side: the public items of a crate, each with all its paths.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use serde_json::Value;
use symposium_api::{ItemKind, PackageId};

use super::graph::{PackageGraph, list, text};
use super::render::render_signature;
use super::scratch::ScratchProject;

const MOST_DEPTH: usize = 14;

/// An item as rustdoc has it.
#[derive(Debug, Clone)]
pub(super) struct TrueItem {
    pub(super) kind: ItemKind,
    pub(super) paths: BTreeSet<String>,
    pub(super) signature: Option<String>,
    /// The file and line, for items of the crate itself.
    pub(super) place: Option<(String, u64)>,
}

/// Everything public of one crate.
pub(super) struct TrueItems {
    pub(super) items: Vec<TrueItem>,
    /// Paths below which rustdoc says nothing: items of crates that cannot be looked up.
    pub(super) opaque: BTreeSet<String>,
}

/// Keeps rustdoc's JSON of packages.
pub(super) struct DocStore<'a> {
    project: &'a ScratchProject,
    graph: &'a PackageGraph,
    docs: HashMap<PackageId, Option<Rc<CrateDoc>>>,
}

struct CrateDoc {
    package: PackageId,
    value: Value,
    /// Numbers of items by path and kind.
    by_path: HashMap<(Vec<String>, String), String>,
}

type ItemKey = (PackageId, String, Option<&'static str>);

struct TruthWalk {
    items: BTreeMap<ItemKey, TrueItem>,
    opaque: BTreeSet<String>,
    home: PackageId,
}

impl<'a> DocStore<'a> {
    pub(super) fn new(project: &'a ScratchProject, graph: &'a PackageGraph) -> Self {
        Self { project, graph, docs: HashMap::new() }
    }

    fn doc(&mut self, package: &PackageId) -> Option<Rc<CrateDoc>> {
        if let Some(known) = self.docs.get(package) {
            return known.clone();
        }
        let lib = &self.graph.entry(package)?.source.name;
        let doc = match self.project.document(&package.name, &package.version, lib) {
            Ok(value) => Some(Rc::new(CrateDoc::new(package, value))),
            Err(why) => {
                crate::print::talk(&format!("{} {}: {why}", package.name, package.version));
                None
            }
        };
        self.docs.insert(package.clone(), doc.clone());
        doc
    }

    /// Lists the public items of a package.
    pub(super) fn public_items(&mut self, package: &PackageId) -> Result<TrueItems, String> {
        let doc = self.doc(package).ok_or("rustdoc made nothing")?;
        let root = doc.root();
        let mut walk = TruthWalk { items: BTreeMap::new(), opaque: BTreeSet::new(), home: package.clone() };
        self.visit_module(&doc, &root, "", 0, &mut walk);
        Ok(TrueItems { items: walk.items.into_values().collect(), opaque: walk.opaque })
    }

    fn visit_module(&mut self, doc: &Rc<CrateDoc>, id: &str, path: &str, depth: usize, walk: &mut TruthWalk) {
        let Some(module) = doc.inner(id, "module") else { return };
        if depth > MOST_DEPTH {
            return;
        }
        for child in list(module, "items").map(number) {
            self.visit_child(doc, &child, path, depth, walk);
        }
    }

    fn visit_child(&mut self, doc: &Rc<CrateDoc>, id: &str, path: &str, depth: usize, walk: &mut TruthWalk) {
        let Some(item) = doc.item(id) else { return };
        let Some(import) = item.get("inner").and_then(|inner| inner.get("use")) else {
            let name = text(item, "name").to_owned();
            return self.visit_item(doc, id, &join(path, &name), depth, walk);
        };
        let Some(target) = import.get("id").filter(|id| !id.is_null()).map(number) else { return };
        let is_glob = import.get("is_glob").and_then(Value::as_bool) == Some(true);
        let Some((doc, target)) = self.follow(doc, &target) else {
            let summary = doc.value.get("paths").and_then(|paths| paths.get(&target));
            let path = join(path, text(import, "name"));
            match summary {
                Some(summary) if !is_glob => walk.add_external(doc, &target, text(summary, "kind"), path),
                // Something below a hidden module: the JSON keeps its re-export, but not the item.
                None if !is_glob => {
                    walk.opaque.insert(path);
                }
                _ => {}
            }
            return;
        };
        match (is_glob, doc.inner(&target, "enum")) {
            (true, Some(target)) => {
                for variant in list(target, "variants").map(number) {
                    self.visit_child(&doc, &variant, path, depth, walk);
                }
            }
            (true, None) => self.visit_module(&doc, &target, path, depth + 1, walk),
            (false, _) => self.visit_item(&doc, &target, &join(path, text(import, "name")), depth, walk),
        }
    }

    /// Finds an item that may be in another crate.
    fn follow(&mut self, doc: &Rc<CrateDoc>, id: &str) -> Option<(Rc<CrateDoc>, String)> {
        if doc.item(id).is_some() {
            return Some((Rc::clone(doc), id.to_owned()));
        }
        let summary = doc.value.get("paths")?.get(id)?;
        let path: Vec<String> = list(summary, "path").filter_map(Value::as_str).map(str::to_owned).collect();
        let package = self.graph.find_crate(&doc.package, path.first()?)?;
        let other = self.doc(&package)?;
        let found = other.by_path.get(&(path, text(summary, "kind").to_owned()))?.clone();
        other.item(&found)?;
        Some((other, found))
    }

    fn visit_item(&mut self, doc: &Rc<CrateDoc>, id: &str, path: &str, depth: usize, walk: &mut TruthWalk) {
        let Some(item) = doc.item(id) else { return };
        let Some((word, inner)) = item.get("inner").and_then(Value::as_object).and_then(|inner| inner.iter().next())
        else {
            return;
        };
        if word == "use" {
            let parent = path.rsplit_once("::").map_or("", |(parent, _)| parent);
            return self.visit_child(doc, id, parent, depth + 1, walk);
        }
        let Some(kind) = kind_of(word, inner) else { return };
        let is_new = walk.add(doc, id, kind, path.to_owned(), None);
        match word.as_str() {
            // The root of another crate is one item.
            "module" if doc.root() == id && !path.is_empty() => {
                walk.opaque.insert(path.to_owned());
            }
            "module" if is_new || depth < 6 => self.visit_module(doc, id, path, depth + 1, walk),
            "trait" => visit_members(doc, list(inner, "items").map(number), path, walk),
            "struct" | "enum" | "union" => {
                visit_members(doc, list(inner, "variants").map(number), path, walk);
                visit_fields(doc, inner, path, walk);
                for block in list(inner, "impls").map(number) {
                    if let Some(block) = doc.inner(&block, "impl")
                        && block.get("trait").is_none_or(Value::is_null)
                    {
                        visit_members(doc, list(block, "items").map(number), path, walk);
                    }
                }
            }
            _ => {}
        }
        if word == "trait" {
            for block in doc.object_impls(id) {
                visit_members(doc, block.into_iter(), path, walk);
            }
        }
    }
}

fn visit_members(doc: &Rc<CrateDoc>, ids: impl Iterator<Item = String>, path: &str, walk: &mut TruthWalk) {
    for id in ids {
        let Some(item) = doc.item(&id) else { continue };
        let inner = item.get("inner").and_then(Value::as_object).and_then(|inner| inner.iter().next());
        let kind = match inner.map(|(word, _)| word.as_str()) {
            Some("function") => ItemKind::Method,
            Some("assoc_const") => ItemKind::Const,
            Some("assoc_type") => ItemKind::Type,
            Some("variant") => ItemKind::Variant,
            _ => continue,
        };
        walk.add(doc, &id, kind, join(path, text(item, "name")), Some("member"));
    }
}

fn visit_fields(doc: &Rc<CrateDoc>, inner: &Value, path: &str, walk: &mut TruthWalk) {
    let plain = inner.get("kind").and_then(|kind| kind.get("plain")).unwrap_or(inner);
    for id in list(plain, "fields").map(number) {
        if let Some(item) = doc.item(&id)
            && text(item, "visibility") == "public"
        {
            walk.add(doc, &id, ItemKind::Field, join(path, text(item, "name")), Some("member"));
        }
    }
}

impl TruthWalk {
    /// Adds a path; true for an item that was not there before.
    fn add(&mut self, doc: &CrateDoc, id: &str, kind: ItemKind, path: String, member: Option<&'static str>) -> bool {
        let is_own = doc.package == self.home;
        let key = (doc.package.clone(), id.to_owned(), member);
        let is_new = !self.items.contains_key(&key);
        let entry = self.items.entry(key).or_insert_with(|| TrueItem {
            kind,
            paths: BTreeSet::new(),
            signature: doc.item(id).and_then(render_signature),
            place: doc.item(id).filter(|_| is_own).and_then(place_of),
        });
        entry.paths.insert(path);
        is_new
    }

    fn add_external(&mut self, doc: &CrateDoc, id: &str, kind: &str, path: String) {
        let Some(kind) = kind_of(kind, &Value::Null) else { return };
        self.opaque.insert(path.clone());
        let key = (doc.package.clone(), format!("external {id}"), None);
        let new = TrueItem { kind, paths: BTreeSet::new(), signature: None, place: None };
        self.items.entry(key).or_insert(new).paths.insert(path);
    }
}

impl CrateDoc {
    fn new(package: &PackageId, value: Value) -> Self {
        let mut by_path = HashMap::new();
        for (id, summary) in value.get("paths").and_then(Value::as_object).into_iter().flatten() {
            if summary.get("crate_id").and_then(Value::as_u64) == Some(0) {
                let path = list(summary, "path").filter_map(Value::as_str).map(str::to_owned).collect();
                by_path.insert((path, text(summary, "kind").to_owned()), id.clone());
            }
        }
        Self { package: package.clone(), value, by_path }
    }

    fn root(&self) -> String {
        self.value.get("root").map(number).unwrap_or_default()
    }

    fn item(&self, id: &str) -> Option<&Value> {
        self.value.get("index")?.get(id)
    }

    fn inner(&self, id: &str, word: &str) -> Option<&Value> {
        self.item(id)?.get("inner")?.get(word)
    }

    /// The members of blocks `impl dyn Trait`, which no item lists.
    fn object_impls(&self, id: &str) -> Vec<Vec<String>> {
        let items = self.value.get("index").and_then(Value::as_object).into_iter().flatten();
        let blocks = items.filter_map(|(_, item)| item.get("inner")?.get("impl"));
        let ours = blocks.filter(|block| {
            let traits = block.get("for").and_then(|target| target.get("dyn_trait"));
            let first = traits.and_then(|object| list(object, "traits").next());
            block.get("trait").is_none_or(Value::is_null)
                && first.and_then(|first| first.get("trait")?.get("id")).map(number).as_deref() == Some(id)
        });
        ours.map(|block| list(block, "items").map(number).collect()).collect()
    }
}

fn kind_of(word: &str, inner: &Value) -> Option<ItemKind> {
    Some(match word {
        "module" | "extern_crate" => ItemKind::Module,
        "struct" => ItemKind::Struct,
        "enum" => ItemKind::Enum,
        "union" => ItemKind::Union,
        "trait" | "trait_alias" => ItemKind::Trait,
        "function" => ItemKind::Function,
        "constant" => ItemKind::Const,
        "static" => ItemKind::Static,
        "type_alias" | "extern_type" => ItemKind::Type,
        "macro" => ItemKind::Macro,
        "variant" => ItemKind::Variant,
        "proc_attribute" => ItemKind::Attribute,
        "proc_derive" => ItemKind::Derive,
        "proc_macro" => match text(inner, "kind") {
            "attr" => ItemKind::Attribute,
            "derive" => ItemKind::Derive,
            _ => ItemKind::Macro,
        },
        _ => return None,
    })
}

fn place_of(item: &Value) -> Option<(String, u64)> {
    let span = item.get("span")?;
    Some((text(span, "filename").to_owned(), list(span, "begin").next()?.as_u64()?))
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") }
}

fn number(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
