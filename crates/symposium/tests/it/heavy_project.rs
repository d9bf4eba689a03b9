//! Whatever a project contains, the user's own policies answer within the limits, on the first event.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;
use symposium_testkit::TestContext;

use crate::policy::{POLICY, forced_push, is_denied, with_policy};

/// What an agent waits for at most: our own deadline, and something for a busy machine.
const LIMIT: Duration = Duration::from_secs(9);

fn write(path: &Path, text: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn own_source(context: &TestContext) {
    write(
        &context.workspace().join(".symposium/config.toml"),
        "[[plugin-source]]\nname = \"own\"\npath = \"plugins\"\n",
    );
}

/// Three events, the first without any plan.
#[track_caller]
fn holds(context: &TestContext, what: &str) {
    for round in 0..3 {
        let start = Instant::now();
        let output = context.invoke_hook("claude", "pre-tool-use", &forced_push(context));
        let took = start.elapsed();
        assert!(is_denied(&output), "{what}, event {round}: {output:?} after {took:?}");
        assert!(took < LIMIT, "{what}, event {round}: {took:?}");
    }
}

/// Plugins that nobody granted, each of which names two large files of the workspace.
#[test]
fn files_that_nobody_granted_are_not_read() {
    let context = with_policy();
    own_source(&context);
    let plugins = context.workspace().join("plugins");
    for file in ["a.bin", "b.bin"] {
        write(&context.workspace().join(file), vec![0; 8 * 1024 * 1024]);
    }
    for number in 0..400 {
        let manifest = format!(
            "name = \"p{number}\"\n[[hooks]]\nname = \"h\"\nevent = \"PreToolUse\"\n\
             command = \"sh $SYMPOSIUM_WORKSPACE/a.bin $SYMPOSIUM_WORKSPACE/b.bin\"\n"
        );
        write(&plugins.join(format!("p{number}/symposium.toml")), manifest);
    }
    holds(&context, "two large files");
}

#[test]
fn very_many_plugins_cost_no_policy_its_say() {
    for (plugins, hooks) in [(4000, 1), (1500, 8)] {
        let context = with_policy();
        own_source(&context);
        let mut of_one = String::new();
        for hook in 0..hooks {
            write!(
                of_one,
                "[[hooks]]\nname = \"h{hook}\"\nevent = \"PreToolUse\"\nmatcher = \"B.*{hook}\"\ncommand = \"true\"\n"
            )
            .unwrap();
        }
        for number in 0..plugins {
            let path = context.workspace().join(format!("plugins/p{number}/symposium.toml"));
            write(&path, format!("name = \"p{number}\"\n{of_one}"));
        }
        holds(&context, &format!("{plugins} plugins of {hooks} hooks"));
        let start = json!({"session_id": "s", "cwd": context.workspace(), "source": "startup"});
        let said = context.invoke_hook("claude", "session-start", &start.to_string()).expect(0);
        assert!(said.contains("this project"), "what is left out is said: {said}");
    }
}

#[test]
fn very_many_members_and_packages_cost_no_policy_its_say() {
    let context = with_policy();
    let mut members = "[workspace]\nmembers = [\"m/*\"]\n".to_owned();
    for number in 0..30_000 {
        let manifest = format!("[package]\nname = \"m{number}\"\nversion = \"1.0.0\"\n[dependencies]\nserde = \"1\"\n");
        write(&context.workspace().join(format!("m/m{number}/Cargo.toml")), manifest);
    }
    for number in 0..20_000 {
        writeln!(members, "# {number}").unwrap();
    }
    write(&context.workspace().join("Cargo.toml"), members);
    holds(&context, "members");
    let mut lock = "version = 4\n".to_owned();
    for number in 0..60_000 {
        write!(lock, "[[package]]\nname = \"p{number}\"\nversion = \"1.0.0\"\ndependencies = [\"p1\", \"p2\"]\n\n")
            .unwrap();
    }
    write(&context.workspace().join("Cargo.lock"), lock);
    holds(&context, "members and packages");
}

#[test]
fn a_configuration_full_of_sources_costs_no_policy_its_say() {
    let context = with_policy();
    let mut config = String::new();
    for number in 0..16_000 {
        write!(config, "[[plugin-source]]\nname = \"s{number}\"\npath = \"plugins\"\n").unwrap();
    }
    for number in 0..200 {
        let skill = format!("---\nname: s{number}\ndescription: d\n---\ntext\n");
        write(&context.workspace().join(format!("plugins/s{number}/SKILL.md")), skill);
    }
    write(&context.workspace().join(".symposium/config.toml"), config);
    holds(&context, "sources");
}

#[test]
fn deep_and_wide_directories_cost_no_policy_its_say() {
    let context = with_policy();
    own_source(&context);
    let mut deep = context.workspace().join("plugins");
    for _ in 0..200 {
        deep.push("d".repeat(15));
    }
    std::fs::create_dir_all(&deep).unwrap();
    for number in 0..6000 {
        let skill = format!("---\nname: s{number}\ndescription: d\n---\n{}\n", "text ".repeat(200));
        write(&context.workspace().join(format!("plugins/w{}/s{number}/SKILL.md", number % 7)), skill);
    }
    write(
        &context.workspace().join("plugins/g/symposium.toml"),
        "name = \"g\"\n[[skills]]\nsource.path = \"..\"\n[[skills]]\nsource.path = \"../w1\"\n",
    );
    holds(&context, "directories");
    // The event may come from the depth of it.
    let event = json!({"session_id": "s", "cwd": deep, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "git push --force"}});
    let output = context.invoke_hook("claude", "pre-tool-use", &event.to_string());
    assert!(is_denied(&output), "{output:?}");
}

