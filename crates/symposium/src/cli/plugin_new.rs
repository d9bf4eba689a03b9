//! `symposium plugin new`: the files to start a plugin from.

use std::path::{Path, PathBuf};

use serde::Serialize;
use symposium_io::fs;
use symposium_io::source::{DirectoryTree, crate_signs, package_name};

use super::args::NewArgs;
use crate::ops::author::scaffold::{NewPlugin, PluginHome};
use crate::ui::error::CliError;
use crate::ui::exit::CommandExit;
use crate::ui::printer::{OutputFormat, Printer};
use crate::ui::text::StyledText;

#[derive(Serialize)]
struct NewDocument {
    version: u32,
    actions: Vec<NewAction>,
}

#[derive(Serialize)]
struct NewAction {
    kind: &'static str,
    path: String,
}

pub(super) fn run(args: &NewArgs, printer: Printer) -> Result<CommandExit, CliError> {
    let here = if args.path.is_none() { own_crate() } else { None };
    let name = args.name.clone().or_else(|| here.as_ref().map(|own| own.name.clone())).ok_or_else(|| {
        CliError::usage("The plugin has no name, and this is not a crate it could be called after")
            .hint("`symposium plugin new NAME`, with the name of the crate it is for")
    })?;
    let plugin = NewPlugin::parse(&name)
        .map_err(|hint| CliError::usage(format!("`{}` cannot be a plugin's name", name.escape_debug())).hint(hint))?;
    let same_name = |own: &ScaffoldCrate| own.name.replace('_', "-") == name.replace('_', "-");
    let place = match here.filter(same_name) {
        Some(own) => {
            refuse_second(&own.directory)?;
            ScaffoldTarget { home: PluginHome::Crate, root: own.directory.clone(), target: own.directory }
        }
        None => {
            let root = args.path.as_deref().unwrap_or(Path::new("."));
            let root = root.strip_prefix(".").unwrap_or(root).to_owned();
            ScaffoldTarget { home: PluginHome::Directory, target: root.join(plugin.name()), root }
        }
    };
    let actions = write(&plugin, &place, args)?;
    match printer.answer {
        OutputFormat::Json => printer.json(&NewDocument { version: 1, actions }),
        OutputFormat::Human => printer.text(&page(&plugin, &place, &actions, args)),
    }
    Ok(CommandExit::Ok)
}

/// A package and its directory.
struct ScaffoldCrate {
    name: String,
    directory: PathBuf,
}

/// The package whose directory this is, or lies below.
fn own_crate() -> Option<ScaffoldCrate> {
    let mut directory = PathBuf::new();
    for _ in fs::canonical(Path::new(".")).ok()?.ancestors() {
        let at = if directory.as_os_str().is_empty() { Path::new(".") } else { &directory };
        if fs::is_file(&at.join("Cargo.toml")) {
            let tree = DirectoryTree::open(at).ok()?;
            return package_name(&tree, "").map(|name| ScaffoldCrate { name, directory });
        }
        directory.push("..");
    }
    None
}

/// Where a plugin is made.
struct ScaffoldTarget {
    home: PluginHome,
    /// What its paths begin at.
    root: PathBuf,
    /// The directory that is its own.
    target: PathBuf,
}

/// A crate has one plugin.
fn refuse_second(directory: &Path) -> Result<(), CliError> {
    let at = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let manifest = crate_signs(at).and_then(|signs| {
        let tree = DirectoryTree::open(at).ok()?;
        signs.manifest(&tree, "x")
    });
    match manifest {
        Some(manifest) => {
            let path = directory.join(manifest);
            let error = CliError::no(format!("This crate has a plugin already, in `{}`", path.display()));
            Err(error.hint("add to that one; `symposium plugin validate` checks it"))
        }
        None => Ok(()),
    }
}

fn write(plugin: &NewPlugin, place: &ScaffoldTarget, args: &NewArgs) -> Result<Vec<NewAction>, CliError> {
    let files = plugin.files(place.home);
    let taken = match place.home {
        PluginHome::Directory => Some(place.target.clone()).filter(|target| fs::exists(target)),
        PluginHome::Crate => files.iter().map(|file| place.root.join(&file.path)).find(|path| fs::exists(path)),
    };
    if let Some(taken) = taken {
        let error = CliError::no(format!("`{}` exists already; nothing was written", taken.display()));
        return Err(error.hint("choose another name, or another place with `--path`"));
    }
    let mut actions = Vec::new();
    for file in files {
        let path = place.root.join(&file.path);
        if !args.dry_run {
            let written = if file.executable {
                fs::write_new_executable(&path, file.text.as_bytes())
            } else {
                fs::write_new_shared(&path, file.text.as_bytes())
            };
            written.map_err(|error| {
                CliError::failed(format!("Failed to write `{}`: {}", path.display(), error.kind))
                    .hint("check that the directory can be written")
            })?;
        }
        actions.push(NewAction { kind: "write", path: path.display().to_string() });
    }
    Ok(actions)
}

fn page(plugin: &NewPlugin, place: &ScaffoldTarget, actions: &[NewAction], args: &NewArgs) -> StyledText {
    let verb = if args.dry_run { "would write" } else { "wrote" };
    let mut text = StyledText::default();
    for action in actions {
        text = text.line(format!("{verb} {}", action.path));
    }
    if args.dry_run {
        return text;
    }
    let target = place.target.display().to_string();
    let at = if target.is_empty() { String::new() } else { format!(" {target}") };
    let source = match place.home {
        PluginHome::Directory => format!("--source {target} "),
        // What a package of the workspace brings is used there.
        PluginHome::Crate => String::new(),
    };
    text.end()
        .line(format!("Write:    {}", place.root.join(plugin.skill_file(place.home)).display()))
        .line(format!("Check it: symposium plugin validate{at}"))
        .line(format!("          symposium hook test{at}"))
        .line(format!("Try it:   symposium {source}crate {}", plugin.name()))
}
