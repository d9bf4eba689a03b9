use super::*;
use crate::tests::TestCrate;

fn check(before: &str, after: &str, expected: &[&str]) {
    let changes = compare_indexes(&TestCrate::new(before).index(), &TestCrate::new(after).index());
    let shown: Vec<String> = changes
        .iter()
        .map(|change| format!("{} {} {}", change.change.word(), change.kind.word(), change.path))
        .collect();
    assert_eq!(shown, expected, "{before}\n{after}");
}

#[test]
fn differences_are_named_once() {
    check("pub fn a() {}", "pub fn a() {}", &[]);
    check("pub fn a() {}", "pub fn b() {}", &["removed function a", "added function b"]);
    check("pub fn a() {}", "pub fn a(x: u8) {}", &["changed function a"]);
    check(
        "pub fn a() {}",
        "#[deprecated = \"use b\"] pub fn a() {} pub fn b() {}",
        &["deprecated function a", "added function b"],
    );
    check(
        "pub struct S; impl S { pub fn m() {} pub fn n() {} }",
        "pub struct S; impl S { pub fn n() {} }",
        &["removed method S::m"],
    );
    check("pub struct S { pub a: u8 } impl S { pub fn m() {} }", "", &["removed struct S"]);
    check("pub mod m { pub struct S; }", "pub fn f() {}", &["removed module m", "added function f"]);
}

#[test]
fn what_became_another_kind_is_changed() {
    check("pub struct A;", "pub enum A {}", &["changed enum A"]);
    check(
        "pub struct B; impl B { pub fn m() {} } pub type C = B;",
        "mod a { pub struct D; impl D { pub fn m() {} } } pub type B = a::D; pub use a::D as C;",
        &["changed type B", "changed struct C"],
    );
    check("pub const F: fn() = f;", "pub fn F() {}", &["changed function F"]);
    // Names of different kinds of use stay apart.
    check("pub mod m {}", "#[macro_export] macro_rules! m { () => {} }", &["removed module m", "added macro m"]);
    check("pub fn a() {} pub mod a {}", "pub mod a {}", &["removed function a"]);
    check(
        "pub struct S { pub a: u8 } impl S { pub fn a(&self) {} }",
        "pub struct S; impl S { pub fn a(&self) {} }",
        &["removed field S::a"],
    );
}

#[test]
fn what_is_hidden_still_exists() {
    check("pub fn a() {}", "#[doc(hidden)] pub fn a() {}", &[]);
    check("pub fn a() {}", "#[doc(hidden)] pub fn a(x: u8) {}", &[]);
    check("pub fn a() {}", "#[doc(hidden)] #[deprecated] pub fn a() {}", &["deprecated function a"]);
    check("#[doc(hidden)] pub fn a() {}", "pub fn a() {}", &["added function a"]);
    check("#[doc(hidden)] pub fn a() {}", "", &[]);
    check(
        "pub mod task { pub fn unconstrained() {} }",
        "pub mod task { pub mod coop { pub fn unconstrained() {} } #[doc(hidden)] pub use coop::unconstrained; }",
        &["added module task::coop"],
    );
    let off = "#[cfg(feature = \"macros\")] pub use absent::main;";
    check("pub fn main() {}", off, &[]);
    check(off, "pub fn main() {}", &[]);
    check("pub mod m { pub fn f() {} }", "#[doc(hidden)] pub mod m { pub fn f() {} }", &[]);
}

#[test]
fn what_can_still_be_reached_is_not_removed() {
    check(
        "pub mod a { pub struct S; impl S { pub fn m() {} } }",
        "pub mod a { pub use crate::S; } pub struct S; impl S { pub fn m() {} }",
        &["added struct S"],
    );
    check("pub mod a { pub struct S; }", "pub mod b { pub struct S; } pub use b as a;", &["added module b"]);
}
