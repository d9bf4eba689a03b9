//! What a grant covers: everything the granted command could run, and nothing whose reach cannot be told from its words.

use std::path::Path;

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::repository::Repository;
use crate::{set_mode, with_fixture};

const GOOD: &str = "#!/bin/sh\ntouch \"$HOME/ran-good\"\n";
const CHANGED: &str = "#!/bin/sh\ntouch \"$HOME/ran-changed\"\n";

/// Where a script of the same text lies, in the plugin and elsewhere in the workspace.
const SCRIPTS: [&str; 10] = [
    "plugins/p/x.sh",
    "plugins/p/lib/x.sh",
    "plugins/shared/x.sh",
    "shared/x.sh",
    "tools/x.sh",
    "tools/x",
    "tools/b.rs",
    "sub/tools/x.sh",
    "sub/only/x.sh",
    "x y.sh",
];

fn write_scripts(context: &TestContext, text: &str) {
    for script in SCRIPTS {
        context.write(script, text);
        set_mode(&context.workspace().join(script), 0o755);
    }
    let js = |path: &str| {
        let mark = if text == GOOD { "good" } else { "changed" };
        let code = format!("require('fs').writeFileSync(process.env.HOME + '/ran-{mark}', '');\n");
        context.write(path, code);
    };
    js("tools/m.js");
    let mark = if text == GOOD { "good" } else { "changed" };
    let python = format!("import os\nopen(os.environ['HOME'] + '/ran-{mark}', 'w').close()\n");
    context.write("mod.py", &python);
    context.write("tools/mod.py", &python);
    context.write("tools/__main__.py", &python);
    context.write("plugins/p/t.py", &python);
    context.write("tools/Makefile", format!("all:\n\t@touch $(HOME)/ran-{mark}\n"));
    context.write("Makefile", format!("all:\n\t@touch $(HOME)/ran-{mark}\n"));
    context.write("justfile", format!("all:\n  touch $HOME/ran-{mark}\n"));
}

/// A project with a plugin of its own that has this command.
fn project(command: &str) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n");
    let manifest = format!("name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = {command:?}\n");
    context.write("plugins/p/symposium.toml", &manifest);
    write_scripts(&context, GOOD);
    context
}

fn event(cwd: &Path) -> String {
    json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default", "cwd": cwd,
        "tool_name": "Bash", "tool_input": {"command": "git push --force"}})
    .to_string()
}

/// What left its mark when the agent works in a directory of the workspace.
fn ran_in(context: &TestContext, directory: &str) -> Vec<&'static str> {
    let payload = event(&context.workspace().join(directory));
    // The first event may find no time to compile the plan.
    for _ in 0..2 {
        context.invoke_hook("claude", "pre-tool-use", &payload).expect(0);
    }
    marks(context)
}

fn marks(context: &TestContext) -> Vec<&'static str> {
    let home = context.root().join("home");
    let mark = |name: &&str| std::fs::remove_file(home.join(format!("ran-{name}"))).is_ok();
    ["good", "changed", "clone"].into_iter().filter(mark).collect()
}

