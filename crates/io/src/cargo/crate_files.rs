//! The source files of one crate. For any requested path, nothing outside the crate's directory is read, and nothing in
//! it that does not belong to a package: a project says where its dependencies are, so that may be any directory.

use std::path::{Component, Path, PathBuf};

use super::sources::SourceRoots;
use crate::fs::{self, FileKind, FsErrorKind};

const MAX_FILE: u64 = 16 * 1024 * 1024;
const MAX_FILES: usize = 20_000;
const MAX_DEPTH: usize = 32;
/// The number of bytes at the beginning in which a zero byte marks a binary file.
const LOOKED_AT: usize = 8 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrateFile {
    /// Relative to the crate's directory, with `/`.
    pub path: String,
    pub size: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CrateEntry {
    File(String),
    /// Relative to the crate's directory; empty for that directory itself.
    Directory(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadRefusal {
    Outside,
    NotSource,
    /// A link in the workspace leads out of it.
    LinkedOut,
    Absent,
    Binary,
    TooLarge(u64),
    Unreadable(String),
}

#[derive(Debug)]
pub struct CrateFiles {
    root: PathBuf,
    reach: SourceReach,
}

/// The files of a crate's directory that count as its source. Hidden files never do: agents have their own rules for
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SourceReach {
    /// Every file: the directory is part of the workspace, or cargo unpacked it.
    Whole,
    /// Only files that document a crate: the directory is some other one of this machine.
    Explaining,
}

impl SourceReach {
    fn allows(self, path: &Path) -> bool {
        let is_hidden = |part: Component<'_>| match part {
            Component::Normal(name) => name.as_encoded_bytes().starts_with(b"."),
            _ => false,
        };
        !path.components().any(is_hidden) && (self == Self::Whole || is_explaining(path))
    }
}

fn is_explaining(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_kind = path.extension().is_some_and(|extension| extension == "rs" || extension == "md");
    is_kind || name == "Cargo.toml"
}

impl CrateFiles {
    pub fn open(directory: &Path, roots: SourceRoots<'_>) -> Result<Self, ReadRefusal> {
        let root = fs::canonical(directory).map_err(|error| ReadRefusal::Unreadable(error.to_string()))?;
        let contains = |parent: PathBuf| fs::canonical(&parent).is_ok_and(|parent| root.starts_with(parent));
        let unpacked = roots.cargo_home.into_iter().flat_map(|home| [home.join("registry"), home.join("git")]);
        let reach = if contains(roots.workspace.to_owned()) || unpacked.into_iter().any(contains) {
            SourceReach::Whole
        } else if directory.starts_with(roots.workspace) {
            return Err(ReadRefusal::LinkedOut);
        } else {
            SourceReach::Explaining
        };
        Ok(Self { root, reach })
    }

    /// Lists all files, sorted by path. Links to directories and links that lead out are not followed.
    pub fn list(&self) -> Vec<CrateFile> {
        let mut files = Vec::new();
        self.collect("", 0, &mut files);
        files.sort_by(|one, other| one.path.cmp(&other.path));
        files
    }

    fn collect(&self, below: &str, depth: usize, files: &mut Vec<CrateFile>) {
        let directory = self.root.join(below);
        for entry in fs::list(&directory).unwrap_or_default() {
            let path = if below.is_empty() { entry.name.clone() } else { format!("{below}/{}", entry.name) };
            if files.len() >= MAX_FILES {
                return;
            }
            match entry.kind {
                FileKind::Directory if is_not_source(&path) || depth >= MAX_DEPTH => {}
                FileKind::Directory => self.collect(&path, depth + 1, files),
                FileKind::File if !self.reach.allows(Path::new(&path)) => {}
                FileKind::File => {
                    let size = fs::size(&directory.join(&entry.name));
                    files.push(CrateFile { path, size });
                }
                FileKind::Link => {
                    if let Ok(target) = self.resolve(&path)
                        && fs::is_file(&target)
                    {
                        files.push(CrateFile { path, size: fs::size(&target) });
                    }
                }
                FileKind::Other => {}
            }
        }
    }

    /// Resolves a path that is relative to the crate's directory, or absolute and inside it.
    pub fn find(&self, path: &str) -> Result<CrateEntry, ReadRefusal> {
        let target = self.resolve(path)?;
        let below = target.strip_prefix(&self.root).map_err(|_| ReadRefusal::Outside)?;
        let parts: Vec<&str> = below.iter().filter_map(|part| part.to_str()).collect();
        let below = parts.join("/");
        Ok(if fs::is_dir(&target) { CrateEntry::Directory(below) } else { CrateEntry::File(below) })
    }

    /// Returns the text of a file, with invalid UTF-8 replaced.
    pub fn read(&self, path: &str) -> Result<String, ReadRefusal> {
        let target = self.resolve(path)?;
        let bytes = fs::read(&target, MAX_FILE).map_err(|error| match error.kind {
            FsErrorKind::TooLarge { limit } => ReadRefusal::TooLarge(limit),
            other => ReadRefusal::Unreadable(other.to_string()),
        })?;
        if bytes.iter().take(LOOKED_AT).any(|byte| *byte == 0) {
            return Err(ReadRefusal::Binary);
        }
        Ok(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        })
    }

    /// Resolves all links of a path, which must lead into the crate's directory.
    fn resolve(&self, path: &str) -> Result<PathBuf, ReadRefusal> {
        let asked = Path::new(path);
        // A file outside is not even looked up, so that its existence is not revealed.
        if !asked.is_absolute()
            && !asked.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        {
            return Err(ReadRefusal::Outside);
        }
        if path.contains('\0') || (asked.is_absolute() && !asked.starts_with(&self.root)) {
            return Err(ReadRefusal::Outside);
        }
        // The same holds for a hidden file.
        if !SourceReach::Whole.allows(asked.strip_prefix(&self.root).unwrap_or(asked)) {
            return Err(ReadRefusal::NotSource);
        }
        let target = fs::canonical(&self.root.join(asked)).map_err(|error| {
            if error.is_not_found() { ReadRefusal::Absent } else { ReadRefusal::Unreadable(error.kind.to_string()) }
        })?;
        let below = target.strip_prefix(&self.root).map_err(|_| ReadRefusal::Outside)?;
        // The files of a directory are checked one by one.
        let is_allowed = self.reach.allows(below) || (SourceReach::Whole.allows(below) && fs::is_dir(&target));
        if is_allowed { Ok(target) } else { Err(ReadRefusal::NotSource) }
    }
}

fn is_not_source(path: &str) -> bool {
    path == "target" || path.rsplit('/').next().is_some_and(|name| name.starts_with('.'))
}

#[cfg(test)]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests {
    use super::*;

    fn crate_with(files: &[(&str, &[u8])]) -> (tempfile::TempDir, CrateFiles) {
        let outer = tempfile::tempdir().unwrap();
        std::fs::write(outer.path().join("secret"), "secret").unwrap();
        let root = outer.path().join("demo-1.0.0");
        std::fs::create_dir(&root).unwrap();
        for (path, bytes) in files {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), bytes).unwrap();
        }
        let roots = SourceRoots { cargo_home: None, workspace: &root };
        let files = CrateFiles::open(&root, roots).unwrap();
        (outer, files)
    }

    #[test]
    fn files_are_listed_in_order_and_links_stay_inside() {
        let (outer, files) =
            crate_with(&[("src/lib.rs", b"x"), ("Cargo.toml", b""), ("target/debug/a", b""), (".git/config", b"")]);
        let root = outer.path().join("demo-1.0.0");
        std::os::unix::fs::symlink("src/lib.rs", root.join("link.rs")).unwrap();
        std::os::unix::fs::symlink("../secret", root.join("out")).unwrap();
        std::os::unix::fs::symlink("..", root.join("up")).unwrap();
        std::os::unix::fs::symlink(".", root.join("src/again")).unwrap();
        let paths: Vec<String> = files.list().into_iter().map(|file| file.path).collect();
        assert_eq!(paths, ["Cargo.toml", "link.rs", "src/lib.rs"]);
        for path in ["out", "up/secret", "up/demo-1.0.0/../secret"] {
            assert_eq!(files.read(path), Err(ReadRefusal::Outside), "{path}");
        }
        assert_eq!(files.read("src/again/lib.rs"), Ok("x".to_owned()));
    }

    #[test]
    fn no_path_leads_out() {
        let (outer, files) = crate_with(&[("src/lib.rs", b"x")]);
        let inside = files.root.join("src/lib.rs").display().to_string();
        let secret = outer.path().join("secret").display().to_string();
        let around = files.root.join("../secret").display().to_string();
        for path in ["../secret", "src/../../secret", "/etc/passwd", "a\0b", "src/../src/lib.rs", &secret, &around] {
            assert_eq!(files.read(path), Err(ReadRefusal::Outside), "{path}");
        }
        assert_eq!(files.read(&inside), Ok("x".to_owned()));
        assert_eq!(files.read("./src/lib.rs"), Ok("x".to_owned()));
        assert_eq!(files.read("src/main.rs"), Err(ReadRefusal::Absent));
        assert_eq!(files.find("src"), Ok(CrateEntry::Directory("src".to_owned())));
        assert_eq!(files.find("."), Ok(CrateEntry::Directory(String::new())));
        assert_eq!(files.find(&inside), Ok(CrateEntry::File("src/lib.rs".to_owned())));
    }

    #[test]
    fn what_is_no_text_is_refused_and_odd_text_is_not() {
        let large = vec![b'a'; 5 * 1024 * 1024];
        let (outer, files) =
            crate_with(&[("logo.png", b"\x89PNG\0\0"), ("latin.rs", b"// \xe4"), ("large.rs", &large)]);
        assert_eq!(files.read("logo.png"), Err(ReadRefusal::Binary));
        assert_eq!(files.read("latin.rs"), Ok("// \u{fffd}".to_owned()));
        assert_eq!(files.read("large.rs").map(|text| text.len()), Ok(large.len()));
        let huge = std::fs::File::create(outer.path().join("demo-1.0.0/huge")).unwrap();
        huge.set_len(MAX_FILE + 1).unwrap();
        assert_eq!(files.read("huge"), Err(ReadRefusal::TooLarge(MAX_FILE)));
        rustix::fs::mknodat(
            rustix::fs::CWD,
            outer.path().join("demo-1.0.0/pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        assert!(matches!(files.read("pipe"), Err(ReadRefusal::Unreadable(_))), "a pipe does not make us wait");
    }
}
