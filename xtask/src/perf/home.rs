//! A person's home directory to measure in: projects, plugins, and Symposium set up by itself.

use std::path::{Path, PathBuf};
use std::{fs, io, thread, time};

use super::cases::Case;
use super::job::Job;
use super::workspace::{self, Shape};

/// Plugins that apply to every project; all others are for crates nobody uses.
const ACTIVE: usize = 2;

/// After this long, a file that was just written counts as settled.
const SETTLING: time::Duration = time::Duration::from_millis(2_200);

#[derive(Debug, Clone)]
pub(super) struct Contents<'c> {
    /// How many plugins the person has.
    pub(super) plugins: usize,
    /// How many skills each of those plugins has that have skills.
    pub(super) skills: usize,
    /// The program of a hook on every shell command, if there is to be one.
    pub(super) handler: Option<&'c Path>,
    pub(super) projects: &'c [Shape],
}

pub(super) struct Home {
    directory: PathBuf,
    projects: Vec<(Shape, PathBuf)>,
}

impl Home {
    /// Makes the directory `name` below `base`, and sets Symposium up in it by running `program`.
    pub(super) fn create(base: &Path, name: &str, contents: &Contents<'_>, program: &Path) -> Result<Self, String> {
        let directory = base.join(name);
        let place =
            |shape: &Shape| (*shape, directory.join(format!("project-{:04}-{:03}", shape.packages, shape.members)));
        let projects: Vec<(Shape, PathBuf)> = contents.projects.iter().map(place).collect();
        let home = Self { directory, projects };
        home.write(contents).map_err(|error| format!("`{}`: {error}", home.directory.display()))?;
        for (_, project) in &home.projects {
            home.done(&home.job("init", project, &["init", "--yes", "--agent", "claude"]), program)?;
            // The other workflows are on by themselves.
            home.done(&home.job("on", project, &["on", "finish"]), program)?;
        }
        Ok(home)
    }

    /// Lets what was written settle, and brings everything in step once more: from here on it is as on any other day.
    pub(super) fn settle(homes: &[&Self], program: &Path) -> Result<(), String> {
        thread::sleep(SETTLING);
        for home in homes {
            for (_, project) in &home.projects {
                for _ in 0..2 {
                    home.done(&home.job("sync", project, &["sync"]), program)?;
                }
            }
        }
        Ok(())
    }

    fn done(&self, job: &Job, program: &Path) -> Result<(), String> {
        let run = job.run(&[program])?;
        let said = String::from_utf8_lossy(&run.stderr);
        if run.status.success() {
            Ok(())
        } else {
            Err(format!("`symposium {}` failed in `{}`: {said}", job.args.join(" "), self.directory.display()))
        }
    }

    fn write(&self, contents: &Contents<'_>) -> io::Result<()> {
        for (shape, project) in &self.projects {
            workspace::write(project, *shape)?;
        }
        fs::create_dir_all(self.directory.join(".claude"))?;
        fs::create_dir_all(self.directory.join("inputs"))?;
        let plugins = self.plugins();
        fs::create_dir_all(&plugins)?;
        // There is no network to measure.
        fs::write(self.directory.join(".symposium/config.toml"), "[defaults]\nsymposium-recommendations = false\n")?;
        for number in 0..contents.plugins {
            write_plugin(&plugins, number, contents.skills)?;
        }
        if let Some(handler) = contents.handler {
            write_handler(&plugins.join("handler"), handler)?;
        }
        Ok(())
    }

    /// Where the person's plugins are.
    pub(super) fn plugins(&self) -> PathBuf {
        self.directory.join(".symposium/plugins")
    }

    /// The projects, by their sizes.
    pub(super) fn projects(&self) -> impl Iterator<Item = (Shape, &Path)> {
        self.projects.iter().map(|(shape, directory)| (*shape, directory.as_path()))
    }

    pub(super) fn project(&self) -> &Path {
        self.projects.first().map_or(&self.directory, |(_, project)| project)
    }

    /// A call in a project, without any input.
    pub(super) fn job(&self, title: &str, project: &Path, args: &[&str]) -> Job {
        Job {
            title: title.to_owned(),
            home: self.directory.clone(),
            directory: project.to_owned(),
            input: "/dev/null".into(),
            args: args.iter().map(|&word| word.to_owned()).collect(),
        }
    }

    /// The same, with an input.
    pub(super) fn job_with(&self, title: &str, project: &Path, args: &[&str], input: &str) -> Result<Job, String> {
        let file = self.directory.join("inputs").join(format!("{}.json", title.replace([' ', ','], "-")));
        fs::write(&file, input).map_err(|error| format!("`{}`: {error}", file.display()))?;
        Ok(Job { input: file, ..self.job(title, project, args) })
    }

    /// The call of an agent at a case, in the first project.
    pub(super) fn hook(&self, repository: &Path, case: &Case) -> Result<Job, String> {
        self.hook_in(repository, case, self.project(), &case.title())
    }

    /// The call of an agent at a case, in a project; `title` tells it from others in this home.
    pub(super) fn hook_in(&self, repository: &Path, case: &Case, project: &Path, title: &str) -> Result<Job, String> {
        let input = case.input(repository, &project.display().to_string())?;
        self.job_with(title, project, &["hook", case.agent, case.event], &input)
    }

    /// Takes away what a first `sync` in a project makes, and everything in the cache.
    pub(super) fn undo_sync(&self, project: &Path) -> Result<(), String> {
        let made = [self.directory.join(".symposium/cache"), project.join(".symposium"), project.join(".claude")];
        for directory in made {
            match fs::remove_dir_all(&directory) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(format!("`{}`: {error}", directory.display()));
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }
}

/// The first plugins apply here and have a hook on a tool nobody uses. Of the rest, for crates no project has, most bring
/// skills and every fifth a hook.
fn write_plugin(plugins: &Path, number: usize, skills: usize) -> io::Result<()> {
    let name = format!("plugin-{number:05}");
    let plugin = plugins.join(&name);
    let (condition, has_hook) = if number < ACTIVE {
        ("*".to_owned(), true)
    } else {
        (format!("absent-{number}>=1"), number.is_multiple_of(5))
    };
    let mut manifest = format!("name = \"{name}\"\ncrates = [\"{condition}\"]\n");
    if has_hook {
        for event in ["PreToolUse", "PostToolUse"] {
            manifest += &format!(
                "\n[[hooks]]\nname = \"{}\"\nevent = \"{event}\"\nmatcher = \"WebFetch\"\ncommand = \"true\"\n",
                event.to_lowercase()
            );
        }
    } else {
        manifest += "\n[[skills]]\nsource.path = \"skills\"\n";
        for at in 0..skills {
            let name = format!("about-{number}-{at}");
            let skill = plugin.join("skills").join(&name);
            fs::create_dir_all(&skill)?;
            let front = format!("name: {name}\ndescription: Use when working with absent-{number}.");
            fs::write(skill.join("SKILL.md"), format!("---\n{front}\n---\nWhat to know about it.\n"))?;
        }
    }
    fs::create_dir_all(&plugin)?;
    fs::write(plugin.join("symposium.toml"), manifest)
}

/// A plugin whose hook starts a program before every shell command.
fn write_handler(plugin: &Path, program: &Path) -> io::Result<()> {
    fs::create_dir_all(plugin)?;
    fs::copy(program, plugin.join("handler"))?;
    let hook = "[[hooks]]\nname = \"one\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\ncommand = \"./handler\"\n";
    fs::write(plugin.join("symposium.toml"), format!("name = \"handler\"\n\n{hook}"))
}
