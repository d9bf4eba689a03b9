//! Where a guard takes its modules, programs and settings from: from its plugin and the user, never from a project.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;
use symposium_testkit::TestContext;

use crate::guard_surroundings::{environment, pre, put_reporter, python, user_with};
use crate::hook::executable;
use crate::{set_mode, with_fixture};

/// A script that denies, with the help of a module.
const CHECK: &str =
    "#!/usr/bin/env python3\nimport sys, rules\nsys.exit(2 if rules.is_forced(sys.stdin.read()) else 0)\n";
const RULES: &str = "def is_forced(text):\n    return 'push --force' in text\n";

fn hook(order: &str, command: &str) -> String {
    format!("[[hooks]]\nname = \"no\"\nevent = \"PreToolUse\"\norder = \"{order}\"\ncommand = \"{command}\"\n")
}

fn home(context: &TestContext) -> PathBuf {
    context.root().join("home")
}

#[track_caller]
fn assert_nothing_ran(context: &TestContext, about: &str) {
    assert!(!home(context).join("ran-clone").exists(), "{about}: something of the clone ran");
}

/// A program of the clone that shows that it ran, and permits everything.
fn plant_program(context: &TestContext, path: &str) {
    let mark = home(context).join("ran-clone");
    context.write(path, format!("#!/bin/sh\n: > '{}'\nexit 0\n", mark.display()));
    set_mode(&context.workspace().join(path), 0o755);
}

#[test]
fn modules_beside_the_script_of_a_guard_are_found() {
    let Some(python) = python() else { return };
    for order in ["policy", "normal"] {
        for (command, script, module) in [
            ("python3 check.py", "check.py", "rules.py"),
            ("./check.py", "check.py", "rules.py"),
            ("python3 scripts/check.py", "scripts/check.py", "scripts/rules.py"),
            ("python3 scripts/check.py", "scripts/check.py", "rules.py"),
            ("cat | python3 $SYMPOSIUM_PLUGIN_DIR/scripts/check.py", "scripts/check.py", "scripts/rules.py"),
        ] {
            let mut context = user_with(&hook(order, command));
            executable(&context, &format!("plugins/guard/{script}"), CHECK);
            context.write_config(&format!("plugins/guard/{module}"), RULES);
            // One of the same name where the agent works is not the guard's.
            context.write("rules.py", "def is_forced(text):\n    return False\n");
            context.set("PATH", &format!("{python}:/usr/bin:/bin"));
            let workspace = context.workspace().display().to_string();
            context.set("PYTHONPATH", &workspace);
            let said = pre(&context);
            assert!(said.contains("deny"), "{order}, {command}, {module}: {said}");
            let cached = context.config_dir().join("plugins/guard/__pycache__");
            assert!(!cached.exists(), "{order}, {command}: the plugin's directory is as it was");
        }
    }
}

#[test]
fn the_users_own_modules_still_reach_handlers_that_are_no_guards() {
    let Some(python) = python() else { return };
    let mut context = user_with(&hook("normal", "python3 check.py"));
    context.write_config("plugins/guard/check.py", CHECK);
    let library = context.root().join("library");
    std::fs::create_dir_all(&library).unwrap();
    std::fs::write(library.join("rules.py"), RULES).unwrap();
    context.set("PATH", &format!("{python}:/usr/bin:/bin")).set("PYTHONPATH", library.to_str().unwrap());
    assert!(pre(&context).contains("deny"));
}

/// A project that has a plugin with this hook, granted.
fn granted(command: &str) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n");
    context.write("plugins/q/symposium.toml", format!("name = \"q\"\n{}", hook("normal", command)));
    context
}

