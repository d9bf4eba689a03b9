//! Tables of Rust text and the crates it names; properties over any bytes.

use proptest::prelude::*;

use super::find_mentions;

const NAMES: [&str; 9] = ["serde", "tokio", "time", "rand", "log", "serde_json", "r#async", "bytes", "type_map"];

fn named(text: &str) -> Vec<&'static str> {
    find_mentions(text.as_bytes(), &NAMES).into_iter().filter_map(|index| NAMES.get(index).copied()).collect()
}

#[test]
fn crates_are_named_by_use_extern_crate_and_paths() {
    let cases: &[(&str, &[&str])] = &[
        ("use serde::Serialize;", &["serde"]),
        ("use serde;", &["serde"]),
        ("pub(crate) use serde as s;", &["serde"]),
        ("use serde::{self, Deserialize};", &["serde"]),
        ("use {tokio::spawn, serde::Serialize};", &["tokio", "serde"]),
        ("use ::serde::Serialize;", &["serde"]),
        ("use serde_json::{json, Value as V};", &["serde_json"]),
        ("extern crate serde;", &["serde"]),
        ("#[macro_use] extern crate log as logging;", &["log"]),
        ("fn f() -> ::time::Instant { todo!() }", &["time"]),
        ("fn f(x: Vec<serde_json::Value>) {}", &["serde_json"]),
        ("#[derive(serde::Serialize)] struct A;", &["serde"]),
        ("#[tokio::main] async fn main() {}", &["tokio"]),
        ("fn f() { log::info!(\"x\") }", &["log"]),
        ("fn f() { serde :: de :: x() }", &["serde"]),
        ("fn f() { <serde_json::Value as X>::y() }", &["serde_json"]),
        ("fn f() { for _ in 0..rand::random() {} }", &["rand"]),
        ("fn f() { if ::rand::random() { return ::time::now(); } }", &["rand", "time"]),
        ("struct A(#[serde(skip)] ::time::Instant);", &["time"]),
        ("fn f() { x } ::tokio::spawn(y);", &["tokio"]),
        ("let x = r#type_map::y;", &["type_map"]),
        ("use a::b; use rand::Rng;", &["rand"]),
        ("use serde::de::{self, time};", &["serde"]),
        ("macro_rules! m { () => { ::serde::x!() } }", &["serde"]),
        ("fn f<'time>(x: &'time str) { let c = 'a'; tokio::spawn(c) }", &["tokio"]),
        ("use tokio::time; fn f() { ::time::now() }", &["tokio", "time"]),
    ];
    for (text, expected) in cases {
        assert_eq!(named(text), *expected, "{text}");
    }
}

#[test]
fn other_things_name_no_crate() {
    for text in [
        "",
        "serde",
        "let serde = 1; serde.x()",
        "// use serde::X;\n",
        "/* use serde::X; /* serde::y */ serde::z */",
        "/// serde::X\nfn f() {}",
        "let s = \"use serde::X; \\\" serde::y\";",
        "let s = r\"serde::x\";",
        "let s = r##\"serde::x \"# serde::y\"##;",
        "let s = b\"serde::x\"; let t = br#\"serde::y\"#; let u = c\"serde::z\";",
        "use crate::serde::X;",
        "use super::serde;",
        "use self::rand::Rng;",
        "fn f() { crate::serde::x() }",
        "fn f() { x.serde::<u8>() }",
        "fn f() { log::<f64>() }",
        "fn f() { my::serde::x() }",
        "fn f() { T::serde::x() }",
        "fn f() { <T>::serde::x() }",
        "mod time; fn f() { time::now() }",
        "pub mod time { } use time::Instant;",
        "use std::time; fn f() { time::Instant::now() }",
        "use std::{time, fmt}; fn f() { time::Instant::now() }",
        "use std::{time::{self, Duration}}; fn f() { time::Instant::now() }",
        "use std::collections as time; fn f() { time::x() }",
        "macro_rules! m { ($serde:ident) => { $serde::x() } }",
        "macro_rules! m { () => { $crate::serde::x() } }",
        "quote! { #serde::x }",
        "fn f() -> impl Sized + use<'a> { 1 }",
        "let x = 1serde::y;",
        "enum E { serde }",
        "Foo { rand: 1 }",
        "'serde::x",
    ] {
        assert_eq!(named(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn crates_with_names_of_keywords_are_named_in_their_raw_form() {
    let names = ["async", "try", "type"];
    for (text, expected) in [
        ("use r#async::Task;", vec!["async"]),
        ("fn f() { r#try::now() }", vec!["try"]),
        ("async fn f() { async move {}.await }", vec![]),
        ("mod r#try; fn f() { r#try::now() }", vec![]),
    ] {
        let found: Vec<&str> = find_mentions(text.as_bytes(), &names).into_iter().map(|at| names[at]).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn the_order_is_that_of_the_text_and_each_is_named_once() {
    let text = "use tokio::a; fn f() { rand::b(); serde::c(); tokio::d(); rand::e() }";
    assert_eq!(named(text), ["tokio", "rand", "serde"]);
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_the_end(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        find_mentions(&bytes, &NAMES);
    }

    #[test]
    fn pieces_of_rust_in_any_order_are_read_to_the_end(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "use ", "serde", "::", "{", "}", ";", ",", "\"", "'", "/*", "*/", "//", "\n", "r#", "b'", "as ", "self", "mod ", "extern crate ",
            "\\", "#", "<", ">", "é", "1.", "..", "$", "tokio::x", " ",
        ]), 0..80)
    ) {
        find_mentions(pieces.concat().as_bytes(), &NAMES);
    }

    #[test]
    fn names_in_comments_and_strings_do_not_count(code in "[a-z_ (){};=+.]{0,40}", hidden in "[a-z: ]{0,20}") {
        prop_assume!(!NAMES.iter().any(|name| code.contains(name)));
        let text = format!("{code} /* serde::x {hidden} */ \"tokio::y {hidden}\" // rand::z {hidden}\n");
        prop_assert_eq!(named(&text), Vec::<&str>::new());
    }
}
