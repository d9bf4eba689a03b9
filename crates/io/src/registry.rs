//! Queries about a crate of crates.io through cargo.
//!
//! They run `cargo info` in an empty directory, so that the user's own proxies, credentials and mirrors apply, and no
//! project's configuration does.

use std::path::{Path, PathBuf};
use std::time::Duration;

use semver::Version;
use symposium_model::crates::registry_index::{index_cache_path, parse_index_cache};

use crate::process::{ProgramCall, ProgramResult};
use crate::{env, fs};

const LIMIT: Duration = Duration::from_secs(20);
/// The most bytes of what cargo knows of one crate.
const LARGEST_ENTRY: u64 = 16 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CrateExistence {
    Exists,
    Absent,
    Unknown(String),
    NoCargo,
}

pub fn crate_exists(name: &str) -> CrateExistence {
    match ask(name) {
        Ok(answer) => answer,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => CrateExistence::NoCargo,
        Err(error) => CrateExistence::Unknown(format!("failed to run cargo: {error}")),
    }
}

/// Asks for the description of a crate. Cargo keeps its files in `own_home`, since it locks the user's own cache for as
/// long as the network takes, and every other cargo would wait.
pub fn describe(name: &str, own_home: &Path) -> Result<String, String> {
    match info(name, Some(own_home)) {
        Err(error) => Err(format!("failed to run cargo: {error}")),
        Ok(None) => Err(format!("no answer within {} seconds", LIMIT.as_secs())),
        Ok(Some(finished)) if finished.status.success() => Ok(finished.stdout),
        Ok(Some(finished)) => Err(complaint(&finished.stderr)),
    }
}

fn info(name: &str, own_home: Option<&Path>) -> std::io::Result<Option<ProgramResult>> {
    let empty = tempfile::tempdir()?;
    let mut args = vec!["info", "--quiet", "--color", "never", "--registry", "crates-io"];
    let mut variables = Vec::new();
    let user = env::cargo_home().filter(|_| own_home.is_some());
    let settings = user.as_deref().and_then(|user| first_file(user, ["config", "config.toml"]));
    if let Some(own_home) = own_home {
        fs::create_private_dir(own_home).map_err(std::io::Error::other)?;
        if let Some(user) = &user {
            link_credentials(user, own_home);
        }
        if let Some(settings) = settings.as_deref().and_then(Path::to_str) {
            args.extend(["--config", settings]);
        }
        variables.push(("CARGO_HOME", Some(own_home.into())));
    }
    args.extend(["--", name]);
    let program = Path::new("cargo");
    ProgramCall { program, args: &args, directory: empty.path(), input: "", limit: LIMIT, variables }.run()
}

fn first_file(directory: &Path, names: [&str; 2]) -> Option<PathBuf> {
    names.into_iter().map(|name| directory.join(name)).find(|path| fs::is_file(path))
}

/// Lets cargo read the user's credentials, which are not copied. Without a link only a registry that asks for them fails.
fn link_credentials(user: &Path, own_home: &Path) {
    let link = own_home.join("credentials.toml");
    let credentials = first_file(user, ["credentials", "credentials.toml"]);
    let target = credentials.as_deref().and_then(Path::to_str);
    if fs::link_target(&link).as_deref() != target {
        let _ = fs::remove_file(&link);
        let _ = target.map(|target| fs::make_link(target, &link));
    }
}

fn complaint(stderr: &str) -> String {
    let first = stderr.lines().find(|line| !line.trim().is_empty()).unwrap_or("cargo gave no reason");
    first.trim_start_matches("error: ").to_owned()
}

fn ask(name: &str) -> std::io::Result<CrateExistence> {
    let Some(finished) = info(name, None)? else {
        return Ok(CrateExistence::Unknown(format!("no answer within {} seconds", LIMIT.as_secs())));
    };
    if finished.status.success() {
        return Ok(CrateExistence::Exists);
    }
    if finished.stderr.contains("could not find") {
        return Ok(CrateExistence::Absent);
    }
    Ok(CrateExistence::Unknown(complaint(&finished.stderr)))
}

/// Lists the versions of a crate that cargo knows and that were not yanked; offline only those that it has.
pub fn known_versions(cargo_home: &Path, name: &str, is_offline: bool) -> Vec<Version> {
    let directories = |of: &str| {
        let directory = cargo_home.join("registry").join(of);
        let names = fs::list(&directory).unwrap_or_default().into_iter().map(|entry| entry.name);
        names.map(|name| directory.join(name)).collect::<Vec<PathBuf>>()
    };
    let caches = directories("cache");
    let has =
        |version: &Version| caches.iter().any(|cache| fs::is_file(&cache.join(format!("{name}-{version}.crate"))));
    let mut found = Vec::new();
    for index in directories("index") {
        let Some(path) = index_cache_path(name) else { continue };
        let Ok(bytes) = fs::read(&index.join(".cache").join(path), LARGEST_ENTRY) else { continue };
        let Ok(entry) = parse_index_cache(&bytes) else { continue };
        let usable = entry.versions.into_iter().filter(|known| !known.yanked && known.version.pre.is_empty());
        found.extend(usable.map(|known| known.version).filter(|version| !is_offline || has(version)));
    }
    found
}
