//! The modules of a crate: found by following `mod` declarations from its root file.

use std::collections::BTreeSet;

use super::rust_text::Token;
use super::source_file::SourceFile;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Shipped,
    Everything,
}

/// A module and its own code, without that of the modules inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Module {
    /// Names from the crate root down; empty for the root.
    pub(super) path: Vec<String>,
    /// The file it is written in.
    pub(super) file: String,
    pub(super) tokens: Vec<Token>,
}

/// The modules of the crate whose root is the file `root`, parents first.
///
/// A declared module whose file is missing is left out: that is the compiler's complaint to make.
pub(super) fn modules(files: &[SourceFile], root: &str, scope: Scope) -> Vec<Module> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut waiting = vec![Waiting { path: Vec::new(), file: root.to_owned(), folder: folder.to_owned() }];
    while let Some(next) = waiting.pop() {
        let Some(file) = files.iter().find(|file| file.path == next.file) else { continue };
        if seen.insert(next.file.clone()) {
            let (modules, declared) = read(file, &next, scope);
            found.extend(modules);
            waiting.extend(declared.into_iter().rev().filter_map(|declared| locate(files, declared)));
        }
    }
    found
}

/// The root files of the crate in `folder`: its library and its programs.
pub(super) fn roots<'a>(files: &'a [SourceFile], folder: &str) -> Vec<&'a str> {
    let is_root = |path: &str| {
        path.strip_prefix(folder).and_then(|rest| rest.strip_prefix("/src/")).is_some_and(|rest| {
            matches!(rest, "lib.rs" | "main.rs")
                || rest
                    .strip_prefix("bin/")
                    .and_then(|rest| rest.strip_suffix(".rs"))
                    .is_some_and(|program| program.ends_with("/main") || !program.contains('/'))
        })
    };
    files.iter().map(|file| file.path.as_str()).filter(|path| is_root(path)).collect()
}

/// A file to be read as a module.
struct Waiting {
    path: Vec<String>,
    file: String,
    /// Where the files of its child modules are.
    folder: String,
}

/// A `mod name;` and where its file may be.
struct Declared {
    path: Vec<String>,
    /// From a `#[path]` attribute.
    named: Option<String>,
    folder: String,
}

fn locate(files: &[SourceFile], declared: Declared) -> Option<Waiting> {
    let name = declared.path.last()?.clone();
    let own_folder = join(&declared.folder, &name);
    let candidates = match declared.named {
        // A file named by an attribute is treated like a `mod.rs`: its children are beside it.
        Some(file) => {
            let folder = file.rsplit_once('/').map_or_else(String::new, |(folder, _)| folder.to_owned());
            vec![(file, folder)]
        }
        None => {
            vec![(format!("{own_folder}.rs"), own_folder.clone()), (format!("{own_folder}/mod.rs"), own_folder.clone())]
        }
    };
    let (file, folder) = candidates.into_iter().find(|(path, _)| files.iter().any(|file| file.path == *path))?;
    Some(Waiting { path: declared.path, file, folder })
}

/// The modules written in one file and the ones it declares elsewhere.
fn read(file: &SourceFile, place: &Waiting, scope: Scope) -> (Vec<Module>, Vec<Declared>) {
    let text = file.rust();
    let code = match scope {
        Scope::Shipped => &text.code,
        Scope::Everything => &text.code_with_tests,
    };
    let mut declared = Vec::new();
    let mut finished = Vec::new();
    // Modules that are open at this place, each with the number of braces open inside it.
    let mut open = vec![(Module { path: place.path.clone(), file: file.path.clone(), tokens: Vec::new() }, 0_usize)];
    let mut named = None;
    let word = |index: usize| code.get(index).map_or("", |token| token.text.as_str());
    let mut index = 0;
    while let Some(token) = code.get(index) {
        let Some((module, braces)) = open.last_mut() else { break };
        if token.text == "mod" && matches!(word(index + 2), ";" | "{") {
            let name = word(index + 1).to_owned();
            let mut path = module.path.clone();
            path.push(name);
            if word(index + 2) == ";" {
                let inside = module.path.iter().skip(place.path.len());
                let folder = inside.fold(place.folder.clone(), |folder, part| join(&folder, part));
                declared.push(Declared { path, named: named.take(), folder });
            } else {
                let file = module.file.clone();
                open.push((Module { path, file, tokens: Vec::new() }, 0));
            }
            index += 3;
            continue;
        }
        if token.text == "path" && word(index + 1) == "=" && word(index.wrapping_sub(1)) == "[" {
            named = Some(path_attribute(file, word(index + 2).trim_matches('"')));
        }
        match token.text.as_str() {
            "{" => *braces += 1,
            "}" if *braces > 0 => *braces -= 1,
            "}" if open.len() > 1 => {
                finished.extend(open.pop().map(|(module, _)| module));
                index += 1;
                continue;
            }
            _ => {}
        }
        if let Some((module, _)) = open.last_mut() {
            module.tokens.push(token.clone());
        }
        index += 1;
    }
    finished.extend(open.into_iter().rev().map(|(module, _)| module));
    finished.reverse();
    (finished, declared)
}

