//! Makes the files of a new plugin: in a directory of its own, or in the crate it is for.

use std::path::{Path, PathBuf};

use symposium_io::fs;
use symposium_io::source::{DirectoryTree, crate_signs, package_name};

use super::scaffold::{NewPlugin, PluginHome};
use crate::error::CliError;

pub(crate) struct ScaffoldCrate {
    pub(crate) name: String,
    pub(crate) directory: PathBuf,
}

pub(crate) struct ScaffoldTarget {
    pub(crate) home: PluginHome,
    pub(crate) root: PathBuf,
    pub(crate) target: PathBuf,
}

/// Finds the package whose directory this is, or lies below.
pub(crate) fn own_crate() -> Option<ScaffoldCrate> {
    let mut directory = PathBuf::new();
    for _ in fs::canonical(Path::new(".")).ok()?.ancestors() {
        let at = if directory.as_os_str().is_empty() { Path::new(".") } else { &directory };
        if fs::is_file(&at.join("Cargo.toml")) {
            let tree = DirectoryTree::open(at).ok()?;
            return package_name(&tree, "").map(|name| ScaffoldCrate { name, directory });
        }
        directory.push("..");
    }
    None
}

/// Refuses a crate that has a plugin already.
pub(crate) fn refuse_second(directory: &Path) -> Result<(), CliError> {
    let at = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let manifest = crate_signs(at).and_then(|signs| {
        let tree = DirectoryTree::open(at).ok()?;
        signs.manifest(&tree, "x")
    });
    match manifest {
        Some(manifest) => {
            let path = directory.join(manifest);
            let error = CliError::no(format!("This crate already has a plugin in `{}`", path.display()));
            Err(error.hint("edit that plugin; run `symposium plugin validate` to check it"))
        }
        None => Ok(()),
    }
}

/// Writes the files, unless it is a dry run, and returns their paths.
pub(crate) fn write_files(plugin: &NewPlugin, place: &ScaffoldTarget, dry_run: bool) -> Result<Vec<PathBuf>, CliError> {
    let files = plugin.files(place.home);
    let taken = match place.home {
        PluginHome::Directory => Some(place.target.clone()).filter(|target| fs::exists(target)),
        PluginHome::Crate => files.iter().map(|file| place.root.join(&file.path)).find(|path| fs::exists(path)),
    };
    if let Some(taken) = taken {
        let error = CliError::no(format!("`{}` already exists; nothing was written", taken.display()));
        return Err(error.hint("choose another name, or another directory with `--path`"));
    }
    let mut written = Vec::new();
    for file in files {
        let path = place.root.join(&file.path);
        if !dry_run {
            let done = if file.executable {
                fs::write_new_executable(&path, file.text.as_bytes())
            } else {
                fs::write_new_shared(&path, file.text.as_bytes())
            };
            done.map_err(|error| {
                CliError::failed(format!("Failed to write `{}`: {}", path.display(), error.kind))
                    .hint("check that the directory is writable")
            })?;
        }
        written.push(path);
    }
    Ok(written)
}
