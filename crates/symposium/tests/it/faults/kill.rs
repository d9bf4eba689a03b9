//! Killed at a random moment, or right before any system call that changes something.

use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

use super::calls::{CHANGES, PAIRS};
use super::world::{AGENTS, World};
use super::{Random, asked, can_trace, ends, report, seed, wanted};

/// What people and agents run, most of it writing.
const COMMANDS: [&[&str]; 9] = [
    &["uninstall", "--yes"],
    &AGENTS,
    &["off", "serde"],
    &["sync"],
    &["hook", "claude", "session-start"],
    &["on", "serde"],
    &["hook", "claude", "pre-tool-use"],
    &["trust", "--yes"],
    &["uninstall", "--yes", "--project"],
];

#[test]
fn killed_at_random_moments_nothing_is_lost() {
    let world = World::new();
    let mut random = Random(seed());
    let wanted = wanted(50);
    let durations: Vec<Duration> = COMMANDS
        .iter()
        .map(|args| {
            let started = Instant::now();
            ends(world.start(&[], args), &args.join(" "));
            started.elapsed()
        })
        .collect();
    let (mut killed, mut round) = (0, 0);
    while killed < wanted {
        round += 1;
        assert!(round < wanted * 20, "only {killed} of {round} runs could be killed");
        let choice = random.below(COMMANDS.len());
        let args = COMMANDS[choice];
        world.teaches_anew();
        let mut child = world.start(&[], args);
        std::thread::sleep(durations[choice] * u32::try_from(random.below(1000)).unwrap() / 1000);
        let _ = child.kill();
        let what = format!("round {round}, {}", args.join(" "));
        killed += usize::from(ends(child, &what).signal() == Some(9));
        world.is_whole(&what);
        if round % 40 == 0 {
            world.recovers(&what);
        }
    }
    world.recovers("at the end");
    report("SIGKILL at a random moment", killed);
}

#[test]
fn killed_before_any_change_nothing_is_lost() {
    if !can_trace() {
        return;
    }
    let world = World::new();
    let mut random = Random(seed());
    let mut killed = 0;
    for call in CHANGES {
        for (args, before) in PAIRS {
            for n in 1..1_000 {
                // All of them in the long suite, else some that differ from run to run.
                if asked().is_none() && random.below(6) > 0 {
                    if n > 12 {
                        break;
                    }
                    continue;
                }
                let inject = format!("inject={call}:signal=KILL:when={n}");
                let what = format!("{} killed before {call} number {n}", args.join(" "));
                let traced = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject];
                world.teaches_anew();
                world.context.invoke(before).expect(0);
                world.teaches_anew();
                let status = ends(world.start(&traced, args), &what);
                world.is_whole(&what);
                if status.signal() != Some(9) {
                    break;
                }
                killed += 1;
            }
        }
        world.recovers(call);
    }
    report("SIGKILL before a system call", killed);
}

/// Where files cannot be exchanged one of them is away for a moment, in which a run may be killed: the next command that
/// looks for it puts it back.
#[test]
fn killed_where_files_cannot_be_exchanged_nothing_is_lost() {
    if !can_trace() {
        return;
    }
    let world = World::new();
    let mut random = Random(seed());
    let mut killed = 0;
    for call in ["rename", "linkat", "unlink"] {
        for (args, before) in PAIRS {
            for n in 1..1_000 {
                // Before a link the file is away, so more of those.
                if asked().is_none() && random.below(if call == "linkat" { 3 } else { 8 }) > 0 {
                    if n > 24 {
                        break;
                    }
                    continue;
                }
                let trace = format!("trace={call},renameat2");
                let kill = format!("inject={call}:signal=KILL:when={n}");
                let what = format!("{} killed before {call} number {n}, without exchange", args.join(" "));
                let no_exchange = "inject=renameat2:error=EINVAL";
                let traced = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", no_exchange, "-e", &kill];
                world.context.invoke(before).expect(0);
                let status = ends(world.start(&traced, args), &what);
                let next = world.context.invoke(&["sync", "--check"]);
                assert!(matches!(next.code, 0 | 1), "{what}: {next:?}");
                world.is_whole(&what);
                if status.signal() != Some(9) {
                    break;
                }
                killed += 1;
            }
        }
        world.recovers(call);
    }
    report("SIGKILL where files cannot be exchanged", killed);
}

/// Whatever is there after a kill, the old text or the new one, the next text takes its place.
#[test]
fn a_skill_whose_update_was_killed_is_still_ours() {
    if !can_trace() {
        return;
    }
    let world = World::new();
    let mut killed = 0;
    for call in ["rename", "renameat", "renameat2", "fsync", "unlink", "unlinkat", "rmdir"] {
        for n in 1..1_000 {
            let inject = format!("inject={call}:signal=KILL:when={n}");
            let what = format!("sync killed before {call} number {n}");
            let traced = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject];
            world.teaches_anew();
            let status = ends(world.start(&traced, &["sync"]), &what);
            world.teaches_anew();
            let output = world.context.invoke(&["sync"]);
            assert_eq!((output.code, output.stderr.contains("edited")), (0, false), "{what}: {output:?}");
            assert!(world.taught().contains(&world.lesson()), "{what}: {}", world.taught());
            if status.signal() != Some(9) {
                break;
            }
            killed += 1;
        }
    }
    world.recovers("at the end");
    report("SIGKILL while a skill is replaced", killed);
}
