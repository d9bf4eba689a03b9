//! State files in Symposium's own directories, which may be read at any moment: replaced atomically, for the user
//! alone.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::fs as files;

const KEEPING: &str = ".keeping-";

/// The age of a temporary file after which its writer must be dead.
const ABANDONED: Duration = Duration::from_mins(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteOutcome {
    AsItWas,
    Written,
}

/// Writes a file with its parent directories, unless it already has this content.
///
/// A concurrent reader sees the old content or the new one. The file is not synced to disk: it can be generated again.
pub fn keep(path: &Path, text: &str) -> files::FsResult<WriteOutcome> {
    if files::read(path, text.len() as u64).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(WriteOutcome::AsItWas);
    }
    write(path, text.as_bytes())?;
    Ok(WriteOutcome::Written)
}

/// Writes a file with its parent directories, whatever it had before.
pub fn write(path: &Path, bytes: &[u8]) -> files::FsResult<()> {
    files::create_private_dir(path.parent().unwrap_or(path))?;
    write_existing(path, bytes)
}

/// Writes a file into a directory that is there.
pub fn write_existing(path: &Path, bytes: &[u8]) -> files::FsResult<()> {
    let failed = |error| files::FsError::new(path, error);
    let parent = path.parent().unwrap_or(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(KEEPING);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o600));
    }
    let mut file = builder.tempfile_in(parent).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Removes temporary files of killed writers from a directory.
///
/// Several processes may write without a lock, so only old files are removed; a time in the future does not count as
/// old.
pub fn sweep(directory: &Path) {
    sweep_if(directory, |age| age > ABANDONED);
}

/// Removes all temporary files of a directory that is about to be removed itself.
pub fn sweep_all(directory: &Path) {
    sweep_if(directory, |_| true);
}

fn sweep_if(directory: &Path, is_left: fn(Duration) -> bool) {
    let Ok(entries) = files::list(directory) else { return };
    for entry in entries {
        let path = directory.join(&entry.name);
        let age = || fs::symlink_metadata(&path).and_then(|found| found.modified()).ok().map(age_of);
        if entry.kind == files::FileKind::File && entry.name.starts_with(KEEPING) && age().is_some_and(is_left) {
            let _ = fs::remove_file(&path);
        }
    }
}

fn age_of(time: SystemTime) -> Duration {
    SystemTime::now().duration_since(time).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_once_and_for_the_user_alone() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("a/b/c.json");
        assert_eq!(keep(&file, "one").unwrap(), WriteOutcome::Written);
        assert_eq!(keep(&file, "one").unwrap(), WriteOutcome::AsItWas);
        assert_eq!(keep(&file, "on").unwrap(), WriteOutcome::Written);
        assert_eq!(fs::read_to_string(&file).unwrap(), "on");
        assert_eq!(files::list(file.parent().unwrap()).unwrap().len(), 1, "nothing is left beside it");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&file), 0o600);
            assert_eq!(mode(&home.path().join("a")), 0o700);
        }
    }

    #[test]
    fn what_was_left_half_written_goes_once_it_is_old() {
        let home = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        for (name, time) in [
            (".keeping-oldone", now - Duration::from_hours(1)),
            (".keeping-newone", now),
            (".keeping-future", now + Duration::from_hours(1)),
            ("pre-tool-use.json", now - Duration::from_hours(1)),
        ] {
            fs::File::create(home.path().join(name)).unwrap().set_modified(time).unwrap();
        }
        sweep(home.path());
        let left: Vec<String> = files::list(home.path()).unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(left, [".keeping-future", ".keeping-newone", "pre-tool-use.json"]);
        sweep_all(home.path());
        let left: Vec<_> = files::list(home.path()).unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(left, ["pre-tool-use.json"]);
    }

    #[test]
    fn what_is_no_file_is_an_error_with_its_path() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("d")).unwrap();
        assert_eq!(keep(&home.path().join("d"), "x").unwrap_err().path, home.path().join("d"));
    }
}
