//! Plans on disk: one file for each event, for the user alone, untouched when nothing changed.

use std::path::{Path, PathBuf};

use symposium_io::fs::{self, FsError};
use symposium_io::state_file::{keep, sweep};
use symposium_model::config::{AppDirectories, Scope};
use symposium_model::hook::Event;
use symposium_model::hook::hook_plan::{directory, file_name};

use super::{PlanSet, kept_guards};
use crate::ops::context::Context;
use crate::run_report::RunReport;

/// No plan is near this large.
pub(super) const MAX_PLAN: u64 = 16 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub(crate) enum NotWritten {
    /// A broken configuration is unknown, and the existing plans were compiled from its last valid text.
    #[error("{}: it is invalid", _0.display())]
    BrokenConfiguration(PathBuf),
    /// A newer plan is there or will be compiled at the next event.
    #[error("policy hook `{0}` was released while the plans were compiled")]
    ReleasedGuard(String),
    #[error(transparent)]
    File(#[from] FsError),
}

/// Writes the plans where the hook looks for them, and removes those of events without handlers.
pub(crate) fn write(context: &Context, plans: &PlanSet, report: &mut RunReport) -> Result<(), NotWritten> {
    let directory = directory(&context.directories.cache, plans.workspace.as_deref());
    if let Some((_, broken)) = context.broken_configs.first()
        && holds_plans(&directory)
    {
        return Err(NotWritten::BrokenConfiguration(broken.clone()));
    }
    let _held = kept_guards::lock(&context.directories, plans);
    if let Some(released) = kept_guards::find_released(&context.directories, plans) {
        return Err(NotWritten::ReleasedGuard(released.title()));
    }
    for (name, plan) in &plans.files {
        // Our own types can always be written down.
        let Ok(mut text) = serde_json::to_string(plan) else { continue };
        text.push('\n');
        let path = directory.join(name);
        if fs::read(&path, text.len() as u64).is_ok_and(|found| found == text.as_bytes()) {
            continue;
        }
        put_broken_aside(&directory, name, report);
        keep(&path, &text)?;
    }
    for file in &plans.guidance {
        let path = directory.join(file.name);
        if fs::read(&path, file.text.len() as u64).is_ok_and(|found| found == file.text.as_bytes()) {
            continue;
        }
        keep(&path, &file.text)?;
    }
    kept_guards::write(&context.directories, &directory, plans)?;
    sweep(&directory);
    for entry in fs::list(&directory)? {
        let known = plans.files.iter().any(|(name, _)| *name == entry.name);
        if !known && Path::new(&entry.name).extension().is_some_and(|extension| extension == "json") {
            let _ = fs::remove_file(&directory.join(&entry.name));
        }
    }
    Ok(())
}

fn holds_plans(directory: &Path) -> bool {
    fs::exists(&directory.join(file_name(Event::PreToolUse)))
}

/// Says that a configuration cannot be read, so that a list of what is here is incomplete, and what counts instead.
pub(crate) fn unread_configuration(context: &Context) -> Option<String> {
    let (scope, broken) = context.broken_configs.first()?;
    let unread = format!("`{}` cannot be read, so this list may be incomplete", broken.display());
    let root = context.root().and_then(Path::to_str);
    if !holds_plans(&directory(&context.directories.cache, root)) {
        return Some(unread);
    }
    let except = match scope {
        Scope::User => ", except for granted hooks",
        Scope::Project => "",
    };
    Some(format!("{unread}; earlier hook plans stay active until it is fixed{except}"))
}

/// Renames a file that is no plan at all, so that the user can examine it.
fn put_broken_aside(directory: &Path, name: &str, report: &mut RunReport) {
    let path = directory.join(name);
    let broken = match fs::read_text_if_there(&path, MAX_PLAN) {
        Ok(None) => false,
        Ok(Some(text)) => serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err(),
        Err(_) => true,
    };
    if broken {
        let aside = directory.join(format!("{name}.broken"));
        let kept = match fs::move_file(&path, &aside) {
            Ok(()) => format!("it is kept as {}", aside.display()),
            Err(error) => error.to_string(),
        };
        report.warning(format!("{} could not be read and is created again; {kept}", path.display()));
    }
}

/// Removes the plans of a workspace.
pub(crate) fn remove(directories: &AppDirectories, workspace: &Path) {
    let (cache, plans) = (&directories.cache, directories.plans());
    let _ = fs::remove_tree(&directory(cache, Some(&workspace.display().to_string())));
    if !fs::has_content(&plans) {
        let _ = fs::remove_file(&directories.plans_lock());
    }
    fs::remove_empty_dirs(&[plans, cache.clone()]);
}
