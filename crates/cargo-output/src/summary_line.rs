//! Recognises lines that only repeat what was said before.

use crate::diagnostic_group::is_diagnostic_start;
use crate::test_suite::is_suite_start;

/// Counts what an output holds of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct OutputCounts {
    errors: u64,
    warnings: u64,
    pub(crate) suites: u64,
}

impl OutputCounts {
    pub(crate) fn count(lines: &[&str]) -> Self {
        let mut counts = Self::default();
        for line in lines {
            if is_suite_start(line) {
                counts.suites += 1;
            } else if is_diagnostic_start(line) && !is_summary(line) {
                if line.starts_with("warning") { counts.warnings += 1 } else { counts.errors += 1 }
            }
        }
        counts
    }
}

fn is_summary(line: &str) -> bool {
    line.starts_with("error: could not compile ")
        || line.starts_with("error: aborting due to ")
        || line.starts_with("warning: build failed, waiting ")
        || generated_warnings(line).is_some()
        || is_rerun_advice(line)
}

/// Tells whether a line says only that a test program failed, and how to start it again.
pub(crate) fn is_rerun_advice(line: &str) -> bool {
    line.starts_with("error: test failed, to rerun pass ") || line.starts_with("error: doctest failed, to rerun pass ")
}

/// Tells whether a line adds nothing to what else is in the output: all that it counts is there.
pub(crate) fn is_covered_summary(line: &str, counts: &OutputCounts) -> bool {
    if line.starts_with("For more information about this error, try `rustc --explain ")
        || line.starts_with("For more information about an error, try `rustc --explain ")
        || line.starts_with("Some errors have detailed explanations: ")
    {
        return counts.errors > 0;
    }
    if line.starts_with("all doctests ran in ") {
        return line.ends_with('s') && line.contains("; merged doctests compilation took ");
    }
    if line.starts_with("warning: build failed, waiting ") {
        return counts.errors > 0;
    }
    if line.starts_with("error: could not compile ") {
        return previous_errors(line).is_some_and(|errors| errors > 0 && errors <= counts.errors);
    }
    generated_warnings(line).is_some_and(|warnings| warnings <= counts.warnings)
}

/// The number in `due to 2 previous errors`.
fn previous_errors(line: &str) -> Option<u64> {
    let (_, rest) = line.rsplit_once(" due to ")?;
    let (number, rest) = rest.split_once(' ')?;
    rest.starts_with("previous error").then(|| number.parse().ok())?
}

/// The number in ``warning: `a` (lib) generated 5 warnings (2 duplicates)``, without the duplicates.
fn generated_warnings(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("warning: `")?;
    let (_, rest) = rest.split_once(") generated ")?;
    let (number, rest) = rest.split_once(' ')?;
    let rest = rest.strip_prefix("warnings").or_else(|| rest.strip_prefix("warning"))?;
    let duplicates = rest.strip_prefix(" (").and_then(|rest| rest.split_once(" duplicate"));
    let duplicates = duplicates.map_or(Some(0), |(number, _)| number.parse().ok()).unwrap_or(0);
    number.parse::<u64>().ok().map(|number| number.saturating_sub(duplicates))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_goes_only_when_all_it_counts_is_there() {
        let lines = [
            "error[E0308]: a",
            "error: b",
            "warning: c",
            "error: could not compile `x` (lib) due to 2 previous errors",
        ];
        let counts = OutputCounts::count(&lines);
        assert_eq!(counts, OutputCounts { errors: 2, warnings: 1, suites: 0 });
        for (line, covered) in [
            ("error: could not compile `x` (lib) due to 2 previous errors; 1 warning emitted", true),
            ("error: could not compile `x` (lib) due to 1 previous error", true),
            ("error: could not compile `x` (lib) due to 3 previous errors", false),
            ("error: could not compile `x` (lib)", false),
            ("warning: `x` (lib) generated 1 warning", true),
            ("warning: `x` (lib) generated 1 warning (run `cargo fix --lib -p x` to apply 1 suggestion)", true),
            ("warning: `x` (lib) generated 2 warnings", false),
            ("warning: `x` (lib test) generated 2 warnings (1 duplicate)", true),
            ("warning: `x` (lib test) generated 2 warnings (2 duplicates) (run it)", true),
            ("warning: build failed, waiting for other jobs to finish...", true),
            ("For more information about this error, try `rustc --explain E0308`.", true),
            ("Some errors have detailed explanations: E0308, E0425.", true),
            ("all doctests ran in 0.63s; merged doctests compilation took 0.11s", true),
            ("warning: unused variable: `x`", false),
            ("error: b", false),
        ] {
            assert_eq!(is_covered_summary(line, &counts), covered, "{line}");
        }
        assert!(!is_covered_summary(
            "warning: build failed, waiting for other jobs to finish...",
            &OutputCounts::default()
        ));
    }
}
