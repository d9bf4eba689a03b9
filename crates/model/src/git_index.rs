//! Git's index, as far as it says which files git tracks.

/// The lengths of hashes that repositories use: SHA-1, and SHA-256.
const HASHES: [usize; 2] = [20, 32];
/// Everything of an entry before its hash.
const BEFORE_HASH: usize = 40;
/// Where the mode of an entry stands.
const MODE: usize = 24;
/// The longest path that is taken for one.
const MAX_PATH: usize = 4096;
/// So many times the size of the index its paths may take: they can share their beginnings.
const MAX_GROWTH: usize = 16;
/// The mode of a directory whose files are not listed, in a sparse index.
const DIRECTORY: u32 = 0o040_000;

/// Whether git tracks a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tracking {
    /// It does: the file, or something below it.
    Tracked,
    /// It does not, or there is no repository.
    Untracked,
    /// There is a repository, and what it says cannot be understood.
    Unknown,
}

/// The paths git tracks, from the top of the work tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrackedPaths {
    files: Vec<Vec<u8>>,
    directories: Vec<Vec<u8>>,
}

impl TrackedPaths {
    /// Returns what an index says; `None` for one that cannot be understood, or that says only a part.
    pub fn from_index(bytes: &[u8]) -> Option<Self> {
        HASHES.into_iter().find_map(|hash| read(bytes, hash))
    }

    /// Returns whether git tracks a file, or anything below a directory.
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
        // A bit of the flags says that there are more of them.
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
            // At least one zero ends a name, and as many more as fill eight bytes.
            let padding = (8 - (start - rest.len()) % 8) % 8;
            take(&mut rest, padding)?;
        }
        let paths = if mode == DIRECTORY { &mut tracked.directories } else { &mut tracked.files };
        paths.push(last.clone());
    }
    // That extensions follow to the very end shows that the entries were read as they are meant.
    while rest.len() > hash {
        let name = take(&mut rest, 4)?;
        let size = usize::try_from(take_number(&mut rest)?).ok()?;
        take(&mut rest, size)?;
        if name == b"link" {
            // Most of it is in another file.
            return None;
        }
    }
    (rest.len() == hash).then_some(tracked)
}

fn take<'b>(rest: &mut &'b [u8], count: usize) -> Option<&'b [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn take_number(rest: &mut &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(take(rest, 4)?.try_into().ok()?))
}

/// Takes a number in git's variable form: seven bits a byte, each continuation counting one more.
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
        // Each name has the whole one before it, in a few bytes.
        let name = "a".repeat(MAX_PATH);
        let names = vec![name.as_str(); 2000];
        assert_eq!(TrackedPaths::from_index(&index(4, 20, &names, b"")), None);
        assert!(TrackedPaths::from_index(&index(4, 20, &names[..3], b"")).is_some());
    }
}
