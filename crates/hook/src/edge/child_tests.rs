//! Tests with real programs. Their remaining processes are counted by a marker in their environment.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};

use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// Runs a line of shell with this input, for longer than any busy machine needs.
fn sh(line: &str, input: &[u8]) -> ChildResult {
    within(50 * SECOND, ChildCommand::Shell { line, args: &[] }, input)
}

fn within(limit: Duration, what: ChildCommand<'_>, input: &[u8]) -> ChildResult {
    run(&ChildJob { run: what, directory: None, unset: &[], set: &[], input, deadline: Instant::now() + limit })
}

/// Runs a line with a time limit; its killed processes are gone as soon as the machine finds the time.
fn nothing_left_of(mark: &str, line: &str, limit: Duration) -> ChildResult {
    let mark = format!("{mark}-{}", std::process::id());
    let set: &[(&str, &OsStr)] = &[("SYMPOSIUM_TEST_MARK", OsStr::new(&mark))];
    let run = ChildCommand::Shell { line, args: &[] };
    let finished =
        super::run(&ChildJob { run, directory: None, unset: &[], set, input: b"", deadline: Instant::now() + limit });
    // Any process it started would run for longer than this waits.
    until(&format!("nothing is left of {line}"), || marked(&mark).is_empty());
    finished
}

/// Does the same for a line that prints `begun` and never ends: with more time, until it got that far on a busy
/// machine.
fn killed_once_begun(mark: &str, line: &str, limit: Duration) -> ChildResult {
    let mut limit = limit;
    loop {
        let finished = nothing_left_of(mark, line, limit);
        assert_ended(&finished, "DeadlineKilled");
        assert!(finished.took >= limit, "{line}: {:?} of {limit:?}", finished.took);
        if !finished.stdout.is_empty() || limit > 30 * SECOND {
            assert_eq!(String::from_utf8_lossy(&finished.stdout), "begun\n", "{line}");
            return finished;
        }
        limit *= 3;
    }
}

/// Lists the processes whose environment contains the marker; dead ones have no environment.
fn marked(mark: &str) -> Vec<String> {
    let mark = format!("SYMPOSIUM_TEST_MARK={mark}");
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let marked = processes.filter(|process| {
        let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
    });
    marked.map(|process| process.file_name().to_string_lossy().into_owned()).collect()
}

