use super::{TestCrate, check};
use crate::PackageId;

/// A crate with proc macros, and one that re-exports them beside its traits, as `serde` does.
fn with_macros(root: &str) -> TestCrate {
    let derives = TestCrate::new(
        "#[proc_macro_derive(Serialize, attributes(serde))] pub fn a(x: T) -> T {}
         #[proc_macro_derive(Builder)] pub fn b(x: T) -> T {}
         #[proc_macro_derive(Error)] pub fn c(x: T) -> T {}
         #[proc_macro_attribute] pub fn bind(a: T, b: T) -> T {}
         #[proc_macro_attribute] pub fn async_trait(a: T, b: T) -> T {}
         #[proc_macro_attribute] pub fn serde(a: T, b: T) -> T {}
         #[proc_macro] pub fn table(x: T) -> T {}",
    )
    .named("derives", "1.0.0");
    let facade = TestCrate::new(
        "pub trait Serialize {} pub use derives::{Builder, Serialize, table}; pub mod prelude { pub use derives::bind; }",
    )
    .named("facade", "1.0.0")
    .dependency("derives", &derives);
    TestCrate::new(root).dependency("derives", &derives).dependency("facade", &facade)
}

fn reasons(root: &str) -> Vec<String> {
    with_macros(root).index().completeness.reasons
}

#[test]
fn the_input_of_a_proc_macro_is_not_its_result() {
    for root in [
        "derives::table! { pub struct A; } pub fn f() {}",
        "use facade::table; table! { pub struct A; } pub fn f() {}",
        "use facade::table as t; t! { pub struct A; } pub fn f() {}",
        "use facade::*; table! { pub struct A; } pub fn f() {}",
        "#[macro_use] extern crate derives; table! { pub struct A; } pub fn f() {}",
        "late! { pub struct A; } pub fn f() {} use derives::table as late;",
    ] {
        assert_eq!(with_macros(root).listing(), ["function f"], "{root}");
        let reasons = reasons(root);
        assert!(reasons.len() == 1 && reasons[0].starts_with("items made by the macro `"), "{root}: {reasons:?}");
    }
    assert_eq!(reasons("pub struct S; impl S { derives::table! { pub fn m() {} } }").len(), 1);
}

#[test]
fn derives_that_only_implement_a_trait_hide_nothing() {
    for root in [
        "#[derive(Debug, Clone, std::hash::Hash)] pub struct S;",
        "use facade::Serialize; #[derive(Serialize)] pub struct S;",
        "#[derive(facade::Serialize)] #[serde(rename = \"s\")] pub struct S;",
        "use facade::*; #[derive(Serialize)] pub struct S;",
        "use facade::Serialize as Other; #[derive(Other)] pub struct S;",
        "pub trait Serialize {} use derives::Serialize as _; #[derive(derives::Serialize)] pub struct S;",
        "mod ser { pub use facade::Serialize; } use derives::Serialize; #[derive(Serialize)] pub struct S;",
        "use derives::Error; #[derive(Error)] pub struct S;",
        "mod x { pub trait Builder {} } pub use x::Builder; #[derive(derives::Builder)] pub struct S;",
        "mod x { pub mod y { pub trait Builder {} } pub use y::*; } pub use x::*; #[derive(derives::Builder)] pub struct S;",
        "mod x { pub mod y { pub trait Builder {} } } pub use x::y as z; #[derive(derives::Builder)] pub struct S;",
        "pub mod x { #[doc(hidden)] pub mod y { pub trait Builder {} } } #[derive(derives::Builder)] pub struct S;",
        "#[derive(Absent)] struct S;",
        "#[derive(derives::Builder)] struct S;",
        "#[derive(derives::Builder)] pub(crate) struct S;",
        "#[cfg(feature = \"off\")] #[derive(derives::Builder)] pub struct S;",
        "#[cfg_attr(feature = \"off\", derive(derives::Builder))] pub struct S;",
    ] {
        assert_eq!(reasons(root), [""; 0], "{root}");
    }
}

