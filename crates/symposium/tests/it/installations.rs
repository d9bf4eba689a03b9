//! Installations: made once somebody agreed and is there, never by a hook, and what hooks get from them.

use std::path::{Path, PathBuf};

use serde_json::json;
use symposium_testkit::TestContext;

use crate::crate_plugins::{machine, put};
use crate::repository::{Answer, Repository, http_server};
use crate::set_mode;

/// A hook that says what it got.
const REPORT: &str =
    "#!/bin/sh\n{ echo \"$0 $*\"; env | grep ^SYMPOSIUM_ | sort; echo \"PATH=$PATH\"; } > \"$HOME/report\"\n";

/// A stand-in for a program of cargo: it writes down how it was called, and leaves a program behind.
pub(crate) fn stand_in(context: &TestContext, program: &str, then: &str) {
    let path = context.root().join("bin").join(program);
    let text = format!(
        "#!/bin/sh\necho \"{program} $*\" >> \"$HOME/called\"\npwd >> \"$HOME/where\"\nroot=$HOME/installed\nfor word; do case \"$word\" in \
         --root=*) root=${{word#--root=}};; esac; done\n{then}\n"
    );
    put(&path, &text);
    set_mode(&path, 0o755);
}

/// What leaves a program called `tool` behind.
pub(crate) fn leaving_tool() -> String {
    format!(
        "mkdir -p \"$root/bin\"\necho x > \"$root/.crates.toml\"\ncat > \"$root/bin/tool\" <<'X'\n{REPORT}X\nchmod +x \"$root/bin/tool\"\n"
    )
}

/// A machine whose cargo and friends are stand-ins, and whose user has a plugin with this manifest.
pub(crate) fn with_plugin(manifest: &str) -> TestContext {
    let mut context = machine();
    let bin = context.root().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    context.set("PATH", &format!("{}:/usr/bin:/bin", bin.display()));
    context.set("SYMPOSIUM_OFFLINE", "0");
    context.write_config("plugins/p/SYMPOSIUM.toml", format!("name = \"p\"\n{manifest}"));
    context
}

fn home(context: &TestContext, file: &str) -> String {
    std::fs::read_to_string(context.root().join("home").join(file)).unwrap_or_default()
}

fn raise(context: &TestContext) -> String {
    let event =
        json!({"session_id": "s", "cwd": context.workspace(), "tool_name": "Bash", "tool_input": {"command": "ls"}});
    let _ = std::fs::remove_file(context.root().join("home/report"));
    for _ in 0..3 {
        context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0);
        let report = home(context, "report");
        if !report.is_empty() {
            return context.normalize_paths(&report);
        }
    }
    String::new()
}

pub(crate) fn installations(context: &TestContext) -> Vec<PathBuf> {
    let directory = context.config_dir().join("cache/installations");
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    let directories = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    directories.filter(|path| !path.to_string_lossy().contains("/git-")).collect()
}

/// How often cargo was asked to install something; it is asked other things too.
pub(crate) fn installed_by(context: &TestContext) -> usize {
    home(context, "called").lines().filter(|line| line.starts_with("cargo install")).count()
}

pub(crate) const CARGO: &str = "[[installations]]\nname = \"my-tool\"\nsource = \"cargo\"\ncrate = \"tool\"\nversion = \"1.2\"\nargs = [\"--one\"]\n\
                     [[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"my-tool\"\nargs = [\"two words\"]\n";

