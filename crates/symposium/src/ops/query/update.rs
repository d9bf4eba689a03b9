//! Finds out how Symposium was installed, and the newest version.

use std::path::{Path, PathBuf};

use semver::Version;
use symposium_io::{env, fs, process, registry};
use symposium_model::config::{AppDirectories, EffectiveSettings};
use symposium_model::update::{
    self, ENVIRONMENT_FILES, InstallEvidence, InstallMethod, NEWEST_FILE, PACKAGE, PYPI_RECORDS, UpdateCommand,
    newest_in,
};

use crate::error::CliError;
use crate::ops::reconcile::program_path::is_in_node_project;
use crate::ops::required_version::OURS;

/// Records of other programs that are larger are not read.
const MAX_RECORD: u64 = 8 * 1024 * 1024;

/// The running program and how it was installed.
pub(crate) fn installation() -> (PathBuf, InstallMethod) {
    let program = env::current_program().unwrap_or_default();
    let program = fs::canonical(&program).unwrap_or(program);
    let read = |path: Option<PathBuf>| fs::read_text(&path?, MAX_RECORD).ok();
    let cargo_home = env::cargo_home().map(|home| fs::canonical(&home).unwrap_or(home));
    let root = program.parent().and_then(|bin| bin.parent());
    let variables = env::directory_variables();
    let configurations = variables.xdg_config.map(PathBuf::from).filter(|path| path.is_absolute());
    let configurations = configurations.or_else(|| Some(variables.home?.join(".config")));
    let cargo_record = read(root.map(|root| root.join(".crates2.json")));
    let binstall_record = read(cargo_home.as_ref().map(|home| home.join("binstall/crates-v1.json")));
    let receipt = read(configurations.map(|base| base.join(PACKAGE).join(format!("{PACKAGE}-receipt.json"))));
    let is_in_root = |name: &&'static str| root.is_some_and(|root| fs::exists(&root.join(name)));
    let environment_files: Vec<&str> = ENVIRONMENT_FILES.into_iter().filter(is_in_root).collect();
    let wheel_installer = root.and_then(wheel_installer);
    let found = InstallMethod::tell(InstallEvidence {
        program: &program,
        cargo_home: cargo_home.as_deref(),
        cargo_record: cargo_record.as_deref(),
        binstall_record: binstall_record.as_deref(),
        receipt: receipt.as_deref(),
        in_node_project: is_in_node_project(&program),
        environment_files: &environment_files,
        wheel_installer: wheel_installer.as_deref(),
    });
    (program, found)
}

/// Reads which program unpacked our wheel into the environment `root`.
fn wheel_installer(root: &Path) -> Option<String> {
    let list = |directory: PathBuf| fs::list(&directory).unwrap_or_default().into_iter().map(|entry| entry.name);
    let library = root.join("lib");
    let mut libraries: Vec<PathBuf> =
        list(library.clone()).filter(|name| name.starts_with("python")).map(|name| library.join(name)).collect();
    if cfg!(windows) {
        libraries.push(library);
    }
    let packages =
        libraries.iter().flat_map(|library| ["site-packages", "dist-packages"].map(|name| library.join(name)));
    packages.into_iter().find_map(|packages| {
        let records = list(packages.clone()).find(|name| name.starts_with(PYPI_RECORDS))?;
        fs::read_text(&packages.join(records).join("INSTALLER"), 100).ok()
    })
}

/// Says that a newer version is out, as far as that is known and wanted.
pub(crate) fn notice(directories: &AppDirectories, settings: &EffectiveSettings) -> Option<String> {
    let newest = fs::read_text(&directories.sessions().join(NEWEST_FILE), 100).ok()?;
    update::notice(OURS, &newest).filter(|_| settings.update_notice.value)
}

/// Asks the registry for the newest version; the error says why that is unknown.
pub(crate) fn newest(directories: &AppDirectories) -> Result<Version, String> {
    let printed = registry::describe(PACKAGE, &directories.update_lookup())?;
    newest_in(&printed).ok_or_else(|| "cargo did not report the latest version".to_owned())
}

/// Remembers the newest version for the next session, and that it was looked up now. Without a version, only the latter.
pub(crate) fn remember(directories: &AppDirectories, newest: Option<&Version>) -> fs::FsResult<()> {
    let path = directories.sessions().join(NEWEST_FILE);
    let text = match newest {
        Some(newest) => format!("{newest}\n"),
        None => fs::read_text(&path, 100).unwrap_or_default(),
    };
    fs::create_private_dir(&directories.sessions())?;
    fs::replace(&path, text.as_bytes())
}

/// Runs the command that brings a newer version, with what it prints in sight.
pub(crate) fn run(UpdateCommand { words }: &UpdateCommand) -> Result<(), CliError> {
    let Some((program, rest)) = words.split_first() else { return Err(CliError::failed("There is no update command")) };
    let status = process::run_in_sight(program, rest).map_err(|error| {
        CliError::failed(format!("Failed to start `{program}`: {error}")).hint("check that it is on PATH")
    })?;
    if status.success() {
        return Ok(());
    }
    Err(CliError::failed(format!("`{program}` ended with {status}; the update may have failed"))
        .hint("its output is above"))
}
