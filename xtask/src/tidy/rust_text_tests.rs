use super::*;

fn check_code(text: &str, expected: &str) {
    let parts = RustText::of(text);
    assert_eq!(parts.code.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{text}");
    assert_eq!(parts.code.len(), text.len(), "{text}");
    assert_eq!(parts.code.lines().count(), text.lines().count(), "{text}");
}

#[test]
fn comments_and_literals_are_not_code() {
    for (text, expected) in [
        ("a // b\nc", "a c"),
        ("a /* b /* c */ d */ e", "a e"),
        ("a /* never closed", "a"),
        (r#"a("b \" c", d)"#, "a( , d)"),
        ("a(\"// no comment\") b", "a( ) b"),
        ("r\"x\\\" y", "r y"),
        ("r#\"x \" y\"# z", "r z"),
        ("br##\"x\"# y\"## z", "br z"),
        ("r#type b", "r#type b"),
        ("a('\"') b", "a( ) b"),
        (r"a('\'') b", "a( ) b"),
        (r"a('\u{1F600}', 'é') b", "a( , ) b"),
        ("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}"),
        ("a(\"never closed", "a("),
    ] {
        check_code(text, expected);
    }
}

#[test]
fn test_items_are_left_out() {
    for (text, expected) in [
        ("a; #[cfg(test)] mod t { x; { y } } b;", "a; b;"),
        ("#[cfg(test)]\n#[path = \"t.rs\"]\nmod tests;\nb;", "b;"),
        ("#[cfg(test)] use a::{b, c}; d;", "d;"),
        ("#[cfg(test)] fn f() -> [u8; 2] { x } d;", "d;"),
        ("#[cfg(all(test, unix))] mod t { x } d;", "d;"),
        ("#[cfg( test )] mod t { x } d;", "d;"),
        ("enum E { #[cfg(test)] A, B }", "enum E { B }"),
        ("enum E { A, #[cfg(test)] B }", "enum E { A, }"),
        ("#![cfg(test)]\nmod a;", ""),
        ("#[cfg(not(test))] mod a { b }", "#[cfg(not(test))] mod a { b }"),
        ("#[cfg(any(test, unix))] mod a;", "#[cfg(any(test, unix))] mod a;"),
        ("#[cfg(feature = \"test\")] mod a;", "#[cfg(feature = )] mod a;"),
        ("// #[cfg(test)]\nmod a;", "mod a;"),
    ] {
        check_code(text, expected);
    }
}

#[test]
fn comments_of_tests_are_left_out() {
    let parts = RustText::of("// one\nfn a() {} /* two */\n#[cfg(test)]\nmod t {\n    // three\n}\n");
    assert_eq!(parts.comments.split_whitespace().collect::<Vec<_>>(), ["//", "one", "/*", "two", "*/"]);
}

#[test]
fn lines_of_tests_do_not_count() {
    for (text, expected) in [
        ("", 0),
        ("a\n\nb\n", 3),
        ("a\n#[cfg(test)]\nmod t {\n\n    x\n}\n", 1),
        ("a\n#[cfg(test)]\nmod t;\nb\nc", 3),
        ("let a = \"#[cfg(test)]\";\nb\n", 2),
    ] {
        assert_eq!(RustText::of(text).shipped_lines, expected, "{text}");
    }
}

#[test]
fn lines_are_counted_from_one() {
    assert_eq!([line_of("ab\ncd", 0), line_of("ab\ncd", 2), line_of("ab\ncd", 3), line_of("ab\ncd", 99)], [1, 1, 2, 2]);
}