#[test]
fn a_granted_command_loads_the_modules_of_its_plugin_and_none_of_the_workspace() {
    let Some(python) = python() else { return };
    for (command, place, denies) in
        [("python3 check.py", "plugins/q", true), ("python3 $SYMPOSIUM_WORKSPACE/tools/check.py", "tools", false)]
    {
        let mut context = granted(command);
        context.write(&format!("{place}/check.py"), CHECK);
        context.write(&format!("{place}/rules.py"), RULES);
        context.set("PATH", &format!("{python}:/usr/bin:/bin"));
        context.invoke(&["trust", "--yes"]).expect(0);
        assert_eq!(pre(&context).contains("deny"), denies, "{command}");
    }
}

/// The directories of a clone, by all the names that lead there.
fn names_of(context: &TestContext, place: &str) -> Vec<String> {
    let inside = context.workspace().join(place);
    let link = context.root().join(format!("link-{}", place.replace('/', "-")));
    symlink(&inside, &link).unwrap();
    let through = context.root().join(format!("through-{}", place.replace('/', "-")));
    symlink(Path::new("/proc/self/cwd").join(place), &through).unwrap();
    let paths = [
        inside,
        link,
        through,
        context.workspace().join("src/..").join(place),
        Path::new("/proc/self/cwd").join(place),
        Path::new("/proc/thread-self/cwd").join(place),
        Path::new("/dev/fd/../cwd").join(place),
    ];
    paths.iter().map(|path| path.display().to_string()).collect()
}

#[test]
fn programs_of_the_clone_are_not_found_by_guards_nor_by_what_was_granted() {
    let check = "case \"$(cat)\" in *'push --force'*) exit 2 ;; esac\n";
    for needs_grant in [false, true] {
        let command = "sh ./check.sh";
        let mut context = if needs_grant { granted(command) } else { user_with(&hook("policy", command)) };
        if needs_grant {
            context.write("plugins/q/check.sh", check);
        } else {
            context.write_config("plugins/guard/check.sh", check);
        }
        for program in ["sh", "cat"] {
            plant_program(&context, &format!("bin/{program}"));
        }
        if needs_grant {
            context.invoke(&["trust", "--yes"]).expect(0);
        }
        for name in names_of(&context, "bin") {
            context.set("PATH", &format!("{name}:/usr/bin:/bin"));
            let said = pre(&context);
            assert!(said.contains("deny"), "needs a grant {needs_grant}, {name}: {said}");
            assert_nothing_ran(&context, &name);
        }
    }
}

#[test]
fn a_search_path_without_programs_takes_none_from_a_guard() {
    let mut context = user_with(&hook("policy", "sh ./check.sh"));
    context.write_config("plugins/guard/check.sh", "case \"$(cat)\" in *'push --force'*) exit 2 ;; esac\n");
    let own = context.workspace().display().to_string();
    for path in ["", "/nowhere", ".", "/proc/self/cwd", &own] {
        context.set("PATH", path);
        let said = pre(&context);
        assert!(said.contains("deny"), "{path}: {said}");
    }
}

fn switch_on(context: &TestContext, workflows: &[&str]) {
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nsymposium-recommendations = false\n");
    context.invoke(&["sync"]).expect(0);
    for workflow in workflows {
        context.invoke(&["on", workflow]).expect(0);
    }
}

#[test]
fn the_programs_we_start_ourselves_never_come_from_the_clone() {
    let mut context = with_fixture(&["workspace0"]);
    switch_on(&context, &["rtk", "autofmt"]);
    for program in ["rtk", "rustfmt", "git", "cargo", "symposium"] {
        plant_program(&context, &format!("bin/{program}"));
    }
    let file = context.workspace().join("src/lib.rs");
    let event = |tool: &str, input: serde_json::Value| {
        json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default",
            "cwd": context.workspace(), "tool_name": tool, "tool_input": input, "tool_response": {}})
        .to_string()
    };
    let shell = event("Bash", json!({"command": "cargo test"}));
    let write = event("Write", json!({"file_path": file, "content": "fn  main( ){}\n"}));
    let start = json!({"session_id": "t", "source": "startup", "cwd": context.workspace()}).to_string();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    for name in names_of(&context, "bin") {
        context.set("PATH", &format!("{name}:/usr/bin:/bin"));
        std::fs::write(&file, "fn  main( ){}\n").unwrap();
        context.invoke_hook("claude", "pre-tool-use", &shell).expect(0);
        context.invoke_hook("claude", "post-tool-use", &write).expect(0);
        context.invoke_hook("claude", "session-start", &start).expect(0);
        for command in [&["sync"][..], &["doctor"], &["crate", "serde"], &["status"]] {
            let _ = context.invoke(command);
        }
        assert_nothing_ran(&context, &name);
    }
}

