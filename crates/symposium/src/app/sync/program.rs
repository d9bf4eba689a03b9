//! How agents call us: through PATH where that finds this program, else by where it is.

use std::path::{Path, PathBuf};

use symposium_agents::{Os, Program};
use symposium_io::{env, fs};

use crate::app::context::Context;

/// The program for files of one person, and a warning when it will not last.
pub(crate) fn for_user(context: &Context) -> (Program, Option<String>) {
    let running = env::current_program();
    let found = running.as_deref().and_then(on_path).or_else(|| running.clone());
    let Some(path) = found else { return (Program::Bare, None) };
    let warning = in_build_directory(&path).then(|| {
        format!(
            "Agents will call `{}`, which is a build directory; install the program to make it last",
            path.display()
        )
    });
    (Program::Path { path: path.display().to_string(), home: unusual_home(context) }, warning)
}

/// The kind of system we are on.
pub(crate) fn os() -> Os {
    if cfg!(windows) { Os::Windows } else { Os::Posix }
}

/// The path through which PATH finds this very program, links not resolved.
fn on_path(running: &Path) -> Option<PathBuf> {
    let real = fs::canonical(running).ok()?;
    let name = running.file_name()?;
    env::program_directories()
        .into_iter()
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(name))
        .find(|candidate| fs::canonical(candidate).is_ok_and(|found| found == real))
}

fn in_build_directory(path: &Path) -> bool {
    let mut parts = path.components().rev().skip(1).filter_map(|part| part.as_os_str().to_str());
    let profile = parts.next();
    matches!(profile, Some("debug" | "release")) && parts.any(|part| part == "target")
}

/// Our directory, when it is not the usual one: an agent started from a desktop may lack the variables that say so.
fn unusual_home(context: &Context) -> Option<String> {
    let usual = context.home.as_ref().map(|home| home.join(".symposium"));
    let ours = &context.directories.config;
    (usual.as_ref() != Some(ours)).then(|| ours.display().to_string())
}
