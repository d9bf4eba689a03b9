//! Actions as text and as JSON: the same for every command that changes something.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::sync::text_changes;

use super::change_summary::{self, ChangeTense};
use super::session::CliSession;
use crate::ops::lockfile::{LockDiff, MovedSkill};
use crate::ops::lockfile_state::is_of_lock;
use crate::ops::reconcile::{ChangeSet, ChangeStep, PlannedChange, UserEdits};
use crate::ops::sync_messages::{difference, notice, written_text};
use crate::ui::printer::OutputFormat;
use crate::ui::text::{StyledText, pad};

/// The maximum number of changed lines of one skill in the text output.
const MAX_LINES: usize = 40;

/// The same for the JSON document.
const MAX_LINES_IN_JSON: usize = 1_000;

#[derive(Serialize)]
struct Document {
    version: u32,
    actions: Vec<Row>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lock: Vec<String>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    kind: &'static str,
    path: String,
    agent: Vec<&'static str>,
    extension: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    difference: Vec<String>,
}

pub(super) struct ChangeReport<'r> {
    pub(super) comparison: &'r ChangeSet,
    /// The changes of the lockfile; `None` for a run without them.
    pub(super) lock: Option<&'r LockDiff>,
    pub(super) warnings: &'r [String],
    pub(super) tense: ChangeTense,
    /// The sentence for when there is nothing to do.
    pub(super) nothing: &'r str,
    pub(super) detail: ReportDetail,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReportDetail {
    Each,
    /// Each, with the text that goes into the files.
    WithText,
    /// One line for each agent.
    ByAgent,
    /// Only how many there were: each was shown before it was agreed to.
    Counted,
}

/// Shows what was or would be done, and what was skipped.
pub(super) fn show(session: &mut CliSession, report: &ChangeReport<'_>) {
    let ChangeReport { comparison, lock, tense, nothing, detail, .. } = *report;
    let CliSession { context, printer, .. } = &*session;
    let no_lock = LockDiff::default();
    let lock = lock.unwrap_or(&no_lock);
    let mut warnings = report.warnings.to_vec();
    warnings.extend(comparison.notices.iter().filter_map(notice));
    let is_lock = |action: &PlannedChange| {
        matches!(action.step, ChangeStep::Configure { .. }) && is_of_lock(context.root(), &action.path)
    };
    match printer.answer {
        OutputFormat::Json => {
            // Programs do not read what is said beside the document.
            warnings.extend(comparison.unusable().map(ToString::to_string));
            let actions = comparison.actions.iter().map(|action| Row {
                kind: action.kind(),
                path: action.path.display().to_string(),
                agent: action.agents.iter().map(|agent| agent.name()).collect(),
                extension: action.extension.clone(),
                difference: if is_lock(action) {
                    moved_elsewhere(comparison, lock).flat_map(|skill| lines_of(skill, MAX_LINES_IN_JSON)).collect()
                } else {
                    difference(action, MAX_LINES_IN_JSON)
                },
            });
            let lock = lock.changes.iter().map(ToString::to_string).collect();
            printer.json(&Document { version: 1, actions: actions.collect(), lock, warnings });
        }
        OutputFormat::Human if detail == ReportDetail::Counted => {
            printer.text(&StyledText::default().line(counted(&comparison.actions)));
        }
        OutputFormat::Human if detail == ReportDetail::ByAgent && !comparison.actions.is_empty() => {
            printer.text(&change_summary::summary(context.roots(), &by_agent(&comparison.actions), tense));
            for warning in &warnings {
                printer.warning(warning);
            }
        }
        OutputFormat::Human => {
            let mut text = StyledText::default();
            let mut shown_differences = BTreeSet::new();
            let mut shown_files = BTreeSet::new();
            for action in by_agent(&comparison.actions) {
                let agents: Vec<&str> = action.agents.iter().map(|agent| agent.name()).collect();
                text = text.plain(pad(verb(action, tense), 14)).plain(context.roots().shown(&action.path));
                text =
                    if agents.is_empty() { text.end() } else { text.dim(format!("  for {}", agents.join(", "))).end() };
                if is_lock(action) {
                    text = lock_changes(text, comparison, lock);
                }
                if is_of_lock(context.root(), &action.path) {
                    continue;
                }
                if detail == ReportDetail::WithText {
                    let lines = written_text(action, &mut shown_files);
                    text = lines.iter().fold(text, |text, line| text.dim(format!("    {line}")).end());
                }
                // One skill for several agents differs in the same lines everywhere.
                let lines = difference(action, MAX_LINES);
                if !lines.is_empty() && shown_differences.insert((action.extension.clone(), lines.clone())) {
                    text = lines.iter().fold(text, |text, line| text.dim(format!("    {line}")).end());
                }
            }
            if comparison.actions.is_empty() && comparison.unusable().next().is_none() {
                text = text.line(nothing);
            }
            printer.text(&text);
            for warning in &warnings {
                printer.warning(warning);
            }
        }
    }
    let unusable: Vec<Diagnostic> = comparison.unusable().cloned().collect();
    match printer.answer {
        OutputFormat::Json => session.report(&unusable),
        OutputFormat::Human => session.report(&by_directory(unusable)),
    }
}

