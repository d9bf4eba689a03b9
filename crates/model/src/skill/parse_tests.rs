use super::*;
use crate::agent::AgentId;
use crate::diagnostic::Severity;

fn read(text: &str) -> SkillDocument {
    parse("SKILL.md", "dir", text).document.unwrap()
}

fn with(line: &str) -> ParsedSkill {
    parse("SKILL.md", "dir", &format!("---\nname: a\ndescription: x\n{line}\n---\nbody\n"))
}

fn pairs(of: &[(String, String)]) -> Vec<(&str, &str)> {
    of.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect()
}

#[test]
fn every_field_finds_its_place() {
    let text = "---\nname: My Skill\ndescription: |\n  One\n  two\nlicense: MIT\ncrates: serde, tokio >= 1.0\n\
                depends_on: [axum]\npredicates: any(a(), b()), c()\nactivation: Always\ncompatibility: claude\n\
                allowed-tools:\n  - Read\n  - Bash(git add:*)\nmetadata:\n  version: 1.0\n  tags: [a, b]\n  on: true\n\
                origin: here\nargument-hint: [file]\n---\nbody\n";
    let parsed = parse("SKILL.md", "dir", text);
    assert_eq!(parsed.diagnostics, vec![]);
    let document = parsed.document.unwrap();
    assert_eq!(document.name.as_str(), "my-skill");
    assert_eq!(document.written_name.as_deref(), Some("My Skill"));
    assert_eq!(document.description, "One\ntwo\n");
    assert_eq!(document.listed_description(), "One two");
    assert_eq!(document.crates, ["serde", "tokio >= 1.0", "axum"]);
    assert_eq!(document.predicates, ["any(a(), b())", "c()"]);
    assert_eq!(document.activation, SkillActivation::Always);
    assert_eq!(document.compatibility, SkillCompatibility::Agents(vec![AgentId::Claude]));
    assert_eq!(document.license.as_deref(), Some("MIT"));
    assert_eq!(document.allowed_tools.as_deref(), Some("Read Bash(git add:*)"));
    assert_eq!(pairs(&document.metadata), [("version", "1.0"), ("tags", "a, b"), ("on", "true")]);
    assert_eq!(pairs(&document.other), [("origin", "here"), ("argument-hint", "file")]);
    assert_eq!(document.body_of(text), "body\n");
}

#[test]
fn conditions_are_read_under_metadata_too() {
    let document = with("crates: [serde]\nmetadata:\n  crates: tokio>=1.0,<2.0\n  activation: always\n  predicates:\n  - a(b, c)\n  x: y").document.unwrap();
    assert_eq!(document.crates, ["serde", "tokio>=1.0,<2.0"]);
    assert_eq!(document.activation, SkillActivation::Always);
    assert_eq!(document.predicates, ["a(b, c)"]);
    assert_eq!(pairs(&document.metadata), [("x", "y")]);
    let document = with("activation: optional\nmetadata:\n  activation: always").document.unwrap();
    assert_eq!(document.activation, SkillActivation::Optional);
}

#[test]
fn keys_without_a_value_say_nothing() {
    let parsed = with("license: ~\nmetadata:\nactivation: null\ncompatibility: ''\npredicates: []");
    assert_eq!(parsed.diagnostics, vec![]);
    let document = parsed.document.unwrap();
    assert!(document.crates.is_empty() && document.predicates.is_empty() && document.metadata.is_empty());
    assert_eq!((document.license, document.compatibility), (None, SkillCompatibility::Unsaid));
}

#[test]
fn what_had_to_be_guessed_is_said() {
    for (line, wanted) in [
        ("activation: sometimes", "Unknown activation `sometimes`; using `optional`"),
        ("compatibility: [claude, vim]", "`compatibility` names unknown agents: `vim`"),
        ("crates: {serde: 1}", "`crates` is a mapping, which cannot name a crate"),
        ("predicates: a(b", "The parentheses of predicate `a(b` do not match"),
        ("metadata: text", "`metadata` is not a mapping"),
        ("description: y", "`description` is written twice, and the last value is used"),
    ] {
        let parsed = with(line);
        assert!(parsed.document.is_some(), "{line}");
        let [diagnostic] = parsed.diagnostics.as_slice() else { panic!("{line}: {:?}", parsed.diagnostics) };
        assert_eq!((diagnostic.severity, diagnostic.message.as_str()), (Severity::Warning, wanted));
        assert_eq!(diagnostic.location.as_ref().unwrap().line, 4);
        assert!(diagnostic.help.is_some());
    }
}

