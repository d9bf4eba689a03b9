//! Whose word counts: a project speaks for the project, and never against what a user has set up for themselves.

use std::path::{Path, PathBuf};

use symposium_testkit::{Output, TestContext};

use crate::repository::Repository;
use crate::{json, with_fixture};

/// A guard, as a manifest: it is asked about every command and refuses all of them.
fn guard(name: &str) -> String {
    format!(
        "name = \"{name}\"\n\
         [[hooks]]\nname = \"push\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\norder = \"policy\"\n\
         command = \"echo NO-FORCE >&2; exit 2\"\n\
         [[hooks]]\nname = \"note\"\nevent = \"PostToolUse\"\ncommand = \"exit 0\"\n"
    )
}

/// A user with a guard of their own, and Claude Code.
fn guarded() -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/policy/symposium.toml", guard("policy"));
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context
}

fn event(context: &TestContext, directory: &Path, word: &str, name: &str) -> Output {
    let payload = serde_json::json!({
        "session_id": "s", "hook_event_name": name, "source": "startup", "cwd": directory.to_str().unwrap(),
        "tool_name": "Bash", "tool_input": {"command": "git push --force"}, "tool_response": {"stdout": ""},
    });
    let payload = payload.to_string();
    context.invoke_in_with(directory, &["hook", "claude", word], payload.as_bytes())
}

#[track_caller]
fn refuses_in(context: &TestContext, directory: &Path) -> bool {
    let output = event(context, directory, "pre-tool-use", "PreToolUse");
    assert_eq!(output.code, 0, "{output:?}");
    output.stdout.contains("NO-FORCE")
}

#[track_caller]
fn refuses(context: &TestContext) -> bool {
    refuses_in(context, context.workspace())
}

fn started(context: &TestContext) -> String {
    event(context, context.workspace(), "session-start", "SessionStart").expect(0)
}

fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn project_config(context: &TestContext) -> String {
    read(context.workspace().join(".symposium/config.toml"))
}

const SHADOW: &str = "[[plugin-source]]\nname = \"x\"\npath = \"shadow\"\n";

#[test]
fn a_project_switches_off_no_policy_of_the_user() {
    for config in [
        "[workflows]\npolicy = false\n",
        "[workflows]\n\"policy/push\" = false\n",
        "[workflows]\npolicy = false\n\"policy/push\" = false\n",
        "[agent]\nsync-default = false\n",
        "[defaults]\nuser-plugins = false\n",
        "self-contained = true\n",
        "self-contained = true\n[defaults]\nbuiltin = false\nuser-plugins = false\nsymposium-recommendations = false\n",
        "self-contained = true\n[[plugin-source]]\nname = \"user-plugins\"\npath = \"shadow\"\n",
        "self-contained = true\n[[plugin-source]]\nname = \"mine\"\npath = \"shadow\"\n",
        "[trust]\nprojects = \"never\"\n",
        "required-version = \">=99\"\n",
        "[agent]\nauto-sync = false\nname = []\n[hooks]\nnudge-interval = 0\n[rtk]\nexclude = [\"git\"]\n",
        SHADOW,
    ] {
        let context = guarded();
        context.write_config(
            "config.toml",
            "[agent]\nname = \"claude\"\n[[plugin-source]]\nname = \"mine\"\npath = \"mine\"\n",
        );
        context.write_config("mine/second/symposium.toml", guard("second").replace("NO-FORCE", "NO-SECOND"));
        // Plugins of the same names in the project, with nothing in them.
        context.write("shadow/policy/symposium.toml", "name = \"policy\"\n");
        context.write("shadow/second/symposium.toml", "name = \"second\"\n");
        context.write(".symposium/config.toml", config);
        assert!(refuses(&context), "{config}");
        // The second answers too, when the first does not.
        context.write_config("plugins/policy/symposium.toml", guard("policy").replace("PreToolUse", "Stop"));
        let output = event(&context, context.workspace(), "pre-tool-use", "PreToolUse");
        assert!(output.stdout.contains("NO-SECOND"), "{config}: {output:?}");
        let _ = context.invoke(&["sync"]);
        assert!(event(&context, context.workspace(), "pre-tool-use", "PreToolUse").stdout.contains("NO-SECOND"));
    }
}

