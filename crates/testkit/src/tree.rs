//! A directory as text: every file with its mode and the targets of links.

use std::fs;
use std::path::Path;

pub(crate) fn listing(root: &Path) -> String {
    let mut lines = Vec::new();
    walk(root, root, &mut lines);
    lines.sort();
    lines.join("\n")
}

fn walk(root: &Path, directory: &Path, lines: &mut Vec<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let path = entry.path();
        let shown = path.strip_prefix(root).unwrap().display().to_string();
        let metadata = fs::symlink_metadata(&path).unwrap();
        if metadata.is_symlink() {
            lines.push(format!("{shown} -> {}", fs::read_link(&path).unwrap().display()));
        } else if metadata.is_dir() {
            lines.push(format!("{shown}/"));
            walk(root, &path, lines);
        } else {
            lines.push(format!("{shown} {}", mode(&metadata)));
        }
    }
}

#[cfg(unix)]
fn mode(metadata: &fs::Metadata) -> String {
    use std::os::unix::fs::PermissionsExt;
    format!("{:o}", metadata.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata) -> String {
    String::new()
}
