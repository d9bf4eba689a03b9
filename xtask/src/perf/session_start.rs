//! The start of a session in a project with very many direct dependencies, each with guidance.

use std::fs;
use std::path::Path;

use super::counts::{Counters, Counts};
use super::home::{Contents, Home};
use super::job::Job;
use super::programs::Programs;
use super::times::{Cost, Entrant, Meter};
use super::workspace::{Shape, direct_dependencies};

/// A project with 200 direct dependencies.
const SHAPE: Shape = Shape { packages: 1_956, members: 1 };

/// How it is called in tables and in the baseline.
pub(super) const TITLE: &str = "claude session-start, 200 dependencies with guidance";

/// What the hook does, and how many bytes its answer has.
#[derive(Debug, Clone, Copy)]
pub(super) struct StartCounts {
    pub(super) counts: Counts,
    pub(super) answer: usize,
    /// Nothing in a quick run.
    pub(super) times: Option<StartTimes>,
}

/// The hook, and a program that does nothing, started in turns.
#[derive(Debug, Clone, Copy)]
pub(super) struct StartTimes {
    pub(super) hook: Cost,
    pub(super) nothing: Cost,
}

/// Counts what the hook does when a session starts and nothing changed since the last one, and how long that takes
/// if it is to be started some times.
pub(super) fn measure(
    base: &Path,
    repository: &Path,
    programs: &Programs,
    counters: Counters,
    (meter, rounds): (&Meter, Option<u32>),
) -> Result<StartCounts, String> {
    let program = &programs.shipped;
    let contents = Contents { plugins: 0, skills: 1, handler: None, projects: &[SHAPE] };
    let home = Home::create(base, "home-start", &contents, program)?;
    let about = |error: std::io::Error| format!("the home of a session start: {error}");
    for name in direct_dependencies(SHAPE) {
        let front = format!("name: about-{name}\ndescription: Use when working with {name}.\ncrates: {name}");
        let digest = format!("`{name}::new` panics when it is called twice; use `{name}::get` instead.");
        let plugin = home.plugins().join(format!("about-{name}"));
        fs::create_dir_all(&plugin).map_err(about)?;
        fs::write(plugin.join("SKILL.md"), format!("---\n{front}\ndigest: \"{digest}\"\n---\nText.\n"))
            .map_err(about)?;
    }
    let quiet = "[defaults]\nsymposium-recommendations = false\n\n[update]\nnotice = false\n";
    fs::write(home.plugins().with_file_name("config.toml"), format!("[agent]\nname = \"claude\"\n\n{quiet}"))
        .map_err(about)?;
    Home::settle(&[&home], program)?;
    let recorded = repository.join("crates/agents/tests/payloads/claude/SessionStart.startup.json");
    let event = fs::read_to_string(&recorded).map_err(|error| format!("`{}`: {error}", recorded.display()))?;
    let event = event.replace("/home/user/project", &home.project().display().to_string());
    let job = home.job_with("a start", home.project(), &["hook", "claude", "session-start"], &event)?;
    let mut answer = Vec::new();
    for _ in 0..2 {
        answer = job.run(&[program])?.stdout;
    }
    let counts = counters.count(program, &job)?;
    let nothing = Job { args: Vec::new(), ..job.clone() };
    let entrants = [(program, job), (&programs.nothing, nothing)];
    let entrants = entrants.map(|(program, job)| Entrant { program: program.clone(), job });
    let costs = rounds.map(|rounds| meter.measure(rounds, &entrants)).transpose()?;
    let times = costs.map(|costs| match *costs {
        [hook, nothing] => Ok(StartTimes { hook, nothing }),
        _ => Err("the meter reported too little".to_owned()),
    });
    Ok(StartCounts { counts, answer: answer.len(), times: times.transpose()? })
}
