//! A directory that becomes a link while we write into it.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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
    let (done, swaps) = (AtomicBool::new(false), AtomicUsize::new(0));
    let runs = asked().map_or(20, |wanted| wanted.div_ceil(4));
    // 10 000 in the long suite.
    let wanted = asked().map_or(200, |wanted| wanted * 10);
    std::thread::scope(|scope| {
        let racer = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                exchange(&claude.join("skills"), &claude.join("link"));
                swaps.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(std::time::Duration::from_micros(300));
            }
        });
        let mut run = 0;
        while run < runs || swaps.load(Ordering::Relaxed) < wanted {
            // A racer that failed swaps no more.
            assert!(!racer.is_finished(), "run {run}: nothing is swapped any longer");
            let args: &[&str] = if run % 2 == 0 { &["off", "serde"] } else { &["on", "serde"] };
            let code = context.invoke(args).code;
            assert!(matches!(code, 0 | 3), "run {run}: {code}");
            run += 1;
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(context.tree(&elsewhere), "inner/", "nothing may be written through the link");
    if claude.join("skills").is_symlink() {
        exchange(&claude.join("skills"), &claude.join("link"));
    }
    for args in [["off", "serde"], ["on", "serde"]] {
        context.invoke(&args).expect(0);
    }
    assert!(claude.join("skills/serde/SKILL.md").is_file(), "where it belongs, once nothing is swapped");
    report("a directory swapped for a link", swaps.into_inner());
}

/// Swaps by three renames: no crate for the one call is linked by these tests. What we make at the free place meanwhile
/// goes, and what we took away as empty comes back, or nothing would ever be swapped again.
fn exchange(one: &Path, other: &Path) {
    let aside = one.with_extension("aside");
    while std::fs::rename(one, &aside).is_err() {
        let _ = std::fs::create_dir(one);
    }
    while std::fs::rename(other, one).is_err() {
        let _ = std::fs::remove_dir_all(one);
    }
    std::fs::rename(aside, other).unwrap();
}
