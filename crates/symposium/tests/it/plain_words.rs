//! Small things that were said or done clumsily.

use serde_json::json;

use crate::crate_plugins::put;
use crate::{git, with_fixture};

#[test]
fn files_that_are_made_are_created_and_not_edited() {
    let context = with_fixture(&["workspace0"]);
    put(&context.root().join("home/.claude.json"), "{}\n");
    let planned = context.invoke(&["init", "--dry-run", "--agent", "claude"]).expect(0);
    assert!(planned.contains("would create  ~/.claude/settings.json"), "{planned}");
    assert!(planned.contains("would edit    ~/.claude.json"), "{planned}");
    let done = context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert!(done.contains("created       ~/.claude/settings.json"), "{done}");
    assert!(done.contains("edited        ~/.claude.json"), "{done}");
}

#[test]
fn an_init_that_sets_nothing_up_makes_nothing() {
    let mut context = with_fixture(&[]);
    let bin = context.root().join("bin");
    put(&bin.join("claude"), "#!/bin/sh\n");
    crate::set_mode(&bin.join("claude"), 0o755);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    context.set("PATH", &path);
    let home = context.root().join("home/.symposium");
    context.set("SYMPOSIUM_HOME", home.to_str().unwrap());
    let _ = std::fs::remove_dir_all(&home);
    for (args, code) in [
        (&["init"][..], 2),
        (&["init", "--user"], 2),
        (&["init", "--project", "--yes"], 3),
        (&["init", "--project", "--yes", "--agent", "claude"], 3),
        (&["init", "--agent", "nobody", "--yes"], 2),
    ] {
        let output = context.invoke(args);
        assert_eq!(output.code, code, "{args:?} {output:?}");
        assert!(!home.exists(), "{args:?} {}", context.tree(&home));
    }
}

#[test]
fn doctor_asks_no_trust_of_an_agent_that_is_not_there() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("PATH", "/usr/bin:/bin");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let shown = context.invoke(&["doctor", "--agent", "claude"]).stdout;
    assert!(shown.contains("was not found") && !shown.contains("trust"), "{shown}");
}

/// A repository that only lends skills is a source without plugins.
#[test]
fn a_repository_of_a_group_is_shown_with_whom_it_serves() {
    let mut context = with_fixture(&["workspace0"]);
    let repository = context.root().join("repository");
    put(&repository.join("skills/lent/SKILL.md"), "---\nname: lent\ndescription: d\n---\nx\n");
    git(&repository, &["init", "-q"]);
    git(&repository, &["add", "-A"]);
    git(&repository, &["commit", "-qm", "x"]);
    let address = format!("file://{}", repository.display());
    context.write_config(
        "plugins/borrower.toml",
        format!("name = \"borrower\"\n[[skills]]\ncrates = [\"serde\"]\nsource.git = \"{address}\"\n"),
    );
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nsymposium-recommendations = false\n");
    context.set("SYMPOSIUM_OFFLINE", "0");
    context.invoke(&["sync"]).expect(0);
    let listed = context.invoke(&["plugin", "list"]).expect(0);
    let lines: Vec<&str> = listed.lines().skip_while(|line| !line.contains("repository")).take(2).collect();
    assert_eq!(lines.get(1), Some(&"  skills of plugin `borrower`"), "{listed}");
}

