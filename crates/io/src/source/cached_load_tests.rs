use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use symposium_model::catalog::{LoadedSource, RelevantCrates};
use symposium_model::config::{SourceKind, SourceRank, SourceSpec};

use super::*;
use crate::source::{DirectoryTree, EmbeddedFile, EmbeddedTree, load_source};

fn spec(root: &Path) -> SourceSpec {
    SourceSpec::whole("s", SourceKind::Path(root.to_owned()), SourceRank::User)
}

/// A plugin for a crate, with a skill and a hook that runs a script.
fn write_plugin(root: &Path, name: &str, krate: &str) {
    let skill = root.join(name).join("skills").join(format!("{name}-skill"));
    fs::create_dir_all(&skill).unwrap();
    fs::write(root.join(name).join("check.sh"), "").unwrap();
    write_manifest(root, name, krate);
    write_skill(&skill, &format!("{name}-skill"));
}

fn write_manifest(root: &Path, name: &str, krate: &str) {
    let manifest = format!(
        "name = \"{name}\"\ncrates = [\"{krate}\"]\n[[skills]]\nsource.path = \"skills\"\n\
         [[hooks]]\nname = \"check\"\nevent = \"PreToolUse\"\ncommand = \"./check.sh\"\n"
    );
    fs::write(root.join(name).join("symposium.toml"), manifest).unwrap();
}

fn write_skill(directory: &Path, name: &str) {
    fs::create_dir_all(directory).unwrap();
    let text = format!("---\nname: {name}\ndescription: About it.\ncrates: absent\n---\nText.\n");
    fs::write(directory.join("SKILL.md"), text).unwrap();
}

/// A source with a plugin for a crate of the workspace, one for another crate, one for any, and a stand-alone skill.
fn sample() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    write_plugin(root.path(), "wanted", "wanted_crate>=1");
    write_plugin(root.path(), "foreign", "foreign-crate");
    write_plugin(root.path(), "always", "*");
    write_skill(&root.path().join("more/alone"), "alone");
    root
}

/// A time so late that every file is old enough to be cached.
fn later() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + Duration::from_secs(10);
    i64::try_from(now.as_nanos()).unwrap()
}

fn read(root: &Path, text: &str) -> (LoadedSource, Option<String>) {
    read_at(root, text, later())
}

fn read_at(root: &Path, text: &str, now: i64) -> (LoadedSource, Option<String>) {
    let tree = DirectoryTree::open(root).unwrap();
    let asked = CrateName::parse("wanted-crate").unwrap();
    let relevant = RelevantCrates { crates: None, asked: Some(&asked) };
    load_relevant(spec(root), &tree, &relevant, &SourceMemory { text, about: "here", now })
}

/// Lists the plugins that were loaded, and those that were skipped with their skills.
fn outcome(source: &LoadedSource) -> (Vec<&str>, Vec<String>) {
    let passed_over = source.passed_over.iter();
    (
        source.plugins.iter().map(|loaded| loaded.plugin.name.as_str()).collect(),
        passed_over
            .map(|plugin| format!("{}: {}", plugin.name(), plugin.skills().collect::<Vec<_>>().join(" ")))
            .collect(),
    )
}

#[track_caller]
fn check(root: &Path, text: &str, read_fully: &[&str], passed_over: &[&str]) -> Option<String> {
    let (source, renewed) = read(root, text);
    assert_eq!(outcome(&source), (read_fully.to_vec(), passed_over.iter().map(|text| (*text).to_owned()).collect()));
    // Loaded and skipped plugins together are all plugins that a full load finds.
    let tree = DirectoryTree::open(root).unwrap();
    let all = load_source(spec(root), &tree);
    let mut together: Vec<String> = source.passed_over.iter().map(|plugin| plugin.path().to_owned()).collect();
    together.extend(source.plugins.iter().map(|loaded| loaded.path.clone()));
    together.sort();
    assert_eq!(together, all.plugins.iter().map(|loaded| loaded.path.clone()).collect::<Vec<_>>());
    assert_eq!(source.findings.faults.len(), all.findings.faults.len(), "{:?}", all.findings.faults);
    renewed
}

