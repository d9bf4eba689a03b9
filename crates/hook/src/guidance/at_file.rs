//! Guidance at a file: the digests of the crates that a file names, told once when an agent reads or edits it.

use std::path::{Path, PathBuf};

use serde_json::Value;
use symposium_agents::wire::{PatchChange, touched_files};
use symposium_agents::{ContextEffect, DenyEffect, dialect};
use symposium_model::agent::AgentId;
use symposium_model::hook::guidance_plan::{DIGESTS_FILE, GUIDANCE_FILE, GuidedCrateLine, find_crates, find_digest};
use symposium_model::hook::hook_plan::{EditGuidance, GuidancePlan};
use symposium_model::hook::{EventDetail, HookInput, ToolUse};

use super::crate_mentions::find_mentions;
use crate::byte_search::contains;
use crate::edge::disk;
use crate::session::SessionState;
use crate::workflow::autofmt::is_rust;

/// The start of a file is enough: imports are there.
const MAX_SOURCE: u64 = 256 * 1024;
const MAX_PLAN: u64 = 4 * 1024 * 1024;
const MAX_FILES: usize = 10;
/// The most that is told at one event, in bytes.
const MAX_DIGESTS: usize = 2000;
const MAX_BODIES: usize = 8000;

/// The text that reaches the model, and the skills it is about.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileAdvice {
    pub(crate) text: String,
    pub(crate) skills: Vec<String>,
}

/// Everything that decides about the guidance of one event.
pub(crate) struct FileGuide<'g> {
    pub(crate) plan: &'g GuidancePlan,
    /// The directory of the hook plans of the workspace.
    pub(crate) plans: &'g Path,
    pub(crate) workspace: &'g Path,
    pub(crate) agent: Option<AgentId>,
    pub(crate) session: &'g SessionState,
}

/// Returns false for events that name no Rust file, without parsing them.
pub(crate) fn names_rust_file(event: &[u8]) -> bool {
    contains(event, b".rs")
}

