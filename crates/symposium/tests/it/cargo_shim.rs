//! `[cargo] shim = true`: this program under cargo's name in the shells of agents.

use std::os::fd::OwnedFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use symposium_testkit::TestContext;

use crate::cargo::payload;
use crate::{bound_by_modes, set_mode, with_fixture};

const ON: &str = "[cargo]\nshim = true\n\n[agent]\nname = [\"claude\", \"codex\", \"opencode\", \"gemini\"]\n";

/// A cargo that says what it got, after some noise.
const CARGO: &str = "#!/bin/sh\n[ \"$1\" = add ] && exec cat\ni=0; while [ $i -lt 100 ]; do echo \"   Compiling a$i v1.0.0\" >&2; i=$((i+1)); done\necho \"error: $* in $PWD with $(command -v cargo)\" >&2\nexit 101\n";

fn make_program(file: &Path, text: &str) {
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs a command line as Claude Code does: a program of that name starts a shell that writes to a file.
fn in_agent(context: &TestContext, path: &str, command: &str) -> Output {
    in_agent_with(context, path, command, Stdio::null())
}

/// Does the same with another standard input.
fn in_agent_with(context: &TestContext, path: &str, command: &str, input: Stdio) -> Output {
    let agent = context.root().join("agent/claude");
    std::fs::create_dir_all(agent.parent().unwrap()).unwrap();
    if !agent.exists() {
        std::fs::copy("/bin/sh", &agent).unwrap();
    }
    let script = "out=$1; shift; \"$@\" > \"$out\" 2>&1; code=$?; cat \"$out\"; exit $code";
    Command::new(agent)
        .args(["-c", script, "agent"])
        .arg(context.root().join("captured.txt"))
        .args(["bash", "-c", &format!("{command}\ncode=$?\nexit $code")])
        .current_dir(context.workspace())
        .env_clear()
        // With a socket as its input, bash reads the files of a login.
        .env("HOME", context.root())
        .env("PATH", path)
        .env("SYMPOSIUM_HOME", context.config_dir())
        .stdin(input)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A home with the shim, and the PATH of an agent's shell in it.
fn with_shim(cargo: &str) -> (TestContext, String) {
    let context = with_fixture(&["workspace0"]);
    make_program(&context.root().join("bin/cargo"), cargo);
    context.write_config("config.toml", ON);
    context.invoke(&["sync"]).expect(0);
    let shim = context.config_dir().join("cache/shim");
    let path = format!("{}:{}:/usr/bin:/bin", shim.display(), context.root().join("bin").display());
    (context, path)
}

#[test]
fn a_plain_command_is_short_and_everything_else_is_cargo() {
    let (context, path) = with_shim(CARGO);
    let own = context.root().join("bin/cargo");
    let place = context.workspace().display().to_string();
    let error = |arguments: &str| format!("error: {arguments} in {place} with {}\n", own.display());
    for command in ["cargo build", "cargo build 2>&1", "cd . && A=1 cargo build", "true; cargo build"] {
        let output = in_agent(&context, &path, command);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(101), "{command}: {text}");
        assert!(text.starts_with(&error("build")) && text.contains("[shortened by symposium"), "{command}: {text}");
    }
    make_program(&context.workspace().join("run.sh"), "#!/bin/sh\ncargo build\n");
    for command in [
        "cargo build | cat",
        "cargo build 2>&1 | cat",
        "{ cargo build; true; } 2>&1 | cat",
        "echo \"$(cargo build 2>&1)\"",
        "cargo build > log 2>&1; cat log",
        "cargo build 2> log; cat log",
        "{ cargo build; } > log 2>&1; cat log",
        "for i in 1; do cargo build; done > log 2>&1; cat log",
        "f() { cargo build; }; f > log 2>&1; cat log",
        "l=log; { cargo build; } > $l 2>&1; cat log",
        "(exec > log 2>&1; cargo build; true); cat log",
        "exec 3>&1; exec > log 2>&1; cargo build; cat log >&3",
        "./run.sh",
        "sh run.sh",
        "sh -c './run.sh; true'",
        "CARGO_TERM_VERBOSE=true cargo build",
        "cargo build -v",
        "cargo build --message-format=short",
        "cargo run",
        "cargo publish",
        "cargo b",
    ] {
        let text = said(&in_agent(&context, &path, command));
        assert!(text.contains("Compiling a99") && !text.contains("shortened"), "{command}: {text}");
        assert!(text.ends_with(&format!("with {}\n", own.display())), "{command}: {text}");
    }
    let typed = said(&in_agent(&context, &path, "echo typed | cargo add x"));
    assert_eq!(typed, "typed\n");
    let by_hand = Command::new(context.config_dir().join("cache/shim/cargo"))
        .arg("build")
        .current_dir(context.workspace())
        .env("PATH", &path)
        .output()
        .unwrap();
    assert!(said(&by_hand).contains("Compiling a99"), "no agent started it");
}

/// Claude Code gives its shell a socket, and the shell saves it for the time of the command.
#[test]
fn a_saved_socket_is_no_redirected_output() {
    let (context, path) = with_shim(CARGO);
    let (ours, input) = UnixStream::pair().unwrap();
    let output = in_agent_with(&context, &path, "eval 'cargo build' < /dev/null", OwnedFd::from(input).into());
    drop(ours);
    assert!(said(&output).contains("[shortened by symposium"), "{}", said(&output));
}

#[test]
fn it_is_cargo_where_the_workflow_is_off() {
    let (context, path) = with_shim(CARGO);
    let is_short = || !said(&in_agent(&context, &path, "cargo build")).contains("Compiling a99");
    assert!(is_short());
    for (word, expected) in [("off", false), ("on", true)] {
        context.invoke(&[word, "cargo"]).expect(0);
        assert_eq!(is_short(), expected, "{word}");
    }
    context.write_config("config.toml", ON.replace("true", "false"));
    assert!(!is_short(), "before the next sync too");
    context.write_config("config.toml", "not TOML");
    assert!(!is_short());
}

#[test]
fn status_has_it_in_its_document() {
    let context = with_fixture(&["workspace0"]);
    let shim = || {
        let text = context.invoke(&["status", "--json"]).expect(0);
        serde_json::from_str::<Value>(&text).unwrap()["cargo_shim"].clone()
    };
    context.write_config("config.toml", ON.replace("true", "false"));
    assert_eq!(shim(), Value::Null);
    context.write_config("config.toml", ON);
    context.invoke(&["sync"]).expect(0);
    let expected =
        json!({"directory": "$CONFIG_DIR/cache/shim", "agents": ["claude", "codex", "opencode"], "reason": null});
    assert_eq!(shim(), expected);
    context.invoke(&["off", "cargo"]).expect(0);
    let expected = json!({"directory": null, "agents": [], "reason": "the workflow `cargo` is off here"});
    assert_eq!(shim(), expected);
    let status = context.invoke(&["status"]);
    assert!(status.stderr.contains("no effect: the workflow `cargo` is off here"), "{}", status.stderr);
}

#[test]
fn it_finds_the_users_cargo_and_never_itself() {
    let (context, path) = with_shim(CARGO);
    let shim = context.config_dir().join("cache/shim");
    let second = context.root().join("second");
    std::fs::create_dir_all(&second).unwrap();
    symlink(env!("CARGO_BIN_EXE_symposium"), second.join("cargo")).unwrap();
    let twice = format!("{}:{}:{path}", shim.display(), second.display());
    let output = in_agent(&context, &twice, "cargo build");
    assert_eq!(output.status.code(), Some(101), "{}", said(&output));
    // Not even as the cargo of `symposium cargo`.
    let program = env!("CARGO_BIN_EXE_symposium");
    let output = in_agent(&context, &path, &format!("{program} cargo metadata"));
    assert!(said(&output).contains("error: metadata"), "{}", said(&output));
    std::fs::remove_file(context.root().join("bin/cargo")).unwrap();
    std::fs::write(context.root().join("bin/cargo"), "not a program").unwrap();
    let alone = format!("{}:{}", twice, context.root().join("bin").display()).replace(":/usr/bin:/bin", "");
    let output = Command::new(shim.join("cargo")).arg("build").env("PATH", &alone).output().unwrap();
    assert_eq!(output.status.code(), Some(127), "{}", said(&output));
    assert!(said(&output).contains("error: failed to run `cargo`: it is not on PATH"), "{}", said(&output));
    std::fs::remove_file(shim.join("cargo")).unwrap();
    symlink("/nowhere/symposium", shim.join("cargo")).unwrap();
    make_program(&context.root().join("bin/cargo"), CARGO);
    let output = in_agent(&context, &path, "cargo build");
    assert!(said(&output).contains("Compiling a99"), "without our program the shell finds cargo itself");
}

#[test]
fn a_cargo_that_leads_back_to_it_is_not_run_again() {
    let (context, path) = with_shim(CARGO);
    let shim = context.config_dir().join("cache/shim/cargo");
    let script = "#!/bin/sh\n[ \"$DEPTH\" = xxx ] && exit 99\nDEPTH=x$DEPTH";
    for (name, call) in [("becomes", "exec SHIM \"$@\""), ("runs", "SHIM \"$@\"")] {
        let place = context.root().join(name);
        let text = format!("{script}\n{}\n", call.replace("SHIM", &format!("DEPTH=$DEPTH {}", shim.display())));
        make_program(&place.join("cargo"), &text.replace("exec DEPTH=$DEPTH", "export DEPTH; exec"));
        for arguments in ["build", "metadata"] {
            let path = path.replacen(':', &format!(":{}:", place.display()), 1);
            let output = in_agent(&context, &path, &format!("cargo {arguments}"));
            let text = said(&output);
            assert!(
                output.status.code() == Some(101) && text.contains(&format!("error: {arguments}")),
                "{name}: {text}"
            );
        }
    }
}

#[test]
fn signals_and_killed_cargos_look_as_without_it() {
    use std::os::unix::process::ExitStatusExt;
    let (context, path) = with_shim("#!/bin/sh\nkill -9 $$\n");
    let output = Command::new(context.config_dir().join("cache/shim/cargo"))
        .args(["build"])
        .env("PATH", &path)
        .output()
        .unwrap();
    assert_eq!(output.status.signal(), Some(9));
    assert_eq!(in_agent(&context, &path, "cargo build").status.code(), Some(137));
}

#[test]
fn a_run_that_a_signal_ended_is_not_called_a_success() {
    let noise =
        "    Finished `test` profile [unoptimized] target(s) in 0.01s\n     Running unittests src/lib.rs (target/a)";
    let (context, path) = with_shim(&format!("#!/bin/sh\necho '{noise}' >&2\nkill -15 $$\n"));
    for arguments in ["test", "build"] {
        let output = in_agent(&context, &path, &format!("cargo {arguments}"));
        let text = said(&output);
        assert!(output.status.code() == Some(143) && text.contains(noise) && !text.contains(": ok"), "{text}");
    }
}

fn session_start(context: &TestContext, file: &Path) {
    let mut event = payload(context, "claude/SessionStart.startup.json");
    event["cwd"] = context.workspace().to_str().unwrap().into();
    let mut child = Command::new(env!("CARGO_BIN_EXE_symposium"))
        .args(["hook", "claude", "session-start"])
        .current_dir(context.workspace())
        .env("SYMPOSIUM_HOME", context.config_dir())
        .env("HOME", context.root().join("home"))
        .env("CLAUDE_ENV_FILE", file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), event.to_string().as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
}

#[test]
fn claude_gets_it_at_session_start_once() {
    let (context, _) = with_shim(CARGO);
    let file = context.root().join("env.sh");
    std::fs::write(&file, "export MINE=1\n").unwrap();
    session_start(&context, &file);
    session_start(&context, &file);
    let shim = context.config_dir().join("cache/shim");
    let line = format!("export PATH='{}'\"${{PATH:+:$PATH}}\"\n", shim.display());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), format!("export MINE=1\n{line}"));
    std::fs::write(&file, "export MINE=1").unwrap();
    session_start(&context, &file);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), format!("export MINE=1\n{line}"), "a line of its own");
    session_start(&context, &context.root().join("gone/env.sh"));
    assert!(!context.root().join("gone").exists());
    context.write_config("config.toml", ON.replace("true", "false"));
    std::fs::write(&file, "").unwrap();
    session_start(&context, &file);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "");
    context.write_config("config.toml", ON);
    context.invoke(&["off", "cargo"]).expect(0);
    session_start(&context, &file);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "", "the workflow is off here");
}

