//! Determines the command by which agents call Symposium: its name if PATH leads to this program, otherwise its path.

use std::path::{Path, PathBuf};

use symposium_agents::{OsFamily, SymposiumProgram};
use symposium_io::{env, fs};
use symposium_model::config::{AppDirectories, NamedDirectories};
use symposium_model::ownership::has_our_name;
use symposium_model::update::{self, PackageCache};

use crate::ops::context::Context;
use crate::ops::sync_messages;

/// The program for files of one person, and warnings when it will not last or cannot be told to be ours.
pub(crate) fn for_user(context: &Context) -> (SymposiumProgram, Vec<String>) {
    let running = env::current_program();
    let found = running.as_deref().and_then(on_path).or_else(|| running.clone());
    let Some(path) = found else { return (SymposiumProgram::Bare, Vec::new()) };
    let shown = path.display().to_string();
    let mut warnings = Vec::new();
    if in_build_directory(&path) {
        warnings.push(sync_messages::warn_of_build_directory(&shown));
    }
    if let Some(command) = permanent_installation(&path) {
        warnings.push(sync_messages::warn_of_passing_place(&shown, command));
    }
    if !has_our_name(&shown) {
        warnings.push(sync_messages::warn_of_other_name(&shown));
    }
    (
        SymposiumProgram::Path {
            path: shown,
            directories: directory_options(&context.directories, context.home.as_deref()),
        },
        warnings,
    )
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

/// Returns the command that installs the program permanently, if it is in a cache or among the packages of a project.
fn permanent_installation(path: &Path) -> Option<&'static [&'static str]> {
    let real = fs::canonical(path).unwrap_or_else(|_| path.to_owned());
    let cache = update::find_cache(&real).or_else(|| is_in_node_project(&real).then_some(PackageCache::Npx));
    cache.map(PackageCache::permanently)
}

/// Whether the program is a package of a Node.js project.
pub(crate) fn is_in_node_project(program: &Path) -> bool {
    let beside = update::outer_node_modules(program).map(|modules| modules.with_file_name("package.json"));
    beside.is_some_and(|manifest| fs::exists(&manifest))
}

/// Returns the options that name our directories: no variable of the environment decides then which configuration counts.
fn directory_options(directories: &AppDirectories, home: Option<&Path>) -> Vec<String> {
    let named = NamedDirectories::to_find(directories, home);
    named.options().flat_map(|(option, directory)| [option.to_owned(), directory.display().to_string()]).collect()
}
