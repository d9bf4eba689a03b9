//! The compiled form of the guidance for files: which crates each package of a workspace names how, and the digests of
//! their skills.
//!
//! Two files of lines, because an event reads the first and mostly needs nothing of the second. `guidance` has a line
//! `P DIRECTORY` for each package and below it a line `C CODE_NAME CRATE VERSION SKILL…` for each direct dependency with
//! skills. `digests` has a line `S SKILL` for each skill and below it the text, each line after a blank.

use std::fmt::Write as _;

/// The names of the two files, beside the hook plans.
pub const GUIDANCE_FILE: &str = "guidance";
pub const DIGESTS_FILE: &str = "digests";

/// A package with its direct dependencies that have skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuidedPackage {
    pub directory: String,
    pub crates: Vec<GuidedCrate>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuidedCrate {
    /// The name by which the code of the package uses the crate.
    pub code_name: String,
    pub name: String,
    pub version: String,
    /// The installed names of its skills, the one to tell first.
    pub skills: Vec<String>,
}

/// A crate of a package, as it stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GuidedCrateLine<'t> {
    pub code_name: &'t str,
    pub name: &'t str,
    pub version: &'t str,
    skills: &'t str,
}

impl<'t> GuidedCrateLine<'t> {
    pub fn skills(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        self.skills.split(' ').filter(|skill| !skill.is_empty())
    }

    fn parse(line: &'t str) -> Option<Self> {
        let mut words = line.splitn(4, ' ');
        Some(Self { code_name: words.next()?, name: words.next()?, version: words.next()?, skills: words.next()? })
    }
}

/// The heads of paths that name no dependency, whatever a manifest calls its dependencies.
const RESERVED: [&str; 6] = ["crate", "self", "super", "std", "core", "alloc"];

/// Prints packages; a name that would break its line is left out.
pub fn print_packages(packages: &[GuidedPackage]) -> String {
    let is_word = |word: &String| !word.is_empty() && !word.contains(char::is_whitespace);
    let mut text = String::new();
    for package in packages.iter().filter(|package| !package.directory.contains('\n')) {
        let _ = writeln!(text, "P {}", package.directory);
        for GuidedCrate { code_name, name, version, skills } in &package.crates {
            let is_plain = [code_name, name, version].into_iter().chain(skills).all(is_word);
            if is_plain && !RESERVED.contains(&code_name.as_str()) {
                let _ = writeln!(text, "C {code_name} {name} {version} {}", skills.join(" "));
            }
        }
    }
    text
}

/// Finds the crates of the package that contains a file: the one with the longest directory.
pub fn find_crates<'t>(text: &'t str, file: &str) -> Vec<GuidedCrateLine<'t>> {
    let mut found = Vec::new();
    let (mut longest, mut is_chosen) = (None, false);
    for line in text.lines() {
        match line.split_at_checked(2) {
            Some(("P ", directory)) => {
                is_chosen = contains(directory, file) && longest.is_none_or(|known| directory.len() > known);
                if is_chosen {
                    longest = Some(directory.len());
                    found.clear();
                }
            }
            Some(("C ", words)) if is_chosen => found.extend(GuidedCrateLine::parse(words)),
            _ => {}
        }
    }
    found
}

/// Returns the crates of all packages.
pub fn all_crates(text: &str) -> Vec<GuidedCrateLine<'_>> {
    text.lines().filter_map(|line| GuidedCrateLine::parse(line.strip_prefix("C ")?)).collect()
}

fn contains(directory: &str, file: &str) -> bool {
    file.strip_prefix(directory).is_some_and(|rest| rest.starts_with(['/', '\\']))
}

/// The text of a skill that is told by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillDigest {
    pub skill: String,
    pub text: String,
}

pub fn print_digests(digests: &[SkillDigest]) -> String {
    let mut printed = String::new();
    for SkillDigest { skill, text } in digests.iter().filter(|digest| !digest.skill.contains(char::is_whitespace)) {
        let _ = writeln!(printed, "S {skill}");
        for line in text.lines() {
            let _ = writeln!(printed, " {line}");
        }
    }
    printed
}

/// Finds the digest of a skill.
pub fn find_digest(text: &str, skill: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| line.strip_prefix("S ") != Some(skill));
    lines.next()?;
    let digest: Vec<&str> = lines.map_while(|line| line.strip_prefix(' ')).collect();
    (!digest.is_empty()).then(|| digest.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn krate(code_name: &str, version: &str, skills: &[&str]) -> GuidedCrate {
        let skills = skills.iter().map(|skill| (*skill).to_owned()).collect();
        GuidedCrate {
            code_name: code_name.to_owned(),
            name: code_name.replace('_', "-"),
            version: version.to_owned(),
            skills,
        }
    }

    fn packages() -> String {
        print_packages(&[
            GuidedPackage { directory: "/w".to_owned(), crates: vec![krate("rand", "0.8.5", &["rand-0-8"])] },
            GuidedPackage {
                directory: "/w/crates/a b".to_owned(),
                crates: vec![krate("serde_json", "1.0.0", &["serde-json", "x"]), krate("bad name", "1.0.0", &["y"])],
            },
            GuidedPackage { directory: "/w/crates".to_owned(), crates: vec![krate("tokio", "1.0.0", &["tokio"])] },
        ])
    }

    #[test]
    fn a_file_belongs_to_the_package_with_the_longest_directory() {
        let text = packages();
        for (file, expected) in [
            ("/w/src/lib.rs", vec!["rand"]),
            ("/w/crates/a b/src/lib.rs", vec!["serde-json"]),
            ("/w/crates/a bc/src/lib.rs", vec!["tokio"]),
            ("/w2/src/lib.rs", vec![]),
            ("/w", vec![]),
            ("", vec![]),
        ] {
            let names: Vec<&str> = find_crates(&text, file).iter().map(|krate| krate.name).collect();
            assert_eq!(names, expected, "{file}");
        }
        let crates = find_crates(&text, "/w/crates/a b/x.rs");
        let [krate] = crates.as_slice() else { panic!("one crate") };
        assert_eq!((krate.code_name, krate.version), ("serde_json", "1.0.0"));
        assert_eq!(krate.skills().collect::<Vec<_>>(), ["serde-json", "x"]);
    }

    #[test]
    fn a_dependency_under_a_reserved_name_is_left_out() {
        let crates = ["std", "alloc", "self", "try"].map(|name| krate(name, "1.0.0", &["x"])).into();
        let text = print_packages(&[GuidedPackage { directory: "/w".to_owned(), crates }]);
        let names: Vec<&str> = all_crates(&text).iter().map(|krate| krate.code_name).collect();
        assert_eq!(names, ["try"]);
    }

    #[test]
    fn broken_text_has_no_crates() {
        for text in ["", "C a b c d", "P", "P /w\nC", "P /w\nC a b", "P /w\n\u{0}"] {
            assert_eq!(find_crates(text, "/w/x.rs"), [], "{text}");
        }
    }

    #[test]
    fn digests_are_found_by_skill() {
        let digest = |skill: &str, text: &str| SkillDigest { skill: skill.to_owned(), text: text.to_owned() };
        let text = print_digests(&[digest("a", "one\n\nS b\ntwo"), digest("b", "three"), digest("c", "")]);
        assert_eq!(find_digest(&text, "a").as_deref(), Some("one\n\nS b\ntwo"));
        assert_eq!(find_digest(&text, "b").as_deref(), Some("three"));
        assert_eq!(find_digest(&text, "c"), None);
        assert_eq!(find_digest(&text, "d"), None);
    }
}
