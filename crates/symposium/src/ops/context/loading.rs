//! How a call finds out its circumstances: variables, the workspace, both configurations and the lock.

use std::path::{Path, PathBuf};

use symposium_io::cargo::{self, SearchBoundary, WorkspaceSearch};
use symposium_io::{clock, env, fs, settings};
use symposium_model::config::{
    self, AppDirectories, ConfigFile, DirectoryVariables, NamedDirectories, PROJECT_FILE, Scope, Settings,
};
use symposium_model::diagnostic::Diagnostic;

use super::{CallOptions, Context};
use crate::error::CliError;
use crate::ops::lockfile_state::{LockfileState, lock_path};
use crate::ops::user_toggles;
use crate::run_report;

/// A configuration file larger than this is not one.
pub(crate) const MAX_CONFIG: u64 = 1024 * 1024;

impl Context {
    pub(crate) fn directories_of_call() -> Result<AppDirectories, CliError> {
        resolve_directories(&env::directory_variables())
    }

    /// Finds out everything that needs no source.
    pub(crate) fn load(options: &CallOptions) -> Result<Self, CliError> {
        Self::load_from(NamedDirectories::default(), options)
    }

    /// The same, with our files where `ours` says, whatever the variables say; a relative path counts from the current
    /// directory.
    pub(crate) fn load_from(ours: NamedDirectories, options: &CallOptions) -> Result<Self, CliError> {
        let cwd = env::current_dir().map_err(|error| {
            CliError::failed(format!("Cannot determine the current directory: {error}"))
                .hint("change to an existing directory")
        })?;
        Self::load_at(&cwd, None, ours, options)
    }

    /// The same, for work in `directory` when that is given.
    pub(crate) fn load_at(
        cwd: &Path,
        directory: Option<&Path>,
        ours: NamedDirectories,
        options: &CallOptions,
    ) -> Result<Self, CliError> {
        Self::build(ours.from(cwd), cwd, options, |boundary| cargo::locate(directory.unwrap_or(cwd), boundary))
    }

    /// The same, for a client that works in `directory`. Relative paths of the command line count from where it was
    /// started, if that is still there.
    pub(crate) fn load_in(directory: &Path, ours: NamedDirectories, options: &CallOptions) -> Result<Self, CliError> {
        let cwd = env::current_dir().unwrap_or_else(|_| directory.to_owned());
        Self::load_at(&cwd, Some(directory), ours, options)
    }

    /// The same for a call that is about another directory.
    pub(crate) fn load_about(directory: &Path, options: &CallOptions) -> Result<Self, CliError> {
        let directory = fs::canonical(directory).ok().filter(|found| fs::is_dir(found)).ok_or_else(|| {
            CliError::usage(format!("The directory `{}` does not exist", directory.display()))
                .hint("pass an existing directory")
        })?;
        let cwd = env::current_dir().unwrap_or_default();
        Self::build(NamedDirectories::default(), &cwd, options, |boundary| cargo::locate(&directory, boundary))
    }

    /// Loads the circumstances of an agent's work in `workspace`, whose root it is: nothing is looked for. Our files are
    /// where `ours` says.
    pub(crate) fn load_in_background(workspace: Option<&Path>, ours: NamedDirectories) -> Result<Self, CliError> {
        let cwd = env::current_dir().unwrap_or_default();
        Self::build(ours.from(&cwd), &cwd, &CallOptions::default(), |boundary| {
            workspace.map(|workspace| cargo::located_at(workspace, boundary)).unwrap_or_default()
        })
    }

    fn build(
        ours: NamedDirectories,
        cwd: &Path,
        options: &CallOptions,
        locate: impl FnOnce(&SearchBoundary) -> WorkspaceSearch,
    ) -> Result<Self, CliError> {
        let started = clock::precisely();
        let home = ours.user_home().map(Path::to_owned).or_else(env::home);
        let is_chosen = ours.home.is_some();
        let directories = resolve_directories(&DirectoryVariables { named: ours, ..env::directory_variables() })?;
        let user_config = directories.config_file();
        let (user_parsed, user_text) = read_config(&user_config, Scope::User);
        let allowed = user_parsed.file.trust_directories.as_ref().map(|allowed| allowed.value.as_slice());
        let boundary =
            SearchBoundary::new(home.as_deref(), Some(&directories.config)).allowing(allowed.unwrap_or_default());
        let WorkspaceSearch { workspace, ignored } = locate(&boundary);
        let counts = |file: &PathBuf| ignored.iter().all(|ignored| !file.starts_with(&ignored.path));
        let project_config = workspace.as_ref().map(|found| found.root.join(PROJECT_FILE)).filter(counts);
        let project_config = project_config.filter(|path| !fs::is_gone(path));

        let of_project = project_config.as_ref().map(|path| read_config(path, Scope::Project));
        let (project_parsed, project_text) = of_project.unwrap_or_default();
        let mut findings = Vec::new();
        let mut broken_configs = Vec::new();
        let (user, project) = (user_parsed.file.clone(), project_parsed.file.clone());
        let project_path = project_config.as_ref();
        let both = [(Scope::User, Some(&user_config), user_parsed), (Scope::Project, project_path, project_parsed)];
        for (scope, path, parsed) in both {
            if let Some(path) = path.filter(|_| parsed.is_broken()) {
                broken_configs.push((scope, path.clone()));
            }
            findings.extend(parsed.diagnostics);
        }
        let locked = workspace.as_ref().map(|found| &found.root).filter(|root| counts(&lock_path(root)));
        let (lock, faults) = locked.map(|root| LockfileState::read(root)).unwrap_or_default();
        findings.extend(faults);
        if let Some(root) = locked.filter(|_| lock.is_broken()) {
            broken_configs.push((Scope::Project, lock_path(root)));
        }
        let own = workspace.as_ref().map(|found| user_toggles::read(&directories, &found.root));
        let (own, own_text) = own.unwrap_or_default();
        let own_is_broken = own.is_broken();
        findings.extend(own.diagnostics);
        run_report::log(&findings);
        Ok(Self {
            options: CallOptions {
                extra_sources: options.extra_sources.iter().map(|path| cwd.join(path)).collect(),
                ..*options
            },
            settings: Settings::resolve(&user, &project),
            user,
            project,
            own: own.choices,
            own_text,
            own_is_broken,
            ignored,
            user_text,
            project_text,
            directories,
            home,
            workspace,
            boundary,
            project_config,
            broken_configs,
            started,
            lock,
            findings,
            home_is_ignored: !is_chosen && env::symposium_home_is_ignored(),
        })
    }
}

fn resolve_directories(variables: &DirectoryVariables) -> Result<AppDirectories, CliError> {
    AppDirectories::resolve(variables).ok_or_else(|| {
        CliError::failed("There is no home directory for the configuration")
            .hint("set HOME, or SYMPOSIUM_HOME to a directory of your choice")
    })
}

pub(super) fn read_config(path: &Path, scope: Scope) -> (config::ParsedConfig, Option<String>) {
    let shown = path.display().to_string();
    match settings::read_whole(path, MAX_CONFIG) {
        Ok(None) => (config::ParsedConfig::default(), None),
        Ok(Some(text)) => (config::parse(&shown, &text, scope), Some(text)),
        Err(error) => {
            let found = Diagnostic::error(shown, format!("Cannot read this configuration: {}", error.kind));
            let found = found.help(match error.kind {
                fs::FsErrorKind::BeingWritten => "run the command again after that program has finished",
                _ => "make it a readable text file",
            });
            (config::ParsedConfig { file: ConfigFile::default(), diagnostics: vec![found] }, None)
        }
    }
}
