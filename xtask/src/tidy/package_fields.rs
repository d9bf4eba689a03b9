//! What every package's manifest must say: shared lints, and for what is published a description and a licence.

use super::manifest::{Lints, Manifest, Publishing};
use super::violation::Violation;

/// Fields without which a package cannot be published.
const PUBLISHED: [&str; 2] = ["description", "license"];

/// Finds manifests that leave something out.
pub(super) fn check(manifests: &[Manifest]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for manifest in manifests {
        let mut report = |message: String, fix: String| {
            violations.push(Violation { file: manifest.file.clone(), line: manifest.line, message, fix });
        };
        match manifest.lints {
            Lints::Workspace => {}
            Lints::Own => report(
                format!("Package `{}` does not use the lints of the workspace", manifest.name),
                "add `[lints]` with `workspace = true`".to_owned(),
            ),
        }
        match manifest.publishing {
            Publishing::Off => {}
            Publishing::Allowed => {
                for field in PUBLISHED {
                    if !manifest.fields.iter().any(|present| present == field) {
                        report(
                            format!("Package `{}` can be published but has no `{field}`", manifest.name),
                            format!("add `{field}` to `[package]`, or `publish = false`"),
                        );
                    }
                }
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::super::manifest::{members, workspace};
    use super::super::violation::render;
    use super::*;
    use expect_test::{Expect, expect};

    fn check_manifest(text: &str, expected: &Expect) {
        let (manifests, unread) = members(&workspace(&[("a", text)]));
        assert_eq!(unread, []);
        expected.assert_eq(&render(&check(&manifests)));
    }

    #[test]
    fn complete_manifests_are_fine() {
        for text in [
            "[package]\nname = 'a'\ndescription = 'x'\nlicense.workspace = true\n[lints]\nworkspace = true\n",
            "[package]\nname = 'a'\npublish = false\n[lints]\nworkspace = true\n",
            "[package]\nname = 'a'\npublish = []\n[lints]\nworkspace = true\n",
        ] {
            check_manifest(text, &expect![""]);
        }
    }

    #[test]
    fn missing_parts_are_named() {
        check_manifest(
            "[package]\nname = 'a'\n[lints]\nworkspace = false\n",
            &expect![[r#"
            a/Cargo.toml:1: Package `a` does not use the lints of the workspace
                fix: add `[lints]` with `workspace = true`
            a/Cargo.toml:1: Package `a` can be published but has no `description`
                fix: add `description` to `[package]`, or `publish = false`
            a/Cargo.toml:1: Package `a` can be published but has no `license`
                fix: add `license` to `[package]`, or `publish = false`
        "#]],
        );
        check_manifest(
            "[package]\nname = 'a'\npublish = false\n[lints.clippy]\nall = 'warn'\n",
            &expect![[r#"
            a/Cargo.toml:1: Package `a` does not use the lints of the workspace
                fix: add `[lints]` with `workspace = true`
        "#]],
        );
    }
}
