//! The block in the workspace's AGENTS.md with the index of guidance, for agents without hooks.

use serde_json::Value;
use symposium_hook::shared_index;
use symposium_model::authority::is_personal;
use symposium_model::candidate::{CandidatePolicy, EnabledExtent};
use symposium_model::config::{AutoEnable, INDEX_BYTES, SettingOrigin, Toggle};
use symposium_model::edit::{EditFormat, EntrySlot, FileContent, SettingsEntry};
use symposium_model::ownership::Marker;
use symposium_model::scan;
use symposium_model::select::{Selection, SkillVerdict};
use symposium_model::sync::{DesiredFile, DesiredState};

use crate::ops::context::Context;
use crate::ops::hook_plan;
use crate::ops::reconcile::committed_files::agents_file;
use crate::ops::resolve::Resolution;

const INTRODUCTION: &str = "## Rust guidance\n\nBefore you write code that uses one of these crates, load its skill, or run \
                            `symposium crate NAME`.\n\n";

/// Adds the block, if there is guidance. The file is for everyone who clones the project, so nothing in it depends on the
/// user: neither their sources and choices, nor the names under which skills are installed for them.
pub(super) fn add_index_block(context: &Context, resolution: &Resolution, wanted: &mut DesiredState) {
    let Some(root) = context.root().filter(|_| context.settings.install_agents_md.value) else { return };
    let index = match context.project_only_context() {
        Some(shared) => shared_text(&shared, &resolution.load_again(&shared)),
        None => shared_text(context, resolution),
    };
    let Some(index) = index else { return };
    let entry = SettingsEntry {
        path: vec!["symposium".to_owned()],
        slot: EntrySlot::Key,
        value: Value::String(format!("{INTRODUCTION}{index}")),
        mark: Marker::Marked,
    };
    wanted.files.push(DesiredFile {
        path: agents_file(root),
        workspace: Some(root.to_owned()),
        agents: Vec::new(),
        content: FileContent::Entries { format: EditFormat::Marked, entries: vec![entry] },
        starts_as: "",
    });
}

fn shared_text(context: &Context, resolution: &Resolution) -> Option<String> {
    let mut selection = resolution.select_shared(context).unwrap_or_else(|| resolution.selection.clone());
    retain_shared(&context.settings.skills, resolution, &mut selection);
    let index = hook_plan::shared_index_lines(resolution, &selection);
    let bytes = &context.settings.guidance_index_bytes;
    let bytes = match bytes.origin {
        SettingOrigin::User(_) => INDEX_BYTES,
        SettingOrigin::Project(_) | SettingOrigin::Default => bytes.value,
    };
    let text = shared_index(&index, usize::try_from(bytes).unwrap_or(usize::MAX))?;
    Some(scan::plain_lines(&text).into_owned())
}

/// Leaves out skills that only the user has, or has switched on for every project.
fn retain_shared(toggles: &[Toggle], resolution: &Resolution, selection: &mut Selection) {
    let policy = CandidatePolicy { auto_enable: &AutoEnable::Off, skills: toggles };
    let is_on = |verdict: &SkillVerdict, name: &str| {
        policy.enabled(&resolution.catalog, verdict.id.plugin) == EnabledExtent::Whole
            || verdict.crates.iter().any(|found| policy.names(&found.name, name))
    };
    selection.skills.retain(|verdict| {
        resolution.catalog.skill(verdict.id).is_some_and(|(source, skill)| {
            !is_personal(source.spec.rank) && is_on(verdict, skill.document.name.as_str())
        })
    });
}
