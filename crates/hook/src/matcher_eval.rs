//! Evaluation of matchers under a time limit. A pattern takes time in proportion to the text, which the agent chooses;
//! a matcher that is not decided in time counts as matching, so that no guard is bypassed.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use symposium_model::hook::ToolMatcher;

/// Bytes. Tool names are shorter than this; commands may be longer.
const LONG: usize = 4 * 1024;
/// The time for all patterns of an event on a long text.
const LIMIT: Duration = Duration::from_secs(1);

pub(crate) fn meant(matchers: &[&ToolMatcher], names: &[&str]) -> Vec<bool> {
    let is_long = names.iter().any(|name| name.len() > LONG);
    if !is_long || !matchers.iter().any(|matcher| is_pattern(matcher)) {
        return matchers.iter().map(|matcher| matcher.matches(names)).collect();
    }
    let patterns: Vec<(usize, ToolMatcher)> = matchers
        .iter()
        .enumerate()
        .filter(|(_, matcher)| is_pattern(matcher))
        .map(|(at, matcher)| (at, (*matcher).clone()))
        .collect();
    let mut answers: Vec<bool> = matchers.iter().map(|matcher| is_pattern(matcher) || matcher.matches(names)).collect();
    let texts: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let until = Instant::now() + LIMIT;
    let (sender, receiver) = mpsc::channel();
    let number = patterns.len();
    // The thread ends with the program, if not before.
    let _ = std::thread::Builder::new().spawn(move || {
        let names: Vec<&str> = texts.iter().map(String::as_str).collect();
        for (at, matcher) in patterns {
            let _ = sender.send((at, matcher.matches(&names)));
        }
    });
    for _ in 0..number {
        let left = until.saturating_duration_since(Instant::now());
        let Ok((at, is_meant)) = receiver.recv_timeout(left) else { break };
        if let Some(answer) = answers.get_mut(at) {
            *answer = is_meant;
        }
    }
    answers
}

fn is_pattern(matcher: &ToolMatcher) -> bool {
    matches!(matcher, ToolMatcher::Pattern(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_told_in_time_is_meant() {
        let long = format!("{}b", "a".repeat(LONG));
        let endless = "a".repeat(64 * 1024 * 1024);
        let matchers = ["", "Bash", "a+b$", "^b"].map(ToolMatcher::parse);
        let matchers: Vec<&ToolMatcher> = matchers.iter().collect();
        assert_eq!(meant(&matchers, &["ab"]), [true, false, true, false]);
        assert_eq!(meant(&matchers, &[&long]), [true, false, true, false]);
        let start = Instant::now();
        let answers = meant(&[&ToolMatcher::parse("x(a|b)*y"), &ToolMatcher::parse("Bash")], &[&endless]);
        assert_eq!(answers, [true, false]);
        assert!(start.elapsed() < LIMIT * 5, "{:?}", start.elapsed());
    }
}