#[test]
fn a_crate_comes_ready_made_where_that_is_possible() {
    let context = with_plugin(CARGO);
    stand_in(&context, "cargo-binstall", &leaving_tool());
    stand_in(&context, "cargo", "exit 9");
    let output = context.invoke(&["sync", "--yes"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("installed `my-tool` for plugin `p`"), "{output:?}");
    let place = installations(&context).pop().unwrap();
    let called = home(&context, "called");
    assert_eq!(
        called,
        format!("cargo-binstall --no-confirm --disable-telemetry --root={} --version=1.2 -- tool\n", place.display())
    );
    assert!(!home(&context, "where").contains(context.workspace().to_str().unwrap()), "never in a project");
    let report = raise(&context);
    let name = place.file_name().unwrap().to_str().unwrap();
    let shown = format!("$CONFIG_DIR/cache/installations/{name}");
    assert!(report.starts_with(&format!("{shown}/bin/tool --one two words\n")), "{report}");
    assert!(report.contains(&format!("SYMPOSIUM_DIR_my_tool={shown}\n")), "{report}");
    assert!(report.contains(&format!("SYMPOSIUM_my_tool={shown}/bin/tool\n")), "{report}");
    assert!(report.contains(&format!("PATH={shown}/bin:")), "{report}");
    // It is made once.
    let again = context.invoke(&["sync", "--yes"]);
    assert!(again.stdout.contains("up to date") && again.stderr.is_empty(), "{again:?}");
    assert_eq!(home(&context, "called").lines().count(), 1);
    context.invoke(&["uninstall", "--all", "--yes"]).expect(0);
    assert!(installations(&context).is_empty());
}

#[test]
fn a_crate_is_compiled_where_it_must_be() {
    for with_binstall in [false, true] {
        let context = with_plugin(CARGO);
        if with_binstall {
            stand_in(&context, "cargo-binstall", "echo nothing there >&2; exit 1");
        }
        stand_in(&context, "cargo", &leaving_tool());
        context.invoke(&["sync", "--yes"]).expect(0);
        let called = home(&context, "called");
        let last = called.lines().last().unwrap();
        assert!(
            last.starts_with("cargo install --locked --color=never --root=")
                && last.ends_with(" --version=1.2 -- tool"),
            "{called}"
        );
        assert_eq!(called.lines().count(), 1 + usize::from(with_binstall), "{called}");
        assert!(!raise(&context).is_empty());
    }
    let mut context = with_plugin(&CARGO.replace("version = \"1.2\"", "git = \"https://example.com/t\""));
    stand_in(&context, "cargo-binstall", &leaving_tool());
    stand_in(&context, "cargo", &leaving_tool());
    context.set("SYMPOSIUM_OFFLINE", "1");
    context.invoke(&["sync", "--yes"]).expect(0);
    let called = home(&context, "called");
    assert!(
        called.starts_with("cargo install") && called.contains("--git=https://example.com/t --offline -- tool"),
        "{called}"
    );
}

#[test]
fn nothing_is_made_without_a_person_nor_by_a_hook_nor_before_a_grant() {
    let context = with_plugin(CARGO);
    stand_in(&context, "cargo", &leaving_tool());
    // Nobody is there.
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output.stderr.contains("needs the installation `my-tool`") && output.stderr.contains("sync --yes"),
        "{output:?}"
    );
    for args in [
        &["sync", "--check"][..],
        &["sync", "--dry-run", "--yes"],
        &["init", "--yes"],
        &["status"],
        &["doctor"],
        &["hook", "list"],
    ] {
        let _ = context.invoke(args);
    }
    raise(&context);
    let start = json!({"session_id": "s", "cwd": context.workspace(), "source": "startup"}).to_string();
    context.invoke_hook("claude", "session-start", &start).expect(0);
    assert_eq!(installed_by(&context), 0);
    // A project's needs a grant; a yes to that is a yes to what it needs.
    std::fs::remove_dir_all(context.config_dir().join("plugins/p")).unwrap();
    context.write("plugins/p/SYMPOSIUM.toml", format!("name = \"p\"\n{CARGO}"));
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n");
    context.invoke(&["sync", "--yes"]).expect(0);
    context.invoke(&["on", "p", "--yes"]).expect(0);
    assert_eq!(installed_by(&context), 0);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert_eq!(installed_by(&context), 1);
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert!(raise(&context).contains("two words"));
}

