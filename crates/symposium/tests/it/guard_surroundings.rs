//! What surrounds a guard when it runs: no variable and no file of a project loads code into it.

use std::path::Path;

use serde_json::json;
use symposium_testkit::TestContext;

use crate::{set_mode, with_fixture};

/// A user with one plugin of their own that has these hooks.
pub(crate) fn user_with(hooks: &str) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.write_config("plugins/guard/symposium.toml", format!("name = \"guard\"\n{hooks}"));
    context
}

pub(crate) fn pre(context: &TestContext) -> String {
    let event = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default",
        "cwd": context.workspace(), "tool_name": "Bash", "tool_input": {"command": "git push --force"}});
    context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0)
}

/// The directory of a Python that knows how to leave out where it is started.
pub(crate) fn python() -> Option<String> {
    let code = "import os, sys; print(os.path.dirname(sys.executable) if sys.version_info >= (3, 11) else '')";
    let output = std::process::Command::new("python3").args(["-c", code]).output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned()).filter(|directory| !directory.is_empty())
}

#[test]
fn a_module_of_the_clone_does_not_run_inside_a_guard() {
    let Some(python) = python() else { return };
    for order in ["policy", "normal"] {
        let mut context = user_with(&format!(
            "[[hooks]]\nname = \"no\"\nevent = \"PreToolUse\"\norder = \"{order}\"\ncommand = '''python3 -c 'import json,sys; \
             d=json.load(sys.stdin); sys.exit(2 if \"push --force\" in str(d) else 0)' '''\n"
        ));
        context.set("PATH", &format!("{python}:/usr/bin:/bin"));
        assert!(pre(&context).contains("deny"), "{order}");
        context.write("json.py", "import os\nopen(os.environ['HOME'] + '/ran-clone', 'w')\nos._exit(0)\n");
        assert!(pre(&context).contains("deny"), "{order}");
        assert!(!context.root().join("home/ran-clone").exists(), "{order}");
    }
}

/// Variables by which a shell, an interpreter, git or the loader runs what somebody else wrote.
const LOADING: [(&str, &str); 58] = [
    ("PYTHONPATH", "evil"),
    ("PYTHONSTARTUP", "evil/x.py"),
    ("PYTHONHOME", "evil"),
    ("NODE_OPTIONS", "--require ./evil.js"),
    ("NODE_PATH", "evil"),
    ("BASH_ENV", "evil/x.sh"),
    ("ENV", "evil/x.sh"),
    ("ZDOTDIR", "evil"),
    ("PERL5LIB", "evil"),
    ("PERL5OPT", "-Mevil"),
    ("RUBYOPT", "-revil"),
    ("RUBYLIB", "evil"),
    ("LD_LIBRARY_PATH", "evil"),
    ("LD_AUDIT", ""),
    ("DYLD_INSERT_LIBRARIES", "evil.dylib"),
    ("GIT_EXEC_PATH", "evil"),
    ("GIT_SSH_COMMAND", "evil"),
    ("GIT_EXTERNAL_DIFF", "evil"),
    ("GIT_CONFIG_PARAMETERS", "'core.fsmonitor'='evil'"),
    ("JAVA_TOOL_OPTIONS", "-javaagent:evil.jar"),
    ("DOTNET_STARTUP_HOOKS", "evil.dll"),
    ("LUA_INIT", "@evil.lua"),
    ("PHPRC", "evil"),
    ("BUN_OPTIONS", "--preload ./evil.ts"),
    ("npm_config_script_shell", "evil"),
    ("RUSTC_WRAPPER", "evil"),
    ("MAKEFLAGS", "--eval=evil"),
    ("LESSOPEN", "|evil %s"),
    ("CDPATH", "evil"),
    ("OPENSSL_CONF", "evil.cnf"),
    ("SHELLOPTS", "xtrace"),
    ("BASHOPTS", "extdebug"),
    ("PS4", "$(evil)"),
    ("IFS", "x"),
    ("GLOBIGNORE", "*"),
    ("EXECIGNORE", "*"),
    ("TMOUT", "1"),
    ("PAGER", "evil"),
    ("EDITOR", "evil"),
    ("NODE_COMPILE_CACHE", "evil"),
    ("DENO_DIR", "evil"),
    ("BUN_INSTALL", "evil"),
    ("LUA_PATH", "./?.lua"),
    ("LUA_INIT_5_4", "@evil.lua"),
    ("PHP_INI_SCAN_DIR", "evil"),
    ("CARGO_BUILD_RUSTC_WRAPPER", "evil"),
    ("RUSTUP_TOOLCHAIN", "evil"),
    ("MAKEFILES", "evil"),
    ("PERL5DB", "evil"),
    ("PERL_UNSAFE_INC", "1"),
    ("PYTHONBREAKPOINT", "evil"),
    ("PYTHONINSPECT", "1"),
    ("PYTHONUSERBASE", "evil"),
    ("PYTHONWARNINGS", "error::evil.X"),
    ("GOFLAGS", "-toolexec=evil"),
    ("TAR_OPTIONS", "--to-command=evil"),
    ("RAKULIB", "evil"),
    ("CC", "evil"),
];

