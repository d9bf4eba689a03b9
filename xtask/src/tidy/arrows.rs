//! Which package of the workspace may depend on which: one table, and nothing else is allowed.

use super::manifest::{Dependency, DependencyKind, Manifest};
use super::violation::Violation;

/// What a package may depend on inside the workspace.
enum MayUse {
    Only(&'static [&'static str]),
    Anything,
}

/// Shared parts of tests: allowed as a dev-dependency of everybody and as nothing else.
const TESTKIT: &str = "symposium-testkit";

/// The arrows. A row may exist before its package does.
const ARROWS: &[(&str, MayUse)] = &[
    (
        "symposium",
        MayUse::Only(&[
            "symposium-api",
            "symposium-mcp",
            "symposium-hook",
            "symposium-io",
            "symposium-edit",
            "symposium-agents",
            "symposium-model",
            "symposium-builtin",
            "symposium-cargo-output",
        ]),
    ),
    (
        "symposium-hook",
        MayUse::Only(&["symposium-agents", "symposium-cargo-output", "symposium-model", "symposium-process-tree"]),
    ),
    ("symposium-agents", MayUse::Only(&["symposium-model"])),
    ("symposium-api", MayUse::Only(&[])),
    ("symposium-edit", MayUse::Only(&["symposium-model"])),
    ("symposium-io", MayUse::Only(&["symposium-api", "symposium-model", "symposium-process-tree"])),
    ("symposium-mcp", MayUse::Only(&["symposium-model"])),
    ("symposium-model", MayUse::Only(&[])),
    ("symposium-process-tree", MayUse::Only(&[])),
    ("symposium-builtin", MayUse::Only(&[])),
    ("symposium-cargo-output", MayUse::Only(&[])),
    (TESTKIT, MayUse::Anything),
    ("symposium-e2e", MayUse::Only(&[])),
    (
        "symposium-fuzz",
        MayUse::Only(&["symposium-agents", "symposium-edit", "symposium-io", "symposium-mcp", "symposium-model"]),
    ),
    ("xtask", MayUse::Only(&["symposium-api", "symposium-model"])),
];

/// Where the table is, for the messages.
const TABLE: &str = "xtask/src/tidy/arrows.rs";

/// Finds dependencies between packages of the workspace that are not in the table.
pub(super) fn check(manifests: &[Manifest]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for manifest in manifests {
        let Some((_, may_use)) = ARROWS.iter().find(|(name, _)| *name == manifest.name) else {
            violations.push(Violation {
                file: manifest.file.clone(),
                line: manifest.line,
                message: format!("Package `{}` has no row in the table of arrows", manifest.name),
                fix: format!("add a row to `ARROWS` in `{TABLE}` that names what it may depend on"),
            });
            continue;
        };
        for dependency in &manifest.dependencies {
            let ours = manifests.iter().any(|other| other.name == dependency.package)
                || ARROWS.iter().any(|(name, _)| *name == dependency.package);
            if ours && !allowed(may_use, dependency) {
                violations.push(forbidden(manifest, may_use, dependency));
            }
        }
    }
    violations
}

fn allowed(may_use: &MayUse, dependency: &Dependency) -> bool {
    let in_row = match may_use {
        MayUse::Only(packages) => packages.contains(&dependency.package.as_str()),
        MayUse::Anything => true,
    };
    in_row || (dependency.package == TESTKIT && dependency.kind == DependencyKind::Dev)
}

fn forbidden(manifest: &Manifest, may_use: &MayUse, dependency: &Dependency) -> Violation {
    let (from, to) = (&manifest.name, &dependency.package);
    let fix = if to == TESTKIT {
        format!("`{TESTKIT}` is for tests: move it to `[dev-dependencies]`")
    } else {
        let row = match may_use {
            MayUse::Only([]) => "nothing of ours".to_owned(),
            MayUse::Only(packages) => format!("`{}`", packages.join("`, `")),
            MayUse::Anything => "anything".to_owned(),
        };
        format!("`{from}` may use {row} (table in `{TABLE}`); move the code to where it is allowed")
    };
    Violation {
        file: manifest.file.clone(),
        line: dependency.line,
        message: format!("`{from}` must not depend on `{to}`"),
        fix,
    }
}

#[cfg(test)]
mod tests {
    use super::super::manifest::{members, workspace};
    use super::super::violation::render;
    use super::*;
    use expect_test::{Expect, expect};

