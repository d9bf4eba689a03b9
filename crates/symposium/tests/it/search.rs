//! `symposium search`: what is found, in which order, how each result is switched on, and the index behind it.

use serde_json::Value;
use symposium_testkit::TestContext;

use crate::crate_plugins::{depends_on, put, skill, unpacked};
use crate::with_fixture;

/// A workspace that depends on widget and has gadget locked behind it; without the sources of Symposium itself.
fn machine() -> TestContext {
    let context = with_fixture(&[]);
    let defaults = "[defaults]\nbuiltin = false\nsymposium-recommendations = false\n";
    context.write_config("config.toml", format!("[agent]\nname = \"claude\"\n{defaults}"));
    depends_on(&context, &["widget 1.2.0"]);
    for (name, skill) in [
        ("widget", "---\nname: widget\ndescription: Everything\ncrates: widget\n---\nB\n"),
        ("windows", "---\nname: windows\ndescription: Opens a widget in a window\n---\nB\n"),
        ("widget-old", "---\nname: widget-old\ndescription: Old\ncrates: widget<1\n---\nB\n"),
        ("frame", "---\nname: frame\ndescription: Frames\ncrates: [frame, widget]\n---\nB\n"),
        ("absent", "---\nname: absent\ndescription: Absent\ncrates: sprocket\n---\nB\n"),
    ] {
        context.write_config(&format!("plugins/{name}/SKILL.md"), skill);
    }
    let guard = "name = \"guard\"\n[[hooks]]\nname = \"no\"\ndescription = \"Keeps sprockets away\"\nevent = \"PreToolUse\"\n\
                 command = \"true\"\n";
    context.write_config("plugins/guard/symposium.toml", guard);
    context
}

fn results(context: &TestContext, words: &[&str]) -> Vec<Value> {
    let output = context.invoke(&[&["search", "--json"], words].concat()).expect(0);
    let document: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(document["version"], 1);
    document["results"].as_array().unwrap().clone()
}

