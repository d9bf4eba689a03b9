//! Options that mean the same everywhere, short forms, and pointers for words that other programs use.

use crate::with_fixture;

#[test]
fn options_of_every_command_stand_under_their_own_heading() {
    let context = with_fixture(&[]);
    for command in [&["sync"][..], &["init"], &["plugin", "validate"], &["crate"]] {
        let help = context.invoke(&[command, &["-h"]].concat()).expect(0);
        let (own, global) = help.split_once("Global options:").unwrap_or_else(|| panic!("{command:?}\n{help}"));
        for option in ["-q, --quiet", "-v, --verbose", "    --json ", "    --offline ", "    --color ", "-C <DIR>"] {
            assert!(global.contains(option) && !own.contains(option), "{command:?} {option}\n{help}");
        }
        assert!(own.contains("--help"), "{help}");
    }
}

#[test]
fn short_forms_work_where_the_long_ones_do() {
    let context = with_fixture(&["workspace0"]);
    assert!(context.invoke(&["init", "-n", "--agent", "claude"]).expect(0).contains("would install"));
    assert!(!context.workspace().join(".symposium").exists());
    assert!(context.invoke(&["init", "-y", "--agent", "claude"]).expect(0).contains("installed"));
    assert!(context.invoke(&["uninstall", "-n"]).expect(0).contains("would remove"));
    context.invoke(&["plugin", "new", "-n", "demo"]).expect(0);
    assert!(!context.workspace().join("demo").exists());
}

#[test]
fn a_command_can_be_about_another_directory() {
    let context = with_fixture(&["workspace0"]);
    let elsewhere = context.root().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let workspace = context.workspace().to_str().unwrap().to_owned();
    let listed = context.invoke_in(&elsewhere, &["-C", &workspace, "crate", "--list"]).expect(0);
    assert!(listed.contains("serde"), "{listed}");
    let behind = context.invoke_in(&elsewhere, &["crate", "--list", "-C", &workspace]).expect(0);
    assert_eq!(behind, listed);
    let wrong = context.invoke(&["-C", "nowhere", "status"]);
    assert_eq!(wrong.code, 2, "{wrong:?}");
    assert!(wrong.stderr.contains("nowhere"), "{}", wrong.stderr);
}

#[test]
fn an_agent_is_always_a_name() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--user", "--yes", "--agent", "claude,gemini"]).expect(0);
    let config = std::fs::read_to_string(context.config_dir().join("config.toml")).unwrap();
    assert_eq!(config, "[agent]\nname = [\"claude\", \"gemini\"]\n");
    let shown = context.invoke(&["doctor", "gemini"]);
    assert!(shown.stdout.contains("Gemini CLI") && !shown.stdout.contains("Claude Code"), "{shown:?}");
    // The switch has a name of its own; its old one is accepted.
    for switch in ["--agents-only", "--agent"] {
        assert!(context.invoke(&["sync", switch, "--dry-run"]).expect(0).contains("would install"), "{switch}");
    }
    let help = context.invoke(&["sync", "--help"]).expect(0);
    assert!(help.contains("--agents-only") && !help.contains("--agent\n") && !help.contains("--agent "), "{help}");
    let named = context.invoke(&["sync", "--agent", "claude"]);
    assert_eq!(named.code, 2);
    assert!(named.stderr.contains("symposium init --agent claude"), "{}", named.stderr);
}

#[test]
fn names_of_agents_can_be_completed() {
    let context = with_fixture(&[]);
    for shell in ["bash", "zsh", "fish"] {
        let script = context.invoke(&["completions", shell]).expect(0);
        assert!(script.contains("claude") && script.contains("opencode"), "{shell}");
    }
    let wrong = context.invoke(&["init", "--agent", "claud"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("claude") && wrong.stderr.contains("help:"), "{}", wrong.stderr);
    // Aliases and any letter case are accepted as before.
    context.invoke(&["init", "--dry-run", "--agent", "Claude-Code"]).expect(0);
}

/// Asks bash itself, after `cargo agents` and after `cargo-agents`.
#[test]
fn bash_completes_after_cargo_agents() {
    let completed = |words: &str| {
        let program = env!("CARGO_BIN_EXE_cargo-agents");
        let script = format!(
            "source <({program} agents completions bash)\n\
             _cargo() {{ COMPREPLY=(of-cargo); }}\n\
             COMP_WORDS=({words} \"\")\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             completer=$(complete -p ${{COMP_WORDS[0]}} | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n\
             $completer ${{COMP_WORDS[0]}} \"\" ${{COMP_WORDS[COMP_CWORD-1]}}\necho \"${{COMPREPLY[@]}}\"\n"
        );
        let output = std::process::Command::new("bash").args(["--norc", "-c", &script]).output().unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let agents = symposium_model::agent::AgentId::names().join(" ") + "\n";
    assert_eq!(completed("cargo agents init --agent"), agents);
    assert_eq!(completed("cargo-agents init --agent"), agents);
    assert!(completed("cargo agents").contains("doctor"));
    assert_eq!(completed("cargo build"), "of-cargo\n");
}

#[test]
fn everything_can_be_switched_on_as_well_as_off() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["off", "--all"]).expect(0);
    context.invoke(&["on", "--all"]).expect(0);
    let config = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(config.contains("serde = true") && !config.contains("= false"), "{config}");
}

#[test]
fn checks_are_about_this_directory_unless_another_is_named() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["plugin", "new", "demo", "--path", "."]).expect(0);
    let inside = context.workspace().join("demo");
    for command in [["plugin", "validate"], ["skill", "check"]] {
        let shown = context.invoke_in(&inside, &command);
        assert!(shown.stdout.contains("1 file") || shown.stdout.contains("2 files"), "{command:?} {shown:?}");
    }
}

