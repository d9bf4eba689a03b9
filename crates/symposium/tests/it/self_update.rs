//! `symposium self-update`, and the notice at session start. Cargo is a script of ours, or asks a registry of ours.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use symposium_testkit::{Output, TestContext};

use crate::repository::{Answer, Repository, http_server};
use crate::with_fixture;

/// An environment where `cargo info` says that this version is the newest. What cargo is asked ends in `$ROOT/asked`.
fn where_newest_is(version: &str) -> TestContext {
    let mut context = with_fixture(&["workspace0"]);
    let programs = context.root().join("programs");
    let asked = context.root().join("asked");
    let script = format!(
        "#!/bin/sh\necho \"$*\" >> '{}'\n[ \"$1\" = info ] && {{ [ '{version}' = none ] && {{ echo 'error: no route' >&2; exit 101; }}; \
         echo 'symposium #x'; echo 'version: {version}'; exit 0; }}\necho installed\npwd >> '{}'\n",
        asked.display(),
        asked.display()
    );
    fs::create_dir_all(&programs).unwrap();
    fs::write(programs.join("cargo"), script).unwrap();
    fs::set_permissions(programs.join("cargo"), fs::Permissions::from_mode(0o755)).unwrap();
    context.set("PATH", &format!("{}:/usr/bin:/bin", programs.display()));
    context.set("SYMPOSIUM_OFFLINE", "0");
    context
}

