//! Any system call that only looks may fail: what cannot be looked at is not taken for gone.

use super::calls::{PAIRS, calls_of_loader, fails};
use super::world::World;
use super::{Random, asked, can_trace, report, seed};

const LOOKS: [&str; 8] = ["open", "openat", "read", "statx", "newfstatat", "getdents64", "readlink", "flock"];
const ERRORS: [&str; 5] = ["EIO", "EACCES", "ENOMEM", "EMFILE", "ESTALE"];

#[test]
fn what_cannot_be_looked_at_is_not_taken_for_gone() {
    if !can_trace() {
        return;
    }
    let world = World::new();
    let mut random = Random(seed());
    let mut failed = 0;
    for (args, before) in PAIRS {
        let is_sync = args == ["sync"];
        for call in LOOKS {
            let mut n = calls_of_loader(&world, args, call);
            loop {
                // In the long suite every call of a sync, else some that differ from run to run.
                n += match asked() {
                    Some(_) if is_sync => 1,
                    Some(_) => 1 + random.below(12),
                    // Whether a process has a settings file open takes thousands of calls, one like the other.
                    None => 1 + random.below(300 + n),
                };
                world.teaches_anew();
                world.context.invoke(before).expect(0);
                world.teaches_anew();
                let error = ERRORS[random.below(ERRORS.len())];
                let what = format!("{} with {error} from {call} number {n}", args.join(" "));
                if !fails(&world, args, call, error, n) {
                    break;
                }
                assert!(!is_sync || world.taught().contains("Lesson"), "{what}: a skill is gone");
                world.recovers(&what);
                failed += 1;
            }
        }
    }
    report("an error from a system call that only looks", failed);
}
