//! The workflows for cargo, with the real cargo: what the model reads of its output, and what it is asked for.

#![expect(clippy::disallowed_methods, reason = "the harness looks into the homes it makes, and for its own cargo")]

use std::path::Path;

use super::{Verdict, ensure};
use crate::Outcome;
use crate::agents::{Act, Scope, Start};
use crate::print;
use crate::world::World;

const TEST: Act = Act::Shell("cargo test --offline");

/// A test that passes, many times, with long names.
fn passing_tests(number: usize) -> String {
    let test =
        |at: usize| format!("    #[test]\n    fn the_shop_sells_what_it_has_and_nothing_else_on_day_{at:04}() {{}}\n");
    (0..number).map(test).collect()
}

const FAILING_TEST: &str =
    "    #[test]\n    fn zucchini() {\n        assert_eq!(super::price(), 42, \"quince\");\n    }\n";

/// Replaces the project by one that needs nothing from elsewhere, and puts the real cargo on PATH.
fn put_project(world: &World, tests: &str) -> Outcome<()> {
    link_cargo(world)?;
    world.put(
        "project/Cargo.toml",
        "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\ndoctest = false\n",
    )?;
    world.put("project/Cargo.lock", "version = 4\n\n[[package]]\nname = \"shop\"\nversion = \"0.1.0\"\n")?;
    let library = "//! A shop.\n\npub fn price() -> u32 {\n    41\n}\n";
    world.put("project/src/lib.rs", &format!("{library}\n#[cfg(test)]\nmod tests {{\n{tests}}}\n"))
}

/// A login shell forgets the PATH it was started with.
pub(super) fn put_profile(world: &World) -> Outcome<()> {
    world.put(".profile", "export PATH=\"$HOME/.local/bin:$PATH\"\n")
}

/// Links the programs of the toolchain that runs this harness into the home.
fn link_cargo(world: &World) -> Outcome<()> {
    put_profile(world)?;
    let cargo = std::env::var_os("CARGO").ok_or("`CARGO` is not set: start the harness with `cargo xtask e2e`")?;
    for name in ["cargo", "rustc", "rustdoc"] {
        let (program, link) = (Path::new(&cargo).with_file_name(name), world.home().join(".local/bin").join(name));
        std::os::unix::fs::symlink(program, link).map_err(|error| format!("linking `{name}`: {error}"))?;
    }
    Ok(())
}

/// What the model reads of a command, without us and with us.
struct ResultPair {
    before: String,
    after: String,
}

fn compare(world: &World, act: Act) -> Outcome<ResultPair> {
    let read = || Ok::<_, String>(world.run("Test it", &[act])?.last()?.results.concat());
    // Agents do not wait for a slow compiler.
    world.run_tool("cargo", &["test", "--offline", "--no-run"])?;
    let before = read()?;
    world.set_up(Scope::User)?;
    let after = read()?;
    Ok(ResultPair { before, after })
}

impl ResultPair {
    fn tell(&self, world: &World, case: &str) {
        let (before, after) = (self.before.len(), self.after.len());
        print::data(&format!("bytes    {:9} {case:40} {before:6} -> {after:6}", world.agent.name));
    }
}

/// The output of a test run that succeeds is short, and has its total.
pub(super) fn short_success(world: &World) -> Outcome<Verdict> {
    put_project(world, &passing_tests(40))?;
    let results = compare(world, TEST)?;
    results.tell(world, "cargo test, passing");
    let ResultPair { before, after } = results;
    ensure(before.contains("40 passed") && before.contains("on_day_0007"), || format!("cargo says {before:.600}"))?;
    ensure(after.contains("40 passed"), || format!("the total is gone: {after:.600}"))?;
    if after.contains("on_day_0007") {
        return Ok(Verdict::Absent("the model reads all that cargo printed".to_owned()));
    }
    Ok(Verdict::Works)
}

