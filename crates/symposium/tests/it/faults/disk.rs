//! A disk that is full, a home that cannot be written, files that cannot be read, no home at all.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use super::world::{AGENTS, World};
use super::{Random, asked, ends, report, seed, wanted};
use crate::{bound_by_modes, set_mode};

/// A user that no system knows.
const NOBODY: u32 = 54_321;

const COMMANDS: [&[&str]; 6] = [
    &["uninstall", "--yes"],
    &AGENTS,
    &["off", "serde"],
    &["hook", "claude", "session-start"],
    &["on", "serde"],
    &["hook", "claude", "pre-tool-use"],
];

#[track_caller]
fn survives(world: &World, through: &[&str], args: &[&str], what: &str) {
    let status = ends(world.start(through, args), what);
    let allowed: &[i32] = match args[0] {
        // The guard's own deny is an answer with exit 0 for this agent.
        "hook" => &[0],
        _ => &[0, 1, 3],
    };
    assert!(status.code().is_some_and(|code| allowed.contains(&code)), "{what}: {status}");
    world.is_whole(what);
}

/// No file may grow beyond some size: every write fails somewhere, in the middle of a file too.
#[test]
fn no_room_at_any_size() {
    let world = World::new();
    let mut random = Random(seed());
    let wanted = wanted(24);
    for round in 0..wanted {
        let args = COMMANDS[round % COMMANDS.len()];
        // In blocks of 512 bytes.
        let blocks = random.below(24);
        let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        survives(
            &world,
            &["sh", "-c", &limit, "sh"],
            args,
            &format!("{} with room for {blocks} blocks", args.join(" ")),
        );
        if round % 30 == 29 {
            world.recovers("after a full disk");
        }
    }
    world.recovers("after a full disk");
    report("no room for a file (RLIMIT_FSIZE)", wanted);
}

/// A disk that is really full: a small file system in memory, filled to the last block. Only the superuser can make one.
#[test]
fn a_disk_that_is_really_full() {
    let script = "mount -t tmpfs -o size=2m none \"$1\" && exec sleep 0";
    let probe = tempfile::tempdir().unwrap();
    let mounts = Command::new("unshare").args(["-m", "sh", "-c", script, "sh"]).arg(probe.path()).output();
    if !mounts.is_ok_and(|output| output.status.success()) {
        println!("skipped: no file system can be mounted here");
        return;
    }
    // In a mount namespace of its own: the home on a small file system, filled up, then the command.
    let script = r#"
        set -e
        root=$1 room=$2; shift 2
        cp -a "$root/home" "$root/copy"
        mount -t tmpfs -o size=3m none "$root/home"
        cp -a "$root/copy/." "$root/home"
        rm -rf "$root/copy"
        dd if=/dev/zero of="$root/home/filler" bs=4k 2>/dev/null || true
        [ "$room" = 0 ] || dd if=/dev/zero of="$root/home/filler" bs=4k count="$(( $(stat -c %s "$root/home/filler") / 4096 - room ))" 2>/dev/null
        code=0; "$@" </dev/null >/dev/null 2>&1 || code=$?
        rm "$root/home/filler"
        for file in .claude/settings.json .codex/config.toml .gemini/settings.json; do cat "$root/home/$file"; printf '\0'; done
        exit $code
    "#;
    let world = World::new();
    let root = world.context.root().to_str().unwrap().to_owned();
    let text = |path: &str| std::fs::read_to_string(Path::new(&root).join("home").join(path)).unwrap();
    let state = || [".claude/settings.json", ".codex/config.toml", ".gemini/settings.json"].map(text);
    let registered = state();
    world.context.invoke(&["uninstall", "--yes"]).expect(0);
    let original = state();
    let rooms = if asked().is_some() { (0..60).collect() } else { vec![0, 2, 5, 9] };
    let mut injected = 0;
    for (args, set_up) in [(&AGENTS[..], false), (&["uninstall", "--yes"][..], true)] {
        if set_up {
            world.context.invoke(&AGENTS).expect(0);
        }
        for room in &rooms {
            let output = Command::new("unshare")
                .args(["-m", "sh", "-c", script, "sh", &root, &room.to_string(), env!("CARGO_BIN_EXE_symposium")])
                .args(args)
                .current_dir(world.context.workspace())
                .env("HOME", Path::new(&root).join("home"))
                .env("SYMPOSIUM_HOME", world.context.config_dir())
                .env("SYMPOSIUM_OFFLINE", "1")
                .output()
                .unwrap();
            let what = format!("{} with {room} blocks of room", args.join(" "));
            assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{what}: {output:?}");
            let shown = String::from_utf8(output.stdout).unwrap();
            let shown: Vec<&str> = shown.split_terminator('\0').collect();
            assert_eq!(shown.len(), original.len(), "{what}: {shown:?}");
            // Each file by itself is the old one or the new one.
            for (index, text) in shown.iter().enumerate() {
                let known = [&original[index], &registered[index]];
                assert!(known.contains(&&(*text).to_owned()), "{what}: a torn file:\n{text}");
            }
            injected += 1;
        }
    }
    report("a file system without room (ENOSPC)", injected);
}

