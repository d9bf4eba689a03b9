use super::*;

/// `key=text` of every entry.
fn check(block: &str, wanted: &[&str]) {
    let entries = read(block).unwrap();
    let shown: Vec<String> = entries.iter().map(|entry| format!("{}={}", entry.key, entry.value.text())).collect();
    assert_eq!(shown, wanted, "{block}");
    for entry in entries {
        assert_eq!(block.get(entry.key_span).map(|key| key.trim_matches(['"', '\''])), Some(entry.key.as_str()));
        assert!(block.get(entry.value.span).is_some());
    }
}

#[test]
fn values_keep_the_way_they_were_written() {
    check("version: 1.0\nb: yes\nn: 0x1f\nd: 2024-01-01\n", &["version=1.0", "b=yes", "n=0x1f", "d=2024-01-01"]);
    check("a: 'it''s: fine'\nb: \"x\\ty\"\n", &["a=it's: fine", "b=x\ty"]);
    check("a: >-\n  one\n  two\nb: |\n  x\n  y\n", &["a=one two", "b=x\ny\n"]);
    check("a: one\n  two\nb:\n  next\n", &["a=one two", "b=next"]);
    check("a: [x, y]\nb:\n- 1\n- {c: [d]}\n", &["a=x, y", "b=1, {c: [d]}"]);
    check("a: 1 # note\n# note\nb: 2\n", &["a=1", "b=2"]);
    check("a: 1\r\nb: 2\r\n", &["a=1", "b=2"]);
    check("a: 1\na: 2\n", &["a=1", "a=2"]);
    check("a: !!str 1\n", &["a=1"]);
    check("", &[]);
    check("# only a note\n", &[]);
}

#[test]
fn nothing_is_told_from_a_text_that_says_so() {
    for (block, wanted) in [
        ("a:", true),
        ("a: ~", true),
        ("a: null", true),
        ("a: \"\"", true),
        ("a: []", true),
        ("a: {}", true),
        ("a: \"null\"", false),
        ("a: 0", false),
    ] {
        assert_eq!(read(block).unwrap()[0].value.is_nothing(), wanted, "{block}");
    }
}

#[test]
fn slips_are_syntax_problems_with_a_place() {
    for (block, line) in [
        ("a: 1\ndescription: Use when: building\n", 2),
        ("a: 1\ndescription: @State patterns\n", 2),
        ("description: `code` first\n", 1),
        ("description: foo.license: MIT\n", 1),
        ("description: *bold* text\n", 1),
        ("description: [WIP] text\n", 1),
        ("description: \"a\" b\n", 1),
        ("- a\n- b\n", 1),
        ("just text\n", 1),
        ("a: 1\n...\nb: 2\n", 3),
    ] {
        let problem = read(block).unwrap_err();
        assert_eq!(problem.kind, YamlProblemKind::Syntax, "{block}");
        assert_eq!(block.get(..problem.at).unwrap().matches('\n').count() + 1, line, "{block}: {}", problem.message);
    }
}

#[test]
fn a_tab_is_named_where_it_stands() {
    for (block, at) in
        [("name: a\n\tdescription: d\n", 8), ("name: a\nmetadata:\n\tauthor: me\n", 18), ("crates:\n\t- serde\n", 8)]
    {
        let problem = read(block).unwrap_err();
        assert_eq!((problem.kind, problem.at), (YamlProblemKind::Tab, at), "{block}: {}", problem.message);
    }
}

#[test]
fn bombs_are_refused_before_they_grow() {
    let levels = ('b'..='j').zip('a'..='i').fold(String::new(), |block, (name, of)| {
        format!("{block}{name}: &{name} [*{of},*{of},*{of},*{of},*{of},*{of},*{of},*{of},*{of}]\n")
    });
    for block in [
        format!("a: &a [x,x,x]\n{levels}"),
        "a: &x 1\n".to_owned(),
        format!("a: {}{}\n", "[".repeat(200), "]".repeat(200)),
        format!("a: [{}]\n", "x, ".repeat(600)),
        "x: 1\n".repeat(600),
    ] {
        assert_eq!(read(&block).unwrap_err().kind, YamlProblemKind::Limits, "{block:.60}");
    }
    for block in ["a: ".to_owned() + &"[".repeat(20_000), "{".repeat(100_000), "- ".repeat(50_000)] {
        assert!(read(&block).is_err());
    }
}
