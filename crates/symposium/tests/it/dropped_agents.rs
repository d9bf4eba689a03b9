//! An agent that is no longer chosen, and that moved Symposium's entries to another of its files before.

use symposium_testkit::TestContext;

use crate::with_fixture;

const SCOPES: [&[&str]; 2] = [&[], &["--project"]];

/// Registers two agents, moves entries as the first one does, and chooses only the second one.
fn drop_after(agent: &str, scope: &[&str], moved: impl Fn(&std::path::Path)) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    let start = if scope.is_empty() { context.root().join("home") } else { context.workspace().to_owned() };
    let init = |args: &[&str]| context.invoke(&[&["init", "--yes"], scope, args].concat());
    init(&["--agent", agent, "--agent", "claude"]).expect(0);
    moved(&start);
    init(&["--only", "--agent", "claude"]).expect(0);
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["sync", "--check"]).expect(0);
    context
}

fn text(path: &std::path::Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn hooks_that_droid_moved_go_with_it() {
    for scope in SCOPES {
        for keeps_settings in [true, false] {
            let theirs = "{\"type\": \"command\", \"command\": \"mine\"}";
            let context = drop_after("droid", scope, |start| {
                let file = |name: &str| start.join(".factory").join(name);
                let settings: serde_json::Value = serde_json::from_str(&text(&file("settings.json"))).unwrap();
                let mut hooks = settings["hooks"].clone();
                let own = serde_json::from_str::<serde_json::Value>(theirs).unwrap();
                hooks["PreToolUse"][0]["hooks"].as_array_mut().unwrap().push(own);
                std::fs::write(file("hooks.json"), hooks.to_string()).unwrap();
                if !keeps_settings {
                    std::fs::remove_file(file("settings.json")).unwrap();
                }
            });
            let start = if scope.is_empty() { context.root().join("home") } else { context.workspace().to_owned() };
            let hooks = text(&start.join(".factory/hooks.json"));
            assert!(!hooks.contains("hook droid") && hooks.contains("mine"), "{scope:?}: {hooks}");
            assert!(!start.join(".factory/settings.json").exists());
            let claude = text(&start.join(".claude/settings.json"));
            assert!(claude.contains("hook claude pre-tool-use"), "{claude}");
        }
    }
}

#[test]
fn a_server_in_a_renamed_file_goes_with_its_agent() {
    for scope in SCOPES {
        let directory = if scope.is_empty() { ".config/kilo" } else { "" };
        let context = drop_after("kilo", scope, |start| {
            let from = ["kilo.json", "kilo.jsonc"].map(|name| start.join(directory).join(name));
            let (from, to) = if from[0].exists() { (&from[0], &from[1]) } else { (&from[1], &from[0]) };
            std::fs::rename(from, to).unwrap();
            assert!(text(to).contains("symposium"), "{}", text(to));
        });
        let start = if scope.is_empty() { context.root().join("home") } else { context.workspace().to_owned() };
        for name in ["kilo.json", "kilo.jsonc"] {
            let left = text(&start.join(directory).join(name));
            assert!(!left.contains("symposium"), "{scope:?} {name}: {left}");
        }
    }
}

/// Entries in a file that another agent reads belong to that agent.
#[test]
fn a_shared_file_stays_for_the_other_agent() {
    let context = with_fixture(&["workspace0"]);
    let init = |args: &[&str]| context.invoke(&[&["init", "--yes", "--project"], args].concat());
    init(&["--agent", "copilot", "--agent", "claude"]).expect(0);
    init(&["--only", "--agent", "claude"]).expect(0);
    assert!(text(&context.workspace().join(".mcp.json")).contains("symposium"));
    context.invoke(&["sync", "--check"]).expect(0);
}
