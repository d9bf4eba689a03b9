//! Whatever the settings look like: the user's content survives, the message names the file, the others are served.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use symposium_testkit::TestContext;

use crate::{bound_by_modes, set_mode, with_fixture};

struct Home {
    context: TestContext,
    settings: PathBuf,
}

/// A home whose Claude settings are made by `make`; Codex is set up beside it.
fn home(make: impl FnOnce(&std::path::Path)) -> Home {
    let context = with_fixture(&["workspace0"]);
    let settings = context.root().join("home/.claude/settings.json");
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    make(&settings);
    Home { context, settings }
}

impl Home {
    /// Claude's file is refused with these words, exit code 3; Codex is registered all the same.
    #[track_caller]
    fn refused(&self, words: &str) {
        let output = self.context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "codex"]);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains("/.claude/settings.json"), "{}", output.stderr);
        assert!(output.stderr.contains(words), "{}", output.stderr);
        assert!(self.context.root().join("home/.codex/hooks.json").exists(), "the other agent is served");
        assert!(self.context.workspace().join(".claude/skills/serde/SKILL.md").exists(), "so are skills");
    }
}

#[test]
fn text_that_is_not_what_claude_reads_is_left_alone() {
    for (text, words) in [
        ("{\"hooks\": ", "settings.json:1"),
        ("[]", "object"),
        ("\"x\"", "object"),
        ("{\"hooks\": []}", "hooks"),
        ("{\"hooks\": \"x\"}", "hooks"),
        ("{\"hooks\": {\"PreToolUse\": {}}}", "PreToolUse"),
        ("{\"a\": 1} {\"b\": 2}", "settings.json"),
    ] {
        let home = home(|path| std::fs::write(path, text).unwrap());
        home.refused(words);
        assert_eq!(std::fs::read_to_string(&home.settings).unwrap(), text);
    }
}

#[test]
fn things_that_are_no_file_are_left_alone() {
    let directory = home(|path| std::fs::create_dir(path).unwrap());
    directory.refused("not a regular file");
    let fifo = home(|path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success()));
    fifo.refused("not a regular file");
    let dangling = home(|path| symlink("nowhere.json", path).unwrap());
    dangling.refused("broken link");
    assert!(dangling.settings.is_symlink());
    let binary = home(|path| std::fs::write(path, b"\xff\xfe{}").unwrap());
    binary.refused("not UTF-8");
}