/// Commands whose words do not say what they run.
const UNTOLD: &[&str] = &[
    "sh $SYMPOSIUM_PLUGIN_DIR/../shared/x.sh",
    "cd tools && sh x.sh",
    "cd $SYMPOSIUM_WORKSPACE/tools && sh ./x.sh",
    "cd $SYMPOSIUM_PLUGIN_DIR/.. && sh shared/x.sh",
    "sh \"${CLAUDE_PROJECT_DIR:-.}/tools/x.sh\"",
    "sh \"$PWD/tools/x.sh\"",
    "sh \"$(git rev-parse --show-toplevel)/tools/x.sh\"",
    "for f in tools/*.sh; do sh $f; done",
    "D=tools; sh $D/x.sh",
    "env -C tools sh x.sh",
    "pushd tools; sh x.sh",
    "sh \"${SYMPOSIUM_PLUGIN_DIR%/p}/shared/x.sh\"",
    "sh \"$(dirname $SYMPOSIUM_PLUGIN_DIR)/shared/x.sh\"",
    "sh tools/x.sh <<E\nE",
    "sh ../shared/x.sh",
    "make -C tools",
    "make",
    "python3 -m mod",
    "python3 tools",
    "node ./tools/m",
    "run-parts ./tools",
    "find tools -name x.sh -exec sh {} +",
    "echo tools/x.sh | xargs sh",
    "eval sh tools/x.sh",
    "bash -c 'cd tools; sh x.sh'",
    "cat tools/x.sh | sh",
    "sh < tools/x.sh",
    "sh `echo tools/x.sh`",
    "sh tools/{x,y}.sh",
    "PATH=tools:$PATH x",
    "PATH=tools x",
    "ENV=tools/x.sh sh -i",
    "python3 -c 'import mod'",
    "python3 -c 'exec(open(\"mod.py\").read())'",
    "perl -e 'system(\"sh tools/x.sh\")'",
    "awk 'BEGIN{system(\"sh tools/x.sh\")}'",
    "trap 'sh tools/x.sh' EXIT",
    "alias y='sh tools/x.sh'; y",
    "sh tools/?.sh",
    "sh /proc/self/cwd/tools/x.sh",
    "timeout 5 make",
    "env make",
    "true && make",
    "if true; then make; fi",
    "git -c alias.y='!sh tools/x.sh' y",
    "just all",
];

#[test]
fn a_command_whose_reach_cannot_be_told_is_not_granted() {
    for command in UNTOLD {
        let context = project(command);
        context.invoke(&["trust", "--yes"]).expect(0);
        write_scripts(&context, CHANGED);
        std::thread::sleep(std::time::Duration::from_millis(30));
        for directory in ["", "plugins/p", "sub"] {
            assert_eq!(ran_in(&context, directory), [""; 0], "{command} in {directory}");
        }
        let shown = context.invoke(&["trust", "--show"]).expect(0);
        let is_said = ["a script in the plugin's directory", "is not a file", "there is no file"];
        assert!(is_said.iter().any(|said| shown.contains(said)), "{command}: {shown}");
    }
}

/// Commands that name a directory of the workspace, or a file whose program is not known to run that file alone.
const UNSEEN: &[&str] = &[
    // Of programs that run what lies beside.
    "go run ./tools/x",
    "node ./tools",
    "python3 tools/pkg",
    "python3.11 tools/mod.py",
    "deno run ./tools",
    "ruby -Itools x.rb",
    "cargo run --manifest-path tools/x/Cargo.toml",
    "make -C tools",
    "npm --prefix tools run x",
    "docker run -v ./tools:/t x",
    "sh -c 'sh -c \"sh tools/x.sh\"'",
    "csh -c 'source tools/x.sh'",
    // Of programs that nobody knows.
    "mytool tools",
    "mytool ./tools/",
    "mytool .",
    "mytool --config tools/x.sh",
    "mytool --config=tools/x.sh",
    "mytool -Itools",
    "mytool tools/b.rs",
    "mytool \"$SYMPOSIUM_WORKSPACE\"",
    "mytool \"$SYMPOSIUM_WORKSPACE/tools\"",
    "mytool file:./tools/x.sh",
    "mytool {tools}",
    "mytool < tools/x.sh",
    "xonsh tools/x.sh",
    "nu tools/x.sh",
    "timeout 5 mytool tools",
    "MY_PLUGINS=tools mytool",
    "cat tools/x.sh | xonsh",
    "grep -rh '' tools | xonsh",
    "cat src/lib.rs | xonsh",
    "echo 'source tools/x.sh' | xonsh",
    "printf 'sh tools/x.sh' | mytool",
    "java -jar tools/x",
    // Of what is covered.
    "./x.sh tools",
    "sh x.sh --in tools",
    "TOOLS=tools ./x.sh",
    "sh tools/x.sh sub/tools",
    "ln -s tools gone; sh gone/x.sh",
    "cp -r tools gone; sh gone/x.sh",
    "cat src/lib.rs > gone.sh; sh gone.sh",
    "sh /gone/x.sh",
    "sh tools/node_modules/.bin/x",
    "timeout 9 ./tools/gradlew build",
    "cargo build && ./tools/x",
    "rustc src/lib.rs -o tools/x && sh tools/x.sh",
    "mytool && sh gone.sh",
    "mytool ./mod",
    "mytool tools/mo",
];

