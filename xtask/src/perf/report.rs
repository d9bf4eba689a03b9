//! What was measured, as tables, and what is wrong with it.

use super::baseline::{self, Baseline};
use super::budget::{Check, ratio};
use super::checks;
use super::counts::Counts;
use super::figures::{ApiFigures, HookFigures, Measured, Reference};
use super::rounds::{FEW, MANY};
use super::table;
use super::table::Align::{self, Left, Right};
use super::times::Cost;

/// What is printed, and what is wrong.
pub(super) struct Report {
    pub(super) text: String,
    pub(super) problems: Vec<String>,
}

pub(super) fn compose(measured: &Measured, known: &Baseline) -> Result<Report, String> {
    let checks = checks::all(measured);
    if checks.is_empty() {
        return Err("nothing could be measured".to_owned());
    }
    let worse = baseline::regressions(known, &measured.counts());
    let mut parts = Vec::new();
    let counted = [
        format!(
            "Hook, static release, nothing to do, {MANY} plugins (compared with {FEW} plugins, and with `{}`)",
            baseline::FILE
        ),
        table::render(numbers(), &hook_counts(measured, known)),
        String::new(),
        "Commands, static release (compared with the same file)".to_owned(),
        table::render(numbers(), &command_counts(measured, known)),
        String::new(),
    ];
    if !measured.hooks.is_empty() {
        parts.extend(counted);
    }
    if let Some(around) = measured.around_hooks {
        parts.push(format!(
            "Hook, {MANY} plugins: least wall and CPU time of {} starts in turns, peak memory",
            measured.rounds
        ));
        parts.extend([table::render(numbers(), &hook_times(measured, around)), String::new()]);
    }
    if !measured.places.is_empty() {
        parts.push("Hook before a tool, static release, the worst of all agents".to_owned());
        parts.extend([table::render(numbers(), &place_rows(measured)), String::new()]);
    }
    if let Some(nothing) = measured.around_commands {
        parts.push(format!("Commands: least CPU time of {} starts in turns, peak memory", measured.command_rounds));
        parts.extend([table::render(numbers(), &command_times(measured, nothing)), String::new()]);
    }
    if !measured.peer_sync.is_empty() {
        parts.push("First `sync` beside the peer's: least CPU time, peak memory".to_owned());
        parts.extend([table::render(numbers(), &peer_rows(measured)), String::new()]);
    }
    if !measured.scale.is_empty() {
        parts.push("Scale: static release, CPU in ms of a tenth and of all, peak memory in KiB".to_owned());
        parts.extend([table::render(numbers(), &scale_rows(measured)), String::new()]);
    }
    if let Some(api) = &measured.api {
        parts.push(format!(
            "Public items of {} dependencies: static release, least CPU time, peak memory",
            api.dependencies
        ));
        parts.extend([table::render(numbers(), &api_rows(api)), String::new()]);
    }
    if let Some(clean) = measured.build.clean {
        let (wall, cpu) = (clean.wall.as_secs(), clean.cpu.as_secs());
        parts.extend([format!("A clean build took {wall} s, and {cpu} s of CPU"), String::new()]);
    }
    let heading = ["", "budget", "worst", "limit", ""].map(str::to_owned);
    let rows: Vec<[String; 5]> = std::iter::once(heading).chain(checks.iter().map(Check::row)).collect();
    parts.push(table::render([Left, Left, Right, Right, Left], &rows));
    parts.extend(worse.iter().map(|line| format!("FAIL  {line}")));
    if !worse.is_empty() {
        parts.push("If that is meant, `cargo xtask perf --quick --write-baseline` keeps the new counts".to_owned());
    }
    let broken = checks.iter().filter(|check| !check.holds()).map(|check| check.row().join(" "));
    Ok(Report { text: parts.join("\n"), problems: broken.chain(worse).collect() })
}

