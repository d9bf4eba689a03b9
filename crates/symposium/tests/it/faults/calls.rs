//! Any system call that changes something may fail, with any error: the file is the old one or the new one.

use super::world::{AGENTS, World};
use super::{Random, asked, can_trace, ends, report, seed};

/// Counted each by itself: the n-th `write`, the n-th `fsync`.
pub(super) const CHANGES: [&str; 13] = [
    "write",
    "rename",
    "renameat",
    "renameat2",
    "linkat",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "mkdirat",
    "fsync",
    "fchmod",
    "fchown",
];
const ERRORS: [&str; 8] = ["EIO", "ENOSPC", "EDQUOT", "EINTR", "EXDEV", "EACCES", "EROFS", "ENOMEM"];

/// What changes much, and what makes sure that there is as much to change again.
pub(super) const PAIRS: [(&[&str], &[&str]); 5] = [
    (&["uninstall", "--yes"], &AGENTS),
    (&AGENTS, &["uninstall", "--yes"]),
    (&["off", "serde"], &["on", "serde"]),
    (&["on", "serde"], &["off", "serde"]),
    // A skill has another text each time.
    (&["sync"], &["sync"]),
];

/// W14, W15: the n-th call fails, for n from the first to the last.
#[test]
fn w14_any_call_may_fail() {
    if !can_trace() {
        return;
    }
    let world = World::new();
    let mut random = Random(seed());
    let (mut failed, mut tried) = (0, 0);
    for (args, before) in PAIRS {
        for call in CHANGES {
            for n in 1..1_000 {
                // All of them in the long suite, else some that differ from run to run.
                if asked().is_none() && random.below(6) > 0 {
                    if n > 12 {
                        break;
                    }
                    continue;
                }
                tried += 1;
                world.teaches_anew();
                world.context.invoke(before).expect(0);
                world.teaches_anew();
                if !fails(&world, args, call, ERRORS[tried % ERRORS.len()], n) {
                    break;
                }
                failed += 1;
            }
        }
        world.recovers(&args.join(" "));
    }
    report("an error from a system call that changes something", failed);
}

/// A hook answers with exit 0 whatever fails, also while it opens and reads files.
#[test]
fn a_hook_answers_whatever_call_fails() {
    if !can_trace() {
        return;
    }
    let world = World::new();
    let mut random = Random(seed());
    let (mut failed, mut tried) = (0, 0);
    let calls = [
        "open",
        "openat",
        "read",
        "ppoll",
        "fcntl",
        "newfstatat",
        "fstat",
        "statx",
        "lseek",
        "getdents64",
        "pipe2",
        "clone3",
        "vfork",
        "flock",
        "write",
        "rename",
        "renameat2",
        "mkdir",
        "unlink",
        "kill",
        "waitid",
        "getcwd",
        "readlink",
    ];
    // Last the work that a sync starts in the background.
    for args in [
        &["hook", "claude", "pre-tool-use"][..],
        &["hook", "claude", "session-start"],
        &["hook", "claude", "user-prompt-submit"],
        &["hook", "index"],
    ] {
        for call in calls {
            // Without its libraries there is no program that could answer.
            let loader = calls_of_loader(&world, args, call);
            for n in loader + 1..loader + 1_000 {
                if asked().is_none() && random.below(5) > 0 {
                    if n > loader + 12 {
                        break;
                    }
                    continue;
                }
                tried += 1;
                if !fails(&world, args, call, ERRORS[tried % ERRORS.len()], n) {
                    break;
                }
                failed += 1;
            }
        }
    }
    world.recovers("at the end");
    report("an error from any call of a hook", failed);
}

/// A signal may come while the end of a handler, or the rest of its answer, is waited for.
#[test]
fn a_deny_outlives_every_interrupted_call() {
    if !can_trace() {
        return;
    }
    let world = World::new();
    let payload = world.context.root().join("event.json");
    std::fs::write(&payload, world.event()).unwrap();
    let line = format!("exec \"$@\" hook claude pre-tool-use < '{}'", payload.display());
    let log = world.context.root().join("strace.log");
    let log = log.to_str().unwrap();
    // The first answer compiles the plan.
    world.context.invoke_hook("claude", "pre-tool-use", &world.event()).expect(0);
    let mut injected = 0;
    for call in ["waitid", "wait4", "read", "ppoll", "write"] {
        for n in 1..40 {
            let inject = format!("inject={call}:error=EINTR:when={n}");
            let traced = ["strace", "-qq", "-o", log, "-e", &format!("trace={call}"), "-e", &inject];
            let output = world.context.invoke_through(&[&traced[..], &["sh", "-c", &line, "sh"]].concat(), &[]);
            if !std::fs::read_to_string(log).unwrap_or_default().contains("(INJECTED)") {
                break;
            }
            // What interrupts the loading of a program, or another one's standard output, is not for us to mend.
            if output.code == 127 {
                continue;
            }
            injected += 1;
            assert_eq!(output.code, 0, "{call} number {n}: {output:?}");
            assert!(output.stdout.contains("\"deny\""), "{call} number {n}: the guard's no is lost: {output:?}");
        }
    }
    report("a call of a hook interrupted by a signal", injected);
}

/// How many calls of a kind there are before the program itself begins, which first of all looks at its standard streams.
pub(super) fn calls_of_loader(world: &World, args: &[&str], call: &str) -> usize {
    let log = world.context.root().join("strace.log");
    let shown = log.to_str().unwrap();
    let traced = ["strace", "-qq", "-o", shown, "-e", &format!("trace={call},poll")];
    ends(world.start(&traced, args), &args.join(" "));
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(log).unwrap();
    let (before, _) = text.split_once("poll(").expect("the program begins by looking at its streams");
    before.lines().count()
}

/// Runs a command whose `n`-th call of this kind fails. Whether it came that far.
#[track_caller]
pub(super) fn fails(world: &World, args: &[&str], call: &str, error: &str, n: usize) -> bool {
    let log = world.context.root().join("strace.log");
    let log = log.to_str().unwrap();
    let inject = format!("inject={call}:error={error}:when={n}");
    let what = format!("{} with {error} from {call} number {n}", args.join(" "));
    let traced = ["strace", "-f", "-qq", "-o", log, "-e", &format!("trace={call}"), "-e", &inject];
    let status = ends(world.start(&traced, args), &what);
    let injected = std::fs::read_to_string(log).unwrap_or_default().contains("(INJECTED)");
    let _ = std::fs::remove_file(log);
    let allowed: &[i32] = if args[0] == "hook" { &[0] } else { &[0, 1, 3] };
    assert!(status.code().is_some_and(|code| allowed.contains(&code)), "{what}: {status}");
    world.is_whole(&what);
    injected
}
