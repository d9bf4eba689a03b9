//! How agents call us: through PATH where that finds this program, else by where it is.

use std::path::{Path, PathBuf};

use symposium_agents::{OsFamily, SymposiumProgram};
use symposium_io::{env, fs};
use symposium_model::config::NamedDirectories;
use symposium_model::ownership::has_our_name;

use crate::ops::context::Context;

/// The program for files of one person, and warnings when it will not last or cannot be told to be ours.
pub(crate) fn for_user(context: &Context) -> (SymposiumProgram, Vec<String>) {
    let running = env::current_program();
    let found = running.as_deref().and_then(on_path).or_else(|| running.clone());
    let Some(path) = found else { return (SymposiumProgram::Bare, Vec::new()) };
    let shown = path.display().to_string();
    let mut warnings = Vec::new();
    if in_build_directory(&path) {
        warnings.push(format!(
            "Agents will call `{shown}`, which is in a build directory; install the program in a permanent place"
        ));
    }
    if !has_our_name(&shown) {
        warnings.push(format!(
            "Agents will call `{shown}`, which is not named `symposium`; rename the program, because Symposium \
             recognises such entries only by its ledger"
        ));
    }
    (SymposiumProgram::Path { path: shown, directories: directory_options(context) }, warnings)
}

/// The kind of system we are on.
pub(crate) fn os() -> OsFamily {
    if cfg!(windows) { OsFamily::Windows } else { OsFamily::Posix }
}

/// The path through which PATH finds this very program, links not resolved.
fn on_path(running: &Path) -> Option<PathBuf> {
    let real = fs::canonical(running).ok()?;
    let name = running.file_name()?;
    env::program_directories()
        .into_iter()
        .map(|directory| directory.join(name))
        // Most directories do not have it, and whether they do is asked sooner than where a path leads.
        .find(|candidate| fs::exists(candidate) && fs::canonical(candidate).is_ok_and(|found| found == real))
}

/// Tells a directory that cargo builds in by the record it keeps there; the directory may have any name.
fn in_build_directory(path: &Path) -> bool {
    path.parent().is_some_and(|directory| fs::exists(&directory.join(".fingerprint")))
}

/// Returns the options that name our directories: no variable of the environment decides then which configuration counts.
fn directory_options(context: &Context) -> Vec<String> {
    let named = NamedDirectories::to_find(&context.directories, context.home.as_deref());
    named.options().flat_map(|(option, directory)| [option.to_owned(), directory.display().to_string()]).collect()
}
