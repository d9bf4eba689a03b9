//! Which dependencies each text is compiled with: `xtask/skills.toml`.

use std::collections::BTreeMap;

use toml::Value;

use super::TABLE;
use super::document::Document;

/// The lines of one `[dependencies]` section.
pub(super) type Dependencies = toml::Table;

/// For each text its sets of dependencies. Each set is compiled on its own.
pub(super) struct Table(BTreeMap<String, Vec<Dependencies>>);

impl Table {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map(Self).map_err(|error| error.to_string())
    }

    pub(super) fn sets(&self, path: &str) -> Option<&[Dependencies]> {
        self.0.get(path).map(Vec::as_slice)
    }

    /// Texts that are missing here, and entries for texts that are not there.
    pub(super) fn problems(&self, documents: &[Document]) -> Vec<String> {
        let missing = documents.iter().filter(|document| !self.0.contains_key(&document.path)).map(|document| {
            format!("`{TABLE}` has no entry `[[\"{}\"]]` that says what to compile it with", document.path)
        });
        let stray = self.0.keys().filter(|path| !documents.iter().any(|document| document.path == **path));
        let stray = stray.map(|path| format!("`{TABLE}` has an entry for `{path}`, which does not exist"));
        missing.chain(stray).collect()
    }
}

/// Writes a set as TOML, always in the same way.
pub(super) fn render(dependencies: &Dependencies) -> String {
    let lines: Vec<String> = dependencies.iter().map(|(name, value)| format!("{name} = {}", inline(value))).collect();
    lines.join("\n") + "\n"
}

fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Boolean(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Datetime(date) => date.to_string(),
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Table(table) => {
            let fields: Vec<String> = table.iter().map(|(key, value)| format!("{key} = {}", inline(value))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_have_several_sets() {
        let table = Table::parse("[[\"a/SKILL.md\"]]\na = \"1\"\n[[\"a/SKILL.md\"]]\na = \"2\"\n").unwrap();
        let sets: Vec<String> = table.sets("a/SKILL.md").unwrap().iter().map(render).collect();
        assert_eq!(sets, ["a = \"1\"\n", "a = \"2\"\n"]);
        assert!(table.sets("b/SKILL.md").is_none());
    }

    #[test]
    fn features_survive() {
        let line = "b = { default-features = false, features = [\"x\", \"y\"], version = \"0.1\" }\n";
        let table = Table::parse(&format!("[[\"a/SKILL.md\"]]\n{line}")).unwrap();
        assert_eq!(render(&table.sets("a/SKILL.md").unwrap()[0]), line);
    }

    #[test]
    fn missing_and_stray_entries_are_named() {
        let table = Table::parse("[[\"gone/SKILL.md\"]]\na = \"1\"\n").unwrap();
        let documents = [Document { path: "new/SKILL.md".into(), text: String::new() }];
        let problems = table.problems(&documents).join("\n");
        assert!(problems.contains("no entry `[[\"new/SKILL.md\"]]`"), "{problems}");
        assert!(problems.contains("`gone/SKILL.md`, which does not exist"), "{problems}");
    }
}