#[test]
fn names_that_cannot_be_mended_skip_the_skill() {
    for (name, reason) in [
        ("../../.git/hooks", "it contains `/`"),
        ("über", "it contains `ü`"),
        ("CON", "Windows reserves this name for a device"),
        ("'...'", "it is empty"),
        (&"x".repeat(300), "it is longer than 64 characters"),
        ("\"a\\eb\"", "it contains `\\u{1b}`"),
    ] {
        let parsed = parse("SKILL.md", "dir", &format!("---\nname: {name}\ndescription: x\n---\n"));
        assert_eq!(parsed.document, None, "{name}");
        let [diagnostic] = parsed.diagnostics.as_slice() else { panic!("{name}: {:?}", parsed.diagnostics) };
        assert_eq!(diagnostic.severity, Severity::Error);
        assert!(diagnostic.message.ends_with(reason), "{}", diagnostic.message);
        assert!(!diagnostic.message.contains('\u{1b}'));
    }
}

#[test]
fn odd_types_are_no_type_errors() {
    assert_eq!(read("---\nname: 1.0\ndescription: true\n---\n").name.as_str(), "1-0");
    assert_eq!(read("---\nname: true\ndescription: 5\n---\n").description, "5");
    assert_eq!(read("---\ndescription: x\nname: [a, b]\n---\n").name.as_str(), "dir");
    assert_eq!(read("---\nname: a\ndescription: [use, it]\n---\n").description, "use, it");
    assert_eq!(read("---\nname: a\ndescription:\n  Note: do x\n---\n").description, "Note: do x");
    assert_eq!(pairs(&read("---\nname: a\ndescription: x\n? [k, l]\n: v\n---\n").other), [("k, l", "v")]);
}

#[test]
fn a_description_nobody_can_see_is_none() {
    let parsed = parse("SKILL.md", "dir", "---\nname: a\ndescription: \"\\u200b\\u2060\"\n---\n");
    assert_eq!(parsed.document, None);
    assert_eq!(parsed.diagnostics[0].message, "The description is missing");
}

#[test]
fn a_misspelled_or_empty_condition_makes_the_skill_unusable() {
    for (line, expected) in [
        (
            "crate: serde",
            "SKILL.md:4:1: Unknown key `crate` instead of the condition `crates`, so this entry is skipped",
        ),
        (
            "depend-on: serde",
            "SKILL.md:4:1: Unknown key `depend-on` instead of the condition `depends-on`, so this entry is skipped",
        ),
        (
            "predicate: env(CI)",
            "SKILL.md:4:1: Unknown key `predicate` instead of the condition `predicates`, so this entry is skipped",
        ),
        ("crates: []", "SKILL.md:4:1: The list of crates is empty, so this skill applies nowhere"),
        ("crates:", "SKILL.md:4:1: The list of crates is empty, so this skill applies nowhere"),
        ("crates: \"\"", "SKILL.md:4:1: The list of crates is empty, so this skill applies nowhere"),
        ("depends-on: ~", "SKILL.md:4:1: The list of crates is empty, so this skill applies nowhere"),
    ] {
        let text = format!("---\nname: s\ndescription: d\n{line}\n---\nbody\n");
        let parsed = parse("SKILL.md", "s", &text);
        assert_eq!(parsed.document, None, "{line}");
        let said: Vec<String> = parsed.diagnostics.iter().map(ToString::to_string).collect();
        assert_eq!(said, [expected]);
    }
    for lines in ["Crates: serde", "created: 2026-01-01", "crate: x\ncrates: serde"] {
        let text = format!("---\nname: s\ndescription: d\n{lines}\n---\nbody\n");
        assert!(parse("SKILL.md", "s", &text).document.is_some(), "{lines}");
    }
}
