//! Files of ours in our own directories that a reader may open at any moment: replaced whole, for the user alone.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::fs as files;

/// How the names of files begin that are being written.
const KEEPING: &str = ".keeping-";

/// Nobody writes one of these files for so long.
const ABANDONED: Duration = Duration::from_mins(2);

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteOutcome {
    /// It was as it should be, and nothing was written.
    AsItWas,
    Written,
}

/// Makes `text` the content of a file, with the directories above it. A file that is so already is not touched.
///
/// Whoever reads meanwhile sees the old content or the new one. It is not forced to the disk: what is kept this way can
/// be made again.
pub fn keep(path: &Path, text: &str) -> files::FsResult<WriteOutcome> {
    if files::read(path, text.len() as u64).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(WriteOutcome::AsItWas);
    }
    let failed = |error| files::FsError::new(path, error);
    let parent = path.parent().unwrap_or(path);
    files::create_private_dir(parent)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(KEEPING);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o600));
    }
    let mut file = builder.tempfile_in(parent).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(WriteOutcome::Written)
}

/// Removes from a directory what was left there by who was killed while writing.
///
/// Several may write at once without a lock, so a file counts as left only when it is old; one from the future is not.
pub fn sweep(directory: &Path) {
    sweep_if(directory, |age| age > ABANDONED);
}

/// Removes whatever is being written in a directory, since it goes as a whole.
pub fn sweep_all(directory: &Path) {
    sweep_if(directory, |_| true);
}

fn sweep_if(directory: &Path, is_left: fn(Duration) -> bool) {
    let Ok(entries) = files::list(directory) else { return };
    for entry in entries {
        let path = directory.join(&entry.name);
        let age = || fs::symlink_metadata(&path).and_then(|found| found.modified()).ok().map(age_of);
        if entry.kind == files::EntryKind::File && entry.name.starts_with(KEEPING) && age().is_some_and(is_left) {
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
