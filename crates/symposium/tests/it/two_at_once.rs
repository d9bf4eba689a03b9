//! Two processes that install or fetch the same thing at the same time.

use std::sync::Barrier;

use symposium_testkit::{Output, TestContext};

use crate::crate_plugins::put;
use crate::installations::{CARGO, installations, installed_by, leaving_tool, stand_in, with_plugin};
use crate::plugin_sync::{configure, installed, machine};
use crate::repository::Repository;
use crate::set_mode;

/// Runs the program twice at the same time.
fn twice(context: &TestContext, args: &[&str]) -> [Output; 2] {
    let start = Barrier::new(2);
    let run = || {
        start.wait();
        context.invoke(args)
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(run);
        [run(), other.join().unwrap()]
    })
}

#[test]
fn an_installation_is_made_once() {
    let context = with_plugin(CARGO);
    context.invoke(&["sync"]).expect(0);
    // Whoever removes what the other is making leaves it without its program.
    let slow = "mkdir -p \"$root/bin\"; touch \"$root/bin/begun\"; sleep 1\n\
                [ -e \"$root/bin/begun\" ] || exit 9; rm \"$root/bin/begun\"\n";
    stand_in(&context, "cargo", &format!("case \"$1\" in install) ;; *) exit 0;; esac\n{slow}{}", leaving_tool()));
    for output in twice(&context, &["sync", "--yes"]) {
        assert_eq!(output.code, 0, "{output:?}");
    }
    assert_eq!(installed_by(&context), 1);
    let [place] = installations(&context).try_into().unwrap();
    assert!(place.join("bin/tool").exists() && place.join(".made").exists());
}

#[test]
fn a_source_is_fetched_by_one_after_the_other() {
    let mut context = machine(&[]);
    let repository = Repository::create(context.root().join("server/team"));
    repository.skill("team-tips", "serde", "first").commit();
    configure(&context, &[("team", &repository.url())], "");
    // A git that is slow, and notes when it is called while another one is at it.
    let real =
        std::env::split_paths(&std::env::var_os("PATH").unwrap()).map(|at| at.join("git")).find(|at| at.exists());
    let (bin, log) = (context.root().join("bin"), context.root().join("log"));
    let script = format!(
        "#!/bin/sh\ncase \" $* \" in *' fetch '*|*' ls-remote '*)\n\
         mkdir '{0}.busy' 2>/dev/null || echo together >> '{0}'\n\
         echo fetched >> '{0}'; sleep 0.5; rmdir '{0}.busy'; esac\nexec '{1}' \"$@\"\n",
        log.display(),
        real.unwrap().display()
    );
    put(&bin.join("git"), &script);
    set_mode(&bin.join("git"), 0o755);
    context.set("PATH", &format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()));
    let calls = || std::fs::read_to_string(&log).unwrap_or_default();
    context.invoke(&["plugin", "sync"]).expect(0);
    let alone = calls().lines().count();
    assert!(alone > 0, "the stand-in is what is called");
    std::fs::remove_dir_all(context.config_dir().join("cache/plugin-sources")).unwrap();
    std::fs::remove_file(&log).unwrap();
    for output in twice(&context, &["plugin", "sync"]) {
        assert_eq!(output.code, 0, "{output:?}");
    }
    assert_eq!(calls(), "fetched\n".repeat(alone), "the second finds what the first fetched");
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "team-tips").is_some());
}
