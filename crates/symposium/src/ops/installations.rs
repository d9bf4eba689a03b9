//! Programs that plugins need: where they are, and how they are made. Only what somebody agreed to is made, and only when
//! a person is there or said yes.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use symposium_io::installation::{
    CargoCrate, InstallationError, NetworkAccess, install_crate, install_directory, install_repository, run_command,
};
use symposium_io::source::{DirectoryTree, whole_fingerprint};
use symposium_io::{env, file_lock, fs};
use symposium_model::authority::WorkspaceToggles;
use symposium_model::catalog::Catalog;
use symposium_model::config::AppDirectories;
use symposium_model::manifest::{Hook, Installation, InstallationSource, ProgramFile};
use symposium_model::select::Selection;
use symposium_model::trust::CommandKind;

use super::catalog::root_of;
use super::trust::TrustReport;
use crate::ops::lockfile_state::VENDORED;
use crate::ui::progress::Progress;

/// The file that says that an installation is complete. It is written last.
const MADE: &str = ".made";

/// Whoever makes the same installation is waited for this long: it may be compiling.
const PATIENCE: Duration = Duration::from_mins(45);

/// An installation that has to be made before what needs it can run.
#[derive(Debug, Clone)]
pub(crate) struct MissingInstallation {
    pub(crate) plugin: String,
    pub(crate) manifest: String,
    /// The plugin's directory, where it is on disk.
    pub(crate) directory: Option<PathBuf>,
    pub(crate) installation: Installation,
}

/// Where an installation lies, once it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InstallationPaths {
    /// The directory that was made for it; nothing where nothing is made, or where cargo keeps it.
    pub(crate) directory: Option<PathBuf>,
    pub(crate) programs: Option<PathBuf>,
}

/// Where an installation lies; `None` when it is not made yet. `plugin` is the directory of its plugin.
pub(crate) fn made(
    directories: &AppDirectories,
    plugin: Option<&Path>,
    installation: &Installation,
) -> Option<InstallationPaths> {
    let place = place(directories, plugin, installation);
    if installation.has_steps() && !fs::exists(&place.join(MADE)) {
        return None;
    }
    Some(match &installation.source {
        InstallationSource::None => {
            let copied = works_on_copy(directories, plugin, installation);
            // A copy without its program is no use to anybody, and is made again.
            let own = installation.program.as_ref().map(|program| place.join(program.path()));
            if copied && own.is_some_and(|own| fs::is_gone(&own)) {
                return None;
            }
            let programs = if copied { Some(place.clone()) } else { plugin.map(Path::to_owned) };
            InstallationPaths { directory: installation.has_steps().then_some(place), programs }
        }
        InstallationSource::Cargo { global: true, .. } => {
            InstallationPaths { directory: None, programs: env::cargo_home().map(|home| home.join("bin")) }
        }
        InstallationSource::Cargo { global: false, .. } => {
            InstallationPaths { programs: Some(place.join("bin")), directory: Some(place) }
        }
        InstallationSource::GitHub { .. } => {
            InstallationPaths { programs: Some(place.clone()), directory: Some(place) }
        }
    })
}

/// Whether the commands of an installation without a source work on a copy of the plugin: what was fetched, by us or by
/// cargo, is compared with what it was when it came, and replaced by what comes next.
fn works_on_copy(directories: &AppDirectories, plugin: Option<&Path>, installation: &Installation) -> bool {
    let Some(plugin) = plugin.filter(|_| installation.source == InstallationSource::None && installation.has_steps())
    else {
        return false;
    };
    let holds = |root: PathBuf| fs::canonical(&root).is_ok_and(|root| plugin.starts_with(root));
    let cargo = env::cargo_home().is_some_and(|home| holds(home.join("registry")) || holds(home.join("git")));
    cargo || holds(directories.cache.clone()) || is_vendored(plugin)
}

fn is_vendored(plugin: &Path) -> bool {
    plugin.ancestors().any(|above| above.ends_with(VENDORED))
}

fn place(directories: &AppDirectories, plugin: Option<&Path>, installation: &Installation) -> PathBuf {
    let mut about = plugin.map(|directory| directory.display().to_string()).unwrap_or_default();
    // Other copies have a commit or a version in their path; what is vendored has the same one whatever it holds, and a
    // copy of what it held before is not what somebody agreed to.
    let vendored = plugin.filter(|at| is_vendored(at) && works_on_copy(directories, plugin, installation));
    if let Some(tree) = vendored.and_then(|vendored| DirectoryTree::open(vendored).ok()) {
        about.push('\n');
        about.push_str(whole_fingerprint(&tree).as_ref().map_or("unknown", |content| content.as_str()));
    }
    directories.installations().join(installation.directory_name(&about))
}

/// The program an installation, or the hook that uses it, names; `Err` says why there is none.
pub(crate) fn program_of(
    made: &InstallationPaths,
    installation: &Installation,
    own: Option<&ProgramFile>,
) -> Result<PathBuf, String> {
    let name = &installation.name;
    let base = made.programs.as_deref().ok_or_else(|| format!("the installation `{name}` is not on disk"))?;
    let Some(program) = own.or(installation.program.as_ref()) else {
        return only_program(base, installation);
    };
    let path = Path::new(program.path());
    let is_plugins = matches!(installation.source, InstallationSource::None);
    // What comes with a plugin may point to what is on the machine; what was fetched may not.
    if is_plugins && path.is_absolute() {
        return Ok(path.to_owned());
    }
    let found = fs::canonical(&base.join(path)).map_err(|_| {
        let shown = program.path();
        format!("the installation `{name}` has no `{shown}`")
    })?;
    let inside = fs::canonical(base).is_ok_and(|base| found.starts_with(base));
    if inside { Ok(found) } else { Err(format!("`{}` is outside the installation `{name}`", program.path())) }
}

