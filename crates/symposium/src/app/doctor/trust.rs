//! Whether the person has told the agent to trust the folder, or the hooks.

use symposium_agents::AgentSpec;
use symposium_agents::spec::{FolderRecord, Trust};
use symposium_edit::json_value;
use symposium_io::fs;
use symposium_io::settings::MAX_SETTINGS;

use super::files::is_at;
use super::{Examination, Weight};
use crate::app::context::Context;
use crate::app::sync::desired::{DesiredFile, resolve};

/// Adds a finding for what waits to be trusted.
pub(super) fn examine_trust(
    context: &Context,
    facts: &AgentSpec,
    files: &[&DesiredFile],
    examination: &mut Examination,
) {
    let read = |place| {
        let path = resolve(context, place)?;
        fs::read_text_if_there(&path, MAX_SETTINGS).ok().flatten()
    };
    match facts.trust {
        Trust::Unrecorded => {}
        Trust::Folders { file, record } => {
            let Some(root) = context.root().filter(|_| !files.is_empty()) else { return };
            let root = root.display().to_string();
            let text = read(file).unwrap_or_default();
            let value = json_value(&text).ok().flatten().unwrap_or_default();
            let trusted = match record {
                FolderRecord::ElementOf(key) => value
                    .get(key)
                    .and_then(|list| list.as_array())
                    .is_some_and(|list| list.iter().any(|at| *at == root)),
                FolderRecord::KeyWithValue(word) => value.get(&root).is_some_and(|found| found == word),
                FolderRecord::KeyOf(key, flag) => {
                    value.get(key).and_then(|folders| folders.get(&root)?.get(flag)).is_some_and(|found| found == true)
                }
            };
            if !trusted {
                let message = format!("{} has not been told to trust {root}", facts.title);
                examination.add(Weight::Warning, message, "start it there once and confirm");
            }
        }
        Trust::Hooks { file, .. } => {
            let text = read(file).unwrap_or_default();
            let hooks = files.iter().filter(|at| facts.hooks.iter().any(|hooks| is_at(hooks, &at.path)));
            for hooks in hooks {
                if fs::exists(&hooks.path) && !text.contains(&format!("{}:", hooks.path.display())) {
                    let message =
                        format!("{} waits for you to trust the hooks in {}", facts.title, hooks.path.display());
                    examination.add(Weight::Warning, message, "start it once, and review or trust them when it asks");
                }
            }
        }
    }
}
