//! Compares the short form of every recorded run with what cargo's JSON says.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::recorded::{RecordedRun, load_runs, strings};

/// The text below each first line of a diagnostic, with the first line.
fn split_groups(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines() {
        let line = without_count(line);
        if ["error: ", "error[", "warning: "].iter().any(|start| line.starts_with(start)) {
            line.clone_into(&mut current);
        }
        groups.entry(current.clone()).or_default().insert(line.trim_end().to_owned());
    }
    groups
}

/// Removes ` (3 times)` from the end.
fn without_count(line: &str) -> &str {
    let count = line.strip_suffix(" times)").and_then(|rest| rest.rsplit_once(" ("));
    count.filter(|(_, count)| count.bytes().all(|byte| byte.is_ascii_digit())).map_or(line, |(line, _)| line)
}

fn is_empty_gutter(line: &str) -> bool {
    matches!(line.trim(), "" | "|")
}

/// What of one diagnostic is not in the short text.
fn lost_of_diagnostic(diagnostic: &Value, groups: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let message = diagnostic["message"].as_str().unwrap();
    let level = diagnostic["level"].as_str().unwrap();
    // Codes of lints are in a note; only those of errors are in the first line.
    let code = diagnostic["code"].as_str().filter(|code| code.starts_with("E0"));
    let code = code.map(|code| format!("[{code}]")).unwrap_or_default();
    let header = format!("{level}{code}: {}", message.lines().next().unwrap());
    let Some(group) = groups.get(header.as_str()) else { return vec![header] };
    let all: String = group.iter().fold(String::new(), |all, line| all + line + "\n");
    let mut lost = Vec::new();
    let mut need = |what: &str, text: &str| {
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if !all.contains(line) {
                lost.push(format!("{what} `{line}` of `{header}`"));
            }
        }
    };
    need("message", message);
    for (what, key) in [("place", "places"), ("label", "labels")] {
        for text in strings(&diagnostic[key]) {
            need(what, &text);
        }
    }
    let rendered = diagnostic["rendered"].as_str().unwrap();
    // Some suggestions, and the words about them, are for tools: cargo itself shows none of them.
    let is_shown = |line: &&str| rendered.contains(line.trim());
    for note in strings(&diagnostic["notes"]) {
        note.lines().filter(is_shown).for_each(|line| need("note", line));
    }
    for suggestion in strings(&diagnostic["suggestions"]) {
        suggestion.lines().filter(is_shown).for_each(|line| need("suggestion", line));
    }
    for line in rendered.lines().map(str::trim_end).filter(|line| !is_empty_gutter(line)) {
        if !group.contains(line) {
            lost.push(format!("line `{line}` of `{header}`"));
        }
    }
    lost
}

/// What of the tests is not in the short text.
fn lost_of_tests(tests: &Value, short: &str) -> Vec<String> {
    let mut lost = Vec::new();
    let mut need = |what: &str, text: &str| {
        if !short.contains(text) {
            lost.push(format!("{what} `{text}`"));
        }
    };
    let totals = &tests["totals"];
    let count = |key: &str| totals[key].as_u64().unwrap_or(0);
    if count("passed") + count("failed") == 0 {
        need("total", "0 tests ran");
    } else {
        need("total", &format!("{} passed", count("passed")));
    }
    for key in ["failed", "ignored"] {
        if count(key) > 0 {
            need("total", &format!("{} {key}", count(key)));
        }
    }
    for test in tests["failed"].as_array().unwrap() {
        need("failing test", test["name"].as_str().unwrap());
        for panic in test["panics"].as_array().unwrap() {
            need("panic place", panic["place"].as_str().unwrap());
            need("panic message", panic["message"].as_str().unwrap());
        }
        if let Some(message) = test["message"].as_str() {
            need("reason", message.trim());
        }
        let captured = test["captured"].as_str().unwrap_or_default();
        for line in captured_lines(captured) {
            need("captured line", line);
        }
    }
    lost
}

/// The lines a test printed, without frames of a backtrace that are not of the workspace, and without advice.
fn captured_lines(captured: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut before: Option<&str> = None;
    for line in captured.lines().map(str::trim) {
        let is_frame = line.split_once(": ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        if line.starts_with("at ./") {
            // Addresses differ from run to run.
            let function = before.and_then(|frame| frame.rsplit([' ']).next());
            lines.extend(function);
            lines.push(line);
        } else if !is_frame && !line.starts_with("at ") && !line.contains("RUST_BACKTRACE") {
            lines.push(line);
        }
        before = Some(line);
    }
    lines
}

