use super::*;
use crate::changes::ChangeKind;

fn check(text: &str, path: &str, kind: ItemKind, lines: &[usize]) {
    let change = ApiChange { path: path.to_owned(), kind, change: ChangeKind::Removed, before: None, after: None };
    let found: Vec<usize> = find_uses(text, "rand", &[&change]).into_iter().map(|found| found.line).collect();
    assert_eq!(found, lines, "{text}");
}

#[test]
fn uses_are_found_by_kind() {
    let text = "use rand::{thread_rng, Rng};\nfn f() {\n    let mut r = thread_rng();\n    r.gen_range(0..6);\n    Rng::gen_range(&mut r, 0..6);\n}\n";
    check(text, "thread_rng", ItemKind::Function, &[1, 3]);
    check(text, "Rng::gen_range", ItemKind::Method, &[4, 5]);
    check(text, "Rng", ItemKind::Trait, &[1, 5]);
    let text =
        "use rand::Rng;\nr.gen::<u8>();\nr.r#gen();\nR::gen(r);\n<R as Rng>::gen(r);\nr.gen;\ngen();\nlet gen = 1;";
    check(text, "Rng::gen", ItemKind::Method, &[2, 3, 4, 5]);
    let text = "use rand::S;\nstr::replace(a, b);\nmem::replace(a, b);\na.replace;\nS::replace(a);\n0..replace(1);";
    check(text, "S::replace", ItemKind::Method, &[5]);
    check("use rand::E;\nE::A;\nF::A;\nA;", "E::A", ItemKind::Variant, &[2]);
    check("use rand;\nx.len;\nx.len();\nlen;", "S::len", ItemKind::Field, &[2]);
    check("use rand;\nrand::m!();\nm!();\nm();", "m", ItemKind::Macro, &[2, 3]);
}

#[test]
fn other_names_texts_and_files_do_not_count() {
    check(
        "use rand::x;\n// thread_rng\n/* thread_rng /* */ thread_rng */\nlet s = \"thread_rng\\\" thread_rng\";\nr#\"thread_rng\" \"#; b\"thread_rng\"; thread_rng2();\n'a'; '\\''; thread_rng",
        "thread_rng",
        ItemKind::Function,
        &[6],
    );
    check("use other::thread_rng;", "thread_rng", ItemKind::Function, &[]);
    check("let rand = 1;\nrand.x(thread_rng());", "thread_rng", ItemKind::Function, &[]);
    check("mod rand;\nx.gen();", "Rng::gen", ItemKind::Method, &[]);
    check("extern crate rand;\nx.gen();", "Rng::gen", ItemKind::Method, &[2]);
    check("fn f(r: &mut impl ::rand::Rng) {\nr.gen() }", "Rng::gen", ItemKind::Method, &[2]);
    check("use rand::x; fn thread_rng() {} self.thread_rng();", "thread_rng", ItemKind::Function, &[]);
}

#[test]
fn broken_text_ends() {
    for text in
        ["\"", "'", "'\\", "r#\"", "/*", "b\"", "r#", "'é", "br##\"#", "é'\"", "\\", "0x", "'\\u{1f600}'", "c\""]
    {
        split_tokens(text);
        split_tokens(&text.repeat(100));
    }
    let lines: Vec<usize> = split_tokens("a\n\"\n\n\"b /*\n*/ c").iter().map(|token| token.line).collect();
    assert_eq!(lines, [1, 4, 5]);
}
