//! Properties of reading and installing a SKILL.md.

use proptest::prelude::*;
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::Severity;
use symposium_model::skill::{
    SkillActivation, SkillCompatibility, SkillDocument, SkillName, check, installed_text, parse,
};

/// Texts that tempt a writer of YAML.
fn tricky_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z0-9 ]{0,6}",
        4 => prop::sample::select(vec![
            ": ", " #", "---", "-", "\"", "'", "\\", "\n", "\r\n", "\t", "{", "}", "[", "]", ",", "&", "*", "!", "|", ">",
            "%", "@", "`", "~", "null", "true", "yes", "1.0", "0x1f", "2024-01-01", "\u{85}", "\u{2028}", "\u{feff}",
            "\u{0}", "\u{1b}", "\u{7f}", "\u{200b}", "\u{200d}", "👩", "\u{fe0f}", "ü", "\u{a0}", "\u{fffe}", "\u{10ffff}",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn atom() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9_-]{0,8}( ?(>=|<|=|==|\\^|~) ?[0-9](\\.[0-9]){0,2}(,<[0-9])?)?"
}

fn predicate() -> impl Strategy<Value = String> {
    "[a-z_-]{1,8}\\(([a-z=/.-]{0,6}(, ?[a-z]{1,4}(\\([a-z, ]{0,4}\\))?){0,2})?\\)"
}

fn document() -> impl Strategy<Value = SkillDocument> {
    let name = "[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,3}".prop_filter_map("a device", |name| SkillName::parse(&name).ok());
    let pairs = || prop::collection::vec((tricky_text(), tricky_text()), 0..4);
    let compatibility = prop_oneof![
        Just(SkillCompatibility::Unsaid),
        Just(SkillCompatibility::Agents(vec![AgentId::Goose, AgentId::Claude])),
        tricky_text().prop_map(|text| SkillCompatibility::from_text(&text)),
    ];
    let long = (tricky_text(), 1_usize..120).prop_map(|(text, times)| text.repeat(times));
    (
        (name, prop_oneof![tricky_text(), long], prop::collection::vec(atom(), 0..4)),
        (prop::collection::vec(predicate(), 0..4), any::<bool>(), compatibility, prop::option::of(tricky_text())),
        (prop::option::of(tricky_text()), prop::option::of(tricky_text()), pairs(), pairs()),
    )
        .prop_map(|(first, second, third)| {
            let ((name, description, crates), (predicates, always, compatibility, digest)) = (first, second);
            let (license, allowed_tools, metadata, other) = third;
            SkillDocument {
                name,
                written_name: None,
                description,
                crates,
                predicates: predicates.into_iter().map(|predicate| predicate.trim().to_owned()).collect(),
                activation: if always { SkillActivation::Always } else { SkillActivation::Optional },
                digest: digest.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()),
                compatibility,
                license,
                allowed_tools,
                metadata,
                other,
                body: 0..0,
            }
        })
}

/// A text that looks like a SKILL.md, often a broken one.
fn skill_text() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "name",
        "description",
        "license",
        "crates",
        "depends-on",
        "predicates",
        "activation",
        "digest",
        "compatibility",
        "allowed-tools",
        "metadata",
        "version",
        "  nested",
        "- item",
        "# note",
        "",
    ]);
    let line = (key, prop::sample::select(vec![": ", ":", "", " "]), tricky_text())
        .prop_map(|(key, colon, value)| format!("{key}{colon}{value}\n"));
    let good = prop::sample::select(vec!["", "name: a\n", "description: Use when: x\n", "description: x\n"]);
    (good, prop::collection::vec(line, 0..8), tricky_text())
        .prop_map(|(good, lines, body)| format!("---\n{good}{}---\n{body}", lines.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_installed_form_reads_back(document in document(), body in tricky_text()) {
        let installed = installed_text(&document, &body, &document.name);
        let parsed = parse("SKILL.md", "elsewhere", &installed);
        prop_assert_eq!(&parsed.diagnostics, &vec![], "{}", installed);
        let again = parsed.document.unwrap();
        prop_assert_eq!(&again.name, &document.name);
        prop_assert_eq!(&again.written_name, &Some(document.name.to_string()));
        prop_assert_eq!(&again.crates, &document.crates);
        prop_assert_eq!(&again.predicates, &document.predicates);
        prop_assert_eq!(again.activation, document.activation);
        prop_assert_eq!(again.body_of(&installed), body.as_str());
        let listed = document.listed_description();
        if !listed.is_empty() && !listed.contains("---") && listed.chars().count() <= 1024 {
            prop_assert_eq!(&again.description, &listed);
        }
        prop_assert_eq!(installed_text(&again, again.body_of(&installed), &again.name), installed);
    }

    #[test]
    fn the_installed_form_suits_every_agent(document in document(), body in tricky_text()) {
        let installed = installed_text(&document, &body, &document.name);
        let mut findings = check("SKILL.md", document.name.as_str(), &installed);
        // What a condition asks for is the author's affair, not one of form.
        findings.retain(|found| !found.message.ends_with("is not supported, so this condition never holds"));
        // Neither is the length of a text that every agent takes.
        findings.retain(|found| {
            !found.message.contains("agents show only a short part") && !found.message.contains("reach an agent")
        });
        // Nor are signs that some agents escape.
        findings.retain(|found| {
            !found.message.starts_with("The digest contains `<` or `>`")
        });
        prop_assert_eq!(findings, vec![], "{}", installed);
        // Goose and the reference validator split at the first two `---`, wherever they are.
        let mut parts = installed.splitn(3, "---");
        prop_assert_eq!(parts.next(), Some(""));
        let frontmatter = parts.next().unwrap();
        prop_assert_eq!(parts.next().unwrap(), format!("\n{body}"));
        let printable = |c: char| c == '\n' || !c.is_control();
        prop_assert!(frontmatter.chars().all(printable), "{:?}", frontmatter);
        // A reader that knows only `key: value` lines finds the name and the description where they are.
        let names = frontmatter.lines().filter(|line| line.trim_start().starts_with("name:")).count();
        let descriptions = frontmatter.lines().filter(|line| line.trim_start().starts_with("description:")).count();
        prop_assert_eq!((names, descriptions), (1, 1));
    }

    #[test]
    fn whatever_is_read_can_be_installed_for_good(text in skill_text()) {
        let parsed = parse("SKILL.md", "dir", &text);
        for diagnostic in &parsed.diagnostics {
            prop_assert!(diagnostic.location.is_some() && diagnostic.help.is_some());
        }
        match parsed.document {
            None => prop_assert!(!parsed.diagnostics.is_empty()),
            Some(document) => {
                let installed = installed_text(&document, document.body_of(&text), &document.name);
                let again = parse("SKILL.md", "dir", &installed).document.unwrap();
                prop_assert_eq!(installed_text(&again, again.body_of(&installed), &again.name), installed);
            }
        }
    }

    #[test]
    fn what_the_strict_check_accepts_is_read_without_remark(text in skill_text()) {
        if check("SKILL.md", "a", &text).is_empty() {
            let parsed = parse("SKILL.md", "a", &text);
            prop_assert_eq!(parsed.diagnostics, vec![]);
            prop_assert!(parsed.document.is_some());
        }
    }

    #[test]
    fn no_text_at_all_breaks_the_reader(text in any::<String>()) {
        let _ = parse("SKILL.md", "dir", &text);
        let _ = parse("SKILL.md", &text, &format!("---\n{text}\n---\n"));
        prop_assert!(check("SKILL.md", "dir", &text).iter().any(|found| found.severity == Severity::Error));
    }
}