/// What a hook starts in the background has no person before it who chose its variables.
#[test]
fn a_fetch_that_a_session_starts_hands_no_variable_of_the_clone_to_git() {
    let mut context = with_fixture(&["workspace0"]);
    let source = "[[plugin-source]]\nname = \"team\"\ngit = \"https://127.0.0.1:9/plugins\"\n";
    context.write_config(
        "config.toml",
        format!("[agent]\nname = \"claude\"\n[defaults]\nsymposium-recommendations = false\n{source}"),
    );
    let bin = context.root().join("bin");
    put_reporter(&bin.join("git"), "git");
    plant_program(&context, "evil/git");
    let evil = context.workspace().join("evil").display().to_string();
    context.set("PATH", &format!("{evil}:{}:/usr/bin:/bin", bin.display())).set("SYMPOSIUM_OFFLINE", "0");
    for name in ["HOME", "GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME", "CURL_HOME"] {
        context.set(name, &evil);
    }
    context.set("GIT_SSH_COMMAND", "evil").set("GIT_PROXY_COMMAND", "evil").set("MINE", "kept");
    let start = json!({"session_id": "t", "source": "startup", "cwd": context.workspace()}).to_string();
    context.invoke_hook("claude", "session-start", &start).expect(0);
    let begun = Instant::now();
    while !environment(&context, "git").iter().any(|line| line == "MINE=kept") {
        assert!(begun.elapsed() < Duration::from_secs(20), "git was asked");
        std::thread::sleep(Duration::from_millis(50));
    }
    let found = environment(&context, "git");
    assert!(
        !found.iter().any(|line| line.ends_with("evil") || line.starts_with("PATH=") && line.contains("evil")),
        "{found:?}"
    );
    assert_nothing_ran(&context, "fetching");
}

/// A toolchain of the clone is chosen by where rustup keeps them, also when the name of one is given.
#[test]
fn a_toolchain_of_the_clone_does_not_format() {
    let mut context = with_fixture(&["workspace0"]);
    switch_on(&context, &["autofmt"]);
    let bin = context.root().join("bin");
    put_reporter(&bin.join("rustfmt"), "rustfmt");
    let evil = context.workspace().join("evil").display().to_string();
    std::fs::create_dir_all(&evil).unwrap();
    context.set("PATH", &format!("{}:/usr/bin:/bin", bin.display()));
    context.set("RUSTUP_HOME", &evil).set("CARGO_HOME", &evil).set("LD_AUDIT", "");
    let file = context.workspace().join("src/lib.rs");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "fn  main( ){}\n").unwrap();
    let event = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default",
        "cwd": context.workspace(), "tool_name": "Write", "tool_input": {"file_path": file}, "tool_response": {}});
    context.invoke_hook("claude", "post-tool-use", &event.to_string()).expect(0);
    let found = environment(&context, "rustfmt");
    assert!(!found.is_empty(), "rustfmt was asked");
    assert!(!found.iter().any(|line| line.contains("/evil") || line.starts_with("LD_AUDIT")), "{found:?}");
}