#[test]
fn derives_that_may_make_items_are_said() {
    for root in [
        "#[derive(Clone, derives::Builder)] pub struct S;",
        "use facade::Builder; #[derive(Builder)] pub enum S {}",
        "mod m { pub use facade::*; #[derive(Builder)] pub union S {} }",
        "#[macro_use] extern crate derives; #[derive(Builder)] pub struct S;",
        "#[cfg_attr(feature = \"on\", derive(derives::Builder))] pub struct S;",
        "use crate::prelude::*; mod prelude { pub use derives::Builder; } #[derive(Builder)] pub struct S;",
        "#[derive(absent::Builder)] pub struct S;",
        "mod x { pub trait Builder {} } #[derive(derives::Builder)] pub struct S;",
        "mod x { pub trait Builder {} } pub use derives::Builder; #[derive(Builder)] pub struct S;",
        "mod x { pub mod y { pub trait Builder {} } } #[derive(derives::Builder)] pub struct S;",
        "mod x { pub trait Builder {} } mod z { pub use derives::*; } pub use z::*; #[derive(derives::Builder)] pub struct S;",
        "trait Builder {} #[derive(derives::Builder)] pub struct S;",
        "macro_rules! m { ($i:item) => { #[derive(derives::Builder)] $i } } m! { pub struct S; }",
    ] {
        assert_eq!(reasons(root), ["items made by the derive `Builder` may be missing"], "{root}");
    }
}

#[test]
fn attributes_of_proc_macros_are_said() {
    for root in [
        "use derives::bind; #[bind] pub struct S;",
        "use facade::prelude::*; #[bind(x)] pub fn f() {}",
        "#[facade::prelude::bind] mod inner { pub fn f() {} }",
        "pub struct S; #[derives::bind] impl S { pub fn m(&self) {} }",
        "pub struct S; impl S { #[derives::bind] pub fn m(&self) {} }",
        "pub trait T { #[derives::bind] fn m(&self) {} }",
        "#[derives::bind] extern \"C\" { pub fn f(); }",
        "#[absent::bind] pub fn f() {}",
    ] {
        assert_eq!(reasons(root), ["items made by the attribute `bind` may be missing"], "{root}");
    }
    for root in [
        "use derives::bind; #[bind] fn f() {}",
        "pub struct S; #[derives::bind] impl Clone for S {}",
        "#[derives::async_trait] pub trait T { async fn f(); }",
        "#[must_use] #[inline] #[rustfmt::skip] #[clippy::msrv = \"1\"] #[allow(x)] pub fn f() {}",
        "#[derive(facade::Serialize)] #[bind(x)] pub struct S { #[bind] pub x: u8 }",
        "#[cfg(feature = \"off\")] #[derives::bind] pub fn f() {}",
    ] {
        assert_eq!(reasons(root), [""; 0], "{root}");
    }
}

#[test]
fn attributes_of_a_crate_that_is_not_there_are_said() {
    let reasons = |root: &str| {
        let mut root = with_macros(root);
        let missing = PackageId { name: "missing".to_owned(), ..PackageId::default() };
        root.source.dependencies.insert("missing".to_owned(), missing);
        root.index().completeness.reasons
    };
    for root in [
        "use missing::*; #[make] pub struct S;",
        "use missing::prelude::*; #[make] pub struct S;",
        "mod m { pub use missing::*; } pub mod n { use crate::m::*; #[make] pub struct S; }",
        "#[macro_use] extern crate missing; #[make] pub struct S;",
        "use missing::make; #[make] pub struct S;",
    ] {
        assert_eq!(reasons(root), ["items made by the attribute `make` may be missing"], "{root}");
    }
    for root in [
        "use missing::Serialize; #[derive(Serialize)] #[serde(default)] pub struct S;",
        "use derives::*; use missing::x; #[make] pub struct S;",
    ] {
        assert_eq!(reasons(root), [""; 0], "{root}");
    }
}

#[test]
fn a_known_macro_that_does_not_take_its_input_is_not_guessed() {
    let root = "macro_rules! m { (a) => { pub fn made() {} } } m! { pub fn f() {} } pub fn g() {}";
    assert_eq!(TestCrate::new(root).listing(), ["function g"]);
    assert_eq!(TestCrate::new(root).index().completeness.reasons, ["items made by the macro `m!` are missing"]);
    check(
        "macro_rules! r#try { ($i:item) => { #[doc(hidden)] $i } } r#try! { pub fn f() {} } pub fn g() {}",
        &["function g"],
    );
    check(
        "macro_rules! m { ($i:ident) => { pub fn $i() {} } } r#m! { f } crate::r#m!(g);",
        &["function f", "function g"],
    );
}

#[test]
fn a_crate_of_proc_macros_has_nothing_else() {
    let root = "#[derive(absent::Builder)] pub struct S; absent::m! { a => b } #[proc_macro] pub fn f(x: T) -> T {}";
    assert_eq!(TestCrate::new(root).index().completeness.reasons.len(), 2);
    assert!(TestCrate::new(root).proc_macro().index().completeness.is_complete());
}

#[test]
fn a_guess_is_said() {
    let index = TestCrate::new("unknown::wrap! { pub fn f() {} }").index();
    assert_eq!(index.completeness.reasons, ["items made by the macro `wrap!` are guessed from its input"]);
}