#[test]
fn a_command_that_names_a_directory_or_a_file_for_an_unknown_program_is_not_granted() {
    let context = project("true");
    for path in ["tools/x.py", "tools/node_modules/.bin/x", "tools/gradlew", "tools/pkg/__main__.py"] {
        context.write(path, GOOD);
    }
    for command in UNSEEN {
        let manifest =
            format!("name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = {command:?}\n");
        context.write("plugins/p/symposium.toml", manifest);
        let (state, reason) = state(&context);
        assert_eq!(state, "blocked", "{command}: {reason}");
        let said = ["a script in the plugin's directory", "is not a file", "there is no file"];
        assert!(said.iter().any(|said| reason.contains(said)), "{command}: {reason}");
    }
    for command in [
        "mytool",
        "mytool --flag value",
        "mytool check --level=3",
        "grep -rq TODO tools src .",
        "ls tools | wc -l",
        "git diff --stat -- tools",
        "./x.sh \"$SYMPOSIUM_WORKSPACE\"",
        "./x.sh .",
        "./x.sh Cargo.toml tools/x.sh",
        "./x.sh plugins/p/lib",
        "cargo doc",
        "jq -r .tool_input.command | grep -q push && exit 2 || exit 0",
        "perl5.36 tools/x.sh",
    ] {
        let manifest =
            format!("name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = {command:?}\n");
        context.write("plugins/p/symposium.toml", manifest);
        context.write("doc/x", "");
        assert_eq!(state(&context).0, "untrusted", "{command}: {}", state(&context).1);
    }
}

/// A directory that a word names appears after the grant.
#[test]
fn a_directory_that_appears_after_the_grant_ends_it() {
    let context = project("./x.sh later");
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(ran_in(&context, ""), ["good"]);
    context.write("later/x.sh", GOOD);
    assert_eq!(ran_in(&context, ""), [""; 0]);
}

#[test]
fn everyday_commands_are_granted_and_every_file_they_run_is_covered() {
    for command in [
        "./x.sh",
        "./x.sh --flag value",
        "sh x.sh",
        "sh $SYMPOSIUM_PLUGIN_DIR/x.sh",
        "sh \"${SYMPOSIUM_PLUGIN_DIR}/lib/x.sh\" --all",
        "sh -eu ./x.sh",
        "python3 ./t.py --flag",
        "sh tools/x.sh",
        "sh tools/x",
        "sh 'x y.sh'",
        "sh tools/b.rs",
        "sh $SYMPOSIUM_WORKSPACE/tools/x.sh",
        "sh \"$CLAUDE_PROJECT_DIR/tools/x.sh\"",
        "cd $SYMPOSIUM_PLUGIN_DIR && ./x.sh",
        "cd \"$SYMPOSIUM_PLUGIN_DIR\"/lib && sh ./x.sh",
        "cd \"$CLAUDE_PROJECT_DIR\" && sh tools/x.sh",
        "./x.sh | cat",
        "cat | ./x.sh",
        "echo 'a rule: ..' && ./x.sh",
        "test -f Cargo.toml && sh tools/x.sh || true",
        "./x.sh 2>/dev/null",
        "env MODE=fast ./x.sh",
        "timeout 5 sh tools/x.sh",
        "exec ./x.sh",
        ". tools/x.sh",
        "if true; then ./x.sh; fi",
        "node tools/m.js",
    ] {
        let context = project(command);
        assert_eq!(ran_in(&context, "sub"), [""; 0], "{command}");
        context.invoke(&["trust", "--yes"]).expect(0);
        if command.starts_with("node") && std::process::Command::new("node").arg("-v").output().is_err() {
            continue;
        }
        assert_eq!(ran_in(&context, "sub"), ["good"], "{command}: {}", context.invoke(&["trust", "--show"]).stdout);
        assert_eq!(ran_in(&context, ""), ["good"], "{command}");
        write_scripts(&context, CHANGED);
        for directory in ["", "sub"] {
            assert_eq!(ran_in(&context, directory), [""; 0], "{command} in {directory}");
        }
    }
}

