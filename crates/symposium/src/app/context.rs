//! What every command knows about the call: directories, workspace, settings.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use symposium_io::cargo::{self, Boundary, Located, WorkspaceCrates};
use symposium_io::source::GitCache;
use symposium_io::{clock, env, fs, private};
use symposium_model::agent::AgentId;
use symposium_model::config::{self, ConfigFile, Directories, DirectoryVariables, Origin, Scope, Settings};
use symposium_model::crates::CrateSet;
use symposium_model::diagnostic::{Diagnostic, Severity};
use symposium_model::toggle::Workflows;

use super::lock_file::{LockState, Pins, lock_path};
use super::outcome::Refreshed;
use super::unmade::Unmade;
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::logging;
use crate::ui::printer::Printer;

/// A configuration file larger than this is not one.
const MAX_CONFIG: u64 = 1024 * 1024;

/// How much is said about what is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Telling {
    /// Every action.
    Each,
    /// How many there were: each was shown before it was agreed to.
    Counted,
}

/// The circumstances of one call.
pub(crate) struct Context {
    /// Where output goes.
    pub(crate) printer: Printer,
    /// Our directories.
    pub(crate) directories: Directories,
    /// The user's home.
    pub(crate) home: Option<PathBuf>,
    /// The workspace the call is about.
    pub(crate) workspace: Option<Located>,
    /// Where looking upwards for a workspace ends.
    pub(crate) boundary: Boundary,
    /// Every setting.
    pub(crate) settings: Settings,
    /// What the user's file says by itself.
    user: ConfigFile,
    /// What the project's file says by itself.
    project: ConfigFile,
    /// The text of the user's file.
    user_text: Option<String>,
    /// The text of the project's file.
    project_text: Option<String>,
    /// The project's configuration file, when there is one.
    pub(crate) project_config: Option<PathBuf>,
    /// Sources named on the command line.
    pub(crate) extra_sources: Vec<PathBuf>,
    /// Configuration files that cannot be understood, so that what they say is unknown.
    pub(crate) broken_configs: Vec<(Scope, PathBuf)>,
    /// When this began, in nanoseconds since 1970: what changed later was perhaps read before it changed.
    pub(crate) started: i64,
    /// What happened to the sources before they are read.
    pub(crate) refreshed: Refreshed,
    /// Installations that the last sync found to be needed.
    pub(crate) unmade: Vec<Unmade>,
    /// The project's lock.
    pub(crate) lock: LockState,
    /// Whether what it says of sources counts.
    pub(crate) pins: Pins,
    /// How much is said about what is done.
    pub(crate) telling: Telling,
    /// Whether something could not be done.
    partial: Cell<bool>,
}

impl Context {
    /// Our own directories.
    pub(crate) fn directories_of_call() -> Result<Directories, CliError> {
        resolve_directories(&env::directory_variables())
    }

    /// Finds out everything that needs no source.
    pub(crate) fn load(printer: Printer, extra_sources: &[PathBuf]) -> Result<Self, CliError> {
        Self::load_from(None, printer, extra_sources)
    }

    /// The same, with our files in `ours` whatever the variables say; a relative path counts from the current directory.
    pub(crate) fn load_from(
        ours: Option<&Path>,
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
        ours: Option<&Path>,
        printer: Printer,
        extra_sources: &[PathBuf],
    ) -> Result<Self, CliError> {
        let ours = ours.map(|ours| cwd.join(ours));
        let extra = extra_sources.iter().map(|path| cwd.join(path)).collect();
        Self::build(ours, printer, extra, |boundary| cargo::locate(directory.unwrap_or(cwd), boundary))
    }

    /// The same for a call that is about another directory.
    pub(crate) fn load_about(directory: &Path, printer: Printer, extra_sources: &[PathBuf]) -> Result<Self, CliError> {
        let directory = fs::canonical(directory).ok().filter(|found| fs::is_dir(found)).ok_or_else(|| {
            CliError::usage(format!("There is no directory `{}`", directory.display())).hint("name one that exists")
        })?;
        let cwd = env::current_dir().unwrap_or_default();
        let extra = extra_sources.iter().map(|path| cwd.join(path)).collect();
        Self::build(None, printer, extra, |boundary| cargo::locate(&directory, boundary))
    }

    /// The circumstances of somebody else's work in `workspace`, whose root it is: nothing is said, nothing is looked
    /// for. Our files are in `ours`, when that is given.
    pub(crate) fn load_silently(workspace: Option<&Path>, ours: Option<&Path>) -> Result<Self, CliError> {
        let ours = ours.map(|ours| env::current_dir().unwrap_or_default().join(ours));
        Self::build(ours, Printer::silent(), Vec::new(), |_| workspace.map(cargo::located_at))
    }

