//! W20: a panic, wherever it happens, ends as exit 0 without output.

#![allow(clippy::disallowed_methods, clippy::exit, reason = "tests start programs and look at how they end")]

use super::*;

/// Exit code of a process that continued after the panic in the expected state.
const WENT_ON: i32 = 7;

/// A separate process that panics in one of these places.
#[test]
#[ignore = "started by the other test"]
fn panics() {
    let Ok(part) = std::env::var("SYMPOSIUM_TEST_PART") else { return };
    never_stand_in_the_way();
    // The test runner has the first thread; its name is what counts.
    let first = std::thread::Builder::new().name("main".to_owned());
    first.spawn(move || panics_in(&part)).unwrap().join().unwrap();
}

fn panics_in(part: &str) {
    let slow = SlowPath {
        program: 0,
        compile: |_| panic!("compiling"),
        synchronize: |_| panic!("installing"),
        nearest_items: |_, _| Vec::new(),
        index_crates: |_| panic!("indexing"),
        draft_guidance: |_, _| None,
    };
    match part {
        "main" => panic!("in the thread the agent waits for"),
        "handler" => {
            let waits = std::thread::spawn(|| panic!("in another thread"));
            std::thread::sleep(std::time::Duration::from_millis(100));
            assert!(!waits.is_finished(), "whoever waits goes on without it");
        }
        "index" => {
            let place = SlowPathTarget { workspace: None, ours: args::read(&[]).ours };
            plan_loader::index_alone(&slow, &place, std::time::Duration::from_millis(100));
        }
        _ => {
            let home = tempfile::tempdir().unwrap();
            let args = ["copilot", "session-start", "--home"].map(OsString::from);
            let args: Vec<OsString> = args.into_iter().chain([home.path().into()]).collect();
            assert_eq!(run(&args, &slow), ExitCode::SUCCESS);
        }
    }
    // The test runner would wait for the hook that the parked thread is in.
    std::process::exit(WENT_ON);
}

#[test]
fn w20_a_panic_in_any_thread_is_exit_0() {
    for (part, expected) in [("main", 0), ("handler", WENT_ON), ("index", WENT_ON), ("slow path", WENT_ON)] {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::panics", "--ignored", "--test-threads=1", "--quiet"])
            .env("SYMPOSIUM_TEST_PART", part)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(expected), "{part}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{part}");
    }
}
