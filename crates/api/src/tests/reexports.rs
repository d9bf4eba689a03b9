use super::{TestCrate, check};

#[test]
fn the_shortest_public_path_is_chosen() {
    check("mod a { pub struct S; impl S { pub fn m() {} } } pub use a::S;", &["struct S", "method S::m"]);
    check("pub mod a { pub mod b { pub struct S; } } pub use a::b::S;", &["struct S", "module a", "module a::b"]);
    check(
        "mod a { pub struct S; } pub mod prelude { pub use crate::a::S; } pub mod zebra { pub use crate::a::S; }",
        &["module prelude", "module zebra", "struct zebra::S"],
    );
    check("mod a { pub struct S; } pub use a::S as T;", &["struct T"]);
    check("mod a { pub fn f() {} pub fn g() {} fn h() {} } pub use a::*;", &["function f", "function g"]);
    check("mod a { pub(crate) fn f() {} pub fn g() {} } pub use a::*;", &["function g"]);
    check("pub use self::m::f; mod m { pub use super::n::f; } mod n { pub fn f() {} }", &["function f"]);
    check(
        "mod e { pub enum E { A, B } } pub use e::E::{self, *};",
        &["variant A", "variant B", "enum E", "variant E::A", "variant E::B"],
    );
    check(
        "mod a { pub struct S; } use a::S; pub type T = S; impl T { pub fn m() {} } pub use a::S as U;",
        &["type T", "struct U", "method U::m"],
    );
}

#[test]
fn signatures_have_the_public_name() {
    let signatures = |krate: &TestCrate| -> Vec<String> {
        let items = krate.index().items.into_iter().filter(|item| !item.path.is_empty());
        items.map(|item| item.signature).collect()
    };
    let other = TestCrate::new(
        "mod a { pub enum Error { A } impl Error { pub fn is_error(&self) {} } pub fn f(x: Error) -> Error {} }
         pub use a::{Error as WeightError, f};",
    )
    .named("other", "1.0.0");
    let expected = ["pub enum WeightError", "A", "pub fn is_error(&self)", "pub fn f(x: Error) -> Error"];
    assert_eq!(signatures(&other), expected);
    let krate =
        TestCrate::new("pub use other::{WeightError as E, f as g, WeightError::A as B};").dependency("other", &other);
    let expected = ["B", "pub enum E", "A", "pub fn is_error(&self)", "pub fn g(x: Error) -> Error"];
    assert_eq!(signatures(&krate), expected);
}

