//! The state of files and variables at the time a plan was compiled.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathStamp {
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<FileState>,
}

/// One stamp for many files below a directory, which is read and compared in a fraction of the time that as many
/// [`PathStamp`]s take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderStamp {
    pub directory: String,
    /// Paths below the directory, separated by bars.
    pub files: String,
    /// The states of the files, in the same order.
    pub hash: StateHash,
}

impl FolderStamp {
    /// Separates two paths; JSON needs no escape for it.
    const BETWEEN: char = '|';

    /// With fewer files, opening the directory costs more than it saves.
    const FEWEST: usize = 16;

    /// Moves the stamps of files below a directory into one. `None`, and nothing is moved, if there are only a few.
    pub fn take_from(stamps: &mut Vec<PathStamp>, directory: &str) -> Option<Self> {
        Self::take_groups(stamps, directory, usize::MAX).pop()
    }

    /// Moves the stamps of files below a directory into groups of about the same size, none of which has more than `most`
    /// files. Nothing is moved if there are only a few.
    pub fn take_groups(stamps: &mut Vec<PathStamp>, directory: &str, most: usize) -> Vec<Self> {
        let below = |stamp: &PathStamp| -> Option<(usize, FileState)> {
            let file = stamp.path.strip_prefix(directory)?.strip_prefix('/')?;
            let is_plain = !file.is_empty() && !file.starts_with('/') && !file.contains(Self::BETWEEN);
            Some((stamp.path.len() - file.len(), stamp.state.filter(|_| is_plain)?))
        };
        let count = stamps.iter().filter_map(below).count();
        if count < Self::FEWEST {
            return Vec::new();
        }
        let size = count.div_ceil(count.div_ceil(most));
        let mut groups: Vec<Self> = Vec::new();
        let mut moved = 0;
        stamps.retain(|stamp| {
            let Some((start, state)) = below(stamp) else { return true };
            if moved % size == 0 {
                let hash = StateHash::default();
                groups.push(Self { directory: directory.to_owned(), files: String::new(), hash });
            }
            moved += 1;
            let Some(group) = groups.last_mut() else { return true };
            if !group.files.is_empty() {
                group.files.push(Self::BETWEEN);
            }
            group.files.push_str(stamp.path.get(start..).unwrap_or_default());
            group.hash = group.hash.with(state);
            false
        });
        groups
    }

    /// Tells whether all files have the recorded states; `look` gives the present state of one.
    pub fn holds(&self, look: impl Fn(&str) -> Option<FileState>) -> bool {
        let now = self.files.split(Self::BETWEEN).try_fold(StateHash::default(), |hash, file| {
            let state = look(file)?;
            Some(hash.with(state))
        });
        now == Some(self.hash)
    }
}

/// A hash of file states. Of two lists that differ in one number the hashes are different; otherwise one change in 2^64
/// would go unnoticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StateHash(u64);

impl StateHash {
    #[must_use]
    pub fn with(self, state: FileState) -> Self {
        let FileState { size, modified, changed, inode } = state;
        self.mix(size).mix(modified.cast_unsigned()).mix(changed.cast_unsigned()).mix(inode)
    }

    /// Adds a number; injective in the number and in the hash.
    fn mix(self, word: u64) -> Self {
        Self((self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// Metadata that tells one state of a file from another. Serialized as four numbers without keys: a plan has hundreds
/// of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(u64, i64, i64, u64)", from = "(u64, i64, i64, u64)")]
pub struct FileState {
    /// In bytes.
    pub size: u64,
    /// The modification time in nanoseconds since 1970.
    pub modified: i64,
    /// The time of the last metadata change, which no program can set back; in nanoseconds since 1970.
    pub changed: i64,
    pub inode: u64,
}

impl From<FileState> for (u64, i64, i64, u64) {
    fn from(FileState { size, modified, changed, inode }: FileState) -> Self {
        (size, modified, changed, inode)
    }
}

impl From<(u64, i64, i64, u64)> for FileState {
    fn from(numbers: (u64, i64, i64, u64)) -> Self {
        let (size, modified, changed, inode) = numbers;
        Self { size, modified, changed, inode }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathPresence {
    pub path: String,
    pub there: bool,
}

/// The state of an environment variable at compile time. Its value may be a secret, so only a hash is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariableStamp {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(path: String, size: u64) -> PathStamp {
        PathStamp { path, state: Some(FileState { size, modified: 1, changed: 2, inode: 3 }) }
    }

    #[test]
    fn many_stamps_below_a_directory_become_one() {
        let others = || {
            let gone = PathStamp { path: "/p/gone".to_owned(), state: None };
            vec![stamp("/p".to_owned(), 0), stamp("/pp/x".to_owned(), 0), gone, stamp("/p/a|b".to_owned(), 0)]
        };
        let below = |count: u64| (0..count).map(|size| stamp(format!("/p/{size}/f"), size));
        let few: Vec<PathStamp> = others().into_iter().chain(below(15)).collect();
        let mut kept = few.clone();
        assert_eq!(FolderStamp::take_from(&mut kept, "/p"), None);
        assert_eq!(kept, few);

        let mut many: Vec<PathStamp> = below(8).chain(others()).chain(below(16).skip(8)).collect();
        let folder = FolderStamp::take_from(&mut many, "/p").unwrap();
        assert_eq!((many, folder.directory.as_str()), (others(), "/p"));
        let size_of = |file: &str| file.strip_suffix("/f").unwrap().parse().unwrap();
        let look = |file: &str| stamp(String::new(), size_of(file)).state;
        assert!(folder.holds(look));
        for other in 0..16 {
            assert!(!folder.holds(|file| look(file).filter(|state| state.size != other)), "{other} is gone");
            let changes: [fn(&mut FileState); 4] =
                [|it| it.size += 1, |it| it.modified += 1, |it| it.changed -= 1, |it| it.inode ^= 1];
            for change in changes {
                let changed = |file: &str| {
                    let mut state = look(file)?;
                    if state.size == other {
                        change(&mut state);
                    }
                    Some(state)
                };
                assert!(!folder.holds(changed), "{other} is different");
            }
        }
        assert!(!FolderStamp { files: folder.files.replace("|7/f", ""), ..folder }.holds(look));
    }

    #[test]
    fn very_many_stamps_become_groups_of_which_none_is_large() {
        for (count, sizes) in
            [(15, vec![]), (16, vec![16]), (64, vec![64]), (65, vec![33, 32]), (129, vec![43, 43, 43])]
        {
            let mut stamps: Vec<PathStamp> = (0..count).map(|size| stamp(format!("/p/{size}"), size)).collect();
            let groups = FolderStamp::take_groups(&mut stamps, "/p", 64);
            let files: Vec<&str> = groups.iter().flat_map(|group| group.files.split('|')).collect();
            assert_eq!(groups.iter().map(|group| group.files.split('|').count()).collect::<Vec<_>>(), sizes);
            assert_eq!(files.len() + stamps.len(), usize::try_from(count).unwrap());
            let look = |file: &str| stamp(String::new(), file.parse().unwrap()).state;
            assert!(groups.iter().all(|group| group.holds(look)));
        }
    }
}