#[test]
fn only_the_user_switches_a_policy_off_and_the_project_does_not_hear_of_it() {
    let context = guarded();
    let before = project_config(&context);
    assert!(!before.contains("policy"), "what only the user has is not for the project's files: {before}");
    context.invoke(&["off", "policy"]).expect(0);
    assert_eq!(project_config(&context), before);
    assert!(!refuses(&context));
    let other = context.root().join("elsewhere");
    std::fs::create_dir_all(&other).unwrap();
    assert!(refuses_in(&context, &other), "the choice is for one workspace");
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    // What the project says does not switch it on for the user either.
    assert!(before.contains("[workflows]\n"), "{before}");
    context.write(".symposium/config.toml", before.replace("[workflows]\n", "[workflows]\npolicy = true\n"));
    assert!(!refuses(&context));
    context.write(".symposium/config.toml", &before);
    context.invoke(&["on", "policy"]).expect(0);
    assert!(refuses(&context));
    // One hook of it alone.
    context.invoke(&["off", "policy/push"]).expect(0);
    assert!(!refuses(&context));
    let list = context.invoke(&["hook", "list"]).expect(0);
    assert!(list.contains("you switched it off in this workspace"), "{list}");
    context.invoke(&["on", "policy/push"]).expect(0);
    assert!(refuses(&context));
}

#[test]
fn the_choices_of_a_user_are_theirs_alone_and_go_with_everything_else() {
    use std::os::unix::fs::PermissionsExt;
    let context = guarded();
    context.invoke(&["off", "policy"]).expect(0);
    let files: Vec<PathBuf> = std::fs::read_dir(context.config_dir().join("workspaces"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(files[0].metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let text = read(&files[0]);
    assert!(text.contains(context.workspace().to_str().unwrap()) && text.contains("policy = false"), "{text}");
    // One that cannot be understood switches nothing off.
    std::fs::write(&files[0], "[workflows\npolicy = false\n").unwrap();
    context.settle();
    assert!(refuses(&context));
    let output = context.invoke(&["off", "policy"]);
    assert_eq!(output.code, 3, "{output:?}");
    std::fs::write(&files[0], &text).unwrap();
    context.settle();
    assert!(!refuses(&context));
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(!files[0].exists());
}

#[test]
fn hooks_of_the_user_that_a_project_switches_off_are_named() {
    for config in
        ["[workflows]\npolicy = false\n", "[agent]\nsync-default = false\n", "[defaults]\nuser-plugins = false\n"]
    {
        let context = guarded();
        assert!(!started(&context).contains("policy/note"));
        context.write(".symposium/config.toml", config);
        let said = started(&context);
        assert!(said.contains("`policy/note`") && !said.contains("policy/push"), "{config}: {said}");
        let list = context.invoke(&["hook", "list"]).expect(0);
        let row = list.lines().find(|line| line.starts_with("policy/note")).unwrap_or_default();
        assert!(row.ends_with(" off"), "{config}: {list}");
        assert!(list.contains("switched off in `.symposium/config.toml`"), "{config}: {list}");
        let row = list.lines().find(|line| line.starts_with("policy/push")).unwrap_or_default();
        assert!(row.ends_with(" on"), "{config}: {list}");
        let status = context.invoke(&["status"]);
        assert!(format!("{status:?}").contains("policy/note"), "{config}: {status:?}");
        // The user has the last word on what is theirs.
        context.invoke(&["on", "policy"]).expect(0);
        let said = started(&context);
        assert!(!said.contains("policy/note"), "{config}: {said}");
    }
}

#[test]
fn a_plugin_of_the_project_gives_way_to_one_of_the_user_that_has_hooks() {
    let context = guarded();
    context.write("plugins/policy/symposium.toml", "name = \"policy\"\nsession-start-context = \"Mine now\"\n");
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"x\"\npath = \"plugins\"\n");
    assert!(refuses(&context) && !started(&context).contains("Mine now"));
    let told = context.invoke(&["sync"]).stderr;
    assert!(
        told.contains(
            "is not used: source `user-plugins` has one of that name and takes precedence, because it is yours"
        ),
        "{told}"
    );
    let why = context.invoke(&["why", "policy"]).expect(0);
    assert!(why.contains("another plugin has the same name"), "{why}");
    // One without hooks is only a name.
    context.write_config("plugins/policy/symposium.toml", "name = \"policy\"\nsession-start-context = \"Yours\"\n");
    assert!(started(&context).contains("Mine now"));
}

#[test]
fn a_lock_of_a_project_does_not_choose_content_of_the_users_sources() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    let repository = Repository::create(context.root().join("server/own"));
    repository.write("policy/symposium.toml", "name = \"policy\"\n").commit();
    let source = format!("[[plugin-source]]\nname = \"own\"\ngit = \"{}\"\n", repository.url());
    let defaults = "[defaults]\nsymposium-recommendations = false\n";
    context.write_config("config.toml", format!("[agent]\nname = \"claude\"\n{defaults}{source}"));
    context.invoke(&["sync", "--lock"]).expect(0);
    let old = repository.git(&["rev-parse", "HEAD"]);
    repository.write("policy/symposium.toml", guard("policy")).commit_at("2024-06-01T12:00:00Z");
    context.invoke(&["plugin", "sync"]).expect(0);
    assert!(refuses(&context));
    let lock = context.workspace().join(".symposium/symposium.lock");
    let text = read(&lock);
    assert!(!text.contains("\"own\""), "{text}");
    // Somebody wrote it into the lock all the same, as locks were written once.
    let tree = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let pin = format!(
        "[[source]]\nname = \"own\"\nkind = \"git\"\nurl = \"{}\"\ncommit = \"{old}\"\ntree = \"{tree}\"\n\n# end\n",
        repository.url()
    );
    context.write(".symposium/symposium.lock", text.replace("# end\n", &pin));
    assert!(refuses(&context));
    let _ = context.invoke(&["sync"]);
    assert!(refuses(&context));
    assert_eq!(read(&lock), text, "what is the user's leaves the lock");
}

#[test]
fn imported_guards_are_policies() {
    let context = with_fixture(&["workspace0"]);
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let hook =
        |command: &str| serde_json::json!([{"matcher": "Bash", "hooks": [{"type": "command", "command": command}]}]);
    let own = serde_json::json!({"hooks": {"PreToolUse": hook("guard.sh"), "PostToolUse": hook("note.sh")}});
    std::fs::write(&settings, own.to_string()).unwrap();
    context.invoke(&["import", "--from", "claude", "--yes"]).expect(0);
    let manifest = read(context.config_dir().join("plugins/imported-claude/SYMPOSIUM.toml"));
    let hooks: Vec<&str> = manifest.split("[[hooks]]").skip(1).collect();
    assert_eq!(hooks.len(), 2, "{manifest}");
    for hook in hooks {
        assert_eq!(hook.contains("order = \"policy\""), hook.contains("event = \"PreToolUse\""), "{hook}");
    }
}

#[test]
fn policies_of_the_user_are_asked_before_those_of_others() {
    let context = guarded();
    context.write("plugins/first/symposium.toml", guard("first").replace("NO-FORCE", "PROJECT"));
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"x\"\npath = \"plugins\"\n");
    context.invoke(&["sync"]).expect(0);
    context.invoke(&["trust", "--yes"]).expect(0);
    assert!(refuses(&context), "the user's own is first");
    let record = read(context.config_dir().join("logs/hooks.jsonl"));
    let last = record.lines().last().unwrap_or_default();
    assert!(last.contains("policy/push") && !last.contains("first/push"), "{last}");
}

