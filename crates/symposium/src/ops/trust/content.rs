//! Reads the files that a grant for a plugin covers: the plugin's directory, and every file of the workspace that its
//! commands name.

use std::path::Path;

use symposium_io::fs;
use symposium_model::catalog::{LoadedPlugin, LoadedSource};
use symposium_model::crates::lexical_path;
use symposium_model::trust::{
    CommandKind, CommandReach, FileRole, GrantContent, GrantCoverage, NamedFile, PathRoot, REACH_REMEDY,
    ReachableFiles, command_reaches, is_everyday,
};

use super::files::{CoveredWalk, ExecutableContent, FileReader, MAX_FILE};
use crate::ops::catalog::{root_of, tree_of};
use crate::ops::trust::command_paths::OF_PACKAGES;

/// More words than this are not looked at in the commands of one plugin.
const MAX_WORDS: usize = 2048;

/// The prefix of the workspace's files in the content of a grant.
pub(crate) const IN_WORKSPACE: &str = "$SYMPOSIUM_WORKSPACE/";

/// Directories of the machine that only its administrator changes.
const OF_MACHINE: [&str; 7] = ["/bin", "/lib", "/lib64", "/nix/store", "/opt", "/sbin", "/usr"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UntoldCommand {
    pub(crate) kind: CommandKind,
    pub(crate) name: String,
    /// The reason why its files are unknown, with the remedy.
    pub(crate) reason: String,
}

#[derive(Clone, Copy)]
pub(super) struct CoverageRequest<'s> {
    pub(super) source: &'s LoadedSource,
    pub(super) loaded: &'s LoadedPlugin,
    pub(super) workspace: Option<&'s Path>,
    /// Whether it needs a grant; else it is only remembered, to say when it changes.
    pub(super) needs_grant: bool,
}

/// Returns the part of a plugin's directory that a grant covers. The root of a package or a repository also contains
/// files that the user works on, so only named files are covered there.
pub(crate) fn coverage(directory: &Path, workspace: Option<&Path>) -> GrantCoverage {
    let is_root = ["Cargo.toml", ".git"].iter().any(|name| fs::exists(&directory.join(name)));
    let holds_workspace = workspace.is_some_and(|workspace| workspace.starts_with(directory));
    if is_root || holds_workspace { GrantCoverage::Named } else { GrantCoverage::Whole }
}

/// Reads everything that a plugin would run, and finds the commands that cannot be granted. The error says why its
/// content is unknown.
pub(super) fn gather(subject: CoverageRequest<'_>) -> (Vec<UntoldCommand>, Result<ExecutableContent, String>) {
    let CoverageRequest { source, loaded, workspace, needs_grant } = subject;
    let name = loaded.path.rsplit('/').next().unwrap_or(&loaded.path);
    let directory = match root_of(source).map(|root| root.join(&loaded.path)) {
        Some(manifest) => fs::canonical(manifest.parent().unwrap_or(&manifest)),
        None => return (Vec::new(), gather_embedded(source, loaded, name)),
    };
    let directory = match directory {
        Ok(directory) => directory,
        Err(error) => return (Vec::new(), Err(error.to_string())),
    };
    let coverage = coverage(&directory, workspace);
    let commands = command_reaches(&loaded.plugin, coverage);
    let reader = FileReader::new(needs_grant);
    let mut gatherer =
        ContentGatherer { directory: &directory, coverage, workspace, needs_grant, is_of_workspace: false, reader };
    let mut untold = Vec::new();
    let gathered = gatherer.read(name, &commands, &mut untold).and_then(|()| match untold.first() {
        // Then there is nothing to agree to.
        Some(first) if needs_grant && untold.len() == commands.len() => Err(first.reason.clone()),
        Some(_) | None => {
            Ok(ExecutableContent { is_of_workspace: gatherer.is_of_workspace, ..gatherer.reader.finish() })
        }
    });
    (untold, gathered)
}

