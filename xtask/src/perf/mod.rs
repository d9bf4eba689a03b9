//! `cargo xtask perf`: what the hook costs when there is nothing to do, against its budgets and an earlier run.
//!
//! The static release, the ordinary one and a program that does nothing are built first. Then every event of every agent
//! is answered in a project of a person with 10 plugins and of one with 10 000, set up by `symposium init` itself.
#![expect(clippy::disallowed_methods, reason = "a chore works on its own repository and is no part of the program")]

mod baseline;
mod budget;
mod cases;
mod counts;
mod home;
mod options;
mod programs;
mod report;
mod table;
mod times;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, thread, time};

use cases::Case;
use counts::{Counters, Counts};
use home::Home;
use options::Options;
use report::Report;
use times::{Cost, Entrant};

const FEW: usize = 10;
const MANY: usize = 10_000;

/// How often programs are started when only their memory is asked for.
const QUICK_ROUNDS: u32 = 3;

/// Runs the chore.
pub(crate) fn run(args: &[String]) -> ExitCode {
    let Some(options) = options::read(args) else {
        crate::print::talk(options::USAGE);
        return ExitCode::from(2);
    };
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        crate::print::talk("skipped: the budgets are for 64-bit Linux on Intel and AMD");
        return ExitCode::SUCCESS;
    }
    match perform(&options) {
        Ok(report) => {
            crate::print::data(&report.text);
            if report.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(problem) => {
            crate::print::talk(&format!("error: {problem}"));
            ExitCode::FAILURE
        }
    }
}

/// Everything that was measured.
struct Measured {
    cases: Vec<CaseFigures>,
    /// `/bin/true`.
    shell_true: Option<Cost>,
    /// A program that does nothing.
    nothing: Option<Cost>,
    rounds: u32,
}

/// What was measured at one case.
struct CaseFigures {
    title: String,
    few: Counts,
    many: Counts,
    /// The static release, with many plugins.
    shipped: Cost,
    /// The ordinary release, with many plugins.
    ordinary: Option<Cost>,
    peer: Option<Cost>,
}

fn perform(options: &Options) -> Result<Report, String> {
    let repository = repository();
    let shipped = programs::static_release(&repository)?;
    let probes = programs::probes(&repository)?;
    let ordinary = if options.quick { None } else { Some(programs::ordinary_release(&repository)?) };
    let counters = Counters::find();
    let cases = cases::all();

    let base = tempfile::Builder::new().prefix("symposium-perf-").tempdir().map_err(|error| error.to_string())?;
    let shipped = programs::install(&shipped, &base.path().join("static"))?;
    let ordinary = ordinary.map(|program| programs::install(&program, &base.path().join("ordinary"))).transpose()?;
    let nothing = programs::install(&probes.nothing, &base.path().join("ordinary"))?;
    crate::print::talk(&format!("setting up homes with {FEW} and {MANY} plugins"));
    let home = |plugins| -> Result<Home, String> {
        let home = Home::create(base.path(), plugins, &shipped)?;
        home.write_events(&repository, &cases)?;
        Ok(home)
    };
    let (few, many) = (home(FEW)?, home(MANY)?);
    // A guest keeps its own things in its own home.
    let for_peer = options.peer.is_some().then(|| home(MANY + 1)).transpose()?;
    for home in [&few, &many] {
        settle(home, &shipped, &cases)?;
    }

    crate::print::talk("counting instructions and system calls");
    let mut counted = Vec::new();
    for case in &cases {
        counted.push((counters.count(&few, &shipped, case)?, counters.count(&many, &shipped, case)?));
    }

    let rounds = if options.quick { QUICK_ROUNDS } else { options.rounds };
    crate::print::talk(&format!("starting every program {rounds} times, in turns"));
    let mut costs = times::measure(
        &probes.meter,
        rounds,
        &entrants(&cases, &many, &shipped, ordinary.as_ref().map(|ordinary| (ordinary, &nothing)), {
            options.peer.as_ref().zip(for_peer.as_ref())
        }),
    )?
    .into_iter();

    let count = cases.len();
    let shipped: Vec<Cost> = costs.by_ref().take(count).collect();
    let (shell_true, nothing) = if options.quick { (None, None) } else { (costs.next(), costs.next()) };
    let mut rest =
        |wanted: bool| -> Vec<Cost> { if wanted { costs.by_ref().take(count).collect() } else { Vec::new() } };
    let ordinary = rest(!options.quick);
    let peer = rest(options.peer.is_some());
    let cases = cases.iter().zip(counted).zip(shipped).enumerate().map(|(at, ((case, (few, many)), shipped))| {
        let (ordinary, peer) = (ordinary.get(at).copied(), peer.get(at).copied());
        CaseFigures { title: case.title(), few, many, shipped, ordinary, peer }
    });
    let measured = Measured { cases: cases.collect(), shell_true, nothing, rounds };
    report::compose(&measured, &known(&repository, options, &measured)?)
}

/// What takes turns: the static release at every case; then what it is compared with; then others at every case.
fn entrants<'a>(
    cases: &'a [Case],
    many: &'a Home,
    shipped: &Path,
    compared: Option<(&PathBuf, &PathBuf)>,
    peer: Option<(&PathBuf, &'a Home)>,
) -> Vec<Entrant<'a>> {
    let at_every_case = |program: &Path, home: &'a Home| -> Vec<Entrant<'a>> {
        cases.iter().map(|case| Entrant { home, program: program.to_owned(), case: Some(case) }).collect()
    };
    let mut entrants = at_every_case(shipped, many);
    if let Some((ordinary, nothing)) = compared {
        entrants.push(Entrant { home: many, program: "/bin/true".into(), case: None });
        entrants.push(Entrant { home: many, program: nothing.clone(), case: None });
        entrants.extend(at_every_case(ordinary, many));
    }
    if let Some((peer, home)) = peer {
        entrants.extend(at_every_case(peer, home));
    }
    entrants
}

/// Answers every event twice: a plan compiled right after its sources were written is not trusted for long, and from
/// here on everything must be as on any other day. Every answer must be the neutral one.
fn settle(home: &Home, program: &Path, cases: &[Case]) -> Result<(), String> {
    for _ in 0..2 {
        thread::sleep(time::Duration::from_millis(50));
        for case in cases {
            let run = home.hook(&[program], case)?;
            let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
            if !run.status.success() || out.trim_end() != case.neutral() || !err.is_empty() {
                let title = case.title();
                return Err(format!("`{title}` is answered with `{out}`, `{err}`, {}, not neutrally", run.status));
            }
        }
    }
    Ok(())
}

/// The counts of an earlier run; those of this one if it is to be kept.
fn known(repository: &Path, options: &Options, measured: &Measured) -> Result<baseline::Baseline, String> {
    let file = repository.join(baseline::FILE);
    let about = |error: String| format!("`{}`: {error}", baseline::FILE);
    if options.write_baseline {
        let counts: Vec<(String, Counts)> = measured.cases.iter().map(|case| (case.title.clone(), case.many)).collect();
        fs::write(&file, baseline::render(&counts)).map_err(|error| about(error.to_string()))?;
    }
    let text = fs::read_to_string(&file).map_err(|error| about(error.to_string()))?;
    baseline::parse(&text).map_err(about)
}

/// The root of this repository.
fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}
