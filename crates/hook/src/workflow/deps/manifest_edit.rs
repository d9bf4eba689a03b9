//! The content that a `Cargo.toml` will have after a tool changed it.

use serde_json::{Map, Value};
use symposium_model::hook::ToolUse;

/// A manifest that a tool call is about to change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ManifestEdit<'t> {
    /// As the tool call names it.
    pub(crate) path: &'t str,
    change: TextChange<'t>,
}

#[derive(Debug, PartialEq, Eq)]
enum TextChange<'t> {
    Written(&'t str),
    Replaced(Vec<TextReplacement<'t>>),
    /// A file that a patch adds.
    Added(String),
    Patched(Vec<PatchHunk>),
}

#[derive(Debug, PartialEq, Eq)]
struct TextReplacement<'t> {
    old: &'t str,
    new: &'t str,
    /// True if every occurrence is replaced.
    all: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct PatchHunk {
    old: Vec<String>,
    new: Vec<String>,
}

/// Finds the manifests that a tool call changes.
pub(crate) fn find_edits(tool: &ToolUse) -> Vec<ManifestEdit<'_>> {
    let text = |key: &str| tool.input.get(key).and_then(Value::as_str);
    if tool.name == "Patch" {
        return text("patch").map(patched_manifests).unwrap_or_default();
    }
    let Some(path) = text("file_path").filter(|path| is_manifest(path)) else { return Vec::new() };
    let change = match tool.name.as_str() {
        "Write" => text("content").map(TextChange::Written),
        "Edit" => replacements(&tool.input).map(TextChange::Replaced),
        _ => None,
    };
    change.map(|change| ManifestEdit { path, change }).into_iter().collect()
}

fn is_manifest(path: &str) -> bool {
    path.rsplit(['/', '\\']).next() == Some("Cargo.toml")
}

/// Reads one replacement, or the list of a tool that makes several.
fn replacements(input: &Map<String, Value>) -> Option<Vec<TextReplacement<'_>>> {
    match input.get("edits").and_then(Value::as_array) {
        Some(edits) => edits.iter().map(|edit| replacement(edit.as_object()?)).collect(),
        None => Some(vec![replacement(input)?]),
    }
}

fn replacement(fields: &Map<String, Value>) -> Option<TextReplacement<'_>> {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    let all = fields.get("replace_all").and_then(Value::as_bool).unwrap_or_default();
    Some(TextReplacement { old: text("old_string")?, new: text("new_string")?, all })
}

/// Reads the manifests of a patch in Codex's format.
fn patched_manifests(patch: &str) -> Vec<ManifestEdit<'_>> {
    let mut edits: Vec<ManifestEdit<'_>> = Vec::new();
    let mut is_open = false;
    for line in patch.lines() {
        let opened = line
            .strip_prefix("*** Add File: ")
            .map(|path| (path, TextChange::Added(String::new())))
            .or_else(|| Some((line.strip_prefix("*** Update File: ")?, TextChange::Patched(Vec::new()))));
        if let Some((path, change)) = opened {
            is_open = is_manifest(path.trim());
            if is_open {
                edits.push(ManifestEdit { path: path.trim(), change });
            }
            continue;
        }
        is_open &= !line.starts_with("*** ") || line.starts_with("*** End of File");
        let Some(edit) = edits.last_mut().filter(|_| is_open) else { continue };
        match &mut edit.change {
            TextChange::Added(content) => {
                content.push_str(line.strip_prefix('+').unwrap_or(line));
                content.push('\n');
            }
            TextChange::Patched(hunks) => add_line(hunks, line),
            TextChange::Written(_) | TextChange::Replaced(_) => {}
        }
    }
    edits
}

fn add_line(hunks: &mut Vec<PatchHunk>, line: &str) {
    if line.starts_with("@@") || hunks.is_empty() {
        hunks.push(PatchHunk::default());
    }
    let Some(hunk) = hunks.last_mut().filter(|_| !line.starts_with("@@") && !line.starts_with("*** ")) else { return };
    match (line.strip_prefix('-'), line.strip_prefix('+')) {
        (Some(old), _) => hunk.old.push(old.to_owned()),
        (None, Some(new)) => hunk.new.push(new.to_owned()),
        (None, None) => {
            let same = line.strip_prefix(' ').unwrap_or(line);
            hunk.old.push(same.to_owned());
            hunk.new.push(same.to_owned());
        }
    }
}