/// Finds the commands of a plugin that cannot be granted, from their words alone, without reading a file. The error
/// says why nothing can be granted.
pub(super) fn untold_by_words(subject: CoverageRequest<'_>) -> (Vec<UntoldCommand>, Result<GrantContent, String>) {
    let CoverageRequest { source, loaded, workspace, .. } = subject;
    let manifest = root_of(source).map(|root| root.join(&loaded.path));
    let directory = manifest.and_then(|manifest| fs::canonical(manifest.parent().unwrap_or(&manifest)).ok());
    let Some(directory) = directory else { return (Vec::new(), Ok(GrantContent::default())) };
    let commands = command_reaches(&loaded.plugin, coverage(&directory, workspace));
    let number = commands.len();
    let untold: Vec<UntoldCommand> = commands
        .into_iter()
        .filter_map(|CommandReach { kind, name, reach }| match reach {
            ReachableFiles::Files(_) => None,
            ReachableFiles::Unknown(unknown) => {
                let reason = format!("{}; {REACH_REMEDY}", unknown.reason);
                Some(UntoldCommand { kind, name, reason })
            }
        })
        .collect();
    let nothing_left = untold.first().filter(|_| untold.len() == number).map(|first| first.reason.clone());
    (untold, nothing_left.map_or_else(|| Ok(GrantContent::default()), Err))
}

/// Gathers the content of an embedded plugin, which is only its manifest.
fn gather_embedded(source: &LoadedSource, loaded: &LoadedPlugin, name: &str) -> Result<ExecutableContent, String> {
    let tree = tree_of(source).ok_or("its source no longer exists")?;
    let (bytes, _) = tree.read_file(&loaded.path, MAX_FILE).map_err(|error| error.to_string())?;
    let mut reader = FileReader::new(false);
    reader.add(name, bytes)?;
    Ok(reader.finish())
}

/// Reads one file of the workspace that decides what runs. `Err` says why it cannot be told.
pub(super) fn gather_file(root: &Path, name: &str) -> Result<ExecutableContent, String> {
    let mut reader = FileReader::new(true);
    let path = root.join(name);
    let found = fs::canonical(&path).map_err(|error| error.kind.to_string())?;
    if !found.starts_with(root) {
        return Err("it is outside the project, because of a link".to_owned());
    }
    reader.stamp(&path);
    reader.file(name, &found)?;
    Ok(ExecutableContent { is_of_workspace: true, ..reader.finish() })
}

struct ContentGatherer<'g> {
    /// The plugin's directory, links resolved.
    directory: &'g Path,
    coverage: GrantCoverage,
    workspace: Option<&'g Path>,
    needs_grant: bool,
    is_of_workspace: bool,
    reader: FileReader,
}

