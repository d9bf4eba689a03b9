use proptest::prelude::*;

use super::TestCrate;
use crate::{IndexLimits, SourceContent, build_index};

fn small() -> IndexLimits {
    IndexLimits {
        file_bytes: 1 << 20,
        total_bytes: 2 << 20,
        files: 20,
        items: 2_000,
        expansions: 500,
        expanded_tokens: 50_000,
        matching_steps: 500_000,
    }
}

/// Made of pieces that parsers find hard, in any order.
fn code() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "pub ",
        "fn f",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        "struct S",
        "enum E",
        "mod m",
        ";",
        ",",
        "::",
        "use ",
        "*",
        "as ",
        "impl ",
        "for ",
        "trait T",
        "where ",
        "macro_rules! m ",
        "($x:tt)",
        "=> ",
        "$x ",
        "$($x)* ",
        "m!",
        "#[cfg(",
        "#![doc = ",
        "\"text\"",
        "'a",
        "'a'",
        "//",
        "/*",
        "\n",
        "r#\"",
        "\\",
        "é",
        "-> ",
        "dyn ",
        "const _: () = ",
        "= ",
        "| ",
        "& ",
        "unsafe ",
        "extern \"C\" ",
        "self",
        "crate",
        "super",
        "union ",
        "type X",
        "include!(\"src/lib.rs\")",
        "$crate",
        "0x",
        "b'",
        "#[path = \"lib.rs\"] mod n;",
    ]);
    prop::collection::vec(piece, 0..80).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_pieces_of_code_end_in_an_index(text in code()) {
        let index = TestCrate::new(&text).index_within(small());
        prop_assert!(index.items.len() <= 4_000);
        prop_assert!(index.items.iter().any(|item| item.path.is_empty()) );
    }

    #[test]
    fn any_text_ends_in_an_index(text in "\\PC{0,300}") {
        let index = TestCrate::new(&text).index_within(small());
        prop_assert!(index.completeness.is_complete() || !index.completeness.reasons.is_empty());
    }

    #[test]
    fn cut_files_keep_what_is_whole(at in 0_usize..400) {
        let whole = "pub fn first() {}\npub mod m { pub struct S<T> where T: A; impl<T> S<T> { pub fn f(&self) -> (u8,) { (1,) } } }\nmacro_rules! x { ($($y:ident),*) => { $(pub struct $y;)* } } x!(A, B);\npub enum E { A = 1, B { x: u8 } }";
        let cut: String = whole.chars().take(at).collect();
        let index = TestCrate::new(&cut).index_within(small());
        let is_whole = at >= whole.len();
        prop_assert_eq!(index.items.iter().any(|item| item.path == "E::B"), is_whole);
    }
}

#[test]
fn deep_nesting_is_refused_or_read() {
    for (open, close, depth) in [
        ("(", ")", 100_000),
        ("mod m {", "}", 5_000),
        ("mod m {", "}", 150),
        ("[", "]", 300),
        ("{", "}", 100_000),
        ("<", ">", 100_000),
        ("&", "", 100_000),
        ("fn(", ")", 5_000),
        ("Box<", ">", 10_000),
        ("::a", "", 100_000),
        ("*const ", "", 50_000),
        ("impl Fn() -> ", "", 20_000),
        ("!", "", 100_000),
        ("dyn ", "", 10_000),
        ("for<'a> ", "", 10_000),
        ("'a ", "", 10_000),
        ("(&", ")", 190),
        ("A<(", ")>", 190),
    ] {
        let nested = format!("{}{}", open.repeat(depth), close.repeat(depth));
        for root in [
            format!("pub fn f(x: {nested}) {{}} pub fn last() {{}}"),
            format!("{nested} pub fn last() {{}}"),
            format!("pub use {nested}; pub type T = {nested}; pub const X: {nested} = 1;"),
            format!("pub struct S {{ pub a: {nested} }} impl {nested} {{}} pub enum E {{ A({nested}) }}"),
            format!(
                "macro_rules! m {{ ($x:ty) => {{ pub type T = $x; }}; ($($x:tt)*) => {{ pub struct M; }} }} m!({nested});"
            ),
            format!("#[cfg({nested})] pub fn f() {{}} #[doc = {nested}] pub fn g() {{}}"),
        ] {
            TestCrate::new(&root).index_within(small());
        }
    }
}

