//! The texts of the recommendations: `start.md` and every `SKILL.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Names and versions of the crates a text was compiled with.
pub(super) type Versions = Vec<(String, String)>;

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

    /// Crate conditions of this skill that no version it was compiled with satisfies.
    pub(super) fn unverified_atoms(&self, sets: &[Versions]) -> Vec<String> {
        let frontmatter = self.frontmatter();
        let atoms = frontmatter.iter().find(|(key, _)| *key == "crates").map_or("", |(_, value)| value);
        // Read where the old version is locked, and about the new one: such a text cannot compile with both.
        let atoms = if self.path.ends_with("-upgrade/SKILL.md") { "" } else { atoms };
        let atoms = atoms.split(',').map(str::trim).filter(|atom| !atom.is_empty());
        let verified = sets.iter().flatten();
        atoms
            .filter(|atom| !verified.clone().any(|(name, version)| satisfies(atom, name, version)))
            .map(|atom| format!("{}: `{atom}` holds for no version this skill is compiled with", self.path))
            .collect()
    }
}

/// Whether a version that was compiled is one `atom` is about. `=` means "compatible with"; other operators only name the crate.
fn satisfies(atom: &str, name: &str, version: &str) -> bool {
    let at = atom.find(['=', '<', '>', '^', '~', ' ']).unwrap_or(atom.len());
    let (atom_name, condition) = atom.split_at_checked(at).unwrap_or((atom, ""));
    if atom_name.replace('_', "-") != name.replace('_', "-") {
        return false;
    }
    let Some(wanted) = condition.strip_prefix('=').filter(|wanted| !wanted.starts_with('=')) else { return true };
    let mut wanted = wanted.trim().split('.');
    let mut found = version.split('.');
    let major = wanted.next();
    major == found.next() && (major != Some("0") || wanted.next().is_none_or(|minor| Some(minor) == found.next()))
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
        if let Some(line) = document.text.lines().position(|line| {
            line.chars().count() > 120
                && !["|", "description: ", "crates: "].iter().any(|start| line.starts_with(start))
        }) {
            problem(&format!("line {} is longer than 120 characters", line + 1));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_atom_is_about_compatible_versions() {
        for (atom, name, version, expected) in [
            ("serde", "serde", "1.0.229", true),
            ("serde", "serde_json", "1.0.154", false),
            ("serde_json=1.0", "serde-json", "1.0.154", true),
            ("tokio=1.0", "tokio", "1.54.1", true),
            ("tokio=1.0", "tokio", "2.0.0", false),
            ("rand=0.9", "rand", "0.9.5", true),
            ("rand=0.9", "rand", "0.10.3", false),
            ("rand=0.9", "rand", "0.8.8", false),
            ("axum>=0.8", "axum", "0.8.9", true),
            ("serde==1.0.219", "serde", "1.0.229", true),
            ("hyper = 1", "hyper", "1.12.0", true),
        ] {
            assert_eq!(satisfies(atom, name, version), expected, "{atom} and {name} {version}");
        }
    }

    #[test]
    fn a_condition_nobody_compiled_is_named() {
        let text = "---\nname: x\ncrates: rand=0.9, rand=0.10\n---\nbody".to_owned();
        let document = Document { path: "rand/SKILL.md".into(), text };
        let compiled = [vec![("rand".to_owned(), "0.9.5".to_owned())]];
        let problems = document.unverified_atoms(&compiled);
        assert_eq!(problems, ["rand/SKILL.md: `rand=0.10` holds for no version this skill is compiled with"]);
    }
}