#[test]
fn a_home_in_the_clone_does_not_reach_a_guard() {
    let Some(python) = python() else { return };
    let mut context = user_with(&hook("policy", "python3 ./check.py"));
    context.write_config("plugins/guard/check.py", CHECK);
    context.write_config("plugins/guard/rules.py", RULES);
    let asked = Command::new(format!("{python}/python3"))
        .args(["-c", "import site; print(site.getusersitepackages())"])
        .env("HOME", "/h")
        .env_remove("PYTHONUSERBASE")
        .output()
        .unwrap();
    let site = String::from_utf8(asked.stdout).unwrap();
    let site = site.trim().trim_start_matches("/h/").to_owned();
    let mark = home(&context).join("ran-clone");
    let module = format!("import os\nopen({:?}, 'w')\nos._exit(0)\n", mark.display().to_string());
    context.write(&format!("evil/{site}/usercustomize.py"), &module);
    context.set("PATH", &format!("{python}:/usr/bin:/bin"));
    for name in names_of(&context, "evil") {
        context.set("HOME", &name);
        let said = pre(&context);
        assert!(said.contains("deny"), "HOME={name}: {said}");
        assert_nothing_ran(&context, &name);
    }
    // What the user installed for themselves is theirs.
    std::fs::remove_file(context.config_dir().join("plugins/guard/rules.py")).unwrap();
    let own = home(&context).join(&site);
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("rules.py"), RULES).unwrap();
    assert!(pre(&context).contains("deny"));
}

/// Names that lead programs to settings, and others that we never heard of.
const SETTINGS: [&str; 14] = [
    "HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_DIRS",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RIPGREP_CONFIG_PATH",
    "NPM_CONFIG_USERCONFIG",
    "KUBECONFIG",
    "NODE_EXTRA_CA_CERTS",
    "TMPDIR",
    "SSL_CERT_FILE",
    "NEVER_HEARD_OF",
    "INPUTRC",
    "DOCKER_CONFIG",
];

#[test]
fn no_variable_leads_a_guard_into_the_clone() {
    let mut context = user_with(&format!(
        "{}[[hooks]]\nname = \"n\"\nevent = \"PreToolUse\"\ncommand = \"./normal.sh\"\n",
        hook("policy", "./policy.sh")
    ));
    let plugin = context.config_dir().join("plugins/guard");
    put_reporter(&plugin.join("policy.sh"), "policy");
    put_reporter(&plugin.join("normal.sh"), "normal");
    context.write("evil/x", "");
    let outside = context.root().join("outside");
    std::fs::create_dir_all(&outside).unwrap();
    let user_home = home(&context).display().to_string();
    let mut values = names_of(&context, "evil");
    values.extend(values.clone().iter().map(|value| format!("/usr/share:{value}/x")));
    values.extend([
        format!("--config={}/evil/x", context.workspace().display()),
        format!("file://{}/evil/x", context.workspace().display()),
        format!("{}/evil/not-there-yet/x", context.workspace().display()),
        "evil/x".to_owned(),
        "./evil".to_owned(),
    ]);
    context.set("MINE", outside.to_str().unwrap()).set("SITE", "https://example.com/evil/x").set("MODE", "src/fast");
    let workspace = context.workspace().display().to_string();
    context.set("PWD", &workspace);
    for value in values {
        for name in SETTINGS {
            // A home that is not there is no home for us either, and reporters need one.
            let is_home = name != "HOME" || (Path::new(&value).is_absolute() && !value.contains([':', '=']));
            context.set(name, if is_home { &value } else { &user_home });
        }
        pre(&context);
        let found = environment(&context, "policy");
        for name in SETTINGS {
            let line = found.iter().find(|line| line.starts_with(&format!("{name}=")));
            let wanted = (name == "HOME").then(|| format!("HOME={user_home}"));
            assert_eq!(line.cloned(), wanted, "{name}={value}");
        }
        for kept in [
            format!("MINE={}", outside.display()),
            "SITE=https://example.com/evil/x".to_owned(),
            "MODE=src/fast".to_owned(),
            format!("PWD={}", context.workspace().display()),
            format!("CLAUDE_PROJECT_DIR={}", context.workspace().display()),
            format!("SYMPOSIUM_WORKSPACE={}", context.workspace().display()),
        ] {
            assert!(found.contains(&kept), "{value}: {kept} is kept: {found:?}");
        }
        std::fs::remove_file(home(&context).join("policy")).unwrap();
    }
}

