//! Collects diagnostics of the compiler and shows each text once.

use std::collections::{HashMap, HashSet};

/// Diagnostics with the same first line.
#[derive(Debug, Default)]
pub(crate) struct DiagnosticGroup<'o> {
    header: &'o str,
    bodies: Vec<DiagnosticBody<'o>>,
    known: HashMap<Vec<&'o str>, usize>,
    /// Notes that were shown already.
    notes: HashSet<Vec<&'o str>>,
}

#[derive(Debug)]
struct DiagnosticBody<'o> {
    lines: Vec<&'o str>,
    count: usize,
}

impl<'o> DiagnosticGroup<'o> {
    pub(crate) fn new(header: &'o str) -> Self {
        Self { header, ..Self::default() }
    }

    /// Adds what stands below the first line.
    pub(crate) fn add(&mut self, body: &[&'o str]) {
        if let Some(known) = self.known.get(body).and_then(|at| self.bodies.get_mut(*at)) {
            known.count += 1;
            return;
        }
        self.known.insert(body.to_vec(), self.bodies.len());
        let mut lines = Vec::with_capacity(body.len());
        let mut rest = body;
        while let Some((line, after)) = rest.split_first() {
            let note = note_length(rest);
            if note > 0 {
                let (note, after) = rest.split_at(note);
                if self.notes.insert(note.to_vec()) {
                    lines.extend_from_slice(note);
                }
                rest = after;
            } else {
                if !is_empty_gutter(line) {
                    lines.push(*line);
                }
                rest = after;
            }
        }
        self.bodies.push(DiagnosticBody { lines, count: 1 });
    }

    /// Writes the first line once, and below it what differs.
    pub(crate) fn write(&self, text: &mut String) {
        text.push_str(self.header);
        for (index, body) in self.bodies.iter().enumerate() {
            let times = if body.count > 1 { format!(" ({} times)", body.count) } else { String::new() };
            let mut lines = body.lines.iter();
            if index > 0 || self.bodies.len() > 1 {
                text.push('\n');
                text.push_str(lines.next().unwrap_or(&""));
            }
            text.push_str(&times);
            for line in lines {
                text.push('\n');
                text.push_str(line);
            }
        }
        text.push('\n');
    }
}

/// Counts the lines of a note (`  = note: …` and lines below it that are further in) at the beginning of `lines`.
fn note_length(lines: &[&str]) -> usize {
    let Some((first, after)) = lines.split_first() else { return 0 };
    let text = first.trim_start_matches(' ');
    let indent = first.len() - text.len();
    if indent == 0 || !(text.starts_with("= note: ") || text.starts_with("= help: ")) {
        return 0;
    }
    let is_further_in = |line: &&&str| line.bytes().take_while(|byte| *byte == b' ').count() >= indent + 2;
    1 + after.iter().take_while(is_further_in).count()
}

/// Tells whether a line is only the border beside source lines.
fn is_empty_gutter(line: &str) -> bool {
    line.trim() == "|" && line.starts_with(' ')
}

/// Tells whether a line begins a diagnostic.
pub(crate) fn is_diagnostic_start(line: &str) -> bool {
    line.starts_with("error: ") || line.starts_with("warning: ") || line.starts_with("error[E")
}

/// Tells whether a diagnostic says where it is, so that its first line can stand for several places.
pub(crate) fn has_place(body: &[&str]) -> bool {
    body.first().is_some_and(|line| line.trim_start().starts_with("--> "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(header: &str, bodies: &[&str]) -> String {
        let mut group = DiagnosticGroup::new(header);
        for body in bodies {
            group.add(&body.lines().collect::<Vec<_>>());
        }
        let mut text = String::new();
        group.write(&mut text);
        text
    }

    #[test]
    fn identical_diagnostics_are_counted() {
        assert_eq!(show("warning: a@0.1.0: x", &["", ""]), "warning: a@0.1.0: x (2 times)\n");
        assert_eq!(show("warning: x", &[" --> a:1:1\n", " --> a:1:1\n"]), "warning: x (2 times)\n --> a:1:1\n");
        assert_eq!(show("warning: x", &[" --> a:1:1"]), "warning: x\n --> a:1:1\n");
    }

    #[test]
    fn places_share_what_they_have_in_common() {
        let first = " --> a:1:1\n  |\n1 | x\n  | ^ label\n  |\n  = note: on by default\n  = help: see\n          there";
        let second = " --> b:1:1\n  |\n1 | y\n  | ^ label\n  |\n  = help: see\n          there";
        assert_eq!(
            show("warning: x", &[first, second, second]),
            "warning: x\n --> a:1:1\n1 | x\n  | ^ label\n  = note: on by default\n  = help: see\n          there\n --> b:1:1 (2 times)\n1 | y\n  | ^ label\n"
        );
    }

    #[test]
    fn borders_with_labels_stay() {
        let body = " --> a:1:1\n  |\n3 |\n  | |_____^ label\n  |     |\n  |";
        assert_eq!(show("error: x", &[body]), "error: x\n --> a:1:1\n3 |\n  | |_____^ label\n  |     |\n");
    }
}