/// The output of a test run that fails is short, and has the failure and the total.
pub(super) fn short_failure(world: &World) -> Outcome<Verdict> {
    put_project(world, &format!("{}{FAILING_TEST}", passing_tests(40)))?;
    let results = compare(world, TEST)?;
    results.tell(world, "cargo test, failing");
    ensure_failure(&results.before, 40)?;
    ensure_failure(&results.after, 40)?;
    if results.after.contains("on_day_0007") {
        return Ok(Verdict::Absent("the model reads all that cargo printed".to_owned()));
    }
    Ok(Verdict::Works)
}

fn ensure_failure(text: &str, passed: usize) -> Outcome<()> {
    let parts = ["zucchini", "src/lib.rs:", "quince", &format!("{passed} passed; 1 failed")];
    let lost: Vec<&&str> = parts.iter().filter(|part| !text.contains(**part)).collect();
    ensure(lost.is_empty(), || format!("{lost:?} is missing in {text:.1200}"))
}

/// The shim: a failing run of 60 000 characters is short, with the failure and the total; a pipe gets cargo's own output.
pub(super) fn shim(world: &World) -> Outcome<Verdict> {
    const TESTS: usize = 900;
    put_project(world, &format!("{}{FAILING_TEST}", passing_tests(TESTS)))?;
    world.put(".symposium/config.toml", "[cargo]\nshim = true\n")?;
    let results = compare(world, TEST)?;
    results.tell(world, "cargo test, failing, 60 000, with the shim");
    let count = world.run("Count them", &[Act::Shell("cargo test --offline 2>&1 | grep -c 'on_day_.* ok$'")])?;
    let count = count.last()?.results.concat();
    ensure(count.contains(&TESTS.to_string()), || format!("a pipe gets something else: {count:.600}"))?;
    let says_so = results.after.contains("shortened by symposium");
    if world.agent.name == "claude" {
        ensure(!results.before.contains("passed; 1 failed"), || "the end was never cut off".to_owned())?;
    }
    if !says_so {
        return Ok(Verdict::Absent("the shell runs cargo itself".to_owned()));
    }
    ensure_failure(&results.after, TESTS)?;
    world.symposium("project", &["uninstall", "--all", "--yes"])?;
    let left = world.home().join(".symposium/cache/shim").exists();
    ensure(!left && !world.text(".codex/config.toml").contains("PATH"), || "`uninstall` leaves the shim".to_owned())?;
    ensure_as_before(world, &results.before)
}

/// After `uninstall`, the shell runs cargo itself, and finds no shim.
fn ensure_as_before(world: &World, before: &str) -> Outcome<Verdict> {
    let after = world.run("Test it", &[TEST])?.last()?.results.concat();
    ensure(after.contains("on_day_") && !after.contains("shortened by symposium"), || {
        format!("after `uninstall` the model reads {after:.600}")
    })?;
    let (before, after) = (before.len(), after.len());
    ensure(before.abs_diff(after) < 50, || format!("{before} bytes before, {after} after `uninstall`"))?;
    let place = world.run("Find it", &[Act::Shell("command -v cargo; echo \"$PATH\"")])?.last()?.results.concat();
    ensure(place.contains(".local/bin/cargo") && !place.contains("cache/shim"), || {
        format!("after `uninstall` the shell has {place:.600}")
    })?;
    Ok(Verdict::Works)
}

/// One more turn if nothing was compiled since the last change, none if it was, and never two.
pub(super) fn finish(world: &World) -> Outcome<Verdict> {
    const REQUEST: &str = "No cargo check, clippy, build or test has succeeded since these files were changed";
    put_project(world, "")?;
    world.set_up(Scope::User)?;
    world.symposium("project", &["on", "finish"])?;
    let file = world.path("project/src/more.rs");
    let text = "//! More.\n";
    let plain = world.run("Say something", &[])?.shown.len();
    let changed = world.run("Change something", &[Act::Write { path: &file, text }])?;
    ensure(world.text("project/src/more.rs").contains("More"), || "the file was not written".to_owned())?;
    world.remove("project/src/more.rs")?;
    let acts = [Act::Write { path: &file, text }, Act::Shell("cargo check --offline")];
    let compiled = world.run("Change something and check it", &acts)?;
    let asked = |run: &crate::world::Run| run.last().map(|shown| shown.count(REQUEST));
    ensure(asked(&compiled)? == 0, || "it was asked although it had compiled".to_owned())?;
    ensure(compiled.shown.len() == plain + 2, || format!("{} requests", compiled.shown.len()))?;
    match (asked(&changed)?, changed.shown.len() - plain) {
        (0, 1) => Ok(Verdict::Absent("it stops, and is not asked".to_owned())),
        // Claude Code writes a reason down twice in one request.
        (1 | 2, 2) => Ok(Verdict::Works),
        (times, turns) => Err(format!("it was asked {times} times, and took {turns} more turns")),
    }
}