#[test]
fn names_of_absent_crates_need_their_feature() {
    let off_names = |root: &str| -> Vec<String> {
        let names = TestCrate::new(root).index().off_names.into_iter();
        names.map(|name| format!("{} [{}]", name.path, name.feature.unwrap_or_default())).collect()
    };
    for (root, expected) in [
        ("#[cfg(feature = \"macros\")] pub use absent::main;", &["main [macros]"] as &[_]),
        (
            "macro_rules! gated { ($($i:item)*) => { $(#[cfg(feature = \"macros\")] $i)* } }
             gated! { #[cfg(feature = \"rt\")] pub use absent::main_rt as main; }",
            &["main [macros and rt]"],
        ),
        // Through a private module and another name.
        (
            "#[cfg(feature = \"macros\")] mod inner { pub use absent::a; pub use absent::b as c; } 
             #[cfg(feature = \"macros\")] pub use inner::*; pub mod m { #[cfg(feature = \"macros\")] pub use crate::inner::c; }",
            &["a [macros]", "c [macros]"],
        ),
        // What is there under the same name is what the name means.
        ("#[cfg(feature = \"derive\")] pub use absent::Serialize; pub trait Serialize {}", &[]),
        ("#[cfg(feature = \"a\")] #[doc(hidden)] pub use absent::x;", &[]),
        ("#[cfg(feature = \"a\")] use absent::x;", &[]),
        ("pub use absent::x;", &[]),
        ("#[cfg(feature = \"a\")] mod imp { pub fn f() {} } #[cfg(feature = \"a\")] pub use imp::f;", &[]),
    ] {
        assert_eq!(off_names(root), expected, "{root}");
    }
}

#[test]
fn named_items_hide_those_of_globs() {
    check(
        "mod a { pub struct S; pub fn f() {} } mod b { pub use crate::a::*; pub enum S { X } } pub use b::*;",
        &["enum S", "variant S::X", "function f"],
    );
}

#[test]
fn names_that_two_globs_bring_cannot_be_used() {
    let modules = "pub mod a { pub struct X; pub struct Y; pub fn X() {} } pub mod b { pub struct X; }
         pub use a::*; pub use b::*;";
    let below = ["module a", "struct a::X", "module b", "struct b::X"];
    let with = |more: &[&'static str]| [more, &below[..]].concat();
    let mut expected = with(&["function X", "struct Y"]);
    check(modules, &expected);
    expected.retain(|name| *name != "struct b::X");
    expected.insert(0, "struct X");
    check(&format!("{modules} pub use b::X;"), &expected);
    // The same item twice is one item, and what is off is not in the way.
    check("mod a { pub struct X; } mod b { pub use crate::a::X; } pub use a::*; pub use b::*;", &["struct X"]);
    check(
        "mod a { pub use std::fmt::Debug; } mod b { pub use core::fmt::Debug; } pub use a::*; pub use b::*;",
        &["trait Debug"],
    );
    // Of the standard library only the paths are known.
    for (one, other, is_same) in [
        ("std::fmt::Result", "std::io::Result", false),
        ("std::fmt::Error", "std::error::Error", false),
        ("core::fmt::Result", "std::fmt::Result", true),
        ("std::collections::HashMap", "std::collections::hash_map::HashMap", true),
        ("std::prelude::v1::Vec", "alloc::vec::Vec", true),
        ("std::os::raw::c_int", "core::ffi::c_int", true),
    ] {
        let root = format!("mod a {{ pub use {one}; }} mod b {{ pub use {other}; }} pub use a::*; pub use b::*;");
        assert_eq!(TestCrate::new(&root).listing().len(), usize::from(is_same), "{one} {other}");
        let a = TestCrate::new(&format!("pub use {one};")).named("a", "1.0.0");
        let b = TestCrate::new(&format!("pub use {other};")).named("b", "1.0.0");
        let krate = TestCrate::new("pub use a::*; pub use b::*;").dependency("a", &a).dependency("b", &b);
        assert_eq!(krate.listing().len(), usize::from(is_same), "{one} {other}");
    }
    check(
        "mod a { pub struct X; } #[cfg(feature = \"off\")] mod b { pub struct X; }
         pub use a::*; #[cfg(feature = \"off\")] pub use b::*;",
        &["struct X"],
    );
    let other = TestCrate::new("pub mod m { pub struct X; } pub use m::X;").named("other", "1.0.0");
    let krate = TestCrate::new("pub use other::*; mod inner { pub use other::m::*; } pub use inner::*;");
    assert_eq!(krate.dependency("other", &other).listing(), ["struct X", "module m"]);
}

#[test]
fn names_may_mean_several_things() {
    check(
        "mod a { pub fn x() {} pub mod x { pub struct S; } #[macro_export] macro_rules! x { () => {} } } pub use a::x;",
        &["module x", "function x", "macro x", "struct x::S"],
    );
}

#[test]
fn cycles_end() {
    check(
        "pub mod a { pub use super::b::*; pub fn f() {} } pub mod b { pub use super::a::*; pub fn g() {} }",
        &["module a", "function a::f", "module b", "function b::g"],
    );
    check("pub use self::x as y; pub use self::y as x;", &[]);
    check("pub mod a { pub use crate as me; } pub fn f() {}", &["module a", "function f"]);
    check("pub use crate::*; pub fn f() {}", &["function f"]);
}

#[test]
fn other_crates_are_followed() {
    let core = TestCrate::new(
        "mod imp { pub trait Stream { fn next(&self); } pub struct Map; impl Map { pub fn get(&self) {} } }
         pub mod stream { pub use crate::imp::{Map, Stream}; } #[doc(hidden)] pub mod __private { pub struct P; }
         pub use stream::Stream as RootStream;",
    )
    .named("core_crate", "0.3.1");
    let listing = |root: &str| TestCrate::new(root).dependency("renamed", &core).listing();
    assert_eq!(listing("pub use renamed::stream::Map;"), ["struct Map", "method Map::get"]);
    assert_eq!(listing("pub use renamed::RootStream;"), ["trait RootStream", "method RootStream::next"]);
    assert_eq!(
        listing("pub use renamed::stream;"),
        [
            "module stream",
            "struct stream::Map",
            "method stream::Map::get",
            "trait stream::Stream",
            "method stream::Stream::next"
        ]
    );
    assert_eq!(listing("pub use renamed as other;"), ["module other"]);
    assert_eq!(
        listing("pub use renamed::*;"),
        [
            "trait RootStream",
            "method RootStream::next",
            "module stream",
            "struct stream::Map",
            "method stream::Map::get"
        ]
    );
    assert_eq!(listing("pub use renamed::__private::P;"), ["struct P"]);
    assert_eq!(listing("pub extern crate renamed;"), ["module renamed"]);

    let middle = TestCrate::new("pub use core_crate::stream; pub use core_crate;")
        .named("middle", "1.0.0")
        .dependency("core_crate", &core);
    let top = TestCrate::new("pub use middle::stream::Map; pub use middle::core_crate::RootStream as R;")
        .dependency("middle", &middle);
    assert_eq!(top.listing(), ["struct Map", "method Map::get", "trait R", "method R::next"]);
    let index = top.index();
    let map = index.items.iter().find(|item| item.path == "Map").expect("Map");
    let origin = map.origin.and_then(|origin| index.origins.get(usize::from(origin))).expect("an origin");
    assert_eq!((origin.name.as_str(), map.file.as_str()), ("core_crate", "src/lib.rs"));
}

#[test]
fn the_standard_library_is_named() {
    check(
        "pub use std::task::{Context, Poll}; pub use core::future::Future; pub use std::io; pub use std::io::Result;",
        &["struct Context", "trait Future", "enum Poll", "type Result", "module io"],
    );
}

#[test]
fn paths_of_the_first_edition_begin_at_the_root() {
    let root = "mod a { pub fn f() {} } pub mod b { pub use a::f; }";
    assert_eq!(TestCrate::new(root).edition_2015().listing(), ["module b", "function b::f"]);
}

#[test]
fn impl_blocks_may_be_anywhere() {
    check(
        "mod a { pub struct S; pub trait T {} } pub use a::{S, T}; mod b { use super::a::S as R; impl R { pub fn m() {} } }
         const _: () = { use crate::a::S; impl S { pub fn n() {} } pub struct NotThere; }; impl dyn T { pub fn o(&self) {} }
         impl<X> Clone for S { fn clone(&self) -> S { S } }",
        &["struct S", "method S::m", "method S::n", "trait T", "method T::o"],
    );
}

#[test]
fn items_inside_of_functions_may_be_public() {
    check(
        "pub struct S; fn f() { let x = 1; struct Local; impl Local { pub fn l(&self) {} } impl S { pub fn m(&self) {} } x.y(); }
         impl S { fn g() { impl S { pub fn n(&self) {} } } }
         pub fn h() { if a { 1 } else { 2 }; #[macro_export] macro_rules! shown { () => {} } macro_rules! inner { () => {} } println!(\"\"); }",
        &["struct S", "method S::m", "method S::n", "function h", "macro shown"],
    );
    // What has the name of something outside is something else.
    check("pub struct S; fn f() { struct S; impl S { pub fn l(&self) {} } }", &["struct S"]);
    check("pub struct S; fn f() { fn g() { impl S { pub fn m() {} } } }", &["struct S", "method S::m"]);
    let index = TestCrate::new(
        "pub trait T {} pub struct S; fn f() { impl T for S {} m!(a => b); use x::*; mod inner; let y = absent!(1); }",
    )
    .index();
    assert_eq!(index.items.iter().find(|item| item.path == "S").map(|item| item.implements.len()), Some(1));
    assert!(index.completeness.is_complete(), "{:?}", index.completeness);
    let made =
        "macro_rules! m { ($n:ident) => { pub fn $n() { impl S { pub fn made(&self) {} } } } } pub struct S; m!(f);";
    check(made, &["struct S", "method S::made", "function f"]);
}

#[test]
fn proc_macros_are_listed() {
    check(
        "#[proc_macro] pub fn f(x: T) -> T {} #[proc_macro_attribute] pub fn main(a: T, b: T) -> T {}
         #[proc_macro_derive(Parser, attributes(arg))] pub fn derive_parser(x: T) -> T {}",
        &["derive Parser", "macro f", "attribute main"],
    );
}

#[test]
fn private_globs_bring_names_without_listing_them() {
    let krate = TestCrate::new(
        "pub mod a { use super::*; use crate::hidden::*; impl One { pub fn of_a(&self) {} } }
         mod hidden { use super::*; pub struct Two; impl One { pub fn of_hidden(&self) {} } }
         pub struct One;
         use hidden::*;
         impl Two { pub fn never_named(&self) {} }",
    );
    let index = krate.index();
    let paths: Vec<&str> = index.items.iter().map(|item| item.path.as_str()).collect();
    assert_eq!(paths, ["", "One", "One::of_a", "One::of_hidden", "a"]);
    assert!(index.completeness.is_complete());
}

#[test]
fn many_modules_that_import_each_other_are_bounded() {
    let private: String = (0..600)
        .map(|number| format!("mod m{number} {{ use super::*; pub struct S{number}; }} pub use m{number}::*;\n"))
        .collect::<Vec<_>>()
        .concat();
    let index = TestCrate::new(&private).index();
    assert!(index.completeness.is_complete(), "{:?}", index.completeness);
    assert_eq!(index.items.len(), 601);
    let public = private.replace("use super::*", "pub use super::*");
    let index = TestCrate::new(&public).index();
    assert_eq!(index.completeness.reasons, ["too many names are imported"]);
}
