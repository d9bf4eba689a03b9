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
}
