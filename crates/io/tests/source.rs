//! Loading of sources on disk, in every supported layout.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests write their own sources")]

use std::path::Path;

use expect_test::{Expect, expect};
use symposium_io::source::{DirectoryTree, load_source};
use symposium_model::config::{SourceKind, SourceRank, SourceSpec};

/// Writes files, loads them as a source, and shows plugins with their skills, then the diagnostics.
fn check(files: &[(&str, &str)], expected: &Expect) {
    expected.assert_eq(&loaded(files));
}

fn loaded(files: &[(&str, &str)]) -> String {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("src");
    std::fs::create_dir(&root).unwrap();
    for (path, text) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    shown(&root)
}

fn shown(root: &Path) -> String {
    let kind = SourceKind::Path(root.to_owned());
    let spec = SourceSpec::whole("test", kind, SourceRank::User);
    let source = load_source(spec, &DirectoryTree::open(root).unwrap());
    let mut text = String::new();
    for plugin in &source.plugins {
        let skills: Vec<&str> = plugin.skills.iter().map(|skill| skill.document.name.as_str()).collect();
        text.push_str(&format!("{} ({}): {}\n", plugin.plugin.name, plugin.path, skills.join(" ")));
    }
    for found in source.findings.all() {
        text.push_str(&format!("{}: {found}\n", found.severity));
    }
    let text = text.replace(&root.display().to_string(), "~");
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

const SKILL: &str = "---\nname: s\ndescription: d\n---\nbody\n";
const OTHER: &str = "---\nname: t\ndescription: d\n---\nbody\n";

#[test]
fn manifests_are_found_by_their_names() {
    check(
        &[
            ("serde.toml", "name = \"root\"\n"),
            ("Cargo.toml", "[package]\n"),
            ("rust-toolchain.toml", "[toolchain]\n"),
            (".hidden.toml", "x"),
            ("a/SYMPOSIUM.toml", "name = \"upper\"\n"),
            ("b/Symposium.toml", "name = \"mixed\"\n"),
            ("c/c.toml", "name = \"like-directory\"\n"),
            ("c/other.toml", "name = \"no\"\n"),
            ("d/e/f/g/symposium.toml", "name = \"deep\"\n"),
            ("d/e/f/g/h/symposium.toml", "name = \"below-a-plugin\"\n"),
            ("1/2/3/4/5/symposium.toml", "name = \"too-deep\"\n"),
            ("target/x/symposium.toml", "name = \"no\"\n"),
            ("node_modules/x/symposium.toml", "name = \"no\"\n"),
            (".git/x/symposium.toml", "name = \"no\"\n"),
        ],
        &expect![[r#"
            upper (a/SYMPOSIUM.toml): 
            mixed (b/Symposium.toml): 
            like-directory (c/c.toml): 
            deep (d/e/f/g/symposium.toml): 
            root (serde.toml): 
        "#]],
    );
}

#[test]
fn below_a_manifest_skills_count_only_through_its_groups() {
    check(
        &[
            ("p/symposium.toml", "name = \"p\"\n[[skills]]\nsource.path = \"skills\"\n"),
            ("p/skills/s/SKILL.md", SKILL),
            ("p/elsewhere/t/SKILL.md", OTHER),
            ("alone/SKILL.md", "---\nname: alone\ndescription: d\n---\n"),
            ("nested/deeper/SKILL.md", "---\nname: deeper\ndescription: d\n---\n"),
        ],
        &expect![[r#"
            alone (alone/SKILL.md): alone
            deeper (nested/deeper/SKILL.md): deeper
            p (p/symposium.toml): s
        "#]],
    );
}

#[test]
fn a_group_directory_may_itself_be_the_skill() {
    check(
        &[("p/symposium.toml", "name = \"p\"\n[[skills]]\nsource.path = \".\"\n"), ("p/SKILL.md", SKILL)],
        &expect![[r#"
            p (p/symposium.toml): s
        "#]],
    );
    check(
        &[("p/symposium.toml", "name = \"p\"\n[[skills]]\nsource.path = \".\"\n"), ("p/one/SKILL.md", SKILL)],
        &expect![[r#"
            p (p/symposium.toml): s
        "#]],
    );
}

#[test]
fn a_root_manifest_owns_the_directory_only_if_it_is_a_plugin() {
    let plugin = "name = \"whole\"\n[[skills]]\nsource.path = \"skills\"\n";
    check(
        &[("symposium.toml", plugin), ("skills/s/SKILL.md", SKILL), ("t/SKILL.md", OTHER)],
        &expect![[r#"
        whole (symposium.toml): s
    "#]],
    );
    check(
        &[("SYMPOSIUM.toml", "[discovery.allow]\ncrates = { a = \"*\" }\n"), ("t/SKILL.md", OTHER)],
        &expect![[r#"
        test (SYMPOSIUM.toml): 
        t (t/SKILL.md): t
        warning: ~/SYMPOSIUM.toml:1:1: This manifest has no name; its directory or file name `test` is used
        warning: ~/SYMPOSIUM.toml:1:2: `discovery` is not supported: only the user chooses the dependencies whose plugins are used
    "#]],
    );
    check(
        &[
            ("x.toml", "name = \"x\"\n[[skills]]\nsource.path = \"skills/x\"\n"),
            ("skills/x/s/SKILL.md", SKILL),
            ("t/SKILL.md", OTHER),
        ],
        &expect![[r#"
            t (t/SKILL.md): t
            x (x.toml): s
        "#]],
    );
}

#[test]
fn groups_stay_inside_the_source() {
    // The result of `loaded` has `/` on Windows.
    let back = if cfg!(windows) { "../x" } else { "..\\x" };
    for (path, shown) in [("../../etc", "../../etc"), ("/etc", "/etc"), ("a/../../..", "a/../../.."), ("..\\\\x", back)]
    {
        let expected = format!(
            "p (p/symposium.toml): \nerror: ~/p/symposium.toml:3:15: Skill group `{shown}` is outside the source\n"
        );
        let manifest = format!("name = \"p\"\n[[skills]]\nsource.path = \"{path}\"\n");
        assert_eq!(loaded(&[("p/symposium.toml", &manifest)]), expected);
    }
    check(
        &[
            ("p/symposium.toml", "name = \"p\"\n[[skills]]\nsource.path = \"../shared\"\n"),
            ("shared/s/SKILL.md", SKILL),
        ],
        &expect![[r#"
            p (p/symposium.toml): s
        "#]],
    );
}

#[test]
fn the_public_repositorys_dialect_loads_with_warnings() {
    check(
        &[
            (
                "dial9/SYMPOSIUM.toml",
                "name = \"dial9\"\ncrates = [\"dial9\"]\n[[skills]]\ncrates = [\"dial9-viewer\"]\nsource.crate_path = \"skills\"\n",
            ),
            (
                "rtk/SYMPOSIUM.toml",
                "where.crates = [\"rtk\"]\n[[installations]]\nname = \"rtk\"\nsource = \"cargo\"\ncrate = \"rtk\"\nexecutable = \"rtk\"\n[[hooks]]\nname = \"rewrite\"\nevent = \"PreToolUse\"\nagent = \"claude\"\nrequirements = [\"rtk\"]\ncommand = \"rtk\"\n",
            ),
            (
                "serde.toml",
                "name = \"symposium-serde\"\n[[skills]]\nadvice-for = [\"serde\"]\nsource.git = \"https://example.com/r/tree/main/skills/serde\"\n",
            ),
            ("pack/SYMPOSIUM.toml", "where.crates = [\"anyhow\"]\n[[plugins]]\nsource.crate = \"error-pack\"\n"),
            ("odd/SYMPOSIUM.toml", "name = \"odd\"\ncrates = []\n[[skills]]\nsource = \"crate\"\n"),
        ],
        &expect![[r#"
            dial9 (dial9/SYMPOSIUM.toml): 
            odd (odd/SYMPOSIUM.toml): 
            pack (pack/SYMPOSIUM.toml): 
            rtk (rtk/SYMPOSIUM.toml): 
            symposium-serde (serde.toml): 
            warning: ~/odd/SYMPOSIUM.toml:2:10: `crates = []` names no crate, so this applies nowhere
            warning: ~/pack/SYMPOSIUM.toml:1:1: This manifest has no name; its directory or file name `pack` is used
            warning: ~/rtk/SYMPOSIUM.toml:1:1: This manifest has no name; its directory or file name `rtk` is used
        "#]],
    );
}

#[test]
fn skills_beside_a_manifest_that_does_not_mention_them_need_a_condition() {
    check(
        &[("p/SYMPOSIUM.toml", "name = \"p\"\nwhere.crates = [\"x\"]\n"), ("p/skills/s/SKILL.md", SKILL)],
        &expect![[r#"
            p (p/SYMPOSIUM.toml): s
        "#]],
    );
    check(
        &[("p/SYMPOSIUM.toml", "name = \"p\"\n"), ("p/skills/s/SKILL.md", SKILL)],
        &expect![[r#"
            p (p/SYMPOSIUM.toml): 
        "#]],
    );
}

/// For any error in a manifest, and any position of it and its skills, no skill applies without its condition.
#[test]
fn a_faulty_group_takes_its_skills_with_it() {
    let bad = "[[skills]]\ncrates = [\"x >= one.two\"]\nsource.path = ";
    let named = |rest: &str| format!("name = \"p\"\n{rest}");
    for (manifest, text, skill) in [
        ("p/symposium.toml", named(&format!("{bad}\"skills\"")), "p/skills/s/SKILL.md"),
        ("p/symposium.toml", named(&format!("{bad}\"../shared\"")), "shared/s/SKILL.md"),
        ("p/symposium.toml", named("skills = 3\n"), "p/skills/s/SKILL.md"),
        ("symposium.toml", named(&format!("{bad}\"skills\"")), "skills/s/SKILL.md"),
        ("symposium.toml", named(&format!("{bad}\"skills\"")), "other/s/SKILL.md"),
        ("symposium.toml", named("[[skills\n"), "skills/s/SKILL.md"),
        ("p.toml", named(&format!("{bad}\"skills\"")), "skills/s/SKILL.md"),
        ("p.toml", named("crates = [\"x >= one.two\"]\n[[skills]]\nsource.path = \"skills\"\n"), "skills/s/SKILL.md"),
        ("p.toml", named("[[skills]]\ncrates = [\"x\"]\nsource.path = \"skills\n"), "skills/s/SKILL.md"),
        ("p.toml", named("[[skills]]\ncrates = [\"x\"]\nsource.path = 3\n"), "skills/s/SKILL.md"),
    ] {
        let shown = loaded(&[(manifest, &text), (skill, SKILL), ("fine/SKILL.md", FOR_X)]);
        assert!(shown.contains("error: "), "{manifest}: {text}: {shown}");
        assert!(!shown.contains("/s/SKILL.md)") && !shown.contains(": s\n"), "{manifest}: {text}: {shown}");
        let at_root = manifest == "symposium.toml";
        assert_eq!(shown.contains("fine (fine/SKILL.md): fine"), !at_root, "{manifest}: {text}: {shown}");
    }
}

const FOR_X: &str = "---\nname: fine\ndescription: d\ncrates: x\n---\n";

#[cfg(unix)]
#[test]
fn a_linked_skill_is_read_only_inside_the_source() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("src");
    std::fs::create_dir_all(root.join("p/skills/inside")).unwrap();
    std::fs::create_dir_all(root.join("p/skills/outside")).unwrap();
    std::fs::create_dir_all(root.join("texts")).unwrap();
    std::fs::write(root.join("p/symposium.toml"), "name = \"p\"\n[[skills]]\nsource.path = \"skills\"\n").unwrap();
    std::fs::write(root.join("texts/s.md"), SKILL).unwrap();
    std::fs::write(directory.path().join("secret.md"), OTHER).unwrap();
    std::os::unix::fs::symlink("../../../texts/s.md", root.join("p/skills/inside/SKILL.md")).unwrap();
    std::os::unix::fs::symlink(directory.path().join("secret.md"), root.join("p/skills/outside/SKILL.md")).unwrap();
    std::fs::create_dir_all(root.join("q")).unwrap();
    std::fs::write(root.join("q/symposium.toml"), "name = \"q\"\n[[skills]]\nsource.path = \"out/sub\"\n").unwrap();
    std::fs::create_dir_all(directory.path().join("sub/secret")).unwrap();
    std::fs::write(directory.path().join("sub/secret/SKILL.md"), OTHER).unwrap();
    std::os::unix::fs::symlink(directory.path(), root.join("q/out")).unwrap();
    // The link may also be beside the plugin, or share the beginning of its name.
    std::fs::create_dir_all(root.join("r")).unwrap();
    let groups = "name = \"r\"\n[[skills]]\nsource.path = \"../beside\"\n[[skills]]\nsource.path = \"../rX\"\n";
    std::fs::write(root.join("r/symposium.toml"), groups).unwrap();
    for link in ["beside", "rX"] {
        std::os::unix::fs::symlink(directory.path().join("sub"), root.join(link)).unwrap();
    }
    expect![[r#"
        p (p/symposium.toml): s
        q (q/symposium.toml): 
        r (r/symposium.toml): 
        warning: ~/beside: Skipped: a link to a place outside the source; copy its target into the source, or add it as a source
        warning: ~/rX: Skipped: a link to a place outside the source; copy its target into the source, or add it as a source
        warning: ~/p/skills/outside/SKILL.md: Skipped this skill: a link to a place outside the source; copy its target into the source, or add it as a source
        error: ~/q/symposium.toml:3:15: Skill group `out/sub` is outside the source
        error: ~/r/symposium.toml:3:15: Skill group `../beside` is outside the source
        error: ~/r/symposium.toml:5:15: Skill group `../rX` is outside the source
    "#]].assert_eq(&shown(&root));
}
