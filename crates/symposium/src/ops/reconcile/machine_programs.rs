//! Programs of this machine that stand in a project's files, where they are of no use to others.

use std::path::Path;

use serde_json::Value;
use symposium_io::fs;
use symposium_model::edit::FileContent;
use symposium_model::sync::desired::PluginServer;
use symposium_model::sync::{ChangeSet, ChangeStep, DesiredFile, DesiredState, Ledger, WrittenContent};
use symposium_model::transport::ServerTransport;

use crate::ops::sync_messages;

/// Returns the programs and files outside of a workspace that servers are started with.
pub(crate) fn programs(servers: &[PluginServer], root: &Path) -> Vec<String> {
    let root = fs::canonical(root).unwrap_or_else(|_| root.to_owned());
    let mut programs = Vec::new();
    for server in servers {
        let ServerTransport::Stdio { command, args, .. } = &server.server.transport else { continue };
        let files = args.iter().filter(|arg| fs::is_file(Path::new(arg)));
        let words = std::iter::once(command).chain(files);
        programs.extend(words.filter(|word| is_outside(word, &root)).cloned());
    }
    programs
}

fn is_outside(word: &str, root: &Path) -> bool {
    let path = Path::new(word);
    path.is_absolute() && !path.starts_with(root)
}

/// Returns a sentence for each program of this machine that stands, or is about to stand, in a file that git could
/// commit.
pub(crate) fn sentences(root: &Path, desired: &DesiredState, comparison: &ChangeSet, ledger: &Ledger) -> Vec<String> {
    let mut sentences = Vec::new();
    if desired.machine_programs.is_empty() || !root.ancestors().any(|directory| fs::exists(&directory.join(".git"))) {
        return sentences;
    }
    for file in desired.files.iter().filter(|file| file.workspace.is_some()) {
        let name = file.path.strip_prefix(root).unwrap_or(&file.path).display().to_string();
        let named = desired.machine_programs.iter().filter(|program| is_written(file, program, comparison, ledger));
        for program in named {
            let sentence = sync_messages::warn_of_machine_path(&name, program);
            if !sentences.contains(&sentence) {
                sentences.push(sentence);
            }
        }
    }
    sentences
}

/// Whether an entry of ours names a program. What stands there of others under the same name is not ours.
fn is_written(file: &DesiredFile, program: &str, comparison: &ChangeSet, ledger: &Ledger) -> bool {
    let intended =
        comparison.actions.iter().filter(|action| action.path == file.path).find_map(|action| {
            if let ChangeStep::Edit { intended, .. } = &action.step { Some(intended) } else { None }
        });
    let written = intended.or_else(|| ledger.record(&file.path).map(|record| &record.written));
    match (&file.content, written) {
        (FileContent::Entries { entries, .. }, Some(WrittenContent::Entries { entries: ours, .. })) => entries
            .iter()
            .filter(|entry| ours.iter().any(|own| own.path == entry.path))
            .any(|entry| names(&entry.value, program)),
        (FileContent::Whole(text), _) => text.contains(program),
        (
            FileContent::Entries { .. },
            Some(WrittenContent::File { .. } | WrittenContent::Skill { .. } | WrittenContent::Amended { .. }) | None,
        ) => false,
    }
}

fn names(value: &Value, program: &str) -> bool {
    match value {
        Value::String(text) => text == program,
        Value::Array(values) => values.iter().any(|value| names(value, program)),
        Value::Object(fields) => fields.values().any(|value| names(value, program)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
