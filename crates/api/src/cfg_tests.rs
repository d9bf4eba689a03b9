use super::*;

fn check(cfg: &str, expected: &str) {
    let facts = CfgFacts {
        features: ["std", "rt", "wrap-proc", "test"].iter().map(|name| (*name).to_owned()).collect(),
        target: TargetFacts::linux(),
    };
    let shown = match evaluate_cfg(cfg.parse().expect(cfg), &facts) {
        None => "never".to_owned(),
        Some(gate) => {
            format!("{} {}", if gate.is_on { "on" } else { "off" }, gate.text().unwrap_or_default()).trim().to_owned()
        }
    };
    assert_eq!(shown, expected, "{cfg}");
}

#[test]
fn conditions_become_features() {
    check("unix", "on");
    check("windows", "never");
    check("test", "never");
    // Set by a build script for the feature of that name.
    check("wrap_proc", "on wrap-proc");
    check("wrap", "never");
    check("not(test)", "on");
    check("feature = \"std\"", "on std");
    check("feature = \"fs\"", "off fs");
    check("not(feature = \"std\")", "never");
    check("not(feature = \"fs\")", "on");
    check("all(feature = \"fs\", feature = \"rt\", unix)", "off fs and rt");
    check("any(feature = \"fs\", feature = \"rt\")", "on fs or rt");
    check("any(unix, feature = \"rt\")", "on");
    check("all(windows, feature = \"rt\")", "never");
    check("all(any(feature = \"fs\", feature = \"net\"), feature = \"rt\",)", "off (fs or net) and rt");
    check("target_os = \"linux\"", "on");
    check("true", "on");
    check("", "never");
    check("version(\"1\")", "never");
}

#[test]
fn dependencies_are_for_platforms() {
    for (written, expected) in [
        ("cfg(unix)", true),
        ("cfg(windows)", false),
        ("cfg(all(unix, not(target_os = \"macos\")))", true),
        ("x86_64-unknown-linux-gnu", true),
        ("x86_64-pc-windows-msvc", false),
        ("cfg(", false),
    ] {
        assert_eq!(is_for_target(written, &TargetFacts::linux()), expected, "{written}");
    }
}