    fn build(
        ours: Option<PathBuf>,
        printer: Printer,
        extra_sources: Vec<PathBuf>,
        locate: impl FnOnce(&Boundary) -> Option<Located>,
    ) -> Result<Self, CliError> {
        let started = clock::precisely();
        let home = env::home();
        let is_chosen = ours.is_some();
        let mut variables = env::directory_variables();
        if let Some(ours) = ours {
            variables.symposium_home = Some(ours.into_os_string());
        }
        let directories = resolve_directories(&variables)?;
        let boundary = Boundary::new(home.as_deref(), Some(&directories.config));
        let workspace = locate(&boundary);
        let project_config = workspace.as_ref().map(|found| found.root.join(".symposium/config.toml"));
        let project_config = project_config.filter(|path| fs::exists(path));

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

    /// Starts the log of this run.
    pub(crate) fn start_log(&self) {
        logging::start(&self.directories.logs, self.settings.log_level.value);
        let root = self.root().map(|root| root.display().to_string());
        tracing::info!(version = env!("CARGO_PKG_VERSION"), workspace = root, "started");
    }

    /// The agents the user chose for every project.
    pub(crate) fn user_agents(&self) -> Vec<AgentId> {
        self.user.agents.as_ref().map(|agents| agents.value.clone()).unwrap_or_default()
    }

    /// The agents the project chose for everybody.
    pub(crate) fn project_agents(&self) -> Vec<AgentId> {
        self.project.agents.as_ref().map(|agents| agents.value.clone()).unwrap_or_default()
    }

    /// The agents that count here: the project's, else the user's.
    pub(crate) fn agents(&self) -> Vec<AgentId> {
        self.settings.agents.value.clone()
    }

    /// Where copies of sources lie.
    pub(crate) fn git_cache(&self) -> GitCache {
        GitCache::new(&self.directories.plugin_sources())
    }

    /// The text of the user's configuration, when there is one.
    pub(crate) fn user_text(&self) -> Option<String> {
        self.user_text.clone()
    }

    /// Removes what is ours in our own directories, by name; gives back what is the user's and stays.
    pub(crate) fn remove_own_files(&self) -> Vec<PathBuf> {
        let directories = &self.directories;
        let plugins = directories.user_plugins();
        let kept: Vec<PathBuf> =
            [directories.config_file(), plugins.clone()].into_iter().filter(|path| fs::has_content(path)).collect();
        for ours in ["ledger.json", "lock", "trust.json.broken"] {
            let _ = fs::remove_file(&directories.config.join(ours));
        }
        for ours in [directories.trust_file(), directories.executables()] {
            let _ = fs::remove_file(&ours);
        }
        for written in [&directories.config, &directories.cache] {
            private::sweep_all(written);
        }
        for made in [
            directories.plugin_sources(),
            directories.plans(),
            directories.index(),
            directories.sessions(),
            directories.trusted_texts(),
            directories.installations(),
        ] {
            let _ = fs::remove_tree(&made);
        }
        logging::remove_all(&directories.logs);
        fs::remove_empty_dirs(&[directories.cache.clone(), directories.logs.clone(), plugins]);
        // A directory the user chose by our own variable is the user's. Those of XDG are only where ours are made.
        if !env::symposium_home_is_set() {
            let around_logs = directories.logs.parent().map(Path::to_owned);
            fs::remove_empty_dirs(&around_logs.into_iter().chain([directories.config.clone()]).collect::<Vec<_>>());
        }
        kept
    }

    /// The text of the project's configuration, when there is one.
    pub(crate) fn project_text(&self) -> Option<String> {
        self.project_text.clone()
    }

    /// Goes on as if a configuration file held this text.
    pub(crate) fn assume(&mut self, scope: Scope, text: &str) {
        let parsed = config::parse("", text, scope).file;
        match scope {
            Scope::User => {
                self.user = parsed;
                self.user_text = Some(text.to_owned());
            }
            Scope::Project => {
                self.project = parsed;
                self.project_text = Some(text.to_owned());
                self.project_config = self.root().map(|root| root.join(".symposium/config.toml"));
            }
        }
        self.settings = Settings::resolve(&self.user, &self.project);
    }

    /// The settings of another project, and whether it has a configuration; `None` when that cannot be understood.
    pub(crate) fn settings_in(&self, root: &Path) -> Option<(Settings, bool)> {
        let (parsed, text) = read_config(&root.join(".symposium/config.toml"), Scope::Project);
        (!parsed.is_broken()).then(|| (Settings::resolve(&self.user, &parsed.file), text.is_some()))
    }

    /// Whether it is known which agents are wanted in a scope; what is not known to be unwanted is not taken back.
    pub(crate) fn knows_agents(&self, scope: Scope) -> bool {
        let file = match scope {
            Scope::User => &self.user,
            Scope::Project => &self.project,
        };
        !file.has_unknown_agents && self.broken_configs.iter().all(|(broken, _)| *broken != scope)
    }

    /// Whether something could not be done so far.
    pub(crate) fn is_partial(&self) -> bool {
        self.partial.get()
    }

    /// The file and line a setting comes from, for messages.
    pub(crate) fn place_of(&self, origin: Origin) -> String {
        let user = self.directories.config_file();
        match (origin, &self.project_config) {
            (Origin::User(line), _) => format!("{}:{line}", user.display()),
            (Origin::Project(line), Some(project)) => format!("{}:{line}", project.display()),
            (Origin::Default | Origin::Project(_), _) => "default".to_owned(),
        }
    }

    /// The root of the workspace.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.workspace.as_ref().map(|workspace| workspace.root.as_path())
    }

