//! The result of parsing every odd file: one line each, and the diagnostics below it.

use std::time::{Duration, Instant};

use expect_test::{Expect, expect};

use super::wild_cases::{WildCase, found, synthetic};
use super::{check, installed_text, parse};
use crate::diagnostic::Severity;

fn outcome(case: &WildCase) -> String {
    let parsed = parse("SKILL.md", case.directory, &case.text);
    let mut line = match &parsed.document {
        Some(document) => {
            let description: String = document.listed_description().chars().take(40).collect();
            format!("{}: {} | {description}", case.title, document.name)
        }
        None => format!("{}: skipped", case.title),
    };
    for found in &parsed.diagnostics {
        let place = found.location.as_ref().map_or_else(String::new, |at| format!("{}:{}", at.line, at.column));
        line = format!("{line}\n    {} {place} {}", found.severity, found.message);
        assert!(found.help.is_some(), "{}", case.title);
        // The loader of a skill writes "Skipped this skill: " before an error, and uses the skill otherwise.
        let skips = found.severity == Severity::Error;
        assert_eq!(skips, parsed.document.is_none(), "{}: {found}", case.title);
        assert!(!found.message.to_lowercase().contains("skipped"), "{}: {found}", case.title);
        assert_eq!(found.path, "SKILL.md");
    }
    line.push('\n');
    line
}

fn check_all(cases: &[WildCase], wanted: &Expect) {
    wanted.assert_eq(&cases.iter().map(outcome).collect::<String>());
}

fn text_of(title: &str) -> String {
    found().into_iter().chain(synthetic()).find(|case| case.title == title).unwrap().text
}

fn read(title: &str) -> super::SkillDocument {
    parse("SKILL.md", "odd", &text_of(title)).document.unwrap()
}

