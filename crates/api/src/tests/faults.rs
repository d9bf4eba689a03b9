use super::{TestCrate, check};

/// Compares the listing, and says that something is missing.
fn check_fault(root: &str, expected: &[&str]) {
    check(root, expected);
    let reasons = TestCrate::new(root).index().completeness.reasons;
    assert_eq!(reasons, ["`src/lib.rs` has items that cannot be read"], "{root}");
}

#[test]
fn one_fault_costs_one_item() {
    check("pub struct A; pub fn f(x: [u8; 1 2]) {} pub struct B;", &["struct A", "struct B", "function f"]);
    check_fault("pub struct A; pub static (x u8); pub struct B;", &["struct A", "struct B"]);
    check_fault("pub struct A; pub struct X<T: (1 2)>(T); pub struct B;", &["struct A", "struct B"]);
    check_fault(
        "pub mod m { pub fn f() {} pub fn (x: (1 2)) {} pub fn g() {} }",
        &["module m", "function m::f", "function m::g"],
    );
}

#[test]
fn one_fault_in_a_member_costs_one_member() {
    check_fault(
        "pub struct A; impl A { pub fn one(&self) {} pub fn (x: (1 2)) {} pub fn two(&self) {} }",
        &["struct A", "method A::one", "method A::two"],
    );
    check_fault("pub trait T { fn a(); const (1 2): u8; fn b(); }", &["trait T", "method T::a", "method T::b"]);
    check_fault("pub struct S { pub a: u8, pub (1 2), pub b: u8 }", &["struct S", "field S::a", "field S::b"]);
    check_fault("pub enum E { A, [1 2], B }", &["enum E", "variant E::A", "variant E::B"]);
    check_fault("pub enum E { A { (1 2), b: u8 }, B }", &["enum E", "variant E::A", "variant E::B"]);
}

#[test]
fn syntax_of_early_editions_is_read_as_it_is() {
    for (root, path, expected) in [
        ("pub fn f(f: &Fn(u8)) {}", "f", "pub fn f(f: &Fn(u8))"),
        (
            "pub fn f() -> Box<Fn(u8) -> u8 + Send> where T: A, {}",
            "f",
            "pub fn f() -> Box<Fn(u8) -> u8 + Send> where T: A",
        ),
        ("pub fn f<T>(x: T) -> &'static Fn(T) {}", "f", "pub fn f<T>(x: T) -> &'static Fn(T)"),
        ("pub struct S; impl S { pub fn m(&self, f: &Fn(u8)) {} }", "S::m", "pub fn m(&self, f: &Fn(u8))"),
        ("pub trait T { fn anon(u8, &str); }", "T::anon", "fn anon(u8, &str)"),
        ("pub trait T { fn anon(&self, Vec<u8>) -> u8 { 1 } }", "T::anon", "fn anon(&self, _: Vec<u8>) -> u8"),
        ("pub type F = Box<Fn(u8) -> u8>;", "F", "pub type F = Box<Fn(u8) -> u8>"),
        ("pub type F = Fn(u8);", "F", "pub type F = Fn(u8)"),
        ("pub const C: &'static Fn(u8) = &f;", "C", "pub const C: &'static Fn(u8)"),
        ("pub static C: &'static Fn(u8) -> u8 = &f;", "C", "pub static C: &'static Fn(u8) -> u8"),
        ("pub struct S { pub f: Box<FnMut(u8, u8)>, pub g: u8 }", "S::f", "pub f: Box<FnMut(u8, u8)>"),
        ("pub struct S(pub Box<FnMut(u8)>, u8);", "S", "pub struct S(pub Box<FnMut(u8)>, _)"),
        ("pub enum E { A(&'static Fn(u8), u8), B { f: Box<Fn()> } }", "E::A", "A(&'static Fn(u8), u8)"),
        ("pub struct S; impl T<Box<Fn(u8)>> for S {} impl S { pub fn f() {} }", "S::f", "pub fn f()"),
        ("pub struct S<T>(T); impl<T> S<Box<Fn(T)>> where T: A { pub fn f() {} }", "S::f", "pub fn f()"),
    ] {
        let index = TestCrate::new(root).edition_2015().index();
        let found = index.items.iter().find(|item| item.path == path).map(|item| item.signature.as_str());
        assert_eq!(found, Some(expected), "{root}");
        assert!(index.completeness.is_complete(), "{root}: {:?}", index.completeness);
    }
    let index = TestCrate::new("pub struct S; impl T<Box<Fn(u8)>> for S {} impl<'a> U for &'a S { }").index();
    let found = index.items.iter().find(|item| item.path == "S").map(|item| item.implements.clone());
    assert_eq!(found, Some(vec!["T<Box<Fn(u8)>>".to_owned()]));
}
