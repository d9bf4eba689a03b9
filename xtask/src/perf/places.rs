//! The hook with nothing to do, wherever it is called: in every home and project, before a tool, by every agent.

use std::path::Path;
use std::{thread, time};

use super::cases::{self, Case};
use super::counts::{Counters, Counts};
use super::figures::{PlaceFigures, Reference};
use super::home::Home;
use super::job::Job;
use super::programs::Programs;
use super::times::{Cost, Entrant, Meter};
use super::workspace::{COLD, Shape};

/// How often each is started: there are many, and all of them cost nearly the same.
const ROUNDS: u32 = 100;

struct Place {
    plugins: usize,
    shape: Shape,
    jobs: Vec<Job>,
}

/// Measures the static release in all homes.
pub(super) fn measure(
    repository: &Path,
    programs: &Programs,
    (counters, meter): (Counters, &Meter),
    homes: &[(usize, Home)],
) -> Result<Vec<PlaceFigures>, String> {
    let cases: Vec<Case> = cases::all().into_iter().filter(|case| case.event == "pre-tool-use").collect();
    let mut places = Vec::new();
    for (plugins, home) in homes {
        for (shape, project) in home.projects().filter(|(shape, _)| *shape != COLD) {
            let job = |case: &Case| {
                let title = format!("{}, {} packages", case.title(), shape.packages);
                home.hook_in(repository, case, project, &title)
            };
            let jobs = cases.iter().map(job).collect::<Result<Vec<Job>, String>>()?;
            settle(&jobs, &programs.shipped, &cases)?;
            places.push(Place { plugins: *plugins, shape, jobs });
        }
    }
    crate::print::talk("measuring the hook in every home and project");
    let entrant = |program: &Path, job: &Job| Entrant { program: program.to_owned(), job: job.clone() };
    let mut entrants: Vec<Entrant> =
        places.iter().flat_map(|place| &place.jobs).map(|job| entrant(&programs.shipped, job)).collect();
    let bare = entrants.first().map(|first| Job { args: Vec::new(), ..first.job.clone() });
    let bare = bare.ok_or("there is no place to measure in")?;
    entrants.extend([entrant(Path::new("/bin/true"), &bare), entrant(&programs.nothing, &bare)]);
    let mut costs = meter.measure(ROUNDS, &entrants)?;
    let (Some(nothing), Some(shell_true)) = (costs.pop(), costs.pop()) else {
        return Err("the meter reported too little".to_owned());
    };
    let mut costs = costs.into_iter();
    let mut figures = Vec::new();
    for Place { plugins, shape, jobs } in places {
        let mut counts = Counts::default();
        for job in &jobs {
            counts = counts.worst(counters.count(&programs.shipped, job)?);
        }
        let cost = costs.by_ref().take(jobs.len()).reduce(Cost::worst).ok_or("the meter reported too little")?;
        figures.push(PlaceFigures { plugins, shape, counts, cost, around: Reference { shell_true, nothing } });
    }
    Ok(figures)
}

/// Answers every event twice: a plan compiled right after its sources were written is not trusted for long, and from
/// here on everything must be as on any other day. Every answer must be the neutral one.
pub(super) fn settle(jobs: &[Job], program: &Path, cases: &[Case]) -> Result<(), String> {
    for _ in 0..2 {
        thread::sleep(time::Duration::from_millis(50));
        for (job, case) in jobs.iter().zip(cases) {
            let run = job.run(&[program])?;
            let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
            if !run.status.success() || out.trim_end() != case.neutral() || !err.is_empty() {
                let title = &job.title;
                return Err(format!("`{title}` is answered with `{out}`, `{err}`, {}, not neutrally", run.status));
            }
        }
    }
    Ok(())
}
