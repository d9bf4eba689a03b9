//! What was measured, as tables, and what is wrong with it.

use super::baseline::{self, Baseline};
use super::budget::{self, Check, number, ratio};
use super::counts::{Calls, Counts};
use super::table::Align::{self, Left, Right};
use super::times::Cost;
use super::{CaseFigures, FEW, MANY, Measured, table};

/// What is printed, and what is wrong.
pub(super) struct Report {
    /// For people.
    pub(super) text: String,
    /// Broken budgets and regressions.
    pub(super) problems: Vec<String>,
}

/// Puts everything together.
pub(super) fn compose(measured: &Measured, known: &Baseline) -> Result<Report, String> {
    let checks = checks(measured);
    if checks.is_empty() {
        return Err("nothing could be measured".to_owned());
    }
    let counts: Vec<(String, Counts)> = measured.cases.iter().map(|case| (case.title.clone(), case.many)).collect();
    let worse = baseline::regressions(known, &counts);
    let mut parts = vec![
        format!(
            "Static release, nothing to do, {MANY} plugins (compared with {FEW} plugins, and with `{}`)",
            baseline::FILE
        ),
        table::render(numbers(), &count_rows(measured, known)),
        String::new(),
    ];
    if let (Some(shell_true), Some(nothing)) = (measured.shell_true, measured.nothing) {
        parts.push(format!("Least wall time and mean CPU time of {} starts in turns, peak memory", measured.rounds));
        parts.push(table::render(numbers(), &time_rows(measured, shell_true, nothing)));
        parts.push(String::new());
    }
    let heading = ["", "budget", "worst", "limit", ""].map(str::to_owned);
    let rows: Vec<[String; 5]> = std::iter::once(heading).chain(checks.iter().map(Check::row)).collect();
    parts.push(table::render([Left, Left, Right, Right, Left], &rows));
    for line in &worse {
        parts.push(format!("FAIL  {line}"));
    }
    if !worse.is_empty() {
        parts.push("If that is meant, `cargo xtask perf --quick --write-baseline` keeps the new counts".to_owned());
    }
    let broken = checks.iter().filter(|check| !check.holds()).map(|check| check.row().join(" "));
    Ok(Report { text: parts.join("\n"), problems: broken.chain(worse).collect() })
}

/// A title, then numbers.
fn numbers<const N: usize>() -> [Align; N] {
    std::array::from_fn(|column| if column == 0 { Left } else { Right })
}

fn checks(measured: &Measured) -> Vec<Check> {
    let of = |what, limit, figure: &dyn Fn(&CaseFigures) -> Option<f64>| {
        let cases = measured.cases.iter().filter_map(|case| Some((case.title.clone(), figure(case)?)));
        Check::of(what, limit, cases)
    };
    let calls = |case: &CaseFigures, count: fn(&Calls) -> u64| case.many.calls.as_ref().map(count).map(number);
    let growth = |few: Option<u64>, many: Option<u64>| Some(ratio(many?, few?));
    let all = |counts: &Counts| counts.calls.map(|calls| calls.all);
    let checks = [
        of("instructions, static", budget::INSTRUCTIONS, &|case| case.many.instructions.map(number)),
        of("system calls, static", budget::SYSCALLS, &|case| calls(case, |calls| calls.all)),
        of("instructions, many / few plugins", budget::GROWTH, &|case| {
            growth(case.few.instructions, case.many.instructions)
        }),
        of("system calls, many / few plugins", budget::GROWTH, &|case| growth(all(&case.few), all(&case.many))),
        of("children and threads", budget::NONE, &|case| calls(case, |calls| calls.children)),
        of("sockets", budget::NONE, &|case| calls(case, |calls| calls.sockets)),
        of("peak memory in KiB, static", budget::MEMORY, &|case| Some(number(case.shipped.memory))),
        of("peak memory in KiB, ordinary", budget::MEMORY, &|case| Some(number(case.ordinary?.memory))),
        of("least wall / `/bin/true`, static", budget::WALL, &|case| {
            Some(ratio(case.shipped.wall, measured.shell_true?.wall))
        }),
        of("CPU / do-nothing, ordinary", budget::CPU, &|case| Some(ratio(case.ordinary?.cpu, measured.nothing?.cpu))),
    ];
    checks.into_iter().flatten().collect()
}

fn count_rows(measured: &Measured, known: &Baseline) -> Vec<[String; 8]> {
    let heading = ["", "instructions", "/ few", "/ baseline", "system calls", "/ few", "/ baseline", "opens"];
    let row = |case: &CaseFigures| {
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
    std::iter::once(heading.map(str::to_owned)).chain(measured.cases.iter().map(row)).collect()
}

fn time_rows(measured: &Measured, shell_true: Cost, nothing: Cost) -> Vec<[String; 6]> {
    let heading = ["", "wall in µs", "/ true", "CPU in µs", "/ nothing", "KiB"].map(str::to_owned);
    let row = |title: String, cost: Cost| {
        [
            title,
            (cost.wall / 1_000).to_string(),
            times(Some(cost.wall), Some(shell_true.wall)),
            (cost.cpu / u64::from(measured.rounds)).to_string(),
            times(Some(cost.cpu), Some(nothing.cpu)),
            cost.memory.to_string(),
        ]
    };
    let mut rows = vec![heading, row("/bin/true".to_owned(), shell_true), row("do-nothing".to_owned(), nothing)];
    for case in &measured.cases {
        rows.push(row(format!("{}, static", case.title), case.shipped));
    }
    for case in &measured.cases {
        rows.extend(case.ordinary.map(|cost| row(format!("{}, ordinary", case.title), cost)));
    }
    for case in &measured.cases {
        rows.extend(case.peer.map(|cost| row(format!("{}, peer", case.title), cost)));
    }
    rows
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
