//! A directory that becomes a link while we write into it.

use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{asked, report};
use crate::with_fixture;

/// W05: a thread swaps the directory for skills with a link that leads out, again and again, while we install.
#[test]
fn w05_a_directory_swapped_for_a_link_sends_nothing_elsewhere() {
    let context = with_fixture(&["workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let claude = context.workspace().join(".claude");
    let elsewhere = context.root().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::create_dir_all(elsewhere.join("inner")).unwrap();
    std::fs::create_dir_all(claude.join("skills")).unwrap();
    symlink(elsewhere.join("inner"), claude.join("link")).unwrap();
    let done = AtomicBool::new(false);
    let runs = asked().map_or(20, |wanted| wanted.div_ceil(4));
    let swaps = std::thread::scope(|scope| {
        let racer = scope.spawn(|| {
            let mut swaps = 0_usize;
            while !done.load(Ordering::Relaxed) {
                let exchanged = rustix_free_exchange(&claude.join("skills"), &claude.join("link"));
                swaps += usize::from(exchanged);
                std::thread::sleep(std::time::Duration::from_micros(300));
            }
            swaps
        });
        for run in 0..runs {
            let args: &[&str] = if run % 2 == 0 { &["off", "serde"] } else { &["on", "serde"] };
            let code = context.invoke(args).code;
            assert!(matches!(code, 0 | 3), "run {run}: {code}");
        }
        done.store(true, Ordering::Relaxed);
        racer.join().unwrap()
    });
    assert!(swaps > 0, "nothing was ever swapped");
    assert_eq!(context.tree(&elsewhere), "inner/", "nothing may be written through the link");
    report("a directory swapped for a link", swaps);
}

/// Swaps by three renames: no crate for the one call is linked by these tests.
fn rustix_free_exchange(one: &std::path::Path, other: &std::path::Path) -> bool {
    let aside = one.with_extension("aside");
    std::fs::rename(one, &aside).is_ok() && std::fs::rename(other, one).is_ok() && std::fs::rename(aside, other).is_ok()
}