fn names(context: &TestContext, words: &[&str]) -> Vec<String> {
    results(context, words).iter().map(|found| found["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_best_result_comes_first_and_every_word_counts() {
    let context = machine();
    assert_eq!(names(&context, &["Widget"]), ["widget", "frame", "widget-old", "windows"]);
    assert_eq!(names(&context, &["widget", "window"]), ["windows"]);
    assert_eq!(names(&context, &["old widget"]), ["widget-old"]);
    assert_eq!(names(&context, &["sprockets"]), ["guard"], "by the description of a hook");
}

#[test]
fn each_result_tells_how_to_switch_it_on() {
    let context = machine();
    let text = context.invoke(&["search", "widget"]).expect(0);
    expect_test::expect![[r#"
        widget  on  skill for widget, from user-plugins
            Everything
        frame  on  skill for frame, widget, from user-plugins
            Frames
        widget-old  off  skill for widget, from user-plugins
            Old
            `widget<1` does not match widget 1.2.0
        windows  on  skill, from user-plugins
            Opens a widget in a window
    "#]]
    .assert_eq(&text);
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["off", "widget/widget"]).expect(0);
    let off = &results(&context, &["widget"])[0];
    assert_eq!((off["state"].as_str(), off["kind"].as_str()), (Some("off"), Some("skill")));
    let reason = off["reason"].as_str().unwrap();
    assert!(reason.contains("run `symposium on widget/widget` to switch it on"), "{reason}");
    context.invoke(&["on", "widget/widget"]).expect(0);
    assert_eq!(results(&context, &["widget"])[0]["state"], "on", "the command that it told works");
    let absent = &results(&context, &["absent"])[0];
    let reason = absent["reason"].as_str().unwrap();
    assert!(reason.contains("run `cargo add sprocket` to use it"), "{reason}");
}

#[test]
fn crates_with_plugins_are_found_also_behind_others() {
    let context = machine();
    put(&unpacked(&context, "widget-1.2.0").join("Cargo.toml"), "[package]\nname = \"widget\"\nversion = \"1.2.0\"\n");
    put(&unpacked(&context, "widget-1.2.0").join("skills/turning/SKILL.md"), &skill("turning", "x"));
    let found = &results(&context, &["turning"])[0];
    assert_eq!((found["state"].as_str(), found["source"].as_str()), (Some("candidate"), Some("widget@1.2.0")));
    assert_eq!(found["crates"][0], "widget");
    assert!(found["reason"].as_str().unwrap().contains("symposium on widget"), "{found}");
    // A crate that only others need.
    let lock = std::fs::read_to_string(context.workspace().join("Cargo.lock")).unwrap();
    let source = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    let lock = lock.replace(
        "name = \"widget\"\nversion = \"1.2.0\"\n",
        &format!("name = \"gadget\"\nversion = \"0.3.0\"\n{source}\n\n[[package]]\nname = \"widget\"\nversion = \"1.2.0\"\ndependencies = [\"gadget\"]\n"),
    );
    context.write("Cargo.lock", lock);
    put(&unpacked(&context, "gadget-0.3.0").join("Cargo.toml"), "[package]\nname = \"gadget\"\nversion = \"0.3.0\"\n");
    put(&unpacked(&context, "gadget-0.3.0").join("skills/gears/SKILL.md"), &skill("gears", "x"));
    let found = &results(&context, &["gadget"])[0];
    assert_eq!((found["name"].as_str(), found["state"].as_str()), (Some("gears"), Some("off")));
    assert!(found["reason"].as_str().unwrap().contains("gadget is only an indirect dependency"), "{found}");
}

#[test]
fn a_plugin_of_a_higher_rank_is_known_even_if_it_does_not_fit_the_words() {
    let context = machine();
    context.write("plugins/frame/SKILL.md", "---\nname: frame\ndescription: Other\n---\nB\n");
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"ours\"\npath = \"plugins\"\n");
    let found = results(&context, &["frames"]);
    let states: Vec<(&str, &str)> =
        found.iter().map(|one| (one["source"].as_str().unwrap(), one["state"].as_str().unwrap())).collect();
    assert_eq!(states, [("user-plugins", "conflict")]);
}

#[test]
fn nothing_found_is_a_no_with_advice() {
    let context = machine();
    let output = context.invoke(&["search", "widgte"]);
    assert_eq!((output.code, output.stdout.as_str()), (1, ""));
    assert!(output.stderr.contains("no skill or plugin matches `widgte`"), "{}", output.stderr);
    assert!(output.stderr.contains("did you mean `widget`?"), "{}", output.stderr);
    let output = context.invoke(&["search", "--json", "zzzzzzzzz"]);
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!((output.code, document["results"].as_array().unwrap().len()), (1, 0));
    assert_eq!(context.invoke(&["search", " "]).code, 2);
    assert_eq!(context.invoke(&["search"]).code, 2);
}

#[test]
fn results_are_bounded_and_outside_a_workspace_there_are_some_too() {
    let context = machine();
    for number in 0..30 {
        let skill = format!("---\nname: many-{number:02}\ndescription: One of many\n---\nB\n");
        context.write_config(&format!("plugins/many-{number:02}/SKILL.md"), skill);
    }
    let text = context.invoke(&["search", "many"]).expect(0);
    assert!(text.ends_with("And 10 further results; add a word to see fewer.\n"), "{text}");
    let output = context.invoke_in(&context.root().join("home"), &["search", "widget", "--json"]).expect(0);
    let document: Value = serde_json::from_str(&output).unwrap();
    assert!(document["results"][0]["reason"].as_str().unwrap().contains("not part of one"), "{output}");
}

#[test]
fn the_index_is_written_where_the_cache_is_and_changes_are_found() {
    let context = machine();
    let index = context.config_dir().join("cache/index");
    let stored = || -> usize {
        let files = std::fs::read_dir(&index).into_iter().flatten();
        files.filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|end| end == "search")).count()
    };
    context.invoke(&["search", "widget"]).expect(0);
    assert!(!index.exists(), "a search makes no directories");
    context.invoke(&["sync"]).expect(0);
    std::thread::sleep(std::time::Duration::from_millis(2100));
    context.invoke(&["search", "widget"]).expect(0);
    assert_eq!(stored(), 1, "{}", index.display());
    assert_eq!(names(&context, &["frames"]), ["frame"], "from the index");
    context.write_config("plugins/frame/SKILL.md", "---\nname: frame\ndescription: Now about doors\n---\nB\n");
    assert_eq!(names(&context, &["doors"]), ["frame"]);
    context.write_config("plugins/new/SKILL.md", "---\nname: new\ndescription: About hinges\n---\nB\n");
    assert_eq!(names(&context, &["hinges"]), ["new"]);
    let file = std::fs::read_dir(&index).unwrap().map(|file| file.unwrap().path());
    let file = file.into_iter().find(|file| file.extension().is_some_and(|end| end == "search")).unwrap();
    std::fs::write(&file, b"symposium-search-1\tx\t0\n\n\xff\n").unwrap();
    assert_eq!(names(&context, &["hinges"]), ["new"], "a broken index is none");
}
