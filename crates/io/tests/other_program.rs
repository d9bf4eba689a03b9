//! Another program renames its settings into place while Symposium edits them: on systems that can exchange files, and on
//! Windows, which cannot.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests set up their own files")]

use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use symposium_io::settings::{SettingsChange, WritePatience, update};

const ROUNDS: u64 = 60;

/// Renames a file with the text over the settings, as most programs write theirs. It fails while another has it open.
fn rename_into_place(path: &Path, text: &str) {
    let finished = path.with_extension("theirs");
    fs::write(&finished, text).unwrap();
    let end = Instant::now() + Duration::from_secs(10);
    while let Err(error) = fs::rename(&finished, path) {
        assert!(Instant::now() < end, "{error}");
    }
}

#[test]
fn what_another_program_renames_into_place_is_never_lost() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("settings.json");
    fs::write(&path, "theirs 0\n").unwrap();
    let mut written = 0;
    for round in 1..=ROUNDS {
        let theirs = format!("theirs {round}\n");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                // Every moment of an update is met by some round.
                std::thread::sleep(Duration::from_micros(round * 61 % 4000));
                rename_into_place(&path, &theirs);
            });
            let edited = update(&path, None, WritePatience::Long, |text| {
                let theirs = text.unwrap_or_default().lines().next().unwrap_or_default();
                Ok::<_, Infallible>(SettingsChange::Write(format!("{theirs}\nours {round}\n")))
            });
            written += u64::from(edited.is_ok());
        });
        let left = fs::read_to_string(&path).unwrap();
        assert_eq!(left.lines().next(), Some(theirs.trim_end()), "round {round}: {left}");
    }
    assert!(written > ROUNDS / 2, "only {written} of {ROUNDS} updates were written");
    // What a later run would tidy up holds no text that is nowhere else.
    assert_eq!(symposium_io::stale_temp::sweep(home.path()), [] as [std::path::PathBuf; 0]);
}
