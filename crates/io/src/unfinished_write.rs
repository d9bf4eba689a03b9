//! Detection of files that another program has not finished writing.
//!
//! A program that rewrites a file in place truncates it and writes it in pieces, through a handle that leads to this
//! very file even if it is renamed. Until it is done, the file must be neither trusted nor replaced. There are two
//! signs: the file changed a moment ago, or, on Linux, a process has it open for writing.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// A file that did not change for this time is complete: programs that write in pieces do not pause longer.
const REST: Duration = Duration::from_millis(100);

/// A file that was written longer ago is not being written, unless there is evidence to the contrary. Processes are not
/// searched for it, since that takes milliseconds.
const LONG_AGO: Duration = Duration::from_secs(10);

const POLL: Duration = Duration::from_millis(4);

/// The time to wait for a program that opened a file by its name just before that was moved away, and is about to
/// truncate it. It is longer on systems that do not show open files.
const LATE: Duration = Duration::from_millis(if cfg!(target_os = "linux") { 10 } else { 50 });

#[derive(Debug, Default)]
pub(crate) struct RestWatch {
    seen: Option<FileObservation>,
    suspicious: bool,
}

#[derive(Debug)]
struct FileObservation {
    stamp: FileStamp,
    since: Instant,
    replaced: bool,
}

impl RestWatch {
    /// Makes later checks search all processes even for an old file: another program was faster than this one.
    pub(crate) fn suspect(&mut self) {
        self.suspicious = true;
    }

    /// Returns the result of `read` once the file is complete; `None` when it is not before the deadline.
    pub(crate) fn read_whole<T>(&mut self, path: &Path, deadline: Instant, read: impl Fn() -> T) -> Option<T> {
        loop {
            let Some(stamp) = FileStamp::observe(path) else { return Some(read()) };
            let rest = self.rest_of(stamp);
            if rest != RestState::No {
                let found = read();
                // The search takes long enough for the file to be replaced: the text that was read is complete all the
                // same.
                let is_asked = || {
                    !has_writer(path)
                        && FileStamp::observe(path).is_none_or(|now| now.file != stamp.file || now == stamp)
                };
                if FileStamp::observe(path) == Some(stamp) && (rest == RestState::Certain || is_asked()) {
                    return Some(found);
                }
            }
            if Instant::now() > deadline {
                return None;
            }
            std::thread::sleep(POLL);
        }
    }