#[test]
fn whatever_lies_in_the_plugins_directory_is_covered() {
    type Damage = fn(&TestContext);
    let cases: [(&str, Damage); 4] = [
        ("what a script reads", |context| context.write("plugins/p/lib/helper.sh", "true # changed\n")),
        ("a new file", |context| context.write("plugins/p/lib/new.sh", "true\n")),
        ("a new directory", |context| context.write("plugins/p/more/new.sh", "true\n")),
        ("a file that goes", |context| {
            std::fs::remove_file(context.workspace().join("plugins/p/lib/helper.sh")).unwrap();
        }),
    ];
    for (what, damage) in cases {
        let context = project("./x.sh");
        context.write("plugins/p/lib/helper.sh", "true\n");
        context.invoke(&["trust", "--yes"]).expect(0);
        assert_eq!(ran_in(&context, ""), ["good"], "{what}");
        damage(&context);
        assert_eq!(ran_in(&context, ""), [""; 0], "{what}");
        assert!(context.invoke(&["trust", "--show"]).expect(0).contains("changed since it was granted"), "{what}");
    }
}

#[test]
fn a_plugin_at_the_root_of_a_package_covers_what_it_names_and_what_lies_beside_it() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    let manifest = "name = \"p\"\npredicates = [\"workspace-member()\"]\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\n\
                    command = \"./scripts/x.sh\"\n";
    context.write("SYMPOSIUM.toml", manifest);
    context.write("scripts/x.sh", GOOD);
    set_mode(&context.workspace().join("scripts/x.sh"), 0o755);
    context.write("scripts/helper.sh", "true\n");
    context.write("scripts/main.rs", "fn main() {}\n");
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(ran_in(&context, ""), ["good"]);
    for everyday in ["src/main.rs", "src/new.rs", "README.md", "target/debug/x", "scripts/main.rs", "tests/t.rs"] {
        context.write(everyday, "// changed\n");
        assert_eq!(ran_in(&context, ""), ["good"], "{everyday}");
    }
    context.write("scripts/helper.sh", "true # changed\n");
    assert_eq!(ran_in(&context, ""), [""; 0]);
}

/// A machine whose public recommendations are a repository of its own, with a plugin that has these commands.
fn recommended(commands: &[&str]) -> TestContext {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    let server = context.root().join("server");
    let stand_in = format!("[url \"file://{}/\"]\n\tinsteadOf = https://github.com/symposium-dev/\n", server.display());
    std::fs::write(context.root().join("home/.gitconfig"), stand_in).unwrap();
    let repository = Repository::create(server.join("recommendations"));
    let hooks = commands
        .iter()
        .enumerate()
        .map(|(at, command)| format!("[[hooks]]\nname = \"h{at}\"\nevent = \"PreToolUse\"\ncommand = {command:?}\n"));
    repository.write("p/symposium.toml", format!("name = \"p\"\n{}", hooks.collect::<String>()));
    repository.write("p/own.sh", GOOD);
    set_mode(&repository.path.join("p/own.sh"), 0o755);
    repository.commit();
    context.invoke(&["sync"]).expect(0);
    context
}

