//! Another program opens the settings, truncates them and writes them anew in pieces, again and again, while we write
//! them too.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::world::{PROJECT, World};
use super::{Random, asked, can_trace, ends, report, seed};

/// How long a text that another program wrote may be out of its file, while ours goes back.
const GLIMPSE: Duration = Duration::from_secs(2);

#[test]
fn a_program_that_rewrites_in_place_loses_nothing_and_keeps_ours() {
    let rewritten = beside_syncs(&[], Other::InPlace, asked().unwrap_or(15));
    report("settings truncated and rewritten in place", rewritten);
}

#[test]
fn an_editor_that_rewrites_a_configuration_in_place_loses_nothing() {
    let rewritten = beside_syncs(&[], Other::Editor, asked().unwrap_or(10));
    report("a configuration truncated and rewritten in place", rewritten);
}

#[test]
fn nothing_is_lost_in_place_where_files_cannot_be_exchanged() {
    if can_trace() {
        let rewritten = beside_syncs(&NO_EXCHANGE, Other::InPlace, asked().unwrap_or(10));
        report("settings rewritten in place where files cannot be exchanged", rewritten);
    }
}

#[test]
fn a_renamed_file_is_not_lost_where_files_cannot_be_exchanged() {
    if can_trace() {
        let replaced = beside_syncs(&NO_EXCHANGE, Other::Renames, asked().unwrap_or(60));
        report("settings renamed into place where files cannot be exchanged", replaced);
    }
}

/// A program that never comes to an end with a file costs a session start a moment, and its file nothing.
#[test]
fn a_session_starts_beside_a_file_that_is_never_finished() {
    let world = World::new();
    let config = world.context.workspace().join(".symposium/config.toml");
    let whole = std::fs::read_to_string(&config).unwrap();
    // A source changed, so there is something to install.
    world.teaches_anew();
    let mut file = File::create(&config).unwrap();
    file.write_all(b"# mine\n").unwrap();
    let status = ends(world.start(&[], &["hook", "claude", "session-start"]), "session start");
    assert_eq!(status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(&config).unwrap(), "# mine\n", "it is not written to");
    let told = world.context.invoke(&["sync"]);
    assert_eq!(told.code, 3, "{told:?}");
    assert!(told.stderr.contains("another program is writing it"), "{}", told.stderr);
    file.write_all(whole.strip_prefix("# mine\n").unwrap().as_bytes()).unwrap();
    drop(file);
    world.recovers("once it is finished");
}

/// Runs a command as on a file system that can exchange nothing.
const NO_EXCHANGE: [&str; 8] =
    ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat2", "-einject=renameat2:error=EINVAL"];

/// How the other program writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Other {
    /// Truncates the file and writes it anew in pieces.
    InPlace,
    /// Renames a new file into its place.
    Renames,
    /// Truncates the project's configuration and writes it anew in pieces.
    Editor,
}

impl Other {
    fn file(self) -> &'static str {
        match self {
            Self::InPlace | Self::Renames => "home/.claude/settings.json",
            Self::Editor => "files/.symposium/config.toml",
        }
    }

    /// What it writes: in every second round what it reads with a change, else what it has in memory, without ours.
    fn text(self, file: &Path, round: usize, random: &mut Random) -> String {
        if self == Self::Editor {
            return format!("{PROJECT}\n[defaults]\n# \"round\": {round}\n");
        }
        let own = serde_json::json!({ "permissions": { "deny": ["Bash(rm *)"] }, "n": 12_345_678_901_234_567_890_u64 });
        let mut value = if random.below(2) == 0 { read(file) } else { own };
        value["round"] = round.into();
        serde_json::to_string_pretty(&value).unwrap()
    }

    /// Whether all of a text is in the file; we may have added to it meanwhile.
    fn is_there(self, file: &Path, written: &str) -> bool {
        if self == Self::Editor {
            let now = std::fs::read_to_string(file).unwrap_or_default();
            return written.lines().all(|line| now.lines().any(|now| now == line));
        }
        let (now, written) = (read(file), serde_json::from_str::<serde_json::Value>(written).unwrap());
        let hooks = |value: &serde_json::Value| value.pointer("/hooks/PreToolUse").map(ToString::to_string);
        let ours_stayed = hooks(&written).is_none_or(|then| hooks(&now) == Some(then));
        now["round"] == written["round"] && now["permissions"] == written["permissions"] && ours_stayed
    }
}

