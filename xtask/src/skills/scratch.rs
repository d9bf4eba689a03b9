//! Compiles the blocks of one text in a cargo project of their own, below `target/skills`.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::{env, io};

use serde_json::Value;

use super::blocks::Block;
use super::document::{Document, Versions};
use super::table::{Dependencies, render};

/// Compiles the blocks with one set of dependencies, in the newest versions it allows.
pub(super) fn compile(
    repository: &Path,
    document: &Document,
    set: usize,
    blocks: &[Block],
    dependencies: &Dependencies,
) -> Result<Versions, Vec<String>> {
    let name = package_name(&document.path, set);
    let base = repository.join("target").join("skills");
    let project = base.join("projects").join(&name);
    let whole = |what: String| vec![format!("{} (set {}): {what}", document.path, set + 1)];
    write_project(&project, &name, blocks, dependencies).map_err(|error| whole(error.to_string()))?;

    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["check", "--quiet", "--tests", "--message-format=json"])
        .current_dir(&project)
        .env("CARGO_TARGET_DIR", base.join("build"))
        .output()
        .map_err(|error| whole(format!("cargo does not start: {error}")))?;
    if !output.status.success() {
        let mut errors = compiler_errors(&String::from_utf8_lossy(&output.stdout), &document.path);
        if errors.is_empty() {
            errors = whole(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        return Err(errors);
    }
    let lock = super::text(&project.join("Cargo.lock")).map_err(whole)?;
    let versions = locked_versions(&lock, &name).map_err(whole)?;
    let shown: Vec<String> = versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    crate::print::talk(&format!("{}: {} Rust blocks [{}]", document.path, blocks.len(), shown.join(", ")));
    Ok(versions)
}

fn package_name(path: &str, set: usize) -> String {
    let stem = path.strip_suffix("/SKILL.md").or(path.strip_suffix(".md")).unwrap_or(path);
    let word: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("skill-{word}-{}", set + 1)
}

/// A fresh project: without its old lock file cargo takes the newest versions again.
fn write_project(project: &Path, name: &str, blocks: &[Block], dependencies: &Dependencies) -> io::Result<()> {
    match fs::remove_dir_all(project) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let source = project.join("src");
    fs::create_dir_all(&source)?;
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n\n[dependencies]\n{}",
        render(dependencies)
    );
    fs::write(project.join("Cargo.toml"), manifest)?;
    let mut root = "#![deny(warnings)]\n#![allow(dead_code)]\n".to_owned();
    for Block { line, code } in blocks {
        root += &["mod line_", &line.to_string(), ";\n"].concat();
        // Blank lines before the code give it the line numbers of the text, so a message needs only another file name.
        fs::write(source.join(format!("line_{line}.rs")), format!("{}{code}", "\n".repeat(line - 1)))?;
    }
    fs::write(source.join("lib.rs"), root)
}

/// The compiler's messages, naming the text instead of the generated file.
fn compiler_errors(stdout: &str, path: &str) -> Vec<String> {
    let messages = stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let rendered = messages.filter_map(|message| Some(message.pointer("/message/rendered")?.as_str()?.to_owned()));
    let mut errors: Vec<String> = rendered
        .filter(|text| !text.starts_with("error: aborting"))
        .map(|text| rename_files(&text, &format!("recommendations/{path}")))
        .collect();
    errors.dedup();
    errors
}

/// Replaces every `src/line_N.rs` in a compiler message.
fn rename_files(message: &str, path: &str) -> String {
    let mut parts = message.split("src/line_");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(path);
        text.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(".rs").unwrap_or(part));
    }
    text
}

/// The versions of the direct dependencies, from the lock file cargo wrote.
fn locked_versions(lock: &str, package: &str) -> Result<Versions, String> {
    let lock: toml::Table = toml::from_str(lock).map_err(|error| error.to_string())?;
    let packages: Vec<&toml::Table> = lock
        .get("package")
        .and_then(toml::Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(toml::Value::as_table)
        .collect();
    let field = |package: &toml::Table, key: &str| package.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let own =
        packages.iter().find(|entry| field(entry, "name").as_deref() == Some(package)).ok_or("not in its lock file")?;
    let mut versions = Vec::new();
    for dependency in own.get("dependencies").and_then(toml::Value::as_array).into_iter().flatten() {
        // An entry is `name`, or `name version` when the lock file has several versions of that name.
        let mut words = dependency.as_str().unwrap_or_default().split(' ');
        let name = words.next().unwrap_or_default().to_owned();
        let version = match words.next() {
            Some(version) => version.to_owned(),
            None => packages
                .iter()
                .find(|entry| field(entry, "name").as_ref() == Some(&name))
                .and_then(|entry| field(entry, "version"))
                .ok_or_else(|| format!("`{name}` is not in its lock file"))?,
        };
        versions.push((name, version));
    }
    Ok(versions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_text() {
        let message = r#"{"reason":"compiler-message","message":{"rendered":"error: no\n --> src/line_12.rs:14:5\n"}}"#;
        let aborting =
            r#"{"reason":"compiler-message","message":{"rendered":"error: aborting due to 1 previous error"}}"#;
        let other = r#"{"reason":"build-finished","success":false}"#;
        let found = compiler_errors(&[message, message, aborting, other, "not json"].join("\n"), "a/SKILL.md");
        assert_eq!(found, ["error: no\n --> recommendations/a/SKILL.md:14:5\n"]);
    }

    #[test]
    fn projects_have_package_names() {
        assert_eq!(package_name("start.md", 0), "skill-start-1");
        assert_eq!(package_name("rand/rand-0-9/SKILL.md", 1), "skill-rand-rand-0-9-2");
    }

    #[test]
    fn versions_come_from_the_lock_file() {
        let lock = r#"
            version = 4
            [[package]]
            name = "a"
            version = "1.2.3"
            [[package]]
            name = "b"
            version = "0.8.0"
            [[package]]
            name = "b"
            version = "0.9.1"
            [[package]]
            name = "skill-x-1"
            version = "0.0.0"
            dependencies = ["a", "b 0.9.1"]
        "#;
        let expected = [("a".to_owned(), "1.2.3".to_owned()), ("b".to_owned(), "0.9.1".to_owned())];
        assert_eq!(locked_versions(lock, "skill-x-1").unwrap(), expected);
        assert!(locked_versions(lock, "skill-y-1").is_err());
    }
}
