//! One run: builds the programs, sets up homes, counts, and lets everything take turns.

use std::fs;
use std::path::Path;

use super::cases;
use super::commands::{self, Command};
use super::counts::{Counters, Counts};
use super::figures::{CommandFigures, EditCounts, HandlerFigures, HookFigures, Measured, Reference};
use super::home::{Contents, Home};
use super::job::Job;
use super::options::Options;
use super::peer_sync::{self, PeerFigures};
use super::programs::{self, Programs};
use super::times::{Cost, Entrant, Meter};
use super::workspace::{COLD, Shape};
use super::{active_plugins, build_cost, places, public_items, scale, session_start};

/// How many plugins there are: the hook is measured with the second and the last.
pub(super) const PLUGINS: [usize; 4] = [0, 10, 1_000, 10_000];
pub(super) const FEW: usize = 10;
pub(super) const MANY: usize = 10_000;
/// With this many, commands are counted, and the ordinary release runs them.
const SEVERAL: [usize; 2] = [10, 1_000];

/// The projects: the hook and what is counted run in the first.
const PROJECTS: [Shape; 2] = [Shape { packages: 600, members: 1 }, Shape { packages: 10, members: 1 }];
/// The project of a hook with a handler.
const HANDLED: Shape = Shape { packages: 600, members: 1 };

/// How often programs are started when only their memory is asked for.
const QUICK_ROUNDS: u32 = 3;
/// How much less often commands are started than the hook.
const COMMAND_SHARE: u32 = 8;

/// Measures everything that was asked for.
pub(super) fn measure(repository: &Path, options: &Options) -> Result<Measured, String> {
    let shipped = programs::static_release(repository)?;
    let probes = programs::probes(repository)?;
    let ordinary = if options.quick || options.items { None } else { Some(programs::ordinary_release(repository)?) };
    let counters = Counters::find();

    let base = tempfile::Builder::new().prefix("symposium-perf-").tempdir().map_err(|error| error.to_string())?;
    let base = base.path();
    let programs = Programs {
        shipped: programs::install(&shipped, &base.join("static"))?,
        ordinary: ordinary.map(|program| programs::install(&program, &base.join("ordinary"))).transpose()?,
        nothing: programs::install(&probes.nothing, &base.join("ordinary"))?,
    };
    let meter = Meter { program: probes.meter, directory: base.to_owned() };
    let rounds = if options.quick { QUICK_ROUNDS } else { options.rounds };
    let mut measured = Measured { rounds, command_rounds: rounds.div_ceil(COMMAND_SHARE), ..Measured::default() };
    measured.build.static_size = build_cost::size(&programs.shipped)?;
    if options.first_sync {
        measured.peer_sync = measure_peer(base, &programs, options, &meter)?;
        return Ok(measured);
    }
    if options.items {
        measured.api = public_items::measure(base, &programs, (counters, &meter))?;
        return Ok(measured);
    }
    measured.build.ordinary_size = programs.ordinary.as_deref().map(build_cost::size).transpose()?;
    measured.build.dependencies = Some(build_cost::dependencies(repository, "symposium")?);
    measured.build.hook_dependencies = Some(build_cost::dependencies(repository, "symposium-hook")?);

    let wanted: Vec<usize> = PLUGINS.into_iter().filter(|plugins| !options.quick || *plugins > 0).collect();
    crate::print::talk(&format!("setting up homes with {wanted:?} plugins"));
    let homes = set_up(base, "home", &wanted, &programs.shipped)?;
    measure_hooks(&mut measured, repository, (options, counters), (&programs, &meter), &homes)?;
    let rounds_of_start = (!options.quick).then_some(measured.command_rounds);
    measured.start = Some(session_start::measure(base, repository, &programs, counters, (&meter, rounds_of_start))?);
    let active =
        active_plugins::measure(base, repository, &programs, counters, &meter, (!options.quick).then_some(rounds))?;
    measured.active = Some(active);
    count_commands(&mut measured, counters, &programs.shipped, &homes)?;
    if let Some(ordinary) = &programs.ordinary {
        measured.api = public_items::measure(base, &programs, (counters, &meter))?;
        measured.places = places::measure(repository, &programs, (counters, &meter), &homes)?;
        let theirs = set_up(base, "ours", &SEVERAL, ordinary)?;
        measured.handler = Some(measure_handler(base, repository, &programs, ordinary, (&meter, rounds))?);
        time_commands(&mut measured, &programs, ordinary, &meter, (&homes, &theirs))?;
        crate::print::talk("measuring the first `sync` of a project");
        for (title, program, homes) in [("static", &programs.shipped, &homes), ("ordinary", ordinary, &theirs)] {
            let home = homes.iter().find(|(plugins, _)| *plugins == 1_000).map(|(_, home)| home);
            let project = home.and_then(|home| Some((home, home.projects().find(|(shape, _)| *shape == COLD)?.1)));
            if let Some((home, project)) = project {
                measured.cold.push((title.to_owned(), scale::cold(home, project, program, &meter)?));
            }
        }
    }
    measured.cold_counts = count_cold(counters, &programs.shipped, &homes)?;
    measured.peer_sync = measure_peer(base, &programs, options, &meter)?;
    if options.scale {
        measured.scale = scale::measure(base, &programs.shipped, &meter)?;
    }
    if options.build {
        crate::print::talk("building everything from nothing");
        measured.build.clean = Some(build_cost::clean_build(repository, &base.join("clean"))?);
    }
    Ok(measured)
}