/// The actions in the order they are shown: what is no agent's, what is one agent's, what several share.
fn by_agent(actions: &[PlannedChange]) -> Vec<&PlannedChange> {
    let place = |agent: &AgentId| AgentId::ALL.iter().position(|known| known == agent);
    let mut sorted: Vec<&PlannedChange> = actions.iter().collect();
    sorted.sort_by_key(|action| {
        let places: Vec<Option<usize>> = action.agents.iter().map(place).collect();
        (places.len().min(2), places)
    });
    sorted
}

/// Makes one finding of those that say the same about several entries of a directory: it is the directory that cannot be
/// written.
fn by_directory(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut groups: Vec<(Diagnostic, Vec<String>)> = Vec::new();
    for found in findings {
        let path = Path::new(&found.path);
        let names = path.parent().zip(path.file_name()).filter(|_| found.location.is_none());
        let Some((parent, name)) = names else {
            groups.push((found, Vec::new()));
            continue;
        };
        let (parent, name) = (parent.display().to_string(), name.to_string_lossy().into_owned());
        let is_same = |(first, names): &&mut (Diagnostic, Vec<String>)| {
            let known = Path::new(&first.path).parent().map(|known| known.display().to_string());
            !names.is_empty()
                && known.as_ref() == Some(&parent)
                && (&first.message, &first.help, first.severity) == (&found.message, &found.help, found.severity)
        };
        match groups.iter_mut().find(is_same) {
            Some((_, names)) => names.push(name),
            None => groups.push((found, vec![name])),
        }
    }
    let merged = groups.into_iter().map(|(mut found, names)| {
        if let (2.., Some(parent)) = (names.len(), Path::new(&found.path).parent()) {
            found.path = parent.display().to_string();
            found.message = format!("{} ({})", found.message, names.join(", "));
        }
        found
    });
    merged.collect()
}

/// Appends the changes of the lockfile, with the text changes of skills that move to another version.
fn lock_changes(text: StyledText, comparison: &ChangeSet, lock: &LockDiff) -> StyledText {
    let moved: Vec<&MovedSkill> = moved_elsewhere(comparison, lock).collect();
    lock.changes.iter().fold(text, |text, change| {
        let text = text.dim(format!("    {change}")).end();
        let skill = moved.iter().find(|skill| change.is_about_skill(&skill.name));
        let lines = skill.map(|skill| lines_of(skill, MAX_LINES)).unwrap_or_default();
        lines.iter().fold(text, |text, line| text.dim(format!("        {line}")).end())
    })
}

/// The skills that move on and that nothing else is shown about: no agent has them.
fn moved_elsewhere<'o>(comparison: &'o ChangeSet, lock: &'o LockDiff) -> impl Iterator<Item = &'o MovedSkill> {
    lock.moved.iter().filter(|skill| {
        let of_skill = |action: &&PlannedChange| action.extension.as_deref() == Some(skill.name.as_str());
        !comparison.actions.iter().filter(of_skill).any(|action| !difference(action, 1).is_empty())
    })
}

fn lines_of(skill: &MovedSkill, most: usize) -> Vec<String> {
    text_changes(&skill.before, &skill.after, most)
}

/// The actions by what they do: "created 2, edited 3, installed 4".
fn counted(actions: &[PlannedChange]) -> String {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for action in actions {
        let verb = verb(action, ChangeTense::Done);
        match kinds.iter_mut().find(|(known, _)| *known == verb) {
            Some((_, count)) => *count += 1,
            None => kinds.push((verb, 1)),
        }
    }
    let parts: Vec<String> = kinds.iter().map(|(verb, count)| format!("{verb} {count}")).collect();
    format!("Done: {}.", parts.join(", "))
}

fn verb(action: &PlannedChange, tense: ChangeTense) -> &'static str {
    match (&action.step, tense) {
        // A directory without an extension is a source.
        (ChangeStep::Install { .. }, ChangeTense::Done) if action.extension.is_none() => "vendored",
        (ChangeStep::Install { .. }, ChangeTense::Would) if action.extension.is_none() => "would vendor",
        (_, ChangeTense::Done) if action.creates_file() => "created",
        (_, ChangeTense::Would) if action.creates_file() => "would create",
        (ChangeStep::Edit { .. } | ChangeStep::Configure { .. }, ChangeTense::Done) => "edited",
        (ChangeStep::Edit { .. } | ChangeStep::Configure { .. }, ChangeTense::Would) => "would edit",
        (
            ChangeStep::Restore { .. }
            | ChangeStep::GiveBack { .. }
            | ChangeStep::Install { edits: UserEdits::Discarded, .. },
            ChangeTense::Done,
        ) => "restored",
        (
            ChangeStep::Restore { .. }
            | ChangeStep::GiveBack { .. }
            | ChangeStep::Install { edits: UserEdits::Discarded, .. },
            ChangeTense::Would,
        ) => "would restore",
        (ChangeStep::Write { .. }, ChangeTense::Done) => "wrote",
        (ChangeStep::Write { .. }, ChangeTense::Would) => "would write",
        (ChangeStep::Install { edits: UserEdits::None, .. }, ChangeTense::Done) => "installed",
        (ChangeStep::Install { edits: UserEdits::None, .. }, ChangeTense::Would) => "would install",
        (ChangeStep::Delete { .. } | ChangeStep::Uninstall { .. }, ChangeTense::Done) => "removed",
        (ChangeStep::Delete { .. } | ChangeStep::Uninstall { .. }, ChangeTense::Would) => "would remove",
    }
}