/// A feature that does not exist is refused before cargo runs, with the reason.
pub(super) fn wrong_feature(world: &World) -> Outcome<Verdict> {
    put_project(world, "")?;
    let line =
        r#"{"name":"gizmo","vers":"1.2.0","deps":[],"cksum":"0","features":{"default":[],"colour":[]},"yanked":false}"#;
    let cache = format!("\u{3}\u{2}\0\0\0etag: x\0{}\0{line}\0", "1.2.0");
    world.put(".cargo/registry/index/index.crates.io-1949cf8c6b5b557f/.cache/gi/zm/gizmo", &cache)?;
    world.set_up(Scope::User)?;
    let acts = [Act::Shell("cargo add --offline gizmo --features color"), Act::Shell("echo gizmo > other.txt")];
    let run = world.run("Add it", &acts)?;
    let last = run.last()?.results.join("\n");
    // Cargo refuses it too, in other words.
    ensure(last.contains("`gizmo` 1.2.0 has no feature `color`"), || format!("the model reads {last:.600}"))?;
    ensure(!world.text("project/Cargo.toml").contains("gizmo"), || "cargo ran all the same".to_owned())?;
    ensure(world.text("project/other.txt").contains("gizmo"), || "another command did not run".to_owned())?;
    Ok(Verdict::Works)
}

/// Programs that only say that they ran; `cargo` fails with some output.
const LOGGED: &str = "#!/bin/sh\necho \"${0##*/} $*\" >> \"$HOME/ran.log\"\n[ \"${0##*/}\" = cargo ] || exit 0\nfor i in 1 2 3 4 5 6 7 8 9; do echo \"   Compiling noise$i v1.0.0\"; done\necho 'error: quince'\nexit 101\n";

/// An `rtk` that would shorten every command.
const RTK: &str = "#!/bin/sh\ncase \"$1\" in\nrewrite) printf 'rtk %s' \"$2\"; exit 3;;\ngain) exit 0;;\n--version) echo 'rtk 0.30.0'; exit 0;;\nesac\nexec \"$@\"\n";

