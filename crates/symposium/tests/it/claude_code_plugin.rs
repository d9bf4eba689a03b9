//! The Claude Code plugin of `integrations/`: its files hold together, and its script never stands in Claude's way.

use std::path::{Path, PathBuf};

use serde_json::Value;
use symposium_model::ownership::HookCall;

use crate::with_fixture;

const PLUGIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations/claude-code-plugin");

/// Claude's events, and what we call them.
const EVENTS: [(&str, &str); 5] = [
    ("SessionStart", "session-start"),
    ("UserPromptSubmit", "user-prompt-submit"),
    ("PreToolUse", "pre-tool-use"),
    ("PostToolUse", "post-tool-use"),
    ("PostToolUseFailure", "post-tool-use-failure"),
];

fn text_of(path: &str) -> String {
    std::fs::read_to_string(Path::new(PLUGIN).join(path)).unwrap()
}

fn json_of(path: &str) -> Value {
    serde_json::from_str(&text_of(path)).unwrap()
}

#[test]
fn hooks_call_the_script_once_for_each_event() {
    let document = json_of("hooks/hooks.json");
    let events = document["hooks"].as_object().unwrap();
    assert_eq!(events.len(), EVENTS.len());
    for (theirs, ours) in EVENTS {
        let command = format!("\"${{CLAUDE_PLUGIN_ROOT}}/scripts/symposium\" hook claude {ours} --project");
        let handler = serde_json::json!({"type": "command", "command": command, "timeout": 60});
        assert_eq!(events[theirs], serde_json::json!([{"hooks": [handler]}]), "{theirs}");
        let call = HookCall::parse(&command).expect("a call of ours");
        assert_eq!((call.agent.as_str(), call.event.as_str()), ("claude", ours));
    }
    let readme = text_of("README.md");
    for (theirs, _) in EVENTS {
        assert!(readme.contains(&format!("`{theirs}`")), "the README names {theirs}");
    }
}

#[test]
fn the_manifest_says_what_the_workspace_says() {
    let manifest = json_of(".claude-plugin/plugin.json");
    for (field, expected) in [
        ("name", "symposium"),
        ("version", env!("CARGO_PKG_VERSION")),
        ("license", env!("CARGO_PKG_LICENSE")),
        ("repository", env!("CARGO_PKG_REPOSITORY")),
    ] {
        assert_eq!(manifest[field], expected, "{field}");
    }
    assert_eq!(manifest["author"]["name"], env!("CARGO_PKG_AUTHORS"));
    assert!(manifest["description"].as_str().is_some_and(|text| !text.is_empty()));
}

#[test]
fn the_skill_passes_our_own_check() {
    let context = with_fixture(&["plugins0"]);
    let skills = Path::new(PLUGIN).join("skills");
    assert_eq!(
        context.invoke(&["skill", "check", skills.to_str().unwrap()]).expect(0),
        "1 file checked, no problems found\n"
    );
    assert!(text_of("skills/symposium/SKILL.md").contains("\nsymposium start\n"));
}

#[cfg(unix)]
mod script {
    use super::{EVENTS, PLUGIN, Path, PathBuf, Value};

    use std::io::Write as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::process::{Command, Stdio};

    /// Says who it is, which arguments it got and what was on standard input, and fails. Linked to, never written: a
    /// file that another test's child still holds open for writing cannot be run.
    const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/claude-code-plugin/echoing-program");

    /// A machine of its own: nothing but `grep` and `cat` is found on it.
    struct Machine {
        directory: tempfile::TempDir,
        path: Vec<String>,
    }

    #[derive(Debug, PartialEq, Eq)]
    struct Run {
        code: Option<i32>,
        stdout: String,
        stderr: String,
    }

    fn quiet() -> Run {
        Run { code: Some(0), stdout: String::new(), stderr: String::new() }
    }

    impl Machine {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            let machine = Self { path: vec![directory.path().join("tools").display().to_string()], directory };
            std::fs::create_dir_all(machine.at("tools")).unwrap();
            std::fs::create_dir_all(machine.at("project")).unwrap();
            let places = std::env::var_os("PATH").unwrap();
            for tool in ["grep", "cat"] {
                let found = std::env::split_paths(&places).map(|place| place.join(tool)).find(|file| file.is_file());
                symlink(found.unwrap(), machine.at("tools").join(tool)).unwrap();
            }
            // The one fixed place outside the home becomes a place on this machine.
            let script = super::text_of("scripts/symposium");
            assert!(script.contains(":/usr/local/bin:"), "the script looks there");
            machine.write("plugin/symposium", &script.replace("/usr/local/bin", machine.at("local").to_str().unwrap()));
            machine
        }

