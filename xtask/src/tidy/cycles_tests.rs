use super::super::source_file::files;
use super::super::violation::render;
use super::*;
use expect_test::{Expect, expect};

fn check_crate(entries: &[(&str, &str)], expected: &Expect) {
    let entries: Vec<(String, &str)> = entries.iter().map(|(path, text)| (format!("c/src/{path}"), *text)).collect();
    let entries: Vec<(&str, &str)> = entries.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    expected.assert_eq(&render(&check(&files(&entries), &["c"])));
}

#[test]
fn one_direction_is_fine() {
    check_crate(
        &[
            ("lib.rs", "pub mod a; pub mod b; pub use a::A;"),
            ("a/mod.rs", "mod x; mod y; pub use x::X; pub struct Own; use crate::b::B;"),
            ("a/x.rs", "use super::y::Y; use super::Own;"),
            ("a/y.rs", "use super::Own; use crate::b;"),
            (
                "b.rs",
                "use std::fmt; // use crate::a::A;\nconst S: &str = \"crate::a::A\";\n#[cfg(test)] mod t { use crate::a::A; }",
            ),
        ],
        &expect![""],
    );
}

#[test]
fn two_modules_that_use_each_other() {
    check_crate(
        &[("lib.rs", "mod a;\nmod b;"), ("a.rs", "use crate::b::B;"), ("b.rs", "\nfn f() { super::a::g() }")],
        &expect![[r#"
            c/src/a.rs:1: Modules of `crate` form a circle: a -> b -> a
                `a` uses `b` at c/src/a.rs:1
                `b` uses `a` at c/src/b.rs:2
                fix: move what both need into a module that neither of them contains, or turn one of the uses around
        "#]],
    );
}

#[test]
fn a_circle_of_three_through_grandchildren() {
    check_crate(
        &[
            ("main.rs", "mod a; mod b; mod c;"),
            ("a.rs", "mod deep;"),
            ("a/deep.rs", "use crate::{b::deep::X, std};"),
            ("b.rs", "mod deep;"),
            ("b/deep.rs", "use crate::c;"),
            ("c.rs", "use crate::a;\nuse crate::a;\nuse crate::a;\nuse crate::a;"),
        ],
        &expect![[r#"
            c/src/a/deep.rs:1: Modules of `crate` form a circle: a -> b -> c -> a
                `a` uses `b` at c/src/a/deep.rs:1
                `b` uses `c` at c/src/b/deep.rs:1
                `c` uses `a` at c/src/c.rs:1, c/src/c.rs:2, c/src/c.rs:3 and 1 more
                fix: move what both need into a module that neither of them contains, or turn one of the uses around
        "#]],
    );
}

#[test]
fn a_circle_inside_a_folder() {
    check_crate(
        &[
            ("lib.rs", "mod a;"),
            ("a/mod.rs", "mod x; mod y; mod z;"),
            ("a/x.rs", "use super::y::Y;"),
            ("a/y.rs", "use crate::a::x::X;"),
            ("a/z.rs", "use super::x;"),
        ],
        &expect![[r#"
            c/src/a/x.rs:1: Modules of `crate::a` form a circle: x -> y -> x
                `x` uses `y` at c/src/a/x.rs:1
                `y` uses `x` at c/src/a/y.rs:1
                fix: move what both need into a module that neither of them contains, or turn one of the uses around
        "#]],
    );
}

#[test]
fn a_circle_through_a_re_export() {
    check_crate(
        &[
            ("lib.rs", "mod a; mod b; pub use b::B; pub use a::*;"),
            ("a.rs", "use crate::B; pub struct A;"),
            ("b.rs", "use super::A; pub struct B;"),
        ],
        &expect![[r#"
            c/src/a.rs:1: Modules of `crate` form a circle: a -> b -> a
                `a` uses `b` at c/src/a.rs:1
                `b` uses `a` at c/src/b.rs:1
                fix: move what both need into a module that neither of them contains, or turn one of the uses around
        "#]],
    );
}

#[test]
fn two_knots_are_two_reports() {
    check_crate(
        &[
            ("lib.rs", "mod a; mod b; mod c; mod d;"),
            ("a.rs", "use crate::b; use crate::c;"),
            ("b.rs", "use crate::a;"),
            ("c.rs", "use crate::d;"),
            ("d.rs", "use crate::c;"),
        ],
        &expect![[r#"
            c/src/a.rs:1: Modules of `crate` form a circle: a -> b -> a
                `a` uses `b` at c/src/a.rs:1
                `b` uses `a` at c/src/b.rs:1
                fix: move what both need into a module that neither of them contains, or turn one of the uses around
            c/src/c.rs:1: Modules of `crate` form a circle: c -> d -> c
                `c` uses `d` at c/src/c.rs:1
                `d` uses `c` at c/src/d.rs:1
                fix: move what both need into a module that neither of them contains, or turn one of the uses around
        "#]],
    );
}

#[test]
fn modules_written_in_one_file_count_too() {
    check_crate(
        &[("lib.rs", "mod a { use super::b::B; }\nmod b { use super::a::A; }")],
        &expect![[r#"
        c/src/lib.rs:1: Modules of `crate` form a circle: a -> b -> a
            `a` uses `b` at c/src/lib.rs:1
            `b` uses `a` at c/src/lib.rs:2
            fix: move what both need into a module that neither of them contains, or turn one of the uses around
    "#]],
    );
}
