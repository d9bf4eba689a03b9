//! `symposium plugin new`: the files to start a plugin from.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::args::NewArgs;
use crate::error::{CliError, CommandExit};
use crate::ops::author::new_plugin::{ScaffoldCrate, ScaffoldTarget, own_crate, refuse_second, write_files};
use crate::ops::author::scaffold::{NewPlugin, PluginHome};
use crate::ui::printer::{OutputFormat, OutputPrinter};
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

pub(super) fn run(args: &NewArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let here = if args.path.is_none() { own_crate() } else { None };
    let name = args.name.clone().or_else(|| here.as_ref().map(|own| own.name.clone())).ok_or_else(|| {
        CliError::usage("The plugin needs a name, because the current directory is not a crate")
            .hint("run `symposium plugin new NAME` with the name of the crate")
    })?;
    let plugin = NewPlugin::parse(&name)
        .map_err(|hint| CliError::usage(format!("`{}` is not a valid plugin name", name.escape_debug())).hint(hint))?;
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
    let written = write_files(&plugin, &place, args.dry_run)?;
    let action = |path: PathBuf| NewAction { kind: "write", path: path.display().to_string() };
    let actions: Vec<NewAction> = written.into_iter().map(action).collect();
    match printer.answer {
        OutputFormat::Json => printer.json(&NewDocument { version: 1, actions }),
        OutputFormat::Human => printer.text(&page(&plugin, &place, &actions, args)),
    }
    Ok(CommandExit::Ok)
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
        .line(format!("          symposium skill test{at}"))
        .line(format!("          symposium hook test{at}"))
        .line(format!("Try it:   symposium {source}crate {}", plugin.name()))
}
