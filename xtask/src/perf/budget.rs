//! What everything may cost, and whether it keeps to it.

/// Instructions of the hook, static build.
pub(super) const INSTRUCTIONS: f64 = 350_000.0;
/// System calls of the hook, static build.
pub(super) const SYSCALLS: f64 = 70.0;
/// Wall time of the hook, static build, as a multiple of `/bin/true`.
pub(super) const WALL: f64 = 1.15;
/// CPU time of the hook, ordinary build, as a multiple of a program that does nothing.
pub(super) const CPU: f64 = 1.5;
/// Counts of the hook with many plugins, as a multiple of those with few.
pub(super) const GROWTH: f64 = 1.05;
/// CPU time of the hook with 1 000 active plugins, as a multiple of that with 10.
pub(super) const ACTIVE: f64 = 1.5;
/// Its instructions: the plan names all their manifests, which is half of the difference.
pub(super) const ACTIVE_INSTRUCTIONS: f64 = 1.6;
/// System calls of the hook with 1 000 active plugins, besides the usual ones: one for each of 64 files, and those for the
/// turn.
pub(super) const ACTIVE_CALLS: f64 = SYSCALLS + 64.0 + 8.0;
/// System calls at a prompt then, which looks at every manifest, in 16 directories: a person may just have edited one.
pub(super) const ACTIVE_PROMPT_CALLS: f64 = SYSCALLS + 1_000.0 + 2.0 * 16.0;
/// Instructions of the hook at an edit of a file of 20 KiB with nothing new to tell, as a multiple of the idle hook.
pub(super) const EDIT: f64 = 2.0;
/// Instructions of the hook when a session starts in a project with 200 direct dependencies that have guidance, as a
/// multiple of the idle hook. It happens once a session, so what counts is the CPU time, [`COMMAND`]; this one only shows
/// growth where times are not measured.
pub(super) const START: f64 = 25.0;
/// Bytes of the answer then: the index may have 2,000, the other text is the same with any dependencies.
pub(super) const START_ANSWER: f64 = 4_000.0;
/// Peak memory of the hook, in KiB.
pub(super) const MEMORY: f64 = 8.0 * 1024.0;
pub(super) const NONE: f64 = 0.0;
/// A hook with one handler, as a multiple of the handler alone and two programs that do nothing.
pub(super) const HANDLER: f64 = 1.0;
/// CPU time of a command when nothing changed, as a multiple of a program that does nothing.
pub(super) const COMMAND: f64 = 10.0;
/// With this many plugins at most, the commands keep to [`COMMAND`].
pub(super) const COMMAND_PLUGINS: usize = 1_000;
/// CPU time of a command with ten times as many plugins as that, as a multiple.
pub(super) const COMMAND_GROWTH: f64 = 12.0;
/// CPU time of a first `sync`, in milliseconds.
pub(super) const COLD: f64 = 100.0;
/// CPU time of a first `sync`, as a multiple of the public program's.
pub(super) const PEER_SYNC: f64 = 0.5;
/// CPU time of a command that reads a `Cargo.lock` of 600 packages, in milliseconds.
pub(super) const LOCK: f64 = 10.0;
/// The program's size, in bytes.
pub(super) const SIZE: f64 = 12.0 * 1024.0 * 1024.0;
/// Packages of others that are linked.
pub(super) const DEPENDENCIES: f64 = 150.0;
/// Packages of others that the hook's crate links.
pub(super) const HOOK_DEPENDENCIES: f64 = 16.0;
/// CPU time of a clean build, in seconds: 90 s on two cores.
pub(super) const BUILD: f64 = 180.0;
/// What ten times as much of something may cost, as a multiple.
pub(super) const LINEAR: f64 = 13.0;
/// Peak memory of `sync` with the largest sources, in KiB.
pub(super) const SCALE_MEMORY: f64 = 128.0 * 1024.0;

/// CPU time of the first question about a large crate, in milliseconds.
pub(super) const ITEMS_COLD: f64 = 1_500.0;
/// CPU time of a later question about a crate or a path, and of words over all dependencies, as a multiple of a program
/// that does nothing.
pub(super) const ITEMS: f64 = 10.0;
pub(super) const ITEMS_WORDS: f64 = 20.0;
/// Peak memory of a question about public items, in KiB, and all indexes in the cache, in bytes.
pub(super) const ITEMS_MEMORY: f64 = 256.0 * 1024.0;
pub(super) const ITEMS_CACHE: f64 = 256.0 * 1024.0 * 1024.0;

/// Whether a limit is kept, at the worst of all cases.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Check {
    what: String,
    limit: f64,
    worst: f64,
    at: String,
}

impl Check {
    /// Finds the worst of all cases; `None` when there are none.
    pub(super) fn of(what: &str, limit: f64, cases: impl IntoIterator<Item = (String, f64)>) -> Option<Self> {
        let worst = cases.into_iter().max_by(|(_, one), (_, other)| one.total_cmp(other));
        worst.map(|(at, worst)| Self { what: what.to_owned(), limit, worst, at })
    }

    /// Whether the limit is kept.
    pub(super) fn holds(&self) -> bool {
        self.worst <= self.limit
    }

    /// A row for the table of checks.
    pub(super) fn row(&self) -> [String; 5] {
        let verdict = if self.holds() { "ok" } else { "FAIL" };
        [verdict.to_owned(), self.what.clone(), figure(self.worst), figure(self.limit), format!("at {}", self.at)]
    }
}

/// Whole numbers as such, ratios with three digits.
fn figure(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.3}") }
}

/// One number as a multiple of another.
pub(super) fn ratio(one: u64, of: u64) -> f64 {
    number(one) / number(of)
}

/// A count as a number to compare with a limit.
#[expect(clippy::cast_precision_loss, reason = "measurements have no 52 significant bits")]
pub(super) fn number(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_case_decides() {
        let cases =
            |numbers: &[f64]| numbers.iter().map(|number| (format!("case {number}"), *number)).collect::<Vec<_>>();
        let kept = Check::of("calls", 70.0, cases(&[12.0, 70.0, 30.0])).unwrap();
        assert!(kept.holds());
        assert_eq!(kept.row(), ["ok", "calls", "70", "70", "at case 70"]);
        let broken = Check::of("wall", 1.15, cases(&[1.0, 1.151])).unwrap();
        assert!(!broken.holds());
        assert_eq!(broken.row(), ["FAIL", "wall", "1.151", "1.150", "at case 1.151"]);
        assert_eq!(Check::of("calls", 70.0, []), None);
    }
}