fn numbers<const N: usize>() -> [Align; N] {
    std::array::from_fn(|column| if column == 0 { Left } else { Right })
}

fn hook_counts(measured: &Measured, known: &Baseline) -> Vec<[String; 8]> {
    let heading = ["", "instructions", "/ few", "/ baseline", "system calls", "/ few", "/ baseline", "opens"];
    let row = |case: &HookFigures| {
        let before = |name: &str| known.get(&case.title)?.get(name).copied();
        let all = |counts: &Counts| counts.calls.map(|calls| calls.all);
        let (few, many) = (case.few.instructions, case.many.instructions);
        [
            case.title.clone(),
            count(many),
            times(many, few),
            times(many, before("instructions")),
            count(all(&case.many)),
            times(all(&case.many), all(&case.few)),
            times(case.many.calls.map(baseline::stable), before("syscalls")),
            count(case.many.calls.map(|calls| calls.opens)),
        ]
    };
    std::iter::once(heading.map(str::to_owned)).chain(measured.hooks.iter().map(row)).collect()
}

fn command_counts(measured: &Measured, known: &Baseline) -> Vec<[String; 6]> {
    let heading = ["", "instructions", "/ baseline", "system calls", "/ baseline", "opens"];
    let rows = measured.commands.iter().filter_map(|command| {
        let (title, counts) = (command.full_title(), command.counts?);
        let before = |name: &str| known.get(&title)?.get(name).copied();
        Some([
            title.clone(),
            count(counts.instructions),
            times(counts.instructions, before("instructions")),
            count(counts.calls.map(|calls| calls.all)),
            times(counts.calls.map(baseline::stable), before("syscalls")),
            count(counts.calls.map(|calls| calls.opens)),
        ])
    });
    std::iter::once(heading.map(str::to_owned)).chain(rows).collect()
}

fn peer_rows(measured: &Measured) -> Vec<[String; 7]> {
    let heading = ["plugins", "static in ms", "/ peer", "ordinary in ms", "/ peer", "peer in ms", "KiB, static"];
    let rows = measured.peer_sync.iter().map(|it| {
        let milliseconds = |cost: Cost| format!("{}.{}", cost.cpu / 1_000, cost.cpu % 1_000 / 100);
        [
            it.plugins.to_string(),
            milliseconds(it.shipped),
            times(Some(it.shipped.cpu), Some(it.peer.cpu)),
            milliseconds(it.ordinary),
            times(Some(it.ordinary.cpu), Some(it.peer.cpu)),
            milliseconds(it.peer),
            it.shipped.memory.to_string(),
        ]
    });
    std::iter::once(heading.map(str::to_owned)).chain(rows).collect()
}

fn hook_times(measured: &Measured, around: Reference) -> Vec<[String; 6]> {
    let heading = ["", "wall in µs", "/ true", "CPU in µs", "/ nothing", "KiB"].map(str::to_owned);
    let row = |title: String, cost: Cost| {
        [
            title,
            (cost.wall / 1_000).to_string(),
            times(Some(cost.wall), Some(around.shell_true.wall)),
            cost.cpu.to_string(),
            times(Some(cost.cpu), Some(around.nothing.cpu)),
            cost.memory.to_string(),
        ]
    };
    let mut rows =
        vec![heading, row("/bin/true".to_owned(), around.shell_true), row("do-nothing".to_owned(), around.nothing)];
    type OfBuild = fn(&HookFigures) -> Option<Cost>;
    let builds: [(&str, OfBuild); 3] =
        [("static", |case| Some(case.shipped)), ("ordinary", |case| case.ordinary), ("peer", |case| case.peer)];
    for (build, cost) in builds {
        let of_build = measured.hooks.iter().filter_map(|case| Some((case, cost(case)?)));
        rows.extend(of_build.map(|(case, cost)| row(format!("{}, {build}", case.title), cost)));
    }
    if let Some(handler) = measured.handler {
        rows.push(row("one handler, static".to_owned(), handler.shipped));
        rows.push(row("one handler, ordinary".to_owned(), handler.ordinary));
        rows.push(row("that handler, run directly".to_owned(), handler.direct));
        rows.push(row("do-nothing, beside that".to_owned(), handler.nothing));
    }
    rows
}