#[track_caller]
fn assert_ended(finished: &ChildResult, expected: &str) {
    assert_eq!(format!("{:?}", finished.ended), expected, "{finished:?}");
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Writes a program in another process: a fork of a parallel test could hold the file open for writing, and such a file
/// cannot be run.
pub(crate) fn script(path: &Path, text: &str) {
    let args = [path.to_str().unwrap().to_owned()];
    let run = ChildCommand::Shell { line: "write() { cat > \"$1\" && chmod 755 \"$1\"; }; write", args: &args };
    assert_ended(&within(50 * SECOND, run, text.as_bytes()), "Exited(0)");
}

#[test]
fn output_and_end_are_told() {
    for (line, input, stdout, stderr, ended) in [
        ("cat", "hello", "hello", "", "Exited(0)"),
        ("cat >&2; exit 2", "hello", "", "hello", "Exited(2)"),
        ("exit 255", "", "", "", "Exited(255)"),
        ("echo out; kill -SEGV $$", "", "out\n", "", "Signalled(11)"),
        ("echo err >&2; kill -KILL $$", "", "", "err\n", "Signalled(9)"),
        ("exec 0<&- 1>&- 2>&-; sleep 0.05; exit 3", "unread", "", "", "Exited(3)"),
        ("no-such-program-anywhere 2>/dev/null", "", "", "", "Exited(127)"),
    ] {
        let finished = sh(line, input.as_bytes());
        assert_ended(&finished, ended);
        assert_eq!(String::from_utf8_lossy(&finished.stdout), stdout, "{line}");
        assert_eq!(String::from_utf8_lossy(&finished.stderr), stderr, "{line}");
        assert!(!finished.stdout_cut, "{line}");
    }
    assert_eq!(sh(r"printf '\377\376\000x'", b"").stdout, b"\xff\xfe\0x");
}

#[test]
fn a_program_is_started_with_its_words_and_a_line_with_words_appended() {
    let args = words(&["%s|", "a b", "$HOME", "", "*"]);
    let program = Path::new("printf");
    assert_eq!(within(50 * SECOND, ChildCommand::Direct { program, args: &args }, b"").stdout, b"a b|$HOME||*|");
    let line = ChildCommand::Shell { line: "x=1; printf '%s|' $x", args: &words(&["a b", "$x"]) };
    assert_eq!(within(50 * SECOND, line, b"").stdout, b"1|a b|$x|");
}

#[test]
fn ten_megabytes_pass_in_both_directions() {
    let input = vec![b'x'; 10_000_000];
    let finished = sh("cat", &input);
    assert_ended(&finished, "Exited(0)");
    assert!(finished.stdout_cut && finished.stdout.len() == STDOUT_LIMIT);
    assert_eq!(sh("wc -c", &input).stdout.trim_ascii(), b"10000000");
    let finished = sh("cat >&2", &input);
    assert_eq!((finished.stderr.len(), finished.stdout_cut), (STDERR_LIMIT, false));
    let finished = sh("head -c 1048576 /dev/zero", b"");
    assert_eq!((finished.stdout.len(), finished.stdout_cut), (STDOUT_LIMIT, false), "exactly what is kept");
}

#[test]
fn nobody_waits_for_the_other() {
    let input = vec![b'x'; 1_000_000];
    let finished = sh("head -c 500000 /dev/zero; head -c 500000 /dev/zero >&2; wc -c", &input);
    assert_ended(&finished, "Exited(0)");
    assert!(finished.stdout.trim_ascii_end().ends_with(b"1000000"), "all was read after all was written");
    assert_ended(&sh("exec 0<&-; sleep 0.1; exit 4", &input), "Exited(4)");
    assert_ended(&sh("head -c 1 >/dev/null; exit 5", &input), "Exited(5)");
    assert_ended(&sh("sleep 0.1; exit 6", &input), "Exited(6)");
}

#[test]
fn the_deadline_ends_it() {
    let limit = Duration::from_millis(200);
    for line in ["sleep 60", "trap '' TERM HUP INT; while :; do sleep 1; done", "kill -STOP $$", "while :; do :; done"]
    {
        let finished = killed_once_begun("deadline", &format!("echo begun; {line}"), limit);
        assert!(finished.took < 50 * SECOND, "{line}: {:?}", finished.took);
    }
    let never = within(Duration::ZERO, ChildCommand::Shell { line: "echo begun", args: &[] }, b"");
    assert_ended(&never, "DeadlineKilled");
    assert!(never.stdout.is_empty());
}

#[test]
fn the_end_of_the_program_is_the_end() {
    for line in ["sleep 60 & echo done", "(sleep 60; echo late) & echo done", "yes >&2 & echo done"] {
        let finished = nothing_left_of("background", line, 50 * SECOND);
        assert_ended(&finished, "Exited(0)");
        assert_eq!(String::from_utf8_lossy(&finished.stdout), "done\n", "{line}");
    }
}

#[test]
fn three_hundred_children_are_gone() {
    let line = "i=0; while [ $i -lt 300 ]; do sleep 60 & i=$((i+1)); done; echo begun; ";
    killed_once_begun("many", &format!("{line}wait"), 3 * SECOND);
    let finished = nothing_left_of("many", &format!("{line}exit 0"), 50 * SECOND);
    assert_ended(&finished, "Exited(0)");
    assert_eq!(finished.stdout, b"begun\n");
}

#[test]
#[cfg(target_os = "linux")]
fn what_left_the_group_is_gone_too() {
    for flight in [
        "setsid sleep 60 &",
        "setsid --fork sleep 60;",
        "setsid sh -c 'setsid --fork sleep 60; setsid sleep 60 & wait' &",
        "setsid sh -c 'while :; do setsid --fork sleep 60; done' &",
        "for i in 1 2 3 4 5 6 7 8; do setsid --fork sh -c 'sleep 60 & sleep 60 & wait'; done;",
    ] {
        let line = format!("{flight} sleep 0.2; echo begun;");
        killed_once_begun("flight", &format!("{line} sleep 60"), SECOND);
        let finished = nothing_left_of("flight", &format!("{line} exit 0"), 50 * SECOND);
        assert_ended(&finished, "Exited(0)");
        assert_eq!(finished.stdout, b"begun\n", "{line}");
    }
}

#[test]
fn what_cannot_be_started_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str, mode: u32| {
        let path = directory.path().join(name);
        script(&path, text);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path
    };
    for (program, kind, says) in [
        (Path::new("no-such-program-anywhere").to_owned(), io::ErrorKind::NotFound, "not found in PATH"),
        (directory.path().join("missing"), io::ErrorKind::NotFound, "does not exist"),
        (file("plain", "#!/bin/sh\n", 0o644), io::ErrorKind::PermissionDenied, "is not executable"),
        (file("lost", "#!/no/such/interpreter\n", 0o755), io::ErrorKind::NotFound, "named in its first line"),
        (directory.path().to_owned(), io::ErrorKind::PermissionDenied, "is not executable"),
    ] {
        let finished = within(50 * SECOND, ChildCommand::Direct { program: &program, args: &[] }, b"x");
        let ChildEnd::NotStarted(error) = finished.ended else { panic!("{finished:?}") };
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(says), "{error}");
        let name = program.file_name().unwrap().to_str().unwrap();
        assert!(error.to_string().contains(name), "{error}");
    }
    let finished =
        within(50 * SECOND, ChildCommand::Direct { program: &file("garbage", "\0\u{1}", 0o755), args: &[] }, b"");
    let ChildEnd::NotStarted(error) = finished.ended else { panic!("{finished:?}") };
    assert!(error.to_string().contains("is not a program"), "{error}");
}