#[test]
fn odd_but_sound_files_are_edited_and_come_back() {
    let large = format!("{{\"big\": \"{}\"}}", "x".repeat(10 * 1024 * 1024));
    for text in ["", "\n", "{}", "\u{feff}{\r\n}\r\n", "{ }", "{\"hooks\": {}}", &large] {
        let home = home(|path| {
            std::fs::write(path, text).unwrap();
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
        });
        home.context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
        let written = std::fs::read_to_string(&home.settings).unwrap();
        assert!(written.contains("hook claude pre-tool-use"));
        home.context.invoke(&["uninstall", "--yes"]).expect(0);
        assert!(std::fs::read_to_string(&home.settings).unwrap() == text, "{:?}", text.get(..40));
        assert_eq!(std::fs::metadata(&home.settings).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_symlinked_dotfile_stays_one() {
    let home = home(|path| {
        let real = path.parent().unwrap().join("real.json");
        std::fs::write(&real, "{}\n").unwrap();
        symlink("real.json", path).unwrap();
    });
    home.context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    assert!(home.settings.is_symlink());
    home.context.invoke(&["uninstall", "--yes"]).expect(0);
    assert!(home.settings.is_symlink());
    assert_eq!(std::fs::read_to_string(&home.settings).unwrap(), "{}\n");
}

#[test]
fn a_repository_cannot_send_skills_elsewhere() {
    let context = with_fixture(&["workspace0"]);
    let elsewhere = context.root().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::create_dir(context.workspace().join(".claude")).unwrap();
    symlink(&elsewhere, context.workspace().join(".claude/skills")).unwrap();
    let output = context.invoke(&["init", "--yes", "--agent", "claude"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("leads outside the project"), "{}", output.stderr);
    // When that is all there is to do, nobody says that all is well.
    let again = context.invoke(&["sync"]);
    assert_eq!((again.code, again.stdout.as_str()), (3, ""), "{again:?}");
    let document: serde_json::Value = serde_json::from_str(&context.invoke(&["sync", "--json"]).stdout).unwrap();
    assert!(document["warnings"][0].as_str().unwrap().contains("leads outside the project"), "{document}");
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[test]
fn what_has_our_name_and_is_the_users_is_never_touched() {
    let context = with_fixture(&["workspace0"]);
    let own_skill = "---\nname: serde\ndescription: mine\n---\nmine\n";
    context.write(".claude/skills/serde/SKILL.md", own_skill);
    let own_server = "{\"mcpServers\": {\"symposium\": {\"command\": \"my-own\"}}}";
    std::fs::write(context.root().join("home/.claude.json"), own_server).unwrap();
    let output = context.invoke(&["init", "--yes", "--agent", "claude"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("mcpServers.symposium` belongs to you"), "{}", output.stderr);
    assert_eq!(std::fs::read_to_string(context.root().join("home/.claude.json")).unwrap(), own_server);
    let skills = context.workspace().join(".claude/skills");
    assert_eq!(std::fs::read_to_string(skills.join("serde/SKILL.md")).unwrap(), own_skill);
    let ours = std::fs::read_to_string(skills.join("serde-symposium/SKILL.md")).unwrap();
    assert!(ours.starts_with("---\nname: serde-symposium\n"), "{ours}");
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(std::fs::read_to_string(skills.join("serde/SKILL.md")).unwrap(), own_skill);
    assert!(!skills.join("serde-symposium").exists());
}

#[test]
fn a_lent_name_is_never_another_skills_own() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nbuiltin = false\n");
    for name in ["foo", "foo-symposium"] {
        context.write_config(&format!("plugins/{name}/SKILL.md"), format!("---\nname: {name}\ndescription: d\n---\n"));
    }
    context.write(".claude/skills/foo/SKILL.md", "the user's");
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("a file or directory of yours has the name of this skill"), "{}", output.stderr);
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0, "and it stays so");
    assert!(context.workspace().join(".claude/skills/foo-symposium/SKILL.md").exists());
}

#[test]
fn an_edited_skill_is_kept_and_called_drifted() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let skill = context.workspace().join(".claude/skills/serde/SKILL.md");
    let edited = format!("{}\nMy own line.\n", std::fs::read_to_string(&skill).unwrap());
    std::fs::write(&skill, &edited).unwrap();
    let output = context.invoke(&["sync"]);
    assert!(output.stderr.contains(".claude/skills/serde was edited"), "{output:?}");
    let status = context.invoke(&["status"]).expect(0);
    assert!(status.lines().any(|line| line.starts_with("serde ") && line.contains("drifted")), "{status}");
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0, "drift is no action");
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(std::fs::read_to_string(&skill).unwrap(), edited);
}

#[test]
fn a_lost_record_is_made_anew_from_what_is_there() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude", "--agent", "copilot"]).expect(0);
    std::fs::write(context.config_dir().join("ledger.json"), "{ broken").unwrap();
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("ledger.json could not be read"), "{}", output.stderr);
    assert!(context.config_dir().join("ledger.json.broken").exists());
    assert_eq!(context.invoke(&["sync", "--check"]).expect(0), "Everything is up to date.\n");
    context.invoke(&["uninstall", "--yes"]).expect(0);
    let left: Vec<_> = std::fs::read_dir(context.workspace().join(".claude/skills")).unwrap().collect();
    assert!(left.is_empty(), "what is ours was taken as ours again: {left:?}");
    assert!(!context.root().join("home/.copilot/hooks/symposium.json").exists());
}