#[test]
fn endless_macros_end() {
    for root in [
        "macro_rules! m { () => { m!(); } } m!();",
        "macro_rules! m { ($($x:tt)*) => { m!($($x)* $($x)*); } } m!(a);",
        "macro_rules! m { ($($x:tt)*) => { m!(a $($x)*); m!(b $($x)*); } } m!();",
        "pub trait T { m!(); } macro_rules! m { () => { m!(); m!(); } }",
        "macro_rules! m { ($n:ident) => { pub mod $n { m!($n); } } } m!(a);",
    ] {
        let index = TestCrate::new(root).index_within(small());
        assert!(!index.completeness.is_complete(), "{root}");
    }
}

#[test]
fn files_that_lead_to_themselves_end() {
    let root = "#[path = \"lib.rs\"] pub mod a; pub mod b; include!(\"lib.rs\");";
    let index = TestCrate::new(root)
        .file("src/b.rs", "#[path = \"b.rs\"] pub mod c; include!(\"lib.rs\");")
        .index_within(small());
    assert!(!index.completeness.is_complete());
    assert!(index.items.len() < 2_000);
}

#[test]
fn files_that_vanish_while_they_are_read_are_said() {
    let texts = ["pub mod a; pub mod b; pub fn f() {}", "pub fn g() {}", "pub fn h() {}"];
    for left in 0..=texts.len() {
        let read = std::cell::Cell::new(0);
        let krate = TestCrate::new("");
        let vanishing = |path: &str| {
            let text = match path {
                "src/lib.rs" => texts[0],
                "src/a.rs" => texts[1],
                "src/b.rs" => texts[2],
                _ => return SourceContent::Missing,
            };
            read.set(read.get() + 1);
            if read.get() > left { SourceContent::Missing } else { SourceContent::Text(text.to_owned()) }
        };
        let index = build_index(&krate.source, &vanishing, &krate.indexes, small());
        let functions = ["f", "a::g", "b::h"].map(|path| index.items.iter().any(|item| item.path == path));
        assert_eq!(functions, [left > 0, left > 1, left > 2], "{left}");
        assert_eq!(index.completeness.is_complete(), left == texts.len(), "{left}");
    }
}

#[test]
fn too_much_is_cut_and_said() {
    let many: String = (0..5_000).map(|number| format!("pub fn f{number}() {{}}\n")).collect::<Vec<_>>().concat();
    let index = TestCrate::new(&many).index_within(small());
    assert_eq!(index.completeness.reasons, ["too many items"]);
    assert_eq!(index.items.len(), 2_001);
    let large = format!("pub fn f() {{}} /* {} */", "x".repeat(2 << 20));
    let index = TestCrate::new("pub mod m; pub fn g() {}").file("src/m.rs", &large).index_within(small());
    assert!(
        index.completeness.reasons.iter().any(|reason| reason == "`src/m.rs` is too large"),
        "{:?}",
        index.completeness
    );
    assert!(index.items.iter().any(|item| item.path == "g"));
    let nothing = TestCrate::default().index_within(small());
    assert!(!nothing.completeness.is_complete());
}

#[test]
fn many_bounds_take_time_in_proportion() {
    let bounds = (0..20_000).map(|number| format!("T{}: A{number}, ", number % 10_000)).collect::<Vec<_>>().concat();
    let index = TestCrate::new(&format!("pub fn f() where {bounds} {{}}")).index();
    let signature = index.items.last().map(|item| item.signature.clone()).unwrap_or_default();
    assert!(signature.starts_with("pub fn f() where T0: A0 + A10000, T1: A1 + A10001, "), "{}", signature.len());
}

