//! What a published package compiles in is part of the package: nothing outside its folder, nothing it leaves out. And
//! what it may be used for is too.

use std::collections::BTreeSet;

use super::manifest::{Manifest, Publishing};
use super::source_file::SourceFile;
use super::violation::Violation;

/// Macros whose argument is a file.
const INCLUDES: [&str; 2] = ["include_str", "include_bytes"];

/// Files at the root of a package that cargo replaces by its own.
const REPLACED: [&str; 2] = ["Cargo.toml", "Cargo.lock"];

/// What everybody gets with a package who gets it without the repository.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// What to ask cargo for the files of a package, one on each line.
pub(super) fn cargo_package(name: &str) -> Vec<&str> {
    vec!["package", "--list", "--allow-dirty", "--package", name]
}

/// The packages to ask about.
pub(super) fn published(manifests: &[Manifest]) -> impl Iterator<Item = &Manifest> {
    manifests.iter().filter(|manifest| manifest.publishing == Publishing::Allowed)
}

/// Compares the files of one package with what it needs.
pub(super) fn check(files: &[SourceFile], manifest: &Manifest, list: &str) -> Vec<Violation> {
    let packaged: BTreeSet<&str> = list.lines().collect();
    let inside = format!("{}/", manifest.folder());
    let own: Vec<(&str, &SourceFile)> =
        files.iter().filter_map(|file| Some((file.path.strip_prefix(&inside)?, file))).collect();
    let mut violations: Vec<Violation> = own
        .iter()
        .filter(|(path, file)| file.is_shipped_rust() && packaged.contains(path))
        .flat_map(|(path, file)| {
            included(path, file).into_iter().map(|(line, wanted)| (file.path.clone(), line, wanted))
        })
        .filter(|(_, _, wanted)| !packaged.contains(wanted.as_str()))
        .map(|(file, line, wanted)| missing(file, line, manifest, &wanted))
        .collect();
    // A build script that reads files may read every file beside it.
    let reads_files = |file: &SourceFile| file.rust().code.iter().any(|token| token.text == "fs");
    if own.iter().any(|(path, file)| *path == "build.rs" && packaged.contains(path) && reads_files(file)) {
        let lost = own.iter().filter(|(path, _)| !packaged.contains(path) && !REPLACED.contains(path));
        violations.extend(lost.map(|(path, _)| missing(manifest.file.clone(), manifest.line, manifest, path)));
    }
    let unlicensed = LICENCES.iter().filter(|name| !packaged.contains(*name));
    violations.extend(unlicensed.map(|name| Violation {
        file: manifest.file.clone(),
        line: manifest.line,
        message: format!("`{name}` is not part of the published package `{}`", manifest.name),
        fix: "link to the file at the root of the repository, or copy it".to_owned(),
    }));
    violations
}

/// What is reported when cargo cannot say.
pub(super) fn unknown(manifest: &Manifest, why: &str) -> Violation {
    Violation {
        file: manifest.file.clone(),
        line: manifest.line,
        message: format!("Failed to list what the package `{}` holds: {why}", manifest.name),
        fix: format!("make `cargo {}` work", cargo_package(&manifest.name).join(" ")),
    }
}

/// The files that are compiled into one, as paths from the package's folder, and the lines that name them.
fn included(path: &str, file: &SourceFile) -> Vec<(usize, String)> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let macros = file.rust().code.windows(4).filter_map(|tokens| match tokens {
        // A path made of several pieces is the build script's own.
        [name, not, _, argument] if not.text == "!" && INCLUDES.contains(&name.text.as_str()) => {
            let relative = argument.text.strip_prefix('"')?.strip_suffix('"')?;
            Some((name.line, resolved(folder, relative)))
        }
        _ => None,
    });
    macros.collect()
}

