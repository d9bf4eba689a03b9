//! The events of one block: four agents at once, each with the events of a working day.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::BLOCK;
use super::machine::Machine;
use super::payload::about;

const AGENTS: [&str; 4] = ["claude", "gemini", "codex", "copilot"];

/// No event may take longer.
const LIMIT: Duration = Duration::from_secs(9);

/// Raises all events of a block; how many of them failed.
pub(super) fn raise(machine: &Machine, round: usize) -> usize {
    raise_part(machine, round, 0..BLOCK / AGENTS.len())
}

/// The parts that a block can be cut into, to do two in turns.
pub(super) fn parts() -> impl Iterator<Item = Range<usize>> {
    let part = 25;
    (0..BLOCK / AGENTS.len() / part).map(move |index| index * part..(index + 1) * part)
}

/// Raises some events of a block, by their numbers with each agent; how many of them failed.
pub(super) fn raise_part(machine: &Machine, round: usize, numbers: Range<usize>) -> usize {
    std::thread::scope(|scope| {
        let start = |agent| {
            let numbers = numbers.clone();
            scope.spawn(move || of_agent(machine, agent, round, numbers))
        };
        let workers: Vec<_> = AGENTS.into_iter().map(start).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or(BLOCK)).sum()
    })
}

fn of_agent(machine: &Machine, agent: &str, round: usize, numbers: Range<usize>) -> usize {
    let mut failures = 0;
    let workspace = machine.path("workspace");
    for number in numbers {
        let (event, tool) = match number % 25 {
            0 if number % 125 == 0 => ("session-start", ""),
            0 => ("stop", ""),
            1 | 13 => ("user-prompt-submit", ""),
            n if n % 2 == 0 => ("pre-tool-use", if n == 6 { "Bash" } else { "Read" }),
            _ => ("post-tool-use", "Read"),
        };
        let session = format!("{agent}-{round}-{}", number / 125);
        let payload = about(agent, tool, &session, &workspace);
        let started = Instant::now();
        let ended = machine
            .start(&["hook", agent, event], &payload)
            .and_then(|mut child| child.wait().map_err(|e| e.to_string()));
        let good = ended.is_ok_and(|status| status.success()) && started.elapsed() < LIMIT;
        failures += usize::from(!good);
    }
    failures
}
