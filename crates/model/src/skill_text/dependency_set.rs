//! The dependencies that the blocks of a skill are compiled with.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use semver::{Op, Version, VersionReq};
use toml::de::{DeTable, DeValue};

use crate::crates::CrateAtom;
use crate::diagnostic::Diagnostic;

/// The lines of a `[dependencies]` table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DependencySet {
    /// The crate that is tested at its lowest and highest version comes first.
    pub lines: Vec<DependencyLine>,
}

/// One dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependencyLine {
    pub name: String,
    /// Its value in TOML, for the highest version.
    value: String,
    /// The requirement in the value; nothing for a path or a git repository.
    version: Option<Range<usize>>,
    /// The requirements whose lowest version counts.
    allowed: Vec<VersionReq>,
}

impl DependencyLine {
    /// A crate on this machine.
    pub fn from_path(name: &str, directory: &str) -> Self {
        let value = format!("{{ path = {directory:?} }}");
        Self { name: name.to_owned(), value, version: None, allowed: Vec::new() }
    }

    /// Joins the conditions on one crate.
    fn from_requirements(name: String, allowed: Vec<VersionReq>) -> Self {
        let highest = allowed.iter().max_by_key(|own| lowest_named(own)).cloned().unwrap_or(VersionReq::STAR);
        let value = format!("\"{highest}\"");
        Self { name, version: Some(0..value.len()), value, allowed }
    }

    /// The line, with the version that it allows or with exactly this one.
    pub fn text(&self, exact: Option<&Version>) -> String {
        let value = match (&self.version, exact) {
            (Some(place), Some(version)) => {
                let (before, after) = (self.value.get(..place.start), self.value.get(place.end..));
                format!("{}\"={version}\"{}", before.unwrap_or_default(), after.unwrap_or_default())
            }
            _ => self.value.clone(),
        };
        format!("{} = {value}\n", self.name)
    }

    /// Chooses the lowest version that is allowed, of those that exist, or else the one that is written.
    pub fn lowest(&self, known: &[Version]) -> Option<Version> {
        let is_allowed = |version: &&Version| self.allowed.iter().any(|allowed| allowed.matches(version));
        if self.allowed.iter().any(|allowed| lowest_named(allowed).is_none()) {
            return None;
        }
        known.iter().filter(is_allowed).min().cloned().or_else(|| self.allowed.iter().filter_map(lowest_named).min())
    }
}

impl DependencySet {
    /// Derives the dependencies from the crates that a skill is for.
    pub fn from_atoms(atoms: &[&CrateAtom]) -> Self {
        let mut crates: Vec<(String, Vec<VersionReq>)> = Vec::new();
        for atom in atoms {
            let CrateAtom::Crate { name, requirement } = atom else { continue };
            let requirement = requirement.requirement();
            match crates.iter_mut().find(|(known, _)| known == name.as_str()) {
                Some((_, allowed)) => allowed.push(requirement),
                None => crates.push((name.to_string(), vec![requirement])),
            }
        }
        let lines = crates.into_iter().map(|(name, allowed)| DependencyLine::from_requirements(name, allowed));
        Self { lines: lines.collect() }
    }

    /// Puts one crate first.
    pub fn lead_with(&mut self, name: &str) {
        let fold = |name: &str| name.replace('_', "-");
        if let Some(at) = self.lines.iter().position(|line| fold(&line.name) == fold(name)) {
            let line = self.lines.remove(at);
            self.lines.insert(0, line);
        }
    }

    /// Says whether a crate is one on this machine, whose code can change at any time.
    pub fn has_local_crate(&self) -> bool {
        self.lines.iter().any(|line| line.version.is_none())
    }

    /// The whole table, as a key for what was tested.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| line.text(None)).collect()
    }
}

/// Reads a file of dependency tables, by the path of the skill below it. A skill may have several. The path of a crate on
/// this machine begins at the directory of the file.
pub fn parse_dependency_sets(path: &str, text: &str) -> Result<BTreeMap<String, Vec<DependencySet>>, Box<Diagnostic>> {
    let fault = |span: Range<usize>, message: String| {
        let help =
            "write the path of a skill as a table, with the lines of `[dependencies]`: `[\"my-skill/SKILL.md\"]`";
        Box::new(Diagnostic::error(path, message).at(text, span).help(help))
    };
    let table = DeTable::parse(text)
        .map_err(|error| fault(error.span().unwrap_or(0..0), format!("This is not valid TOML: {}", error.message())))?;
    let base = Path::new(path).parent().unwrap_or(Path::new(""));
    let mut sets = BTreeMap::new();
    for (key, value) in table.get_ref() {
        let tables: Option<Vec<&DeTable<'_>>> = match value.get_ref() {
            DeValue::Table(table) => Some(vec![table]),
            DeValue::Array(all) => all
                .iter()
                .map(|own| match own.get_ref() {
                    DeValue::Table(table) => Some(table),
                    _ => None,
                })
                .collect(),
            _ => None,
        };
        let tables = tables.ok_or_else(|| fault(key.span(), format!("`{}` is not a table", key.get_ref())))?;
        let read = tables.into_iter().map(|table| read_set(base, text, table));
        sets.insert(key.get_ref().to_string(), read.collect());
    }
    Ok(sets)
}