#[test]
fn a_dependency_that_counts_for_the_user_counts_for_their_policies() {
    let context = with_fixture(&["workspace0"]);
    // Only a dependency of a dependency.
    let lock = read(context.workspace().join("Cargo.lock"));
    let lock = lock.replace(
        "name = \"serde\"\nversion = \"1.0.219\"\n",
        "name = \"serde\"\nversion = \"1.0.219\"\ndependencies = [\n \"deep\",\n]\n",
    );
    context.write("Cargo.lock", format!("{lock}\n[[package]]\nname = \"deep\"\nversion = \"1.0.0\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n"));
    context.write_config("plugins/policy/symposium.toml", format!("crates = [\"deep\"]\n{}", guard("policy")));
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[matching]\ntransitive = true\n");
    context.invoke(&["sync"]).expect(0);
    assert!(refuses(&context));
    context.write(".symposium/config.toml", "[matching]\ntransitive = false\n");
    assert!(refuses(&context));
}

const SERVER: &str = "name = \"tools\"\n[[mcp_servers]]\nname = \"tool\"\ncommand = \"tool-mcp\"\n\
    env = { API_KEY = \"SECRETENV\" }\n";

#[test]
fn servers_of_the_user_stay_out_of_the_projects_files() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/tools/symposium.toml", SERVER);
    context.write_config(
        "plugins/some/symposium.toml",
        SERVER.replace("tools", "some").replace("\"tool\"", "\"some\"") + "crates = [\"serde\"]\n",
    );
    context.write(".symposium/config.toml", "[agent]\nname = [\"claude\", \"codex\", \"gemini\"]\n");
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    for file in [".mcp.json", ".codex/config.toml", ".gemini/settings.json"] {
        let text = read(context.workspace().join(file));
        assert!(text.contains("symposium") && !text.contains("SECRETENV") && !text.contains("tool-mcp"), "{text}");
    }
    assert!(output.stderr.contains("MCP server `tool`") && output.stderr.contains("MCP server `some`"), "{output:?}");
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
    // In the user's own settings it may stand.
    let output = context.invoke(&["init", "--user", "--yes", "--agent", "claude"]);
    assert_eq!(output.code, 0, "{output:?}");
    let output = context.invoke(&["sync"]);
    assert!(read(context.root().join("home/.claude.json")).contains("SECRETENV"), "{output:?}");
    assert!(!read(context.workspace().join(".mcp.json")).contains("SECRETENV"));
}