pub(crate) fn environment(context: &TestContext, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(context.root().join("home").join(name)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

pub(crate) fn put_reporter(path: &Path, name: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, format!("#!/bin/sh\npwd > \"$HOME/{name}-pwd\"\n/usr/bin/env > \"$HOME/{name}\"\n")).unwrap();
    set_mode(path, 0o755);
}

#[test]
fn variables_that_load_code_reach_no_guard_and_nothing_that_was_granted() {
    let mut context = user_with(
        "[[hooks]]\nname = \"p\"\nevent = \"PreToolUse\"\norder = \"policy\"\ncommand = \"./policy.sh\"\n\
         [[hooks]]\nname = \"n\"\nevent = \"PreToolUse\"\ncommand = \"./normal.sh\"\n",
    );
    let plugin = context.config_dir().join("plugins/guard");
    put_reporter(&plugin.join("policy.sh"), "policy");
    put_reporter(&plugin.join("normal.sh"), "normal");
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n");
    context.write(
        "plugins/q/symposium.toml",
        "name = \"q\"\n[[hooks]]\nname = \"g\"\nevent = \"PreToolUse\"\ncommand = \"./granted.sh\"\n",
    );
    put_reporter(&context.workspace().join("plugins/q/granted.sh"), "granted");
    context.invoke(&["trust", "--yes"]).expect(0);
    let path = std::env::var("PATH").unwrap();
    context.set("PATH", &format!(".:node_modules/.bin::{path}"));
    for (name, value) in LOADING {
        context.set(name, value);
    }
    context.set("BASH_FUNC_git%%", "() { touch $HOME/ran-clone; }");
    context.set("MY_OWN", "kept");
    std::fs::create_dir_all(context.workspace().join("sub")).unwrap();
    let sub = context.workspace().join("sub");
    let event = json!({"session_id": "s", "transcript_path": "/t", "permission_mode": "default",
        "cwd": sub, "tool_name": "Bash", "tool_input": {"command": "ls"}});
    for _ in 0..3 {
        context.invoke_hook("claude", "pre-tool-use", &event.to_string()).expect(0);
    }
    for name in ["policy", "granted"] {
        let found = environment(&context, name);
        assert!(found.contains(&"MY_OWN=kept".to_owned()), "{name}: {found:?}");
        assert!(found.contains(&"PYTHONSAFEPATH=1".to_owned()), "{name}: {found:?}");
        for (variable, value) in LOADING {
            assert!(!found.contains(&format!("{variable}={value}")), "{name}: {variable}");
        }
        assert!(!found.iter().any(|line| line.starts_with("BASH_FUNC_")), "{name}: {found:?}");
        let path = found.iter().find_map(|line| line.strip_prefix("PATH=")).unwrap();
        assert!(std::env::split_paths(path).all(|entry| entry.is_absolute()), "{name}: {path}");
    }
    let found = environment(&context, "normal");
    let modules = found.iter().find(|line| line.starts_with("PYTHONPATH="));
    assert!(
        modules.is_some_and(|modules| modules.ends_with(":evil")),
        "the user's own handlers keep what they had: {found:?}"
    );
    assert!(found.contains(&"PYTHONSAFEPATH=1".to_owned()), "{found:?}");
    let root = std::fs::canonicalize(context.workspace()).unwrap().display().to_string();
    assert_eq!(environment(&context, "granted-pwd"), [root.as_str()], "what was granted starts at the root");
    assert_eq!(
        environment(&context, "policy-pwd"),
        [format!("{root}/sub")],
        "what is the user's where the agent works"
    );
}

#[test]
fn a_monitor_that_the_clone_configured_does_not_run_when_a_guard_asks_git() {
    let context = user_with(
        "[[hooks]]\nname = \"p\"\nevent = \"PreToolUse\"\norder = \"policy\"\ncommand = \"sh ./status.sh\"\n",
    );
    context.write_config("plugins/guard/status.sh", "git status --short > \"$HOME/status\"\n");
    let repository = crate::repository::Repository::create(context.workspace().to_owned());
    repository.commit();
    context.write("monitor.sh", "#!/bin/sh\ntouch \"$HOME/ran-clone\"\n");
    set_mode(&context.workspace().join("monitor.sh"), 0o755);
    repository.git(&["config", "core.fsmonitor", "./monitor.sh"]);
    context.write(".git/hooks/post-index-change", "#!/bin/sh\ntouch \"$HOME/ran-clone\"\n");
    set_mode(&context.workspace().join(".git/hooks/post-index-change"), 0o755);
    for _ in 0..3 {
        pre(&context);
    }
    assert!(std::fs::read_to_string(context.root().join("home/status")).unwrap().contains("monitor.sh"));
    assert!(!context.root().join("home/ran-clone").exists());
}

#[test]
fn authors_are_warned_of_commands_that_load_code_from_where_the_agent_works() {
    for (command, word) in [
        ("python3 -c 'import json'", "python3 -c"),
        ("python3 -m tool", "python3 -m"),
        ("npx tool", "npx"),
        ("bun run x.ts", "bun"),
        ("node -e 'x()'", "node -e"),
        ("make lint", "make"),
    ] {
        let context = user_with(&format!("[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = {command:?}\n"));
        let plugin = context.config_dir().join("plugins/guard");
        let said = context.invoke(&["plugin", "validate", plugin.to_str().unwrap()]);
        let all = format!("{}{}", said.stdout, said.stderr);
        assert!(all.contains("warning") && all.contains(&format!("`{word}`")), "{command}: {all}");
    }
    let context = user_with("[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"python3 ./x.py\"\n");
    context.write_config("plugins/guard/x.py", "\n");
    let plugin = context.config_dir().join("plugins/guard");
    let said = context.invoke(&["plugin", "validate", plugin.to_str().unwrap()]);
    assert!(!said.stderr.contains("warning"), "{said:?}");
}
