//! The repository as it is on disk: its files, and what cargo says about it.

#![expect(
    clippy::disallowed_methods,
    reason = "chores read the repository they belong to; `symposium-io` is not theirs"
)]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::source_file::SourceFile;

/// Folders that never hold our sources.
const NOT_OURS: [&str; 3] = [".git", "target", "node_modules"];

/// The root of the repository this program was built from.
pub(crate) fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// The text files of the repository, sorted by path; what git ignores and what is not UTF-8 is left out.
pub(crate) fn files(root: &Path) -> Vec<SourceFile> {
    let mut paths = listed_by_git(root).unwrap_or_else(|| walk(root));
    paths.sort();
    paths.dedup();
    paths
        .into_iter()
        .filter_map(|path| {
            let on_disk = root.join(&path);
            // A symbolic link is checked where it points to, if that is ours at all.
            let is_file = fs::symlink_metadata(&on_disk).is_ok_and(|metadata| metadata.is_file());
            let text = if is_file { String::from_utf8(fs::read(on_disk).ok()?).ok()? } else { return None };
            Some(SourceFile::new(path, text))
        })
        .collect()
}

/// Writes one file of the repository.
pub(crate) fn write(root: &Path, path: &str, text: &str) -> Result<(), String> {
    fs::write(root.join(path), text).map_err(|error| format!("Failed to write `{path}`: {error}"))
}

/// Tracked files and new ones that are not ignored; none when git is missing or this is no checkout.
fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = run(root, OsStr::new("git"), &arguments).ok()?;
    let paths: Vec<String> = output.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    (!paths.is_empty()).then_some(paths)
}

fn walk(root: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(root.join(&folder)).into_iter().flatten().flatten();
        for entry in entries {
            let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if kind.is_dir() && !NOT_OURS.contains(&name.as_str()) {
                folders.push(path);
            } else if kind.is_file() {
                paths.push(path);
            }
        }
    }
    paths
}

/// What `cargo` prints, from the local cache if that is enough and else with the network.
pub(super) fn cargo(root: &Path, arguments: &[&str]) -> Result<String, String> {
    // Set by `cargo run` and `cargo test`: the very cargo that built this.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let locked = [arguments, &["--locked"]].concat();
    let offline = [locked.as_slice(), &["--offline"]].concat();
    run(root, &cargo, &offline).or_else(|_| run(root, &cargo, &locked))
}

fn run(root: &Path, program: &OsStr, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root);
    // Set while git runs a hook; they would point it away from `root`.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    let output = command.output().map_err(|error| format!("`{}` did not start: {error}", program.display()))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(root: &Path) -> Vec<String> {
        files(root).into_iter().map(|file| file.path).collect()
    }

    fn folder_with_files() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in [
            ("a.rs", &b"a"[..]),
            ("b/c.rs", b"c"),
            ("b/picture", b"\xff\xfe"),
            ("target/d.rs", b"d"),
            ("ignored.log", b"e"),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        folder
    }

    #[test]
    fn without_git_the_folder_is_walked() {
        let folder = folder_with_files();
        let mut found = walk(folder.path());
        found.sort();
        assert_eq!(found, ["a.rs", "b/c.rs", "b/picture", "ignored.log"]);
    }

    #[test]
    fn with_git_its_ignore_rules_hold() {
        let folder = folder_with_files();
        if run(folder.path(), OsStr::new("git"), &["init", "--quiet"]).is_err() {
            return;
        }
        fs::write(folder.path().join(".gitignore"), "*.log\n").unwrap();
        assert_eq!(paths(folder.path()), [".gitignore", "a.rs", "b/c.rs", "target/d.rs"]);
    }

    #[test]
    fn the_root_holds_this_file() {
        let files = files(&root());
        let own = files.iter().find(|file| file.path == "xtask/src/tidy/repository.rs");
        assert!(own.is_some_and(|file| file.text.contains("fn the_root_holds_this_file")));
    }

    #[test]
    fn a_failing_program_says_why() {
        let folder = folder_with_files();
        let error = run(folder.path(), OsStr::new("no-such-program-here"), &[]).unwrap_err();
        assert!(error.contains("`no-such-program-here` did not start"), "{error}");
        assert!(cargo(folder.path(), &["tree"]).unwrap_err().contains("Cargo.toml"));
    }
}