#[test]
fn what_fails_is_named_and_the_rest_goes_on() {
    let two = "[[installations]]\nname = \"good\"\ninstall_commands = [\"echo made >> $HOME/made; pwd >> $HOME/made\"]\nscript = \"report.sh\"\n\
               [[hooks]]\nname = \"g\"\nevent = \"PreToolUse\"\ncommand = \"good\"\n";
    let context = with_plugin(&format!("{CARGO}{two}"));
    put(&context.config_dir().join("plugins/p/report.sh"), REPORT);
    stand_in(&context, "cargo", "echo compiling >&2; echo 'error: no such crate' >&2; mkdir -p $root/bin; exit 101");
    let output = context.invoke(&["sync", "--yes"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(
        output
            .stderr
            .contains("failed to install `my-tool` for plugin `p`: `cargo install` failed: error: no such crate"),
        "{output:?}"
    );
    assert_eq!(installations(&context).len(), 1, "nothing is left of what failed");
    assert!(raise(&context).contains("report.sh"), "the other hook runs");
    let made = context.normalize_paths(&home(&context, "made"));
    assert_eq!(made, "made\n$CONFIG_DIR/plugins/p\n", "once, in the plugin's directory");
    // What is left of a run that ended in the middle counts for nothing.
    stand_in(&context, "cargo", &leaving_tool());
    context.invoke(&["sync", "--yes"]).expect(0);
    let place = installations(&context).into_iter().find(|path| path.join("bin").exists()).unwrap();
    std::fs::remove_file(place.join(".made")).unwrap();
    std::fs::write(place.join("bin/tool"), "half").unwrap();
    context.invoke(&["sync", "--yes"]).expect(0);
    assert!(std::fs::read_to_string(place.join("bin/tool")).unwrap().contains("report"));
    // Without cargo at all.
    std::fs::remove_file(context.root().join("bin/cargo")).unwrap();
    std::fs::remove_dir_all(&place).unwrap();
    let output = context.invoke(&["sync", "--yes"]);
    assert!(output.code == 3 && output.stderr.contains("the program `cargo` was not found"), "{output:?}");
}

#[test]
fn what_a_manifest_writes_is_never_an_option_or_a_way_out() {
    for (written, said) in [
        ("crate = \"--config=x\"", "is not a valid crate name"),
        ("crate = \"../x\"", "is not a valid crate name"),
        ("crate = \"tool\"\nversion = \"--root=/\"", "version `--root=/`"),
        ("crate = \"tool\"\ngit = \"--upload-pack=x\"", ""),
        ("crate = \"tool\"\ngit = \"ext::sh -c x\"", ""),
        ("crate = \"tool\"\nexecutable = \"../.crates.toml\"", "is outside the installation"),
        ("crate = \"tool\"\nexecutable = \"none\"", "has no `none`"),
    ] {
        let manifest = format!(
            "[[installations]]\nname = \"t\"\nsource = \"cargo\"\n{written}\n\
             [[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"t\"\n"
        );
        let context = with_plugin(&manifest);
        stand_in(&context, "cargo", &leaving_tool());
        let mut said_now = context.invoke(&["sync", "--yes"]).stderr;
        said_now.push_str(&context.invoke(&["sync", "--yes"]).stderr);
        assert!(said_now.contains(said), "{written}: {said_now}");
        let called = home(&context, "called");
        assert!(
            !called.contains("--config") && !called.contains("upload-pack") && !called.contains("ext::"),
            "{called}"
        );
        assert_eq!(raise(&context), "", "{written}");
    }
}

#[test]
fn a_repository_is_downloaded_and_its_scripts_run() {
    let mut context = with_plugin("");
    let repository = Repository::create(context.root().join("server/r"));
    repository.write("hooks/report.sh", REPORT).write("lib/x", "x").commit();
    let archive = std::process::Command::new("git")
        .args(["archive", "--format=tar.gz", "--prefix=r-1/", "HEAD"])
        .current_dir(&repository.path)
        .output()
        .unwrap();
    let server = http_server(vec![("/o/r/tar.gz/HEAD".to_owned(), Answer::Body(archive.stdout))]);
    // Nothing on PATH but a shell's tools, so that there is no git.
    for tool in ["sh", "env", "grep", "sort", "touch"] {
        let found = ["/usr/bin", "/bin"].iter().map(|at| Path::new(at).join(tool)).find(|path| path.exists()).unwrap();
        std::os::unix::fs::symlink(found, context.root().join("bin").join(tool)).unwrap();
    }
    let path = context.root().join("bin").display().to_string();
    context.set("PATH", &path);
    let manifest = format!(
        "name = \"p\"\n[[installations]]\nname = \"far\"\nsource = \"github\"\nurl = \"http://127.0.0.1:{}/o/r\"\n\
         install_commands = [\"touch ready\"]\n\
         [[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"far\"\nscript = \"hooks/report.sh\"\n\
         [[mcp_servers]]\nname = \"far-server\"\ncommand = \"tools\"\nargs = [\"x\"]\n\
         [[installations]]\nname = \"tools\"\nscript = \"here.sh\"\nargs = [\"--mcp\"]\n",
        server.port
    );
    put(&context.config_dir().join("plugins/p/here.sh"), "true\n");
    context.write_config("plugins/p/SYMPOSIUM.toml", manifest);
    let output = context.invoke(&["sync", "--yes"]);
    assert_eq!(output.code, 0, "{output:?}");
    let place = installations(&context).pop().unwrap();
    assert!(place.join("ready").exists() && place.join("lib/x").exists());
    let report = raise(&context);
    assert!(report.contains("hooks/report.sh") && report.contains("SYMPOSIUM_DIR_far="), "{report}");
    let servers = std::fs::read_to_string(context.root().join("home/.claude.json")).unwrap();
    let servers: serde_json::Value = serde_json::from_str(&servers).unwrap();
    let args = &servers["mcpServers"]["far-server"]["args"];
    assert!(args[0].as_str().unwrap().ends_with("plugins/p/here.sh"), "{servers}");
    assert_eq!((&args[1], &args[2]), (&json!("--mcp"), &json!("x")));
    // A server that answers nothing usable.
    server.files.lock().unwrap()[0].1 = Answer::Body(b"<html>".to_vec());
    std::fs::remove_dir_all(context.config_dir().join("cache/installations")).unwrap();
    let output = context.invoke(&["sync", "--yes"]);
    assert!(output.code == 3 && output.stderr.contains("for plugin `p`: refused"), "{output:?}");
    assert!(installations(&context).is_empty());
}

#[test]
fn commands_of_a_plugin_that_was_fetched_work_on_a_copy_of_it() {
    let mut context = with_plugin("");
    let repository = Repository::create(context.root().join("server/r"));
    let made =
        "cp report.txt made.sh; cp report.txt $SYMPOSIUM_PLUGIN_DIR/too; cp report.txt $SYMPOSIUM_DIR_built/three";
    repository
        .write(
            "q/SYMPOSIUM.toml",
            format!(
                "name = \"q\"\n[[installations]]\nname = \"built\"\ninstall_commands = [\"{made}\"]\nscript = \"made.sh\"\n\
                 [[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"built\"\n"
            ),
        )
        .write("q/report.txt", REPORT);
    repository.commit();
    let source = format!("\n[[plugin-source]]\nname = \"team\"\ngit = \"{}\"\n", repository.url());
    let config = std::fs::read_to_string(context.config_dir().join("config.toml")).unwrap();
    context.write_config("config.toml", config + &source);
    // Beside the stand-ins there has to be a real git.
    context.set("PATH", &std::env::var("PATH").unwrap());
    context.invoke(&["sync", "--yes"]).expect(0);
    let place = installations(&context).pop().unwrap();
    for file in ["made.sh", "too", "three", "report.txt"] {
        assert!(place.join(file).exists(), "{file} in {}", context.tree(&place));
    }
    let report = raise(&context);
    assert!(report.contains("/made.sh") && report.contains("SYMPOSIUM_DIR_built=$CONFIG_DIR/cache/inst"), "{report}");
    let copies = context.tree(&context.config_dir().join("cache/plugin-sources"));
    assert!(copies.contains("q/report.txt") && !copies.contains("made.sh") && !copies.contains("too"), "{copies}");
    // The copy is what was fetched, so nothing is fetched again, and what was made stays.
    let output = context.invoke(&["plugin", "sync"]);
    assert!(output.code == 0 && output.stdout.contains("unchanged"), "{output:?}");
    assert!(raise(&context).contains("/made.sh"));
    // Another commit is another plugin.
    repository.write("q/more", "x").commit_at("2024-05-02T12:00:00Z");
    context.invoke(&["plugin", "sync"]).expect(0);
    context.invoke(&["sync", "--yes"]).expect(0);
    assert!(raise(&context).contains("/made.sh"));
    assert_eq!(installations(&context).len(), 2);
}

#[test]
fn what_is_vendored_anew_is_made_anew() {
    let mut context = with_plugin("");
    context.set("PATH", &std::env::var("PATH").unwrap());
    let repository = Repository::create(context.root().join("server/r"));
    let script = |word: &str| format!("#!/bin/sh\necho {word} > $HOME/report\n");
    repository
        .write(
            "q/SYMPOSIUM.toml",
            "name = \"q\"\n[[installations]]\nname = \"built\"\ninstall_commands = [\"true\"]\nscript = \"run.sh\"\n\
             [[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"built\"\n",
        )
        .write("q/run.sh", script("one"))
        // A name of ours in what was fetched does no harm.
        .write("q/.made", "");
    repository.commit();
    let source = format!("\n[[plugin-source]]\nname = \"team\"\ngit = \"{}\"\n", repository.served());
    context.write(".symposium/config.toml", source);
    let bring = |update: &[&str]| {
        context.invoke(&[&["sync", "--yes", "--vendor"], update].concat()).expect(0);
        context.invoke(&["trust", "--yes"]).expect(0);
        context.invoke(&["sync", "--yes"]).expect(0);
    };
    bring(&[]);
    assert_eq!(raise(&context), "one\n");
    repository.write("q/run.sh", script("two")).commit_at("2024-05-02T12:00:00Z");
    bring(&["--update"]);
    assert_eq!(raise(&context), "two\n");
    // One whose program went is made again.
    for place in installations(&context) {
        let _ = std::fs::remove_file(place.join("run.sh"));
    }
    context.invoke(&["sync", "--yes"]).expect(0);
    assert_eq!(raise(&context), "two\n");
}

#[test]
fn a_real_crate_is_compiled_by_the_real_cargo() {
    let mut context = machine();
    // The toolchain of these tests, past anything that looks for another.
    let Some(cargo) = std::env::var_os("CARGO") else { return };
    let bin = Path::new(&cargo).parent().unwrap();
    context.set("PATH", &format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()));
    for name in ["RUSTUP_HOME", "RUSTUP_TOOLCHAIN"] {
        if let Ok(value) = std::env::var(name) {
            context.set(name, &value);
        }
    }
    context.set("SYMPOSIUM_OFFLINE", "0");
    let repository = Repository::create(context.root().join("server/tool"));
    repository
        .write("Cargo.toml", "[package]\nname = \"tiny-tool\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
        .write("Cargo.lock", "version = 4\n\n[[package]]\nname = \"tiny-tool\"\nversion = \"0.1.0\"\n")
        .write(
            "src/main.rs",
            "fn main() {\n    let home = std::env::var(\"HOME\").unwrap();\n    std::fs::write(home + \"/report\", \"made by cargo\").unwrap();\n}\n",
        )
        .commit();
    context.write_config(
        "plugins/p/SYMPOSIUM.toml",
        format!(
            "name = \"p\"\n[[installations]]\nname = \"tiny\"\nsource = \"cargo\"\ncrate = \"tiny-tool\"\ngit = \"{}\"\n\
             [[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\ncommand = \"tiny\"\n",
            repository.url()
        ),
    );
    let output = context.invoke(&["sync", "--yes"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(raise(&context), "made by cargo");
}
