//! What a plugin would run, read from disk: its manifest and every file its commands name.

use std::path::{Path, PathBuf};

use symposium_hook::stamp;
use symposium_io::{clock, fs};
use symposium_model::catalog::{LoadedPlugin, Source};
use symposium_model::crates::lexical_path;
use symposium_model::hook::plan::{FileState, Stamp};
use symposium_model::manifest::{Command, InstallationSource, Program};
use symposium_model::sync::fingerprint;
use symposium_model::transport::Transport;
use symposium_model::trust::{Base, Content, Covered, named};

use crate::app::catalog::{root_of, tree_of};

/// A manifest or script larger than this is not reviewed by anybody.
const MAX_FILE: u64 = 8 * 1024 * 1024;
/// All files of a plugin together.
const MAX_TOTAL: usize = 16 * 1024 * 1024;
/// More files than this are not covered.
const MAX_FILES: usize = 256;
/// More words than this are not looked at in the commands of one plugin.
const MAX_WORDS: usize = 512;
/// Only texts up to this size are kept to show what changed.
const MAX_TEXT: usize = 256 * 1024;

/// A text among the covered files.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// Where it is, as in [`Covered`].
    pub(crate) path: String,
    /// The hash of it.
    pub(crate) hash: String,
    /// What it says.
    pub(crate) said: String,
}

/// What a plugin would run.
#[derive(Debug)]
pub(crate) struct Gathered {
    /// What stands for it.
    pub(crate) content: Content,
    /// The files as they were before they were read, and places where one could appear.
    pub(crate) stamps: Vec<Stamp>,
    /// Those files that are texts.
    pub(crate) texts: Vec<Text>,
}