        fn at(&self, path: &str) -> PathBuf {
            self.directory.path().join(path)
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.at(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn program(&self, path: &str) {
            let path = self.at(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            symlink(PROGRAM, path).unwrap();
        }

        fn run(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
            let mut child = Command::new("/bin/sh")
                .arg(self.at("plugin/symposium"))
                .args(arguments)
                .current_dir(self.at("project"))
                .env_clear()
                .env("SYMPOSIUM_TEST_WITHOUT_ANCESTORS", "1")
                .env("PATH", self.path.join(":"))
                .env("HOME", self.at("home"))
                .env("CLAUDE_PROJECT_DIR", self.at("project"))
                .envs(variables.iter().copied())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            // The script may end without reading.
            let _ = child.stdin.take().unwrap().write_all(b"{\"a\": 1}\n");
            let output = child.wait_with_output().unwrap();
            Run {
                code: output.status.code(),
                stdout: String::from_utf8(output.stdout).unwrap(),
                stderr: String::from_utf8(output.stderr).unwrap(),
            }
        }

        fn hook(&self, event: &str) -> Run {
            self.run(&["hook", "claude", event, "--project"], &[])
        }

        /// What [`PROGRAM`] answers from a place on this machine.
        fn answer(&self, path: &str, arguments: &str) -> Run {
            Run {
                code: Some(7),
                stdout: format!("{}\n{arguments}{{\"a\": 1}}\n", self.at(path).display()),
                stderr: "talk\n".to_owned(),
            }
        }
    }

    #[test]
    fn is_executable() {
        let mode = std::fs::metadata(Path::new(PLUGIN).join("scripts/symposium")).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111);
    }

    #[test]
    fn passes_everything_through() {
        let mut machine = Machine::new();
        machine.program("a b/symposium");
        machine.path.push(machine.at("a b").display().to_string());
        for (_, event) in EVENTS {
            let arguments = format!("<hook><claude><{event}><--project>");
            assert_eq!(machine.hook(event), machine.answer("a b/symposium", &arguments));
        }
        assert_eq!(machine.run(&["start", "x y", "*", ""], &[]), machine.answer("a b/symposium", "<start><x y><*><>"));
    }

    #[test]
    fn looks_in_path_then_where_installers_put_it() {
        let mut machine = Machine::new();
        machine.path.push(machine.at("bin").display().to_string());
        let places = ["bin/symposium", "home/.cargo/bin/symposium", "local/symposium", "home/.local/bin/symposium"];
        for place in places.iter().rev() {
            machine.program(place);
            assert_eq!(machine.run(&["start"], &[]), machine.answer(place, "<start>"));
        }
        // What cannot be run, and a directory, are no program.
        std::fs::remove_file(machine.at("bin/symposium")).unwrap();
        machine.write("bin/symposium", "#!/bin/sh\n");
        assert_eq!(machine.run(&["start"], &[]), machine.answer("home/.cargo/bin/symposium", "<start>"));
        std::fs::remove_file(machine.at("home/.cargo/bin/symposium")).unwrap();
        std::fs::create_dir(machine.at("home/.cargo/bin/symposium")).unwrap();
        assert_eq!(machine.run(&["start"], &[]), machine.answer("local/symposium", "<start>"));
    }

    #[test]
    fn never_runs_itself_or_a_program_of_the_repository() {
        let mut machine = Machine::new();
        machine.program("project/symposium");
        machine.program("project/bin/symposium");
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(machine.at("plugin/symposium"), executable).unwrap();
        symlink(machine.at("plugin/symposium"), machine.at("tools/symposium")).unwrap();
        machine.path.extend([String::new(), ".".to_owned(), "bin".to_owned()]);
        machine.path.push(machine.at("plugin").display().to_string());
        assert_eq!(machine.hook("pre-tool-use"), quiet());
    }

    #[test]
    fn without_the_program_only_session_start_says_how_to_install_it() {
        let machine = Machine::new();
        for (theirs, ours) in EVENTS {
            for event in [theirs, ours] {
                if theirs != "SessionStart" {
                    assert_eq!(machine.hook(event), quiet(), "{event}");
                    continue;
                }
                let run = machine.hook(event);
                assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
                let document: Value = serde_json::from_str(&run.stdout).unwrap();
                let text = document["systemMessage"].as_str().unwrap();
                assert!(text.contains("`cargo install --path crates/symposium --locked`"), "{text}");
                assert_eq!(document, serde_json::json!({"systemMessage": text}), "the model is told nothing");
            }
        }
        assert_eq!(machine.run(&["hook"], &[]), quiet());
        let run = machine.run(&["start"], &[]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(127), ""));
        assert!(run.stderr.contains("cargo install"), "{}", run.stderr);
    }

