//! Removes what is kept about workspaces that are gone: their plans, and what the hook remembers of them.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use symposium_hook::stamp;
use symposium_io::{clock, fs};
use symposium_model::config::AppDirectories;
use symposium_model::hook::Event;
use symposium_model::hook::hook_plan::{REMEMBERED, file_name};

use super::write::MAX_PLAN;

/// The age at which the session state of a workspace without plans is removed. With plans it is kept, since its age is
/// only that of the last change of the dependencies.
const FORGOTTEN: Duration = Duration::from_hours(90 * 24);

/// Removes it. What cannot be read or removed stays for another time.
pub(crate) fn remove_deserted(directories: &AppDirectories) {
    let (plans, sessions) = (directories.plans(), directories.sessions());
    let mut living = Vec::new();
    for entry in fs::list(&plans).unwrap_or_default() {
        let directory = plans.join(&entry.name);
        if workspace_of(&directory).is_some_and(|workspace| fs::is_gone(Path::new(&workspace))) {
            let _ = fs::remove_tree(&directory);
            let _ = fs::remove_file(&sessions.join(format!("{REMEMBERED}{}", entry.name)));
        } else {
            living.push(entry.name);
        }
    }
    for entry in fs::list(&sessions).unwrap_or_default() {
        let Some(workspace) = entry.name.strip_prefix(REMEMBERED) else { continue };
        let file = sessions.join(&entry.name);
        if !living.iter().any(|known| known == workspace) && is_forgotten(&file) {
            let _ = fs::remove_file(&file);
        }
    }
}

#[derive(Deserialize)]
struct OfWorkspace {
    #[serde(default)]
    workspace: Option<String>,
}

/// The workspace that plans are for; `None` for those outside any, and when no plan tells.
fn workspace_of(plans: &Path) -> Option<String> {
    // The smallest comes first.
    let text = [Event::Stop, Event::PreToolUse]
        .into_iter()
        .find_map(|event| fs::read_text(&plans.join(file_name(event)), MAX_PLAN).ok())?;
    serde_json::from_str::<OfWorkspace>(&text).ok()?.workspace
}

fn is_forgotten(file: &Path) -> bool {
    let limit = i64::try_from(FORGOTTEN.as_nanos()).unwrap_or(i64::MAX);
    stamp::take(file).is_some_and(|state| clock::precisely().saturating_sub(state.modified) > limit)
}