impl FileGuide<'_> {
    /// Returns true for a tool call that reads or changes a Rust file.
    pub(crate) fn is_about(input: &HookInput) -> bool {
        let Some(tool) = input.tool() else { return false };
        let one = tool.input.get("file_path").and_then(Value::as_str);
        let several = tool.input.get("files").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        matches!(tool.name.as_str(), "Read" | "Write" | "Edit" | "Patch")
            && one.into_iter().chain(several).any(|file| is_rust(Path::new(file)))
    }

    /// Returns the digests for the files of a tool call that was carried out.
    pub(crate) fn advise(&self, input: &HookInput) -> Option<FileAdvice> {
        let EventDetail::PostToolUse(tool, result) = &input.detail else { return None };
        if result.failed || self.plan.mode == EditGuidance::Off || !Self::is_about(input) || !self.can_tell() {
            return None;
        }
        let text = self.read_plan(GUIDANCE_FILE)?;
        let mut mentioned = Vec::new();
        for file in self.rust_files(input, tool) {
            let open = self.open_crates(&text, &file);
            if open.is_empty() {
                continue;
            }
            let source = disk::read_start(&file, MAX_SOURCE).filter(|bytes| is_text(bytes)).unwrap_or_default();
            collect_mentions(&open, &source, &mut mentioned);
        }
        self.tell(&mentioned)
    }

    /// Returns the reason to refuse an edit once: its new text names crates that were not told yet.
    pub(crate) fn refuse(&self, input: &HookInput) -> Option<FileAdvice> {
        let EventDetail::PreToolUse(tool) = &input.detail else { return None };
        if self.plan.mode != EditGuidance::Gate || !self.can_refuse() {
            return None;
        }
        let text = self.read_plan(GUIDANCE_FILE)?;
        let mut mentioned = Vec::new();
        for file in self.rust_files(input, tool) {
            let open = self.open_crates(&text, &file);
            if !open.is_empty() {
                collect_mentions(&open, new_text(tool, &file)?.as_bytes(), &mut mentioned);
            }
        }
        let advice = self.tell(&mentioned)?;
        Some(FileAdvice { text: format!("{}\nRead this, then repeat the edit.", advice.text), ..advice })
    }

    fn can_tell(&self) -> bool {
        self.agent.is_none_or(|agent| dialect(agent).can.post_tool_use.context == ContextEffect::Reaches)
    }

    fn can_refuse(&self) -> bool {
        self.agent
            .map(dialect)
            .is_none_or(|dialect| dialect.repeats_refused && dialect.can.pre_tool_use.deny == DenyEffect::Blocks)
    }

    fn read_plan(&self, name: &str) -> Option<String> {
        String::from_utf8(disk::read(&self.plans.join(name), MAX_PLAN)?).ok()
    }

    fn rust_files(&self, input: &HookInput, tool: &ToolUse) -> Vec<PathBuf> {
        let base = input.cwd.as_deref().map_or(self.workspace, Path::new);
        let one = tool.input.get("file_path").and_then(Value::as_str);
        let several = tool.input.get("files").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let files = one.into_iter().chain(several).map(|file| base.join(file));
        files.filter(|file| is_rust(file)).take(MAX_FILES).collect()
    }

    /// Returns the crates of the file's package with a skill that was neither told nor loaded.
    fn open_crates<'t>(&self, text: &'t str, file: &Path) -> Vec<GuidedCrateLine<'t>> {
        let is_plain = file.starts_with(self.workspace) && !file.components().any(|part| part.as_os_str() == "..");
        let resolved = if is_plain { None } else { disk::canonical(file) };
        let Some(path) = resolved.as_deref().unwrap_or(file).to_str() else { return Vec::new() };
        let mut crates = find_crates(text, path);
        crates.retain(|krate| self.open_skill(krate).is_some());
        crates
    }

    fn open_skill<'t>(&self, krate: &GuidedCrateLine<'t>) -> Option<&'t str> {
        let same = |a: &str, b: &str| a.bytes().map(plain_byte).eq(b.bytes().map(plain_byte));
        if self.session.crates.iter().any(|loaded| same(loaded, krate.name)) {
            return None;
        }
        let is_open = |skill: &&str| {
            let is = |known: &String| known == skill;
            !self.session.digests.iter().any(is) && !self.session.skills.iter().any(is)
        };
        krate.skills().find(is_open)
    }

    /// Joins the digests that fit; the rest is told at the next event.
    fn tell(&self, mentioned: &[GuidedCrateLine<'_>]) -> Option<FileAdvice> {
        let digests = if mentioned.is_empty() { return None } else { self.read_plan(DIGESTS_FILE)? };
        let limit = if self.plan.mode == EditGuidance::Full { MAX_BODIES } else { MAX_DIGESTS };
        let mut advice = FileAdvice { text: String::new(), skills: Vec::new() };
        for krate in mentioned {
            let open = krate.skills().filter(|skill| !self.session.digests.iter().any(|told| told == skill));
            for skill in open {
                let Some(digest) = find_digest(&digests, skill) else { continue };
                let paragraph = self.paragraph(krate, skill, &digest);
                if advice.text.len() + paragraph.len() > limit {
                    break;
                }
                advice.text.push_str(&paragraph);
                advice.skills.push(skill.to_owned());
            }
        }
        advice.text.truncate(advice.text.trim_end().len());
        (!advice.skills.is_empty()).then_some(advice)
    }

    fn paragraph(&self, krate: &GuidedCrateLine<'_>, skill: &str, digest: &str) -> String {
        let GuidedCrateLine { name, version, .. } = krate;
        let more = if self.plan.holders.has(self.agent, skill) {
            format!("The skill `{skill}` has the rest.")
        } else {
            format!("`symposium crate {name}` prints the rest.")
        };
        format!("{name} {version}: {digest}\n{more}\n")
    }
}

fn collect_mentions<'t>(open: &[GuidedCrateLine<'t>], source: &[u8], mentioned: &mut Vec<GuidedCrateLine<'t>>) {
    let names: Vec<&str> = open.iter().map(|krate| krate.code_name).collect();
    for index in find_mentions(source, &names) {
        if let Some(krate) = open.get(index).filter(|krate| !mentioned.contains(krate)) {
            mentioned.push(*krate);
        }
    }
}

/// Returns the text that a tool call brings into a file.
fn new_text(tool: &ToolUse, file: &Path) -> Option<String> {
    let text = |key: &str| tool.input.get(key).and_then(Value::as_str);
    match tool.name.as_str() {
        "Write" => text("content").map(str::to_owned),
        "Edit" => text("new_string").map(str::to_owned),
        "Patch" => Some(added_lines(text("patch")?, file)),
        _ => None,
    }
}

fn added_lines(patch: &str, file: &Path) -> String {
    let touched = touched_files(patch).into_iter().find(|touched| file.ends_with(&touched.path));
    match touched.map(|touched| touched.change) {
        Some(PatchChange::Added { content }) => content,
        Some(PatchChange::Updated { new, .. }) => new,
        Some(PatchChange::Deleted) | None => String::new(),
    }
}

/// Accepts UTF-8 that ends in the middle of a character, as the start of a file may.
fn is_text(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
}

fn plain_byte(byte: u8) -> u8 {
    if byte == b'_' { b'-' } else { byte }
}

#[cfg(test)]
#[path = "at_file_tests.rs"]
mod tests;