#[test]
fn a_crate_is_found_by_the_ways_cargo_names_it() {
    let context = with_fixture(&["workspace0"]);
    let by_option = context.invoke(&["crate", "rand", "--version", "0.9"]).expect(0);
    assert_eq!(context.invoke(&["crate", "rand@0.9"]).expect(0), by_option);
    let both = context.invoke(&["crate", "rand@0.9", "--version", "0.8"]);
    assert_eq!(both.code, 2, "{both:?}");
    // Axum is no dependency here, but there are skills for it.
    for (written, meant) in [("tokyo", "tokio"), ("SERDE", "serde"), ("axumm", "axum"), ("Axum", "axum")] {
        let shown = context.invoke(&["crate", written]);
        assert_eq!(shown.code, 1);
        assert!(shown.stderr.contains(&format!("did you mean `{meant}`?")), "{}", shown.stderr);
    }
}

#[test]
fn words_of_other_programs_lead_to_ours() {
    let context = with_fixture(&[]);
    for (word, command) in [
        ("update", "symposium self-update"),
        ("upgrade", "symposium sync --update"),
        ("add", "symposium on"),
        ("enable", "symposium on"),
        ("install", "symposium init"),
        ("remove", "symposium off"),
        ("disable", "symposium off"),
        ("list", "symposium status"),
    ] {
        let shown = context.invoke(&[word]);
        assert_eq!(shown.code, 2, "{word}");
        assert!(shown.stderr.contains("help: ") && shown.stderr.contains(command), "{word}: {}", shown.stderr);
        assert!(!shown.stderr.contains("tip:") && !shown.stderr.contains("similar"), "{word}: {}", shown.stderr);
    }
}

#[test]
fn one_page_of_the_manual_can_be_had() {
    let context = with_fixture(&[]);
    let page = context.invoke(&["man", "sync"]).expect(0);
    assert_eq!(page.matches("\n.TH ").count(), 1, "{page}");
    assert!(page.contains(".TH symposium-sync "), "{page}");
    assert!(context.invoke(&["man", "plugin", "validate"]).expect(0).contains(".TH symposium-plugin-validate "));
    let wrong = context.invoke(&["man", "snc"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("did you mean `sync`?"), "{}", wrong.stderr);
}

#[test]
fn more_is_said_when_it_is_wanted() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let plain = context.invoke(&["status"]).expect(0);
    let more = context.invoke(&["status", "-v"]).expect(0);
    assert!(!plain.contains("matches serde") && more.contains("matches serde"), "{more}");
    let said = context.invoke(&["sync", "-v"]).stderr;
    assert!(said.contains("source `builtin`"), "{said}");
    // Twice: the log of the run, on the spot.
    let log = context.invoke(&["sync", "-vv"]).stderr;
    assert!(log.contains("DEBUG") && log.contains("builtin"), "{log}");
}

#[test]
fn files_of_a_crate_are_asked_for_by_an_option_of_their_own() {
    let context = with_fixture(&["workspace0"]);
    let help = context.invoke(&["crate", "-h"]).expect(0);
    assert!(help.contains("--files"), "{help}");
    let (_, global) = help.split_once("Global options:").unwrap();
    assert!(global.contains("--source ") && global.contains("directory of plugins"), "{help}");
    let by_new = context.invoke(&["crate", "serde", "--files"]);
    assert_eq!(by_new.transcript(), context.invoke(&["crate", "serde", "--source"]).transcript());
}

#[test]
fn advice_is_called_help_and_findings_without_a_line_have_no_gutter() {
    let context = with_fixture(&["workspace0"]);
    std::fs::remove_file(context.workspace().join("Cargo.lock")).unwrap();
    let shown = context.invoke(&["crate", "nom"]);
    assert!(shown.stderr.contains("\nhelp: ") && !shown.stderr.contains("hint:"), "{}", shown.stderr);
    assert!(!shown.stderr.contains("\n |"), "{}", shown.stderr);
    assert!(shown.stderr.contains("help: run `cargo generate-lockfile`"), "{}", shown.stderr);
    let doctor = context.invoke(&["doctor", "--agent", "gemini"]);
    assert!(doctor.stdout.contains("    help: ") && !doctor.stdout.contains("fix:"), "{doctor:?}");
    let panel = context.invoke(&["crat"]).stderr;
    assert!(panel.contains("help: ") && !panel.contains("tip:"), "{panel}");
}

#[test]
fn messages_begin_in_lower_case_like_those_of_cargo() {
    let context = with_fixture(&["workspace0"]);
    let shown = context.invoke(&["plugin", "show", "nothing"]);
    assert!(shown.stderr.starts_with("error: no source has a plugin `nothing`"), "{}", shown.stderr);
    // Names stay what they are, and so does what programs read.
    let named = context.invoke(&["doctor", "claude"]).stdout;
    assert!(named.contains("warning: Claude Code is not configured"), "{named}");
    let document = context.invoke(&["plugin", "show", "nothing", "--json"]).stdout;
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["errors"][0]["message"], "No source has a plugin `nothing`");
}

#[test]
fn a_directory_that_cannot_be_written_is_one_error() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--user", "--yes", "--agent", "claude"]).expect(0);
    std::fs::create_dir_all(context.workspace().join(".claude/skills")).unwrap();
    crate::set_mode(&context.workspace().join(".claude/skills"), 0o555);
    let shown = context.invoke_through(crate::bound_by_modes(&context), &["sync"]);
    crate::set_mode(&context.workspace().join(".claude/skills"), 0o755);
    assert_eq!(shown.code, 3, "{shown:?}");
    assert_eq!(shown.stderr.matches("error: ").count(), 1, "{}", shown.stderr);
    assert!(shown.stderr.contains("(serde, tokio)"), "{}", shown.stderr);
}