#[test]
fn directory_and_environment_are_the_jobs() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path().canonicalize().unwrap();
    script(&here.join("tool"), "#!/bin/sh\npwd; echo $A\n");
    let in_path = |path: &OsStr, directory: &Path| {
        let set: &[(&str, &OsStr)] = &[("PATH", path), ("A", OsStr::new("b c"))];
        let run = ChildCommand::Direct { program: Path::new("tool"), args: &[] };
        let deadline = Instant::now() + 50 * SECOND;
        super::run(&ChildJob { run, directory: Some(directory), unset: &[], set, input: b"", deadline })
    };
    let finished = in_path(here.as_os_str(), &here);
    assert_eq!(String::from_utf8_lossy(&finished.stdout), format!("{}\nb c\n", here.display()));
    for relative in [".", "", ":/nowhere:."] {
        let finished = in_path(OsStr::new(relative), &here);
        assert!(matches!(finished.ended, ChildEnd::NotStarted(_)), "`{relative}` names a program of the project");
    }
    let missing = here.join("missing");
    let finished = in_path(here.as_os_str(), &missing);
    let ChildEnd::NotStarted(error) = finished.ended else { panic!("{finished:?}") };
    assert_eq!(error.to_string(), format!("the directory `{}` does not exist", missing.display()));
}

#[test]
#[cfg(target_os = "linux")]
fn no_signal_is_blocked_in_the_program_nor_the_broken_pipe_ignored() {
    let signals = |status: &str, what: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(what)).unwrap().trim().to_owned();
        u64::from_str_radix(&line, 16).unwrap()
    };
    let broken_pipe = 1 << (13 - 1);
    let ours = std::fs::read_to_string("/proc/self/status").unwrap();
    assert_ne!(signals(&ours, "SigIgn:") & broken_pipe, 0, "as in every Rust program");
    let theirs = String::from_utf8(sh("cat /proc/self/status", b"").stdout).unwrap();
    assert_eq!(signals(&theirs, "SigBlk:"), 0);
    assert_eq!(signals(&theirs, "SigIgn:") & broken_pipe, 0);
}

#[test]
fn the_plain_way_works_too() {
    let job = |line: &'static str, input: &'static [u8], limit: Duration| {
        let run = ChildCommand::Shell { line, args: &[] };
        portable::run(&ChildJob { run, directory: None, unset: &[], set: &[], input, deadline: Instant::now() + limit })
    };
    let finished = job("cat; echo err >&2; exit 7", b"hello", 50 * SECOND);
    assert_ended(&finished, "Exited(7)");
    assert_eq!((finished.stdout.as_slice(), finished.stderr.as_slice()), (b"hello".as_slice(), b"err\n".as_slice()));
    assert_ended(&job("exec sleep 60", b"", SECOND / 10), "DeadlineKilled");
    let finished = job("head -c 3000000 /dev/zero", b"", 50 * SECOND);
    assert!(finished.stdout_cut && finished.stdout.len() == STDOUT_LIMIT);
}

