//! Two imports that would bring the same: what an import from another agent brought already is not brought twice.

use std::path::Path;

use symposium_agents::import::{ConvertedHook, ImportResult, SkillPresence, SkippedEntry, cover, parts, server_id};
use symposium_io::fs;
use symposium_model::hook::Matcher;
use symposium_model::manifest::{self, Hook, Plugin};
use symposium_model::skill::SKILL_FILE;

use super::MANIFEST;
use super::skills::CarriedSkill;
use super::write::ImportRecord;

/// Leaves out what the plugin of another import has.
pub(super) fn leave_out(
    plugins: &Path,
    own: &Path,
    record: Option<&ImportRecord>,
    carried: &mut ImportResult,
    skills: &mut Vec<CarriedSkill>,
) {
    let others = fs::list(plugins).unwrap_or_default().into_iter().map(|entry| entry.name);
    let others = others.filter(|name| name.starts_with("imported-") && !own.ends_with(name));
    let is_known = |id: &str| record.is_some_and(|record| record.parts.iter().any(|part| part.id == id));
    for name in others {
        let directory = plugins.join(&name);
        let Ok(text) = fs::read_text(&directory.join(MANIFEST), fs::MAX_SETTINGS) else { continue };
        let Some(other) = manifest::parse(&name, &text, &name).plugin else { continue };
        let mut left = Vec::new();
        let mut leave = |what: String, same: bool, file: &str| {
            let why = if same { "it already" } else { "another one of that name" };
            left.push(SkippedEntry { what, why: format!("`{name}` has {why}"), file: file.to_owned() });
        };
        let ids: Vec<String> =
            parts(&carried.hooks, &[], SkillPresence::None).into_iter().map(|part| part.id).collect();
        let mut ids = ids.into_iter();
        carried.hooks.retain(|hook| {
            let id = ids.next().unwrap_or_default();
            let there = has_hook(&other, hook) && !is_known(&id);
            if there {
                leave(format!("{} hook `{}`", hook.was.event, hook.name), true, &hook.was.file);
            }
            !there
        });
        carried.servers.retain(|server| {
            let known = other.mcp_servers.iter().find(|known| known.name == server.name);
            let known = known.filter(|_| !is_known(&server_id(&server.name)));
            if let Some(known) = known {
                leave(format!("MCP server `{}`", server.name), known.transport == server.transport, &server.file);
            }
            known.is_none()
        });
        skills.retain(|skill| {
            let path = format!("skills/{}/{SKILL_FILE}", skill.name);
            let known = record.is_some_and(|record| record.files.contains_key(&path));
            let there = fs::read(&directory.join(&path), fs::MAX_SETTINGS).ok().filter(|_| !known);
            if let Some(there) = &there {
                let same = skill.files.iter().any(|file| file.path == SKILL_FILE && file.bytes == *there);
                leave(format!("skill `{}`", skill.name), same, &skill.from);
            }
            there.is_none()
        });
        carried.left_out.extend(left);
    }
}

/// Whether a plugin has hooks made of the same command, for everything this one is asked about.
fn has_hook(other: &Plugin, wanted: &ConvertedHook) -> bool {
    let is_same = |hook: &&Hook| {
        hook.event.to_string() == wanted.event && hook.command_there() == Some(wanted.was.command.as_str())
    };
    let matcher = Matcher::parse(wanted.matcher.as_deref().unwrap_or_default());
    cover(&other.hooks.iter().filter(is_same).map(|hook| &hook.matcher).collect::<Vec<_>>(), &matcher)
}