#[test]
fn many_derives_and_globs_take_time_in_proportion() {
    let globs = (0..20_000).map(|number| format!("use a{number}::*;\n")).collect::<Vec<_>>().concat();
    let types = (0..20_000).map(|number| format!("#[derive(D{number})] pub struct S{number};\n"));
    let index = TestCrate::new(&(globs + &types.collect::<Vec<_>>().concat())).index();
    assert!(index.completeness.reasons.contains(&"there are too many derives and attributes".to_owned()));
    assert_eq!(index.items.len(), 20_001);
}

#[test]
fn functions_in_each_other_are_read_or_refused() {
    for (depth, expected) in
        [(30, None), (80, Some("modules are nested too deeply")), (50_000, Some("`src/lib.rs` is nested too deeply"))]
    {
        let nested =
            format!("{}impl A {{ pub fn m() {{}} }}{}", "fn f() { impl B {} ".repeat(depth), "}".repeat(depth));
        let index = TestCrate::new(&format!("pub struct A; {nested} pub fn last() {{}}")).index();
        assert_eq!(index.completeness.reasons.first().map(String::as_str), expected, "{depth}");
        assert_eq!(index.items.iter().any(|item| item.path == "A::m"), expected.is_none(), "{depth}");
    }
}

#[test]
fn macros_that_do_not_fit_cost_as_well() {
    let arms = (0..300).map(|number| format!("($($x:tt)* @{number}) => {{}}; ")).collect::<Vec<_>>().concat();
    let types = (0..300).map(|number| format!("($x:ty @{number}) => {{}}; ")).collect::<Vec<_>>().concat();
    let items = (0..300).map(|number| format!("($x:item @{number}) => {{}}; ")).collect::<Vec<_>>().concat();
    let repeats = (0..300).map(|number| format!("$($x{number}:ty @{number})* ")).collect::<Vec<_>>().concat();
    let repeats = format!("({repeats}) => {{}}");
    let (words, commas) = ("a ".repeat(20_000), "a, ".repeat(20_000));
    for (arms, input) in [
        (&arms, &words),
        (&types, &format!("({commas})")),
        (&types, &format!("a ({commas})")),
        (&items, &format!("pub fn f({commas}) {{}}")),
        (&items, &format!("pub fn f() {{ {words} }}")),
        (&repeats, &format!("({commas})")),
    ] {
        let root = format!("macro_rules! m {{ {arms} }} m!({input}); pub fn last() {{}}");
        let index = TestCrate::new(&root).index_within(small());
        assert!(index.completeness.reasons.contains(&"expanding macros took too long".to_owned()), "{root:.80}");
        assert!(index.items.iter().any(|item| item.path == "last"));
    }
}

#[test]
fn long_signatures_are_refused_or_cut() {
    let many = |text: &str| text.repeat(50_000);
    for root in [
        format!("pub fn f({}) {{}} pub fn last() {{}}", many("a: u8, ")),
        format!("pub struct S({}); pub fn last() {{}}", many("pub u8, ")),
        format!("pub type T = ({}); pub fn last() {{}}", many("u8, a, ")),
    ] {
        let index = TestCrate::new(&root).index();
        let paths: Vec<&str> = index.items.iter().map(|item| item.path.as_str()).collect();
        assert_eq!(paths, ["", "last"], "{root:.40}");
        assert_eq!(index.completeness.reasons, ["`src/lib.rs` has items that cannot be read"], "{root:.40}");
    }
    for (root, start) in [
        (format!("pub enum E {{ A({}) }}", many("u8, ")), "A(u8, u8, "),
        (format!("pub enum E {{ A {{ {} }} }}", many("a: u8, ")), "A { a: u8, a: u8, "),
    ] {
        let index = TestCrate::new(&root).index();
        let signature = index.items.last().map(|item| item.signature.clone()).unwrap_or_default();
        assert!(signature.starts_with(start) && signature.contains('…'), "{start}");
        assert!(signature.len() < 100_000, "{start} {}", signature.len());
    }
}
