//! Thirty-two processes at once, doing everything there is to do, beside a program that tears files.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::world::{AGENTS, World};
use super::{Random, asked, ends, report, seed};

const MIX: [&[&str]; 11] = [
    &["sync"],
    &["hook", "claude", "pre-tool-use"],
    &["off", "serde"],
    &["on", "serde"],
    &["hook", "gemini", "session-start"],
    &["trust", "--yes"],
    &AGENTS,
    &["hook", "codex", "user-prompt-submit"],
    &["uninstall", "--yes"],
    &["hook", "claude", "session-start"],
    &["status"],
];

#[test]
fn thirty_two_at_once_end_in_a_state_of_one_of_them() {
    let world = World::new();
    let mut random = Random(seed());
    let rounds = asked().map_or(2, |wanted| wanted.div_ceil(32));
    for round in 0..rounds {
        let children: Vec<_> = (0..32)
            .map(|_| MIX[random.below(MIX.len())])
            .map(|args| (world.start(&[], args), format!("round {round}, {}", args.join(" "))))
            .collect();
        for (child, what) in children {
            let status = ends(child, &what);
            let allowed: &[i32] = if what.contains("hook ") { &[0] } else { &[0, 1, 3] };
            assert!(status.code().is_some_and(|code| allowed.contains(&code)), "{what}: {status}");
        }
        world.is_whole(&format!("round {round}"));
        world.recovers(&format!("round {round}"));
    }
    report("processes that run at the same time, 32 each round", rounds * 32);
}

/// Another program truncates the settings and writes them anew in pieces, as some do: what it wrote last is never lost,
/// and what is half written is never taken for a whole.
#[test]
fn torn_writes_of_another_program_are_waited_out_or_left() {
    let world = World::new();
    let settings = world.context.root().join("home/.claude/settings.json");
    let mut random = Random(seed());
    let rounds = asked().map_or(12, |wanted| wanted.div_ceil(8));
    let done = AtomicBool::new(false);
    let torn = std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let mut torn = 0_usize;
            while !done.load(Ordering::Relaxed) {
                let text = format!(
                    "{{\n  \"permissions\": {{ \"deny\": [\"Bash(rm *)\"] }},\n  \"n\": 12345678901234567890,\n  \"round\": {torn}\n}}\n"
                );
                let (first, second) = text.split_at(text.len() / 2);
                std::fs::write(&settings, first).unwrap();
                std::thread::sleep(Duration::from_millis(2));
                // Not appended: this program writes at the place it stopped at, whatever happened meanwhile.
                let now = std::fs::read_to_string(&settings).unwrap();
                assert!(now == first || now.contains("symposium"), "what another program wrote was changed:\n{now}");
                std::fs::write(&settings, [first, second].concat()).unwrap();
                torn += 1;
                std::thread::sleep(Duration::from_millis(4));
            }
            torn
        });
        for round in 0..rounds {
            let args = [&["sync"][..], &AGENTS, &["hook", "claude", "session-start"]][random.below(3)];
            let what = format!("round {round}, {}", args.join(" "));
            let status = ends(world.start(&[], args), &what);
            assert!(matches!(status.code(), Some(0 | 1 | 3)), "{what}: {status}");
        }
        done.store(true, Ordering::Relaxed);
        other.join().unwrap()
    });
    world.is_kept("after torn writes");
    let text = std::fs::read_to_string(&settings).unwrap();
    assert!(text.contains(&format!("\"round\": {}", torn - 1)), "what it wrote last is there:\n{text}");
    assert_eq!(world.context.invoke(&["sync"]).code, 0);
    world.is_kept("once it is quiet");
    report("torn writes of another program", torn);
}
