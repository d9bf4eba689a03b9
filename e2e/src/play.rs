//! Plays scenarios, several at a time, and compares what was found with the table and the book.

#![expect(clippy::disallowed_methods, reason = "the harness cleans up after itself and compares a page of the book")]

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::Outcome;
use crate::agents::{AGENTS, Agent, CURSOR_ENGINE};
use crate::arguments::Arguments;
use crate::drift;
use crate::engine;
use crate::finding::{Ending, Finding, judge};
use crate::matrix;
use crate::print;
use crate::programs::Programs;
use crate::scenarios::{SCENARIOS, Scenario, Verdict, is_representative};
use crate::world::World;

/// The page with the matrix.
const PAGE: &str = "support-matrix.md";

/// One scenario with one agent.
#[derive(Clone, Copy)]
struct Job {
    agent: &'static Agent,
    scenario: &'static Scenario,
}

/// Plays everything that is wanted.
pub(crate) fn play(arguments: &Arguments, programs: &Programs) -> Outcome<ExitCode> {
    let started = Instant::now();
    // Agents show their directory to the model: our name in it would look like a sign of us.
    let runs = std::env::temp_dir().join(format!("agents-e2e-{}", std::process::id()));
    if arguments.engine_only {
        let sound = engine::play(arguments, programs, &runs)?;
        if arguments.is_about_drift() {
            tell_drift(arguments, programs, &[]);
        }
        leave(&runs, sound && !arguments.keep);
        return Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let (engine_is_sound, findings) = std::thread::scope(|scope| {
        let engine = programs.has(&CURSOR_ENGINE).then(|| scope.spawn(|| engine::play(arguments, programs, &runs)));
        let findings = play_all(arguments, programs, &runs);
        let lost = || Err("the scenarios of the engine ended early".to_owned());
        (engine.map_or(Ok(true), |engine| engine.join().unwrap_or_else(|_| lost())), findings)
    });
    let engine_is_sound = engine_is_sound?;
    let failed: Vec<&Finding> = findings.iter().filter(|finding| matches!(finding.ending, Ending::Failed(_))).collect();
    let page = matrix::page(&arguments.agents, &arguments.scenarios, programs, &findings, "");
    print::data(&format!("\n{page}"));
    for finding in &failed {
        if let Ending::Failed(why) = &finding.ending {
            print::data(&format!("FAILED {} with {}: {why}", finding.scenario.name, finding.agent.name));
        }
    }
    let agrees = if arguments.is_about_drift() {
        tell_drift(arguments, programs, &findings)
    } else if arguments.write_matrix && failed.is_empty() && engine_is_sound {
        let all: Vec<&Scenario> = SCENARIOS.iter().collect();
        write(&matrix::page(&AGENTS, &all, programs, &findings, &read_book()))?
    } else {
        agrees_with_book(arguments, &page, &findings)
    };
    let sound = failed.is_empty() && engine_is_sound && agrees;
    leave(&runs, failed.is_empty() && engine_is_sound && !arguments.keep);
    print::data(&format!(
        "e2e: {} passed, {} failed, in {} s",
        findings.len() - failed.len(),
        failed.len(),
        started.elapsed().as_secs()
    ));
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Removes the records of the run, or says where they are.
fn leave(runs: &Path, nobody_needs_them: bool) {
    if nobody_needs_them {
        drop(fs::remove_dir_all(runs));
    } else {
        print::data(&format!("Requests, output and homes are in {}", runs.display()));
    }
}

fn read_book() -> String {
    fs::read_to_string(matrix::book_page(PAGE)).unwrap_or_default()
}

fn write(page: &str) -> Outcome<bool> {
    let book = matrix::book_page(PAGE);
    fs::write(&book, page).map_err(|error| format!("writing `{}`: {error}", book.display()))?;
    print::data(&format!("wrote {}", book.display()));
    Ok(true)
}

/// Compares with the book, as a whole where everything was played.
fn agrees_with_book(arguments: &Arguments, page: &str, findings: &[Finding]) -> bool {
    if arguments.is_complete() {
        let differences = matrix::differences(&read_book(), page);
        if !differences.is_empty() {
            print::data(&format!("The matrix in the book differs (`-` book, `+` this run):\n{differences}"));
        }
        return differences.is_empty();
    }
    let disagreements = matrix::disagreements(&read_book(), findings);
    for disagreement in &disagreements {
        print::data(&format!("The matrix in the book differs: {disagreement}"));
    }
    disagreements.is_empty()
}

/// Says what the newest versions do otherwise; whether they do nothing otherwise.
fn tell_drift(arguments: &Arguments, programs: &Programs, findings: &[Finding]) -> bool {
    let engine = programs.has(&CURSOR_ENGINE).then_some(&CURSOR_ENGINE);
    let run = arguments.agents.iter().copied().chain(engine).map(|agent| (agent, programs.version_of(agent)));
    let rows = drift::rows(&read_book(), findings);
    print::data(&drift::report(&drift::versions(run), &rows));
    rows.is_empty()
}

fn play_all(arguments: &Arguments, programs: &Programs, runs: &Path) -> Vec<Finding> {
    let jobs = jobs(arguments);
    let next = Mutex::new(jobs.iter());
    let findings = Mutex::new(Vec::new());
    // One more than there are processors: agents also wait.
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(4) + 1;
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let job = next.lock().unwrap_or_else(PoisonError::into_inner).next().copied();
                    let Some(job) = job else { return };
                    let finding = play_one(job, arguments, programs, runs);
                    findings.lock().unwrap_or_else(PoisonError::into_inner).push(finding);
                }
            });
        }
    });
    findings.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// What is played, in the order of the table.
fn jobs(arguments: &Arguments) -> Vec<Job> {
    let mut jobs = Vec::new();
    for (number, scenario) in arguments.scenarios.iter().enumerate() {
        for agent in &arguments.agents {
            if !arguments.representative || is_representative(scenario, number, agent, &arguments.agents) {
                jobs.push(Job { agent, scenario });
            }
        }
    }
    jobs
}

fn play_one(job: Job, arguments: &Arguments, programs: &Programs, runs: &Path) -> Finding {
    let Job { agent, scenario } = job;
    let finding = |ending| Finding { agent, scenario, ending };
    let started = Instant::now();
    let root = runs.join(agent.name).join(scenario.name);
    let outcome = World::new(agent, programs, root.clone(), arguments.record_tools).and_then(|world| {
        let verdict = (scenario.play)(&world);
        world.write_tree();
        verdict
    });
    let result = judge(scenario.reason_against(agent.name), outcome);
    let (word, rest) = match &result {
        Ending::AsExpected(Verdict::Works) => ("ok", String::new()),
        Ending::AsExpected(Verdict::WorksBut(what)) => ("ok", format!(": {what}")),
        Ending::AsExpected(Verdict::Absent(how)) => ("cannot", format!(", as expected: {how}")),
        Ending::Failed(why) => ("FAILED", format!(": {why}")),
    };
    let seconds = started.elapsed().as_secs_f32();
    print::data(&format!("{word:8} {:9} {:30}{seconds:5.1} s{rest}", agent.name, scenario.name));
    let is_failure = matches!(result, Ending::Failed(_));
    if !is_failure && !arguments.keep {
        drop(fs::remove_dir_all(&root));
    }
    finding(result)
}
