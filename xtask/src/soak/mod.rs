//! `cargo xtask soak`: a long session, made short: tens of thousands of events from several agents at once, with syncs,
//! changed dependencies and kills in between. What an event costs, and what is kept, must not grow.

#![expect(clippy::disallowed_methods, reason = "chores start programs and look at files; `symposium-io` is not theirs")]

mod cost;
mod events;
mod machine;
mod payload;
mod report;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use crate::print;
use machine::Machine;
use report::{Block, Turns, verdict};

const USAGE: &str = "\
Usage: cargo xtask soak [--events N] [--program PATH]

  --events N       how many events; 40000 if not said
  --program PATH   the program to run; built for release if not said";

/// Events between two looks at everything.
pub(crate) const BLOCK: usize = 1_000;

/// Runs the session and reports.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let Some((events, program)) = read(arguments) else {
        print::talk(USAGE);
        return ExitCode::from(2);
    };
    match soak(events, program) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            print::talk(&format!("error: {why}"));
            ExitCode::FAILURE
        }
    }
}

fn read(arguments: &[String]) -> Option<(usize, Option<PathBuf>)> {
    let (mut events, mut program) = (40_000, None);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--events" => events = arguments.next()?.parse().ok()?,
            "--program" => program = Some(PathBuf::from(arguments.next()?)),
            _ => return None,
        }
    }
    Some((events, program))
}

fn soak(events: usize, program: Option<PathBuf>) -> Result<bool, String> {
    let program = match program {
        Some(program) => program,
        None => build()?,
    };
    let machine = Machine::new(&program)?;
    let started = Instant::now();
    let mut blocks = Vec::new();
    for round in 0..(events / BLOCK).max(2) {
        let kills = machine.chores(round)?;
        let before = cost::of_children()?;
        let failures = events::raise(&machine, round);
        let cpu = cost::of_children()?.saturating_sub(before);
        let (files, bytes) = machine.kept();
        let block = Block { cpu, failures, kills, files, bytes, memory: machine.memory()? };
        if round % 5 == 0 {
            print::talk(&format!("{:>6} events, {:>4} s: {block}", (round + 1) * BLOCK, started.elapsed().as_secs()));
        }
        blocks.push(block);
        machine.let_days_pass()?;
    }
    let turns = in_turns(&program, &machine, blocks.len())?;
    let whole = machine.is_sound();
    let (text, good) = verdict(&blocks, &turns, started.elapsed());
    print::data(&text);
    match &whole {
        Ok(()) => print::data("the user's files are as they were, and uninstalling left nothing"),
        Err(why) => print::data(&format!("NOT SOUND: {why}")),
    }
    Ok(good && whole.is_ok())
}

/// The last thousand events once more, in turns with the first thousand of a machine that was set up just now: what else
/// runs on this computer slows both alike, so that only what the session left behind can make a difference.
fn in_turns(program: &Path, machine: &Machine, rounds: usize) -> Result<Turns, String> {
    let fresh = Machine::new(program)?;
    // The same dependencies, synchronised, as before every block.
    for machine in [&fresh, machine] {
        machine.chores(rounds)?;
    }
    let mut turns = Turns::default();
    for (index, part) in events::parts().enumerate() {
        let order = if index.is_multiple_of(2) { [true, false] } else { [false, true] };
        for is_fresh in order {
            let before = cost::of_children()?;
            turns.failures += events::raise_part(if is_fresh { &fresh } else { machine }, rounds, part.clone());
            let spent = cost::of_children()?.saturating_sub(before);
            *(if is_fresh { &mut turns.fresh } else { &mut turns.worn }) += spent;
        }
    }
    Ok(turns)
}

fn build() -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    print::talk("building: cargo build --release --package symposium");
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--package", "symposium", "--bin", "symposium"])
        .current_dir(&repository)
        .status()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository.join("target"), PathBuf::from);
    if status.success() { Ok(target.join("release/symposium")) } else { Err("the program does not build".to_owned()) }
}

/// Time as people read it.
fn milliseconds(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}