#[test]
fn a_skill_that_lies_in_a_path_dependency_is_a_skill_for_it() {
    let context = with_fixture(&["workspace0"]);
    let manifest = std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap();
    context.write("Cargo.toml", format!("{manifest}widget = {{ path = \"widget\" }}\n"));
    let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    let lock = lock.replace(" \"tokio\",", " \"tokio\",\n \"widget\",");
    context.write("Cargo.lock", format!("{lock}\n[[package]]\nname = \"widget\"\nversion = \"0.1.0\"\n"));
    context.write("widget/Cargo.toml", "[package]\nname = \"widget\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    context.write("widget/src/lib.rs", "");
    context.write("widget/skills/widget-basics/SKILL.md", "---\nname: widget-basics\ndescription: d\n---\nx\n");
    let told = context.invoke(&["crate", "widget"]).expect(0);
    assert!(told.contains("widget-basics") && !told.contains("There is no skill for this crate"), "{told}");
    let listed = context.invoke(&["crate", "--list", "--json"]).expect(0);
    let document: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let widget = document["crates"].as_array().unwrap().iter().find(|krate| krate["name"] == "widget").unwrap();
    assert!(widget["skills"].to_string().contains("widget-basics"), "{document}");
    let status: serde_json::Value = serde_json::from_str(&context.invoke(&["status", "--json"]).expect(0)).unwrap();
    let row = status["extensions"].as_array().unwrap().iter().find(|row| row["name"] == "widget-basics").unwrap();
    assert_eq!((&row["crate"], &row["state"]), (&json!("widget"), &json!("on")), "{row}");
}

#[test]
fn one_file_of_two_groups_is_one_skill_without_a_conflict() {
    for (one, other) in [("serde", "serde"), ("serde", "tokio")] {
        let context = with_fixture(&["workspace0"]);
        context.write_config("plugins/p/skills/once/SKILL.md", "---\nname: once\ndescription: d\n---\nx\n");
        let group = |krate: &str| format!("[[skills]]\ncrates = [\"{krate}\"]\nsource.path = \"skills\"\n");
        context.write_config("plugins/p/symposium.toml", format!("name = \"p\"\n{}{}", group(one), group(other)));
        context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
        for args in [&["crate", one][..], &["crate", other], &["status"], &["why", "once"], &["plugin", "list"]] {
            let told = context.invoke(args).expect(0);
            let lines = told.lines().filter(|line| line.split([' ', '`', ':', ',']).any(|word| word == "once"));
            let lines: Vec<&str> = lines.collect();
            assert!(args[0] == "crate" || lines.len() == 1, "{args:?} {told}");
            assert!(lines.iter().all(|line| line.matches("once").count() < 3) && !lines.is_empty(), "{args:?} {told}");
            assert!(!told.contains("conflict") && !told.contains("not used"), "{args:?} {told}");
        }
        let shown = context.invoke(&["plugin", "list"]).expect(0);
        assert!(shown.contains("skills: once\n"), "{shown}");
        context.invoke(&["off", "once"]).expect(0);
        assert!(!context.workspace().join(".claude/skills/once").exists(), "every group of it is off");
        context.invoke(&["on", "once"]).expect(0);
        assert!(context.workspace().join(".claude/skills/once").exists());
    }
}

/// Faults are found again each time; nothing has to be written for that.
#[test]
fn a_source_with_faulty_skills_is_no_reason_to_write() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/good/SKILL.md", "---\nname: good\ndescription: d\n---\nx\n");
    context.write_config("plugins/bad/SKILL.md", "---\nname: bad\ndescription: [unclosed\n---\nx\n");
    context.write_config("plugins/odd/SKILL.md", "---\nname: o@d\ndescription: d\n---\nx\n");
    context.write_config("plugins/p/skills/worse/SKILL.md", "no frontmatter at all\n");
    context.write_config(
        "plugins/p/symposium.toml",
        "name = \"p\"\n[[skills]]\ncrates = [\"serde\"]\nsource.path = \"skills\"\n",
    );
    context.write_config("plugins/q/symposium.toml", "name = \"q\"\n[[skills]]\ncrates = 3\n");
    // The index remembers files that are two seconds old.
    std::thread::sleep(std::time::Duration::from_millis(2100));
    let _ = context.invoke(&["init", "--yes", "--agent", "claude"]);
    let _ = context.invoke(&["sync"]);
    let files = || {
        use std::os::unix::fs::MetadataExt;
        let mut found = Vec::new();
        let mut open = vec![context.config_dir().to_owned()];
        while let Some(directory) = open.pop() {
            for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
                let (path, metadata) = (entry.path(), entry.metadata().unwrap());
                if metadata.is_dir() && !path.ends_with("logs") {
                    open.push(path);
                } else if metadata.is_file() {
                    found.push((path, metadata.ino(), metadata.mtime(), metadata.mtime_nsec()));
                }
            }
        }
        found.sort();
        found
    };
    let before = files();
    let second = context.invoke(&["sync"]);
    assert!(second.stderr.contains("unclosed"), "{second:?}");
    assert_eq!(files(), before);
}