impl ContentGatherer<'_> {
    /// Reads the plugin's directory, and what its commands name; those it cannot do that for go to `untold`.
    fn read(
        &mut self,
        manifest: &str,
        commands: &[CommandReach],
        untold: &mut Vec<UntoldCommand>,
    ) -> Result<(), String> {
        self.reader.file(manifest, &self.directory.join(manifest))?;
        let is_untold = commands.iter().any(|command| matches!(command.reach, ReachableFiles::Unknown(_)));
        if self.coverage == GrantCoverage::Whole && (self.needs_grant || is_untold) {
            self.reader.directory(
                "",
                self.directory,
                &CoveredWalk { within: self.directory, leaves_everyday: false },
            )?;
        }
        let mut words = 0;
        for command in commands {
            let read = match &command.reach {
                ReachableFiles::Files(files) => {
                    words += files.len();
                    files.iter().try_for_each(|file| self.named(file))
                }
                ReachableFiles::Unknown(unknown) => Err(format!("{}; {REACH_REMEDY}", unknown.reason)),
            };
            if words > MAX_WORDS {
                return Err("its commands are too long to check; move them into script files".to_owned());
            }
            let (kind, name) = (command.kind, command.name.clone());
            untold.extend(read.err().map(|reason| UntoldCommand { kind, name, reason }));
        }
        Ok(())
    }

    fn named(&mut self, file: &NamedFile) -> Result<(), String> {
        match (file.role, file.base) {
            (FileRole::Unquoted, _) => return self.unquoted(),
            (FileRole::Directory, _) if !fs::is_dir(&self.directory.join(&file.path)) => {
                return Err(format!("there is no directory `{}` in the plugin", file.path));
            }
            (_, PathRoot::Plugin) => return self.of_plugin(file),
            (_, PathRoot::Either) if fs::exists(&self.directory.join(&file.path)) => {
                self.of_plugin(file)?;
                // A script that looks like a path becomes the path of that file; with others it is uncertain which file
                // runs.
                let is_path = file.path.contains(['/', '.']) && !file.path.contains('$') && !is_everyday(&file.path);
                if file.role.is_run() && is_path && fs::is_file(&self.directory.join(&file.path)) {
                    return Ok(());
                }
            }
            (_, PathRoot::Either | PathRoot::Workspace | PathRoot::Machine) => {}
        }
        if !self.needs_grant {
            return Ok(());
        }
        match (file.base, self.workspace) {
            (PathRoot::Machine, _) => self.read_machine_file(file),
            (_, Some(workspace)) => self.of_workspace(file, workspace),
            (PathRoot::Workspace, None) => {
                Err(format!("it runs `{}` of a workspace, but there is no workspace", file.path))
            }
            (PathRoot::Plugin | PathRoot::Either, None) => Ok(()),
        }
    }

    /// Blanks in the path of a directory that stands outside quotes would make several words of it.
    fn unquoted(&self) -> Result<(), String> {
        let is_plain = |path: &Path| {
            let plain = |c: char| c.is_alphanumeric() || "/._-+@%:,".contains(c);
            path.to_str().is_some_and(|path| path.chars().all(plain))
        };
        let is_odd = [Some(self.directory), self.workspace].into_iter().flatten().any(|path| !is_plain(path));
        if is_odd && self.needs_grant {
            return Err("the path of a directory contains spaces or special characters: write \
                        `\"$SYMPOSIUM_PLUGIN_DIR\"` and `\"$SYMPOSIUM_WORKSPACE\"` in quotes"
                .to_owned());
        }
        Ok(())
    }

    fn of_plugin(&mut self, file: &NamedFile) -> Result<(), String> {
        let path = lexical_path::normal(&self.directory.join(&file.path));
        let Ok(inside) = path.strip_prefix(self.directory) else { return Ok(()) };
        let leaves_everyday = self.coverage == GrantCoverage::Named && self.needs_grant;
        if inside.as_os_str().is_empty() {
            return if leaves_everyday && file.role == FileRole::Operand { Err(unseen(file)) } else { Ok(()) };
        }
        let label = inside.display().to_string();
        let Ok(found) = fs::canonical(&path) else {
            self.reader.stamp(&path);
            return Ok(());
        };
        if !found.starts_with(self.directory) {
            return Err(format!("`{label}` is a link to a place outside its directory"));
        }
        let is_run = file.role.is_run();
        if leaves_everyday && file.role == FileRole::Operand {
            return Err(unseen(file));
        }
        let walk = CoveredWalk { within: self.directory, leaves_everyday };
        let is_worked_on = inside.iter().next().is_some_and(|top| OF_PACKAGES.iter().any(|of| top == *of));
        match (fs::is_dir(&found), leaves_everyday && !is_run) {
            (true, true) if is_worked_on && file.role == FileRole::Word => return Err(unseen(file)),
            (true, true) if is_worked_on => return Ok(()),
            (false, true) if is_everyday(&label) => return Ok(()),
            (true, _) => return self.reader.directory(&label, &found, &walk),
            (false, _) => {}
        }
        // The name in the command counts as well as the file it leads to now.
        self.reader.stamp(&path);
        self.reader.file(&label, &found)?;
        match inside.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(beside) if leaves_everyday && is_run && !is_worked_on => {
                let label = beside.display().to_string();
                self.reader.directory(&label, &self.directory.join(beside), &walk)
            }
            Some(_) | None => Ok(()),
        }
    }

    fn of_workspace(&mut self, file: &NamedFile, workspace: &Path) -> Result<(), String> {
        let path = lexical_path::normal(&workspace.join(&file.path));
        let Ok(inside) = path.strip_prefix(workspace) else { return Ok(()) };
        let role = file.role;
        // The root is where the command is started, and what is worked on is read.
        let names_nothing = inside.as_os_str().is_empty() || is_everyday(&file.path);
        if matches!(role, FileRole::Data | FileRole::Word) && names_nothing {
            return Ok(());
        }
        let label = format!("{IN_WORKSPACE}{}", inside.display());
        let found = match fs::canonical(&path) {
            Err(_) if matches!(role, FileRole::Program | FileRole::Module) => {
                return Err(format!("there is no file `{}` in the plugin or the workspace", file.path));
            }
            // A program may add an end to the name, or look for what begins so.
            Err(_) if role == FileRole::Operand && file.path.contains('/') && path.parent().is_some_and(fs::is_dir) => {
                return Err(unseen(file));
            }
            Err(_) => {
                self.reader.stamp(&path);
                return Ok(());
            }
            Ok(found) => found,
        };
        if self.coverage == GrantCoverage::Whole && found.starts_with(self.directory) {
            return if role.is_run() && !fs::is_file(&found) { Err(no_file(file)) } else { Ok(()) };
        }
        let is_file = fs::is_file(&found);
        match role {
            FileRole::Operand => return Err(unseen(file)),
            FileRole::Script | FileRole::Program | FileRole::Module if !is_file => return Err(no_file(file)),
            FileRole::Script | FileRole::Program | FileRole::Module if loads_neighbours(role, inside) => {
                return Err(format!("`{}` may load files next to it; {REACH_REMEDY}", file.path));
            }
            FileRole::Data if !is_file => return Ok(()),
            FileRole::Word | FileRole::Directory | FileRole::Unquoted if !is_file => return Err(unseen(file)),
            FileRole::Script
            | FileRole::Program
            | FileRole::Module
            | FileRole::Data
            | FileRole::Word
            | FileRole::Directory
            | FileRole::Unquoted => {}
        }
        if !found.starts_with(workspace) {
            return Err(format!("`{label}` is a link to a place outside its directory"));
        }
        self.is_of_workspace = true;
        self.reader.stamp(&path);
        self.reader.file(&label, &found)
    }

    fn read_machine_file(&mut self, file: &NamedFile) -> Result<(), String> {
        let path = Path::new(&file.path);
        let Ok(found) = fs::canonical(path) else {
            if file.role.is_run() {
                return Err(format!("there is no file `{}`", file.path));
            }
            self.reader.stamp(path);
            return Ok(());
        };
        if file.role == FileRole::Operand && self.workspace.is_some_and(|workspace| workspace.starts_with(&found)) {
            return Err(unseen(file));
        }
        for (base, place) in [(PathRoot::Plugin, Some(self.directory)), (PathRoot::Workspace, self.workspace)] {
            if let Some(inside) = place.and_then(|place| found.strip_prefix(place).ok()) {
                let inside = inside.display().to_string();
                // The way to it may lead somewhere else one day.
                self.reader.stamp(path);
                return self.named(&NamedFile { base, path: inside, role: file.role });
            }
        }
        if file.role.is_word() || OF_MACHINE.iter().any(|place| found.starts_with(place)) {
            return Ok(());
        }
        self.reader.stamp(path);
        self.reader.file(&file.path, &found)
    }
}

