//! Parses git's index for the paths that git tracks.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The length of a SHA-1 and a SHA-256 hash, in bytes.
const HASHES: [usize; 2] = [20, 32];
/// The length of the fields of an entry before its hash, in bytes.
const BEFORE_HASH: usize = 40;
const MODE: usize = 24;
/// In bytes; an index with a longer path is rejected.
const MAX_PATH: usize = 4096;
/// The limit of the total length of all paths, as a multiple of the size of the index: paths can share prefixes.
const MAX_GROWTH: usize = 16;
/// The mode of a directory whose files are not listed, in a sparse index.
const DIRECTORY: u32 = 0o040_000;
/// The mode of a commit of another repository.
const SUBMODULE: u32 = 0o160_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitTracking {
    /// The file itself, or a file below the directory.
    Tracked,
    /// Also if there is no repository.
    Untracked,
    /// There is a repository, but its index cannot be read.
    Unknown,
}

/// A path as git stores it: bytes, which need not be UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GitPath(Vec<u8>);

impl GitPath {
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub fn is_utf8(&self) -> bool {
        std::str::from_utf8(&self.0).is_ok()
    }

    /// Returns the path itself if it is UTF-8. In another path, bytes that are no text are written as `\xff`, and `\` as
    /// `\\`, so that no two such paths look the same.
    pub fn shown(&self) -> Cow<'_, str> {
        if let Ok(text) = std::str::from_utf8(&self.0) {
            return Cow::Borrowed(text);
        }
        let mut shown = String::new();
        for chunk in self.0.utf8_chunks() {
            shown.push_str(&chunk.valid().replace('\\', "\\\\"));
            shown.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
        }
        Cow::Owned(shown)
    }
}

/// A submodule, which is a commit of another repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmoduleEntry {
    pub path: GitPath,
    pub commit: String,
}

/// The paths that git tracks, relative to the top of the work tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrackedPaths {
    /// With the submodules.
    files: Vec<Vec<u8>>,
    submodules: Vec<SubmoduleEntry>,
    directories: Vec<Vec<u8>>,
    /// The names of their objects one after another, in the order of the files.
    objects: Vec<u8>,
}

impl TrackedPaths {
    /// Parses an index; returns `None` for an unknown format or a partial index.
    pub fn from_index(bytes: &[u8]) -> Option<Self> {
        HASHES.into_iter().find_map(|hash| read(bytes, hash))
    }

    /// Lists the files and links; `None` for a sparse index, which names some directories only.
    pub fn files(&self) -> Option<Vec<GitPath>> {
        let submodules: BTreeSet<&[u8]> = self.submodules.iter().map(|submodule| submodule.path.as_bytes()).collect();
        let files = self.files.iter().filter(|path| !submodules.contains(path.as_slice()));
        let files = files.map(|path| GitPath::new(path.clone()));
        self.directories.is_empty().then(|| files.collect())
    }

    pub fn submodules(&self) -> &[SubmoduleEntry] {
        &self.submodules
    }

    /// Returns the name of the object of each file, link and submodule, which is another one for other content.
    pub fn objects(&self) -> BTreeMap<GitPath, String> {
        let length = self.objects.len().checked_div(self.files.len()).unwrap_or_default().max(1);
        let names = self.objects.chunks(length).map(hexadecimal);
        self.files.iter().map(|path| GitPath::new(path.clone())).zip(names).collect()
    }

    pub fn contain(&self, path: &str) -> bool {
        let path = path.as_bytes();
        let is_at_or_below =
            |file: &Vec<u8>| file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.first() == Some(&b'/'));
        // The name of a directory ends in a slash.
        let is_above = |directory: &Vec<u8>| path.starts_with(directory);
        self.files.iter().chain(&self.directories).any(is_at_or_below) || self.directories.iter().any(is_above)
    }
}

fn read(bytes: &[u8], hash: usize) -> Option<TrackedPaths> {
    let mut rest = bytes.strip_prefix(b"DIRC")?;
    let version = take_number(&mut rest)?;
    let count = take_number(&mut rest)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut tracked = TrackedPaths::default();
    let mut last: Vec<u8> = Vec::new();
    let mut room = bytes.len().saturating_mul(MAX_GROWTH);
    for _ in 0..count {
        let start = rest.len();
        let fixed = take(&mut rest, BEFORE_HASH + hash + 2)?;
        let mode = u32::from_be_bytes(fixed.get(MODE..MODE + 4)?.try_into().ok()?);
        // This bit announces further flags.
        if version > 2 && fixed.get(BEFORE_HASH + hash)? & 0x40 != 0 {
            take(&mut rest, 2)?;
        }
        let kept = match version {
            4 => last.len().checked_sub(take_distance(&mut rest)?)?,
            _ => 0,
        };
        let end = rest.iter().position(|byte| *byte == 0)?;
        last.truncate(kept);
        last.extend_from_slice(take(&mut rest, end)?);
        room = room.checked_sub(last.len()).filter(|_| last.len() <= MAX_PATH)?;
        take(&mut rest, 1)?;
        if version < 4 {
            // A name ends with at least one zero, and is padded to a multiple of eight bytes.
            let padding = (8 - (start - rest.len()) % 8) % 8;
            take(&mut rest, padding)?;
        }
        let id = fixed.get(BEFORE_HASH..BEFORE_HASH + hash)?;
        if mode == SUBMODULE {
            tracked.submodules.push(SubmoduleEntry { path: GitPath::new(last.clone()), commit: hexadecimal(id) });
        }
        if mode != DIRECTORY {
            tracked.objects.extend_from_slice(id);
        }
        let paths = if mode == DIRECTORY { &mut tracked.directories } else { &mut tracked.files };
        paths.push(last.clone());
    }
    // If extensions follow to the very end, the entries were parsed correctly.
    while rest.len() > hash {
        let name = take(&mut rest, 4)?;
        let size = usize::try_from(take_number(&mut rest)?).ok()?;
        take(&mut rest, size)?;
        if name == b"link" {
            // Most entries are in another file.
            return None;
        }
    }
    (rest.len() == hash).then_some(tracked)
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.extend([byte >> 4, byte & 15].into_iter().filter_map(|digit| char::from_digit(digit.into(), 16)));
    }
    text
}

