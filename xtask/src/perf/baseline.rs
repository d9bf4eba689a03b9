//! The counts of an earlier run, kept in the repository: what a change may not make worse.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::counts::{Calls, Counts};

pub(super) const FILE: &str = "xtask/perf-baseline.json";

/// From this share on, in percent, a count that grew is a regression.
const TOLERANCE: u64 = 5;

/// The counts that were kept, by case and by what was counted.
pub(super) type Baseline = BTreeMap<String, BTreeMap<String, u64>>;

pub(super) fn parse(text: &str) -> Result<Baseline, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut baseline = Baseline::new();
    for (case, counts) in value.as_object().ok_or("it is no object")? {
        let counts = counts.as_object().ok_or_else(|| format!("`{case}` is no object"))?;
        let numbers = counts.iter().filter_map(|(name, count)| Some((name.clone(), count.as_u64()?)));
        baseline.insert(case.clone(), numbers.collect());
    }
    Ok(baseline)
}

/// The file for the counts of a run.
pub(super) fn render(cases: &[(String, Counts)]) -> String {
    let lines: Vec<String> = cases
        .iter()
        .map(|(case, counts)| {
            let numbers: serde_json::Map<String, Value> =
                figures(counts).into_iter().map(|(name, count)| (name.to_owned(), json!(count))).collect();
            format!("  {}: {}", Value::from(case.as_str()), Value::Object(numbers))
        })
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// What is kept of a run: of the system calls those that are the same wherever the home directory is.
fn figures(counts: &Counts) -> Vec<(&'static str, u64)> {
    let instructions = counts.instructions.map(|count| ("instructions", count));
    let calls = counts.calls.map(|calls| [("syscalls", stable(calls)), ("opens", calls.opens)]);
    instructions.into_iter().chain(calls.into_iter().flatten()).collect()
}

/// The system calls that are the same on every run.
pub(super) fn stable(calls: Calls) -> u64 {
    calls.all - calls.memory
}

/// What became worse, a line for each.
pub(super) fn regressions(baseline: &Baseline, cases: &[(String, Counts)]) -> Vec<String> {
    let mut worse = Vec::new();
    for (case, counts) in cases {
        let Some(before) = baseline.get(case) else {
            worse.push(format!("`{case}` is not in the baseline"));
            continue;
        };
        for (name, now) in figures(counts) {
            match before.get(name) {
                None => worse.push(format!("`{case}` has no {name} in the baseline")),
                Some(before) if now * 100 >= before * (100 + TOLERANCE) => {
                    worse.push(format!("`{case}` takes {now} {name}, and took {before}"));
                }
                Some(_) => {}
            }
        }
    }
    worse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(instructions: u64, all: u64) -> Vec<(String, Counts)> {
        let calls = Some(Calls { all: all + 7, opens: 3, memory: 7, ..Calls::default() });
        vec![("claude stop".to_owned(), Counts { instructions: Some(instructions), calls })]
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let text = render(&run(200_000, 40));
        assert_eq!(text, "{\n  \"claude stop\": {\"instructions\":200000,\"opens\":3,\"syscalls\":40}\n}\n");
        assert_eq!(regressions(&parse(&text).unwrap(), &run(200_000, 40)), Vec::<String>::new());
        assert!(parse("[]").is_err());
        assert!(parse("{\"a\": 1}").is_err());
    }

    #[test]
    fn five_percent_more_is_worse() {
        let baseline = parse(&render(&run(200_000, 40))).unwrap();
        for (now, worse) in [
            (run(100_000, 20), &[][..]),
            (run(209_999, 41), &[]),
            (run(210_000, 40), &["`claude stop` takes 210000 instructions, and took 200000"]),
            (run(200_000, 42), &["`claude stop` takes 42 syscalls, and took 40"]),
        ] {
            assert_eq!(regressions(&baseline, &now), worse);
        }
        assert_eq!(regressions(&Baseline::new(), &run(1, 1)), ["`claude stop` is not in the baseline"]);
    }

    #[test]
    fn what_was_not_counted_is_not_compared() {
        let baseline = parse(&render(&run(200_000, 40))).unwrap();
        assert_eq!(regressions(&baseline, &[("claude stop".to_owned(), Counts::default())]), Vec::<String>::new());
    }
}
