//! Guidance at a file: the digests of the crates that a file names, told once when an agent reads or edits it.

use std::path::Path;

use semver::Version;
use symposium_agents::{DenyEffect, EventAbilities, dialect};
use symposium_model::agent::AgentId;
use symposium_model::crates::VersionRequirement;
use symposium_model::crates::dependency_tables::{CrateRequest, RequestSource};
use symposium_model::hook::guidance_plan::{
    DIGESTS_FILE, GUIDANCE_FILE, GuidedCrateLine, all_crates, find_crates, find_digest,
};
use symposium_model::hook::hook_plan::{EditGuidance, GuidancePlan};
use symposium_model::hook::{Event, EventDetail, HookInput};

use super::crate_mentions::find_mentions;
use super::file_call::{FileCall, MANIFEST, MAX_SOURCE, is_manifest, named_files};
use crate::byte_search::contains_any;
use crate::edge::disk;
use crate::plan_loader::DraftLookup;
use crate::session::{GATE_KEY, SessionState};
use crate::workflow::autofmt::is_rust;

const MAX_PLAN: u64 = 4 * 1024 * 1024;
/// Up to this many names are looked for before the tokens of a file are read.
const MAX_SEARCHED: usize = 16;
/// The most that is told at one event, in bytes.
const MAX_DIGESTS: usize = 2000;
const MAX_BODIES: usize = 8000;

/// The text that reaches the model, and the skills it is about.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileAdvice {
    pub(crate) text: String,
    pub(crate) skills: Vec<String>,
    /// The keys of the crates for which an edit is refused; not all of their digests may fit.
    pub(crate) refused: Vec<String>,
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

/// Returns false for events that name neither a Rust file nor a manifest, without parsing them.
pub(crate) fn names_guided_file(event: &[u8]) -> bool {
    contains_any(event, &[".rs", MANIFEST])
}