#[test]
fn every_oddity_found_in_the_wild_has_its_outcome() {
    check_all(
        &found(),
        &expect![[r#"
            non-ascii: odd | Prüft – schnell ✅
            rule-in-body: odd | Does things
            600-lines: odd | Does things
            folded-strip: odd | one two
            folded: odd | one two
            literal: odd | one two
            literal-strip: odd | one two
            single-quoted: odd | it's: fine
            double-quoted: odd | say "hi": now
            name-is-not-directory: org-a-b | Does things
            directory-with-underscore: x-y | Does things
            metadata-flow-list: odd | Does things
            metadata-block-list: odd | Does things
            allowed-tools-list: odd | Does things
            allowed-tools-text: odd | Does things
            unquoted-colon: odd | Use when: building
                warning 3:22 The frontmatter is not valid YAML: a value that is not in quotes contains `: `
            leading-at: odd | @State patterns
                warning 3:14 The frontmatter is not valid YAML: a value that is not in quotes begins with `@`
            leading-backtick: odd | `serde` patterns
                warning 3:14 The frontmatter is not valid YAML: a value that is not in quotes begins with a backtick
            glued-key: odd | foo.
                warning 3:18 `license` follows the previous value without a line break
            description-with-newlines: odd | a b
            plain-multi-line: odd | one two
            xml: odd | Use <Foo> here
            294-kb: odd | Does things
            no-frontmatter: skipped
                error 1:1 The frontmatter is missing: the file does not begin with `---`
            comments: odd | Does things
            description-on-next-line: odd | Does things
            missing-description: skipped
                error 1:1 The description is missing
            numeric-version: odd | Does things
            long-description: odd | word word word word word word word word 
                warning 3:14 The description has 1214 characters, but agents accept only 1024
            crlf: odd | Does things
        "#]],
    );
}

#[test]
fn every_oddity_on_which_agents_differ_has_its_outcome() {
    check_all(
        &synthetic(),
        &expect![[r#"
            bom: odd | Does things
            tab: odd | Does things
            tab-indentation: odd | Does things
                warning 5:1 The frontmatter is not valid YAML: a line is indented with a tab, which YAML does not allow
            duplicate-key: odd | Second
                warning 4:1 `description` is written twice, and the last value is used
            missing-name: odd | Does things
                warning 1:1 The skill has no name; using the directory name `odd`
            odd-name: my-odd-skill | Does things
            numeric-name: 123 | Does things
            boolean-name: true | Does things
            fence-in-description: odd | a --- b
            fence-in-other-values: odd | x
            unclosed: skipped
                error 1:1 The frontmatter is never closed
            trailing-blanks: odd | Does things
            blank-lines-first: odd | Does things
                warning 3:1 The frontmatter is not at the start of the file
            path-name: skipped
                error 2:7 `../../.git/hooks` is not a valid skill name: it contains `/`
            device-name: skipped
                error 2:7 `CON` is not a valid skill name: Windows reserves this name for a device
            empty-description: skipped
                error 1:1 The description is missing
            broken-quote: skipped
                error 4:1 The frontmatter is not valid YAML: a quote is never closed
            broken-list: skipped
                error 4:9 The frontmatter is not valid YAML: unclosed bracket '['
            not-a-mapping: skipped
                error 2:1 The frontmatter is not valid YAML: it does not consist of `key: value` lines
            bomb: skipped
                error 4:7 The frontmatter is not read: anchors (`&x`) and aliases (`*x`) are not supported
            unindented-continuation: odd | one two
                warning 4:1 The frontmatter is not valid YAML: a line is neither `key: value` nor indented
            alias-like: odd | *very* good
                warning 3:14 The frontmatter is not valid YAML: a value that is not in quotes begins with `*`
            quotes-of-both-kinds: odd | it's "odd" and \ more
            control-characters: odd | ab [31m c d
            emoji: odd | 👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم
            yaml-words: odd | yes
            compatibility-list: odd | Does things
            compatibility-text: odd | Does things
            unknown-keys: odd | Does things
            metadata-misleads: odd | Does things
            ours: odd | Does things
            metadata-text: odd | Does things
                warning 4:1 `metadata` is not a mapping
            key-in-both-places: odd | Does things
            empty-body: odd | Does things
        "#]],
    );
}

#[test]
fn what_is_kept_is_kept_byte_by_byte() {
    assert_eq!(read("non-ascii").description, "Prüft – schnell ✅");
    assert_eq!(read("rule-in-body").body_of(&text_of("rule-in-body")), "one\n---\ntwo\n---\n");
    assert_eq!(read("crlf").body_of(&text_of("crlf")), "# Body\r\n\r\nText.\r\n");
    assert_eq!(read("crlf").description, "Does things");
    assert_eq!(read("literal").description, "one\ntwo\n");
    assert_eq!(read("single-quoted").description, "it's: fine");
    assert_eq!(read("double-quoted").description, "say \"hi\": now");
    assert_eq!(read("xml").description, "Use <Foo> here");
    assert_eq!(read("long-description").description.chars().count(), 1214);
    assert!(text_of("294-kb").len() > 294_000);
    assert_eq!(read("metadata-block-list").metadata, read("metadata-flow-list").metadata);
    assert_eq!(read("numeric-version").other, [("version".to_owned(), "1.0".to_owned())]);
    assert_eq!(read("glued-key").license.as_deref(), Some("MIT"));
    assert_eq!(read("ours").crates, ["serde", "tokio>=1.0", "axum>=0.7,<0.9"]);
    assert_eq!(read("ours").predicates, ["any(env(CI), path_exists(a,b))"]);
}

/// The installed form must be free of everything that any agent stumbles over.
#[test]
fn every_installed_form_suits_every_agent() {
    for case in found().into_iter().chain(synthetic()) {
        let Some(document) = parse("SKILL.md", case.directory, &case.text).document else { continue };
        let body = document.body_of(&case.text);
        let installed = installed_text(&document, body, &document.name);
        assert!(installed.starts_with("---\n"), "{}", case.title);
        assert_eq!(installed.split("---").nth(1).map(|frontmatter| frontmatter.ends_with('\n')), Some(true));
        let mut parts = installed.splitn(3, "---");
        assert_eq!(parts.nth(2), Some(format!("\n{body}").as_str()), "{}", case.title);
        let remarks = check("SKILL.md", document.name.as_str(), &installed);
        let remarks = remarks.iter().filter(|remark| !remark.message.contains("agents show only a short part"));
        assert_eq!(remarks.count(), 0, "{}\n{installed:.400}", case.title);
        let again = parse("SKILL.md", document.name.as_str(), &installed).document.unwrap();
        assert_eq!(installed_text(&again, again.body_of(&installed), &again.name), installed, "{}", case.title);
        assert_eq!((again.crates, again.predicates), (document.crates, document.predicates), "{}", case.title);
        assert_eq!((again.activation, again.name), (document.activation, document.name), "{}", case.title);
    }
}

#[test]
fn hostile_files_are_answered_at_once() {
    let bomb = ('b'..='j')
        .zip('a'..='i')
        .fold(String::new(), |text, (x, y)| format!("{text}{x}: &{x} [*{y},*{y},*{y},*{y}]\n"));
    for text in [
        format!("---\nname: a\ndescription: x\na: &a [x,x,x]\n{bomb}---\n"),
        format!("---\nname: a\ndescription: {}\n---\n", "[".repeat(20_000)),
        format!("---\nname: a\ndescription: {}\n---\n", "a: ".repeat(100_000)),
        format!("---\n{}---\n", "x: 1\n".repeat(50_000)),
        format!("---\n{}\n", "---x\n".repeat(60_000)),
        "---\n".repeat(70_000),
        format!("---\nname: a\ndescription: x\n---\n{}", "é\u{200b}".repeat(60_000)),
        format!("---\nname: {}\ndescription: x\n---\n", "a".repeat(290_000)),
        format!("---\nname: a\ndescription: {}\n---\n", "x ".repeat(145_000)),
    ] {
        let start = Instant::now();
        let _ = parse("SKILL.md", "a", &text);
        let _ = check("SKILL.md", "a", &text);
        // Quadratic work on these takes minutes; the bound is loose for slow machines.
        assert!(start.elapsed() < Duration::from_secs(10), "{text:.40}");
    }
}
