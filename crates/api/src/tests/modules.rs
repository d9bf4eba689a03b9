use super::{TestCrate, check};

#[test]
fn only_what_is_public_is_listed() {
    check(
        "pub fn a() {} fn b() {} pub(crate) fn c() {} pub(self) struct D; pub(super) enum E {} pub(in crate) const F: u8 = 1;",
        &["function a"],
    );
    check(
        "pub struct S { pub a: u8, b: u8 } impl S { pub fn m(&self) {} fn n() {} pub const C: u8 = 1; pub(crate) fn o() {} }",
        &["struct S", "const S::C", "field S::a", "method S::m"],
    );
    check("mod private { pub fn a() {} pub mod b { pub fn c() {} } }", &[]);
    check("pub mod a { pub mod b { pub fn c() {} } fn d() {} }", &["module a", "module a::b", "function a::b::c"]);
}

#[test]
fn every_kind_is_told_apart() {
    check(
        "pub union U { pub a: u8 } pub enum E { A, B(u8), C { x: u8 } } pub static S: u8 = 1; pub static mut M: u8 = 1;
         pub type T = u8; pub trait Tr { type X; const Y: u8; fn z(); } pub macro m() {} pub trait Alias = Tr;
         extern \"C\" { pub fn f(x: u8); pub static G: u8; fn private(); }",
        &[
            "trait Alias",
            "enum E",
            "variant E::A",
            "variant E::B",
            "variant E::C",
            "static G",
            "static M",
            "static S",
            "type T",
            "trait Tr",
            "type Tr::X",
            "const Tr::Y",
            "method Tr::z",
            "union U",
            "field U::a",
            "function f",
            "macro m",
        ],
    );
}

#[test]
fn files_of_modules_are_found() {
    let krate = TestCrate::new("pub mod a; pub mod b; #[path = \"other/x.rs\"] pub mod c; pub mod d { pub mod e; }")
        .file("src/a.rs", "pub mod f; pub struct A;")
        .file("src/a/f.rs", "pub fn g() {}")
        .file("src/b/mod.rs", "pub mod h;")
        .file("src/b/h.rs", "pub fn i() {}")
        .file("src/other/x.rs", "pub mod y;")
        .file("src/other/y.rs", "pub fn j() {}")
        .file("src/d/e.rs", "pub fn k() {}");
    let functions: Vec<String> = krate.listing().into_iter().filter(|item| item.starts_with("function")).collect();
    assert_eq!(functions, ["function a::f::g", "function b::h::i", "function c::y::j", "function d::e::k"]);
    assert!(krate.index().completeness.is_complete());
}

#[test]
fn paths_depend_on_conditions() {
    let krate =
        TestCrate::new("#[cfg_attr(unix, path = \"unix.rs\")] #[cfg_attr(windows, path = \"win.rs\")] pub mod sys;")
            .file("src/unix.rs", "pub fn fork() {}")
            .file("src/win.rs", "pub fn handle() {}");
    assert_eq!(krate.listing(), ["module sys", "function sys::fork"]);
}

#[test]
fn a_missing_file_is_said_and_the_rest_stays() {
    let krate = TestCrate::new("pub mod gone; pub fn f() {}");
    assert_eq!(krate.listing(), ["function f", "module gone"]);
    assert_eq!(krate.index().completeness.reasons, ["the file of the module `gone` cannot be read"]);
}

#[test]
fn features_count_at_every_level() {
    check(
        "#[cfg(feature = \"off\")] pub mod m { pub struct S { #[cfg(feature = \"on\")] pub f: u8 } }
         #[cfg(feature = \"on\")] pub enum E { A, #[cfg(feature = \"off\")] B, #[cfg(windows)] C }
         #[cfg(not(feature = \"on\"))] pub fn never() {}
         #[cfg(test)] pub mod tests { pub fn t() {} }",
        &[
            "enum E [on]",
            "variant E::A [on]",
            "-variant E::B [on and off]",
            "-module m [off]",
            "-struct m::S [off]",
            "-field m::S::f [off and on]",
        ],
    );
    let file = TestCrate::new("pub mod m;").file("src/m.rs", "#![cfg(feature = \"off\")] pub fn f() {}");
    assert_eq!(file.listing(), ["module m", "-function m::f [off]"]);
}

#[test]
fn what_is_on_hides_what_is_off() {
    let krate = TestCrate::new(
        "#[cfg(feature = \"off\")] mod imp { pub fn f(x: u8) {} } #[cfg(not(feature = \"off\"))] mod imp { pub fn f() {} }
         pub use imp::f;",
    );
    assert_eq!(krate.listing(), ["function f"]);
    assert_eq!(
        krate.index().items.iter().find(|item| item.path == "f").map(|item| item.signature.as_str()),
        Some("pub fn f()")
    );
}

#[test]
fn hidden_items_are_left_out() {
    check(
        "#[doc(hidden)] pub fn a() {} #[doc(hidden)] pub mod b { pub struct Shown; #[doc(hidden)] pub struct Hidden; }
         pub use b::{Shown, Hidden}; pub struct S; impl S { #[doc(hidden)] pub fn m() {} } #[doc(hidden)] impl S { pub fn n() {} }",
        &["struct S", "struct Shown"],
    );
}

#[test]
fn lines_are_those_after_attributes() {
    let krate = TestCrate::new(
        "\n/// Docs.\n#[inline]\npub fn f() {}\npub struct S;\nimpl S {\n    /// M.\n    pub fn m() {}\n}\n",
    );
    let lines: Vec<(String, u32)> = krate.index().items.into_iter().map(|item| (item.path, item.line)).collect();
    assert_eq!(lines, [(String::new(), 1), ("S".to_owned(), 5), ("S::m".to_owned(), 8), ("f".to_owned(), 4)]);
}

#[test]
fn a_script_line_and_a_byte_order_mark_are_no_code() {
    for start in ["\u{feff}", "#!/usr/bin/env run\n", "#![allow(x)]\n"] {
        assert_eq!(TestCrate::new(&format!("{start}pub fn f() {{}}")).listing(), ["function f"], "{start}");
    }
}
