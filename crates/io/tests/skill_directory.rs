//! Skill directories are installed as a whole, and removed only in the state in which they were installed.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests set up their own files")]

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{PermissionsExt, symlink};

use symposium_io::skill_directory::{InstalledState, install, observe, remove_empty, uninstall};
use symposium_model::sync::{SkillFile, SkillTree};

fn tree(text: &str) -> SkillTree {
    let file = |path: &str, bytes: &str, executable| SkillFile {
        path: path.to_owned(),
        bytes: bytes.as_bytes().to_vec(),
        executable,
    };
    SkillTree::new(vec![file("SKILL.md", text, false), file("scripts/run.sh", "#!/bin/sh\n", cfg!(unix))])
}

#[test]
fn a_skill_comes_and_goes_with_the_directories_made_for_it() {
    let project = tempfile::tempdir().unwrap();
    let target = project.path().join(".claude/skills/serde");
    let made = install(&target, &tree("one"), &InstalledState::Absent, project.path()).unwrap();
    assert_eq!(made, [project.path().join(".claude"), project.path().join(".claude/skills")]);
    let installed = observe(&target).unwrap();
    assert_eq!(installed, InstalledState::Directory(tree("one")));
    #[cfg(unix)]
    assert_eq!(fs::metadata(target.join("scripts/run.sh")).unwrap().permissions().mode() & 0o111, 0o111);

    install(&target, &tree("two"), &installed, project.path()).unwrap();
    assert_eq!(observe(&target).unwrap(), InstalledState::Directory(tree("two")));
    uninstall(&target, &InstalledState::Directory(tree("two")), project.path()).unwrap();
    assert_eq!(remove_empty(made.into_iter().rev().collect()), Vec::<std::path::PathBuf>::new());
    assert_eq!(fs::read_dir(project.path()).unwrap().count(), 0);
}

#[test]
fn what_is_not_as_expected_stays() {
    let project = tempfile::tempdir().unwrap();
    let target = project.path().join("skills/mine");
    fs::create_dir_all(&target).unwrap();
    fs::write(target.join("SKILL.md"), "the user's").unwrap();
    install(&target, &tree("ours"), &InstalledState::Absent, project.path()).unwrap_err();
    uninstall(&target, &InstalledState::Directory(tree("ours")), project.path()).unwrap_err();
    assert_eq!(fs::read_to_string(target.join("SKILL.md")).unwrap(), "the user's");
    assert_eq!(fs::read_dir(project.path().join("skills")).unwrap().count(), 1, "nothing is left behind");
}

#[cfg(unix)]
#[test]
fn links_are_neither_followed_nor_taken_for_ours() {
    let project = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    symlink(elsewhere.path(), project.path().join(".claude")).unwrap();
    let target = project.path().join(".claude/skills/serde");
    install(&target, &tree("x"), &InstalledState::Absent, project.path()).unwrap_err();
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);

    fs::create_dir(project.path().join("skills")).unwrap();
    symlink(elsewhere.path(), project.path().join("skills/linked")).unwrap();
    assert_eq!(observe(&project.path().join("skills/linked")).unwrap(), InstalledState::Other);
}
