//! The hook before a tool, in a project with very many active plugins whose hooks are for another event.

use std::path::Path;
use std::{fs, io};

use super::cases;
use super::counts::{Counters, Counts};
use super::home::{Contents, Home};
use super::programs::Programs;
use super::times::{Cost, Entrant, Meter};
use super::workspace::Shape;

/// How many plugins are active.
pub(super) const ACTIVE: [usize; 2] = [10, 1_000];

const PROJECT: Shape = Shape { packages: 10, members: 1 };

/// The hook with a few and with very many active plugins.
#[derive(Debug, Clone, Copy)]
pub(super) struct ActiveFigures {
    pub(super) counts: [Counts; 2],
    /// At a prompt, with very many.
    pub(super) prompt: Counts,
    /// Nothing in a quick run.
    pub(super) shipped: Option<[Cost; 2]>,
    pub(super) ordinary: Option<[Cost; 2]>,
}

pub(super) fn measure(
    base: &Path,
    repository: &Path,
    programs: &Programs,
    counters: Counters,
    meter: &Meter,
    rounds: Option<u32>,
) -> Result<ActiveFigures, String> {
    crate::print::talk(&format!("measuring the hook with {ACTIVE:?} active plugins"));
    let case = |title: &str| cases::all().into_iter().find(|case| case.title() == title).ok_or("a case is missing");
    let (case, prompt) = (case("claude pre-tool-use")?, case("claude user-prompt-submit")?);
    let mut prompts = None;
    let mut jobs = Vec::new();
    for active in ACTIVE {
        let contents = Contents { plugins: 0, skills: 0, handler: None, projects: &[PROJECT] };
        let home = Home::create(base, &format!("active-{active:04}"), &contents, &programs.shipped)?;
        write_plugins(&home.plugins(), active).map_err(|error| format!("`{}`: {error}", home.plugins().display()))?;
        Home::settle(&[&home], &programs.shipped)?;
        let job = home.hook(repository, &case)?;
        job.run(&[&programs.shipped])?;
        jobs.push(job);
        prompts = Some(home.hook(repository, &prompt)?);
    }
    let [few, many] = jobs.as_slice() else { return Err("there is no pair".to_owned()) };
    let counts = [counters.count(&programs.shipped, few)?, counters.count(&programs.shipped, many)?];
    let prompt = counters.count(&programs.shipped, &prompts.ok_or("there is no prompt")?)?;
    let figures = ActiveFigures { counts, prompt, shipped: None, ordinary: None };
    let Some(rounds) = rounds else { return Ok(figures) };
    let all = [Some(&programs.shipped), programs.ordinary.as_ref()];
    let entrants = all
        .into_iter()
        .flatten()
        .flat_map(|program| [few, many].map(|job| Entrant { program: program.clone(), job: job.clone() }));
    match *meter.measure(rounds, &entrants.collect::<Vec<_>>())? {
        [few, many] => Ok(ActiveFigures { shipped: Some([few, many]), ..figures }),
        [few, many, a, b] => Ok(ActiveFigures { shipped: Some([few, many]), ordinary: Some([a, b]), ..figures }),
        _ => Err("the meter reported too little".to_owned()),
    }
}

fn write_plugins(plugins: &Path, count: usize) -> io::Result<()> {
    for number in 0..count {
        let plugin = plugins.join(format!("active-{number:04}"));
        fs::create_dir_all(&plugin)?;
        let hook = "[[hooks]]\nname = \"end\"\nevent = \"Stop\"\ncommand = \"true\"\n";
        fs::write(plugin.join("symposium.toml"), format!("name = \"active-{number:04}\"\ncrates = [\"*\"]\n\n{hook}"))?;
    }
    Ok(())
}