/// The file that `path = "…"` names, from the repository root.
fn path_attribute(file: &SourceFile, value: &str) -> String {
    let mut parts: Vec<&str> = file.path.split('/').collect();
    parts.pop();
    for part in value.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::super::source_file::files;
    use super::*;

    fn check(entries: &[(&str, &str)], root: &str, scope: Scope, expected: &[&str]) {
        let found: Vec<String> = modules(&files(entries), root, scope)
            .iter()
            .map(|module| {
                let code: Vec<&str> = module.tokens.iter().map(|token| token.text.as_str()).collect();
                format!("{} in {}: {}", module.path.join("::"), module.file, code.join(" "))
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn declarations_are_followed() {
        check(
            &[
                ("c/src/lib.rs", "mod a;\npub mod b;\nmod gone;\n#[cfg(test)]\nmod t;"),
                ("c/src/a.rs", "mod deep; x"),
                ("c/src/a/deep.rs", "y"),
                ("c/src/b/mod.rs", "mod deep;"),
                ("c/src/b/deep.rs", "z::w"),
                ("c/src/t.rs", "test"),
                ("c/src/orphan.rs", ""),
            ],
            "c/src/lib.rs",
            Scope::Shipped,
            &[
                " in c/src/lib.rs: pub",
                "a in c/src/a.rs: x",
                "a::deep in c/src/a/deep.rs: y",
                "b in c/src/b/mod.rs: ",
                "b::deep in c/src/b/deep.rs: z :: w",
            ],
        );
    }

    #[test]
    fn modules_inside_a_file_are_apart() {
        check(
            &[("src/main.rs", "a mod b { c { d } mod e { f } g; mod r#far; } h"), ("src/b/far.rs", "i")],
            "src/main.rs",
            Scope::Shipped,
            &[
                " in src/main.rs: a h",
                "b in src/main.rs: c { d } g ;",
                "b::e in src/main.rs: f",
                "b::far in src/b/far.rs: i",
            ],
        );
    }

    #[test]
    fn a_path_attribute_names_the_file() {
        check(
            &[
                ("c/src/lib.rs", "#[cfg(test)]\n#[path = \"x_tests.rs\"]\nmod tests;\nmod y;"),
                ("c/src/x_tests.rs", "t"),
                ("c/src/y.rs", "u"),
            ],
            "c/src/lib.rs",
            Scope::Everything,
            &[
                " in c/src/lib.rs: # [ cfg ( test ) ] # [ path = \"x_tests.rs\" ]",
                "tests in c/src/x_tests.rs: t",
                "y in c/src/y.rs: u",
            ],
        );
    }

    #[test]
    fn a_file_that_names_itself_ends() {
        check(
            &[("src/lib.rs", "#[path = \"lib.rs\"] mod again; x")],
            "src/lib.rs",
            Scope::Shipped,
            &[" in src/lib.rs: # [ path = \"lib.rs\" ] x"],
        );
    }

    #[test]
    fn a_crate_has_a_library_and_programs() {
        let files = files(&[
            ("crates/a/src/lib.rs", ""),
            ("crates/a/src/main.rs", ""),
            ("crates/a/src/bin/tool.rs", ""),
            ("crates/a/src/bin/big/main.rs", ""),
            ("crates/a/src/bin/big/part.rs", ""),
            ("crates/a/src/x/lib.rs", ""),
            ("crates/ab/src/lib.rs", ""),
        ]);
        assert_eq!(
            roots(&files, "crates/a"),
            ["crates/a/src/lib.rs", "crates/a/src/main.rs", "crates/a/src/bin/tool.rs", "crates/a/src/bin/big/main.rs"]
        );
    }
}
