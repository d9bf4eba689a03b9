use super::*;

#[test]
fn bodies_and_values_are_removed() {
    for (text, expected) in [
        ("fn f() { a }", "fn f() {}"),
        ("fn f(x: [u8; 3]) where T: A, {\n b\n}\n", "fn f(x: [u8; 3]) where T: A, {\n\n}\n"),
        ("trait T { fn a(); fn b() { 1 } }", "trait T { fn a(); fn b() {} }"),
        ("const fn f() { 1 }", "const fn f() {}"),
        ("pub fn r#type<'a>(x: &'a str) -> &'static str { 'x' }", "pub fn r#type<'a>(x: &'a str) -> &'static str {}"),
        ("fn f() { \"}\\\"}\" '}' '\\'' r#\"}\"# b'}' /* } /* */ } */ // }\n }", "fn f() {\n}"),
        ("impl<const N: usize> A<N> { fn f() { 1 } }", "impl<const N: usize> A<N> { fn f() {} }"),
        ("cfg_rt! { fn f() { 1 } }", "cfg_rt! { fn f() {} }"),
        ("fn f() { 1; impl A { fn g() { 2 } } }", "fn f() { 1; impl A { fn g() {} } }"),
        ("fn f() { /* impl */ let x: &dyn Fn(impl A) = \"; impl A {}\"; }", "fn f() {}"),
        ("const X: [u8; 2] = [1, 2]; fn f() { 1 }", "const X: [u8; 2] = []; fn f() {}"),
        ("static X: A<B = [u8; 2]> = A { b };", "static X: A<B = [u8; 2]> = A {};"),
        ("#[a(fn b() { c })] const X: [u8; 1] = [1];", "#[a(fn b() { c })] const X: [u8; 1] = [];"),
        ("const F: fn(u8) -> [u8; 1] = |x| { [x] };", "const F: fn(u8) -> [u8; 1] = |x| {};"),
    ] {
        assert_eq!(trim_bodies(text), expected);
    }
}

#[test]
fn everything_else_stays() {
    for text in [
        "fn f(x: A<{ N }>) -> A<{ N }>;",
        "type F = unsafe extern \"C\" fn(u8) -> u8; struct S { f: fn() }",
        "macro_rules! m { ($x:ident) => { fn $x() { 1 } } }",
        "lazy! { fn f() { 1 } }",
        "const _: () = { impl A {} };",
        "struct A<#[a] const N: usize = 3>(u8); struct A<T, #[a] #[b = \"]\"] const N: usize = 3>([u8; 3]);",
        "fn f() { struct A; impl A { fn g() {} } }",
        "fn f() { #[macro_export] macro_rules! m { () => { fn g() { 1 } } } 1 }",
        "struct A<const N: usize = 3>(u8); struct B<T, const N: usize = { 3 }>([u8; 3]);",
        "use a::{b, c}; enum E { A = 1, B { x: u8 } } mod m { pub struct S; }",
        // Something does not end.
        "fn f() { 1 } fn g() {",
        "fn f() { ( }",
        "fn f() { \" }",
    ] {
        assert_eq!(trim_bodies(text), text);
    }
    assert_eq!(trim_bodies("fn f() -> A<{ N }> { x }"), "fn f() -> A<{ N }> {}");
}

#[test]
fn long_texts_are_split_between_items() {
    let item = "use a::{b, c};\npub struct S {\n    x: u8,\n}\nconst _: () = { 1; };\n";
    let text = item.repeat(20_000);
    let SplitText { pieces, is_cut } = split_items(text.clone());
    assert!(pieces.len() > 1 && !is_cut);
    let (mut joined, mut lines) = (String::new(), 0);
    for piece in &pieces {
        let kept = piece.get(lines..).unwrap_or_default();
        assert!(piece.starts_with(&"\n".repeat(lines)) && kept.len() < PIECE_BYTES + item.len());
        assert!(kept.trim_start().starts_with(['u', 'p', 'c']), "{:.30}", kept.trim_start());
        joined.push_str(kept);
        lines = joined.matches('\n').count();
    }
    assert_eq!(joined, text);
    let huge = format!("pub fn f() {{}}\nm! {{ {} }}\npub fn g() {{}}\n", "a ".repeat(900_000));
    let SplitText { pieces, is_cut } = split_items(huge);
    assert_eq!((pieces, is_cut), (vec!["pub fn f() {}".to_owned(), "\n\npub fn g() {}\n".to_owned()], true));
}

/// Each of these would be scanned to the end of the text once for every constant, which takes hours.
#[test]
fn constants_that_never_end_are_given_up() {
    for text in ["const a: ".repeat(200_000), "const a: u8 = ".repeat(150_000), nested_constants(50_000)] {
        let text = format!("pub fn f() {{}}\n{text}");
        assert_eq!(trim_bodies(&text), text);
    }
}

fn nested_constants(depth: usize) -> String {
    "const a: (".repeat(depth) + &")".repeat(depth)
}