/// A separate process that plays one of these parts, since a signal or a peak of memory concerns a whole process.
#[test]
#[ignore = "started by other tests"]
fn stand_in() {
    // The parent of the tests may ignore them, as a shell does for background processes.
    super::signals::SignalGuard::end_us();
    match std::env::var("SYMPOSIUM_TEST_PART").as_deref() {
        Ok("long run") => drop(sh("setsid sleep 60 & sleep 60 & sleep 60", b"")),
        Ok("after a run") => {
            drop(sh("true", b""));
            println!("ran");
            std::thread::sleep(20 * SECOND);
        }
        Ok("flood") => {
            let peak = || {
                let status = std::fs::read_to_string("/proc/self/status").unwrap();
                let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap().to_owned();
                line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
            };
            drop(sh("yes | head -c 1000", b""));
            let before = peak();
            let finished = within(3 * SECOND, ChildCommand::Shell { line: "yes & yes >&2", args: &[] }, b"");
            assert_ended(&finished, "DeadlineKilled");
            assert!(finished.stdout_cut && finished.stdout.len() == STDOUT_LIMIT);
            assert!(peak() - before < 4096, "{} KiB more", peak() - before);
        }
        Ok("other children") => {
            // Adopted before the run, as a descendant of a process that was started and left alone.
            rustix::process::set_child_subreaper(Some(rustix::process::getpid())).unwrap();
            let orphan = sh_command("sleep 20 >/dev/null 2>&1 & echo $!").output().unwrap();
            let orphan = String::from_utf8(orphan.stdout).unwrap().trim().to_owned();
            let mut child = sh_command("exec sleep 20").spawn().unwrap();
            assert_ended(&sh("sleep 60 & exit 0", b""), "Exited(0)");
            assert_eq!(child.try_wait().unwrap(), None, "a child of ours lives on");
            let status = std::fs::read_to_string(format!("/proc/{orphan}/status")).unwrap();
            assert!(status.contains("State:\tS"), "so does an adopted one: {status}");
            child.kill().unwrap();
            child.wait().unwrap();
            sh_command(&format!("kill {orphan}")).status().unwrap();
        }
        _ => {}
    }
}

fn sh_command(line: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", line]);
    command
}

fn play(part: &str, mark: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "edge::child::tests::stand_in", "--ignored", "--nocapture"])
        .env("SYMPOSIUM_TEST_PART", part)
        .env("SYMPOSIUM_TEST_MARK", mark)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[track_caller]
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let limit = Instant::now() + 40 * SECOND;
    while !holds() {
        assert!(Instant::now() < limit, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn when_we_are_ended_nothing_is_left() {
    for (signal, number) in [("TERM", 15), ("INT", 2), ("HUP", 1), ("KILL", 9)] {
        let mark = format!("ended-by-{signal}-{}", std::process::id());
        let mut hook = play("long run", &mark);
        // The stand-in, a shell, three sleeps, and the watcher, which comes last.
        until("everything runs", || marked(&mark).len() == 6);
        sh_command(&format!("kill -{signal} {}", hook.id())).status().unwrap();
        assert_eq!(hook.wait().unwrap().signal(), Some(number));
        until("all is gone", || marked(&mark).is_empty());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn after_a_run_signals_mean_what_they_meant() {
    let mut hook = play("after a run", "after");
    let mut out = hook.stdout.take().unwrap();
    let mut seen = Vec::new();
    until("it ran", || {
        let mut byte = [0];
        let read = io::Read::read(&mut out, &mut byte).unwrap();
        seen.extend(byte.get(..read).unwrap());
        seen.ends_with(b"ran\n")
    });
    sh_command(&format!("kill -TERM {}", hook.id())).status().unwrap();
    assert_eq!(hook.wait().unwrap().signal(), Some(15));
}

#[test]
#[cfg(target_os = "linux")]
fn parts_that_check_themselves() {
    for part in ["flood", "other children"] {
        let output = play(part, part).wait_with_output().unwrap();
        assert!(output.status.success(), "{part}: {}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{part}");
    }
}