fn place_rows(measured: &Measured) -> Vec<[String; 6]> {
    let heading = ["", "instructions", "system calls", "wall / true", "CPU / nothing", "KiB"].map(str::to_owned);
    let rows = measured.places.iter().map(|it| {
        [
            it.full_title(),
            count(it.counts.instructions),
            count(it.counts.calls.map(|calls| calls.all)),
            times(Some(it.cost.wall), Some(it.around.shell_true.wall)),
            times(Some(it.cost.cpu), Some(it.around.nothing.cpu)),
            it.cost.memory.to_string(),
        ]
    });
    std::iter::once(heading).chain(rows).collect()
}

fn command_times(measured: &Measured, nothing: Cost) -> Vec<[String; 7]> {
    let heading = ["", "CPU in µs", "/ nothing", "KiB", "ordinary: CPU", "/ nothing", "KiB"].map(str::to_owned);
    let row = |title: String, shipped: Option<Cost>, ordinary: Option<Cost>| {
        let cpu = |cost: Option<Cost>| cost.map(|cost| cost.cpu);
        let memory = |cost: Option<Cost>| count(cost.map(|cost| cost.memory));
        [
            title,
            count(cpu(shipped)),
            times(cpu(shipped), Some(nothing.cpu)),
            memory(shipped),
            count(cpu(ordinary)),
            times(cpu(ordinary), Some(nothing.cpu)),
            memory(ordinary),
        ]
    };
    let mut rows = vec![heading, row("do-nothing".to_owned(), None, Some(nothing))];
    rows.extend(measured.commands.iter().map(|it| row(it.full_title(), it.shipped, it.ordinary)));
    let first = |build: &str| measured.cold.iter().find(|(title, _)| title == build).map(|(_, cost)| *cost);
    rows.push(row("first sync, 1000 plugins, 400 packages".to_owned(), first("static"), first("ordinary")));
    rows
}

fn api_rows(api: &ApiFigures) -> Vec<[String; 4]> {
    let row = |title: String, cost: Cost| {
        [title, cost.cpu.to_string(), times(Some(cost.cpu), Some(api.nothing.cpu)), cost.memory.to_string()]
    };
    let heading = ["", "CPU in µs", "/ nothing", "KiB"].map(str::to_owned);
    let mut rows = vec![heading, row("do-nothing".to_owned(), api.nothing)];
    rows.extend(api.cold.iter().map(|(title, cost)| row(format!("{title}, no index"), *cost)));
    rows.extend(api.warm.iter().map(|(title, cost)| row(title.clone(), *cost)));
    rows
}

fn scale_rows(measured: &Measured) -> Vec<[String; 5]> {
    let milliseconds = |cost: Cost| format!("{}.{:01}", cost.cpu / 1_000, cost.cpu / 100 % 10);
    let heading = ["", "a tenth", "all", "ratio", "KiB"].map(str::to_owned);
    let rows = measured.scale.iter().map(|it| {
        let ratio = times(Some(it.whole.cpu), Some(it.tenth.cpu));
        [it.title.clone(), milliseconds(it.tenth), milliseconds(it.whole), ratio, it.whole.memory.to_string()]
    });
    std::iter::once(heading).chain(rows).collect()
}

fn count(count: Option<u64>) -> String {
    count.map_or_else(|| "-".to_owned(), |count| count.to_string())
}

fn times(number: Option<u64>, of: Option<u64>) -> String {
    match (number, of) {
        (Some(number), Some(of)) => format!("{:.2}", ratio(number, of)),
        (None, _) | (_, None) => "-".to_owned(),
    }
}