#[test]
fn a_project_has_no_say_in_it() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"codex\"\n");
    context.write(".symposium/config.toml", "[cargo]\nshim = true\n");
    let output = context.invoke(&["sync"]);
    let warning = "`cargo` has no effect in a project, because only the user can set it";
    assert!(output.stderr.contains(warning), "{}", output.stderr);
    assert!(!context.config_dir().join("cache/shim").exists());
    let config = std::fs::read_to_string(context.root().join("home/.codex/config.toml")).unwrap();
    assert!(!config.contains("PATH"), "{config}");
}

#[test]
fn codex_and_opencode_have_it_in_their_files_until_it_is_off() {
    let context = with_fixture(&["workspace0"]);
    let codex = context.root().join("home/.codex/config.toml");
    let bridge = context.root().join("home/.config/opencode/plugins/symposium.js");
    let mine = "# mine\nmodel = \"m\"\n\n[shell_environment_policy]\ninherit = \"all\"  # all\n";
    std::fs::create_dir_all(codex.parent().unwrap()).unwrap();
    std::fs::write(&codex, mine).unwrap();
    context.write_config("config.toml", ON.replace("true", "false"));
    context.invoke(&["sync"]).expect(0);
    let read = |file: &Path| std::fs::read_to_string(file).unwrap();
    let (codex_without, bridge_without) = (read(&codex), read(&bridge));
    context.write_config("config.toml", ON);
    let told = context.invoke(&["sync"]);
    assert_eq!(told.code, 0);
    let shim = context.config_dir().join("cache/shim").display().to_string();
    let notice = "in the shells of Claude Code, Codex CLI and OpenCode, a program of Symposium runs under the name `cargo`, \
                  from $CONFIG_DIR/cache/shim";
    assert!(told.stderr.contains(notice), "{}", told.stderr);
    let status = context.invoke(&["status"]);
    assert!(status.stderr.contains(notice), "{}", status.stderr);
    let path = format!("[shell_environment_policy.set]\nPATH = \"{shim}:");
    assert!(read(&codex).contains(&path), "{}", read(&codex));
    assert!(read(&bridge).contains(&format!("const SHIM = \"{shim}\"")), "{}", read(&bridge));
    let again = context.invoke(&["sync", "--check"]);
    assert_eq!(again.code, 0, "{}", again.transcript());
    context.write_config("config.toml", ON.replace("true", "false"));
    context.invoke(&["sync"]).expect(0);
    assert_eq!((read(&codex), read(&bridge)), (codex_without, bridge_without));
    assert!(
        !context.config_dir().join("cache/shim").exists() && !context.config_dir().join("cache/shim-path").exists()
    );
    context.write_config("config.toml", ON);
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["uninstall", "--all", "--yes"]).expect(0);
    assert_eq!(read(&codex), mine);
    assert!(!bridge.exists() && !context.config_dir().join("cache").exists());
}

