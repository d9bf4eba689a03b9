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
    check("pub fn a() {}", "#[doc(hidden)] pub fn a() {}", &["removed function a"]);
    check(
        "pub struct S; impl S { pub fn m() {} pub fn n() {} }",
        "pub struct S; impl S { pub fn n() {} }",
        &["removed method S::m"],
    );
    check("pub struct S { pub a: u8 } impl S { pub fn m() {} }", "", &["removed struct S"]);
    check("pub mod m { pub struct S; }", "pub fn f() {}", &["removed module m", "added function f"]);
    check("pub struct A;", "pub enum A {}", &["removed struct A", "added enum A"]);
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