fn measure_peer(
    base: &Path,
    programs: &Programs,
    options: &Options,
    meter: &Meter,
) -> Result<Vec<PeerFigures>, String> {
    match (&programs.ordinary, &options.peer) {
        (Some(ordinary), Some(peer)) => peer_sync::measure(base, (&programs.shipped, ordinary, peer), meter),
        (None, _) | (_, None) => Ok(Vec::new()),
    }
}

/// What the first `sync` in a project does.
fn count_cold(counters: Counters, program: &Path, homes: &Homes) -> Result<Option<(String, Counts)>, String> {
    for (plugins, home) in homes {
        let Some((shape, project)) = home.projects().find(|(shape, _)| *shape == COLD) else { continue };
        let job = home.job("sync", project, &["sync"]);
        let counts = counters.count_after(program, &job, || home.undo_sync(project))?;
        return Ok(Some((format!("first sync, {plugins} plugins, {} packages", shape.packages), counts)));
    }
    Ok(None)
}

/// Homes by how many plugins they have.
type Homes = Vec<(usize, Home)>;

fn set_up(base: &Path, name: &str, wanted: &[usize], program: &Path) -> Result<Homes, String> {
    let mut homes = Homes::new();
    for plugins in wanted {
        let projects: Vec<Shape> = PROJECTS.into_iter().chain((*plugins == 1_000).then_some(COLD)).collect();
        let contents = Contents { plugins: *plugins, skills: 1, handler: None, projects: &projects };
        // Names of one length, so that paths cost the same.
        homes.push((*plugins, Home::create(base, &format!("{name}-{plugins:05}"), &contents, program)?));
    }
    Home::settle(&homes.iter().map(|(_, home)| home).collect::<Vec<_>>(), program)?;
    Ok(homes)
}

fn home_with(homes: &Homes, plugins: usize) -> Result<&Home, String> {
    let found = homes.iter().find(|(of, _)| *of == plugins).map(|(_, home)| home);
    found.ok_or_else(|| format!("there is no home with {plugins} plugins"))
}

