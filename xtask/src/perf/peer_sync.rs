//! The first `sync` beside that of the public program, with the same files.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{env, fs, io};

use super::job::Job;
use super::times::{Cost, Entrant, Meter};

/// How many plugins there are.
const PLUGINS: [usize; 4] = [0, 100, 1_000, 10_000];

/// How often each is measured, in turns; the least counts.
const ROUNDS: u32 = 15;

/// Configurations are seldom written just before a `sync`, and only for those other processes are searched.
const CONFIG_AGE: Duration = Duration::from_hours(1);

/// Plugins that are for the project: what a workspace depends on does not grow with a source.
const APPLICABLE: usize = 10;

/// The first `sync` with so many plugins.
#[derive(Debug, Clone, Copy)]
pub(super) struct PeerFigures {
    pub(super) plugins: usize,
    pub(super) shipped: Cost,
    pub(super) ordinary: Cost,
    pub(super) peer: Cost,
}

pub(super) fn measure(
    base: &Path,
    (shipped, ordinary, peer): (&Path, &Path, &Path),
    meter: &Meter,
) -> Result<Vec<PeerFigures>, String> {
    let mut figures = Vec::new();
    for plugins in PLUGINS {
        crate::print::talk(&format!("measuring the first `sync` beside the peer's, {plugins} plugins"));
        let home = |name: &str| PeerHome { directory: base.join(format!("{name}-{plugins:05}")) };
        let homes = [home("shipped"), home("ordinary"), home("peer")];
        for home in &homes {
            home.write(plugins).map_err(|error| home.describe(&error))?;
        }
        let [shipped_home, ordinary_home, peer_home] = &homes;
        let measure_all = || -> Result<PeerFigures, String> {
            Ok(PeerFigures {
                plugins,
                shipped: shipped_home.first_sync(shipped, plugins, meter)?,
                ordinary: ordinary_home.first_sync(ordinary, plugins, meter)?,
                peer: peer_home.first_sync(peer, plugins, meter)?,
            })
        };
        let mut best = measure_all()?;
        for _ in 1..ROUNDS {
            best = best.least(measure_all()?);
        }
        figures.push(best);
    }
    Ok(figures)
}

impl PeerFigures {
    fn least(self, other: Self) -> Self {
        Self {
            plugins: self.plugins,
            shipped: self.shipped.least(other.shipped),
            ordinary: self.ordinary.least(other.ordinary),
            peer: self.peer.least(other.peer),
        }
    }
}

/// A home that both programs understand.
struct PeerHome {
    directory: PathBuf,
}

impl PeerHome {
    fn project(&self) -> PathBuf {
        self.directory.join("project")
    }

    fn describe(&self, error: &io::Error) -> String {
        format!("`{}`: {error}", self.directory.display())
    }

    /// The peer asks cargo about the project, so its dependency must be there.
    fn write(&self, plugins: usize) -> io::Result<()> {
        let project = self.project();
        for (package, more) in [("app", "\n[dependencies]\nlocal = { path = \"local\" }\n"), ("local", "")] {
            let directory = if package == "app" { project.clone() } else { project.join(package) };
            fs::create_dir_all(directory.join("src"))?;
            fs::write(directory.join("src/lib.rs"), "")?;
            let manifest = format!("[package]\nname = \"{package}\"\nversion = \"1.0.0\"\nedition = \"2024\"\n{more}");
            fs::write(directory.join("Cargo.toml"), manifest)?;
        }
        let lock = "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"1.0.0\"\ndependencies = [\n \"local\",\n]\n\n\
                    [[package]]\nname = \"local\"\nversion = \"1.0.0\"\n";
        fs::write(project.join("Cargo.lock"), lock)?;
        let ours = self.directory.join(".symposium");
        fs::create_dir_all(ours.join("plugins"))?;
        let config =
            "auto-update = \"off\"\n\n[defaults]\nsymposium-recommendations = false\n\n[[agent]]\nname = \"claude\"\n";
        fs::write(ours.join("config.toml"), config)?;
        let settings = fs::File::options().append(true).open(ours.join("config.toml"))?;
        settings.set_modified(SystemTime::now() - CONFIG_AGE)?;
        for number in 0..plugins {
            let name = format!("plugin-{number:05}");
            let skill = ours.join("plugins").join(&name).join("skills").join(format!("about-{number:05}"));
            fs::create_dir_all(&skill)?;
            let krate = if number.is_multiple_of(plugins.div_ceil(APPLICABLE)) {
                "local".to_owned()
            } else {
                format!("absent-{number}>=1")
            };
            let manifest =
                format!("name = \"{name}\"\ndepends-on = [\"{krate}\"]\n\n[[skills]]\nsource.path = \"skills\"\n");
            fs::write(ours.join("plugins").join(&name).join("SYMPOSIUM.toml"), manifest)?;
            let front = format!("name: about-{number:05}\ndescription: Use when working with {krate}.");
            fs::write(skill.join("SKILL.md"), format!("---\n{front}\n---\nWhat to know about it.\n"))?;
        }
        Ok(())
    }

    /// Takes away everything that a `sync` made.
    fn undo(&self) -> io::Result<()> {
        let project = self.project();
        let ours = fs::read_dir(self.directory.join(".symposium"))?.map(|entry| entry.map(|entry| entry.path()));
        let ours: Vec<PathBuf> = ours.collect::<io::Result<_>>()?;
        let made = [project.join(".claude"), project.join(".symposium"), self.directory.join(".claude")];
        for path in ours.into_iter().chain(made) {
            let is_kept = path.ends_with(".symposium/plugins") || path.ends_with(".symposium/config.toml");
            if is_kept || !path.exists() {
                continue;
            }
            if path.is_dir() { fs::remove_dir_all(&path)? } else { fs::remove_file(&path)? }
        }
        Ok(())
    }

    fn first_sync(&self, program: &Path, plugins: usize, meter: &Meter) -> Result<Cost, String> {
        let cargo = env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from);
        let tools = cargo.parent().unwrap_or(Path::new("")).display().to_string();
        let program = program.display().to_string();
        // The peer starts cargo; ours never does, and gets the same environment.
        let path = format!("PATH={tools}:/usr/bin:/bin");
        let words = [path, format!("CARGO={}", cargo.display()), program, "sync".to_owned()];
        self.undo().map_err(|error| self.describe(&error))?;
        let job = Job {
            title: "sync".to_owned(),
            home: self.directory.clone(),
            directory: self.project(),
            input: "/dev/null".into(),
            args: words.to_vec(),
        };
        let costs = meter.measure(1, &[Entrant { program: "/usr/bin/env".into(), job }])?;
        let installed = fs::read_dir(self.project().join(".claude/skills")).map_or(0, Iterator::count);
        if installed < plugins.min(APPLICABLE) {
            return Err(format!("`{} sync` installed {installed} skills", words[2]));
        }
        costs.into_iter().next().ok_or_else(|| "nothing was measured".to_owned())
    }
}
