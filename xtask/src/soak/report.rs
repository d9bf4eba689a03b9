//! What the blocks of a session say together.

use std::fmt;
use std::time::Duration;

use super::milliseconds;

/// What a thousand events cost, and what there was afterwards.
pub(super) struct Block {
    /// Processor time of the hooks and everything they started.
    pub(super) cpu: Duration,
    /// Events that were not answered with exit 0 in time.
    pub(super) failures: usize,
    /// Runs that were killed before them.
    pub(super) kills: usize,
    pub(super) files: usize,
    pub(super) bytes: u64,
    /// What a hook used at most, in KiB.
    pub(super) memory: u64,
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cpu, failures, files, bytes, memory, .. } = self;
        let bytes = bytes / 1024;
        write!(f, "{} of CPU, {files} files, {bytes} KiB, peak {memory} KiB, {failures} failed", milliseconds(*cpu))
    }
}

/// A thousand events on a machine set up just now, in turns with a thousand on the one of the session.
#[derive(Default)]
pub(super) struct Turns {
    /// Processor time on the new machine.
    pub(super) fresh: Duration,
    /// Processor time on the one of the session.
    pub(super) worn: Duration,
    /// Events that failed on either.
    pub(super) failures: usize,
}

/// How much more the end may cost or keep than the beginning, in percent.
const TOLERANCE: u128 = 10;

/// The figures, and whether they are as they should be.
pub(super) fn verdict(blocks: &[Block], turns: &Turns, took: Duration) -> (String, bool) {
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
        return ("nothing was run".to_owned(), false);
    };
    // By then the oldest sessions are as old as they become.
    let settled = blocks.get(blocks.len() / 2).unwrap_or(last);
    let failures = turns.failures + blocks.iter().map(|block| block.failures).sum::<usize>();
    let kills: usize = blocks.iter().map(|block| block.kills).sum();
    let change = |from: u128, to: u128| (to.saturating_mul(1000) / from.max(1)).saturating_sub(1000);
    // The computer is not as busy in the end as it was in the beginning, so what counts is measured in turns.
    let costlier = change(turns.fresh.as_micros(), turns.worn.as_micros()) > TOLERANCE * 10;
    let more_files = change(settled.files as u128, last.files as u128) > TOLERANCE * 10;
    let more_bytes = last.bytes > settled.bytes + 1024 * 1024;
    let more_memory = change(u128::from(first.memory), u128::from(last.memory)) > TOLERANCE * 10;
    let word = |bad: bool| if bad { "NOT GOOD" } else { "good" };
    let percent = |from: Duration, to: Duration| (to.as_secs_f64() / from.as_secs_f64().max(1e-9) - 1.0) * 100.0;
    let text = [
        format!(
            "{} events in {} s, {kills} runs killed, {failures} events failed",
            blocks.len() * super::BLOCK,
            took.as_secs()
        ),
        format!("first thousand: {first}"),
        format!("in the middle:  {settled}"),
        format!("last thousand:  {last}"),
        format!("CPU of the last against the first, minutes apart: {:+.1} %", percent(first.cpu, last.cpu)),
        format!(
            "in turns: first thousand of a new machine {}, last thousand {}: {:+.1} % ({})",
            milliseconds(turns.fresh),
            milliseconds(turns.worn),
            percent(turns.fresh, turns.worn),
            word(costlier)
        ),
        format!("files {} to {} ({})", settled.files, last.files, word(more_files)),
        format!("KiB kept {} to {} ({})", settled.bytes / 1024, last.bytes / 1024, word(more_bytes)),
        format!("peak memory of a hook {} to {} KiB ({})", first.memory, last.memory, word(more_memory)),
    ]
    .join("\n");
    (text, failures == 0 && !costlier && !more_files && !more_bytes && !more_memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(cpu: u64, files: usize, failures: usize) -> Block {
        Block { cpu: Duration::from_millis(cpu), failures, kills: 1, files, bytes: 10, memory: 100 }
    }

    #[test]
    fn growth_and_failures_are_seen() {
        let turns =
            |fresh, worn| Turns { fresh: Duration::from_millis(fresh), worn: Duration::from_millis(worn), failures: 0 };
        let same = turns(1000, 1090);
        let judged = |blocks: &[Block], turns: &Turns| verdict(blocks, turns, Duration::from_secs(1)).1;
        assert!(judged(&[block(1000, 5, 0), block(1000, 9, 0), block(1300, 9, 0)], &same), "what else ran is not ours");
        assert!(judged(&[block(1000, 9, 0), block(1000, 9, 0)], &turns(1000, 900)), "cheaper is fine");
        assert!(!judged(&[block(1000, 9, 0), block(1000, 9, 0)], &turns(1000, 1200)));
        assert!(!judged(&[block(1000, 9, 0), block(1000, 9, 0), block(1000, 19, 0)], &same));
        assert!(!judged(&[block(1000, 9, 1), block(1000, 9, 0)], &same));
        assert!(!judged(&[], &same));
    }
}