/// The hook with nothing to do, at every event of every agent.
fn measure_hooks(
    measured: &mut Measured,
    repository: &Path,
    (options, counters): (&Options, Counters),
    (programs, meter): (&Programs, &Meter),
    homes: &Homes,
) -> Result<(), String> {
    let cases = cases::all();
    let jobs =
        |home: &Home| -> Result<Vec<Job>, String> { cases.iter().map(|case| home.hook(repository, case)).collect() };
    let (few, many) = (jobs(home_with(homes, FEW)?)?, jobs(home_with(homes, MANY)?)?);
    for jobs in [&few, &many] {
        places::settle(jobs, &programs.shipped, &cases)?;
    }
    crate::print::talk("counting what the hook does");
    let mut counts = Vec::new();
    for (few, many) in few.iter().zip(&many) {
        counts.push((counters.count(&programs.shipped, few)?, counters.count(&programs.shipped, many)?));
    }

    let idle = cases.iter().zip(&counts).find(|(case, _)| case.title() == IDLE).map(|(_, (_, many))| *many);
    measured.edit =
        idle.map(|idle| count_edit(repository, counters, programs, home_with(homes, MANY)?, idle)).transpose()?;

    // What takes turns: the static release at every case; then what it is compared with; then others at every case.
    let entrant = |program: &Path, job: &Job| Entrant { program: program.to_owned(), job: job.clone() };
    let home = home_with(homes, MANY)?;
    let mut entrants: Vec<Entrant> = many.iter().map(|job| entrant(&programs.shipped, job)).collect();
    entrants.push(entrant(&programs.shipped, &large_event(home, repository)?));
    if let Some(ordinary) = &programs.ordinary {
        let bare = home.job("nothing", home.project(), &[]);
        entrants.extend([entrant(Path::new("/bin/true"), &bare), entrant(&programs.nothing, &bare)]);
        entrants.extend(many.iter().map(|job| entrant(ordinary, job)));
    }
    // A peer that does not know an agent or an event is not measured there.
    let runs_peer =
        |job: &Job| options.peer.as_ref().is_some_and(|peer| job.run(&[peer]).is_ok_and(|ran| ran.status.success()));
    let is_known_to_peer: Vec<bool> = many.iter().map(runs_peer).collect();
    if let Some(peer) = &options.peer {
        let known = many.iter().zip(&is_known_to_peer).filter(|(_, is_known)| **is_known);
        entrants.extend(known.map(|(job, _)| entrant(peer, job)));
    }
    crate::print::talk(&format!("starting the hook {} times at every case, in turns", measured.rounds));
    let mut costs = meter.measure(measured.rounds, &entrants)?.into_iter();
    let shipped: Vec<Cost> = costs.by_ref().take(cases.len()).collect();
    measured.large_event = costs.next();
    let mut rest =
        |wanted: bool, count: usize| -> Vec<Cost> { costs.by_ref().take(if wanted { count } else { 0 }).collect() };
    let is_full = programs.ordinary.is_some();
    if let [shell_true, nothing] = *rest(is_full, 2) {
        measured.around_hooks = Some(Reference { shell_true, nothing });
    }
    let ordinary = rest(is_full, cases.len());
    let mut peer = rest(true, cases.len()).into_iter();
    let figures = cases.iter().zip(counts).zip(shipped).enumerate().map(|(at, ((case, (few, many)), shipped))| {
        let is_known = is_known_to_peer.get(at).is_some_and(|is_known| *is_known);
        let (ordinary, peer) = (ordinary.get(at).copied(), if is_known { peer.next() } else { None });
        HookFigures { title: case.title(), few, many, shipped, ordinary, peer }
    });
    measured.hooks = figures.collect();
    Ok(())
}

/// The event that an edit is compared with.
const IDLE: &str = "claude post-tool-use";

/// Counts what the hook does at an edit after the first two told everything about the crates that the file names.
fn count_edit(
    repository: &Path,
    counters: Counters,
    programs: &Programs,
    home: &Home,
    idle: Counts,
) -> Result<EditCounts, String> {
    let source = edited_source();
    let file = home.project().join("src/edited.rs");
    fs::write(&file, &source).map_err(|error| format!("`{}`: {error}", file.display()))?;
    let recorded = repository.join("crates/agents/tests/payloads/claude/PostToolUse.Edit.json");
    let event = fs::read_to_string(&recorded).map_err(|error| format!("`{}`: {error}", recorded.display()))?;
    let project = home.project().display().to_string();
    let event =
        event.replace("/home/user/project/a.txt", &file.display().to_string()).replace("/home/user/project", &project);
    let mut event: serde_json::Value = serde_json::from_str(&event).map_err(|error| error.to_string())?;
    if let Some(original) = event.pointer_mut("/tool_response/originalFile") {
        *original = source.into();
    }
    let job = home.job_with("an edit", home.project(), &["hook", "claude", "post-tool-use"], &event.to_string())?;
    for _ in 0..2 {
        job.run(&[&programs.shipped])?;
    }
    Ok(EditCounts { edit: counters.count(&programs.shipped, &job)?, idle })
}

/// Rust text of 20 KiB that names two of the crates with guidance.
fn edited_source() -> String {
    let mut source = "use serde::Serialize;\nuse tokio::sync::mpsc;\n\n".to_owned();
    for number in 0.. {
        if source.len() >= 20 * 1024 {
            break;
        }
        source += &format!(
            "/// Adds one to a number.\npub fn add_{number}(value: u64, names: &[&str]) -> u64 {{\n    \
             let text = format!(\"{{value}} of {{}}\", names.len());\n    value + text.len() as u64 + {number}\n}}\n\n"
        );
    }
    source
}

/// A tool's answer of nearly 64 KiB.
fn large_event(home: &Home, repository: &Path) -> Result<Job, String> {
    let case = cases::all().into_iter().find(|case| case.title() == IDLE);
    let case = case.ok_or("there is no case with a tool's answer")?;
    let input = case.input(repository, &home.project().display().to_string())?;
    let mut event: serde_json::Value = serde_json::from_str(&input).map_err(|error| error.to_string())?;
    let text = "all work and no play\n".repeat(3_000);
    if let Some(fields) = event.as_object_mut() {
        fields.insert("tool_response".to_owned(), serde_json::json!({ "stdout": text }));
    }
    home.job_with("a large event", home.project(), &["hook", case.agent, case.event], &event.to_string())
}

