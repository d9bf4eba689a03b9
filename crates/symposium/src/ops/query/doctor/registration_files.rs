//! Whether the files that register us are there, say what they must, and are ones the agent can read.

use std::path::Path;

use serde_json::Value;
use symposium_agents::spec::{DoubleRegistration, HookLayout};
use symposium_agents::{AgentEvent, AgentSpec, Scope, is_called};
use symposium_edit::{insert, value};
use symposium_io::fs;
use symposium_io::settings::MAX_SETTINGS;
use symposium_model::edit::{EditFormat, FileContent, SettingsEntry};
use symposium_model::hook::Event;
use symposium_model::ownership::{HookCall, Marker, OwnedPart};
use symposium_model::sync::diff::{removed_rules, rule_text};
use symposium_model::sync::{DesiredFile, Ledger};

use super::{AgentReport, FindingWeight};
use crate::ops::agent_paths::AgentRoots;
use crate::ops::reconcile::compare::EDITOR;
use crate::ops::rtk;
use crate::ops::settings_lints::{SettingsLint, flaws, is_at};

/// Whether the file is there, says what it must, and is one the agent can read.
pub(super) fn examine_file(facts: &AgentSpec, file: &DesiredFile, ledger: &Ledger, examination: &mut AgentReport) {
    let shown = file.path.display();
    let text = match fs::read_text_if_there(&file.path, MAX_SETTINGS) {
        Ok(Some(text)) => text,
        Ok(None) => {
            let message = format!("Not registered: {shown} does not exist");
            examination.add(FindingWeight::Error, message, "run `symposium sync` to create it");
            return;
        }
        Err(error) => {
            let message = format!("{shown} cannot be read: {}", error.kind);
            examination.add(FindingWeight::Error, message, "make it a readable text file, then run `symposium sync`");
            return;
        }
    };
    match &file.content {
        FileContent::Entries { format, entries } => {
            if *format == EditFormat::Json {
                for SettingsLint { message, fix } in flaws(facts, &file.path, &text) {
                    examination.add(FindingWeight::Error, message, fix);
                }
            }
            let known = ledger.record(&file.path).map(|record| &record.written);
            let removed = removed_rules(entries, known, |entry| EDITOR.finds(&text, *format, entry));
            if !removed.is_empty() {
                let rules: Vec<String> = removed.iter().map(|rule| format!("`{}`", rule_text(rule))).collect();
                let message = format!("You removed rules of Symposium from {shown}: {}", rules.join(", "));
                examination.add(FindingWeight::Warning, message, "run `symposium init --allow` to add them again");
            }
            let entries: Vec<SettingsEntry> =
                entries.iter().filter(|entry| !removed.contains(entry)).cloned().collect();
            match insert(&text, *format, &entries) {
                Ok(edited) if edited.changed => {
                    let message = format!("The registration in {shown} is missing or outdated");
                    examination.add(FindingWeight::Error, message, "run `symposium sync` to update it");
                }
                Ok(_) => {}
                Err(error) => {
                    let message = format!("{shown} is invalid: {error}");
                    examination.add(FindingWeight::Error, message, "fix the file, then run `symposium sync`");
                }
            }
        }
        FileContent::Whole(wanted) if *wanted != text => {
            let message = format!("{shown} differs from the file that Symposium writes");
            examination.add(
                FindingWeight::Warning,
                message,
                "if you did not edit it, remove it and run `symposium sync`",
            );
        }
        FileContent::Whole(_) => {}
    }
    examine_commands(facts, &file.path, &text, examination);
}

/// Whether a file of the project keeps the agent from reading the person's, and does not call us itself: a clone may
/// bring one along.
pub(super) fn examine_hiding(roots: AgentRoots<'_>, facts: &AgentSpec, examination: &mut AgentReport) {
    if facts.both_scopes != DoubleRegistration::ProjectHidesGlobal {
        return;
    }
    let files = facts.hooks.iter().filter(|file| !matches!(file.layout, HookLayout::Written(_)));
    for (file, path) in files.filter_map(|file| Some((file, roots.resolve(file.project)?))) {
        let Ok(Some(text)) = fs::read_text_if_there(&path, MAX_SETTINGS) else { continue };
        let settings = value(&text, EditFormat::Json).ok().flatten().unwrap_or_default();
        let (event, mark) = (AgentEvent::Canonical(Event::PreToolUse), Marker::HookOf(facts.id));
        if !is_called(facts.id, file, Scope::Project, event, &settings, &mark) {
            let shown = path.display();
            let message = format!(
                "{} reads {shown} instead of your user registration, and that file does not call Symposium: your \
                 hooks do not run in this project",
                facts.title
            );
            examination.add(FindingWeight::Error, message, "check where the file comes from, and remove it");
        }
    }
}

/// The commands in a file: ours with a program that is gone, ours twice, and rtk's own.
fn examine_commands(facts: &AgentSpec, path: &Path, text: &str, examination: &mut AgentReport) {
    let shown = path.display();
    let mut missing: Vec<String> = Vec::new();
    // A file that is no JSON, such as a bridge, is compared as a whole.
    if let Ok(Some(settings)) = value(text, EditFormat::Json) {
        let keys = facts.hooks.iter().find(|file| is_at(file, path)).map_or(&["hooks"][..], |file| file.under);
        let events = keys.iter().try_fold(&settings, |value, key| value.get(key)).and_then(Value::as_object);
        for (event, handlers) in events.into_iter().flatten() {
            let mark = Marker::HookOf(facts.id);
            let entries = handlers.as_array().into_iter().flatten();
            let ours: Vec<&Value> = entries.filter(|entry| mark.share(entry) != OwnedPart::Nothing).collect();
            let calls: usize = ours.iter().map(|entry| own_handlers(&mark, entry)).sum();
            if calls > 1 {
                let message = format!("{event} is registered {calls} times in {shown}");
                examination.add(FindingWeight::Error, message, "run `symposium sync` to remove duplicates");
            }
            for entry in ours {
                collect_missing(entry, &mut missing);
            }
        }
    }
    missing.sort();
    missing.dedup();
    for program in missing {
        let message = format!("{shown} calls `{program}`, which does not exist");
        examination.add(FindingWeight::Error, message, "run `symposium sync` with the installed program");
    }
    if rtk::is_called_in(text) {
        let message = format!("rtk has its own hook in {shown}");
        examination.add(
            FindingWeight::Warning,
            message,
            "keep one of the two: Symposium's rtk workflow does not run if rtk has its own hook",
        );
    }
}

/// Counts the handlers of Symposium in an entry, which is a handler or a group of them.
fn own_handlers(mark: &Marker, entry: &Value) -> usize {
    let group = entry.get("hooks").and_then(Value::as_array);
    group.map_or(1, |handlers| handlers.iter().filter(|handler| mark.is_own_handler(handler)).count())
}

/// Programs of our calls that are given by path and are not there.
fn collect_missing(entry: &Value, missing: &mut Vec<String>) {
    match entry {
        Value::String(command) => {
            if let Some(call) = HookCall::parse(command)
                && call.program.starts_with('/')
                && !fs::exists(Path::new(&call.program))
            {
                missing.push(call.program);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_missing(item, missing)),
        Value::Object(fields) => fields.values().for_each(|field| collect_missing(field, missing)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
