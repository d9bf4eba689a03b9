use super::{TestCrate, check};

#[test]
fn macros_that_pass_items_through_are_expanded() {
    check(
        "macro_rules! cfg_rt { ($($item:item)*) => { $(#[cfg(feature = \"rt\")] $item)* } }
         cfg_rt! { pub mod m { pub fn f() {} } pub use m::f as g; }",
        &["-function g [rt]", "-module m [rt]"],
    );
    check("unknown::wrap! { pub fn f() {} pub struct S; }", &["struct S", "function f"]);
}

#[test]
fn items_of_macros_are_found_wherever_they_are() {
    check(
        "macro_rules! id { ($n:ident) => { pub struct $n; impl $n { method!(get); } } }
         macro_rules! method { ($n:ident) => { pub fn $n(&self) {} }; }
         id!(A); pub trait T { method!(t); } pub struct B; impl B { method!(b); } const _: () = { impl B { method!(c); } };",
        &["struct A", "method A::get", "struct B", "method B::b", "method B::c", "trait T", "method T::t"],
    );
}

#[test]
fn macros_are_found_by_scope_path_and_import() {
    check("#[macro_use] mod m { macro_rules! s { ($n:ident) => { pub struct $n; } } } s!(A);", &["struct A"]);
    check(
        "mod m { macro_rules! s { ($n:ident) => { pub struct $n; } } pub(crate) use s; } m::s!(A); crate::m::s!(B);",
        &["struct A", "struct B"],
    );
    check(
        "late!(A); mod m { macro_rules! late { ($n:ident) => { pub struct $n; } } pub(crate) use late; } use m::late;",
        &["struct A"],
    );
    check(
        "macro_rules! s { () => { pub struct Outer; } } mod m { macro_rules! s { () => { pub struct Inner; } } s!(); } s!();",
        &["struct Outer"],
    );
    check("macro_rules! a { () => { macro_rules! b { () => { pub struct S; } } } } a!(); b!();", &["struct S"]);
}

#[test]
fn of_macros_with_one_name_the_nearest_that_fits_is_meant() {
    check(
        "pub mod a { mod macros { macro_rules! m { ($n:ident) => { pub struct $n; } } pub(super) use m; }
             pub mod inner { use super::macros::*; m!(A); } }
         pub mod b { mod macros { macro_rules! m { ($n:ident) => { pub enum $n {} } } pub(super) use m; }
             pub mod inner { use super::macros::*; m!(B); } }
         mod macros { macro_rules! m { (fn $n:ident) => { fn $n(); } } } pub trait T { m!(fn t); }",
        &[
            "trait T",
            "method T::t",
            "module a",
            "module a::inner",
            "struct a::inner::A",
            "module b",
            "module b::inner",
            "enum b::inner::B",
        ],
    );
}

#[test]
fn closures_are_handed_on() {
    let root = "macro_rules! m { ($f:expr, $n:ident) => { m!(@$n $f); }; (@$n:ident $f:expr) => { pub fn $n() {} } }
         m!(|x| (*x).y(), a); m!(move |x, y: u8| -> u8 { 1 }, b); m!(f(|x| x) | g, c);";
    check(root, &["function a", "function b", "function c"]);
    assert!(TestCrate::new(root).index().completeness.is_complete());
}

#[test]
fn macros_of_other_crates_are_expanded() {
    let other = TestCrate::new(
        "#[macro_export] macro_rules! flags { ($n:ident) => { $crate::__helper! { $n } } }
         #[doc(hidden)] #[macro_export] macro_rules! __helper { ($n:ident) => { pub struct $n; impl $n { pub fn bits(x: $crate::Bits) {} } } }
         pub struct Bits;",
    )
    .named("bits", "2.0.0");
    for root in [
        "bits::flags!(A);",
        "use bits::flags; flags!(A);",
        "use bits::flags as fl; fl!(A);",
        "use bits::*; flags!(A);",
        "#[macro_use] extern crate bits; flags!(A);",
        "pub(crate) use bits; use crate::bits::flags; flags!(A);",
        "use bits::flags; pub use inner::A; mod inner { use super::*; flags! { A } }",
    ] {
        let krate = TestCrate::new(root).dependency("bits", &other);
        assert_eq!(krate.listing(), ["struct A", "method A::bits"], "{root}");
        let index = krate.index();
        assert_eq!(index.items.last().map(|item| item.signature.as_str()), Some("pub fn bits(x: bits::Bits)"));
    }
    let middle = TestCrate::new("pub use bits::flags as my_flags;").named("middle", "1.0.0").dependency("bits", &other);
    let krate = TestCrate::new("middle::my_flags!(A);").dependency("middle", &middle);
    assert_eq!(krate.listing(), ["struct A", "method A::bits"]);
}

#[test]
fn macros_themselves_are_listed() {
    check(
        "mod m { #[macro_export] macro_rules! shown { ($x:expr) => {} } macro_rules! inner { () => {} } pub macro decl() {} } pub use m::decl;",
        &["macro decl", "macro shown"],
    );
    let index =
        TestCrate::new("#[macro_export] macro_rules! m { ($x:expr, $($y:ty),*) => { 1 }; () => { 2 } }").index();
    assert_eq!(
        index.items.last().map(|item| item.signature.as_str()),
        Some("macro_rules! m { ($x: expr, $($y: ty), *) => { … }; () => { … }; }")
    );
}

#[test]
fn made_items_are_where_the_call_is() {
    let krate = TestCrate::new(
        "macro_rules! m { ($i:item $n:ident) => { $i pub struct $n; } }\nm! {\n  pub fn f() {}\n  S\n}\n",
    );
    let lines: Vec<_> = krate.index().items.into_iter().map(|item| (item.path, item.line)).collect();
    assert_eq!(lines, [(String::new(), 1), ("S".to_owned(), 2), ("f".to_owned(), 3)]);
}

#[test]
fn included_files_are_read_and_generated_ones_named() {
    let krate = TestCrate::new("include!(\"table.rs\"); include!(concat!(env!(\"OUT_DIR\"), \"/x.rs\"));")
        .file("src/table.rs", "pub const T: u8 = 1;");
    assert_eq!(krate.listing(), ["const T"]);
    assert_eq!(krate.index().completeness.reasons, ["code that a build script writes is missing"]);
}

#[test]
fn what_cannot_be_expanded_is_said() {
    let krate = TestCrate::new("derive_like! { a => b } pub fn f() {}");
    assert_eq!(krate.listing(), ["function f"]);
    assert_eq!(krate.index().completeness.reasons, ["items made by the macro `derive_like!` are missing"]);
    check("paste::paste! { pub fn [<get_ x>]() {} }", &["function get_x"]);
    check("thread_local! { pub static A: u8 = 1; static B: u8 = const { 2 }; }", &["static A"]);
}