#[test]
fn a_broken_source_removes_nothing() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let manifest = context.config_dir().join("plugins/serde-plugin/symposium.toml");
    let good = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, "name = \n").unwrap();
    let before = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert_eq!(context.invoke(&["sync"]).code, 3);
    assert!(context.workspace().join(".claude/skills/serde-basics/SKILL.md").exists());
    assert_eq!(std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap(), before);
    std::fs::write(&manifest, good).unwrap();
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
}

#[test]
fn a_file_of_a_skill_that_may_not_be_read_takes_nothing_away() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("plugins/taught/SKILL.md", "---\nname: taught\ndescription: d\ncrates: serde\n---\ntext\n");
    context.write_config("plugins/taught/more.md", "more");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let more = context.config_dir().join("plugins/taught/more.md");
    set_mode(&more, 0);
    let through = bound_by_modes(&context);
    let output = context.invoke_through(through, &["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("the installed copy is kept: `more.md`"), "{output:?}");
    assert!(context.workspace().join(".claude/skills/taught/more.md").is_file(), "{output:?}");
    assert_eq!(context.invoke_through(through, &["sync", "--check"]).code, 0);
    let output = context.invoke_through(through, &["sync", "--restore", "taught"]);
    assert!(output.code == 3 && output.stderr.contains("cannot restore skill `taught`: its source"), "{output:?}");
    // One that was never installed waits.
    context.invoke(&["uninstall", "--yes", "--project"]).expect(0);
    let output = context.invoke_through(through, &["sync"]);
    assert!(output.stderr.contains("not installed: `more.md`"), "{output:?}");
    assert!(!context.workspace().join(".claude/skills/taught").exists());
    set_mode(&more, 0o644);
    context.invoke(&["sync"]).expect(0);
    assert!(context.workspace().join(".claude/skills/taught/more.md").is_file());
}

/// Each source answers for itself: a fault in one keeps nothing of another, and one never fetched keeps nothing at all.
#[test]
fn a_fault_in_one_source_keeps_what_came_from_it_and_nothing_else() {
    let context = with_fixture(&["workspace0"]);
    let skill = |name: &str| format!("---\nname: {name}\ndescription: d\ncrates: serde\n---\ntext\n");
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n[defaults]\nbuiltin = false\n[[plugin-source]]\nname = \"team\"\npath = \"~/team\"\n");
    let team = context.root().join("home/team");
    for name in ["kept", "also-kept"] {
        std::fs::create_dir_all(team.join(name)).unwrap();
        std::fs::write(team.join(name).join("SKILL.md"), skill(name)).unwrap();
    }
    context.write_config("plugins/mine/SKILL.md", skill("mine"));
    context.invoke(&["sync"]).expect(0);
    let is_there = |name: &str| context.workspace().join(".claude/skills").join(name).exists();
    assert!(is_there("mine") && is_there("kept") && is_there("also-kept"));

    std::fs::remove_dir_all(context.config_dir().join("plugins/mine")).unwrap();
    std::fs::write(team.join("kept/SKILL.md"), "no skill at all\n").unwrap();
    std::fs::remove_dir_all(team.join("also-kept")).unwrap();
    let told = context.invoke(&["sync"]);
    assert!(!is_there("mine"), "its source was read: {}", told.transcript());
    assert!(is_there("kept") && is_there("also-kept"), "not all of theirs could be read");
    assert!(told.stderr.contains("source `team` was only partly read"), "{}", told.stderr);
    let document = context.invoke(&["sync", "--json"]).stdout;
    assert!(document.contains("kept/SKILL.md"), "what was lost is in the document too: {document}");
}