#[test]
fn it_goes_with_the_part_of_the_user_also_if_another_workspace_stays() {
    let (context, _) = with_shim(CARGO);
    let other = context.root().join("other");
    let copied = Command::new("cp").arg("-r").arg(context.workspace()).arg(&other).status().unwrap();
    assert!(copied.success());
    context.invoke(&["-C", other.to_str().unwrap(), "sync"]).expect(0);
    let output = context.invoke(&["uninstall", "--yes"]);
    assert_eq!(output.code, 0, "{}", output.transcript());
    let cache = context.config_dir().join("cache");
    assert!(context.config_dir().join("ledger.json").exists(), "another workspace needs it");
    assert!(!cache.join("shim").exists() && !cache.join("shim-path").exists(), "{}", output.transcript());
}

#[test]
fn a_cache_that_cannot_be_written_costs_only_the_shim() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", ON.replace("true", "false"));
    context.invoke(&["sync"]).expect(0);
    context.write_config("config.toml", ON);
    let cache = context.config_dir().join("cache");
    set_mode(&cache, 0o500);
    let output = context.invoke_through(bound_by_modes(&context), &["sync"]);
    set_mode(&cache, 0o700);
    let message = "failed to make the link for `[cargo] shim`";
    assert!(output.code == 3 && output.stderr.contains(message), "{}", output.transcript());
}

