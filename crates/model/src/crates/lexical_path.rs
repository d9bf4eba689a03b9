//! Normalization of paths by their text, without looking at the disk.

use std::path::{Component, Path, PathBuf};

/// Removes `.` and `..` from the path; a `..` without a parent is dropped.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => normal.push(component),
        }
    }
    normal
}

/// Removes the prefix `\\?\` that Windows puts before a resolved path: shells and many other programs do not take it.
#[cfg(windows)]
pub fn without_verbatim(path: PathBuf) -> PathBuf {
    path.to_str().and_then(plain_drive_path).map_or(path.clone(), PathBuf::from)
}

#[cfg(not(windows))]
pub fn without_verbatim(path: PathBuf) -> PathBuf {
    path
}

/// Returns the path of a drive without `\\?\`, unless it means something else or nothing without it.
#[cfg(any(windows, test))]
fn plain_drive_path(path: &str) -> Option<&str> {
    /// Windows adds up to twelve characters when it makes a directory.
    const MAX_PATH: usize = 260 - 12;
    let plain = path.strip_prefix(r"\\?\")?;
    let (drive, rest) = plain.split_once(r":\")?;
    let is_drive = drive.len() == 1 && drive.chars().all(|letter| letter.is_ascii_alphabetic());
    let mut parts = rest.split('\\');
    let is_plain = rest.is_empty() || parts.all(is_plain_name);
    (is_drive && is_plain && plain.len() < MAX_PATH).then_some(plain)
}

#[cfg(any(windows, test))]
fn is_plain_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let is_port = |kind| stem.strip_prefix(kind).is_some_and(|number: &str| number.chars().count() == 1);
    let is_device = matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL") || is_port("COM") || is_port("LPT");
    !name.is_empty() && !name.ends_with(['.', ' ']) && !name.contains('/') && !is_device
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_worked_out() {
        for (path, expected) in
            [("/a/./b/../c", "/a/c"), ("/a/b/../../..", "/"), ("a/../b/", "b"), ("/", "/"), (".", "")]
        {
            assert_eq!(normal(Path::new(path)), Path::new(expected), "{path}");
        }
    }

    #[test]
    fn a_resolved_path_of_windows_is_written_as_usual_where_it_means_the_same() {
        let long = format!(r"\\?\C:\{}", "x".repeat(250));
        for (path, expected) in [
            (r"\\?\C:\w\.claude\skills", Some(r"C:\w\.claude\skills")),
            (r"\\?\z:\", Some(r"z:\")),
            (r"\\?\C:\com\console\com10.txt", Some(r"C:\com\console\com10.txt")),
            (r"C:\w", None),
            (r"\\?\UNC\server\share\w", None),
            (r"\\?\Volume{0}\w", None),
            (r"\\?\C:\w\nul.txt", None),
            (r"\\?\C:\w\COM1", None),
            (r"\\?\C:\w\a.", None),
            (r"\\?\C:\w\a \b", None),
            (r"\\?\C:\w\a/b", None),
            (long.as_str(), None),
            ("/w", None),
        ] {
            assert_eq!(plain_drive_path(path), expected, "{path}");
        }
    }
}
