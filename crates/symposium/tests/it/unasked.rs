//! What nobody is asked: not cargo about dependencies, and no server once both things that are asked for are switched off.

use symposium_testkit::TestContext;

use crate::faults::can_trace;
use crate::{set_mode, with_fixture};

const COMMANDS: [&[&str]; 11] = [
    &["init", "--yes", "--agent", "claude"],
    &["sync"],
    &["sync", "--check"],
    &["status"],
    &["start"],
    &["crate", "--list"],
    &["crate", "serde"],
    &["why", "serde"],
    &["plugin", "list"],
    &["hook", "list"],
    &["doctor"],
];

const EVENTS: [&str; 4] = ["session-start", "user-prompt-submit", "pre-tool-use", "post-tool-use"];

#[test]
fn cargo_is_never_started_to_learn_about_dependencies() {
    let mut context = with_fixture(&["plugins0", "workspace0"]);
    let (bin, seen) = (context.root().join("stand-in"), context.root().join("started"));
    std::fs::create_dir_all(&bin).unwrap();
    for name in ["cargo", "rustc", "rustup"] {
        std::fs::write(bin.join(name), format!("#!/bin/sh\necho \"$0 $*\" >> {}\n", seen.display())).unwrap();
        set_mode(&bin.join(name), 0o755);
    }
    context.set("PATH", &format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()));
    context.set("CARGO", bin.join("cargo").to_str().unwrap());
    let started = || std::fs::read_to_string(&seen).unwrap_or_default();
    for args in COMMANDS {
        context.invoke(args).expect(0);
        assert_eq!(started(), "", "{args:?}");
    }
    for event in EVENTS {
        context.invoke_hook("claude", event, "{}").expect(0);
        assert_eq!(started(), "", "{event}");
    }
    // It would have been noticed.
    context.invoke_through(&["cargo"], &[]).expect(0);
    assert!(started().contains("stand-in/cargo"), "{}", started());
}

/// The connections that a command, or anything it starts, opens to other machines or tries to.
fn connections(context: &TestContext, args: &[&str]) -> Vec<String> {
    let log = context.root().join("strace.log");
    let traced = format!("echo '{{}}' | strace -f -qq -o {} -e trace=connect,sendto,sendmsg \"$@\"", log.display());
    let output = context.invoke_through(&["sh", "-c", &traced, "sh"], args);
    assert!([0, 3].contains(&output.code), "{args:?}: {output:?}");
    let text = std::fs::read_to_string(log).unwrap();
    text.lines().filter(|line| line.contains("AF_INET")).map(str::to_owned).collect()
}

#[test]
fn no_server_hears_of_us_when_news_and_sources_are_off() {
    if !can_trace() {
        return;
    }
    let mut context = with_fixture(&["plugins0", "workspace0"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    let off = "[agent]\nname = \"claude\"\n[defaults]\nsymposium-recommendations = false\n[update]\nnotice = false\n";
    context.write_config("config.toml", off);
    let home = context.config_dir().display().to_string();
    let events = EVENTS.map(|event| ["hook", "claude", event, "--home", &home]);
    for args in COMMANDS.into_iter().chain(events.iter().map(<[&str; 5]>::as_slice)) {
        assert_eq!(connections(&context, args), [""; 0], "{args:?}");
    }
    // It would have been noticed.
    let source = "[[plugin-source]]\nname = \"team\"\ngit = \"https://127.0.0.1:9/plugins\"\n";
    context.write_config("config.toml", format!("{off}{source}"));
    for args in [&["hook", "claude", "session-start", "--home", &home][..], &["sync"]] {
        assert_ne!(connections(&context, args), [""; 0], "{args:?}");
    }
}
