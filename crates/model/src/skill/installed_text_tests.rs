use expect_test::{Expect, expect};

use super::*;
use crate::agent::AgentId;
use crate::skill::compatibility::SkillCompatibility;

fn document() -> SkillDocument {
    SkillDocument {
        name: SkillName::parse("odd").unwrap(),
        written_name: None,
        description: "Does things".to_owned(),
        crates: Vec::new(),
        predicates: Vec::new(),
        digest: None,
        activation: SkillActivation::Optional,
        compatibility: SkillCompatibility::Unsaid,
        license: None,
        allowed_tools: None,
        metadata: Vec::new(),
        other: Vec::new(),
        body: 0..0,
    }
}

fn pair(key: &str, entry: &str) -> (String, String) {
    (key.to_owned(), entry.to_owned())
}

fn check(document: &SkillDocument, body: &str, wanted: &Expect) {
    wanted.assert_eq(&installed_text(document, body, &document.name));
}

fn described(description: &str) -> String {
    super::description(&SkillDocument { description: description.to_owned(), ..document() })
}

#[test]
fn the_least_skill_is_short() {
    check(
        &document(),
        "Body\n",
        &expect![[r"
        ---
        name: odd
        description: Does things
        ---
        Body
    "]],
    );
}

#[test]
fn everything_has_its_place() {
    let full = SkillDocument {
        description: "Use when: building\nthings".to_owned(),
        crates: vec!["serde".to_owned(), "tokio>=1.0,<2.0".to_owned()],
        predicates: vec!["any(a(), b())".to_owned(), "c()".to_owned()],
        activation: SkillActivation::Always,
        compatibility: SkillCompatibility::Agents(vec![AgentId::Claude, AgentId::Codex]),
        license: Some("MIT OR Apache-2.0".to_owned()),
        allowed_tools: Some("Read Bash(git:*)".to_owned()),
        metadata: vec![pair("version", "1.0"), pair("name", "x"), pair("text", "a\nb")],
        other: vec![pair("version", "2.0"), pair("origin", "a --- b"), pair("odd key", "")],
        ..document()
    };
    check(
        &full,
        "Body\n---\n",
        &expect![[r#"
        ---
        name: odd
        description: "Use when: building things"
        license: MIT OR Apache-2.0
        compatibility: claude, codex
        allowed-tools: "Read Bash(git:*)"
        metadata:
          crates: "serde, tokio>=1.0,<2.0"
          predicates: any(a(), b()), c()
          activation: always
          version: "1.0"
          "name": x
          text: "a\nb"
          version-2: "2.0"
          origin: "a --\x2d b"
          "odd key": ""
        ---
        Body
        ---
    "#]],
    );
}

#[test]
fn the_body_keeps_its_bytes() {
    for body in ["", "no newline", "\r\nCRLF\r\n---\r\n", "\n\n---\nname: x\n---\n", "\u{feff}x"] {
        let text = installed_text(&document(), body, &document().name);
        assert_eq!(text, format!("---\nname: odd\ndescription: Does things\n---\n{body}"));
    }
}

#[test]
fn the_name_is_the_one_given() {
    let name = SkillName::parse("odd-symposium").unwrap();
    assert!(installed_text(&document(), "", &name).starts_with("---\nname: odd-symposium\n"));
    let name = SkillName::parse("123").unwrap();
    assert!(installed_text(&document(), "", &name).starts_with("---\nname: \"123\"\n"));
}

#[test]
fn descriptions_are_one_visible_line_without_fences() {
    for (description, wanted) in [
        ("a\n\n  b\tc ", "a b c"),
        ("a --- b", "a — b"),
        ("a-----b -- c", "a—b -- c"),
        ("a --\u{200b}- b", "a — b"),
        ("x \u{200b} y\u{1b}", "x y"),
        ("می\u{200c}خواهم", "می\u{200c}خواهم"),
        ("\u{200b}", "odd"),
    ] {
        assert_eq!(described(description), wanted, "{description:?}");
    }
}

#[test]
fn long_descriptions_are_cut_for_good() {
    let family = "👨\u{200d}👩\u{200d}👧";
    for description in ["ä".repeat(1025), "word ".repeat(400), family.repeat(300), format!("x{}", family.repeat(300))]
    {
        let cut = described(&description);
        assert!((1000..=1024).contains(&cut.chars().count()), "{}", cut.chars().count());
        assert!(cut.ends_with('…'));
        assert_eq!(described(&cut), cut);
    }
    assert_eq!(described(&"ä".repeat(1024)), "ä".repeat(1024));
}