#[test]
fn skills_of_the_user_are_never_offered_to_be_committed() {
    let context = with_fixture(&["workspace0"]);
    let skill = "---\nname: client-notes\ndescription: d\ncrates: serde\n---\nsecret\n";
    context.write_config("plugins/client-notes/SKILL.md", skill);
    context.write(".symposium/config.toml", "[install]\ncommit = true\n");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let ignored = |name: &str| context.workspace().join(".claude/skills").join(name).join(".gitignore").exists();
    assert!(context.workspace().join(".claude/skills/client-notes/SKILL.md").exists());
    assert!(ignored("client-notes") && !ignored("serde"));
}

#[test]
fn settings_of_agents_in_a_project_are_for_its_own_registrations() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--user", "--yes", "--agent", "opencode", "--agent", "kiro"]).expect(0);
    let home = context.root().join("home");
    let bridge = home.join(".config/opencode/plugins/symposium.js");
    let own = home.join(".kiro/hooks/symposium.json");
    assert!(bridge.exists() && !own.exists());
    let agents = "[agents.opencode]\nhooks = false\n[agents.kiro]\nstandalone-hooks = true\n";
    context.write(".symposium/config.toml", agents);
    context.invoke(&["sync"]).expect(0);
    assert!(bridge.exists() && !own.exists(), "a project decides nothing about what is for every project");
    context.write(".symposium/config.toml", format!("[agent]\nname = [\"opencode\", \"kiro\"]\n{agents}"));
    context.invoke(&["sync"]).expect(0);
    assert!(bridge.exists() && !own.exists());
    assert!(!context.workspace().join(".opencode/plugins/symposium.js").exists());
    assert!(context.workspace().join(".kiro/hooks/symposium.json").exists());
    // The user's own word counts for both.
    let text = read(context.config_dir().join("config.toml"));
    context.write_config("config.toml", format!("{text}\n[agents.opencode]\nhooks = false\n"));
    context.invoke(&["sync"]).expect(0);
    assert!(!bridge.exists());
}

#[test]
fn a_project_names_no_repository_of_this_machine() {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    let private = Repository::create(context.root().join("private"));
    private.skill("secret-skill", "serde", "private").commit();
    let path = private.path.display().to_string();
    std::fs::create_dir_all(context.workspace().join("plugins/x")).unwrap();
    for url in [path.clone(), format!("file://{path}"), "../../private".to_owned(), "./x".to_owned()] {
        let entry = format!("[[plugin-source]]\nname = \"team\"\ngit = \"{url}\"\n");
        context.write(".symposium/config.toml", format!("[agent]\nname = \"claude\"\n{entry}"));
        let output = context.invoke(&["sync"]);
        let said = "source `team` is skipped";
        assert_eq!(output.stderr.matches(said).count(), 1, "{url}: {output:?}");
        assert!(!context.workspace().join(".claude/skills/secret-skill").exists(), "{url}");
        // The same through a plugin of the project that brings it along.
        let brings = format!("name = \"x\"\n[[plugins]]\nsource.git = \"{url}\"\n[[skills]]\nsource.git = \"{url}\"\n");
        context.write("plugins/x/symposium.toml", brings);
        let entry = "[[plugin-source]]\nname = \"team\"\npath = \"plugins\"\n";
        context.write(".symposium/config.toml", format!("[agent]\nname = \"claude\"\n{entry}"));
        let _ = context.invoke(&["sync"]);
        assert!(!context.workspace().join(".claude/skills/secret-skill").exists(), "{url}");
    }
    // The user may.
    context.write(".symposium/config.toml", "");
    let entry = format!("[[plugin-source]]\nname = \"team\"\ngit = \"file://{path}\"\n");
    context.write_config("config.toml", format!("[agent]\nname = \"claude\"\n{entry}"));
    context.invoke(&["sync"]).expect(0);
    assert!(context.workspace().join(".claude/skills/secret-skill").exists());
}