    fn check_members(packages: &[(&str, &str)], expected: &Expect) {
        let texts: Vec<(&str, String)> =
            packages.iter().map(|(name, tables)| (*name, format!("[package]\nname = '{name}'\n{tables}"))).collect();
        let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let (manifests, unread) = members(&workspace(&texts));
        assert_eq!(unread, []);
        expected.assert_eq(&render(&check(&manifests)));
    }

    #[test]
    fn arrows_in_the_table_are_fine() {
        check_members(
            &[
                (
                    "symposium",
                    "[dependencies]\nsymposium-hook.workspace = true\nsymposium-io.workspace = true\nclap = '4'",
                ),
                (
                    "symposium-hook",
                    "[dependencies]\nsymposium-model = '0.1'\n[dev-dependencies]\nsymposium-testkit = '*'",
                ),
                ("symposium-io", "[target.'cfg(unix)'.dependencies]\nsymposium-model = '0.1'"),
                ("symposium-model", "[dependencies]\nserde = '1'\n[dev-dependencies]\nproptest = '1'"),
                ("symposium-testkit", "[dependencies]\nsymposium-io = '0.1'\nsymposium-model = '0.1'"),
                ("xtask", "[dependencies]\nsymposium-model = '0.1'"),
            ],
            &expect![""],
        );
    }

    #[test]
    fn other_arrows_are_not() {
        check_members(
            &[
                ("symposium-model", "[dependencies]\nmodel = { package = 'symposium-io', path = '../io' }"),
                ("symposium-hook", "[build-dependencies]\nsymposium-io = '0.1'"),
                ("symposium-io", "[target.'cfg(unix)'.dependencies]\nsymposium-agents = '0.1'"),
                ("xtask", "[dev-dependencies]\nsymposium-io = '0.1'"),
            ],
            &expect![[r#"
                symposium-model/Cargo.toml:4: `symposium-model` must not depend on `symposium-io`
                    fix: `symposium-model` may use nothing of ours (table in `xtask/src/tidy/arrows.rs`); move the code to where it is allowed
                symposium-hook/Cargo.toml:4: `symposium-hook` must not depend on `symposium-io`
                    fix: `symposium-hook` may use `symposium-agents`, `symposium-cargo-output`, `symposium-model`, `symposium-process-tree` (table in `xtask/src/tidy/arrows.rs`); move the code to where it is allowed
                symposium-io/Cargo.toml:4: `symposium-io` must not depend on `symposium-agents`
                    fix: `symposium-io` may use `symposium-api`, `symposium-model`, `symposium-process-tree` (table in `xtask/src/tidy/arrows.rs`); move the code to where it is allowed
                xtask/Cargo.toml:4: `xtask` must not depend on `symposium-io`
                    fix: `xtask` may use `symposium-api`, `symposium-model` (table in `xtask/src/tidy/arrows.rs`); move the code to where it is allowed
            "#]],
        );
    }

    #[test]
    fn the_test_kit_does_not_ship() {
        check_members(
            &[("symposium-io", "[dependencies]\nsymposium-testkit = '0.1'"), ("symposium-testkit", "")],
            &expect![[r#"
                symposium-io/Cargo.toml:4: `symposium-io` must not depend on `symposium-testkit`
                    fix: `symposium-testkit` is for tests: move it to `[dev-dependencies]`
            "#]],
        );
    }

    #[test]
    fn every_package_has_a_row() {
        check_members(
            &[("symposium-extra", ""), ("symposium-model", "[dev-dependencies]\nsymposium-extra = '0.1'")],
            &expect![[r#"
                symposium-extra/Cargo.toml:1: Package `symposium-extra` has no row in the table of arrows
                    fix: add a row to `ARROWS` in `xtask/src/tidy/arrows.rs` that names what it may depend on
                symposium-model/Cargo.toml:4: `symposium-model` must not depend on `symposium-extra`
                    fix: `symposium-model` may use nothing of ours (table in `xtask/src/tidy/arrows.rs`); move the code to where it is allowed
            "#]],
        );
    }

    #[test]
    fn the_table_has_no_circle() {
        let targets = |name: &str| {
            ARROWS.iter().find(|(row, _)| *row == name).map_or(&[][..], |(_, may_use)| match may_use {
                MayUse::Only(packages) => packages,
                MayUse::Anything => &[],
            })
        };
        for (start, _) in ARROWS {
            let mut reached: Vec<&str> = targets(start).to_vec();
            let mut at = 0;
            while let Some(name) = reached.get(at).copied() {
                assert_ne!(name, *start, "the table lets `{start}` depend on itself");
                let new: Vec<&str> = targets(name).iter().copied().filter(|name| !reached.contains(name)).collect();
                reached.extend(new);
                at += 1;
            }
        }
    }
}
