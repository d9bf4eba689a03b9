//! Guidance at an error: the digest of the dependency that an error of the compiler is about, and the public items whose
//! names are nearest to the one that does not exist.

use symposium_agents::wire::shell_output;
use symposium_agents::{ContextEffect, dialect};
use symposium_model::hook::guidance_plan::{
    DIGESTS_FILE, GUIDANCE_FILE, GuidedCrateLine, all_crates, find_crates, find_digest,
};
use symposium_model::hook::{EventDetail, HookInput, ToolResult};

use super::at_file::FileGuide;
use super::file_call::MAX_SOURCE;
use super::rustc_errors::{ERROR_MARK, ErrorCrate, RustcError, parse_errors};
use crate::byte_search::contains_any;
use crate::edge::disk;
use crate::plan_loader::ItemQuery;
use crate::workflow::autofmt::is_rust;

/// The most that is told at one event, in bytes.
const MAX_TEXT: usize = 1500;
/// The most items that are named for one name.
const MAX_ITEMS: usize = 5;
/// A longer path of an item is left out.
const MAX_ITEM: usize = 120;

/// The text that reaches the model, and the keys under which it is recorded as told.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ErrorAdvice {
    pub(crate) text: String,
    pub(crate) told: Vec<String>,
}

pub(crate) struct ErrorGuide<'g> {
    pub(crate) files: FileGuide<'g>,
    /// Finds the public items of a crate with the nearest names.
    pub(crate) nearest: &'g dyn Fn(&ItemQuery) -> Vec<String>,
}

/// Returns false for events without an error of the compiler, without parsing them.
pub(crate) fn has_error(event: &[u8]) -> bool {
    contains_any(event, &[ERROR_MARK])
}

/// A name that an error is about, in a dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
struct WrongName<'t> {
    krate: GuidedCrateLine<'t>,
    name: String,
}

impl WrongName<'_> {
    fn key(&self) -> String {
        format!("error.{}.{}", self.krate.name, self.name)
    }
}

impl ErrorGuide<'_> {
    /// Returns the output of a command that the compiler may have written.
    pub(crate) fn output(input: &HookInput) -> Option<&str> {
        let EventDetail::PostToolUse(tool, result) = &input.detail else { return None };
        let output = result.output.as_deref().filter(|_| tool.name == "Bash")?;
        has_error(output.as_bytes()).then_some(output)
    }

    /// Returns the guidance for the errors in the output of a command.
    pub(crate) fn advise(&self, input: &HookInput) -> Option<ErrorAdvice> {
        let EventDetail::PostToolUse(_, result) = &input.detail else { return None };
        let output = Self::output(input).filter(|_| self.can_tell(result))?;
        // Some agents put words of their own before the first line.
        let shell = shell_output(self.files.agent.map(dialect), input);
        let output = shell.as_ref().map_or(output, |shell| &shell.text);
        let plan = self.files.read_plan(GUIDANCE_FILE)?;
        let mut wrong: Vec<WrongName<'_>> = Vec::new();
        for error in parse_errors(output) {
            let Some(krate) = self.find_crate(&plan, &error) else { continue };
            for name in error.names() {
                let found = WrongName { krate, name };
                let is_told = self.files.session.told.contains(&found.key());
                if !is_told && !wrong.contains(&found) {
                    wrong.push(found);
                }
            }
        }
        self.tell(&wrong)
    }

    fn can_tell(&self, result: &ToolResult) -> bool {
        self.files.agent.map(dialect).is_none_or(|dialect| {
            let event = if result.failed { dialect.can.after_failure() } else { dialect.can.post_tool_use.as_ref() };
            event.is_some_and(|event| event.context == ContextEffect::Reaches)
        })
    }

    /// Finds the dependency among those of the package that has the error. Cargo names files from the workspace root.
    fn find_crate<'t>(&self, plan: &'t str, error: &RustcError) -> Option<GuidedCrateLine<'t>> {
        let file = error.place.as_deref().map(|place| self.files.workspace.join(place)).filter(|file| is_rust(file));
        let own = file.as_deref().and_then(|file| Some(find_crates(plan, file.to_str()?)));
        let crates = own.filter(|own| !own.is_empty()).unwrap_or_else(|| all_crates(plan));
        let known: Vec<ErrorCrate<'_>> = crates
            .iter()
            .map(|krate| ErrorCrate { code_name: krate.code_name, name: krate.name, version: krate.version })
            .collect();
        let found = error.find_crate(&known).or_else(|| {
            let source = disk::read_start(file.as_deref()?, MAX_SOURCE)?;
            error.find_importing_crate(&source, &known)
        });
        crates.get(found?).copied()
    }

    /// Joins what fits: a digest for each crate, and the nearest items for each name.
    fn tell(&self, wrong: &[WrongName<'_>]) -> Option<ErrorAdvice> {
        let digests = if wrong.is_empty() { return None } else { self.files.read_plan(DIGESTS_FILE)? };
        let mut advice = ErrorAdvice { text: String::new(), told: Vec::new() };
        let mut crates: Vec<&GuidedCrateLine<'_>> = Vec::new();
        for WrongName { krate, .. } in wrong {
            if crates.contains(&krate) {
                continue;
            }
            crates.push(krate);
            let Some((skill, digest)) = krate.skills().find_map(|skill| Some((skill, find_digest(&digests, skill)?)))
            else {
                continue;
            };
            let names: Vec<&WrongName<'_>> = wrong.iter().filter(|other| other.krate == *krate).collect();
            let items: String = names.iter().filter_map(|name| self.nearest_line(name)).collect();
            let paragraph = format!("{}{items}", self.files.paragraph(krate, skill, &digest));
            if advice.text.len() + paragraph.len() <= MAX_TEXT {
                advice.text.push_str(&paragraph);
                advice.told.extend(names.into_iter().map(WrongName::key));
            }
        }
        advice.text.truncate(advice.text.trim_end().len());
        (!advice.told.is_empty()).then_some(advice)
    }

    fn nearest_line(&self, wrong: &WrongName<'_>) -> Option<String> {
        let WrongName { krate, name } = wrong;
        let query =
            ItemQuery { krate: krate.name.to_owned(), version: krate.version.to_owned(), name: name.to_owned() };
        let items = (self.nearest)(&query);
        let items = items.iter().filter(|item| item.len() <= MAX_ITEM).take(MAX_ITEMS);
        let items: Vec<String> = items.map(|item| format!("`{item}`")).collect();
        (!items.is_empty()).then(|| format!("Public items nearest to `{name}`: {}.\n", items.join(", ")))
    }
}

#[cfg(test)]
#[path = "at_error_tests.rs"]
mod tests;