/// What somebody switched off does not come back because a comma is missing.
#[test]
fn a_project_configuration_that_cannot_be_understood_brings_nothing() {
    for (from, to) in [("[skills]", "[skills"), ("serde = false", "serde = \"no\"")] {
        let context = with_fixture(&["workspace0"]);
        context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
        context.invoke(&["sync"]).expect(0);
        context.invoke(&["off", "serde"]).expect(0);
        let skill = context.workspace().join(".claude/skills/serde");
        assert!(!skill.exists());
        let path = context.workspace().join(".symposium/config.toml");
        let broken = std::fs::read_to_string(&path).unwrap().replace(from, to);
        std::fs::write(&path, &broken).unwrap();
        assert_eq!(context.invoke(&["sync"]).code, 3);
        assert!(!skill.exists(), "{to}");
        assert_ne!(context.invoke(&["off", "tokio"]).code, 0);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), broken, "nothing writes to it");
    }
}

#[test]
fn a_configuration_that_cannot_be_read_unregisters_nobody() {
    for broken in ["agent = [\n", "[agent]\nname = 3\n", "[agent]\nname = \"cluade\"\n"] {
        let context = with_fixture(&["workspace0"]);
        context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
        let settings = context.root().join("home/.claude/settings.json");
        let registered = std::fs::read_to_string(&settings).unwrap();
        context.write_config("config.toml", broken);
        assert_ne!(context.invoke(&["sync"]).code, 101);
        assert_eq!(std::fs::read_to_string(&settings).unwrap(), registered, "{broken}");
        assert!(context.workspace().join(".claude/skills/serde/SKILL.md").exists(), "{broken}");
    }
}