fn clone_of(context: &TestContext) -> std::path::PathBuf {
    let clone = context.root().join("clone");
    std::fs::create_dir_all(clone.join("tools")).unwrap();
    std::fs::create_dir_all(clone.join("src")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock"] {
        std::fs::copy(context.workspace().join(file), clone.join(file)).unwrap();
    }
    std::fs::write(clone.join("src/main.rs"), "fn main() {}\n").unwrap();
    for file in ["tools/check.sh", "tools/own.sh", "tools/rc.sh"] {
        std::fs::write(clone.join(file), "touch \"$HOME/ran-clone\"\n").unwrap();
    }
    std::fs::write(clone.join("lint.mk"), "all:\n\t@touch $(HOME)/ran-clone\n").unwrap();
    clone
}

#[test]
fn a_grant_for_every_workspace_runs_no_file_of_a_workspace() {
    let context = recommended(&[
        "sh tools/check.sh",
        "make -s -f lint.mk",
        "sh $SYMPOSIUM_WORKSPACE/tools/own.sh",
        ". ./tools/rc.sh; true",
    ]);
    context.invoke(&["trust", "--yes"]).expect(0);
    let clone = clone_of(&context);
    let raise = || {
        for _ in 0..3 {
            let payload = event(&clone);
            context.invoke_in_with(&clone, &["hook", "claude", "pre-tool-use"], payload.as_bytes()).expect(0);
        }
        marks(&context)
    };
    assert_eq!(raise(), [""; 0]);
    let shown = context.invoke_in(&clone, &["trust", "--show"]).expect(0);
    assert!(shown.contains("p of source") && shown.contains("untrusted (changed since it was granted)"), "{shown}");
    assert!(shown.contains("added $SYMPOSIUM_WORKSPACE/tools/check.sh"), "{shown}");
    // What is granted there is granted there alone, with the files as they are.
    context.invoke_in(&clone, &["trust", "--yes"]).expect(0);
    assert_eq!(raise(), ["clone"]);
    let other = context.root().join("other");
    std::fs::rename(&clone, &other).unwrap();
    let payload = event(&other);
    for _ in 0..3 {
        context.invoke_in_with(&other, &["hook", "claude", "pre-tool-use"], payload.as_bytes()).expect(0);
    }
    assert_eq!(marks(&context), [""; 0]);
}

#[test]
fn a_file_that_appears_in_a_workspace_is_not_run_by_a_grant_for_every_workspace() {
    let context = recommended(&["sh tools/check.sh || true", "./own.sh"]);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(ran_in(&context, ""), ["good"]);
    context.write("tools/check.sh", "touch \"$HOME/ran-clone\"\n");
    assert_eq!(ran_in(&context, ""), [""; 0]);
    std::fs::remove_dir_all(context.workspace().join("tools")).unwrap();
    assert_eq!(ran_in(&context, ""), ["good"]);
}

fn servers(context: &TestContext) -> String {
    std::fs::read_to_string(context.workspace().join(".mcp.json")).unwrap_or_default()
}

/// A project with an MCP server of its own, granted and registered.
fn with_server(server: &str) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n");
    context
        .write("plugins/p/symposium.toml", format!("name = \"p\"\n[[mcp_servers]]\nname = \"p-server\"\n{server}\n"));
    write_scripts(&context, GOOD);
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["trust", "--yes"]).expect(0);
    context
}

