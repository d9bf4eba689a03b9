//! The files of modules.

/// The file that is being read, and where files of its modules are.
#[derive(Debug, Clone, Default)]
pub(super) struct FilePlace {
    /// The number of the file.
    pub(super) file: usize,
    /// The directory of the file.
    pub(super) directory: String,
    /// The directory of the modules that it declares.
    pub(super) modules: String,
    /// Says that code is inside a module without a file of its own.
    pub(super) is_inline: bool,
}

/// A file that a module could be in, and the directory of the modules below it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileCandidate {
    pub(super) path: String,
    pub(super) modules: String,
}

impl FilePlace {
    /// The place of the root file, or of one that is named by an attribute.
    pub(super) fn for_root(file: usize, path: &str) -> Self {
        let directory = parent_of(path).to_owned();
        Self { file, modules: directory.clone(), directory, is_inline: false }
    }

    /// The files in which a module could be.
    pub(super) fn candidates(&self, name: &str, path: Option<&str>) -> Vec<FileCandidate> {
        if let Some(path) = path {
            let base = if self.is_inline { &self.modules } else { &self.directory };
            let Some(path) = join(base, path) else { return Vec::new() };
            let modules = parent_of(&path).to_owned();
            return vec![FileCandidate { path, modules }];
        }
        let modules = join(&self.modules, name).unwrap_or_default();
        vec![
            FileCandidate { path: format!("{modules}.rs"), modules: modules.clone() },
            FileCandidate { path: format!("{modules}/mod.rs"), modules },
        ]
    }

    /// The place inside a module without a file of its own.
    pub(super) fn inside(&self, name: &str, path: Option<&str>) -> Self {
        let base = match path {
            Some(_) if !self.is_inline => &self.directory,
            _ => &self.modules,
        };
        let modules = join(base, path.unwrap_or(name)).unwrap_or_default();
        Self { modules, is_inline: true, ..self.clone() }
    }

    /// A file that `include!` names.
    pub(super) fn included(&self, path: &str) -> Option<String> {
        join(&self.directory, path)
    }
}

pub(super) fn parent_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Joins two paths; nothing if the result leaves the package.
fn join(base: &str, path: &str) -> Option<String> {
    if path.starts_with('/') || path.contains(':') {
        return None;
    }
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The text of a file, without what no item shows.
pub(super) struct FileCode {
    pub(super) pieces: Vec<String>,
    pub(super) file: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_where_the_language_says() {
        let check = |place: &FilePlace, path: Option<&str>, expected: &[&str]| {
            let found: Vec<_> = place.candidates("x", path).into_iter().map(|found| found.path).collect();
            assert_eq!(found, expected);
        };
        let root = FilePlace::for_root(0, "src/lib.rs");
        check(&root, None, &["src/x.rs", "src/x/mod.rs"]);
        check(&root, Some("../y.rs"), &["y.rs"]);
        check(&root, Some("../../y.rs"), &[]);
        check(&root, Some("/etc/passwd"), &[]);
        let inline = root.inside("a", None);
        check(&inline, None, &["src/a/x.rs", "src/a/x/mod.rs"]);
        check(&inline, Some("y.rs"), &["src/a/y.rs"]);
        let below = FilePlace { modules: "src/a".to_owned(), ..root };
        check(&below, Some("y.rs"), &["src/y.rs"]);
        check(&below.inside("b", Some("c")), None, &["src/c/x.rs", "src/c/x/mod.rs"]);
    }
}