    fn settings(command: &str) -> String {
        let handler = serde_json::json!({"type": "command", "command": command});
        serde_json::json!({"hooks": {"PreToolUse": [{"hooks": [handler]}]}}).to_string()
    }

    #[test]
    fn does_nothing_when_the_settings_of_the_user_call_us_already() {
        for command in [
            "[ -x '/opt/symposium' ] || exit 0; exec '/opt/symposium' hook claude pre-tool-use",
            "command -v symposium >/dev/null 2>&1 || exit 0; exec symposium hook claude pre-tool-use --project",
            "symposium hook claude PreToolUse",
            "\"/opt/a b/cargo-agents\" hook claude pre-tool-use",
            "'C:\\bin\\symposium.exe' hook claude pre-tool-use",
            "cargo agents hook claude pre-tool-use",
            "timeout 5 symposium hook claude pre-tool-use",
        ] {
            let machine = Machine::new();
            machine.program("home/.cargo/bin/symposium");
            machine.write("home/.claude/settings.json", &settings(command));
            assert_eq!(machine.hook("session-start"), quiet(), "{command}");
            std::fs::remove_file(machine.at("home/.cargo/bin/symposium")).unwrap();
            assert_eq!(machine.hook("session-start"), quiet(), "{command}, without the program");
            // A repository can write anything into its own settings, and that must not silence the user's hooks.
            for file in ["project/.claude/settings.json", "project/.claude/settings.local.json"] {
                let machine = Machine::new();
                machine.program("home/.cargo/bin/symposium");
                machine.write(file, &settings(command));
                let expected = machine.answer("home/.cargo/bin/symposium", "<hook><claude><session-start><--project>");
                assert_eq!(machine.hook("session-start"), expected, "{command} in {file}");
            }
        }
    }

    #[test]
    fn what_ordinary_registration_writes_makes_it_stand_down() {
        let context = crate::with_fixture(&["plugins0", "workspace0"]);
        context.invoke(&["init", "--user", "--yes", "--agent", "claude"]).expect(0);
        let machine = Machine::new();
        machine.program("home/.cargo/bin/symposium");
        let written = std::fs::read_to_string(context.root().join("home/.claude/settings.json")).unwrap();
        machine.write("home/.claude/settings.json", &written);
        assert_eq!(machine.hook("session-start"), quiet());
    }

    #[test]
    fn other_entries_do_not_make_it_stand_down() {
        for text in [
            settings("symposium hook gemini BeforeTool"),
            settings("mysymposium hook claude pre-tool-use"),
            settings("symposium-next hook claude pre-tool-use"),
            settings("other hook claude pre-tool-use # not symposium"),
            "{\"permissions\": {\"allow\": [\"Bash(symposium hook claude *)\", \"Bash(symposium start)\"]}}".to_owned(),
            "not JSON".to_owned(),
            String::new(),
        ] {
            let machine = Machine::new();
            machine.program("home/.cargo/bin/symposium");
            machine.write("home/.claude/settings.json", &text);
            let expected = machine.answer("home/.cargo/bin/symposium", "<hook><claude><session-start><--project>");
            assert_eq!(machine.hook("session-start"), expected, "{text}");
        }
        // Only hooks stand down: the agent may run any other command through the script.
        let machine = Machine::new();
        machine.program("home/.cargo/bin/symposium");
        machine.write("home/.claude/settings.json", &settings("symposium hook claude pre-tool-use"));
        assert_eq!(machine.run(&["start"], &[]), machine.answer("home/.cargo/bin/symposium", "<start>"));
    }
}