fn lost_of_run(run: &RecordedRun, short: &str) -> Vec<String> {
    let groups = split_groups(short);
    let diagnostics = run.truth["diagnostics"].as_array().unwrap();
    let mut lost: Vec<String> = diagnostics.iter().flat_map(|each| lost_of_diagnostic(each, &groups)).collect();
    if !run.truth["tests"].is_null() {
        lost.extend(lost_of_tests(&run.truth["tests"], short));
    }
    let says_failure = ["error", "FAILED", "failed", "Diff in"].iter().any(|word| short.contains(word));
    if run.exit_code != 0 && !says_failure {
        lost.push(format!("that it failed with {}", run.exit_code));
    }
    lost
}

fn bytes(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap()
}

#[derive(Default)]
struct ClassSum {
    runs: u32,
    before: u32,
    after: u32,
}

impl ClassSum {
    fn saved(&self) -> f64 {
        100.0 * (1.0 - f64::from(self.after) / f64::from(self.before))
    }
}

#[test]
fn nothing_is_lost_and_much_is_saved() {
    let runs = load_runs();
    assert!(runs.len() >= 60, "only {} runs are recorded", runs.len());
    let mut sums: BTreeMap<&str, ClassSum> = BTreeMap::new();
    let mut lost = Vec::new();
    let mut diagnostics = 0;
    let mut failing = 0;
    println!("{:32} {:>14} {:>8} {:>8} {:>7}  lost", "run", "class", "before", "after", "saved");
    for run in &runs {
        let short = run.shorten();
        let here = lost_of_run(run, &short);
        diagnostics += run.truth["diagnostics"].as_array().unwrap().len();
        failing += run.truth["tests"]["failed"].as_array().map_or(0, Vec::len);
        let one = ClassSum { runs: 1, before: bytes(&run.output), after: bytes(&short) };
        let saved = if one.before == 0 { 0.0 } else { one.saved() };
        println!("{:32} {:>14} {:>8} {:>8} {saved:>6.1}%  {}", run.name, run.class, one.before, one.after, here.len());
        lost.extend(here.into_iter().map(|what| format!("{}: {what}", run.name)));
        for class in [run.class.as_str(), "sum"] {
            let sum = sums.entry(class).or_default();
            sum.runs += 1;
            sum.before += one.before;
            sum.after += one.after;
        }
    }
    for (class, sum) in &sums {
        println!(
            "{class:14} {:3} runs {:>8} -> {:>8} bytes, {:.1} % fewer",
            sum.runs,
            sum.before,
            sum.after,
            sum.saved()
        );
    }
    println!("{diagnostics} diagnostics and {failing} failing tests, {} lost", lost.len());
    assert!(lost.is_empty(), "lost:\n{}", lost.join("\n"));
    assert!(diagnostics > 100 && failing > 30, "the recorded runs hold too little to prove anything");
    for (class, floor) in [("sum", 60.0), ("passing", 85.0), ("failing-tests", 60.0), ("diagnostics", 15.0)] {
        assert!(sums[class].saved() >= floor, "{class}: {:.1} % fewer, wanted {floor} %", sums[class].saved());
    }
}

#[test]
fn the_check_notices_a_loss() {
    let runs = load_runs();
    for (run, victim) in [
        ("mismatch-check", "expected `u32`"),
        ("unused-check", "warning: unused variable: `value`"),
        ("clippy-mixed", "= help: for further information"),
        ("test-failing", "src/lib.rs:112:9"),
        ("test-failing", "tests::returns"),
        ("test-failing", "20 passed"),
        ("nextest-failing", "4 failed"),
        ("test-healthy-filter-nothing", "0 tests ran"),
    ] {
        let run = runs.iter().find(|each| each.name == run).unwrap();
        let short = run.shorten();
        assert!(short.contains(victim), "{}: {short}", run.name);
        let damaged: Vec<&str> = short.lines().filter(|line| !line.contains(victim)).collect();
        assert!(!lost_of_run(run, &damaged.join("\n")).is_empty(), "{}: `{victim}` is not missed", run.name);
    }
}

#[test]
fn other_formats_pass_through_unchanged() {
    for run in load_runs() {
        if run.truth["untouched"].as_bool().unwrap() {
            assert_eq!(run.shorten(), run.output, "{}", run.name);
        }
        let verbose: Vec<String> = [run.arguments.clone(), vec!["-v".into()]].concat();
        if !run.arguments.iter().any(|word| word == "--") {
            let short = symposium_cargo_output::shorten_output(&verbose, &run.output, Some(run.exit_code));
            assert_eq!(short, run.output, "{}", run.name);
        }
    }
}
