//! Everything that was measured in one run.

use super::active_plugins::ActiveFigures;
use super::build_cost::BuildCost;
use super::counts::Counts;
use super::peer_sync::PeerFigures;
use super::session_start::{self, StartCounts};
use super::times::Cost;
use super::workspace::Shape;

#[derive(Debug, Default)]
pub(super) struct Measured {
    /// The hook with nothing to do.
    pub(super) hooks: Vec<HookFigures>,
    /// Programs to compare the hook with, started in turns with it.
    pub(super) around_hooks: Option<Reference>,
    /// How often each was started for that.
    pub(super) rounds: u32,
    /// The hook in every home and project.
    pub(super) places: Vec<PlaceFigures>,
    /// The hook with an event of 64 KiB.
    pub(super) large_event: Option<Cost>,
    /// The hook at an edit of a file of 20 KiB with nothing new to tell, beside the same agent's event with nothing to do.
    pub(super) edit: Option<EditCounts>,
    /// The hook at the start of a session with very many dependencies.
    pub(super) start: Option<StartCounts>,
    /// The hook with very many active plugins.
    pub(super) active: Option<ActiveFigures>,
    /// The hook with one handler.
    pub(super) handler: Option<HandlerFigures>,
    pub(super) commands: Vec<CommandFigures>,
    /// The program that does nothing, started in turns with them.
    pub(super) around_commands: Option<Cost>,
    /// How often each was started for that.
    pub(super) command_rounds: u32,
    /// The first `sync` in a project: title and cost.
    pub(super) cold: Vec<(String, Cost)>,
    /// The same, counted: title and counts.
    pub(super) cold_counts: Option<(String, Counts)>,
    /// The same beside the peer's, by the number of plugins.
    pub(super) peer_sync: Vec<PeerFigures>,
    /// What it costs to build and carry the program.
    pub(super) build: BuildCost,
    pub(super) scale: Vec<ScaleFigures>,
    /// Questions about public items.
    pub(super) api: Option<ApiFigures>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct EditCounts {
    pub(super) edit: Counts,
    pub(super) idle: Counts,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Reference {
    /// `/bin/true`.
    pub(super) shell_true: Cost,
    /// A program that does nothing.
    pub(super) nothing: Cost,
}

/// The hook at one case.
#[derive(Debug)]
pub(super) struct HookFigures {
    pub(super) title: String,
    pub(super) few: Counts,
    pub(super) many: Counts,
    /// The static release, with many plugins.
    pub(super) shipped: Cost,
    /// The ordinary release, with many plugins.
    pub(super) ordinary: Option<Cost>,
    pub(super) peer: Option<Cost>,
}

/// The hook in one home and project, at the worst agent for each figure.
#[derive(Debug)]
pub(super) struct PlaceFigures {
    /// How many plugins there are.
    pub(super) plugins: usize,
    /// How large the project is.
    pub(super) shape: Shape,
    pub(super) counts: Counts,
    /// What it costs, static release.
    pub(super) cost: Cost,
    /// Programs to compare it with, started in turns with it.
    pub(super) around: Reference,
}

impl PlaceFigures {
    /// How it is called in tables.
    pub(super) fn full_title(&self) -> String {
        format!("{} plugins, {} packages", self.plugins, self.shape.packages)
    }
}

/// The hook with one handler, and what its parts cost alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct HandlerFigures {
    pub(super) shipped: Cost,
    pub(super) ordinary: Cost,
    pub(super) direct: Cost,
    /// A program that does nothing.
    pub(super) nothing: Cost,
}

/// A command in one home and project.
#[derive(Debug)]
pub(super) struct CommandFigures {
    pub(super) title: &'static str,
    /// How many plugins there are.
    pub(super) plugins: usize,
    /// How large the project is.
    pub(super) shape: Shape,
    pub(super) counts: Option<Counts>,
    pub(super) shipped: Option<Cost>,
    pub(super) ordinary: Option<Cost>,
}

impl CommandFigures {
    /// How it is called in tables and in the baseline.
    pub(super) fn full_title(&self) -> String {
        format!("{}, {} plugins, {} packages", self.title, self.plugins, self.shape.packages)
    }
}

/// Very much of something, and a tenth of it.
#[derive(Debug)]
pub(super) struct ScaleFigures {
    pub(super) title: String,
    pub(super) tenth: Cost,
    pub(super) whole: Cost,
}

/// Questions about public items, by what was asked.
#[derive(Debug)]
pub(super) struct ApiFigures {
    /// How many dependencies the project names.
    pub(super) dependencies: usize,
    /// Without any index in the cache.
    pub(super) cold: Vec<(String, Cost)>,
    /// With all of them.
    pub(super) warm: Vec<(String, Cost)>,
    /// A program that does nothing, started in turns with the latter.
    pub(super) nothing: Cost,
    /// The worst of the latter.
    pub(super) counts: Counts,
    /// All files of the cache together.
    pub(super) cache_bytes: u64,
}

impl Measured {
    /// What is kept of this run, by case.
    pub(super) fn counts(&self) -> Vec<(String, Counts)> {
        let hooks = self.hooks.iter().map(|hook| (hook.title.clone(), hook.many));
        let commands = self.commands.iter().filter_map(|command| Some((command.full_title(), command.counts?)));
        let edit = self.edit.map(|counts| ("claude edit of 20 KiB".to_owned(), counts.edit));
        let start = self.start.map(|start| (session_start::TITLE.to_owned(), start.counts));
        let active = self.active.map(|active| ("claude pre-tool-use, 1 000 active".to_owned(), active.counts[1]));
        hooks.chain(active).chain(edit).chain(start).chain(commands).chain(self.cold_counts.clone()).collect()
    }
}