/// What a plugin runs, each as a person should read it.
pub(crate) fn executables(loaded: &LoadedPlugin) -> Vec<(&'static str, String, String)> {
    let plugin = &loaded.plugin;
    let mut found = Vec::new();
    let with = |first: &str, args: &[String]| {
        std::iter::once(first).chain(args.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
    };
    let program_text = |program: &Option<Program>| match program {
        Some(Program::Executable(path)) => path.clone(),
        Some(Program::Script(path)) => format!("sh {path}"),
        None => String::new(),
    };
    for hook in &plugin.hooks {
        let command = match &hook.command {
            Command::Line { line, args } => with(line.trim(), args),
            Command::Installed { installation, program, args } => {
                let program = program_text(program);
                let rest: Vec<String> =
                    [program].into_iter().filter(|text| !text.is_empty()).chain(args.clone()).collect();
                with(&format!("[{installation}]"), &rest)
            }
        };
        found.push(("hook", format!("{} on {}", hook.name, hook.event), command));
    }
    for server in &plugin.mcp_servers {
        let command = match &server.transport {
            Transport::Stdio { command, args, env } => {
                let set: Vec<String> = env.iter().map(|(name, value)| format!("{name}={value}")).collect();
                let line = with(command, args);
                if set.is_empty() { line } else { format!("{} {line}", set.join(" ")) }
            }
            Transport::Http { url, .. } | Transport::Sse { url, .. } => url.clone(),
        };
        found.push(("mcp server", server.name.clone(), command));
    }
    for installation in &plugin.installations {
        let fetched = match &installation.source {
            InstallationSource::None => None,
            InstallationSource::Cargo { package, version, git, .. } => {
                let version = version.as_ref().map(|version| format!(" --version {version}")).unwrap_or_default();
                let git = git.as_ref().map(|git| format!(" --git {git}")).unwrap_or_default();
                Some(format!("cargo install {package}{version}{git}"))
            }
            InstallationSource::GitHub { url } => Some(format!("download {url}")),
        };
        let program = Some(with(&program_text(&installation.program), &installation.args));
        let steps = fetched.into_iter().chain(installation.install_commands.iter().cloned());
        let steps = steps.chain(program.filter(|text| !text.trim().is_empty()));
        found.push(("installation", installation.name.clone(), steps.collect::<Vec<_>>().join("; ")));
    }
    found
}

/// Reads everything a plugin would run. `workspace` is where its commands are started, links resolved, when a grant is
/// for that workspace. `Err` says why it cannot be told what would run.
pub(super) fn gather(
    source: &Source,
    loaded: &LoadedPlugin,
    workspace: Option<&Path>,
    started: i64,
) -> Result<Gathered, String> {
    let name = loaded.path.rsplit('/').next().unwrap_or(&loaded.path);
    let mut reader = Reader { started, total: 0, files: Vec::new(), stamps: Vec::new(), texts: Vec::new() };
    let Some(root) = root_of(source) else {
        let tree = tree_of(source).ok_or("its source is gone")?;
        let (bytes, _) = tree.read_file(&loaded.path, MAX_FILE).map_err(|error| error.to_string())?;
        reader.add(name, bytes)?;
        return Ok(reader.finish());
    };
    let manifest = root.join(&loaded.path);
    let parent = manifest.parent().unwrap_or(root);
    let directory = fs::canonical(parent).map_err(|error| error.to_string())?;
    reader.file(name, &directory.join(name))?;
    let words = named(&loaded.plugin);
    if words.len() > MAX_WORDS {
        return Err("its commands are too long to be looked through; put them into script files".to_owned());
    }
    for word in words {
        let (base, prefix) = match (word.base, workspace) {
            (Base::Plugin, _) => (directory.as_path(), ""),
            (Base::Workspace, Some(workspace)) => (workspace, "$SYMPOSIUM_WORKSPACE/"),
            (Base::Workspace, None) => continue,
        };
        let path = lexical_path::normal(&base.join(&word.path));
        let Ok(inside) = path.strip_prefix(base) else { continue };
        let is_plugins = prefix.is_empty();
        if inside.as_os_str().is_empty() || (!is_plugins && path.starts_with(&directory)) {
            continue;
        }
        let label = format!("{prefix}{}", inside.display());
        match fs::canonical(&path) {
            Err(_) => reader.stamp(&path),
            // A command that names a directory of the workspace works on it.
            Ok(found) if !is_plugins && !fs::is_file(&found) => {}
            Ok(found) if !found.starts_with(base) => {
                return Err(format!("`{label}` leads out of where it lies, through a link"));
            }
            Ok(found) if fs::is_file(&found) => {
                // The name in the command counts as well as the file it leads to now.
                reader.stamp(&path);
                reader.file(&label, &found)?;
            }
            Ok(found) if fs::is_dir(&found) => reader.directory(&label, &found, &directory)?,
            Ok(_) => {}
        }
    }
    Ok(reader.finish())
}

/// Reads one file of the workspace that decides what runs. `Err` says why it cannot be told.
pub(super) fn gather_file(root: &Path, name: &str, started: i64) -> Result<Gathered, String> {
    let mut reader = Reader { started, total: 0, files: Vec::new(), stamps: Vec::new(), texts: Vec::new() };
    let path = root.join(name);
    let found = fs::canonical(&path).map_err(|error| error.kind.to_string())?;
    if !found.starts_with(root) {
        return Err("it leads out of the project, through a link".to_owned());
    }
    reader.stamp(&path);
    reader.file(name, &found)?;
    Ok(reader.finish())
}

struct Reader {
    started: i64,
    total: usize,
    files: Vec<Covered>,
    stamps: Vec<Stamp>,
    texts: Vec<Text>,
}

impl Reader {
    /// Remembers a path as it is now. What changed a moment ago may change again without looking different: its stamp
    /// fits nothing, so that it is read again before anything runs.
    fn stamp(&mut self, path: &Path) {
        let Some(text) = path.to_str() else { return };
        if self.stamps.iter().any(|stamp| stamp.path == text) {
            return;
        }
        let mut state = stamp::take(path);
        let is_new = |state: &&mut FileState| clock::may_be_since(self.started, state.modified.max(state.changed));
        if let Some(state) = state.as_mut().filter(is_new) {
            state.modified = 0;
        }
        self.stamps.push(Stamp { path: text.to_owned(), state });
    }

    /// Covers a file. Its stamp is older than what is read.
    fn file(&mut self, label: &str, path: &Path) -> Result<(), String> {
        if path.to_str().is_none() {
            return Err(format!("the name of `{label}` is not UTF-8"));
        }
        self.stamp(path);
        let bytes = fs::read(path, MAX_FILE).map_err(|error| format!("`{label}` cannot be read: {}", error.kind))?;
        self.add(label, bytes)
    }

    fn add(&mut self, label: &str, bytes: Vec<u8>) -> Result<(), String> {
        if self.files.iter().any(|file| file.path == label) {
            return Ok(());
        }
        self.total += bytes.len();
        if self.files.len() >= MAX_FILES || self.total > MAX_TOTAL {
            return Err("its commands name more than anybody would look through".to_owned());
        }
        let hash = fingerprint(&bytes);
        if bytes.len() <= MAX_TEXT
            && let Ok(said) = String::from_utf8(bytes)
        {
            self.texts.push(Text { path: label.to_owned(), hash: hash.as_str().to_owned(), said });
        }
        self.files.push(Covered { path: label.to_owned(), hash });
        Ok(())
    }

    /// Covers everything in a directory of the plugin.
    fn directory(&mut self, label: &str, path: &Path, plugin: &Path) -> Result<(), String> {
        let mut waiting: Vec<(String, PathBuf)> = vec![(label.to_owned(), path.to_owned())];
        let mut seen = 0;
        while let Some((label, path)) = waiting.pop() {
            seen += 1;
            if seen > MAX_FILES {
                return Err(format!("there is more in `{label}` than anybody would look through"));
            }
            self.stamp(&path);
            let entries = fs::list(&path).map_err(|error| format!("`{label}` cannot be read: {}", error.kind))?;
            for entry in entries {
                let label = format!("{label}/{}", entry.name);
                let Ok(found) = fs::canonical(&path.join(&entry.name)) else { continue };
                if !found.starts_with(plugin) {
                    return Err(format!("`{label}` leads out of the plugin's directory"));
                }
                if fs::is_dir(&found) {
                    waiting.push((label, found));
                } else if fs::is_file(&found) {
                    self.stamp(&path.join(&entry.name));
                    self.file(&label, &found)?;
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Gathered {
        Gathered { content: self.files.into(), stamps: self.stamps, texts: self.texts }
    }
}
