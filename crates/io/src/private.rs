//! Files of ours in our own directories that a reader may open at any moment: replaced whole, for the user alone.

use std::io::Write;
use std::path::Path;

use crate::fs as files;

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It was as it should be, and nothing was written.
    AsItWas,
    /// It was written.
    Written,
}

/// Makes `text` the content of a file, with the directories above it. A file that is so already is not touched.
///
/// Whoever reads meanwhile sees the old content or the new one. It is not forced to the disk: what is kept this way can
/// be made again.
pub fn keep(path: &Path, text: &str) -> files::Result<Kept> {
    if files::read(path, text.len() as u64).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(Kept::AsItWas);
    }
    let failed = |error| files::FsError::of(path, error);
    let parent = path.parent().unwrap_or(path);
    files::create_private_dir(parent)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".keeping-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o600));
    }
    let mut file = builder.tempfile_in(parent).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(Kept::Written)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_written_once_and_for_the_user_alone() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("a/b/c.json");
        assert_eq!(keep(&file, "one").unwrap(), Kept::Written);
        assert_eq!(keep(&file, "one").unwrap(), Kept::AsItWas);
        assert_eq!(keep(&file, "on").unwrap(), Kept::Written);
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
    fn what_is_no_file_is_an_error_with_its_path() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("d")).unwrap();
        assert_eq!(keep(&home.path().join("d"), "x").unwrap_err().path, home.path().join("d"));
    }
}
