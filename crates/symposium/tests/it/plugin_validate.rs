//! `symposium plugin validate`.

use expect_test::expect;

use crate::{check, json, with_fixture};

const THREE_MISTAKES: &str = r#"name = "demo"

[[skills]]
crates = ["serde>="]
source.path = "skills"

[[hooks]]
name = "guard"
event = "PreToolUze"
command = "./check.sh"

[[hooks]]
name = "slow"
event = "Stop"
command = "true"
timeout = "ten"
"#;

#[test]
fn three_mistakes_are_three_excerpts_with_line_caret_and_fix() {
    let context = with_fixture(&["plugins0"]);
    context.write("symposium.toml", THREE_MISTAKES);
    check(
        context.invoke(&["plugin", "validate", "symposium.toml"]),
        expect![[r#"
            error: the version is missing in `>=`
             --> symposium.toml:4:17
              |
            4 | crates = ["serde>="]
              |                 ^^
              |
              = help: write a version after the operator, such as `>=1.40` or `=1.0`

            error: unknown event `PreToolUze`
             --> symposium.toml:9:9
              |
            9 | event = "PreToolUze"
              |         ^^^^^^^^^^^^
              |
              = help: did you mean `PreToolUse`?

            error: `timeout` in `[[hooks]]` must be a whole number, not a string
              --> symposium.toml:16:11
               |
            16 | timeout = "ten"
               |           ^^^^^
               |
               = help: write digits without quotes

            1 file checked: 3 errors, 0 warnings
            --- exit 1
        "#]],
    );
}

#[test]
fn a_directory_of_plugins_is_checked_file_by_file() {
    let context = with_fixture(&["plugins0"]);
    context.write("all/good/symposium.toml", "name = \"good\"\n[[skills]]\nsource.path = \"skills\"\n");
    context.write("all/good/skills/a/SKILL.md", "---\nname: a\ndescription: Use when testing.\n---\nbody\n");
    context.write("all/bad/symposium.toml", "name = \"good\"\n[[skills]]\nsource.path = \"nowhere\"\n");
    context.write("all/alone/SKILL.md", "---\nname: Alone\ndescription: Use when testing.\ncrates: a b\n---\nbody\n");
    context.write("all/Cargo.toml", "not for us");
    check(
        context.invoke(&["plugin", "validate", "all"]),
        expect![[r#"
            error: skill group `nowhere` cannot be read: no such file or directory
             --> all/bad/symposium.toml:3:15
              |
            3 | source.path = "nowhere"
              |               ^^^^^^^^^
              |
              = help: create `all/bad/nowhere`, or correct `source.path`

            warning: all/good/symposium.toml: another plugin has the name `good` too: all/bad/symposium.toml
            help: give each a unique name, unless only one of them can apply at a time

            error: `Alone` is not a valid skill name: only lower-case letters, digits and single hyphens between them are allowed
             --> all/alone/SKILL.md:2:7
              |
            2 | name: Alone
              |       ^^^^^
              |
              = help: write `name: alone`

            error: `b` is not a version
             --> all/alone/SKILL.md:4:9
              |
            4 | crates: a b
              |         ^^^
              |
              = help: write a version after the operator, such as `>=1.40` or `=1.0`

            4 files checked: 3 errors, 1 warning
            --- exit 1
        "#]],
    );
    let document = json(context.invoke(&["plugin", "validate", "all", "--json"]));
    let count = |what: &str| -> Vec<usize> {
        document["items"].as_array().unwrap().iter().map(|item| item[what].as_array().unwrap().len()).collect()
    };
    expect![[r#"
        (
            [
                1,
                0,
                0,
                2,
            ],
            [
                0,
                1,
                0,
                0,
            ],
        )
    "#]]
    .assert_debug_eq(&(count("errors"), count("warnings")));
}

#[test]
fn crates_are_looked_up_only_when_asked_and_offline_is_a_warning() {
    let context = with_fixture(&["plugins0"]);
    context.write("p.toml", "name = \"p\"\ncrates = [\"serde\"]\n");
    check(
        context.invoke(&["plugin", "validate", "p.toml"]),
        expect![[r#"
        1 file checked, no problems found
    "#]],
    );
    check(
        context.invoke(&["plugin", "validate", "p.toml", "--check-crates", "--offline"]),
        expect![[r#"
            warning: crate `serde` was not checked: Symposium is offline
             --> p.toml:2:12
              |
            2 | crates = ["serde"]
              |            ^^^^^
              |
              = help: repeat the check with network access

            1 file checked: 0 errors, 1 warning
        "#]],
    );
}

#[test]
fn a_crate_is_pointed_at_where_it_is_asked_for() {
    let context = with_fixture(&["plugins0"]);
    context.write(
        "p/symposium.toml",
        "# serde things\nname = \"serde\"\n[[skills]]\nsource.path = \"s\"\ncrates = [\"serde\"]\n",
    );
    context.write(
        "p/s/a/SKILL.md",
        "---\n# serde\nname: a\ndescription: Use when testing serde.\ncrates: serde\n---\nbody\n",
    );
    let output = context.invoke(&["plugin", "validate", "p", "--check-crates", "--offline"]).expect(0);
    let places: Vec<&str> = output.lines().filter_map(|line| line.trim().strip_prefix("--> ")).collect();
    assert_eq!(places, ["p/symposium.toml:5:12", "p/s/a/SKILL.md:5:9"], "{output}");
}

#[test]
fn a_plugin_is_judged_alike_alone_and_in_its_source() {
    let context = with_fixture(&["plugins0"]);
    context.write("all/p/symposium.toml", "name = \"p\"\n[[skills]]\nsource.path = \"../shared\"\n");
    context.write("all/shared/s/SKILL.md", "---\nname: s\ndescription: Use when testing.\n---\nbody\n");
    for path in ["all", "all/p", "all/p/symposium.toml", "./all/p/"] {
        assert_eq!(
            context.invoke(&["plugin", "validate", path]).expect(0),
            "2 files checked, no problems found\n",
            "{path}"
        );
    }
    let inside = context.workspace().join("all/p");
    assert_eq!(
        context.invoke_in(&inside, &["plugin", "validate", "symposium.toml"]).code,
        1,
        "nothing above `.` is read"
    );
}

#[test]
fn a_skill_that_no_group_leads_to_is_pointed_out() {
    let context = with_fixture(&["plugins0"]);
    context.write("p/symposium.toml", "name = \"p\"\n[[skills]]\nsource.path = \"skills\"\n");
    context.write("p/skills/s/SKILL.md", "---\nname: s\ndescription: Use when testing.\n---\nbody\n");
    context.write("p/extra/t/SKILL.md", "---\nname: t\ndescription: Use when testing.\n---\nbody\n");
    check(
        context.invoke(&["plugin", "validate", "p"]),
        expect![[r#"
            warning: p/extra/t/SKILL.md: no skill group of `p/symposium.toml` includes this skill, so it is never used
            help: add `[[skills]]` with a `source.path` to the manifest, or remove the skill

            3 files checked: 0 errors, 1 warning
        "#]],
    );
}

#[test]
fn what_could_not_be_looked_at_is_said() {
    let context = with_fixture(&["plugins0"]);
    context.write("all/good/SKILL.md", "---\nname: good\ndescription: Use when testing.\n---\nbody\n");
    std::os::unix::fs::symlink("/etc", context.workspace().join("all/out")).unwrap();
    for command in [["plugin", "validate"], ["skill", "check"]] {
        let shown = context.invoke(&[command[0], command[1], "all"]).expect(0);
        assert!(shown.contains("all/out: skipped: a link to a place outside the source"), "{shown}");
    }
}

#[test]
fn what_belongs_to_cargo_is_no_manifest() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    check(
        context.invoke(&["plugin", "validate", "Cargo.toml"]),
        expect![[r#"
            --- stderr
            error: `Cargo.toml` has no `[package.metadata.symposium]`
            help: name the manifest `symposium.toml`, or like its directory
            --- exit 2
        "#]],
    );
}

#[test]
fn a_no_is_a_document_too() {
    let context = with_fixture(&["plugins0"]);
    std::fs::create_dir(context.workspace().join("void")).unwrap();
    for (args, list) in [
        (&["plugin", "validate", "void", "--json"][..], "items"),
        (&["skill", "check", "void", "--json"], "items"),
        (&["plugin", "show", "nope", "--json"], "plugins"),
    ] {
        let output = context.invoke(args);
        assert_eq!(output.code, 1, "{args:?}");
        let document: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(document[list], serde_json::json!([]), "{args:?}");
    }
}

#[test]
fn what_is_not_there_cannot_be_checked() {
    let context = with_fixture(&["plugins0"]);
    check(
        context.invoke(&["plugin", "validate", "nowhere"]),
        expect![[r#"
            --- stderr
            error: `nowhere` does not exist
            help: check the path
            --- exit 2
        "#]],
    );
    std::fs::create_dir(context.workspace().join("void")).unwrap();
    check(
        context.invoke(&["plugin", "validate", "void"]),
        expect![[r#"
            --- stderr
            error: `void` contains no manifest and no SKILL.md
            help: pass a manifest, a plugin directory or a directory of plugins
            --- exit 1
        "#]],
    );
}

#[test]
fn an_event_the_agent_does_not_have_is_an_error() {
    let context = with_fixture(&["plugins0"]);
    let hook = |event: &str| format!("[[hooks]]\nevent = \"{event}\"\ncommand = \"true\"\n\n");
    let good = ["gemini:BeforeModel", "gemini:BeforeTool", "claude:PreToolUse", "claude:PostToolUseFailure"];
    let good = good.into_iter().chain(["copilot:agentStop", "claude-code:PreCompact", "opencode:session.idle"]);
    context.write("good.toml", format!("name = \"good\"\n{}", good.map(hook).collect::<String>()));
    assert_eq!(context.invoke(&["plugin", "validate", "good.toml"]).expect(0), "1 file checked, no problems found\n");

    let bad = ["gemini:BeforeModl", "gemini:PreToolUse", "claude:precompact", "goose:Dance"];
    context.write("bad.toml", format!("name = \"bad\"\n{}", bad.map(hook).concat()));
    check(
        context.invoke(&["plugin", "validate", "bad.toml"]),
        expect![[r#"
            error: Gemini CLI has no hook event `BeforeModl`
             --> bad.toml:3:17
              |
            3 | event = "gemini:BeforeModl"
              |                 ^^^^^^^^^^
              |
              = help: did you mean `gemini:BeforeModel`?

            error: Gemini CLI has no hook event `PreToolUse`
             --> bad.toml:7:17
              |
            7 | event = "gemini:PreToolUse"
              |                 ^^^^^^^^^^
              |
              = help: did you mean `gemini:BeforeTool`?

            error: Claude Code has no hook event `precompact`
              --> bad.toml:11:17
               |
            11 | event = "claude:precompact"
               |                 ^^^^^^^^^^
               |
               = help: did you mean `claude:PreCompact`?

            error: Goose has no hook event `Dance`
              --> bad.toml:15:16
               |
            15 | event = "goose:Dance"
               |                ^^^^^
               |
               = help: use one of PreToolUse, PostToolUse, UserPromptSubmit, SessionStart, Stop, PostToolUseFailure, SessionEnd, PreToolUseResult, BeforeShellExecution, AfterShellExecution, BeforeReadFile, AfterFileEdit, SubagentStart, SubagentStop

            1 file checked: 4 errors, 0 warnings
            --- exit 1
        "#]],
    );
}

#[test]
fn what_does_not_work_on_every_agent_is_noted_and_is_no_warning() {
    let context = with_fixture(&["plugins0"]);
    let hook = |name: &str, rest: &str| format!("[[hooks]]\nname = \"{name}\"\ncommand = \"true\"\n{rest}\n");
    let hooks = [
        hook("guard", "event = \"PreToolUse\""),
        hook("mine", "event = \"PreToolUse\"\nagent = \"claude\""),
        hook("model", "event = \"gemini:BeforeModel\""),
        hook("begin", "event = \"SessionStart\""),
    ];
    context.write("p.toml", format!("name = \"p\"\n{}", hooks.concat()));
    check(
        context.invoke(&["plugin", "validate", "p.toml"]),
        expect![[r#"
            note: p.toml:2: Hook `guard` at PreToolUse: no context on gemini, kiro, goose, qwen, droid; no changed input on kiro, goose, qwen; a changed input only with `allow` on codex, droid; `ask` denies on gemini, codex, kiro, opencode, goose, qwen, kilo, cline, pi, crush
            note: p.toml:15: Hook `begin` at SessionStart: never runs on crush; no context on goose

            1 file checked: 0 errors, 0 warnings, 2 notes
        "#]],
    );
    let document = json(context.invoke(&["plugin", "validate", "p.toml", "--json"]));
    let notes = document["items"][0]["notes"].as_array().unwrap();
    let shown: Vec<_> = notes.iter().map(|note| (note["hook"].as_str().unwrap(), note["line"].as_u64())).collect();
    assert_eq!(shown, [("guard", Some(2)), ("begin", Some(15))]);
    assert_eq!(document["items"][0]["warnings"], serde_json::json!([]));
}

#[test]
fn commands_that_never_run_or_run_something_else_are_named() {
    let context = with_fixture(&["plugins0"]);
    let hook = |name: &str, command: &str| {
        format!("[[hooks]]\nname = \"{name}\"\nevent = \"PreToolUse\"\ncommand = {command}\n")
    };
    let manifest = [
        "name = \"c\"\n".to_owned(),
        hook("above", "\"../out.sh x\""),
        hook("absolute", "\"/bin/echo hi\""),
        hook("plain", "\"./plain.sh\""),
        hook("gone", "\"./gone.sh\""),
        hook("open", "\"'unclosed\""),
        hook("hidden", "\"bash -c 'sh bin/i.sh'\""),
        hook("fine", "\"sh bin/i.sh\""),
    ];
    context.write("c/symposium.toml", manifest.concat());
    context.write("c/plain.sh", "exit 0\n");
    context.write("c/bin/i.sh", "exit 0\n");
    check(
        context.invoke(&["plugin", "validate", "c"]),
        expect![[r#"
            error: `'unclosed` is not a valid shell command: a `'` is not closed
              --> c/symposium.toml:21:11
               |
            21 | command = "'unclosed"
               |           ^^^^^^^^^^^
               |
               = help: close the quote, or write `\` before it

            error: hook `gone` runs `./gone.sh`, which does not exist
              --> c/symposium.toml:17:11
               |
            17 | command = "./gone.sh"
               |           ^^^^^^^^^^^
               |
               = help: create `c/gone.sh`, or correct `command`

            error: hook `above` never runs: it runs `../out.sh`, which is outside the plugin's directory
             --> c/symposium.toml:5:12
              |
            5 | command = "../out.sh x"
              |            ^^^^^^^^^
              |
              = help: move the program into the plugin's directory, or name a program on PATH without a `/`

            error: hook `absolute` never runs: it runs `/bin/echo`, which is outside the plugin's directory
             --> c/symposium.toml:9:12
              |
            9 | command = "/bin/echo hi"
              |            ^^^^^^^^^
              |
              = help: move the program into the plugin's directory, or name a program on PATH without a `/`

            error: hook `plain` never runs: `./plain.sh` is not executable
              --> c/symposium.toml:13:12
               |
            13 | command = "./plain.sh"
               |            ^^^^^^^^^^
               |
               = help: run `chmod +x` on it, or write `sh ./plain.sh`

            warning: hook `hidden` names `bin/i.sh`, which is resolved in the agent's working directory and not in the plugin's directory
              --> c/symposium.toml:25:24
               |
            25 | command = "bash -c 'sh bin/i.sh'"
               |                        ^^^^^^^^
               |
               = help: write `$SYMPOSIUM_PLUGIN_DIR/bin/i.sh`

            note: c/symposium.toml:2: Hooks `above`, `absolute`, `plain`, `gone`, `hidden`, `fine` at PreToolUse: no context on gemini, kiro, goose, qwen, droid; no changed input on kiro, goose, qwen; a changed input only with `allow` on codex, droid; `ask` denies on gemini, codex, kiro, opencode, goose, qwen, kilo, cline, pi, crush
            note: c/symposium.toml:2: Hook `above` runs from a user's own plugin, but not from a shared one: `..` leads outside its directory; move it into a script in the plugin's directory, and run that script
            note: c/symposium.toml:22: Hook `hidden` runs from a user's own plugin, but not from a shared one: `bash -c` runs more than the named files; move it into a script in the plugin's directory, and run that script

            1 file checked: 5 errors, 1 warning, 3 notes
            --- exit 1
        "#]],
    );
}

/// The layout of the public repository: a manifest at the root, and plugins below it.
#[test]
fn a_source_with_a_manifest_at_its_root_is_checked_whole() {
    let context = with_fixture(&["workspace0"]);
    let skill = "---\nname: alone\ndescription: Use when.\ncrates: serde\n---\ntext\n";
    context.write("rec/SYMPOSIUM.toml", "name = \"rec\"\nsession-start-context = \"text\"\n");
    context.write("rec/alone/SKILL.md", skill);
    context.write("rec/broken/SYMPOSIUM.toml", "name = 3\n[[hooks]\n");
    let told = context.invoke(&["plugin", "validate", "rec"]);
    assert_eq!(told.code, 1, "{}", told.transcript());
    assert!(told.transcript().contains("rec/broken/SYMPOSIUM.toml"), "{}", told.transcript());
    assert!(!told.transcript().contains("never used"), "{}", told.transcript());
}

#[test]
fn a_crate_lookup_without_cargo_says_what_is_missing() {
    let mut context = with_fixture(&["plugins0"]);
    context.write("p.toml", "name = \"p\"\ncrates = [\"serde\"]\n");
    context.set("PATH", "/nowhere").set("SYMPOSIUM_OFFLINE", "0");
    let shown = context.invoke(&["plugin", "validate", "p.toml", "--check-crates"]).expect(0);
    assert!(shown.contains("`cargo` is not on PATH") && !shown.contains("network"), "{shown}");
}

/// A crate that carries a plugin, as `(path, text)` below its directory.
fn krate(context: &symposium_testkit::TestContext, files: &[(&str, &str)]) {
    context.write("widget/Cargo.toml", "[package]\nname = \"widget\"\nversion = \"0.1.0\"\n");
    context.write("widget/src/lib.rs", "");
    for (path, text) in files {
        context.write(&format!("widget/{path}"), text);
    }
}

const GUIDE: &str = "---\nname: guide\ndescription: Use when testing.\n---\nbody\n";

#[test]
fn what_a_cargo_toml_says_is_checked() {
    let context = with_fixture(&["plugins0"]);
    let table = "[package]\nname = \"widget\"\nversion = \"0.1.0\"\n[[package.metadata.symposium.skills]]\n\
                 crates = [\"widget >= one.two\"]\nsource.path = \"docs\"\n";
    krate(&context, &[("docs/guide/SKILL.md", GUIDE)]);
    context.write("widget/Cargo.toml", table);
    for path in ["widget", "widget/Cargo.toml"] {
        let output = context.invoke(&["plugin", "validate", path]);
        let shown = output.expect(1);
        assert!(
            shown.contains("`one.two` is not a version") && shown.contains("widget/Cargo.toml:5:"),
            "{path}: {shown}"
        );
    }
    context.write("widget/Cargo.toml", table.replace(" >= one.two", ""));
    for path in ["widget", "widget/Cargo.toml"] {
        let shown = context.invoke(&["plugin", "validate", path]).expect(0);
        assert_eq!(shown, "2 files checked, no problems found\n", "{path}");
    }
}

/// In a crate the directory `skills` counts without a group, and the name is the crate's.
#[test]
fn a_crates_own_manifest_is_read_as_its_users_read_it() {
    let context = with_fixture(&["plugins0"]);
    krate(&context, &[("SYMPOSIUM.toml", "session-start-context = \"x\"\n"), ("skills/guide/SKILL.md", GUIDE)]);
    // The manifest of something else.
    context.write("widget/book/book.toml", "[book]\ntitle = \"x\"\n");
    let here = context.workspace().join("widget");
    for (directory, arguments) in [
        (context.workspace(), &["widget"][..]),
        (context.workspace(), &["widget/SYMPOSIUM.toml"]),
        (here.as_path(), &[]),
        (here.as_path(), &["."]),
    ] {
        let document = json(context.invoke_in(directory, &[&["plugin", "validate", "--json"], arguments].concat()));
        let items = document["items"].as_array().unwrap();
        let names: Vec<&str> = items.iter().map(|item| item["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["widget", "guide"], "{arguments:?}");
        assert!(!document.to_string().contains("message"), "{arguments:?}: {document}");
    }
    // Skills alone will do.
    std::fs::remove_file(here.join("SYMPOSIUM.toml")).unwrap();
    assert_eq!(context.invoke_in(&here, &["plugin", "validate"]).expect(0), "1 file checked, no problems found\n");
}

#[test]
fn a_misspelled_condition_is_an_error_with_line_caret_and_fix() {
    let context = with_fixture(&["plugins0"]);
    context.write("symposium.toml", "name = \"demo\"\ncrate = [\"serde\"]\n");
    check(
        context.invoke(&["plugin", "validate", "symposium.toml"]),
        expect![[r#"
            error: unknown key `crate` instead of the condition `crates`, so this entry is skipped
             --> symposium.toml:2:1
              |
            2 | crate = ["serde"]
              | ^^^^^
              |
              = help: did you mean `crates`?

            1 file checked: 1 error, 0 warnings
            --- exit 1
        "#]],
    );
    context
        .write("odd/SKILL.md", "---\nname: odd\ndescription: Use when odd things happen.\ncrate: serde\n---\nBody.\n");
    let shown = context.invoke(&["skill", "check", "odd"]);
    assert_eq!(shown.code, 1, "{shown:?}");
}

#[test]
fn a_plugin_of_a_crate_whose_conditions_name_only_others_gets_a_warning() {
    let context = with_fixture(&["plugins0"]);
    context.write("widgetlib/Cargo.toml", "[package]\nname = \"widgetlib\"\nversion = \"1.0.0\"\n");
    let manifest = |atom: &str| format!("name = \"widgetlib\"\ncrates = [\"{atom}\"]\n");
    context.write("widgetlib/SYMPOSIUM.toml", manifest("wigdetlib"));
    check(
        context.invoke(&["plugin", "validate", "widgetlib"]),
        expect![[r#"
            warning: this plugin is part of crate `widgetlib`, but none of its conditions names that crate
             --> widgetlib/SYMPOSIUM.toml:2:12
              |
            2 | crates = ["wigdetlib"]
              |            ^^^^^^^^^
              |
              = help: did you mean `widgetlib`?

            1 file checked: 0 errors, 1 warning
        "#]],
    );
    context.write("widgetlib/SYMPOSIUM.toml", manifest("widgetlib>=1"));
    let shown = context.invoke(&["plugin", "validate", "widgetlib"]).expect(0);
    assert!(!shown.contains("none of its conditions"), "{shown}");
}