    fn rest_of(&mut self, stamp: FileStamp) -> RestState {
        let seen = match self.seen.take() {
            Some(last) if last.stamp == stamp => last,
            last => {
                let replaced = last.is_some_and(|last| last.stamp.file != stamp.file);
                FileObservation { stamp, since: Instant::now(), replaced }
            }
        };
        let (since, replaced) = (seen.since, seen.replaced);
        self.seen = Some(seen);
        if replaced && stamp.length > 0 {
            RestState::Certain
        } else if stamp.named_last || stamp.is_older_than(LONG_AGO) {
            if self.suspicious { RestState::Likely } else { RestState::Certain }
        } else if stamp.is_older_than(REST) || since.elapsed() >= REST {
            RestState::Likely
        } else {
            RestState::No
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RestState {
    /// It was finished elsewhere and renamed into its place, or long ago.
    Certain,
    /// It did not change for a moment, so processes have to be searched.
    Likely,
    No,
}

/// Returns true if a file that was moved away stays unchanged: no program has it open for writing, or is about to.
pub(crate) fn stays(path: &Path, is_as_expected: impl Fn() -> bool) -> bool {
    if !is_as_expected() {
        return false;
    }
    std::thread::sleep(LATE);
    !has_writer(path) && is_as_expected()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStamp {
    /// Device and inode; 0 on systems without them.
    file: (u64, u64),
    length: u64,
    modified: Option<SystemTime>,
    /// True if the file got its name or mode after the last write, as happens with a rename into place.
    named_last: bool,
}

impl FileStamp {
    /// Follows links; `None` when the file does not exist.
    fn observe(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let (file, named_last) = identity(&metadata);
        Some(Self { file, length: metadata.len(), modified: metadata.modified().ok(), named_last })
    }

    fn is_older_than(self, age: Duration) -> bool {
        self.modified.and_then(|time| time.elapsed().ok()).is_some_and(|found| found >= age)
    }
}

/// Returns the identity of a file, and if it was renamed after the last write: writing sets both of its times alike.
#[cfg(unix)]
fn identity(metadata: &fs::Metadata) -> ((u64, u64), bool) {
    use std::os::unix::fs::MetadataExt;
    let named_last = (metadata.ctime(), metadata.ctime_nsec()) > (metadata.mtime(), metadata.mtime_nsec());
    ((metadata.dev(), metadata.ino()), named_last)
}

#[cfg(not(unix))]
fn identity(_metadata: &fs::Metadata) -> ((u64, u64), bool) {
    ((0, 0), false)
}

/// Returns true if a process visible to this user has the file open for writing.
#[cfg(target_os = "linux")]
fn has_writer(path: &Path) -> bool {
    let (Some(name), Ok(file)) = (path.file_name(), fs::metadata(path)) else { return false };
    let is_it = |opened: &Path| {
        // The name is compared first, which does not access the file system of the file: that may hang.
        fs::read_link(opened).is_ok_and(|real| real.file_name() == Some(name))
            && fs::metadata(opened).is_ok_and(|opened| identity(&opened).0 == identity(&file).0)
    };
    let entries = |directory: &Path| fs::read_dir(directory).into_iter().flatten().flatten();
    entries(Path::new("/proc"))
        .map(|process| process.path())
        .filter(|process| process.file_name().is_some_and(|id| id.as_encoded_bytes().iter().all(u8::is_ascii_digit)))
        .any(|process| {
            entries(&process.join("fd"))
                .any(|opened| is_it(&opened.path()) && is_for_writing(&process.join("fdinfo").join(opened.file_name())))
        })
}

/// Reads the octal `flags:` line of a descriptor's `fdinfo`.
#[cfg(target_os = "linux")]
fn is_for_writing(description: &Path) -> bool {
    let Ok(text) = fs::read_to_string(description) else { return false };
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"));
    flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok()).is_some_and(|flags| flags & 3 != 0)
}

#[cfg(not(target_os = "linux"))]
fn has_writer(_path: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use super::*;

    fn is_whole(path: &Path, patience: Duration) -> bool {
        RestWatch::default().read_whole(path, Instant::now() + patience, || ()).is_some()
    }

    fn age(path: &Path) {
        let file = OpenOptions::new().append(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_mins(1)).unwrap();
    }

    #[test]
    fn a_file_that_was_written_just_now_is_waited_for() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("settings.json");
        assert!(is_whole(&path, Duration::ZERO), "nothing is there, so nothing is half");
        fs::write(&path, "{").unwrap();
        assert!(!is_whole(&path, Duration::ZERO), "the rest may follow");
        let started = Instant::now();
        assert!(is_whole(&path, Duration::from_secs(5)));
        assert!(started.elapsed() < Duration::from_secs(2), "not longer than a moment");
        age(&path);
        assert!(is_whole(&path, Duration::ZERO));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_open_handle_for_writing_is_seen_and_one_for_reading_is_not() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("settings.json");
        fs::write(&path, "{}").unwrap();
        age(&path);
        let reader = fs::File::open(&path).unwrap();
        assert!(stays(&path, || true));
        let writer = OpenOptions::new().write(true).open(&path).unwrap();
        assert!(!stays(&path, || true));
        let mut watch = RestWatch::default();
        watch.suspect();
        assert_eq!(watch.read_whole(&path, Instant::now(), || ()), None);
        drop((reader, writer));
        assert!(stays(&path, || true));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_written_by_this_program_is_whole_at_once() {
        use crate::parent_dirs::FileAudience;

        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("settings.json");
        let is_certain = || FileStamp::observe(&path).is_some_and(|stamp| stamp.named_last);
        for turn in 0..10 {
            let (text, next) = (format!("{{ {turn} }}"), format!("[ {turn} ]"));
            assert!(crate::replace::overwrite(&path, &text, FileAudience::Everybody).is_ok() && is_certain());
            assert!(crate::replace::replace(&path, &text, &next, FileAudience::Owner).is_ok() && is_certain());
            fs::remove_file(&path).unwrap();
            assert!(crate::replace::create(&path, &text, FileAudience::Everybody).is_ok() && is_certain());
        }
        fs::write(&path, "{").unwrap();
        assert!(!is_certain(), "another program writes");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_renamed_into_place_is_whole() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("settings.json");
        fs::write(home.path().join("new"), "{}").unwrap();
        // The clock of the file system ticks every few milliseconds.
        std::thread::sleep(Duration::from_millis(20));
        fs::rename(home.path().join("new"), &path).unwrap();
        assert!(is_whole(&path, Duration::ZERO));
    }
}
