//! What programs cost in time and memory, started in turns so that the load of the machine weighs on all alike.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::cases::Case;
use super::home::Home;

/// One program that is started again and again.
pub(super) struct Entrant<'a> {
    /// The home directory it runs in.
    pub(super) home: &'a Home,
    /// The program.
    pub(super) program: PathBuf,
    /// The event it answers; none for programs that are only there to compare with.
    pub(super) case: Option<&'a Case>,
}

/// What it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cost {
    /// The least wall time of a run, in nanoseconds.
    pub(super) wall: u64,
    /// The CPU time of all runs, in microseconds.
    pub(super) cpu: u64,
    /// The largest resident set, in KiB.
    pub(super) memory: u64,
}

/// Starts each entrant `rounds` times, in turns.
pub(super) fn measure(meter: &Path, rounds: u32, entrants: &[Entrant<'_>]) -> Result<Vec<Cost>, String> {
    let Some(first) = entrants.first() else { return Ok(Vec::new()) };
    let base = &first.home.directory;
    let (list, report) = (base.join("meter-list"), base.join("meter-report"));
    let lines: Vec<String> = entrants.iter().map(Entrant::line).collect();
    fs::write(&list, lines.concat()).map_err(|error| format!("`{}`: {error}", list.display()))?;
    let mut command = first.home.command(meter);
    command.arg(rounds.to_string()).args([&list, &report]).stdout(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("the meter failed: {status}")),
        Err(error) => return Err(format!("`{}` does not start: {error}", meter.display())),
    }
    let text = fs::read_to_string(&report).map_err(|error| format!("`{}`: {error}", report.display()))?;
    let costs: Vec<Cost> =
        text.lines().zip(entrants).map(|(line, entrant)| cost(line, entrant)).collect::<Result<_, _>>()?;
    if costs.len() == entrants.len() { Ok(costs) } else { Err("the meter reported too little".to_owned()) }
}

impl Entrant<'_> {
    /// Its line in the meter's list.
    fn line(&self) -> String {
        let home = self.home.directory.display();
        let program = self.program.display();
        match self.case {
            Some(case) => {
                let input = self.home.event(case);
                format!("{home}\t{}\t{program}\thook\t{}\t{}\n", input.display(), case.agent, case.event)
            }
            None => format!("{home}\t/dev/null\t{program}\n"),
        }
    }
}

fn cost(line: &str, entrant: &Entrant<'_>) -> Result<Cost, String> {
    let numbers: Vec<u64> = line.split('\t').filter_map(|number| number.parse().ok()).collect();
    match numbers.as_slice() {
        [wall, cpu, memory, 0] => Ok(Cost { wall: *wall, cpu: *cpu, memory: *memory }),
        [_, _, _, failures] => Err(format!("`{}` failed {failures} times", entrant.line().trim_end())),
        _ => Err(format!("the meter said `{line}`")),
    }
}
