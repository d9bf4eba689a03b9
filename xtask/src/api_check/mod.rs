//! `cargo xtask api-check`: what `symposium-api` finds in well-known crates, held against rustdoc's own JSON.

#![expect(clippy::disallowed_methods, reason = "a chore reads the sources of crates and starts cargo")]

mod compare;
mod graph;
mod indexes;
mod options;
mod questions;
mod render;
mod report;
mod scratch;
mod signatures;
mod truth;

use std::process::ExitCode;
use std::time::Instant;

use crate::print;

/// Fails when a bound is passed.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    match check(arguments) {
        Ok(problems) if problems.is_empty() => ExitCode::SUCCESS,
        Ok(problems) => {
            for problem in problems {
                print::data(&format!("FAIL  {problem}"));
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            print::talk(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Compares, prints a table, and returns the bounds that are passed.
fn check(arguments: &[String]) -> Result<Vec<String>, String> {
    let options = options::CheckOptions::parse(arguments)?;
    let project = scratch::ScratchProject::prepare(&options)?;
    let graph = graph::PackageGraph::read(&project.read_metadata()?, &project.read_units()?)?;
    let started = Instant::now();
    let listed = graph.listed(&options.crates)?;
    let (indexes, timings) = indexes::index_all(&graph, &listed);
    print::talk(&format!("{} packages indexed in {:.1?}", indexes.len(), started.elapsed()));
    let mut slowest: Vec<_> = timings.iter().collect();
    slowest.sort_by(|one, other| other.1.cmp(one.1));
    for (package, took) in slowest.into_iter().take(options.slowest) {
        print::talk(&format!("  {:.3?} {} {}", took, package.name, package.version));
    }
    let mut docs = truth::DocStore::new(&project, &graph);
    let mut report = report::CheckReport::default();
    for package in &listed {
        let Some(index) = indexes.get(package) else { continue };
        match docs.public_items(package) {
            Ok(truth) => report.add(compare::compare(index, &truth, graph.root(package))),
            Err(why) => return Err(format!("{} {}: {why}", package.name, package.version)),
        }
    }
    print::data(&report.render(&options));
    if options.crates.is_empty() && !options.is_quick {
        // Of three versions of rand the newest, as a workspace would have it.
        let direct = listed.iter().filter(|package| package.name != "rand" || package.version.starts_with("0.10"));
        let asked = questions::ask_all(&direct.filter_map(|package| indexes.get(package)).collect::<Vec<_>>());
        print::data(&format!("questions: {} of {}", asked.asked - asked.failed.len(), asked.asked));
        asked.failed.iter().for_each(|failed| print::data(&format!("    {failed}")));
        report.questions = (asked.asked, asked.failed.len());
    }
    Ok(report.problems(&options))
}
