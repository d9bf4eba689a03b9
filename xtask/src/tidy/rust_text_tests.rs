use super::*;

fn check_code(text: &str, expected: &str) {
    let parts = RustText::of(text);
    let code: Vec<&str> = parts.code.iter().map(|token| token.text.as_str()).collect();
    assert_eq!(code.join(" "), expected, "{text}");
    assert!(parts.comments.is_empty() || parts.comments.len() == text.len(), "{text}");
}

#[test]
fn comments_are_not_code() {
    for (text, expected) in [
        ("a // b\nc", "a c"),
        ("a /* b /* c */ d */ e", "a e"),
        ("/// a\nb //! c\n", "b"),
        ("a /* never closed", ""),
        ("a(\"// no comment\") b", "a ( \"// no comment\" ) b"),
        ("r#type::b", "type :: b"),
        ("fn f<'a>(x: &'a str) {}", "fn f < ' a > ( x : & ' a str ) { }"),
        ("a(\"never closed", ""),
    ] {
        check_code(text, expected);
    }
}

#[test]
fn test_items_are_left_out() {
    for (text, expected) in [
        ("a; #[cfg(test)] mod t { x; { y } } b;", "a ; b ;"),
        ("#[cfg(test)]\n#[path = \"t.rs\"]\nmod tests;\nb;", "b ;"),
        ("#[cfg(test)] use a::{b, c}; d;", "d ;"),
        ("#[cfg(test)] fn f() -> [u8; 2] { x } d;", "d ;"),
        ("#[cfg(all(test, unix))] mod t { x } d;", "d ;"),
        ("#[cfg( test )] mod t { x } d;", "d ;"),
        ("enum E { #[cfg(test)] A, B }", "enum E { B }"),
        ("enum E { A, #[cfg(test)] B }", "enum E { A , }"),
        ("#![cfg(test)]\nmod a;", ""),
        ("#[cfg(not(test))] mod a { b }", "# [ cfg ( not ( test ) ) ] mod a { b }"),
        ("#[cfg(any(test, unix))] mod a;", "# [ cfg ( any ( test , unix ) ) ] mod a ;"),
        ("#[cfg(feature = \"test\")] mod a;", "# [ cfg ( feature = \"test\" ) ] mod a ;"),
        ("// #[cfg(test)]\nmod a;", "mod a ;"),
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