/// Directories and files that may not be written, or not even read.
#[test]
fn what_may_not_be_touched_is_named_and_left() {
    let world = World::new();
    let places = [
        ("home", 0o555),
        ("home/.claude", 0o555),
        ("home/.claude", 0o000),
        ("home/.claude/settings.json", 0o000),
        ("home/.symposium", 0o555),
        ("home/.symposium", 0o000),
        ("home/.symposium/ledger.json", 0o000),
        ("home/.symposium/cache", 0o000),
        ("home/.symposium/cache/plans", 0o555),
        ("home/.symposium/sessions", 0o000),
        ("home/.symposium/logs", 0o000),
        ("files/.symposium", 0o555),
        ("files/.symposium/config.toml", 0o000),
        ("files/.claude/skills", 0o555),
        ("files/Cargo.lock", 0o000),
        ("files", 0o555),
    ];
    let through = bound_by_modes(&world.context);
    let mut injected = 0;
    for (place, mode) in places {
        for args in COMMANDS {
            let path = world.context.root().join(place);
            let Ok(metadata) = std::fs::metadata(&path) else { continue };
            use std::os::unix::fs::PermissionsExt;
            let usual = metadata.permissions().mode() & 0o7777;
            set_mode(&path, mode);
            let status = ends(world.start(through, args), &format!("{} with {place} at {mode:o}", args.join(" ")));
            // It may be gone by now.
            if path.symlink_metadata().is_ok() {
                set_mode(&path, usual);
            }
            let what = format!("{} with {place} at {mode:o}", args.join(" "));
            let allowed: &[i32] = if args[0] == "hook" { &[0] } else { &[0, 1, 3] };
            assert!(status.code().is_some_and(|code| allowed.contains(&code)), "{what}: {status}");
            world.is_whole(&what);
            injected += 1;
        }
        world.recovers(place);
    }
    report("no permission (EACCES, read-only home)", injected);
}

/// Without a home, or with one that is not there, is a file, or is no text.
#[test]
fn without_a_home_hooks_answer_and_commands_say_so() {
    let world = World::new();
    let mut injected = 0;
    let root = world.context.root();
    let homes = [
        None,
        Some(String::new()),
        Some("relative".to_owned()),
        Some(root.join("nowhere/at/all").display().to_string()),
        Some(root.join("home/.bashrc").display().to_string()),
        Some("/dev/null".to_owned()),
        Some("/proc".to_owned()),
    ];
    for home in homes {
        for args in COMMANDS.into_iter().chain([&["status"][..], &["doctor"], &["sync", "--check"]]) {
            let mut command = Command::new(env!("CARGO_BIN_EXE_symposium"));
            command.args(args).current_dir(world.context.workspace()).env_clear().env("PATH", "/usr/bin:/bin");
            command.env("SYMPOSIUM_OFFLINE", "1").stdin(std::process::Stdio::null());
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            if let Some(home) = &home {
                command.env("HOME", home);
            }
            // Then the system's record of users is asked, which knows the home of whoever runs this: nobody's must be.
            if home.as_deref().unwrap_or_default().is_empty() {
                command.uid(NOBODY).gid(NOBODY).current_dir("/");
            }
            // Only the superuser can be somebody else.
            let child = match command.spawn() {
                Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => continue,
                child => child.unwrap(),
            };
            let what = format!("{} with HOME={home:?}", args.join(" "));
            let status = ends(child, &what);
            let allowed: &[i32] = if args[0] == "hook" { &[0] } else { &[0, 1, 2, 3] };
            assert!(status.code().is_some_and(|code| allowed.contains(&code)), "{what}: {status}");
            let made = root.join("nowhere").exists();
            assert!(!made || std::fs::remove_dir_all(root.join("nowhere")).is_ok());
            injected += 1;
        }
    }
    report("no usable HOME", injected);
}
