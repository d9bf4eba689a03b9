//! Clocks that go backwards: files from the future, from before 1970, and times that are forged.

use std::time::{Duration, SystemTime};

use super::world::{World, snapshot};
use super::{Random, ends, report, seed, wanted};

#[test]
fn times_from_the_future_or_the_past_change_nothing() {
    let world = World::new();
    let mut random = Random(seed());
    let wanted = wanted(30);
    let day = Duration::from_hours(24);
    for round in 0..wanted {
        let now = SystemTime::now();
        let times =
            [now + day, now + day * 3650, SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH + day, now - day * 400];
        let paths: Vec<_> = snapshot(world.context.root()).into_keys().collect();
        // Some files get one of these times, as a restored backup or a wrong clock gives it to them.
        for path in paths {
            let time = times[random.below(times.len())];
            if random.below(3) == 0
                && let Ok(file) = std::fs::File::open(world.context.root().join(&path))
            {
                let _ = file.set_times(std::fs::FileTimes::new().set_modified(time).set_accessed(time));
            }
        }
        let what = format!("round {round}");
        for event in ["session-start", "pre-tool-use", "user-prompt-submit"] {
            let status = ends(world.start(&[], &["hook", "claude", event]), &what);
            assert_eq!(status.code(), Some(0), "{what}");
        }
        let denied = world.context.invoke_hook("claude", "pre-tool-use", &world.event());
        assert!(denied.stdout.contains("\"deny\""), "{what}: the guard's no is lost: {denied:?}");
        assert_eq!(world.context.invoke(&["sync"]).code, 0, "{what}");
        assert_eq!(world.context.invoke(&["sync", "--check"]).code, 0, "{what}");
        world.is_whole(&what);
    }
    world.recovers("at the end");
    report("clocks that go backwards", wanted);
}
