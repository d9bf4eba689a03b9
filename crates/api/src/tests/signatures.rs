use super::TestCrate;

fn check(root: &str, path: &str, expected: &str) {
    let index = TestCrate::new(root).index();
    let found = index.items.iter().find(|item| item.path == path).map(|item| item.signature.as_str());
    assert_eq!(found, Some(expected), "{root}");
}

#[test]
fn signatures_are_written_as_rustdoc_does() {
    check(
        "pub fn f(mut a: u8, (b, c): (u8, u8), _: u8, #[x] d: u8,) -> u8 { 1 }",
        "f",
        "pub fn f(a: u8, _: (u8, u8), _: u8, d: u8) -> u8",
    );
    check("pub fn f<T>() where T: A, T: B, 'a: 'b, U: C, {}", "f", "pub fn f<T>() where T: A + B, U: C, 'a: 'b");
    check("pub extern fn f() {}", "f", "pub extern \"C\" fn f()");
    check("pub const unsafe fn f() {}", "f", "pub const unsafe fn f()");
    check("pub struct S; impl S { pub fn m(self: &Self) {} }", "S::m", "pub fn m(&self)");
    check("pub struct S; impl S { pub fn m(self: &'a mut Self) {} }", "S::m", "pub fn m(&'a mut self)");
    check("pub struct S; impl S { pub fn m(self: Box<Self>) {} }", "S::m", "pub fn m(self: Box<Self>)");
    check("pub struct S; impl S { pub fn m(mut self) {} }", "S::m", "pub fn m(self)");
    check(
        "pub struct S<'a, T: 'a = u8, const N: usize = 1> where T: X { a: &'a T }",
        "S",
        "pub struct S<'a, T: 'a = u8, const N: usize = 1> where T: X",
    );
    check("pub struct S<#[a] const N: usize = 3>(pub [u8; N]);", "S", "pub struct S<const N: usize = 3>(pub [u8; N])");
    check("pub struct S<T>(pub T, u8) where T: X;", "S", "pub struct S<T>(pub T, _) where T: X");
    check(
        "pub unsafe trait T<X>: A + for<'a> B<'a> where X: C {}",
        "T",
        "pub unsafe trait T<X>: A + for<'a> B<'a> where X: C",
    );
    check("pub trait T { type X<'a>: A + 'a where Self: 'a; }", "T::X", "type X<'a>: A + 'a where Self: 'a");
    check("pub trait T { const N: usize = 1; }", "T::N", "const N: usize");
    check("pub enum E { A(u8, #[x] B), }", "E::A", "A(u8, B)");
    check("pub enum E { /// Doc.\n C { /// X.\n x: u8, y: Vec<u8>, } = 3 }", "E::C", "C { x: u8, y: Vec<u8> }");
    check("pub type T<X> = Result<X, E>;", "T", "pub type T<X> = Result<X, E>");
    check("pub static mut S: [u8; 2] = [1, 2];", "S", "pub static mut S: [u8; 2]");
    check("extern { pub fn f(x: u8); }", "f", "pub unsafe extern \"C\" fn f(x: u8)");
    check("unsafe extern \"system\" { pub safe fn f(x: u8); }", "f", "pub extern \"system\" fn f(x: u8)");
    check("pub fn f(x: &'_ mut u8) -> A<'_> {}", "f", "pub fn f(x: &mut u8) -> A<'_>");
    check("pub fn r#type() {}", "type", "pub fn r#type()");
}

#[test]
fn facts_beside_the_signature_are_kept() {
    let root = "/// First\n/// line.\n///\n/// More.\n#[deprecated(since = \"0.9\", note = \"use `rng`\")]\n#[derive(Debug, Clone)]\npub struct S;\nimpl From<u8> for S {}\nimpl std::fmt::Display for S {}";
    let index = TestCrate::new(root).index();
    let item = index.items.iter().find(|item| item.path == "S").expect("S");
    assert_eq!(item.docs, "First line.");
    assert_eq!(item.deprecated.as_deref(), Some("since 0.9: use `rng`"));
    assert_eq!(item.implements, ["Debug", "Clone", "From<u8>", "std::fmt::Display"]);
    assert_eq!((item.file.as_str(), item.line), ("src/lib.rs", 7));
}

#[test]
fn an_index_survives_being_written() {
    let krate = TestCrate::new(
        "/// D.\npub struct S { pub f: u8 }\n#[macro_export] macro_rules! m { ($x:expr) => { $x } }\npub use S as T; pub use std::io;",
    );
    let index = krate.index();
    let text = serde_json::to_string(&index).expect("JSON");
    assert_eq!(serde_json::from_str::<crate::CrateIndex>(&text).expect("an index"), index);
}