/// A project that cannot be compiled in time, whatever the reason: here it is read from a disk that does not answer.
#[cfg(target_os = "linux")]
mod slow {
    use super::*;

    /// Delays every opening of this file by ten seconds.
    fn slowly(context: &TestContext, file: &str, event: &str, payload: &str) -> Option<symposium_testkit::Output> {
        if !crate::faults::can_trace() {
            return None;
        }
        let path = context.workspace().join(file);
        let input = context.root().join("event.json");
        write(&input, payload);
        let line = format!("exec \"$@\" hook claude {event} < '{}'", input.display());
        let path = path.display().to_string();
        let through = [
            "strace",
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-P",
            &path,
            "-e",
            "trace=open,openat",
            "-e",
            "inject=open,openat:delay_enter=10000000",
            "sh",
            "-c",
            &line,
            "sh",
        ];
        Some(context.invoke_through(&through, &[]))
    }

    /// How long the last event took by its own account: `strace` waits for what goes on in the background, too.
    fn took(context: &TestContext) -> Duration {
        let log = std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap();
        let line: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
        Duration::from_millis(line["ms"].as_u64().unwrap())
    }

    #[test]
    fn a_project_that_cannot_be_read_in_time_costs_no_policy_its_say() {
        let context = with_policy();
        // Whether this one applies is not known without the project, so it is asked.
        let with_crate = POLICY
            .replace("name = \"policy\"\n", "name = \"conditional\"\ncrates = [\"serde\"]\n")
            .replace("./check.sh", "sh -c 'echo CONDITIONAL >&2; exit 2'");
        context.write_config("plugins/conditional/symposium.toml", with_crate);
        for (file, event) in
            [("Cargo.toml", "pre-tool-use"), ("Cargo.lock", "pre-tool-use"), (".symposium/config.toml", "pre-tool-use")]
        {
            let _ = std::fs::remove_dir_all(context.config_dir().join("cache/plans"));
            if file.starts_with(".symposium") {
                context.write(file, "");
            }
            let Some(output) = slowly(&context, file, event, &forced_push(&context)) else { return };
            let took = took(&context);
            assert!(is_denied(&output) || output.stdout.contains("CONDITIONAL"), "{file}: {output:?}");
            assert!(took < LIMIT, "{file}: {took:?}");
            let log = std::fs::read_to_string(context.config_dir().join("logs/hooks.jsonl")).unwrap();
            assert!(log.contains("longer than 2 s") && log.contains("Only the user's own hooks"), "{file}: {log}");
            std::fs::remove_file(context.config_dir().join("logs/hooks.jsonl")).unwrap();
        }
        // Both say no when both are asked; the first one ends it. Without the first the other is heard.
        std::fs::remove_dir_all(context.config_dir().join("plugins/policy")).unwrap();
        let _ = std::fs::remove_dir_all(context.config_dir().join("cache/plans"));
        let output = slowly(&context, "Cargo.toml", "pre-tool-use", &forced_push(&context)).unwrap();
        assert!(output.stdout.contains("CONDITIONAL"), "{output:?}");
    }

    /// A plan from before the user had a policy is not all there is to go by.
    #[test]
    fn an_old_plan_costs_no_newer_policy_its_say() {
        let context = with_policy();
        let plugins = context.config_dir().join("plugins");
        let aside = context.config_dir().join("aside");
        let takes_away = || std::fs::rename(plugins.join("policy"), &aside).unwrap();
        let gives_back = || {
            std::fs::rename(&aside, plugins.join("policy")).unwrap();
            context.settle();
        };
        takes_away();
        context.settle();
        let output = context.invoke_hook("claude", "pre-tool-use", &forced_push(&context));
        assert_eq!((output.code, output.stdout.as_str()), (0, ""));
        gives_back();
        let Some(output) = slowly(&context, "Cargo.toml", "pre-tool-use", &forced_push(&context)) else { return };
        assert!(is_denied(&output), "{output:?}");
        // Nor is one that stays because the project's configuration cannot be understood.
        takes_away();
        context.settle();
        context.invoke_hook("claude", "pre-tool-use", &forced_push(&context)).expect(0);
        context.write(".symposium/config.toml", "this is no TOML [[[");
        gives_back();
        let output = context.invoke_hook("claude", "pre-tool-use", &forced_push(&context));
        assert!(is_denied(&output), "{output:?}");
    }

    #[test]
    fn a_session_is_told_that_the_project_could_not_be_read() {
        let context = with_policy();
        let start = json!({"session_id": "s", "cwd": context.workspace(), "source": "startup"});
        let Some(output) = slowly(&context, "Cargo.toml", "session-start", &start.to_string()) else { return };
        assert!(output.stdout.contains("could not be compiled"), "{output:?}");
        assert!(took(&context) < LIMIT, "{:?}", took(&context));
    }
}
