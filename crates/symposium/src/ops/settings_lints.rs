//! What in a settings file makes its agent pass over the whole of it: comments, and what else goes beyond plain JSON.

use std::path::Path;

use symposium_agents::spec::{HookFile, SettingsReaction, SettingsStrictness};
use symposium_agents::{AgentPath, AgentSpec, Scope, spec};
use symposium_io::fs;
use symposium_io::settings::MAX_SETTINGS;
use symposium_model::edit::{EditFormat, FileContent};
use symposium_model::json_extensions::oddities;
use symposium_model::sync::DesiredFile;

/// Something an agent does not put up with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SettingsLint {
    /// What the agent does, and why.
    pub(crate) message: String,
    pub(crate) fix: &'static str,
}

/// What is wrong with a settings file for one agent.
pub(crate) fn flaws(facts: &AgentSpec, path: &Path, text: &str) -> Vec<SettingsLint> {
    let strict = strictness_at(facts, path);
    let found = oddities(text);
    let at = |line: Option<usize>| line.map(|line| format!(" in line {line}")).unwrap_or_default();
    let cases = [
        (found.comment.is_some(), strict.comment, format!("a comment{}", at(found.comment)), "remove the comment"),
        (
            found.trailing_comma.is_some(),
            strict.trailing_comma,
            format!("a trailing comma{}", at(found.trailing_comma)),
            "remove the comma",
        ),
        (
            found.byte_order_mark,
            strict.byte_order_mark,
            "a byte order mark".to_owned(),
            "save the file as UTF-8 without a byte order mark",
        ),
        (found.empty, strict.empty, "its empty content".to_owned(), "run `symposium sync`"),
    ];
    let flaw = |(present, reaction, what, fix): (bool, SettingsReaction, String, &'static str)| {
        let effect = match reaction {
            SettingsReaction::Accepts | SettingsReaction::Unknown => return None,
            SettingsReaction::IgnoresFile => "silently ignores the whole file",
            SettingsReaction::RejectsFile => "rejects the whole file",
            SettingsReaction::RefusesToStart(_) => "does not start with",
        };
        let message = format!("{} {effect} {} because of {what}", facts.title, path.display());
        present.then_some(SettingsLint { message, fix })
    };
    cases.into_iter().filter_map(flaw).collect()
}

/// A sentence for each flaw of files that are, or will be, written to. That one is empty is no flaw then.
pub(crate) fn warnings(files: &[DesiredFile]) -> Vec<String> {
    let mut warnings = Vec::new();
    for file in files {
        let FileContent::Entries { format: EditFormat::Json, .. } = file.content else { continue };
        let Ok(Some(text)) = fs::read_text_if_there(&file.path, MAX_SETTINGS) else { continue };
        if text.trim().is_empty() {
            continue;
        }
        let found = file.agents.iter().flat_map(|agent| flaws(spec(*agent), &file.path, &text));
        warnings.extend(found.map(|SettingsLint { message, fix }| {
            format!("{message}, so entries of Symposium have no effect there: {fix}")
        }));
    }
    warnings
}

/// How strictly an agent reads a file of its own.
fn strictness_at(facts: &AgentSpec, path: &Path) -> SettingsStrictness {
    let hook_file = facts.hooks.iter().find(|hooks| is_at(hooks, path));
    hook_file.map_or(facts.mcp.strictness, |hooks| hooks.strictness)
}

/// Whether a path is where this file of an agent stands, in either scope.
pub(crate) fn is_at(hooks: &HookFile, path: &Path) -> bool {
    [Scope::Project, Scope::Global].iter().any(|scope| {
        let (AgentPath::Home(at) | AgentPath::Project(at) | AgentPath::GitRoot(at)) = hooks.place(*scope);
        path.ends_with(at)
    })
}
