//! What the runs of a fuzzer amount to.

pub(super) struct Run {
    pub(super) target: String,
    pub(super) minutes: f64,
    pub(super) executions: u64,
    pub(super) broken: bool,
}

/// How many inputs libFuzzer says it tried.
pub(super) fn executions(text: &str) -> u64 {
    let last = text.lines().rev().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    last.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

pub(super) fn table(runs: &[Run]) -> String {
    let mut text = String::from("| target | minutes | executions | broken |\n|---|---|---|---|\n");
    for run in runs {
        let broken = if run.broken { "yes" } else { "no" };
        text.push_str(&format!("| {} | {} | {} | {broken} |\n", run.target, run.minutes, run.executions));
    }
    let all: u64 = runs.iter().map(|run| run.executions).sum();
    text.push_str(&format!("| all | | {all} | {} |", runs.iter().filter(|run| run.broken).count()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_are_read_and_added_up() {
        assert_eq!(executions("#1\tINIT\nstat::number_of_executed_units: 1234\nstat::peak_rss_mb: 4\n"), 1234);
        assert_eq!(executions("nothing"), 0);
        let run =
            |target: &str, executions, broken| Run { target: target.to_owned(), minutes: 0.5, executions, broken };
        let table = table(&[run("a", 2, false), run("b", 3, true)]);
        assert!(table.ends_with("| a | 0.5 | 2 | no |\n| b | 0.5 | 3 | yes |\n| all | | 5 | 1 |"), "{table}");
    }
}
