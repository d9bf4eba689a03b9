//! W20: a panic, wherever it happens, ends as exit 0 with nothing said.

#![allow(
    clippy::disallowed_methods,
    clippy::exit,
    reason = "tests start programs and look at their environment; with the hook of panics held, only an exit ends one"
)]

use super::*;

/// A process of its own that panics in one of these places.
#[test]
#[ignore = "started by the other test"]
fn panics() {
    never_stand_in_the_way();
    let slow = SlowPath { program: 0, compile: |_| panic!("compiling"), synchronize: |_| panic!("installing") };
    match std::env::var("SYMPOSIUM_TEST_PART").as_deref() {
        // The test runner has the first thread; its name is what the hook goes by.
        Ok("main") => {
            let first = std::thread::Builder::new().name("main".to_owned());
            let _ = first.spawn(|| panic!("in the thread the agent waits for")).unwrap().join();
            // The process should have ended.
            std::process::exit(3);
        }
        Ok("handler") => {
            let waits = std::thread::spawn(|| panic!("in another thread"));
            std::thread::sleep(std::time::Duration::from_millis(100));
            assert!(!waits.is_finished(), "whoever waits goes on without it");
        }
        Ok(_) => {
            let home = tempfile::tempdir().unwrap();
            let args = ["copilot", "session-start", "--home"].map(OsString::from);
            let args: Vec<OsString> = args.into_iter().chain([home.path().into()]).collect();
            assert_eq!(run(&args, &slow), ExitCode::SUCCESS);
        }
        Err(_) => return,
    }
    // The runner would wait for the hook of panics, which a thread that panicked holds for ever.
    std::process::exit(0);
}

#[test]
fn w20_a_panic_in_any_thread_is_exit_0() {
    for part in ["main", "handler", "slow path"] {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::panics", "--ignored", "--test-threads=1", "--quiet"])
            .env("SYMPOSIUM_TEST_PART", part)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{part}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{part}");
    }
}
