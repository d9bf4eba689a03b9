//! Questions in words: whether the answer is among the first items.

use symposium_api::{CrateIndex, SearchHit, search_words};

const LIST: &str = include_str!("../../api-questions.txt");
/// The first items, of which one must be the answer.
const FIRST: usize = 5;

/// Counts of the questions, and those without their answer.
pub(super) struct QuestionReport {
    pub(super) asked: usize,
    pub(super) failed: Vec<String>,
}

/// Asks every question of the list.
pub(super) fn ask_all(indexes: &[&CrateIndex]) -> QuestionReport {
    let mut report = QuestionReport { asked: 0, failed: Vec::new() };
    for line in LIST.lines().filter(|line| !line.starts_with('#')) {
        let Some((question, answers)) = line.split_once(" -> ") else { continue };
        report.asked += 1;
        let hits = search_words(indexes, question).hits;
        let found: Vec<String> = hits.iter().take(FIRST).map(SearchHit::full_path).collect();
        if !answers.split(" | ").any(|answer| found.iter().any(|path| path == answer.trim())) {
            report.failed.push(format!("{question} (wanted {answers}): {}", found.join(", ")));
        }
    }
    report
}