#[test]
fn variables_of_the_user_beside_it_stay_and_it_goes() {
    let context = with_fixture(&["workspace0"]);
    let codex = context.root().join("home/.codex/config.toml");
    std::fs::create_dir_all(codex.parent().unwrap()).unwrap();
    let read = || std::fs::read_to_string(&codex).unwrap();
    let uninstall = || context.invoke(&["uninstall", "--all", "--yes"]).expect(0);
    for mine in [
        "[shell_environment_policy.set]\n# mine\nMINE   = \"1\" # one\n\n[other]\na = 1\n",
        "[shell_environment_policy]\nset = { MINE = \"1\" }\n",
        "shell_environment_policy.set.MINE = \"1\"\n",
        "shell_environment_policy = { inherit = \"all\" }\n",
        "[shell_environment_policy.set]\n",
        "# nothing",
    ] {
        std::fs::write(&codex, mine).unwrap();
        context.write_config("config.toml", ON);
        context.invoke(&["sync"]).expect(0);
        assert!(read().contains("cache/shim:"), "{}", read());
        let again = context.invoke(&["sync", "--check"]);
        assert_eq!(again.code, 0, "{}", again.transcript());
        uninstall();
        assert_eq!(read(), mine);
    }
    // Also a variable that was added later.
    std::fs::write(&codex, "").unwrap();
    context.write_config("config.toml", ON);
    context.invoke(&["sync"]).expect(0);
    let text = read().replace("[shell_environment_policy.set]\n", "[shell_environment_policy.set]\nLATER = \"1\"\n");
    std::fs::write(&codex, text).unwrap();
    uninstall();
    assert_eq!(read().trim(), "[shell_environment_policy.set]\nLATER = \"1\"");
}