#[test]
fn servers_are_held_to_the_same_rule() {
    for server in [
        "command = \"sh\"\nargs = [\"-c\", \"sh tools/x.sh\"]",
        "command = \"sh\"\nargs = [\"../shared/x.sh\"]",
        "command = \"sh\"\nargs = [\"$PWD/tools/x.sh\"]",
        "command = \"sh\"\nargs = [\"${CLAUDE_PROJECT_DIR}/tools/x.sh\"]",
        "command = \"sh\"\nargs = [\"only/x.sh\"]",
        "command = \"python3\"\nargs = [\"-m\", \"mod\"]",
        "command = \"npx\"\nargs = [\"server\"]",
        "command = \"node\"\nargs = [\"-r\", \"./tools/m.js\", \"./tools/m.js\"]",
        "command = \"node\"\nargs = [\"./tools/m\"]",
        "command = \"env\"\nargs = [\"-C\", \"tools\", \"sh\", \"x.sh\"]",
        "command = \"sh\"\nargs = [\"./x.sh\"]\nenv = { ENV = \"tools/x.sh\" }",
        "command = \"node\"\nargs = [\"./tools/m.js\"]\nenv = { NODE_OPTIONS = \"-r ./tools/m.js\" }",
        "command = \"sh\"\nargs = [\"./x.sh\"]\nenv = { LD_PRELOAD = \"./x.so\" }",
    ] {
        let context = with_server(server);
        assert!(!servers(&context).contains("p-server"), "{server}: {}", servers(&context));
        let shown = context.invoke(&["trust", "--show"]).expect(0);
        assert!(shown.contains("cannot be granted") || shown.contains("blocked"), "{server}: {shown}");
    }
    for (server, covered) in [
        ("command = \"sh\"\nargs = [\"x.sh\", \"--port\", \"1\"]\nenv = { TOKEN = \"${TOKEN}\" }", "plugins/p/x.sh"),
        ("command = \"sh\"\nargs = [\"tools/x.sh\"]", "tools/x.sh"),
        ("command = \"./x.sh\"", "plugins/p/lib/x.sh"),
    ] {
        let context = with_server(server);
        assert!(servers(&context).contains("p-server"), "{server}");
        let whole = context.workspace().join(covered).display().to_string();
        let names = servers(&context).contains(&whole) || covered.contains("lib");
        assert!(names, "wherever the agent starts it, it is the same file: {}", servers(&context));
        context.write(covered, CHANGED);
        context.invoke(&["sync"]).expect(0);
        assert!(!servers(&context).contains("p-server"), "{server}");
    }
}

/// What was granted by a version that covered less is asked about again, and what is new is named.
#[test]
fn an_older_grant_is_asked_about_again_with_what_it_did_not_cover() {
    let context = project("./x.sh");
    context.write("plugins/p/lib/helper.sh", "true\n");
    context.invoke(&["trust", "--yes"]).expect(0);
    let store = context.config_dir().join("trust.json");
    let mut document: Value = serde_json::from_str(&std::fs::read_to_string(&store).unwrap()).unwrap();
    let content = document["grants"][0]["content"].as_array_mut().unwrap();
    let before = content.len();
    content.retain(|file| file["path"] == "x.sh" || file["path"] == "symposium.toml");
    assert!(content.len() < before);
    std::fs::write(&store, document.to_string()).unwrap();
    assert_eq!(ran_in(&context, ""), [""; 0]);
    let shown = context.invoke(&["trust", "--show"]).expect(0);
    assert!(shown.contains("changed since it was granted") && shown.contains("added lib/helper.sh"), "{shown}");
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(ran_in(&context, ""), ["good"]);
}

#[test]
fn what_is_granted_runs_at_the_very_next_event() {
    let context = project("./x.sh");
    for _ in 0..5 {
        write_scripts(&context, GOOD);
        context.invoke(&["trust", "--yes"]).expect(0);
        context.invoke_hook("claude", "pre-tool-use", &event(context.workspace())).expect(0);
        assert_eq!(marks(&context), ["good"]);
        // The same bytes, written a moment ago.
        context.write("plugins/p/x.sh", GOOD);
        context.invoke_hook("claude", "pre-tool-use", &event(context.workspace())).expect(0);
        assert_eq!(marks(&context), ["good"], "written a moment ago");
    }
}