impl FileGuide<'_> {
    /// Returns true for a tool call that reads, prints or changes a Rust file, or changes a manifest.
    pub(crate) fn is_about(input: &HookInput) -> bool {
        let Some(tool) = input.tool() else { return false };
        match tool.name.as_str() {
            "Read" | "Bash" => named_files(tool).any(|file| is_rust(Path::new(file))),
            "Write" | "Edit" | "Patch" => {
                named_files(tool).map(Path::new).any(|file| is_rust(file) || is_manifest(file))
            }
            _ => false,
        }
    }

    /// Returns true if a tool call brought a dependency into a manifest that the plan may not know: one of a member,
    /// since a change of the root's makes the plan stale.
    pub(crate) fn brings_dependency(input: &HookInput, workspace: &Path) -> bool {
        let EventDetail::PostToolUse(tool, result) = &input.detail else { return false };
        let is_open = !result.failed && Self::is_about(input);
        let call = FileCall::new(input, tool, workspace);
        let files = if is_open { call.files() } else { Vec::new() };
        let mut manifests = files.iter().filter(|file| is_manifest(file) && **file != workspace.join("Cargo.toml"));
        manifests.any(|file| !call.made_requests(file).is_empty())
    }

    /// Returns the digests for the files of a tool call that was carried out.
    pub(crate) fn advise(&self, input: &HookInput) -> Option<FileAdvice> {
        let EventDetail::PostToolUse(tool, result) = &input.detail else { return None };
        if result.failed || self.plan.mode == EditGuidance::Off || !Self::is_about(input) || !self.can_tell() {
            return None;
        }
        let text = self.read_plan(GUIDANCE_FILE)?;
        let mut mentioned = Vec::new();
        let call = FileCall::new(input, tool, self.workspace);
        for file in call.files() {
            let open = self.open_crates(&text, &file);
            if is_manifest(&file) {
                self.collect_requests(&text, &open, &call.made_requests(&file), &mut mentioned);
            }
            if open.is_empty() || !is_rust(&file) {
                continue;
            }
            let source = disk::read_start(&file, MAX_SOURCE).unwrap_or_default();
            collect_mentions(&open, &source, &mut mentioned);
        }
        self.tell(&mentioned)
    }

    /// Returns the reason to refuse an edit once: its new text names crates that were not told yet. `draft` gives the
    /// guidance for dependencies that the workspace does not have yet.
    pub(crate) fn refuse(&self, input: &HookInput, draft: DraftLookup<'_>) -> Option<FileAdvice> {
        let EventDetail::PreToolUse(tool) = &input.detail else { return None };
        if self.plan.mode != EditGuidance::Gate || !self.can_refuse() {
            return None;
        }
        let call = FileCall::new(input, tool, self.workspace);
        let files = call.files();
        let mut text = self.read_plan(GUIDANCE_FILE).unwrap_or_default();
        let asked = files.iter().flat_map(|file| call.coming_requests(file));
        let new: Vec<CrateRequest> = asked.filter(|request| self.is_draft_needed(&text, request)).collect();
        let drafted = if new.is_empty() { None } else { draft(&new) };
        if let Some(drafted) = &drafted {
            text.clone_from(&drafted.guidance);
        }
        let mut mentioned = Vec::new();
        for file in &files {
            let open = self.open_crates(&text, file);
            if is_manifest(file) {
                self.collect_requests(&text, &open, &call.coming_requests(file), &mut mentioned);
            } else if let Some(new) = call.new_text(file).filter(|_| !open.is_empty()) {
                let before = if call.is_partial() { disk::read_start(file, MAX_SOURCE) } else { None };
                collect_new_mentions(&open, before.as_deref().and_then(text_of), &new, &mut mentioned);
            }
        }
        let mut refused: Vec<String> = mentioned.iter().map(|krate| gate_key(krate.name)).collect();
        if refused.iter().all(|key| self.session.told.contains(key)) {
            return None;
        }
        // The second attempt needs no draft, whatever the first one found.
        refused.extend(new.iter().map(|request| gate_key(&request.package)));
        refused.sort_unstable();
        refused.dedup();
        let advice = self.tell_from(drafted.map(|drafted| drafted.digests), &mentioned)?;
        Some(FileAdvice { text: format!("{}\nRead this, then repeat the edit.", advice.text), refused, ..advice })
    }

    /// Returns true for a request to crates.io that was not refused before, and that no crate of the plan fulfils.
    fn is_draft_needed(&self, text: &str, request: &CrateRequest) -> bool {
        request.source == RequestSource::Registry
            && request.requirement.is_some()
            && !self.session.told.contains(&gate_key(&request.package))
            && !all_crates(text).iter().any(|krate| fulfils(krate, request))
    }

    fn can_tell(&self) -> bool {
        self.agent.is_none_or(|agent| dialect(agent).can.tells(Event::PostToolUse))
    }

    fn can_refuse(&self) -> bool {
        let blocks = |can: &EventAbilities| can.deny == DenyEffect::Blocks;
        self.agent
            .map(dialect)
            .is_none_or(|dialect| dialect.repeats_refused && dialect.can.pre_tool_use.as_ref().is_some_and(blocks))
    }

    pub(super) fn read_plan(&self, name: &str) -> Option<String> {
        String::from_utf8(disk::read(&self.plans.join(name), MAX_PLAN)?).ok()
    }

    /// Collects the crates that a manifest asks for: those of its package, else those of any package, since the root of a
    /// workspace may have none.
    fn collect_requests<'t>(
        &self,
        text: &'t str,
        own: &[GuidedCrateLine<'t>],
        requests: &[CrateRequest],
        mentioned: &mut Vec<GuidedCrateLine<'t>>,
    ) {
        let of_all = if requests.is_empty() { Vec::new() } else { all_crates(text) };
        for request in requests {
            let is_it = |krate: &&GuidedCrateLine<'_>| fulfils(krate, request);
            let of_any = || of_all.iter().find(|krate| is_it(krate) && self.open_skill(krate).is_some());
            if let Some(krate) = own.iter().find(is_it).or_else(of_any).filter(|krate| !mentioned.contains(krate)) {
                mentioned.push(*krate);
            }
        }
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
        if self.session.crates.iter().any(|loaded| is_same_name(loaded, krate.name)) {
            return None;
        }
        krate.skills().find(|skill| self.is_open(skill))
    }

    /// Returns true for a skill that was neither told nor loaded.
    fn is_open(&self, skill: &str) -> bool {
        !self.session.digests.iter().chain(&self.session.skills).any(|known| known == skill)
    }

    fn tell(&self, mentioned: &[GuidedCrateLine<'_>]) -> Option<FileAdvice> {
        self.tell_from(None, mentioned)
    }

    /// Joins the digests that fit; the rest is told at the next event.
    fn tell_from(&self, drafted: Option<String>, mentioned: &[GuidedCrateLine<'_>]) -> Option<FileAdvice> {
        if mentioned.is_empty() {
            return None;
        }
        let digests = drafted.or_else(|| self.read_plan(DIGESTS_FILE))?;
        let limit = if self.plan.mode == EditGuidance::Full { MAX_BODIES } else { MAX_DIGESTS };
        let mut advice = FileAdvice { text: String::new(), skills: Vec::new(), refused: Vec::new() };
        for krate in mentioned {
            for skill in krate.skills().filter(|skill| self.is_open(skill)) {
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

    pub(super) fn paragraph(&self, krate: &GuidedCrateLine<'_>, skill: &str, digest: &str) -> String {
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
    let Some(text) = text_of(source) else { return };
    // To look for a few names is cheaper than to read all tokens.
    let is_there = |krate: &&GuidedCrateLine<'_>| open.len() > MAX_SEARCHED || text.contains(krate.code_name);
    let there: Vec<&GuidedCrateLine<'t>> = open.iter().filter(is_there).collect();
    let names: Vec<&str> = there.iter().map(|krate| krate.code_name).collect();
    let found = if names.is_empty() { Vec::new() } else { find_mentions(source, &names) };
    for index in found {
        if let Some(krate) = there.get(index).copied().filter(|krate| !mentioned.contains(krate)) {
            mentioned.push(*krate);
        }
    }
}

/// Collects the crates that new text of a file names. A name that the text before it takes from elsewhere names no crate
/// in the new text either.
fn collect_new_mentions<'t>(
    open: &[GuidedCrateLine<'t>],
    before: Option<&str>,
    new: &str,
    mentioned: &mut Vec<GuidedCrateLine<'t>>,
) {
    let mut found = Vec::new();
    collect_mentions(open, new.as_bytes(), &mut found);
    if let Some(before) = before.filter(|_| !found.is_empty()) {
        let mut in_both = Vec::new();
        collect_mentions(&found, format!("{before}\n{new}").as_bytes(), &mut in_both);
        found.retain(|krate| in_both.contains(krate));
    }
    found.retain(|krate| !mentioned.contains(krate));
    mentioned.extend(found);
}

/// Returns bytes as text, which may end in the middle of a character, as the start of a file does; none for other bytes.
fn text_of(bytes: &[u8]) -> Option<&str> {
    match str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => str::from_utf8(bytes.get(..error.valid_up_to())?).ok(),
        Err(_) => None,
    }
}

/// Returns true if a request asks for this crate, and for this version if it names one.
fn fulfils(krate: &GuidedCrateLine<'_>, request: &CrateRequest) -> bool {
    let allows = |text: &String| {
        let requirement = VersionRequirement::parse(text).ok()?;
        Some(requirement.allows(&Version::parse(krate.version).ok()?))
    };
    let named = request.requirement.as_ref().filter(|_| request.source == RequestSource::Registry);
    is_same_name(krate.name, &request.package) && named.and_then(allows).unwrap_or(true)
}

/// Returns the key that records a refusal because of a crate.
fn gate_key(name: &str) -> String {
    format!("{GATE_KEY}{}", name.replace('_', "-"))
}

fn is_same_name(one: &str, other: &str) -> bool {
    let plain = |byte: u8| if byte == b'_' { b'-' } else { byte };
    one.bytes().map(plain).eq(other.bytes().map(plain))
}

#[cfg(test)]
#[path = "at_file_tests.rs"]
mod tests;