fn read_set(base: &Path, text: &str, table: &DeTable<'_>) -> DependencySet {
    let lines = table.iter().map(|(name, value)| {
        let whole = value.span();
        let (version, path) = match value.get_ref() {
            DeValue::String(_) => (Some(value), None),
            DeValue::Table(table) => match table.get("path") {
                Some(path) => (None, path.get_ref().as_str().map(|written| (base.join(written), path.span()))),
                None => (table.get("version"), None),
            },
            _ => (None, None),
        };
        let version = version.and_then(|version| Some((version.get_ref().as_str()?, version.span())));
        let part = |span: Range<usize>| text.get(span).unwrap_or_default();
        let value = match path {
            Some((path, span)) => {
                let path = path.display().to_string();
                format!("{}{path:?}{}", part(whole.start..span.start), part(span.end..whole.end))
            }
            None => part(whole.clone()).to_owned(),
        };
        DependencyLine {
            name: name.get_ref().to_string(),
            value,
            allowed: version.iter().filter_map(|(written, _)| VersionReq::parse(written).ok()).collect(),
            version: version.map(|(_, span)| span.start - whole.start..span.end - whole.start),
        }
    });
    DependencySet { lines: lines.collect() }
}

/// The lowest version that a requirement names; nothing if it has no lower bound.
fn lowest_named(requirement: &VersionReq) -> Option<Version> {
    let bounds = requirement.comparators.iter().filter(|own| !matches!(own.op, Op::Less | Op::LessEq | Op::Wildcard));
    bounds.map(|own| Version::new(own.major, own.minor.unwrap_or(0), own.patch.unwrap_or(0))).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    fn atoms(text: &str) -> DependencySet {
        let atoms = CrateAtom::parse_list(text).unwrap();
        DependencySet::from_atoms(&atoms.iter().collect::<Vec<_>>())
    }

    #[test]
    fn crates_become_dependencies() {
        for (written, expected) in [
            ("rand=0.9, rand_core=0.9", "rand = \"^0.9\"\nrand_core = \"^0.9\"\n"),
            ("itertools=0.13, itertools=0.15, itertools=0.14", "itertools = \"^0.15\"\n"),
            ("serde>=1.0.2,<2", "serde = \">=1.0.2, <2\"\n"),
            ("serde", "serde = \"*\"\n"),
            ("serde==1.0.219", "serde = \"=1.0.219\"\n"),
            ("*", ""),
        ] {
            assert_eq!(atoms(written).text(), expected, "{written}");
        }
    }

    #[test]
    fn the_lowest_version_exists_or_is_written() {
        let known: Vec<Version> = ["0.8.5", "0.13.1", "0.15.0", "0.13.4"].map(version).into();
        for (written, known, expected) in [
            ("a=0.15, a=0.13", known.as_slice(), Some("0.13.1")),
            ("a=0.15, a=0.13", &[], Some("0.13.0")),
            ("a>=0.14", &known, Some("0.15.0")),
            ("a", &known, None),
            ("a<0.14", &known, None),
        ] {
            let lowest = atoms(written).lines.first().and_then(|line| line.lowest(known));
            assert_eq!(lowest, expected.map(version), "{written}");
        }
    }

    #[test]
    fn a_file_names_features_and_companions() {
        let text = "[\"a/SKILL.md\"]\nb = \"1\"\na = { features = [\"x\"], version = \"0.2\" }\n\
                    [[\"c/SKILL.md\"]]\nc = \"1\"\n[[\"c/SKILL.md\"]]\nc = \"2\"\n";
        let mut sets = parse_dependency_sets("skill-test.toml", text).unwrap();
        assert_eq!(sets.get("c/SKILL.md").map(Vec::len), Some(2));
        let mut set = sets.remove("a/SKILL.md").and_then(|mut sets| sets.pop()).unwrap();
        set.lead_with("a");
        let first = set.lines.first().unwrap();
        assert_eq!(first.text(None), "a = { features = [\"x\"], version = \"0.2\" }\n");
        assert_eq!(first.text(Some(&version("0.2.1"))), "a = { features = [\"x\"], version = \"=0.2.1\" }\n");
        assert_eq!(first.lowest(&[]), Some(version("0.2.0")));
        let local = "[\"a/SKILL.md\"]\na = { version = \"0.2\", path = \"../a\", features = [\"x\"] }\n";
        let sets = parse_dependency_sets("/skills/skill-test.toml", local).unwrap();
        let set = sets.get("a/SKILL.md").and_then(|sets| sets.first()).unwrap();
        assert!(set.has_local_crate());
        let path = Path::new("/skills").join("../a");
        let expected = format!("a = {{ version = \"0.2\", path = {path:?}, features = [\"x\"] }}\n");
        assert_eq!(set.lines.first().unwrap().text(Some(&version("0.2.1"))), expected);
        assert!(parse_dependency_sets("skill-test.toml", "a = 1\n").unwrap_err().message.contains("`a`"));
        assert!(parse_dependency_sets("skill-test.toml", "[").is_err());
    }
}