fn take<'b>(rest: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn take_number(rest: &mut &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(take(rest, 4)?.try_into().ok()?))
}

/// Reads a number in git's variable-length encoding: seven bits a byte, with one added for each continuation.
fn take_distance(rest: &mut &[u8]) -> Option<usize> {
    let mut value: usize = 0;
    for position in 0..5 {
        let byte = *take(rest, 1)?.first()?;
        if position > 0 {
            value = value.checked_add(1)?;
        }
        value = value.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(version: u32, hash: usize, names: &[&str], extension: &[u8]) -> Vec<u8> {
        let count = u32::try_from(names.len()).unwrap();
        let mut bytes = [b"DIRC".as_slice(), &version.to_be_bytes(), &count.to_be_bytes()].concat();
        let mut last = "";
        for name in names {
            let start = bytes.len();
            let mode = if name.ends_with('/') { DIRECTORY } else { 0o100_644 };
            bytes.extend_from_slice(&[0; MODE]);
            bytes.extend_from_slice(&mode.to_be_bytes());
            bytes.extend(std::iter::repeat_n(7, BEFORE_HASH - MODE - 4 + hash));
            bytes.extend_from_slice(if version > 2 { &[0x40, 0, 0, 0] } else { &[0, 0] });
            if version == 4 {
                let same = last.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
                bytes.push(u8::try_from(last.len() - same).unwrap());
                bytes.extend_from_slice(&name.as_bytes()[same..]);
                bytes.push(0);
            } else {
                bytes.extend_from_slice(name.as_bytes());
                bytes.push(0);
                while (bytes.len() - start) % 8 != 0 {
                    bytes.push(0);
                }
            }
            last = name;
        }
        bytes.extend_from_slice(extension);
        bytes.extend(std::iter::repeat_n(9, hash));
        bytes
    }

    #[test]
    fn every_form_says_what_is_tracked() {
        let names = [".claude/skills/a/SKILL.md", ".symposium/config.toml", "Cargo.toml", "vendor/"];
        for version in 2..=4 {
            for hash in HASHES {
                let read = TrackedPaths::from_index(&index(version, hash, &names, b"TREE\0\0\0\x01x")).unwrap();
                let asked = [
                    (".symposium/config.toml", true),
                    (".claude/skills/a", true),
                    (".claude/skills", true),
                    (".claude/skills/b", false),
                    (".symposium/symposium.lock", false),
                    (".symposium/config", false),
                    ("Cargo.toml", true),
                    ("vendor/x/y.rs", true),
                    ("vendor", true),
                    ("vendored", false),
                    ("vend", false),
                ];
                assert_eq!(read.objects().get(&GitPath::new("Cargo.toml")), Some(&"07".repeat(hash)));
                for (path, tracked) in asked {
                    assert_eq!(read.contain(path), tracked, "{path} {version} {hash}");
                }
            }
        }
        assert!(!TrackedPaths::from_index(&index(2, 20, &[], b"")).unwrap().contain("a"));
    }

    #[test]
    fn what_cannot_be_understood_says_nothing() {
        let whole = index(2, 20, &["a"], b"");
        for bytes in [
            b"".as_slice(),
            b"DIRC",
            b"nothing of git's",
            &whole[..whole.len() - 1],
            &index(9, 20, &["a"], b""),
            &index(2, 20, &["a"], b"link\0\0\0\0"),
        ] {
            assert_eq!(TrackedPaths::from_index(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn paths_that_are_not_utf_8_are_shown_with_escapes() {
        for (path, shown) in [
            (&b"a/b\\xff.md"[..], "a/b\\xff.md"),
            (b"a/b\xff.md", "a/b\\xff.md"),
            (b"a\\b\xff\xc3\xa9\xc3", "a\\\\b\\xff\u{e9}\\xc3"),
            (b"", ""),
        ] {
            assert_eq!(GitPath::new(path).shown(), shown, "{path:?}");
        }
        // Only one of the two is UTF-8, which is said beside them.
        assert!(GitPath::new("a/b\\xff.md").is_utf8() && !GitPath::new(b"a/b\xff.md").is_utf8());
    }

    #[test]
    fn distances_are_as_git_writes_them() {
        for (bytes, value) in [(vec![0], 0), (vec![127], 127), (vec![0x80, 0], 128), (vec![0x80, 1], 129)] {
            assert_eq!(take_distance(&mut bytes.as_slice()), Some(value));
        }
        assert_eq!(take_distance(&mut [0xff; 9].as_slice()), None);
    }

    #[test]
    fn an_index_that_grows_without_end_is_none() {
        let long = "a".repeat(MAX_PATH + 1);
        assert_eq!(TrackedPaths::from_index(&index(2, 20, &[&long], b"")), None);
        // Each name shares the whole previous one, in a few bytes.
        let name = "a".repeat(MAX_PATH);
        let names = vec![name.as_str(); 2000];
        assert_eq!(TrackedPaths::from_index(&index(4, 20, &names, b"")), None);
        assert!(TrackedPaths::from_index(&index(4, 20, &names[..3], b"")).is_some());
    }
}
