//! How a call finds out its circumstances: variables, the workspace, both configurations and the lock.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use symposium_io::cargo::{self, Boundary, Located};
use symposium_io::{clock, env, fs, settings};
use symposium_model::config::{
    self, ConfigFile, Directories, DirectoryVariables, NamedDirectories, PROJECT_FILE, Scope, Settings,
};
use symposium_model::diagnostic::Diagnostic;

use super::{Context, Telling};
use crate::app::lock_file::{LockState, Pins, lock_path};
use crate::app::outcome::Refreshed;
use crate::ui::error::CliError;
use crate::ui::printer::Printer;

/// A configuration file larger than this is not one.
pub(crate) const MAX_CONFIG: u64 = 1024 * 1024;

impl Context {
    /// Our own directories.
    pub(crate) fn directories_of_call() -> Result<Directories, CliError> {
        resolve_directories(&env::directory_variables())
    }

    /// Finds out everything that needs no source.
    pub(crate) fn load(printer: Printer, extra_sources: &[PathBuf]) -> Result<Self, CliError> {
        Self::load_from(NamedDirectories::default(), printer, extra_sources)
    }

    /// The same, with our files where `ours` says, whatever the variables say; a relative path counts from the current
    /// directory.
    pub(crate) fn load_from(
        ours: NamedDirectories,
        printer: Printer,
        extra_sources: &[PathBuf],
    ) -> Result<Self, CliError> {
        let cwd = env::current_dir().map_err(|error| {
            CliError::failed(format!("Failed to find the current directory: {error}")).hint("change to one that exists")
        })?;
        Self::load_at(&cwd, None, ours, printer, extra_sources)
    }

    /// The same, for work in `directory` when that is given.
    pub(crate) fn load_at(
        cwd: &Path,
        directory: Option<&Path>,
        ours: NamedDirectories,
        printer: Printer,
        extra_sources: &[PathBuf],
    ) -> Result<Self, CliError> {
        let extra = extra_sources.iter().map(|path| cwd.join(path)).collect();
        Self::build(ours.from(cwd), printer, extra, |boundary| cargo::locate(directory.unwrap_or(cwd), boundary))
    }

    /// The same for a call that is about another directory.
    pub(crate) fn load_about(directory: &Path, printer: Printer, extra_sources: &[PathBuf]) -> Result<Self, CliError> {
        let directory = fs::canonical(directory).ok().filter(|found| fs::is_dir(found)).ok_or_else(|| {
            CliError::usage(format!("There is no directory `{}`", directory.display())).hint("name one that exists")
        })?;
        let cwd = env::current_dir().unwrap_or_default();
        let extra = extra_sources.iter().map(|path| cwd.join(path)).collect();
        Self::build(NamedDirectories::default(), printer, extra, |boundary| cargo::locate(&directory, boundary))
    }

    /// The circumstances of somebody else's work in `workspace`, whose root it is: nothing is said, nothing is looked
    /// for. Our files are where `ours` says.
    pub(crate) fn load_silently(workspace: Option<&Path>, ours: NamedDirectories) -> Result<Self, CliError> {
        let ours = ours.from(&env::current_dir().unwrap_or_default());
        Self::build(ours, Printer::silent(), Vec::new(), |_| workspace.map(cargo::located_at))
    }

    fn build(
        ours: NamedDirectories,
        printer: Printer,
        extra_sources: Vec<PathBuf>,
        locate: impl FnOnce(&Boundary) -> Option<Located>,
    ) -> Result<Self, CliError> {
        let started = clock::precisely();
        let home = env::home();
        let is_chosen = ours.home.is_some();
        let directories = resolve_directories(&DirectoryVariables { named: ours, ..env::directory_variables() })?;
        let boundary = Boundary::new(home.as_deref(), Some(&directories.config));
        let workspace = locate(&boundary);
        let project_config = workspace.as_ref().map(|found| found.root.join(PROJECT_FILE));
        let project_config = project_config.filter(|path| !fs::is_gone(path));

        let user_config = directories.config_file();
        let mut findings = Vec::new();
        let mut broken_configs = Vec::new();
        let mut files = Vec::new();
        let mut texts = Vec::new();
        for (scope, path) in [(Scope::User, Some(&user_config)), (Scope::Project, project_config.as_ref())] {
            let (parsed, text) = path.map(|path| read_config(path, scope)).unwrap_or_default();
            texts.push(text);
            if let Some(path) = path.filter(|_| parsed.is_broken()) {
                broken_configs.push((scope, path.clone()));
            }
            findings.extend(parsed.diagnostics);
            files.push(parsed.file);
        }
        let (lock, faults) = workspace.as_ref().map(|found| LockState::read(&found.root)).unwrap_or_default();
        findings.extend(faults);
        if let Some(found) = workspace.as_ref().filter(|_| lock.is_broken()) {
            broken_configs.push((Scope::Project, lock_path(&found.root)));
        }
        let project_text = texts.pop().flatten();
        let user_text = texts.pop().flatten();
        let project = files.pop().unwrap_or_default();
        let user = files.pop().unwrap_or_default();
        let context = Self {
            printer,
            settings: Settings::resolve(&user, &project),
            user,
            project,
            user_text,
            project_text,
            directories,
            home,
            workspace,
            boundary,
            project_config,
            extra_sources,
            broken_configs,
            started,
            refreshed: Refreshed::default(),
            unmade: Vec::new(),
            lock,
            pins: Pins::Kept,
            telling: Telling::Each,
            partial: Cell::new(false),
            unread: Cell::new(false),
        };
        context.report(&findings);
        for (_, path) in &context.broken_configs {
            let message = "until it is mended, what it says counts as unknown, and nothing will write to it";
            context.printer.hint(&format!("{}: {message}", path.display()));
        }
        if !is_chosen && env::symposium_home_is_ignored() {
            context.printer.warning("SYMPOSIUM_HOME is not an absolute path, so it is ignored");
        }
        Ok(context)
    }
}

fn resolve_directories(variables: &DirectoryVariables) -> Result<Directories, CliError> {
    Directories::resolve(variables).ok_or_else(|| {
        CliError::failed("There is no home directory to keep configuration in")
            .hint("set HOME, or SYMPOSIUM_HOME to a directory of your choice")
    })
}

pub(super) fn read_config(path: &Path, scope: Scope) -> (config::Parsed, Option<String>) {
    let shown = path.display().to_string();
    match settings::read_whole(path, MAX_CONFIG) {
        Ok(None) => (config::Parsed::default(), None),
        Ok(Some(text)) => (config::parse(&shown, &text, scope), Some(text)),
        Err(error) => {
            let found = Diagnostic::error(shown, format!("Cannot read this configuration: {}", error.kind));
            let found = found.help(match error.kind {
                fs::FsErrorKind::BeingWritten => "run the command again when that program is done",
                _ => "make it a readable text file",
            });
            (config::Parsed { file: ConfigFile::default(), diagnostics: vec![found] }, None)
        }
    }
}
