//! What programs cost in time and memory, started in turns so that the load of the machine weighs on all alike.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::job::Job;

/// A program that is started again and again, to do the same thing.
#[derive(Debug, Clone)]
pub(super) struct Entrant {
    pub(super) program: PathBuf,
    pub(super) job: Job,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cost {
    /// The least wall time of a run, in nanoseconds.
    pub(super) wall: u64,
    /// The least CPU time of a run and of all it started, in microseconds.
    pub(super) cpu: u64,
    /// The largest resident set, in KiB.
    pub(super) memory: u64,
}

impl Cost {
    pub(super) fn worst(self, other: Self) -> Self {
        let (wall, cpu) = (self.wall.max(other.wall), self.cpu.max(other.cpu));
        Self { wall, cpu, memory: self.memory.max(other.memory) }
    }

    pub(super) fn least(self, other: Self) -> Self {
        let memory = self.memory.max(other.memory);
        Self { wall: self.wall.min(other.wall), cpu: self.cpu.min(other.cpu), memory }
    }
}

/// Starts programs and measures them.
#[derive(Debug, Clone)]
pub(super) struct Meter {
    /// The program that does it.
    pub(super) program: PathBuf,
    pub(super) directory: PathBuf,
}

impl Meter {
    /// Starts each entrant `rounds` times, in turns.
    pub(super) fn measure(&self, rounds: u32, entrants: &[Entrant]) -> Result<Vec<Cost>, String> {
        let Some(first) = entrants.first() else { return Ok(Vec::new()) };
        let (list, report) = (self.directory.join("meter-list"), self.directory.join("meter-report"));
        let lines: Vec<String> = entrants.iter().map(|entrant| entrant.job.line(&entrant.program)).collect();
        fs::write(&list, lines.concat()).map_err(|error| format!("`{}`: {error}", list.display()))?;
        // The environment of the jobs is the same for all, but for what the meter sets itself.
        let around: Command = first.job.command(&[&self.program])?;
        let mut command = Command::new(&self.program);
        command.env_clear().envs(around.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.arg(rounds.to_string()).args([&list, &report]).stdin(Stdio::null()).stdout(Stdio::null());
        match command.status() {
            Ok(status) if status.success() => {}
            Ok(status) => return Err(format!("the meter failed: {status}")),
            Err(error) => return Err(format!("`{}` does not start: {error}", self.program.display())),
        }
        let text = fs::read_to_string(&report).map_err(|error| format!("`{}`: {error}", report.display()))?;
        let costs: Vec<Cost> =
            text.lines().zip(&lines).map(|(line, entrant)| cost(line, entrant)).collect::<Result<_, _>>()?;
        if costs.len() == entrants.len() { Ok(costs) } else { Err("the meter reported too little".to_owned()) }
    }
}

fn cost(line: &str, entrant: &str) -> Result<Cost, String> {
    let numbers: Vec<u64> = line.split('\t').filter_map(|number| number.parse().ok()).collect();
    match numbers.as_slice() {
        [wall, cpu, memory, 0] => Ok(Cost { wall: *wall, cpu: *cpu, memory: *memory }),
        [_, _, _, failures] => Err(format!("`{}` failed {failures} times", entrant.trim_end())),
        _ => Err(format!("the meter said `{line}`")),
    }
}