#[test]
fn a_change_of_a_git_source_is_named_at_the_next_start_after_sync_named_it() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    let repository = Repository::create(context.root().join("server/team"));
    let manifest = "name = \"mine\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"sh ./x.sh\"\n";
    repository.write("mine/symposium.toml", manifest).write("mine/x.sh", "exit 0\n").commit();
    let source = format!("[[plugin-source]]\nname = \"team\"\ngit = \"{}\"\n", repository.url());
    let defaults = "[defaults]\nsymposium-recommendations = false\n";
    context.write_config("config.toml", format!("[agent]\nname = \"claude\"\n{defaults}{source}"));
    context.invoke(&["sync"]).expect(0);
    repository.write("mine/x.sh", "exit 1\n").commit_at("2024-06-01T12:00:00Z");
    context.invoke(&["plugin", "sync"]).expect(0);
    let synced = context.invoke(&["sync"]);
    let start = || {
        let payload =
            json!({"session_id": "s", "transcript_path": "/t", "cwd": context.workspace(), "source": "startup"});
        context.invoke_hook("claude", "session-start", &payload.to_string()).expect(0)
    };
    let named = "changed: `x.sh` changed";
    assert!(synced.stderr.contains(named), "{synced:?}");
    // Something else changes meanwhile, so that the plans are compiled anew.
    context.write("Cargo.toml", std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap() + "\n");
    assert!(start().contains(named), "named by sync, and at the next start");
    context.write("Cargo.toml", std::fs::read_to_string(context.workspace().join("Cargo.toml")).unwrap() + "\n");
    assert!(!context.invoke(&["sync"]).stderr.contains("he programs of plugin"));
    assert!(!start().contains("he programs of plugin"));
}

fn state(context: &TestContext) -> (String, String) {
    let document: Value = serde_json::from_str(&context.invoke(&["trust", "--show", "--json"]).expect(0)).unwrap();
    let row = &document["plugins"][0];
    (row["state"].as_str().unwrap().to_owned(), row["reason"].as_str().unwrap().to_owned())
}

#[test]
fn a_directory_with_a_blank_in_its_name_does_not_split_a_word() {
    let context = project("true");
    let manifest = |command: &str| {
        format!("name = \"q\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = {command:?}\n")
    };
    std::fs::remove_dir_all(context.workspace().join("plugins/p")).unwrap();
    context.write("plugins/a b/symposium.toml", manifest("sh $SYMPOSIUM_PLUGIN_DIR/x.sh"));
    context.write("plugins/a b/x.sh", GOOD);
    context.write("plugins/a", CHANGED);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(ran_in(&context, ""), [""; 0]);
    let (state_now, reason) = state(&context);
    assert!(state_now == "blocked" && reason.contains("in quotes"), "{reason}");
    context.write("plugins/a b/symposium.toml", manifest("sh \"$SYMPOSIUM_PLUGIN_DIR/x.sh\""));
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(ran_in(&context, ""), ["good"]);
}

#[test]
fn odd_names_do_not_hide_a_file() {
    // A file of the plugin that is called like one of the workspace.
    let context = project("sh tools/x.sh");
    context.write("plugins/p/$SYMPOSIUM_WORKSPACE/tools/x.sh", GOOD);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(ran_in(&context, ""), [""; 0]);
    assert_eq!(state(&context).0, "blocked");
    // The same name in both places: the plugin's is run, and what is not it is not.
    let context = project("sh guard");
    context.write("plugins/p/guard", GOOD);
    context.write("guard", CHANGED);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(ran_in(&context, ""), ["good"]);
    // A whole path into the workspace.
    let context = project("true");
    let whole = context.workspace().join("tools/x.sh").display().to_string();
    let manifest = format!("name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"sh {whole}\"\n");
    context.write("plugins/p/symposium.toml", manifest);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(ran_in(&context, ""), ["good"]);
    write_scripts(&context, CHANGED);
    assert_eq!(ran_in(&context, ""), [""; 0]);
    // A link in the workspace that is turned to another file, and one in the plugin that leads out of it.
    let context = project("sh tools/link");
    let link = context.workspace().join("tools/link");
    std::os::unix::fs::symlink("x.sh", &link).unwrap();
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(ran_in(&context, ""), ["good"]);
    context.write("tools/other", CHANGED);
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("other", &link).unwrap();
    assert_eq!(ran_in(&context, ""), [""; 0]);
    let context = project("./x.sh");
    std::os::unix::fs::symlink("../shared/x.sh", context.workspace().join("plugins/p/out.sh")).unwrap();
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!((ran_in(&context, ""), state(&context).0.as_str()), (vec![], "blocked"));
}

