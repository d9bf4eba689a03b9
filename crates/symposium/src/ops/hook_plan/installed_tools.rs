//! Collects the tools that a hook gets from installations: its program, variables, and directories in front of PATH.

use std::path::{Path, PathBuf};

use symposium_model::hook::hook_plan::HandlerAction;
use symposium_model::manifest::{CommandSpec, Hook, Installation, InstallationSource, Plugin, ProgramFile};

use crate::ops::installations::{InstallationPaths, program_of};

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct InstalledTools {
    /// The program, when an installation brings it.
    pub(super) run: Option<HandlerAction>,
    /// Directories looked in before PATH.
    pub(super) path: Vec<String>,
    pub(super) variables: Vec<(String, String)>,
    /// Files to look at again before it runs.
    pub(super) files: Vec<PathBuf>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum MissingTool {
    /// These installations have to be made first.
    Unmade(Vec<String>),
    /// Something is wrong with them.
    Wrong(String),
}

/// Finds out what a hook gets. `made` says where an installation lies, once it is made.
pub(super) fn equipment(
    plugin: &Plugin,
    hook: &Hook,
    made: &dyn Fn(&Installation) -> Option<InstallationPaths>,
) -> Result<InstalledTools, MissingTool> {
    let needed = plugin.needed_by(hook).map_err(MissingTool::Wrong)?;
    let mut equipment = InstalledTools::default();
    let mut missing = Vec::new();
    for (position, installation) in needed.into_iter().enumerate() {
        let Some(found) = made(installation) else {
            missing.push(installation.name.clone());
            continue;
        };
        let variable = installation.variable();
        if let Some(directory) = found.directory.as_ref().and_then(|directory| directory.to_str()) {
            equipment.variables.push((format!("SYMPOSIUM_DIR_{variable}"), directory.to_owned()));
        }
        let command = match &hook.command {
            CommandSpec::Installed { installation: name, program, args } if *name == installation.name => {
                Some((program.as_ref(), args))
            }
            CommandSpec::Installed { .. } | CommandSpec::Line { .. } => None,
        };
        let own = command.and_then(|(program, _)| program);
        let has_program = own.or(installation.program.as_ref()).is_some()
            || matches!(installation.source, InstallationSource::Cargo { .. });
        match program_of(&found, installation, own) {
            Ok(program) => {
                let text = text(&program).map_err(MissingTool::Wrong)?;
                equipment.variables.push((format!("SYMPOSIUM_{variable}"), text.clone()));
                // Cargo's own directory is for the user to have on PATH.
                let is_global = matches!(installation.source, InstallationSource::Cargo { global: true, .. });
                let parent = program.parent().and_then(Path::to_str).map(str::to_owned);
                equipment.path.extend(parent.filter(|parent| !is_global && !equipment.path.contains(parent)));
                if let (Some((_, args)), 0) = (command, position) {
                    let script = matches!(own.or(installation.program.as_ref()), Some(ProgramFile::Script(_)));
                    equipment.run = Some(run(text, script, installation, args));
                    equipment.files.push(program);
                }
            }
            // What is only there to be done has nothing to run.
            Err(_) if command.is_none() && !has_program => {}
            Err(reason) if command.is_some() => return Err(MissingTool::Wrong(reason)),
            Err(_) => {}
        }
    }
    if missing.is_empty() { Ok(equipment) } else { Err(MissingTool::Unmade(missing)) }
}

fn run(program: String, script: bool, installation: &Installation, args: &[String]) -> HandlerAction {
    let args: Vec<String> = installation.args.iter().chain(args).cloned().collect();
    if script {
        HandlerAction::Direct { program: "sh".to_owned(), args: std::iter::once(program).chain(args).collect() }
    } else {
        HandlerAction::Direct { program, args }
    }
}

fn text(path: &Path) -> Result<String, String> {
    path.to_str().map(str::to_owned).ok_or_else(|| format!("`{}` is not UTF-8", path.display()))
}