/// Two loops of `sync` and one of session starts beside a program that writes the settings so many times.
fn beside_syncs(through: &[&str], other: Other, rounds: usize) -> usize {
    let world = World::new();
    let file = world.context.root().join(other.file());
    let (done, syncs) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (starter, random) = (world.starter(), Random(seed()));
    std::thread::scope(|scope| {
        let (starter, file, done, syncs) = (&starter, &file, &done, &syncs);
        let writer = scope.spawn(move || {
            let _stop = Stop(done);
            rewrite(file, other, random, rounds);
        });
        for args in [&["sync"][..], &["sync"], &["hook", "claude", "session-start"]] {
            scope.spawn(move || {
                let _stop = Stop(done);
                while !done.load(Ordering::Relaxed) {
                    let status = ends(starter.start(through, args), &args.join(" "));
                    assert!(matches!(status.code(), Some(0 | 1 | 3)), "{}: {status}", args.join(" "));
                    syncs.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        writer.join().unwrap();
    });
    let written = || std::fs::read_to_string(&file).unwrap();
    let last = format!("\"round\": {}", rounds - 1);
    assert!(written().contains(&last), "what it wrote last is there:\n{}", written());
    world.context.invoke(&["sync"]).expect(0);
    assert!(written().contains(&last), "and stays:\n{}", written());
    let ours = match other {
        Other::InPlace | Other::Renames => "hook claude pre-tool-use",
        Other::Editor => "serde = true",
    };
    assert_eq!(written().matches(ours).count(), 1, "ours is there:\n{}", written());
    world.is_kept("once it is quiet");
    world.no_unfinished_files("once it is quiet");
    println!("{} runs of ours beside {rounds} writes", syncs.into_inner());
    rounds
}

/// Ends every loop, also when one of them fails.
struct Stop<'d>(&'d AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The other program. What it wrote must come to stay in the file, whole, with ours if it wrote ours.
fn rewrite(file: &Path, other: Other, mut random: Random, rounds: usize) {
    let mut lost = 0;
    for round in 0..rounds {
        let text = other.text(file, round, &mut random);
        let pause = match other {
            Other::InPlace | Other::Editor => {
                write_in_place(file, &text, &mut random);
                random.below(150)
            }
            Other::Renames => {
                let aside = file.with_extension("theirs");
                std::fs::write(&aside, &text).unwrap();
                std::fs::rename(&aside, file).unwrap();
                20
            }
        };
        lost += usize::from(!comes_to_stay(file, other, &text));
        std::thread::sleep(Duration::from_millis(u64::try_from(pause).unwrap()));
    }
    assert_eq!(lost, 0, "of {rounds} writes");
}

/// What is in the file, which is never seen torn. Where files cannot be exchanged it is away for a moment.
fn read(settings: &Path) -> serde_json::Value {
    let started = Instant::now();
    let text = loop {
        match std::fs::read_to_string(settings) {
            Ok(text) => break text,
            Err(error) => assert!(started.elapsed() < GLIMPSE, "{error}"),
        }
    };
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("torn: {error}\n{text}"))
}

fn write_in_place(settings: &Path, text: &str, random: &mut Random) {
    let mut file = File::create(settings).unwrap();
    let mut rest = text.as_bytes();
    loop {
        // Also before the first piece: then the file is empty for a while.
        std::thread::sleep(Duration::from_millis(1 + u64::try_from(random.below(50)).unwrap()));
        let (piece, after) = rest.split_at(rest.len().min(text.len() / 3 + 1));
        file.write_all(piece).unwrap();
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
}

/// Whether a text is in the file before long.
fn comes_to_stay(file: &Path, other: Other, written: &str) -> bool {
    let started = Instant::now();
    while started.elapsed() < GLIMPSE {
        if other.is_there(file, written) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}
