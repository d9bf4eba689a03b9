//! Runs the real agents, each against a scripted model on loopback, and says what of Symposium works in which.
//!
//! `cargo xtask e2e` builds Symposium and starts this program. It installs the agents, starts itself again in a network
//! namespace that has only loopback, and plays every scenario of one table in a fresh home.

mod agents;
mod arguments;
mod drift;
mod engine;
mod finding;
mod fixture;
mod http;
mod matrix;
mod model;
mod names;
mod namespace;
mod play;
mod print;
mod probe;
mod process;
mod programs;
mod recorded;
mod scenarios;
mod tools;
mod world;

use std::process::ExitCode;

use agents::{AGENTS, Agent, CURSOR_ENGINE};
use arguments::{Arguments, Wanted};
use programs::Programs;

/// A value, or the sentence that says why there is none.
pub(crate) type Outcome<T> = Result<T, String>;

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let outcome = match given.split_first() {
        Some((first, _)) if first == probe::ARGUMENT => {
            probe::serve();
            Ok(ExitCode::SUCCESS)
        }
        Some((first, rest)) if first == namespace::INSIDE => inside(rest),
        Some(_) | None => outside(&given),
    };
    outcome.unwrap_or_else(|problem| {
        print::talk(&format!("e2e: {problem}"));
        ExitCode::from(2)
    })
}

/// With the network: what is wanted, and its installation.
fn outside(given: &[String]) -> Outcome<ExitCode> {
    let arguments = match Arguments::parse(given)? {
        Wanted::Help => {
            print::data(arguments::USAGE);
            return Ok(ExitCode::SUCCESS);
        }
        Wanted::List => {
            print::data(&scenarios::list());
            return Ok(ExitCode::SUCCESS);
        }
        Wanted::Run(arguments) => arguments,
    };
    if let Some(what) = namespace::missing() {
        print::talk(&format!("e2e: skipped: {what}"));
        return Ok(ExitCode::SUCCESS);
    }
    let mut wanted = arguments.agents.clone();
    wanted.extend(arguments.plays_engine().then_some(&CURSOR_ENGINE));
    let programs = Programs::install(&wanted, arguments.versions, &arguments.chosen)?;
    let versions: Vec<String> = programs.versions().iter().map(|(name, version)| format!("{name}={version}")).collect();
    let mut again = vec![programs.cache().display().to_string(), versions.join(",")];
    again.extend(given.iter().cloned());
    namespace::enter(&again)
}

/// Without the network: the scenarios.
fn inside(given: &[String]) -> Outcome<ExitCode> {
    let [cache, versions, rest @ ..] = given else { return Err("the harness starts itself wrongly".to_owned()) };
    let Wanted::Run(mut arguments) = Arguments::parse(rest)? else { return Err("there is nothing to run".to_owned()) };
    namespace::settle()?;
    names::refuse_all();
    let installed = |agent: &Agent| {
        let mut pairs = versions.split(',').filter_map(|pair| pair.split_once('='));
        pairs.find(|(name, _)| *name == agent.name).map(|(_, version)| version.to_owned())
    };
    arguments.agents.retain(|agent| installed(agent).is_some());
    let known = AGENTS.iter().copied().chain([&CURSOR_ENGINE]);
    let versions = known.filter_map(|agent| Some((agent.name, installed(agent)?))).collect();
    let programs = Programs::find(cache.into(), versions)?;
    play::play(&arguments, &programs)
}