    /// A project configuration in a directory without a manifest has no dependencies to match.
    pub(crate) fn mention_missing_manifest(&self) {
        if let Some(root) = self.root().filter(|root| !fs::exists(&root.join("Cargo.toml"))) {
            self.printer.warning(&format!("There is no Cargo.toml in `{}`, the workspace found here", root.display()));
        }
    }

    /// The workspace's crates; `None` outside any.
    pub(crate) fn crates(&self) -> Option<CrateSet> {
        self.workspace_crates().map(|workspace| workspace.crates)
    }

    /// The workspace's crates and what else its manifests say; `None` outside any.
    pub(crate) fn workspace_crates(&self) -> Option<WorkspaceCrates> {
        let workspace = cargo::read(self.root()?, &self.boundary);
        tracing::info!(crates = workspace.crates.crates().len(), lock = ?workspace.crates.lock(), "read workspace");
        self.report(&workspace.findings);
        Some(workspace)
    }

    /// Which plugins' workflows are on.
    pub(crate) fn workflows(&self) -> Workflows<'_> {
        Workflows { toggles: &self.settings.workflows, default: self.new_extensions_are_on() }
    }

    /// Whether an extension that no toggle names is on. Without a project configuration everything that matches is.
    pub(crate) fn new_extensions_are_on(&self) -> bool {
        self.project_config.is_none() || self.settings.sync_default.value
    }

    /// Shows findings in full; an error among them means that something could not be done.
    pub(crate) fn report(&self, findings: &[Diagnostic]) {
        self.note(findings);
        for found in findings {
            tracing::warn!("{found}");
        }
        self.printer.diagnostics(findings);
    }

    /// Remembers that something could not be done, if an error is among the findings.
    pub(crate) fn note(&self, findings: &[Diagnostic]) {
        if findings.iter().any(|found| found.severity == Severity::Error) {
            self.partial.set(true);
        }
    }

    /// Says in one line each what a source lost; an error among them means that something could not be done.
    pub(crate) fn report_briefly(&self, faults: &[Diagnostic]) {
        self.note(faults);
        for found in faults {
            tracing::warn!("{found}");
            match found.severity {
                Severity::Error => self.printer.error(&found.to_string()),
                Severity::Warning => self.printer.warning(&found.to_string()),
            }
            match (&found.help, found.severity) {
                (Some(help), Severity::Error) => self.printer.hint(help),
                (Some(help), Severity::Warning) => self.printer.detail(help),
                (None, _) => {}
            }
        }
    }

    /// The exit code of the call: a good end still tells when something could not be done on the way.
    pub(crate) fn closing(&self, exit: Exit) -> Exit {
        match exit {
            Exit::Ok if self.partial.get() => Exit::Partial,
            Exit::Ok | Exit::No | Exit::Usage | Exit::Partial => exit,
        }
    }
}

fn resolve_directories(variables: &DirectoryVariables) -> Result<Directories, CliError> {
    Directories::resolve(variables).ok_or_else(|| {
        CliError::failed("There is no home directory to keep configuration in")
            .hint("set HOME, or SYMPOSIUM_HOME to a directory of your choice")
    })
}

fn read_config(path: &Path, scope: Scope) -> (config::Parsed, Option<String>) {
    let shown = path.display().to_string();
    match fs::read_text_if_there(path, MAX_CONFIG) {
        Ok(None) => (config::Parsed::default(), None),
        Ok(Some(text)) => (config::parse(&shown, &text, scope), Some(text)),
        Err(error) => {
            let found = Diagnostic::error(shown, format!("Cannot read this configuration: {}", error.kind));
            let found = found.help("make it a readable text file");
            (config::Parsed { file: ConfigFile::default(), diagnostics: vec![found] }, None)
        }
    }
}