/// What commands do, in the first project.
fn count_commands(measured: &mut Measured, counters: Counters, program: &Path, homes: &Homes) -> Result<(), String> {
    crate::print::talk("counting what the commands do");
    for (plugins, home) in homes.iter().filter(|(plugins, _)| SEVERAL.contains(plugins)) {
        for command in [commands::SYNC, commands::STATUS, commands::CRATE] {
            let counts = counters.count(program, &command.job(home, home.project())?)?;
            let shape = home.projects().next().map_or(COLD, |(shape, _)| shape);
            set_figures(measured, (command, *plugins, shape), |figures| figures.counts = Some(counts));
        }
    }
    Ok(())
}

/// Sets figures of a command, wherever they are.
fn set_figures(
    measured: &mut Measured,
    (command, plugins, shape): (Command, usize, Shape),
    set: impl FnOnce(&mut CommandFigures),
) {
    let title = command.title;
    let is_it = |it: &&mut CommandFigures| (it.title, it.plugins, it.shape) == (title, plugins, shape);
    if let Some(figures) = measured.commands.iter_mut().find(is_it) {
        return set(figures);
    }
    let mut figures = CommandFigures { title, plugins, shape, counts: None, shipped: None, ordinary: None };
    set(&mut figures);
    measured.commands.push(figures);
}

/// What the commands take, in every home and project.
fn time_commands(
    measured: &mut Measured,
    programs: &Programs,
    ordinary: &Path,
    meter: &Meter,
    (ours, theirs): (&Homes, &Homes),
) -> Result<(), String> {
    let mut entrants = Vec::new();
    let mut meant = Vec::new();
    for (is_ordinary, program, homes) in [(false, programs.shipped.as_path(), ours), (true, ordinary, theirs)] {
        for (plugins, home) in homes {
            for (shape, project) in home.projects().filter(|(shape, _)| *shape != COLD) {
                for command in commands::ALL {
                    entrants.push(Entrant { program: program.to_owned(), job: command.job(home, project)? });
                    meant.push((is_ordinary, command, *plugins, shape));
                }
            }
        }
    }
    let bare = entrants.first().map(|first| Job { args: Vec::new(), ..first.job.clone() });
    entrants.extend(bare.map(|job| Entrant { program: programs.nothing.clone(), job }));
    crate::print::talk(&format!("starting {} commands {} times, in turns", entrants.len(), measured.command_rounds));
    let mut costs = meter.measure(measured.command_rounds, &entrants)?;
    measured.around_commands = costs.pop();
    for ((is_ordinary, command, plugins, shape), cost) in meant.into_iter().zip(costs) {
        set_figures(measured, (command, plugins, shape), |figures| {
            let place = if is_ordinary { &mut figures.ordinary } else { &mut figures.shipped };
            *place = Some(cost);
        });
    }
    Ok(())
}

/// A hook that starts one program, and that program alone.
fn measure_handler(
    base: &Path,
    repository: &Path,
    programs: &Programs,
    ordinary: &Path,
    (meter, rounds): (&Meter, u32),
) -> Result<HandlerFigures, String> {
    crate::print::talk("measuring a hook with one handler");
    let contents = Contents { plugins: FEW, skills: 1, handler: Some(&programs.nothing), projects: &[HANDLED] };
    let home = Home::create(base, "handled", &contents, &programs.shipped)?;
    Home::settle(&[&home], &programs.shipped)?;
    let case = cases::all().into_iter().find(|case| case.title() == "claude pre-tool-use");
    let case = case.ok_or("there is no case with a tool")?;
    let job = home.hook(repository, &case)?;
    places::settle(std::slice::from_ref(&job), &programs.shipped, std::slice::from_ref(&case))?;
    let handler = job.home.join(".symposium/plugins/handler/handler");
    let bare = Job { args: Vec::new(), ..job.clone() };
    let entrant = |program: &Path, job: &Job| Entrant { program: program.to_owned(), job: job.clone() };
    let entrants = [
        entrant(&programs.shipped, &job),
        entrant(ordinary, &job),
        entrant(&handler, &bare),
        entrant(&programs.nothing, &bare),
    ];
    match *meter.measure(rounds, &entrants)? {
        [shipped, ordinary, direct, nothing] => Ok(HandlerFigures { shipped, ordinary, direct, nothing }),
        _ => Err("the meter reported too little".to_owned()),
    }
}
