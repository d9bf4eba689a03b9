//! Shortens what a failing test printed: the end, and every panic.

use std::borrow::Cow;

use crate::backtrace::shorten_backtrace;

/// The most bytes of a test's output that are shown.
const SHOWN_BYTES: usize = 4096;

/// The lines at the beginning that are shown too: some tests say there what failed and where, without a panic.
const FIRST_LINES: usize = 3;

/// The longest such line.
const LONGEST_FIRST: usize = 400;

/// Shortens the captured output of one test; `indent` stands before the line that says how much is missing.
pub(crate) fn shorten_captured<'o>(lines: &[&'o str], indent: &str) -> Vec<Cow<'o, str>> {
    let lines = trim_blank(without_noise(lines));
    let bytes: usize = lines.iter().map(|line| line.len() + 1).sum();
    if bytes <= SHOWN_BYTES {
        return lines.into_iter().map(Cow::Borrowed).collect();
    }
    let mut shown_bytes = 0;
    let shown = lines.iter().rev().take_while(|line| {
        shown_bytes += line.len() + 1;
        shown_bytes <= SHOWN_BYTES
    });
    let hidden = lines.len() - shown.count();
    let (head, tail) = lines.split_at(hidden);
    let mut short: Vec<Cow<'o, str>> = Vec::new();
    let mut left_out: usize = 0;
    let mut is_message = false;
    let head_end = head.len().saturating_sub(1);
    for (index, line) in head.iter().enumerate() {
        let is_panic = is_panic_line(line);
        let is_first = index < FIRST_LINES && line.len() <= LONGEST_FIRST;
        if is_panic || is_message || is_first {
            short.push(Cow::Borrowed(line));
        } else if index == head_end {
            // One line may be longer than all that is shown.
            let kept = if tail.is_empty() { end_of_line(line, SHOWN_BYTES) } else { "" };
            left_out += line.len() + 1 - kept.len();
            if !kept.is_empty() {
                short.push(Cow::Borrowed(kept));
            }
        } else {
            left_out += line.len() + 1;
        }
        is_message = is_panic;
    }
    if left_out > 0 {
        short.push(Cow::Owned(format!("{indent}[{left_out} bytes of output left out; the end follows]")));
    }
    short.extend(tail.iter().map(|line| Cow::Borrowed(*line)));
    short
}

/// Tells whether a line says where a panic was; its message is on the next line.
pub(crate) fn is_panic_line(line: &str) -> bool {
    line.contains(" panicked at ") && line.trim_start().starts_with("thread ")
}

/// Tells whether a line advises to run again for a backtrace.
pub(crate) fn is_backtrace_advice(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("note: run with `RUST_BACKTRACE=1` environment variable")
        || line.starts_with("note: Some details are omitted, run with `RUST_BACKTRACE=full`")
}

fn without_noise<'o>(lines: &[&'o str]) -> Vec<&'o str> {
    let mut kept = Vec::with_capacity(lines.len());
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        if let Some(short) = shorten_backtrace(rest) {
            kept.extend(short.kept);
            rest = rest.get(short.length..).unwrap_or_default();
            continue;
        }
        if !is_backtrace_advice(line) {
            kept.push(*line);
        }
        rest = after;
    }
    kept
}

fn trim_blank(mut lines: Vec<&str>) -> Vec<&str> {
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    let blank = lines.iter().take_while(|line| line.trim().is_empty()).count();
    lines.drain(..blank);
    lines
}

fn end_of_line(line: &str, bytes: usize) -> &str {
    let from = line.len().saturating_sub(bytes);
    (from..line.len()).find_map(|at| line.get(at..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shorten(text: &str) -> String {
        let lines: Vec<&str> = text.lines().collect();
        shorten_captured(&lines, "").join("\n")
    }

    #[test]
    fn short_output_stays_whole() {
        let text = "one\n\ntwo\n   Compiling x v0.1.0\ntest a ... ok";
        assert_eq!(shorten(&format!("\n{text}\n\n\n")), text);
    }

    #[test]
    fn long_output_keeps_its_end_and_all_panics() {
        let filler = "x".repeat(99);
        let many = vec![filler.as_str(); 50].join("\n");
        let text = format!(
            "first\n\n --> a.rs:1:1\nmore\nthread 'a' (1) panicked at src/lib.rs:1:2:\nearly\nmore\n{many}\nlast"
        );
        let short = shorten(&text);
        let start = "first\n\n --> a.rs:1:1\nthread 'a' (1) panicked at src/lib.rs:1:2:\nearly\n[";
        assert!(short.starts_with(start), "{short}");
        assert!(short.ends_with("xxx\nlast"));
        assert!(short.contains("1010 bytes of output left out"), "{short}");
        assert!(short.len() < 4096 + 150);
    }

    #[test]
    fn a_line_longer_than_all_keeps_its_end() {
        let line = format!("{}ü{}", "a".repeat(9000), "b".repeat(4095));
        let short = shorten(&line);
        assert!(short.starts_with("bbbb"), "the cut is between two characters");
        assert!(short.len() < 4200);
    }

    #[test]
    fn a_panic_in_the_longest_line_stays() {
        let text = format!("thread 'a' panicked at src/lib.rs:1:2:\n{}", "m".repeat(9000));
        assert!(shorten(&text).starts_with("thread 'a' panicked at src/lib.rs:1:2:\nmmm"));
    }
}
