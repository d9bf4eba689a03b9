//! Another program opens the settings, truncates them and writes them anew in pieces, again and again, while we write
//! them too.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::world::World;
use super::{Random, asked, can_trace, ends, report, seed};

/// How long a text that another program wrote may be out of its file, while ours goes back.
const GLIMPSE: Duration = Duration::from_secs(2);

#[test]
fn a_program_that_rewrites_in_place_loses_nothing_and_keeps_ours() {
    let rewritten = beside_syncs(&[], Other::InPlace, asked().unwrap_or(15));
    report("settings truncated and rewritten in place", rewritten);
}

#[test]
fn nothing_is_lost_in_place_where_files_cannot_be_exchanged() {
    if can_trace() {
        let rewritten = beside_syncs(&NO_EXCHANGE, Other::InPlace, asked().unwrap_or(15));
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
}

/// Two loops of `sync` and one of session starts beside a program that writes the settings so many times.
fn beside_syncs(through: &[&str], other: Other, rounds: usize) -> usize {
    let world = World::new();
    let settings = world.context.root().join("home/.claude/settings.json");
    let (done, syncs) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (starter, random) = (world.starter(), Random(seed()));
    std::thread::scope(|scope| {
        let (starter, settings, done, syncs) = (&starter, &settings, &done, &syncs);
        let writer = scope.spawn(move || {
            let _stop = Stop(done);
            rewrite(settings, other, random, rounds);
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
    let text = std::fs::read_to_string(&settings).unwrap();
    assert!(text.contains(&format!("\"round\": {}", rounds - 1)), "what it wrote last is there:\n{text}");
    world.context.invoke(&["sync"]).expect(0);
    let text = std::fs::read_to_string(&settings).unwrap();
    assert!(text.contains(&format!("\"round\": {}", rounds - 1)), "and stays:\n{text}");
    assert_eq!(text.matches("hook claude pre-tool-use").count(), 1, "ours is there:\n{text}");
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

/// The other program: in every second round it changes what it reads, else it writes what it has in memory, which has
/// nothing of ours. What it wrote must come to stay in the file, whole, with ours if it wrote ours.
fn rewrite(settings: &Path, other: Other, mut random: Random, rounds: usize) {
    let own = serde_json::json!({ "permissions": { "deny": ["Bash(rm *)"] }, "n": 12_345_678_901_234_567_890_u64 });
    let mut lost = 0;
    for round in 0..rounds {
        let mut value = if random.below(2) == 0 { read(settings) } else { own.clone() };
        value["round"] = round.into();
        let text = serde_json::to_string_pretty(&value).unwrap();
        match other {
            Other::InPlace => write_in_place(settings, &text, &mut random),
            Other::Renames => {
                let aside = settings.with_extension("theirs");
                std::fs::write(&aside, &text).unwrap();
                std::fs::rename(&aside, settings).unwrap();
            }
        }
        lost += usize::from(!comes_to_stay(settings, &value));
        let pause = match other {
            Other::InPlace => random.below(150),
            Other::Renames => 20,
        };
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

/// Whether everything of a text is in the file before long; we may have added to it meanwhile.
fn comes_to_stay(settings: &Path, written: &serde_json::Value) -> bool {
    let started = Instant::now();
    while started.elapsed() < GLIMPSE {
        let now = read(settings);
        let hooks = |value: &serde_json::Value| value.pointer("/hooks/PreToolUse").map(ToString::to_string);
        let ours_stayed = hooks(written).is_none_or(|hooks_then| hooks(&now).is_some_and(|now| now == hooks_then));
        if now["round"] == written["round"] && now["permissions"] == written["permissions"] && ours_stayed {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}
