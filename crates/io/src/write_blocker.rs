//! Detection of obstacles to writing a file, without writing anything.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteBlocker {
    NoDirectory(PathBuf),
    Unwritable(PathBuf),
}

impl fmt::Display for WriteBlocker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDirectory(path) => write!(f, "`{}` is not a directory", path.display()),
            Self::Unwritable(path) => write!(f, "`{}` is not writable", path.display()),
        }
    }
}

/// Finds the reason why nothing can be created in a directory, which need not exist itself.
pub fn to_making_in(directory: &Path) -> Option<WriteBlocker> {
    for above in directory.ancestors().filter(|above| !above.as_os_str().is_empty()) {
        match fs::metadata(above) {
            Ok(found) if !found.is_dir() => return Some(WriteBlocker::NoDirectory(above.to_owned())),
            Ok(found) => return (!may_write(above, &found)).then(|| WriteBlocker::Unwritable(above.to_owned())),
            // A dangling link exists, although its target does not.
            Err(_) if above.is_symlink() => return Some(WriteBlocker::NoDirectory(above.to_owned())),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
            Err(_) => return Some(WriteBlocker::Unwritable(above.to_owned())),
        }
    }
    None
}

#[cfg(unix)]
fn may_write(directory: &Path, _: &fs::Metadata) -> bool {
    use rustix::fs::{Access, access};
    access(directory, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn may_write(_: &Path, found: &fs::Metadata) -> bool {
    !found.permissions().readonly()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_way_is_named() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        fs::create_dir(at("made")).unwrap();
        fs::write(at("file"), "").unwrap();
        assert_eq!(to_making_in(&at("made")), None);
        assert_eq!(to_making_in(&at("made/not/yet")), None);
        assert_eq!(to_making_in(&at("file")), Some(WriteBlocker::NoDirectory(at("file"))));
        assert_eq!(to_making_in(&at("file/below/it")), Some(WriteBlocker::NoDirectory(at("file"))));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("nowhere", at("made/link")).unwrap();
            assert_eq!(to_making_in(&at("made/link/x")), Some(WriteBlocker::NoDirectory(at("made/link"))));
        }
    }
}
