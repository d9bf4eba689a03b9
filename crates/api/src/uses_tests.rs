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
    let text = "use rand::S;\nv.map(rand::S::old);\nv.for_each(S::old);\nlet f = S::old;\nother::S::old;\nstr::old;\n\
                v.map(<S>::old);\nS.old;\nold;\nv.map(Vec::<S>::old);\n";
    check(text, "S::old", ItemKind::Method, &[2, 3, 4, 7, 10]);
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
fn the_head_of_a_path_says_whose_item_it_is() {
    let of = |text: &str, lines: &[usize]| check(text, "thread_rng", ItemKind::Function, lines);
    of(
        "use rand::Rng;\nrand8::thread_rng();\n::rand8::thread_rng();\nrand::thread_rng();\n::rand::thread_rng();",
        &[4, 5],
    );
    of("use rand::Rng;\nuse rand8::thread_rng;\nthread_rng();", &[]);
    of("use rand::Rng;\nuse rand8::{a, b::{thread_rng, c}};\nthread_rng();", &[]);
    of("use rand::{self, Rng};\nuse rand as r;\nr::thread_rng();\nself::thread_rng();\ncrate::thread_rng();", &[3]);
    of("extern crate rand as r;\nuse rand::Rng;\nr::thread_rng();", &[3]);
    of("use rand::Rng;\nuse rand8 as r;\nr::thread_rng();\nuse r::thread_rng;", &[]);
    of("use rand::prelude::*;\nthread_rng();\nother::thread_rng();\nfn thread_rng() {}", &[2]);
    of("mod a { use rand8::thread_rng; }\nmod b { use rand::thread_rng;\nfn f() { thread_rng(); } }", &[2, 3]);
    of("use {rand::thread_rng as t, std::fmt};\nt();", &[1]);
    of("use rand::rngs;\nuse rand::*;\n", &[]);
    let of = |text: &str, lines: &[usize]| check(text, "rngs::OsRng", ItemKind::Struct, lines);
    of("use rand::rngs;\nrngs::OsRng;\nother::OsRng;", &[2]);
    of("use rand::*;\nrngs::OsRng;\nlet x: rngs::OsRng = 1;\ncrate::rngs::OsRng;", &[2, 3]);
    of("use rand::Rng;\nrngs::OsRng;\nx::<rand::rngs::OsRng>();\na::rand::rngs::OsRng;", &[3]);
    let of = |text: &str, lines: &[usize]| check(text, "Rng::gen", ItemKind::Method, lines);
    of("use rand::thread_rng;\nrand8::Rng::gen(r);\nrand::Rng::gen(r);\nRng::gen(r);", &[3, 4]);
    of("use rand::thread_rng;\nuse rand8::Rng;\nRng::gen(r);\nr.gen();", &[4]);
    check("use rand::x;\nrand8::m!();\nuse rand8::m;\nrand::m!();", "m", ItemKind::Macro, &[4]);
    check("use rand::x;\nrand8::E::A;\nrand::E::A;", "E::A", ItemKind::Variant, &[3]);
}

#[test]
fn broken_text_ends() {
    for text in
        ["\"", "'", "'\\", "r#\"", "/*", "b\"", "r#", "'é", "br##\"#", "é'\"", "\\", "0x", "'\\u{1f600}'", "c\""]
    {
        split_tokens(text);
        for text in
            [format!("use rand::{text}"), format!("use rand::x; use {{{text}"), format!("use rand::x; a::{text}::x")]
        {
            check(&text, "absent", ItemKind::Function, &[]);
        }
        split_tokens(&text.repeat(100));
    }
    let lines: Vec<usize> = split_tokens("a\n\"\n\n\"b /*\n*/ c").iter().map(|token| token.line).collect();
    assert_eq!(lines, [1, 4, 5]);
}