fn asked(context: &TestContext) -> Vec<String> {
    let text = fs::read_to_string(context.root().join("asked")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Our program as `cargo install` leaves it.
fn installed(context: &TestContext) -> PathBuf {
    installed_at(context, "cargo-home/bin/symposium")
}

fn installed_at(context: &TestContext, path: &str) -> PathBuf {
    let program = context.root().join(path);
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    let built = Path::new(env!("CARGO_BIN_EXE_symposium"));
    if fs::hard_link(built, &program).is_err() {
        fs::copy(built, &program).unwrap();
    }
    program
}

fn run(context: &TestContext, program: &Path, args: &[&str]) -> Output {
    run_by(context, Command::new(program).arg("self-update").args(args))
}

fn run_by(context: &TestContext, command: &mut Command) -> Output {
    let path = format!("{}:/usr/bin:/bin", context.root().join("programs").display());
    let output = command
        .current_dir(context.workspace())
        .env_clear()
        .env("SYMPOSIUM_TEST_WITHOUT_ANCESTORS", "1")
        .env("PATH", path)
        .env("HOME", context.root().join("home"))
        .env("SYMPOSIUM_HOME", context.config_dir())
        .env("CARGO_HOME", context.root().join("cargo-home"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| context.normalize_paths(&String::from_utf8_lossy(bytes));
    Output { code: output.status.code().unwrap(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

#[test]
fn the_command_is_shown_and_run_after_a_yes() {
    let context = where_newest_is("9.9.9");
    let program = installed(&context);
    let shown = format!(
        "This is Symposium {}, installed with `cargo install`: $ROOT/cargo-home/bin/symposium\n\
         Symposium 9.9.9 is available.\nUpdate with: cargo install --locked --force symposium --version \">=0.6\"\n",
        env!("CARGO_PKG_VERSION")
    );
    let output = run(&context, &program, &["--dry-run"]);
    assert_eq!((output.code, &output.stdout, output.stderr.as_str()), (0, &shown, ""));
    let output = run(&context, &program, &[]);
    assert_eq!((output.code, &output.stdout), (2, &shown), "nobody can be asked");
    assert!(output.stderr.contains("--yes"), "{}", output.stderr);
    let question = "info --quiet --color never --registry crates-io -- symposium";
    assert_eq!(asked(&context), [question, question], "nothing was installed");

    let output = run(&context, &program, &["--yes"]);
    assert_eq!((output.code, &output.stdout, output.stderr.as_str()), (0, &shown, "installed\n"));
    let asked = asked(&context);
    assert_eq!(asked[3], "install --locked --force symposium --version >=0.6");
    assert!(!asked[4].starts_with(context.workspace().to_str().unwrap()), "not where a project decides: {}", asked[4]);

    let output = run(&context, &program, &["--yes", "--json"]);
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(
        document,
        json!({"version": 1, "installed": env!("CARGO_PKG_VERSION"), "newest": "9.9.9", "newer": true, "through": "cargo",
            "program": "$ROOT/cargo-home/bin/symposium", "command": "cargo install --locked --force symposium --version \">=0.6\"", "ran": true})
    );
}

const NPM_PROGRAM: &str = "node_modules/@symposium-dev/symposium-linux-x64/bin/symposium";

#[test]
fn packages_of_npm_and_pypi_are_updated_by_their_own_programs() {
    let context = where_newest_is("9.9.9");
    let write = |path: &str, text: &str| {
        let path = context.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("node/project/package.json", "{}");
    write("venv/pyvenv.cfg", "");
    write("venv/lib/python3.12/site-packages/symposium_dev-0.7.0.dist-info/INSTALLER", "pip\n");
    write("tools/symposium-dev/uv-receipt.toml", "");
    write("other/pyvenv.cfg", "");
    for (path, through, command) in [
        (
            &*format!("npm/lib/{NPM_PROGRAM}"),
            "npm",
            "npm install --global --prefix $ROOT/npm @symposium-dev/symposium@latest",
        ),
        (&format!("home/.npm/_npx/ab/{NPM_PROGRAM}"), "npx", "npm install --global @symposium-dev/symposium@latest"),
        (&format!("node/project/{NPM_PROGRAM}"), "npm-project", ""),
        ("venv/bin/symposium", "pip", "$ROOT/venv/bin/python -m pip install --upgrade symposium-dev"),
        ("tools/symposium-dev/bin/symposium", "uv-tool", "uv tool upgrade symposium-dev"),
        ("cache/uv/archive-v0/x/bin/symposium", "uvx", "uv tool install symposium-dev"),
        ("other/bin/symposium", "unknown", ""),
    ] {
        let output = run(&context, &installed_at(&context, path), &["--dry-run", "--json"]);
        let document: Value = serde_json::from_str(&output.stdout).unwrap();
        let command = if command.is_empty() { Value::Null } else { command.into() };
        // A path in quotes is one with a character that shells read in another way.
        let shown = document["command"].as_str().map(|shown| shown.replace('"', ""));
        assert_eq!((document["through"].as_str(), Value::from(shown)), (Some(through), command), "{path}: {output:?}");
    }
}

#[test]
fn init_warns_of_a_program_that_will_not_stay() {
    let context = where_newest_is("none");
    let project = context.root().join("node/project");
    fs::create_dir_all(&project).unwrap();
    fs::write(project.join("package.json"), "{}").unwrap();
    let npm = "not permanent; install the program with `npm install --global @symposium-dev/symposium@latest`";
    let uv = "not permanent; install the program with `uv tool install symposium-dev`";
    for (path, warning) in [
        (&*format!("home/.npm/_npx/ab/{NPM_PROGRAM}"), Some(npm)),
        (&format!("node/project/{NPM_PROGRAM}"), Some(npm)),
        ("cache/uv/archive-v0/x/bin/symposium", Some(uv)),
        (&format!("npm/lib/{NPM_PROGRAM}"), None),
        ("venv/bin/symposium", None),
    ] {
        let program = installed_at(&context, path);
        let output =
            run_by(&context, Command::new(&program).args(["init", "--user", "--agent", "claude", "--dry-run"]));
        assert_eq!(output.code, 0, "{output:?}");
        match warning {
            Some(warning) => assert!(output.stderr.contains(warning), "{path}: {output:?}"),
            None => assert!(!output.stderr.contains("warning"), "{path}: {output:?}"),
        }
    }
}

#[test]
fn after_a_no_nothing_is_installed() {
    if !crate::init::has_script() {
        return;
    }
    let context = where_newest_is("9.9.9");
    let program = installed(&context);
    let [shell, rest @ ..] = crate::init::on_a_terminal("n\\r");
    let output = run_by(&context, Command::new(shell).args(rest).arg(&program).arg("self-update"));
    assert!(output.stdout.contains("Run it now?") && output.stdout.contains("nothing was updated"), "{output:?}");
    assert_eq!((output.code, asked(&context).len()), (1, 1), "{output:?}");
}

#[test]
fn without_a_newer_version_nothing_is_done() {
    let context = where_newest_is("0.0.1");
    let program = installed(&context);
    let output = run(&context, &program, &["--yes"]);
    assert!(output.stdout.ends_with("The latest version is 0.0.1; Symposium is up to date.\n"), "{}", output.stdout);
    assert_eq!((output.code, asked(&context).len()), (0, 1));
    assert_eq!(run(&context, &program, &["--check"]).code, 0);
}

#[test]
fn what_cannot_be_known_or_done_is_said() {
    let context = where_newest_is("none");
    let program = installed(&context);
    let output = run(&context, &program, &["--dry-run"]);
    assert_eq!(output.code, 0);
    assert!(
        output.stdout.contains("The latest version is unknown: no route\nUpdate with: cargo install"),
        "{output:?}"
    );
    assert_eq!(run(&context, &program, &["--check"]).code, 3);
    let output = run(&context, &program, &["--offline", "--yes"]);
    assert_eq!(output.code, 3);
    assert!(output.stderr.starts_with("error: nothing was updated, because Symposium is offline\n"), "{output:?}");
    // Built here, not installed.
    let context = where_newest_is("9.9.9");
    let output = context.invoke(&["self-update", "--yes"]);
    assert_eq!(output.code, 3);
    assert!(output.stdout.contains(": $SYMPOSIUM\nThe installation method is unknown.\n"), "{output:?}");
    assert!(
        output.stderr.starts_with("error: nothing was updated, because the installation method is unknown"),
        "{output:?}"
    );
    assert_eq!(asked(&context).len(), 1);
}

fn start(context: &TestContext, session: &str) -> String {
    let event =
        json!({"session_id": session, "transcript_path": "/t", "cwd": context.workspace(), "source": "startup"});
    context.invoke_hook("claude", "session-start", &event.to_string()).expect(0)
}

/// Waits for what the process in the background writes.
fn until(met: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_mins(1);
    while !met() {
        assert!(Instant::now() < end, "it never happens");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_session_looks_once_a_day_and_the_next_one_says_what_was_found() {
    let context = where_newest_is("9.9.9");
    let file = context.config_dir().join("sessions/newest-version");
    let notice = "Symposium 9.9.9 is available";
    assert!(!start(&context, "a").contains(notice), "nothing is known yet");
    until(|| fs::read_to_string(&file).is_ok_and(|text| text == "9.9.9\n"));
    for session in ["b", "c"] {
        let said = start(&context, session);
        assert!(said.contains(notice) && said.contains("`symposium self-update`"), "{said}");
    }
    assert_eq!(asked(&context).len(), 1, "once a day");
    let yesterday = std::time::SystemTime::now() - Duration::from_hours(25);
    fs::File::options().write(true).open(&file).unwrap().set_modified(yesterday).unwrap();
    start(&context, "d");
    until(|| asked(&context).len() == 2);

    context.write_config("config.toml", "[update]\nnotice = false\n");
    assert!(!start(&context, "e").contains(notice), "switched off");
}

#[test]
fn nobody_looks_when_it_is_not_wanted() {
    let file = |context: &TestContext| context.config_dir().join("sessions/newest-version");
    let none = |context: &TestContext, why: &str| {
        std::thread::sleep(Duration::from_millis(300));
        assert!(asked(context).is_empty() && !file(context).exists(), "{why}");
    };
    let context = where_newest_is("9.9.9");
    context.write_config("config.toml", "[update]\nnotice = false\n");
    start(&context, "a");
    none(&context, "switched off");

    let mut context = where_newest_is("9.9.9");
    context.set("SYMPOSIUM_OFFLINE", "1");
    start(&context, "a");
    none(&context, "offline");

    let context = where_newest_is("9.9.9");
    let event = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default", "cwd": context.workspace(),
        "tool_name": "Bash", "tool_input": {"command": "symposium crate serde"}, "tool_response": {}, "prompt": "serde"});
    for name in ["pre-tool-use", "post-tool-use", "user-prompt-submit", "stop"] {
        context.invoke_hook("claude", name, &event.to_string()).expect(0);
    }
    none(&context, "a session starts once, tools are called all the time");
}

#[test]
fn a_lookup_that_fails_is_not_tried_again_today() {
    let context = where_newest_is("none");
    start(&context, "a");
    until(|| !asked(&context).is_empty());
    start(&context, "b");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(asked(&context).len(), 1);
}

/// A registry on this machine that has one version of us and nothing else; the configuration of cargo that asks it.
fn registry(context: &TestContext, version: &str) -> String {
    let package = Repository::create(context.root().join("package"));
    let manifest =
        format!("[package]\nname = \"symposium\"\nversion = \"{version}\"\nedition = \"2021\"\ndescription = \"x\"\n");
    package.write("Cargo.toml", manifest).write("src/main.rs", "fn main() {}\n").commit();
    let file = context.root().join("package.crate");
    let (prefix, output) = (format!("--prefix=symposium-{version}/"), format!("--output={}", file.display()));
    // Of a tree, not of a commit: that would put its name into the archive.
    package.git(&["archive", "--format=tar.gz", &prefix, &output, "HEAD^{tree}"]);
    let bytes = fs::read(file).unwrap();
    let entry = json!({"name": "symposium", "vers": version, "deps": [], "features": {}, "yanked": false,
        "cksum": symposium_model::sync::fingerprint(&bytes).as_str()});
    let server = http_server(vec![
        ("/sy/mp/symposium".to_owned(), Answer::Body(format!("{entry}\n").into_bytes())),
        (format!("/dl/symposium/{version}/download"), Answer::Body(bytes)),
    ]);
    let place = json!({"dl": format!("http://127.0.0.1:{}/dl", server.port)});
    server.files.lock().unwrap().push(("/config.json".to_owned(), Answer::Body(place.to_string().into_bytes())));
    format!(
        "[net]\nretry = 0\n[source.crates-io]\nreplace-with = \"ours\"\n[source.ours]\nregistry = \"sparse+http://127.0.0.1:{}/\"\n",
        server.port
    )
}

/// A workspace where the real cargo asks a registry of ours that has this version; also its cargo home.
fn with_registry(version: &str) -> (TestContext, PathBuf) {
    let mut context = with_fixture(&["workspace0"]);
    let cargo = context.root().join("cargo-home");
    fs::create_dir_all(&cargo).unwrap();
    fs::write(cargo.join("config.toml"), registry(&context, version)).unwrap();
    let own = |name: &str, below: &str| {
        let set = std::env::var_os(name).map(PathBuf::from);
        set.unwrap_or_else(|| std::env::home_dir().unwrap().join(below)).display().to_string()
    };
    let path = std::env::var("PATH").unwrap_or_default();
    for (name, value) in [
        ("PATH", path.as_str()),
        ("CARGO_HOME", cargo.to_str().unwrap()),
        ("RUSTUP_HOME", &own("RUSTUP_HOME", ".rustup")),
        ("SYMPOSIUM_OFFLINE", "0"),
    ] {
        context.set(name, value);
    }
    (context, cargo)
}

#[test]
fn a_registry_says_what_the_newest_version_is() {
    let (context, cargo) = with_registry("9.9.9");
    let output = context.invoke(&["self-update", "--check"]);
    assert!(output.code == 1 && output.stdout.contains("Symposium 9.9.9 is available.\n"), "{output:?}");
    assert!(start(&context, "a").contains("Symposium 9.9.9 is available"), "the next session says so");
    fs::write(cargo.join("config.toml"), registry(&context, "0.0.1")).unwrap();
    let output = context.invoke(&["self-update", "--check"]);
    assert!(output.code == 0 && output.stdout.contains("The latest version is 0.0.1"), "{output:?}");
    // A registry that is gone is no answer.
    fs::write(cargo.join("config.toml"), registry(&context, "1.0.0").replace("127.0.0.1:", "127.0.0.1:1/")).unwrap();
    assert_eq!(context.invoke(&["self-update", "--check"]).code, 3);
}

/// An agent's `cargo test` must not wait for a lookup in the background, nor that for it.
#[test]
fn a_lookup_shares_no_lock_with_another_cargo() {
    let (context, cargo) = with_registry("9.9.9");
    let credentials = "[registries.private]\ntoken = \"secret\"\n";
    fs::write(cargo.join("credentials.toml"), credentials).unwrap();
    let names = || {
        let mut names: Vec<_> = fs::read_dir(&cargo).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    let output = context.invoke(&["self-update", "--check"]);
    assert!(output.code == 1 && output.stdout.contains("Symposium 9.9.9 is available.\n"), "{output:?}");
    assert_eq!(names(), before, "nothing of the lookup, no lock either, is where other calls of cargo look");
    // As cargo holds it while it fetches.
    let lock = fs::File::create(cargo.join(".package-cache")).unwrap();
    lock.lock().unwrap();
    let output = context.invoke(&["self-update", "--check"]);
    assert!(output.code == 1 && output.stdout.contains("Symposium 9.9.9 is available.\n"), "{output:?}");
    // The lookup's own files go with everything else, and the user's credentials stay.
    assert!(context.config_dir().join("cache/update-lookup/registry").is_dir());
    context.invoke(&["uninstall", "--user", "--yes"]).expect(0);
    assert!(!context.config_dir().join("cache/update-lookup").exists());
    assert_eq!(fs::read_to_string(cargo.join("credentials.toml")).unwrap(), credentials);
}
