//! What `symposium trust` shows before anybody agrees: the text of what would run.

use serde_json::Value;
use symposium_testkit::TestContext;

use crate::with_fixture;

/// A project with a plugin of its own that runs a long script, and has a program beside it.
fn project() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n");
    let manifest = "name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"sh ./check.sh\"\n";
    context.write("plugins/p/symposium.toml", manifest);
    let lines: Vec<String> = (1..=60).map(|line| format!("echo line-{line}\n")).collect();
    context.write("plugins/p/check.sh", format!("echo \u{1b}[2J\u{202e}odd\n{}", lines.concat()));
    context.write("plugins/p/program", b"\x7fELF\0\xff\xfe");
    context
}

#[test]
fn a_first_grant_shows_the_beginning_of_every_script() {
    let context = project();
    let asked = context.invoke(&["trust"]);
    assert_eq!(asked.code, 2, "{asked:?}");
    for shown in [asked.stdout, context.invoke(&["trust", "--show"]).expect(0)] {
        assert!(shown.contains("    | echo [2Jodd\n    | echo line-1\n"), "{shown}");
        assert!(shown.contains("| echo line-39\n") && !shown.contains("| echo line-40\n"), "{shown}");
        assert!(
            shown.contains("    … 21 more lines; `symposium trust --show -v` shows every file in full\n"),
            "{shown}"
        );
        assert!(shown.contains("  file program\n") && shown.contains("    not text (7 bytes)\n"), "{shown}");
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{shown}");
    }
    let whole = context.invoke(&["trust", "--show", "-v"]).expect(0);
    assert!(whole.contains("| echo line-60\n") && !whole.contains("more lines"), "{whole}");
    let document: Value = serde_json::from_str(&context.invoke(&["trust", "--show", "--json"]).stdout).unwrap();
    let files = document["plugins"][0]["files"].as_array().unwrap();
    let file = |path: &str| files.iter().find(|file| file["path"] == path).unwrap();
    assert!(file("check.sh")["text"].as_str().unwrap().ends_with("echo line-60\n"), "{document}");
    assert_eq!((&file("program")["text"], &file("program")["bytes"]), (&Value::Null, &Value::from(7)));
}

#[test]
fn what_was_granted_is_not_shown_again_and_a_change_is_shown_as_one() {
    let context = project();
    context.invoke(&["trust", "--yes"]).expect(0);
    assert!(!context.invoke(&["trust", "--show"]).expect(0).contains("line-1"));
    context.write("plugins/p/check.sh", "echo other\n");
    let shown = context.invoke(&["trust", "--show"]).expect(0);
    assert!(shown.contains("+ echo other") && !shown.contains("| echo other"), "{shown}");
}

/// A line is no way around the limit, and what is cut is said with its length.
#[test]
fn a_very_long_line_is_cut_at_first() {
    let context = project();
    context.write("plugins/p/check.sh", format!("echo {}\necho last\n", "x".repeat(16_000)));
    let shown = context.invoke(&["trust", "--show"]).expect(0);
    let line = shown.lines().find(|line| line.contains("| echo x")).unwrap();
    assert!(line.len() < 1_200, "{}", line.len());
    assert!(line.contains(" … 15005 more characters; `symposium trust --show -v` shows every file in full"), "{line}");
    assert!(shown.contains("    | echo last\n"), "{shown}");
    let whole = context.invoke(&["trust", "--show", "-v"]).expect(0);
    assert!(whole.contains(&"x".repeat(16_000)) && !whole.contains("more characters"));
}