impl ManifestEdit<'_> {
    /// Returns the new content; `None` if the change does not fit the old one, which is for the tool to complain about.
    pub(crate) fn apply(&self, old: Option<&str>) -> Option<String> {
        match &self.change {
            TextChange::Written(text) => Some((*text).to_owned()),
            TextChange::Added(text) => Some(text.clone()),
            TextChange::Replaced(replacements) => {
                let mut text = old.unwrap_or_default().to_owned();
                for replacement in replacements {
                    text = replacement.apply(&text)?;
                }
                Some(text)
            }
            TextChange::Patched(hunks) => {
                let mut lines: Vec<String> = old?.lines().map(str::to_owned).collect();
                let mut from = 0;
                for hunk in hunks.iter().filter(|hunk| !hunk.old.is_empty() || !hunk.new.is_empty()) {
                    let length = hunk.old.len();
                    let at = (from..=lines.len().checked_sub(length)?)
                        .find(|at| lines.get(*at..at + length).is_some_and(|found| found == hunk.old))?;
                    lines.splice(at..at + length, hunk.new.iter().cloned());
                    from = at + hunk.new.len();
                }
                Some(lines.join("\n") + "\n")
            }
        }
    }
}

impl TextReplacement<'_> {
    fn apply(&self, text: &str) -> Option<String> {
        match (text.matches(self.old).count(), self.all) {
            _ if self.old.is_empty() => text.is_empty().then(|| self.new.to_owned()),
            (1, _) | (2.., true) => Some(text.replace(self.old, self.new)),
            (_, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const OLD: &str = "[package]\nname = \"a\"\n\n[dependencies]\nserde = \"1\"\n";

    fn edited(name: &str, input: Value) -> String {
        let Value::Object(input) = input else { panic!("an object") };
        let tool = ToolUse { name: name.to_owned(), input, native: None };
        let edits = find_edits(&tool);
        let texts = edits.iter().map(|edit| {
            let text = edit.apply(Some(OLD)).unwrap_or_else(|| "does not fit".to_owned());
            format!("{}: {}", edit.path, text.replace('\n', "|"))
        });
        texts.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn changes_of_manifests() {
        let after = "Cargo.toml: [package]|name = \"a\"||[dependencies]|serde = \"2\"|";
        let edit = |old: &str, new: &str| json!({"file_path": "Cargo.toml", "old_string": old, "new_string": new});
        for (tool, input, expected) in [
            ("Write", json!({"file_path": "Cargo.toml", "content": "x\n"}), "Cargo.toml: x|"),
            ("Write", json!({"file_path": "/w/sub/Cargo.toml", "content": ""}), "/w/sub/Cargo.toml: "),
            ("Write", json!({"file_path": "NotCargo.toml", "content": "x"}), ""),
            ("Write", json!({"file_path": "Cargo.toml"}), ""),
            ("Read", json!({"file_path": "Cargo.toml"}), ""),
            ("Edit", edit("serde = \"1\"", "serde = \"2\""), after),
            ("Edit", edit("e", "x"), "Cargo.toml: does not fit"),
            ("Edit", edit("missing", "x"), "Cargo.toml: does not fit"),
            ("Edit", edit("", "x"), "Cargo.toml: does not fit"),
            ("Edit", json!({"file_path": "Cargo.toml", "command": "append"}), ""),
            (
                "Edit",
                json!({"file_path": "Cargo.toml", "edits": [
                    {"old_string": "\"1\"", "new_string": "\"3\""}, {"old_string": "\"3\"", "new_string": "\"2\""}
                ]}),
                after,
            ),
            ("Edit", json!({"file_path": "Cargo.toml", "edits": [{"old_string": "a"}]}), ""),
            (
                "Edit",
                json!({"file_path": "Cargo.toml", "old_string": "\"", "new_string": "'", "replace_all": true}),
                "Cargo.toml: [package]|name = 'a'||[dependencies]|serde = '1'|",
            ),
            (
                "Patch",
                json!({"patch": "*** Begin Patch\n*** Update File: Cargo.toml\n@@\n [dependencies]\n-serde = \"1\"\n+serde = \"2\"\n*** End Patch\n"}),
                after,
            ),
            (
                "Patch",
                json!({"patch": "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+y\n*** Update File: Cargo.toml\n@@\n-name = \"a\"\n+name = \"b\"\n@@ [dependencies]\n-serde = \"1\"\n+serde = \"2\"\n*** Delete File: c\n"}),
                "Cargo.toml: [package]|name = \"b\"||[dependencies]|serde = \"2\"|",
            ),
            ("Patch", json!({"patch": "*** Update File: Cargo.toml\n@@\n-gone\n+x\n"}), "Cargo.toml: does not fit"),
            (
                "Patch",
                json!({"patch": "*** Add File: b/Cargo.toml\n+[package]\n+name = \"b\"\n"}),
                "b/Cargo.toml: [package]|name = \"b\"|",
            ),
            ("Patch", json!({"patch": "*** Delete File: Cargo.toml\n"}), ""),
        ] {
            assert_eq!(edited(tool, input.clone()), expected, "{tool} {input}");
        }
    }
}