/// Directories whose programs load what lies beside them, and programs that do.
const LOADING_PLACES: [&str; 5] = ["node_modules", ".venv", "venv", "site-packages", ".bundle"];
const LOADING_PROGRAMS: [&str; 4] = ["gradlew", "mvnw", "configure", "manage.py"];

fn loads_neighbours(role: FileRole, inside: &Path) -> bool {
    let is_known = |known: &[&str], part: &std::ffi::OsStr| known.iter().any(|name| part == *name);
    role == FileRole::Module
        || inside.iter().any(|part| is_known(&LOADING_PLACES, part))
        || inside.file_name().is_some_and(|name| is_known(&LOADING_PROGRAMS, name))
}

fn no_file(file: &NamedFile) -> String {
    format!("`{}` is not a file", file.path)
}

/// Explains why a command cannot be granted that names a part of the workspace which no grant covers.
fn unseen(file: &NamedFile) -> String {
    let named = if file.path.is_empty() { "." } else { &file.path };
    match file.role {
        FileRole::Operand => {
            format!("the effect of its program on `{named}` of the workspace is unknown; {REACH_REMEDY}")
        }
        FileRole::Data
        | FileRole::Word
        | FileRole::Script
        | FileRole::Program
        | FileRole::Module
        | FileRole::Directory
        | FileRole::Unquoted => {
            format!("Symposium cannot tell which files of the directory `{named}` the command runs; {REACH_REMEDY}")
        }
    }
}
