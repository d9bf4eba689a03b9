//! The page of the book about speed, and its chart, from the figures of one run.

use std::fs;
use std::path::Path;

use super::budget::{self, ratio};
use super::chart::{self, Bar};
use super::checks;
use super::figures::Measured;
use super::times::Cost;

const PAGE: &str = "book/src/speed.md";
const CHART: &str = "book/src/speed.svg";

pub(super) fn write(repository: &Path, measured: &Measured) -> Result<(), String> {
    for (file, text) in [(PAGE, page(measured)), (CHART, chart::draw(TITLE, &bars(measured), budget::COMMAND))] {
        fs::write(repository.join(file), text).map_err(|error| format!("`{file}`: {error}"))?;
    }
    Ok(())
}

const TITLE: &str = "CPU time of the static build, in starts of an ordinary Rust program that does nothing";

/// The static release in the project of 600 packages.
fn bars(measured: &Measured) -> Vec<Bar> {
    let mut bars = Vec::new();
    if let Some(around) = measured.around_hooks {
        let worst = measured.hooks.iter().map(|hook| hook.shipped.cpu).max().unwrap_or_default();
        bars.push(Bar { label: "do nothing (ordinary build)".to_owned(), value: 1.0 });
        bars.push(Bar { label: "hook, 10 000 plugins".to_owned(), value: ratio(worst, around.nothing.cpu) });
    }
    if let Some(handler) = measured.handler {
        bars.push(Bar {
            label: "hook with one handler".to_owned(),
            value: ratio(handler.shipped.cpu, handler.nothing.cpu),
        });
    }
    if let Some(nothing) = measured.around_commands {
        let shown = |plugins: usize| plugins == 10 || plugins == budget::COMMAND_PLUGINS;
        let here = measured.commands.iter().filter(|it| it.shape.packages == 600 && shown(it.plugins));
        bars.extend(here.filter_map(|it| {
            let label = format!("{}, {} plugins", it.title, it.plugins);
            Some(Bar { label, value: ratio(it.shipped?.cpu, nothing.cpu) })
        }));
    }
    bars
}

fn page(measured: &Measured) -> String {
    let mut text = INTRODUCTION.to_owned();
    text += "\n| budget | worst measured | limit | where |\n|---|---|---|---|\n";
    for check in checks::all(measured) {
        let [_, what, worst, limit, at] = check.row();
        let worst = if check.holds() { worst } else { format!("**{worst}**") };
        text += &format!("| {what} | {worst} | {limit} | {} |\n", at.trim_start_matches("at "));
    }
    if let Some(clean) = measured.build.clean {
        let (wall, cpu) = (clean.wall.as_secs(), clean.cpu.as_secs());
        text +=
            &format!("\nThe clean build took {wall} s on this machine, and {cpu} s of CPU on all cores together.\n");
    }
    if !measured.places.is_empty() {
        text += HOOK;
        for it in &measured.places {
            let count = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), |count| count.to_string());
            text += &format!(
                "| {} | {} | {} | {} | {:.2} | {:.2} | {}.{} |\n",
                it.plugins,
                it.shape.packages,
                count(it.counts.instructions),
                count(it.counts.calls.map(|calls| calls.all)),
                ratio(it.cost.wall, it.around.shell_true.wall),
                ratio(it.cost.cpu, it.around.nothing.cpu),
                it.cost.memory / 1_024,
                it.cost.memory % 1_024 * 10 / 1_024
            );
        }
    }
    text += COMMANDS;
    let nothing = measured.around_commands;
    let milliseconds = |cost: Cost| format!("{}.{:02}", cost.cpu / 1_000, cost.cpu / 10 % 100);
    let cells = |cost: Option<Cost>| {
        let times = cost.zip(nothing).map(|(cost, nothing)| format!("{:.1}", ratio(cost.cpu, nothing.cpu)));
        let memory = cost.map(|cost| format!("{}.{}", cost.memory / 1_024, cost.memory % 1_024 * 10 / 1_024));
        let cells = [cost.map(milliseconds), times, memory].map(|cell| cell.unwrap_or_else(|| "-".to_owned()));
        cells.join(" | ")
    };
    for it in &measured.commands {
        let (title, plugins, packages) = (it.title, it.plugins, it.shape.packages);
        text += &format!("| `{title}` | {plugins} | {packages} | {} |\n", cells(it.shipped));
    }
    for (build, cost) in &measured.cold {
        text += &format!("| first `sync`, {build} release | 1000 | 400 | {} |\n", cells(Some(*cost)));
    }
    if !measured.scale.is_empty() {
        text += SCALE;
        for it in &measured.scale {
            let growth = ratio(it.whole.cpu, it.tenth.cpu);
            let memory = it.whole.memory / 1_024;
            let [tenth, whole] = [it.tenth, it.whole].map(milliseconds);
            text += &format!("| {} | {tenth} | {whole} | {growth:.1} | {memory} |\n", it.title);
        }
    }
    text
}

const INTRODUCTION: &str = "\
# Speed

An agent calls the hook before and after every tool it uses, so the hook must cost about what starting a process costs.
`cargo xtask perf` measures that and everything below, in one run, and fails when a limit is broken. Everything takes
turns with `/bin/true` and with a Rust program that does nothing, built in the same run; of many starts the least counts,
because load only ever adds. \"Static\" is the release for Linux, \"ordinary\" what `cargo build --release` makes. CPU time
includes every process that was started on the way.

![CPU time of the commands](speed.svg)

This page is written by `cargo xtask perf --write-book`. Absolute times are those of the machine it ran on; compare the
ratios.
";

const HOOK: &str = "
## The hook, wherever it is called

The static release before a tool is used, when no handler is meant: for each figure the worst of all agents.

| plugins | packages in `Cargo.lock` | instructions | system calls | wall, times `/bin/true` | CPU, times do-nothing | MiB |
|---|---|---|---|---|---|---|
";

const COMMANDS: &str = "
## Commands

The static release, when nothing changed since the last `sync`. Plugins that are for crates the workspace does not use
are not read again as long as their files are as they were; that still means a look at each file, so the time grows with
the plugins, but slowly.

| command | plugins | packages in `Cargo.lock` | CPU in ms | times do-nothing | MiB |
|---|---|---|---|---|---|
";

const SCALE: &str = "
## Very much of everything

The static release: CPU time in ms with a tenth of it, and with all of it.

| what | a tenth | all | ratio | MiB |
|---|---|---|---|---|
";