/// The user's rules decide as they do without us: an allowed command runs, a denied one does not, any other is asked about.
pub(super) fn rules(world: &World) -> Outcome<Verdict> {
    for program in ["cargo", "gadget"] {
        world.put_program(&format!(".local/bin/{program}"), LOGGED)?;
    }
    put_profile(world)?;
    put_rules(world)?;
    world.change_start(keep_rules);
    let commands = ["cargo test", "cargo publish", "cargo build", "gadget show", "gadget push", "gadget list"];
    let ran = || {
        let read = world.run("Run something", &commands.map(Act::Shell))?.last()?.results.concat();
        let log = world.text("ran.log");
        drop(std::fs::remove_file(world.home().join("ran.log")));
        // We ask cargo something ourselves.
        let ran = commands.into_iter().filter(|command| log.lines().any(|line| line == *command)).collect();
        Ok::<_, String>(CommandRuns { ran, read })
    };
    let CommandRuns { ran: before, read } = ran()?;
    ensure(read.contains("noise7") && read.contains("quince"), || format!("the model reads {read:.600}"))?;
    world.put_program(".local/bin/rtk", RTK)?;
    world.put(".symposium/config.toml", "[cargo]\nshim = true\n")?;
    world.set_up(Scope::User)?;
    let CommandRuns { ran: after, read } = ran()?;
    print::data(&format!("ran      {:9} {:?}", world.agent.name, before));
    ensure(before == after, || format!("without us: {before:?}, with us: {after:?}"))?;
    if before == commands {
        return Ok(Verdict::Absent("every command runs".to_owned()));
    }
    // Otherwise it would prove nothing that the rules decide as before. The output of Qwen Code cannot be replaced.
    let is_short = !read.contains("noise7") && read.contains("quince");
    ensure(is_short || world.agent.name == "qwen", || format!("nothing was shortened: {read:.600}"))?;
    let kept = std::fs::read_dir(world.home().join(".symposium/cache/cargo")).is_ok_and(|files| files.count() > 0);
    let has_shim = matches!(world.agent.name, "claude" | "codex" | "opencode" | "kilo");
    ensure(kept == has_shim, || format!("the shim ran: {kept}"))?;
    ensure(before.first() == Some(&"cargo test") && !before.contains(&"cargo publish"), || {
        format!("the rules were not read: {before:?}")
    })?;
    ensure(!before.contains(&"gadget push"), || format!("the rules were not read: {before:?}"))?;
    Ok(Verdict::Works)
}

/// The commands that were carried out, and their results.
struct CommandRuns {
    ran: Vec<&'static str>,
    read: String,
}

fn put_rules(world: &World) -> Outcome<()> {
    let rule = |verb: &str, command: &str| match world.agent.name {
        "gemini" => format!(
            "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"{command}\"\ndecision = \"{verb}\"\npriority = 100\n"
        ),
        _ => {
            let words: Vec<String> = command.split(' ').map(|word| format!("\"{word}\"")).collect();
            let decision = if verb == "allow" { "allow" } else { "forbidden" };
            format!("prefix_rule(pattern=[{}], decision=\"{decision}\")\n", words.join(","))
        }
    };
    let all = [rule("allow", "cargo test"), rule("allow", "gadget show"), rule("deny", "cargo publish")].concat()
        + &rule("deny", "gadget push");
    match world.agent.name {
        "claude" => world.put(
            ".claude/settings.json",
            r#"{"permissions": {"allow": ["Bash(cargo test:*)", "Bash(gadget show:*)"], "deny": ["Bash(cargo publish:*)", "Bash(gadget push:*)"]}}"#,
        ),
        "qwen" => world.put(
            ".qwen/settings.json",
            r#"{"$version": 4, "permissions": {"allow": ["run_shell_command(cargo test *)", "run_shell_command(gadget show *)"], "deny": ["run_shell_command(cargo publish *)", "run_shell_command(gadget push *)"]}}"#,
        ),
        "gemini" => world.put(".gemini/policies/mine.toml", &all),
        "codex" => world.put(".codex/rules/default.rules", &all),
        "opencode" | "kilo" => world.put(
            &format!(".config/{0}/{0}.json", world.agent.name),
            r#"{"permission": {"bash": {"*": "deny", "cargo test*": "allow", "gadget show*": "allow"}}}"#,
        ),
        _ => Ok(()),
    }
}

/// Starts an agent so that its rules count.
pub(super) fn keep_rules(start: &mut Start) {
    start.arguments.retain(|argument| argument != "--auto" && argument != "--allow-all-tools");
    start.environment.retain(|(name, _)| *name != "COPILOT_ALLOW_ALL");
    for argument in &mut start.arguments {
        if argument == "bypassPermissions" || argument == "yolo" {
            "default".clone_into(argument);
        }
    }
    if start.environment.iter().any(|(name, _)| *name == "COPILOT_MODEL") {
        for (option, rule) in [
            ("--allow-tool", "shell(cargo test)"),
            ("--allow-tool", "shell(gadget show)"),
            ("--deny-tool", "shell(cargo publish)"),
            ("--deny-tool", "shell(gadget push)"),
        ] {
            start.arguments.extend([option.to_owned(), rule.to_owned()]);
        }
    }
}
