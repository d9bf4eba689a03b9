use super::*;

#[test]
fn atoms_print_as_they_are_meant() {
    for (written, meant) in [
        ("serde", "serde"),
        (" serde ", "serde"),
        ("serde>=1.0", "serde>=1.0"),
        ("serde >= 1.0", "serde>=1.0"),
        ("tokio^1.40", "tokio^1.40"),
        ("serde=1.0", "serde=1.0"),
        ("serde == 1.0.219", "serde==1.0.219"),
        ("serde>=1.0,<2.0", "serde>=1.0,<2.0"),
        ("serde >=1.0 , <2.0", "serde>=1.0,<2.0"),
        ("serde 1.0", "serde^1.0"),
        ("a-b~0.3", "a-b~0.3"),
        ("x>=1.0.0-rc.1", "x>=1.0.0-rc.1"),
        ("*", "*"),
    ] {
        assert_eq!(CrateAtom::parse(written).unwrap().to_string(), meant, "{written}");
    }
}

#[test]
fn what_is_not_an_atom_says_where_and_why() {
    for (written, message, span) in [
        ("", "The crate name is missing", 0..0),
        ("../x", "`../x` is not a crate name", 0..4),
        ("serde>=", "The version is missing in `>=`", 5..7),
        ("serde>=x", "`x` is not a version", 5..8),
        ("serde>=1.0,", "The version is missing in `>=1.0,`", 11..12),
        ("serde@1", "`serde@1` is not a crate name", 0..7),
        ("serde=*", "`*` is not a version", 5..7),
        (" 1abc", "`1abc` is not a crate name", 1..5),
    ] {
        let error = CrateAtom::parse(written).unwrap_err();
        assert_eq!((error.message.as_str(), error.span), (message, span), "{written}");
    }
}

#[test]
fn requirements_follow_semver_with_our_two_equal_signs() {
    for (atom, version, holds) in [
        ("x", "0.0.1", true),
        ("x", "1.0.0-rc.1", true),
        ("x=1.0", "1.9.3", true),
        ("x=1.0", "2.0.0", false),
        ("x=0.8", "0.8.5", true),
        ("x=0.8", "0.9.0", false),
        ("x==1.0.219", "1.0.219", true),
        ("x==1.0.219", "1.0.220", false),
        ("x>=1.40", "1.40.0", true),
        ("x>=1.40", "1.39.9", false),
        ("x<2.0", "1.99.0", true),
        ("x<2.0", "2.0.0", false),
        ("x>1", "1.5.0", false),
        ("x>1", "2.0.0", true),
        ("x<=1.2", "1.2.7", true),
        ("x~1.2", "1.3.0", false),
        ("x^1.2", "1.9.0", true),
        ("x>=1.0,<2.0", "1.5.0", true),
        ("x>=1.0,<2.0", "2.5.0", false),
        // A pre-release counts as the release it leads to.
        ("x>=1.0", "1.0.0-rc.4", true),
        ("x=0.14", "1.0.0-rc.4", false),
        ("x<1.0", "1.0.0-rc.4", false),
    ] {
        let CrateAtom::Crate { requirement, .. } = CrateAtom::parse(atom).unwrap() else { panic!("{atom}") };
        assert_eq!(requirement.holds_for(&version.parse().unwrap()), holds, "{atom} {version}");
    }
}

#[test]
fn lists_split_at_commas_that_do_not_continue_a_requirement() {
    for (written, meant) in [
        ("serde, serde_json", vec!["serde", "serde_json"]),
        ("serde>=1.0,<2.0, tokio", vec!["serde>=1.0,<2.0", "tokio"]),
        ("serde,", vec!["serde"]),
        ("", vec![]),
        ("*", vec!["*"]),
    ] {
        let atoms: Vec<_> = CrateAtom::parse_list(written).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(atoms, meant, "{written}");
    }
    assert_eq!(CrateAtom::parse_list("serde, a b").unwrap_err().span, 9..10);
}