/// A model chooses where it works: it must not be able to take a guard's programs away by that.
#[test]
fn where_the_agent_works_takes_no_program_from_a_guard() {
    let mut context = user_with(&hook("policy", "own-check"));
    let tools = home(&context).join(".pyenv/shims");
    std::fs::create_dir_all(home(&context).join(".pyenv/.git")).unwrap();
    std::fs::create_dir_all(&tools).unwrap();
    std::fs::write(tools.join("own-check"), "#!/bin/sh\ncase \"$(cat)\" in *'push --force'*) exit 2 ;; esac\n")
        .unwrap();
    set_mode(&tools.join("own-check"), 0o755);
    context.set("PATH", &format!("{}:/usr/bin:/bin", tools.display()));
    for place in [tools.clone(), home(&context).join(".pyenv"), home(&context), "/usr/bin".into(), "/".into()] {
        let event = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default",
            "cwd": place, "tool_name": "Bash", "tool_input": {"command": "git push --force"}});
        let said = context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0);
        assert!(said.contains("deny"), "{}: {said}", place.display());
    }
}

fn has(program: &str) -> bool {
    Command::new(program).arg("-v").output().is_ok()
}

#[test]
fn interpreters_take_no_module_from_where_the_agent_works() {
    // Lua looks there for every module, Perl and Ruby where a variable says so.
    let lua = "io.stderr:write(tostring(pcall(require, 'clone'))); os.exit(2)";
    for (program, command) in [
        ("lua5.4", format!("lua5.4 -e \\\"{lua}\\\"")),
        ("perl", "perl -e 'eval { require clone }; exit 2'".to_owned()),
        ("ruby", "ruby -e 'begin; require \\\"clone\\\"; rescue LoadError; end; exit 2'".to_owned()),
    ] {
        if !has(program) {
            continue;
        }
        let mut context = user_with(&hook("policy", &command));
        let mark = home(&context).join("ran-clone").display().to_string();
        context.write("clone.lua", format!("io.open('{mark}', 'w')\nreturn {{}}\n"));
        context.write("clone.pm", format!("open(my $f, '>', '{mark}'); exit 0;\n"));
        context.write("clone.rb", format!("File.write('{mark}', ''); exit! 0\n"));
        context.set("PERL_UNSAFE_INC", "1").set("RUBYLIB", ".").set("LUA_PATH_5_4", "./?.lua;;");
        let said = pre(&context);
        assert!(said.contains("deny"), "{program}: {said}");
        assert_nothing_ran(&context, program);
    }
}

/// Each of these makes a shell run what the variable says, when it reaches it.
#[test]
fn a_shell_runs_nothing_that_a_variable_says() {
    let check = "case \"$(cat)\" in *'push --force'*) exit 2 ;; esac\n";
    for (name, value) in [
        ("BASH_ENV", "/proc/self/cwd/evil.sh"),
        ("BASH_FUNC_cat%%", "() { : > \"$MARK\"; }"),
        ("PS4", "$(: > \"$MARK\")"),
        ("CDPATH", "/proc/self/cwd"),
        ("EXECIGNORE", "*/cat"),
    ] {
        let mut context = user_with(&hook("policy", "bash ./check.sh"));
        context.write_config("plugins/guard/check.sh", check);
        context.write("evil.sh", ": > \"$MARK\"\nexit 0\n");
        let mark = home(&context).join("ran-clone").display().to_string();
        context.set("MARK", &mark).set("SHELLOPTS", "xtrace").set(name, value);
        let said = pre(&context);
        assert!(said.contains("deny"), "{name}: {said}");
        assert_nothing_ran(&context, name);
    }
}

#[test]
fn classes_of_the_clone_are_not_loaded() {
    let context = user_with(&hook("policy", "./policy.sh"));
    put_reporter(&context.config_dir().join("plugins/guard/policy.sh"), "policy");
    pre(&context);
    let plugin = std::fs::canonicalize(context.config_dir().join("plugins/guard")).unwrap();
    assert!(environment(&context, "policy").contains(&format!("CLASSPATH={}", plugin.display())));
}