/// A path from a folder, without `..` as far as it stays in the package.
fn resolved(folder: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn missing(file: String, line: usize, manifest: &Manifest, wanted: &str) -> Violation {
    Violation {
        file,
        line,
        message: format!("`{wanted}` is compiled in, but is not part of the published package `{}`", manifest.name),
        fix: "keep the file in the package's folder, and out of its `exclude`".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::manifest::members;
    use super::super::source_file::files;
    use super::super::violation::render;
    use super::*;
    use expect_test::{Expect, expect};

    const ROOT: (&str, &str) = ("Cargo.toml", "[workspace]\nmembers = ['c', 'private']\n");
    const PACKAGE: (&str, &str) = ("c/Cargo.toml", "[package]\nname = 'c'\n");

    fn check_package(sources: &[(&str, &str)], list: &[&str], expected: &Expect) {
        let all = files(&[&[ROOT, PACKAGE][..], sources].concat());
        let (manifests, unread) = members(&all);
        assert_eq!(unread, []);
        let list = [list, &LICENCES].concat().join("\n");
        expected.assert_eq(&render(&check(&all, &manifests[0], &list)));
    }

    #[test]
    fn what_is_compiled_in_is_packaged() {
        let lib = "const A: &str = include_str!(\"../a.md\");\nconst B: &[u8] = include_bytes!(\n    \"sub/b.bin\");\n\
                   include!(concat!(env!(\"OUT_DIR\"), \"/x.rs\"));\n// include_str!(\"c\")\n\
                   #[cfg(test)]\nmod tests { const D: &str = include_str!(\"../../d\"); }\n";
        let sources = [("c/src/lib.rs", lib), ("c/tests/t.rs", "include_str!(\"../../e\")")];
        check_package(&sources, &["src/lib.rs", "a.md", "src/sub/b.bin", "tests/t.rs"], &expect![""]);
        check_package(
            &sources,
            &["src/lib.rs", "a.md"],
            &expect![[r"
                c/src/lib.rs:2: `src/sub/b.bin` is compiled in, but is not part of the published package `c`
                    fix: keep the file in the package's folder, and out of its `exclude`
            "]],
        );
        check_package(
            &[("c/src/lib.rs", "include_str!(\"../../schemas/x.json\")")],
            &["src/lib.rs"],
            &expect![[r"
                c/src/lib.rs:1: `../schemas/x.json` is compiled in, but is not part of the published package `c`
                    fix: keep the file in the package's folder, and out of its `exclude`
            "]],
        );
    }

    #[test]
    fn beside_a_build_script_nothing_is_left_out() {
        let sources = [("c/build.rs", "use std::fs;"), ("c/src/lib.rs", ""), ("c/serde/SKILL.md", "")];
        check_package(&sources, &["Cargo.toml", "build.rs", "src/lib.rs", "serde/SKILL.md"], &expect![""]);
        check_package(
            &sources,
            &["build.rs", "src/lib.rs"],
            &expect![[r"
                c/Cargo.toml:1: `serde/SKILL.md` is compiled in, but is not part of the published package `c`
                    fix: keep the file in the package's folder, and out of its `exclude`
            "]],
        );
        let asking = [("c/build.rs", "fn main() {}"), ("c/src/lib.rs", ""), ("c/tests/it.rs", "")];
        check_package(&asking, &["build.rs", "src/lib.rs"], &expect![""]);
    }

    #[test]
    fn a_package_has_its_licences() {
        let all = files(&[ROOT, PACKAGE]);
        let (manifests, _) = members(&all);
        expect![[r"
            c/Cargo.toml:1: `LICENSE-MIT` is not part of the published package `c`
                fix: link to the file at the root of the repository, or copy it
        "]]
        .assert_eq(&render(&check(&all, &manifests[0], "Cargo.toml\nLICENSE-APACHE")));
    }

    #[test]
    fn only_what_is_published_is_asked_about() {
        let private = ("private/Cargo.toml", "[package]\nname = 'private'\npublish = false\n");
        let (manifests, _) = members(&files(&[ROOT, PACKAGE, private]));
        let names: Vec<&str> = published(&manifests).map(|manifest| manifest.name.as_str()).collect();
        assert_eq!(names, ["c"]);
        assert!(unknown(&manifests[0], "no").fix.contains("cargo package --list"));
    }
}