/// Of a crate with one program, that one; of one with several, the one called like the crate.
fn only_program(base: &Path, installation: &Installation) -> Result<PathBuf, String> {
    let name = &installation.name;
    let unclear = || format!("the installation `{name}` does not name its program: add `executable`");
    let InstallationSource::Cargo { package, global: false, .. } = &installation.source else { return Err(unclear()) };
    let entries = fs::list(base).map_err(|error| error.to_string())?;
    let called_so = entries.iter().find(|entry| entry.name == *package);
    match (called_so, entries.as_slice()) {
        (Some(entry), _) | (None, [entry]) => Ok(base.join(&entry.name)),
        (None, _) => Err(unclear()),
    }
}

/// The installations that permitted plugins need and that are not made.
pub(crate) fn unmade(
    choices: &WorkspaceToggles<'_>,
    directories: &AppDirectories,
    catalog: &Catalog,
    selection: &Selection,
    trust: &TrustReport,
) -> Vec<MissingInstallation> {
    let mut found = Vec::new();
    for verdict in selection.plugins.iter().filter(|verdict| verdict.is_active()) {
        let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
        let plugin = &loaded.plugin;
        let by = source.spec.bringer();
        let runs = |hook: &Hook| choices.hook(by, &plugin.name, &hook.name, hook.order).is_on();
        let on = choices.plugin(by, &plugin.name).is_on() || plugin.hooks.iter().any(runs);
        if plugin.installations.is_empty() || !on || !trust.allows(verdict.id) {
            continue;
        }
        let directory = root_of(source).and_then(|root| fs::canonical(root.join(&loaded.path).parent()?).ok());
        for installation in plugin.used_installations() {
            let is_refused = trust.refusal(verdict.id, CommandKind::Installation, &installation.name).is_some();
            if !is_refused && made(directories, directory.as_deref(), installation).is_none() {
                found.push(MissingInstallation {
                    plugin: plugin.name.clone(),
                    manifest: loaded.shown.clone(),
                    directory: directory.clone(),
                    installation: installation.clone(),
                });
            }
        }
    }
    found
}

/// Makes one, with a line for people while it takes long.
pub(crate) fn make_shown(
    directories: &AppDirectories,
    wanted: &MissingInstallation,
    is_offline: bool,
    mut progress: Progress,
) -> Result<(), InstallationError> {
    let network = if is_offline { NetworkAccess::OffLimits } else { NetworkAccess::Allowed };
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || sender.send(make(directories, wanted, network)));
        loop {
            match receiver.recv_timeout(Duration::from_millis(200)) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Timeout) => {
                    progress.show(&format!("installing {}", wanted.installation.name));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(InstallationError::Written("it ended without a result".to_owned()));
                }
            }
        }
    })
}

/// Makes an installation. What was left by a run that ended in the middle goes first; that it is complete is said last.
fn make(
    directories: &AppDirectories,
    unmade: &MissingInstallation,
    network: NetworkAccess,
) -> Result<(), InstallationError> {
    let MissingInstallation { directory, installation, .. } = unmade;
    let place = place(directories, directory.as_deref(), installation);
    fs::create_private_dir(&directories.installations())?;
    let _held = file_lock::acquire(&place.with_extension("lock"), PATIENCE)?;
    if made(directories, directory.as_deref(), installation).is_some() {
        // Another run made it meanwhile.
        return Ok(());
    }
    if fs::exists(&place) {
        fs::remove_tree(&place)?;
    }
    fs::create_private_dir(&place)?;
    let done = fill(directories, unmade, &place, network).and_then(|()| {
        fs::write_new(&place.join(MADE), b"")?;
        // What it is made for must be there.
        let found = made(directories, directory.as_deref(), installation).filter(|_| installation.program.is_some());
        match found.map(|found| program_of(&found, installation, None)) {
            Some(Err(reason)) => Err(InstallationError::Written(reason)),
            Some(Ok(_)) | None => Ok(()),
        }
    });
    if done.is_err() {
        let _ = fs::remove_tree(&place);
    }
    done
}

fn fill(
    directories: &AppDirectories,
    unmade: &MissingInstallation,
    place: &Path,
    network: NetworkAccess,
) -> Result<(), InstallationError> {
    let MissingInstallation { directory, installation, .. } = unmade;
    let mut at = place;
    match (&installation.source, directory.as_deref()) {
        (InstallationSource::None, Some(plugin)) if works_on_copy(directories, Some(plugin), installation) => {
            install_directory(plugin, place)?;
            // Only we say that it is complete.
            let _ = fs::remove_file(&place.join(MADE));
        }
        (InstallationSource::None, plugin) => at = plugin.unwrap_or(place),
        (InstallationSource::Cargo { package, version, git, global }, _) => {
            let wanted = CargoCrate { package, version: version.as_deref(), git: git.as_deref() };
            install_crate(&wanted, (!global).then_some(place), network)?;
            if !global && fs::list(&place.join("bin")).unwrap_or_default().is_empty() {
                return Err(InstallationError::Written(format!("crate `{package}` has no program")));
            }
        }
        (InstallationSource::GitHub { url }, _) => {
            install_repository(url, &directories.installations(), place, network)?;
        }
    }
    let mut variables = vec![(format!("SYMPOSIUM_DIR_{}", installation.variable()), place.display().to_string())];
    // What a command writes into the plugin's directory has to stay.
    let plugin = if installation.source == InstallationSource::None { Some(at) } else { directory.as_deref() };
    variables.extend(plugin.map(|plugin| ("SYMPOSIUM_PLUGIN_DIR".to_owned(), plugin.display().to_string())));
    for command in &installation.install_commands {
        run_command(command, at, &variables)?;
    }
    Ok(())
}