#[test]
fn a_guard_that_ends_in_a_way_that_says_nothing_is_told() {
    let context = user_with(&hook("policy", "sh ./check.sh"));
    context.write_config("plugins/guard/check.sh", "echo broken >&2\nexit 1\n");
    assert_eq!(pre(&context), "");
    let log = std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap();
    assert!(log.contains("guard/no: it ended with exit code 1, so it is ignored"), "{log}");
    let listed = context.invoke(&["hook", "list"]).expect(0);
    assert!(listed.contains("on (failed)"), "{listed}");
}

#[test]
fn sync_warns_of_guards_that_load_code_from_where_the_agent_works() {
    for (command, word) in [("node -e 'x()'", "node -e"), ("make lint", "make"), ("php ./check.php", "php")] {
        let context = user_with(&hook("policy", command));
        context.write_config("plugins/guard/check.php", "");
        let said = context.invoke(&["sync"]);
        let all = format!("{}{}", said.stdout, said.stderr);
        assert!(all.contains("guard/no") && all.contains(&format!("`{word}`")), "{command}: {all}");
    }
    let context = user_with(&hook("normal", "make lint"));
    let said = context.invoke(&["sync"]);
    assert!(!said.stderr.contains("`make`"), "only guards are promised anything: {said:?}");
}

#[test]
fn no_variable_keeps_the_interpreter_of_a_guard_from_working() {
    let nested = "deny() { exit 2; }\nlook() { deny; }\nlook\n";
    let temporary = "t=$(mktemp) || exit 1\nrm \"$t\"\nexit 2\n";
    let perl = "exit 2;\n";
    let python_script = "import sys\nprint('x', file=sys.stderr)\nsys.exit(2)\n";
    let mut cases = vec![
        ("bash check", nested, "FUNCNEST", "1"),
        ("sh check", temporary, "TMPDIR", "/nonexistent"),
        ("perl check", perl, "PERLIO", ":pop"),
    ];
    if python().is_some() {
        for (name, value) in [("PYTHONUTF8", "2"), ("PYTHONIOENCODING", "nope"), ("PYTHONIOENCODING", "utf-16")] {
            cases.push(("python3 check", python_script, name, value));
        }
    }
    for (command, script, name, value) in cases {
        let mut context = user_with(&hook("policy", command));
        context.write_config("plugins/guard/check", script);
        if let Some(python) = python() {
            context.set("PATH", &format!("{python}:/usr/bin:/bin"));
        }
        context.set(name, value);
        let said = pre(&context);
        assert!(said.contains("deny"), "{name}={value} {command}: {said}");
    }
}

#[test]
fn a_bare_repository_of_the_clone_runs_nothing_when_a_guard_asks_git() {
    let context = user_with(&hook("policy", "sh ./check.sh"));
    let mark = home(&context).join("ran-clone");
    context.write_config("plugins/guard/check.sh", "git status >/dev/null 2>&1\ngit diff >/dev/null 2>&1\nexit 2\n");
    let git = |arguments: &[&str]| {
        let done = Command::new("git").args(arguments).current_dir(context.workspace()).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q", "--bare", "sub"]);
    let configuration = format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ../tree\n[diff]\n\texternal = touch '{0}'\n\
         [filter \"e\"]\n\tclean = touch '{0}'; cat\n",
        mark.display()
    );
    context.write("tree/f", "x\n");
    context.write("tree/.gitattributes", "f filter=e\n");
    git(&["--git-dir=sub", "--work-tree=tree", "add", "-f", "f"]);
    context.write("tree/f", "y\n");
    context.write("sub/config", configuration);
    let event = json!({"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "git push --force"},
        "cwd": context.workspace().join("sub")});
    let said = context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0);
    assert!(said.contains("deny"), "{said}");
    assert_nothing_ran(&context, "git in a bare repository of the clone");
}
