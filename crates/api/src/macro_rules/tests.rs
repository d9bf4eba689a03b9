use super::*;
use crate::syntax::print::print_tokens;

fn expand(rules: &str, input: &str) -> Option<String> {
    let rules = read_rules(rules.parse().expect(rules)).expect("rules");
    let mut budget = ExpansionBudget { calls: 10, tokens: 10_000, steps: 10_000 };
    expand_call(&rules, &input.parse().expect(input), "crate", &mut budget).map(|tokens| print_tokens(&tokens))
}

fn check(rules: &str, input: &str, expected: &str) {
    let expected = print_tokens(&expected.parse().expect(expected));
    assert_eq!(expand(rules, input).as_deref(), Some(expected.as_str()), "{rules}\n{input}");
}

#[test]
fn fragments_take_what_they_name() {
    check("($x:ident) => { $x }", "foo", "foo");
    check(
        "($x:ty, $y:expr) => { $y; $x }",
        "Vec<(A, B)>, f::<A, B>(1, 2) + |a, b| a",
        "f::<A, B>(1, 2) + |a, b| a; Vec<(A, B)>",
    );
    check("($v:vis $n:ident) => { [$v] $n }", "pub(crate) x", "[pub(crate)] x");
    check("($v:vis $n:ident) => { [$v] $n }", "x", "[] x");
    check(
        "($(#[$m:meta])* $n:ident) => { $(#[$m])* struct $n; }",
        "#[a(b)] #[doc = \"x\"] N",
        "#[a(b)] #[doc = \"x\"] struct N;",
    );
    check("($l:lifetime $t:literal) => { & $l $t }", "'a -1", "&'a -1");
    check("($p:path => $b:block) => { $b $p }", "a::b<C> => { x }", "{ x } a::b<C>");
    check("($p:path { $($t:tt)* }) => { $p }", "FnMut(A::B, C) -> D {}", "FnMut(A::B, C) -> D");
    check("($a:pat => $e:expr) => { $e, $a }", "Some(x) | None => 1", "1, Some(x) | None");
    check("($($i:item)*) => { mod m { $($i)* } }", "pub fn f() {} struct S;", "mod m { pub fn f() {} struct S; }");
    check("($a:tt $b:tt $c:tt) => { $c $b $a }", "=> 'a ::", ":: 'a =>");
}

#[test]
fn repetitions_nest_and_may_end_with_a_separator() {
    check("($($x:ident),* $(,)?) => { $($x;)* }", "a, b, c,", "a; b; c;");
    check("($($x:ident = [$($y:expr),*]);+) => { $(f($x, $($y),*);)+ }", "a = [1, 2]; b = []", "f(a, 1, 2); f(b, );");
    check("($($x:ident)=>*) => { $($x)=>* }", "a => b", "a => b");
    check("($t:ty: $($x:ident)*) => { $(impl $x for $t {})* }", "U: A B", "impl A for U {} impl B for U {}");
    check("($(pub)? $n:ident) => { $n }", "pub x", "x");
}

#[test]
fn the_first_rule_that_fits_counts() {
    let rules = "(@a $x:ident) => { A $x }; ($x:ident) => { B $x }; ($($t:tt)*) => { C }";
    check(rules, "@a y", "A y");
    check(rules, "y", "B y");
    check(rules, "y z", "C");
    assert_eq!(expand("(a) => {}", "b"), None);
}

#[test]
fn macros_can_define_macros() {
    check(
        "($d:tt $n:ident) => { macro_rules! $n { ($d x:ident) => { $d x } } }",
        "$ m",
        "macro_rules! m { ($x:ident) => { $x } }",
    );
    check("($n:ident) => { $n($other) $crate::x }", "m", "m($other) crate::x");
}

#[test]
fn growth_is_bounded() {
    let rules = read_rules("($($x:tt)*) => { $($x)* $($x)* }".parse().expect("rules")).expect("rules");
    let mut budget = ExpansionBudget { calls: 100, tokens: 1_000, steps: 100_000 };
    let mut input: TokenStream = "a".parse().expect("input");
    let mut rounds = 0;
    while let Some(more) = expand_call(&rules, &input, "crate", &mut budget) {
        input = more;
        rounds += 1;
    }
    assert!((5..20).contains(&rounds), "{rounds}");
}