/// Two people work on one project; one has plugins of their own.
#[test]
fn what_is_personal_is_in_no_file_of_the_project_and_nothing_flips_back_and_forth() {
    let personal = with_fixture(&["workspace0"]);
    let skill = |name: &str| format!("---\nname: {name}\ndescription: d\n---\ntext\n");
    personal.write_config("plugins/mine/SKILL.md", skill("mine"));
    personal
        .write_config("plugins/for-rand/SKILL.md", "---\nname: for-itoa\ndescription: d\ncrates: serde_derive\n---\n");
    personal.write_config("plugins/my-hooks/symposium.toml", guard("my-hooks"));
    personal.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nsymposium-recommendations = false\n");
    let plain = with_fixture(&["workspace0"]);
    plain.write_config("config.toml", "[agent]\nname = \"gemini\"\n[defaults]\nsymposium-recommendations = false\n");
    // Each in turn, in one clone.
    let clone = personal.workspace().to_owned();
    let files = || (read(clone.join(".symposium/config.toml")), read(clone.join(".symposium/symposium.lock")));
    personal.invoke_in(&clone, &["sync", "--lock"]).expect(0);
    let first = files();
    for name in ["my-hooks", "mine", "user-plugins", "for-itoa"] {
        assert!(!first.0.contains(name) && !first.1.contains(name), "{name}: {first:?}");
    }
    for round in 0..2 {
        for person in [&plain, &personal] {
            let output = person.invoke_in(&clone, &["sync"]);
            assert_eq!(output.code, 0, "{output:?}");
            assert_eq!(files(), first, "round {round}");
            let output = person.invoke_in(&clone, &["sync", "--locked", "--check"]);
            assert_eq!(output.code, 0, "round {round}: {output:?}");
        }
    }
    // Choices about what is personal are personal.
    for line in [["off", "mine"], ["off", "my-hooks"], ["on", "mine"], ["off", "mine"]] {
        personal.invoke_in(&clone, &line).expect(0);
        assert_eq!(files(), first, "{line:?}");
    }
    assert!(!clone.join(".claude/skills/mine").exists());
    assert!(!refuses_in(&personal, &clone));
    assert_eq!(personal.invoke_in(&clone, &["sync", "--locked", "--check"]).code, 0);
    // A lock as it was once written: whoever comes first drops what is personal, and it stays away.
    let old = "[[source]]\nname = \"user-plugins\"\nkind = \"path\"\n\
        tree = \"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"\n\n# end\n";
    std::fs::write(clone.join(".symposium/symposium.lock"), first.1.replace("# end\n", old)).unwrap();
    personal.invoke_in(&clone, &["sync"]).expect(0);
    assert_eq!(files(), first);
    // What somebody wrote into the configuration stays for who knows it.
    let written =
        format!("{}\n[workflows]\nmy-hooks = true\n", first.0.replace("[workflows]\n", "")).replace("rtk = true\n", "");
    if toml_is_sound(&written) {
        std::fs::write(clone.join(".symposium/config.toml"), &written).unwrap();
        personal.settle();
        personal.invoke_in(&clone, &["sync"]).expect(0);
        assert!(files().0.contains("my-hooks = true"), "{}", files().0);
    }
}

fn toml_is_sound(text: &str) -> bool {
    text.matches("[workflows]").count() == 1
}

#[test]
fn settings_are_shown_with_whose_word_it_is() {
    let context = guarded();
    context.invoke(&["off", "policy"]).expect(0);
    let shown = json(context.invoke(&["config", "show", "--json"]));
    let rows = shown["settings"].as_array().unwrap();
    let row = rows.iter().find(|row| row["key"] == "workflows.policy").unwrap();
    assert_eq!((&row["value"], &row["origin"]), (&serde_json::json!(false), &serde_json::json!("workspace")));
}
