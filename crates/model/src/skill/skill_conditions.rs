//! The conditions of a skill, from the crates and predicates in its frontmatter.

use super::crate_spans::written_place;
use super::document::SkillDocument;
use crate::conditions::ConditionSet;
use crate::crates::CrateAtom;
use crate::diagnostic::Diagnostic;
use crate::predicate::Predicate;

/// Parses the skill's conditions. After an error the skill must not be used, since without its conditions it would
/// apply everywhere.
pub fn conditions(path: &str, text: &str, document: &SkillDocument) -> Result<ConditionSet, Vec<Diagnostic>> {
    let mut conditions = ConditionSet::default();
    let mut faults = Vec::new();
    let mut fault = |written: &str, message: String, help: String| {
        let found = Diagnostic::error(path, message).help(help);
        faults.push(match written_place(text, written) {
            Some(place) => found.at(text, place),
            None => found,
        });
    };
    for written in &document.crates {
        match CrateAtom::parse_list(written) {
            Ok(atoms) => conditions.crates.extend(atoms),
            Err(error) => fault(written, error.message, error.help),
        }
    }
    for written in &document.predicates {
        match Predicate::parse(written) {
            Ok(predicate) => conditions.predicates.push(predicate),
            Err(error) => fault(written, error.message, error.help),
        }
    }
    if faults.is_empty() { Ok(conditions) } else { Err(faults) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::parse;

    fn check(frontmatter: &str, expected: Result<&str, &str>) {
        let text = format!("---\nname: s\ndescription: d\n{frontmatter}\n---\nbody\n");
        let document = parse("SKILL.md", "s", &text).document.unwrap();
        let found = conditions("SKILL.md", &text, &document);
        let shown = found
            .map(|found| format!("{:?} {:?}", found.crates, found.predicates))
            .map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
        assert_eq!(shown.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn conditions_are_read_from_both_lists() {
        check("", Ok("[] []"));
        check("crates: serde, tokio>=1.0", Ok("[`serde`, `tokio>=1.0`] []"));
        check("crates: rand>=0.9,<0.11", Ok("[`rand>=0.9,<0.11`] []"));
        check("crates: [serde, tokio]", Ok("[`serde`, `tokio`] []"));
        check(
            "predicates: any(env(A), env(B)), env(C)",
            Ok(
                "[] [Any([Env { name: \"A\", value: None }, Env { name: \"B\", value: None }]), Env { name: \"C\", value: None }]",
            ),
        );
        check("# serde>=x\ncrates: serde>=x", Err("SKILL.md:5:9: `x` is not a version"));
        check("crates: serde>=x", Err("SKILL.md:4:9: `x` is not a version"));
        check("predicates: env()", Err("SKILL.md:4:13: `env()` needs a variable"));
    }
}