#[test]
fn edits_to_files_of_ours_stay() {
    let context = with_fixture(&["workspace0"]);
    let agents = ["kiro", "copilot", "opencode", "kilo", "cline", "pi"];
    let agents = agents.into_iter().flat_map(|agent| ["--agent", agent]);
    context.invoke(&["init", "--yes"].into_iter().chain(agents).collect::<Vec<_>>()).expect(0);
    let home = context.root().join("home");
    for (path, from, to) in [
        (".kiro/agents/symposium.json", "\"name\"", "\"prompt\": \"MINE\", \"name\""),
        (".copilot/hooks/symposium.json", "\"version\"", "\"mine\": 1, \"version\""),
        (".config/opencode/plugins/symposium.js", "import", "// mine\nimport"),
        (".config/kilo/plugins/symposium.js", "import", "// mine\nimport"),
        (".cline/plugins/symposium.js", "import", "// mine\nimport"),
        (".pi/agent/extensions/symposium.js", "import", "// mine\nimport"),
    ] {
        let path = home.join(path);
        let edited = std::fs::read_to_string(&path).unwrap().replacen(from, to, 1);
        std::fs::write(&path, &edited).unwrap();
        let output = context.invoke(&["sync"]);
        assert!(output.stderr.contains("was edited after Symposium wrote it"), "{output:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), edited, "{}", path.display());
    }
}

#[test]
fn a_name_that_is_no_text_inside_a_skill_is_the_users() {
    use std::os::unix::ffi::OsStrExt;
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let name = std::ffi::OsStr::from_bytes(b"notes-\xe9.md");
    let notes = context.workspace().join(".claude/skills/serde").join(name);
    std::fs::write(&notes, "precious").unwrap();
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(std::fs::read_to_string(&notes).unwrap(), "precious");
}

#[test]
fn a_workspace_that_cannot_be_recorded_is_refused_and_the_ledger_stays() {
    use std::os::unix::ffi::OsStrExt;
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let ledger = std::fs::read_to_string(context.config_dir().join("ledger.json")).unwrap();
    let odd = context.root().join(std::ffi::OsStr::from_bytes(b"w\xff"));
    std::fs::create_dir_all(odd.join("src")).unwrap();
    for file in ["Cargo.toml", "Cargo.lock"] {
        std::fs::copy(context.workspace().join(file), odd.join(file)).unwrap();
    }
    let output = context.invoke_in(&odd, &["sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(!odd.join(".claude").exists());
    assert_eq!(std::fs::read_to_string(context.config_dir().join("ledger.json")).unwrap(), ledger);
}

#[test]
fn a_skill_that_no_longer_parses_keeps_its_choice() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.write(".symposium/config.toml", "[[plugin-source]]\nname = \"ours\"\npath = \"agents\"\n");
    context.write("agents/tips/SKILL.md", "---\nname: tips\ndescription: d\ncrates: serde\n---\nx\n");
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    context.invoke(&["off", "serde"]).expect(0);
    context.write("agents/tips/SKILL.md", "---\nname: [\n---\n");
    for skill in ["serde-basics", "serde-deep"] {
        context.write_config(&format!("plugins/serde-plugin/skills/{skill}/SKILL.md"), "---\nname: [\n---\n");
    }
    context.invoke(&["sync"]).expect(0);
    let config = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(config.contains("serde = false"), "{config}");
}

#[test]
fn copilots_file_at_the_git_root_stays_in_the_repository() {
    let context = with_fixture(&["workspace0"]);
    let outside = context.root().join("outside");
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::create_dir(context.root().join("files/.git")).unwrap_or(());
    symlink(&outside, context.workspace().join(".github")).unwrap();
    let output = context.invoke(&["init", "--yes", "--project", "--agent", "copilot"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(!output.stdout.contains(".github/hooks"), "what failed is not reported as done: {}", output.stdout);
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn a_record_that_may_not_be_read_now_is_kept_for_later() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let ledger = context.config_dir().join("ledger.json");
    let text = std::fs::read_to_string(&ledger).unwrap();
    for args in [&["sync"][..], &["off", "serde"], &["uninstall", "--yes"]] {
        set_mode(&ledger, 0o000);
        let output = context.invoke_through(bound_by_modes(&context), args);
        set_mode(&ledger, 0o600);
        assert_eq!(output.code, 3, "{output:?}");
        assert!(output.stderr.contains("ledger.json: Permission denied"), "{}", output.stderr);
        assert_eq!(std::fs::read_to_string(&ledger).unwrap(), text);
    }
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(context.tree(&context.root().join("home")), ".symposium/");
}

#[test]
fn an_entry_with_a_misspelled_condition_is_named_and_not_installed() {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    let skill = |name: &str, line: &str| format!("---\nname: {name}\ndescription: Odd.\n{line}---\nBody.\n");
    for (plugin, manifest) in [
        ("top", "name = \"top\"\ncrate = [\"absent\"]\n[[skills]]\nsource.path = \"skills\"\n"),
        ("group", "name = \"group\"\n[[skills]]\nCrates = [\"absent\"]\nsource.path = \"skills\"\n"),
        ("empty", "name = \"empty\"\ncrates = []\n[[skills]]\nsource.path = \"skills\"\n"),
    ] {
        context.write_config(&format!("plugins/{plugin}/SYMPOSIUM.toml"), manifest);
        context.write_config(&format!("plugins/{plugin}/skills/{plugin}-skill/SKILL.md"), skill(plugin, ""));
    }
    context.write_config("plugins/lone/SKILL.md", skill("lone", "crate: absent\n"));
    let shown = context.invoke(&["sync"]);
    let words = shown.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    for (file, key) in [("top/SYMPOSIUM.toml", "crate"), ("group/SYMPOSIUM.toml", "Crates"), ("lone/SKILL.md", "crate")]
    {
        assert!(words.contains(file) && words.contains(&format!("nknown key `{key}`")), "{}", shown.stderr);
    }
    for name in ["top", "group", "empty", "lone"] {
        assert!(!context.workspace().join(".claude/skills").join(name).exists(), "{name} is installed: {shown:?}");
    }
    assert!(context.workspace().join(".claude/skills/serde").exists(), "the others are served");
}