const RELEVANT: [&str; 2] = ["always", "wanted"];
const REST: [&str; 2] = ["foreign: ", "alone: alone"];

#[test]
fn what_cannot_apply_is_passed_over() {
    let root = sample();
    let text = check(root.path(), "", &RELEVANT, &REST).expect("there is something to remember");
    assert_eq!(check(root.path(), &text, &RELEVANT, &REST), None, "nothing new");
}

#[test]
#[cfg_attr(windows, ignore = "nothing is remembered without the inode of a file")]
fn a_plugin_that_applied_once_is_remembered_with_its_skills() {
    let root = sample();
    let tree = DirectoryTree::open(root.path()).unwrap();
    let asked = CrateName::parse("foreign-crate").unwrap();
    let relevant = RelevantCrates { crates: None, asked: Some(&asked) };
    let memory = SourceMemory { text: "", about: "here", now: later() };
    let (source, text) = load_relevant(spec(root.path()), &tree, &relevant, &memory);
    assert_eq!(outcome(&source).0, ["always", "foreign"]);
    let (source, _) = read(root.path(), &text.unwrap());
    assert_eq!(outcome(&source).1, ["foreign: foreign-skill", "alone: alone"]);
}

#[test]
#[cfg_attr(windows, ignore = "nothing is remembered without the inode of a file")]
fn every_change_is_noticed() {
    type Change = fn(&Path);
    let changes: [(&str, Change, &[&str], &[&str]); 6] = [
        (
            "a manifest",
            |root| write_manifest(root, "foreign", "wanted_crate"),
            &["always", "foreign", "wanted"],
            &["alone: alone"],
        ),
        (
            "a manifest is gone",
            |root| fs::remove_file(root.join("foreign/symposium.toml")).unwrap(),
            &RELEVANT,
            &["foreign-skill: foreign-skill", "alone: alone"],
        ),
        (
            "a manifest that is read anyway is gone",
            |root| fs::remove_file(root.join("always/symposium.toml")).unwrap(),
            &["wanted"],
            &["always-skill: always-skill", "foreign: ", "alone: alone"],
        ),
        ("a plugin is gone", |root| fs::remove_dir_all(root.join("foreign")).unwrap(), &RELEVANT, &["alone: alone"]),
        ("a new plugin", |root| write_plugin(root, "new", "x"), &RELEVANT, &["foreign: ", "alone: alone", "new: "]),
        (
            "a skill on its own",
            |root| write_skill(&root.join("more/alone"), "lone"),
            &RELEVANT,
            &["foreign: ", "lone: lone"],
        ),
    ];
    for (what, change, read_fully, passed_over) in changes {
        let root = sample();
        let text = read(root.path(), "").1.unwrap();
        std::thread::sleep(Duration::from_millis(20));
        change(root.path());
        let (source, renewed) = read(root.path(), &text);
        let expected = (read_fully.to_vec(), passed_over.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        assert_eq!(outcome(&source), expected, "{what}");
        let renewed = renewed.unwrap_or_else(|| panic!("{what} is remembered"));
        assert_eq!(read(root.path(), &renewed).1, None, "{what}: nothing new the next time");
    }
}

#[test]
#[cfg_attr(windows, ignore = "nothing is remembered without the inode of a file")]
fn what_changed_a_moment_ago_is_not_remembered() {
    let root = sample();
    let now = later() - 10_000_000_000;
    let (_, text) = read_at(root.path(), "", now);
    let text = text.unwrap();
    check(root.path(), &text, &RELEVANT, &REST).expect("now it has settled");
}

#[test]
fn a_memory_of_something_else_or_a_broken_one_is_none() {
    let root = sample();
    let text = read(root.path(), "").1.unwrap();
    let cut: String = text.lines().take(4).fold(String::new(), |cut, line| cut + line + "\n");
    for broken in [
        text.replace("\there\t", "\tthere\t"),
        text.replace("symposium-index-2", "symposium-index-1"),
        text.replace("owner", "own"),
        text.trim_end().to_owned(),
        cut,
        "\n\n\n".to_owned(),
        "{}".to_owned(),
    ] {
        assert_eq!(check(root.path(), &broken, &RELEVANT, &REST).as_deref(), Some(text.as_str()), "{broken}");
    }
}

#[test]
fn what_is_in_a_plugin_that_cannot_apply_is_not_looked_at() {
    type Change = fn(&Path);
    let changes: [Change; 3] = [
        |root| write_skill(&root.join("foreign/skills/second"), "second"),
        |root| write_skill(&root.join("foreign/skills/foreign-skill"), "renamed"),
        |root| fs::remove_file(root.join("foreign/check.sh")).unwrap(),
    ];
    for change in changes {
        let root = sample();
        let text = read(root.path(), "").1.unwrap();
        change(root.path());
        assert_eq!(check(root.path(), &text, &RELEVANT, &REST), None);
        // The change counts as soon as the plugin may apply.
        write_manifest(root.path(), "foreign", "wanted_crate");
        check(root.path(), &text, &["always", "foreign", "wanted"], &["alone: alone"]);
    }
}

#[test]
#[cfg_attr(windows, ignore = "nothing is remembered without the inode of a file")]
fn a_fault_is_found_every_time() {
    let root = sample();
    fs::write(root.path().join("always/skills/always-skill/SKILL.md"), "no frontmatter").unwrap();
    let text = check(root.path(), "", &RELEVANT, &REST).unwrap();
    check(root.path(), &text, &RELEVANT, &REST);
    fs::write(root.path().join("foreign/symposium.toml"), "crates = [\"foreign-crate\"]\nhooks = 1\n").unwrap();
    let text = check(root.path(), &text, &["always", "foreign", "wanted"], &["alone: alone"]).unwrap();
    check(root.path(), &text, &["always", "foreign", "wanted"], &["alone: alone"]);
}

#[test]
fn the_skills_of_a_plugin_that_cannot_apply_are_not_opened() {
    let root = sample();
    let skill = root.path().join("foreign/skills/foreign-skill/SKILL.md");
    fs::write(&skill, "no frontmatter").unwrap();
    let (source, _) = read(root.path(), "");
    assert!(source.findings.faults.is_empty(), "{:?}", source.findings.faults);
    write_manifest(root.path(), "foreign", "wanted_crate");
    let (source, _) = read(root.path(), "");
    assert_eq!(source.findings.faults.len(), 1, "{:?}", source.findings.faults);
}

#[cfg(unix)]
#[test]
fn a_manifest_that_is_a_link_is_read_every_time() {
    let root = sample();
    fs::rename(root.path().join("foreign/symposium.toml"), root.path().join("foreign/other.toml")).unwrap();
    std::os::unix::fs::symlink("other.toml", root.path().join("foreign/symposium.toml")).unwrap();
    let text = check(root.path(), "", &RELEVANT, &REST).unwrap();
    assert!(!text.contains("foreign-crate"), "{text}");
    check(root.path(), &text, &RELEVANT, &REST);
}

#[test]
fn what_ships_with_the_program_is_remembered_without_a_file_system() {
    let manifest = b"crates = [\"foreign\"]\n";
    let skill = b"---\nname: x\ndescription: About it.\n---\n";
    let tree = EmbeddedTree::new(vec![
        EmbeddedFile { path: "x/symposium.toml", bytes: manifest },
        EmbeddedFile { path: "x/skills/x/SKILL.md", bytes: skill },
    ]);
    let relevant = RelevantCrates { crates: None, asked: None };
    let read = |text: &str| {
        load_relevant(spec(Path::new("")), &tree, &relevant, &SourceMemory { text, about: "builtin", now: later() })
    };
    let (source, text) = read("");
    assert_eq!(outcome(&source), (Vec::new(), vec!["x: ".to_owned()]));
    let (source, renewed) = read(&text.unwrap());
    assert_eq!((outcome(&source), renewed), ((Vec::new(), vec!["x: ".to_owned()]), None));
}
