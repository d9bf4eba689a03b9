//! Tables over output of the real compiler.

use proptest::prelude::*;

use super::*;

const DEP: [ErrorCrate<'static>; 2] = [
    ErrorCrate { code_name: "other", name: "other", version: "1.0.0" },
    ErrorCrate { code_name: "dep_crate", name: "dep-crate", version: "1.0.0" },
];

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../../tests/fixtures/rustc/", $name, ".txt"))
    };
}

#[test]
fn the_names_and_the_dependency_of_each_code_are_found() {
    for (output, code, names, is_found) in [
        (fixture!("e0061"), "E0061", vec!["open_window"], true),
        (fixture!("e0107"), "E0107", vec!["Deep"], true),
        (fixture!("e0220"), "E0220", vec!["Volume"], true),
        (fixture!("e0405"), "E0405", vec!["Shap"], true),
        (fixture!("e0407"), "E0407", vec!["volume"], true),
        // The newest compiler has another code for it.
        (fixture!("e0412"), "E0425", vec!["Widgett"], true),
        (fixture!("e0422"), "E0422", vec!["Widge"], true),
        (fixture!("e0423"), "E0423", vec!["Widget"], true),
        (fixture!("e0425"), "E0425", vec!["open_windows"], true),
        (fixture!("e0432"), "E0432", vec!["Widgets", "nothing"], true),
        (fixture!("e0433"), "E0433", vec!["outer"], true),
        (fixture!("e0437"), "E0437", vec!["Volume"], true),
        (fixture!("e0438"), "E0438", vec!["EDGES"], true),
        (fixture!("e0559"), "E0559", vec!["dark"], true),
        (fixture!("e0560"), "E0560", vec!["width"], true),
        (fixture!("e0599"), "E0599", vec!["grown"], true),
        (fixture!("e0609"), "E0609", vec!["width"], true),
    ] {
        let errors = parse_errors(output);
        let first = errors.first().unwrap();
        assert_eq!((first.code.as_str(), first.names()), (code, names.iter().map(|name| (*name).to_owned()).collect()));
        assert_eq!(first.find_crate(&DEP), is_found.then_some(1), "{code}");
        assert_eq!(first.find_crate(&DEP[..1]), None, "{code}");
    }
}

const CRATES: [ErrorCrate<'static>; 3] = [
    ErrorCrate { code_name: "semver", name: "semver", version: "1.0.28" },
    ErrorCrate { code_name: "serde_json", name: "serde_json", version: "1.0.154" },
    ErrorCrate { code_name: "toml", name: "toml", version: "1.1.8+spec-1.1.0" },
];

#[test]
fn output_of_cargo_is_read_with_and_without_colours() {
    let source = fixture!("broken.rs");
    for output in [fixture!("cargo-never"), fixture!("cargo-always")] {
        let found: Vec<(String, Option<&str>)> = parse_errors(output)
            .iter()
            .map(|error| {
                assert_eq!(error.place.as_deref(), Some("src/main.rs"));
                let krate = error.find_crate(&CRATES);
                let krate = krate.or_else(|| error.find_importing_crate(source.as_bytes(), &CRATES));
                (error.names().join(" "), krate.map(|at| CRATES[at].name))
            })
            .collect();
        let expected = [
            ("VersionRequest", "semver"),
            ("from_string", "serde_json"),
            ("Tabel", "toml"),
            ("bump_major", "semver"),
            ("new", "semver"),
            ("patchlevel", "semver"),
            ("Integer", "serde_json"),
            ("label", "semver"),
        ];
        assert_eq!(found, expected.map(|(name, krate)| (name.to_owned(), Some(krate))));
    }
}

#[test]
fn other_output_has_no_errors_about_names() {
    for output in [
        "",
        "error: aborting due to 1 previous error",
        "error[E0308]: mismatched types\n --> src/main.rs:1:1",
        "error[E0425]",
        "warning[E0425]: cannot find `x`",
        "  error[E0425]: cannot find `x`",
    ] {
        let errors = parse_errors(output);
        assert!(errors.iter().all(|error| error.names().is_empty() || error.code == "E0425"), "{output}");
        assert!(errors.iter().all(|error| error.find_crate(&DEP).is_none()), "{output}");
    }
    let own = "error[E0425]: cannot find value `other` in this scope\n --> src/main.rs:1:5\n  |\n1 | x = other;\n  |     ^^^^^\n";
    assert_eq!(parse_errors(own)[0].find_crate(&DEP), None, "a value that has the name of a crate");
    let many = "error[E0425]: cannot find `x` in `other`\n".repeat(100);
    assert_eq!(parse_errors(&many).len(), MAX_ERRORS);
}

proptest! {
    #[test]
    fn any_text_is_read_to_the_end(text in any::<String>(), source in prop::collection::vec(any::<u8>(), 0..200)) {
        for error in parse_errors(&text) {
            let _ = (error.names(), error.find_crate(&CRATES), error.find_importing_crate(&source, &CRATES));
        }
    }

    #[test]
    fn pieces_of_diagnostics_in_any_order_are_read_to_the_end(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "error[E0425]: cannot find `", "`", "error[E0432]: ", " in crate `toml`", "\n", " --> src/é.rs:1:2", "1 | ", "  | ", "^^^",
            "é", "toml::", "::", "\u{1b}[1m", "\u{1b}", "::: ", "/semver-1.0.28/", "<", "(", "|", "error", " ",
        ]), 0..60)
    ) {
        for error in parse_errors(&pieces.concat()) {
            let _ = (error.names(), error.find_crate(&CRATES), error.find_importing_crate(b"use toml::X;", &CRATES));
        }
    }

    #[test]
    fn a_beginning_of_real_output_is_read_to_the_end(length in 0_usize..4000) {
        let output = fixture!("cargo-always");
        let beginning: String = output.chars().take(length).collect();
        for error in parse_errors(&beginning) {
            let _ = (error.names(), error.find_crate(&CRATES));
        }
    }
}