#[test]
fn a_path_of_the_users_own_stays() {
    let context = with_fixture(&["workspace0"]);
    let codex = context.root().join("home/.codex/config.toml");
    let mine = "[shell_environment_policy]\nset = { PATH = \"/mine\" }\n";
    std::fs::create_dir_all(codex.parent().unwrap()).unwrap();
    std::fs::write(&codex, mine).unwrap();
    context.write_config("config.toml", ON);
    let told = context.invoke(&["sync"]);
    let text = std::fs::read_to_string(&codex).unwrap();
    assert!(text.starts_with(mine) && !text.contains("cache/shim"), "{text}");
    assert!(told.transcript().contains("shell_environment_policy"), "{}", told.transcript());
    assert!(told.stderr.contains("in the shells of Claude Code and OpenCode, a program"), "{}", told.stderr);
    context.write_config("config.toml", ON.replace("\"claude\", \"codex\", \"opencode\", ", ""));
    let alone = context.invoke(&["sync"]);
    assert!(alone.stderr.contains("no effect: it is not in the settings of any of your agents"), "{}", alone.stderr);
    context.write_config("config.toml", ON);
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["uninstall", "--all", "--yes"]).expect(0);
    assert_eq!(std::fs::read_to_string(&codex).unwrap(), mine);
}

#[test]
fn nothing_of_one_project_or_agent_is_recorded_as_the_path() {
    let mut context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", ON);
    let codex = context.root().join("home/.codex/config.toml");
    let own = context.workspace().join("bin");
    let path = std::env::var("PATH").unwrap();
    context.set("PATH", &format!("{}:relative/bin::{path}:", own.display()));
    context.set("CLAUDECODE", "1");
    let in_agent = context.invoke(&["sync"]);
    assert!(!context.config_dir().join("cache/shim-path").exists(), "{}", in_agent.transcript());
    assert!(in_agent.stderr.contains("no effect: this is a shell of Claude Code"), "{}", in_agent.transcript());
    assert!(!std::fs::read_to_string(&codex).unwrap_or_default().contains("cache/shim"));
    context.set("CLAUDECODE", "0");
    context.invoke(&["sync"]).expect(0);
    let text = std::fs::read_to_string(&codex).unwrap();
    let line = text.lines().find(|line| line.contains("cache/shim:")).unwrap();
    for part in [own.to_str().unwrap(), "relative/bin", "::", ":\""] {
        assert!(!line.contains(part), "{part}: {line}");
    }
}

#[test]
fn a_directory_with_a_colon_has_no_shim() {
    let mut context = with_fixture(&["workspace0"]);
    let home = context.root().join("a:b");
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(home.join("config.toml"), ON).unwrap();
    context.set("SYMPOSIUM_HOME", home.to_str().unwrap());
    let output = context.invoke(&["sync"]);
    assert!(output.code == 0 && output.stderr.contains("cannot be an entry of PATH"), "{}", output.transcript());
    let codex = std::fs::read_to_string(context.root().join("home/.codex/config.toml")).unwrap_or_default();
    assert!(!codex.contains("cache/shim") && !home.join("cache/shim").exists(), "{codex}");
}

#[test]
fn the_path_of_another_terminal_changes_nothing() {
    let (mut context, _) = with_shim(CARGO);
    let codex = context.root().join("home/.codex/config.toml");
    let before = std::fs::read_to_string(&codex).unwrap();
    let path = std::env::var("PATH").unwrap();
    context.set("PATH", &format!("/another:{}:{path}", context.config_dir().join("cache/shim").display()));
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    context.invoke(&["sync"]).expect(0);
    assert_eq!(std::fs::read_to_string(&codex).unwrap(), before);
    assert!(before.contains("cache/shim:") && !before.contains("/another"), "{before}");
}
