//! The texts of the recommendations: `start.md` and every `SKILL.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// One text that may contain Rust.
pub(super) struct Document {
    /// Relative to the recommendations, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

/// Reads all of them, sorted by path.
pub(super) fn all(root: &Path) -> Result<Vec<Document>, String> {
    let mut found = Vec::new();
    walk(root, "", &mut found)?;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn walk(directory: &Path, prefix: &str, found: &mut Vec<Document>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("`{}`: {error}", directory.display());
    for entry in fs::read_dir(directory).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.file_type().map_err(failed)?.is_dir() {
            walk(&entry.path(), &format!("{path}/"), found)?;
        } else if name == "SKILL.md" || path == "start.md" {
            let text = super::text(&entry.path())?;
            found.push(Document { path, text });
        }
    }
    Ok(())
}

impl Document {
    /// The frontmatter as written, in order. Ours is always `key: value` on one line.
    fn frontmatter(&self) -> Vec<(&str, &str)> {
        let mut lines = self.text.lines();
        if lines.next() != Some("---") {
            return Vec::new();
        }
        let top_level = |line: &&str| !line.starts_with(' ');
        lines.take_while(|line| *line != "---").filter(top_level).filter_map(|line| line.split_once(": ")).collect()
    }

    /// Returns the text of the block `digest: |`.
    fn digest(&self) -> Option<String> {
        let mut lines = self.text.lines().skip_while(|line| *line != "digest: |");
        lines.next()?;
        let block: Vec<&str> = lines.map_while(|line| line.strip_prefix("  ")).collect();
        Some(block.join("\n"))
    }
}

/// Where a skill departs from the form that `recommendations/README.md` asks for.
pub(super) fn frontmatter_problems(documents: &[Document]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut names = BTreeMap::new();
    for document in documents.iter().filter(|document| document.path != "start.md") {
        let mut problem = |what: &str| problems.push(format!("{}: {what}", document.path));
        let frontmatter = document.frontmatter();
        let keys: Vec<&str> = frontmatter.iter().map(|(key, _)| *key).collect();
        let (
            [(_, name), (_, description), .., (_, activation)],
            ["name", "description", "digest", "crates" | "predicates", "activation"],
        ) = (frontmatter.as_slice(), keys.as_slice())
        else {
            problem("the keys are not `name`, `description`, `digest`, `crates` or `predicates`, `activation`");
            continue;
        };
        if let Some(other) = names.insert(*name, &document.path) {
            problem(&format!("has the name of `{other}`"));
        }
        if !document.path.ends_with(&format!("{name}/SKILL.md")) {
            problem("its directory is not called like the skill");
        }
        if !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') {
            problem("its name is not lower-case words with hyphens");
        }
        if !description.starts_with("Use when ") || description.len() > 100 {
            problem("its description does not say `Use when …` in at most 100 characters");
        }
        if description.contains(": ") || description.contains(" #") || description.contains("---") {
            problem("its description would need quoting");
        }
        if document.digest().is_none_or(|digest| digest.is_empty() || digest.len() > 600) {
            problem("it has no digest of at most 600 bytes");
        }
        if !matches!(*activation, "always" | "optional") {
            problem("its activation is neither `always` nor `optional`");
        }
        if document.text.lines().count() > 135 {
            problem("is longer than 135 lines");
        }
        if let Some(line) = hidden_line(&document.text) {
            problem(&format!("line {} is a hidden line: agents see it, so write it plainly", line + 1));
        }
        if let Some(line) = document.text.lines().position(|line| {
            line.chars().count() > 120
                && !["|", "description: ", "crates: "].iter().any(|start| line.starts_with(start))
        }) {
            problem(&format!("line {} is longer than 120 characters", line + 1));
        }
    }
    problems
}

/// Finds a line of a Rust block that rustdoc would not show.
fn hidden_line(text: &str) -> Option<usize> {
    let mut is_rust = false;
    text.lines().position(|line| {
        if line.starts_with("```") {
            is_rust = line.starts_with("```rust");
        }
        is_rust && (line.starts_with("# ") || line == "#")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_lines_are_found_in_blocks_only() {
        assert_eq!(hidden_line("# Title\n```rust\n#[test]\nfn a() {}\n```\n# More\n```sh\n# x\n```\n"), None);
        assert_eq!(hidden_line("```rust\n# use a;\n```\n"), Some(1));
    }
}
