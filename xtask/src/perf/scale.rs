//! Very large sources and workspaces: ten times as much must not cost much more than ten times.

use std::path::Path;

use super::figures::ScaleFigures;
use super::home::{Contents, Home};
use super::times::{Cost, Entrant, Meter};
use super::workspace::Shape;

/// How often each is measured; the least counts.
const ROUNDS: u32 = 5;

const SMALL: Shape = Shape { packages: 10, members: 1 };

/// A pair of homes or projects.
struct Pair {
    title: String,
    plugins: [usize; 2],
    /// Skills of every plugin that has any: four of five have.
    skills: usize,
    shapes: [Shape; 2],
}

/// Measures all pairs with the static release.
pub(super) fn measure(base: &Path, program: &Path, meter: &Meter) -> Result<Vec<ScaleFigures>, String> {
    let pairs = [
        Pair {
            title: "10 000 plugins, 104 000 skills".to_owned(),
            plugins: [1_000, 10_000],
            skills: 13,
            shapes: [SMALL, SMALL],
        },
        Pair { title: "100 000 plugins".to_owned(), plugins: [10_000, 100_000], skills: 1, shapes: [SMALL, SMALL] },
        Pair {
            title: "3 000 packages".to_owned(),
            plugins: [10, 10],
            skills: 1,
            shapes: [Shape { packages: 300, members: 1 }, Shape { packages: 3_000, members: 1 }],
        },
        Pair {
            title: "500 members".to_owned(),
            plugins: [10, 10],
            skills: 1,
            shapes: [Shape { packages: 150, members: 50 }, Shape { packages: 1_500, members: 500 }],
        },
    ];
    let mut figures = Vec::new();
    for (number, pair) in pairs.into_iter().enumerate() {
        crate::print::talk(&format!("measuring {}, and a tenth of it", pair.title));
        let mut homes = Vec::new();
        for (half, (plugins, shape)) in pair.plugins.into_iter().zip(pair.shapes).enumerate() {
            let contents = Contents { plugins, skills: pair.skills, handler: None, projects: &[shape] };
            homes.push(Home::create(base, &format!("scale-{number}-{half}"), &contents, program)?);
        }
        let [tenth, whole] = homes.as_slice() else { return Err("there is no pair".to_owned()) };
        let cold = [cold(tenth, tenth.project(), program, meter)?, cold(whole, whole.project(), program, meter)?];
        Home::settle(&[tenth, whole], program)?;
        let job = |home: &Home| home.job("sync", home.project(), &["sync"]);
        let entrants = [tenth, whole].map(|home| Entrant { program: program.to_owned(), job: job(home) });
        let again = meter.measure(ROUNDS, &entrants)?;
        for (what, costs) in [("first sync", &cold[..]), ("sync, nothing changed", &again)] {
            let [tenth, whole] = *costs else { return Err("the meter reported too little".to_owned()) };
            figures.push(ScaleFigures { title: format!("{what}, {}", pair.title), tenth, whole });
        }
    }
    Ok(figures)
}

/// The first `sync` in a project.
pub(super) fn cold(home: &Home, project: &Path, program: &Path, meter: &Meter) -> Result<Cost, String> {
    let mut best: Option<Cost> = None;
    for _ in 0..ROUNDS {
        home.undo_sync(project)?;
        let job = home.job("sync", project, &["sync"]);
        for cost in meter.measure(1, &[Entrant { program: program.to_owned(), job }])? {
            best = Some(best.map_or(cost, |best| best.least(cost)));
        }
    }
    best.ok_or_else(|| "nothing was measured".to_owned())
}