/// A script may read such a file, which would change without a question.
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf_8_hides_no_file_from_a_grant() {
    use std::os::unix::ffi::OsStrExt;

    let context = project("./x.sh");
    let name = std::ffi::OsStr::from_bytes(b"plugins/p/lib/z\xff");
    context.write("plugins/p/x.sh", "#!/bin/sh\n. \"$(dirname \"$0\")\"/lib/z*\n");
    std::fs::write(context.workspace().join(name), GOOD).unwrap();
    let shown = context.invoke(&["trust", "--yes"]);
    assert!(shown.transcript().contains("the name of `z\\xff` is not UTF-8"), "{}", shown.transcript());
    assert_eq!((ran_in(&context, ""), state(&context).0.as_str()), (vec![], "blocked"));
    std::fs::write(context.workspace().join(name), CHANGED).unwrap();
    assert_eq!(ran_in(&context, ""), [""; 0]);
    std::fs::remove_file(context.workspace().join(name)).unwrap();
    context.write("plugins/p/lib/z", GOOD);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(ran_in(&context, ""), ["good"]);
}

#[test]
fn what_decides_for_cargo_is_covered() {
    let context = project("cargo fmt --check");
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(state(&context).0, "on");
    context.write("src/main.rs", "fn main() { }\n");
    assert_eq!(state(&context).0, "on");
    for file in [".cargo/config.toml", "rust-toolchain.toml"] {
        context.write(file, "[alias]\nfmt = \"run\"\n");
        assert_eq!(state(&context).0, "untrusted", "{file}");
        std::fs::remove_file(context.workspace().join(file)).unwrap();
        assert_eq!(state(&context).0, "on", "{file}");
    }
}

/// A command that nobody can agree to does not take the others of its plugin with it.
#[test]
fn a_command_that_cannot_be_granted_leaves_the_others() {
    let context = project("./x.sh");
    let more = "[[hooks]]\nname = \"u\"\nevent = \"PreToolUse\"\ncommand = \"cd tools && sh x.sh\"\n\
                [[hooks.tests]]\nname = \"c\"\ninput = { tool_name = \"Bash\", tool_input = { command = \"ls\" } }\n";
    let manifest = std::fs::read_to_string(context.workspace().join("plugins/p/symposium.toml")).unwrap();
    context.write("plugins/p/symposium.toml", format!("{manifest}{more}"));
    let shown = context.invoke(&["trust", "--yes"]).expect(0);
    assert!(shown.contains("cannot be granted: after this `cd`, Symposium cannot tell which files run"), "{shown}");
    assert_eq!(ran_in(&context, ""), ["good"]);
    context.write("tools/x.sh", CHANGED);
    assert_eq!(ran_in(&context, ""), ["good"]);
    let listed = context.invoke(&["hook", "list", "--json"]).expect(0);
    assert!(listed.contains("after this `cd`, Symposium cannot tell which files run"), "{listed}");
    context.invoke(&["hook", "test", "p", "--allow-empty"]).expect(0);
    assert_eq!(marks(&context), [""; 0], "by its name only what may run is tried");
}
