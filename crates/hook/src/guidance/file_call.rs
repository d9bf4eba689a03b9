//! The files that a tool call names, and the text that it brings into them.

use std::path::{Path, PathBuf};

use serde_json::Value;
use symposium_agents::wire::{PatchChange, touched_files};
use symposium_model::crates::dependency_tables::CrateRequest;
use symposium_model::hook::{HookInput, ToolUse};

use super::manifest_keys::find_named_requests;
use crate::edge::disk;
use crate::workflow::autofmt::is_rust;
use crate::workflow::deps::find_edits;

/// The start of a file is enough: imports are there.
pub(super) const MAX_SOURCE: u64 = 256 * 1024;
pub(super) const MANIFEST: &str = "Cargo.toml";
const MAX_FILES: usize = 10;

pub(super) fn is_manifest(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name == MANIFEST)
}

/// A tool call that names files.
pub(super) struct FileCall<'c> {
    tool: &'c ToolUse,
    /// The directory from which it names them.
    base: &'c Path,
}

impl<'c> FileCall<'c> {
    pub(super) fn new(input: &'c HookInput, tool: &'c ToolUse, workspace: &'c Path) -> Self {
        Self { tool, base: input.cwd.as_deref().map_or(workspace, Path::new) }
    }

    /// Returns its Rust files and manifests; a manifest that is only read is left out.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let is_change = !matches!(self.tool.name.as_str(), "Read" | "Bash");
        let is_guided = |file: &PathBuf| is_rust(file) || (is_change && is_manifest(file));
        named_files(self.tool).map(|file| self.base.join(file)).filter(is_guided).take(MAX_FILES).collect()
    }

    /// Returns true if the new text is only a part of the file.
    pub(super) fn is_partial(&self) -> bool {
        self.tool.name != "Write"
    }

    /// Returns the text that the call brings into a file.
    pub(super) fn new_text(&self, file: &Path) -> Option<String> {
        let text = |key: &str| self.tool.input.get(key).and_then(Value::as_str);
        match self.tool.name.as_str() {
            "Write" => text("content").map(str::to_owned),
            "Edit" => {
                let several = self.tool.input.get("edits").and_then(Value::as_array).into_iter().flatten();
                let several = several.filter_map(|edit| edit.get("new_string")?.as_str());
                let all: Vec<&str> = text("new_string").into_iter().chain(several).collect();
                (!all.is_empty()).then(|| all.join("\n"))
            }
            "Patch" => Some(self.added_lines(text("patch")?, file)),
            _ => None,
        }
    }

    fn added_lines(&self, patch: &str, file: &Path) -> String {
        let touched = touched_files(patch);
        let path = self.choose_path(touched.iter().map(|touched| touched.path.as_str()), file);
        let mut added = String::new();
        for touched in touched.iter().filter(|touched| Some(touched.path.as_str()) == path) {
            match &touched.change {
                PatchChange::Added { content } => added.push_str(content),
                PatchChange::Updated { old, new } => {
                    let known: Vec<&str> = old.lines().collect();
                    for line in new.lines().filter(|line| !known.contains(line)) {
                        added.push_str(line);
                        added.push('\n');
                    }
                }
                PatchChange::Deleted => {}
            }
        }
        added
    }

    /// Chooses the path that means a file: the one that leads to it from the base, else the longest that it ends with.
    fn choose_path<'p>(&self, paths: impl Iterator<Item = &'p str>, file: &Path) -> Option<&'p str> {
        let is_exact = |path: &str| self.base.join(path) == file;
        paths.filter(|path| is_exact(path) || file.ends_with(path)).max_by_key(|path| (is_exact(path), path.len()))
    }

    /// Returns the dependencies that the call brought into a manifest, which it has changed already.
    pub(super) fn made_requests(&self, file: &Path) -> Vec<CrateRequest> {
        let Some(new) = self.new_text(file) else { return Vec::new() };
        let whole = disk::read(file, MAX_SOURCE).and_then(|bytes| String::from_utf8(bytes).ok());
        whole.map(|whole| find_named_requests(&whole, &new)).unwrap_or_default()
    }

    /// Returns the dependencies that the call is about to bring into a manifest.
    pub(super) fn coming_requests(&self, file: &Path) -> Vec<CrateRequest> {
        let edits = if is_manifest(file) { find_edits(self.tool) } else { Vec::new() };
        let path = self.choose_path(edits.iter().map(|edit| edit.path), file);
        let named = edits.iter().find(|edit| Some(edit.path) == path).and_then(|edit| {
            let old = disk::read(file, MAX_SOURCE).and_then(|bytes| String::from_utf8(bytes).ok());
            Some(find_named_requests(&edit.apply(old.as_deref())?, &self.new_text(file)?))
        });
        named.unwrap_or_default()
    }
}

/// Returns the files that a tool call names.
pub(super) fn named_files(tool: &ToolUse) -> impl Iterator<Item = &str> {
    let is_shell = tool.name == "Bash";
    let text = |key: &str| tool.input.get(key).and_then(Value::as_str);
    let (one, command) = if is_shell { (None, text("command")) } else { (text("file_path"), None) };
    let several = tool.input.get("files").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    one.into_iter().chain(several).chain(command.into_iter().flat_map(printed_files))
}

/// Returns the words after a program that prints files: some agents read files with their shell alone. After a change of
/// the directory the words lead elsewhere.
fn printed_files(command: &str) -> impl Iterator<Item = &str> {
    let is_blank = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '(' | ')');
    let parts = command.split([';', '|', '&', '\n']).map(move |part| {
        let mut words = part.split(is_blank).filter(|word| !word.is_empty());
        let program = words.next().and_then(|program| program.rsplit('/').next());
        (program, words)
    });
    parts.take_while(|(program, _)| !matches!(program, Some("cd" | "pushd"))).flat_map(|(program, words)| {
        let prints = matches!(program, Some("cat" | "head" | "tail" | "nl" | "sed" | "bat"));
        words.filter(move |_| prints)
    })
}
