//! The first picture of the README: what cargo says to a call of an older version, and what Claude Code shows its model
//! before it writes one. Both are recorded runs, in `book/src/recorded`.
//!
//! `cargo xtask e2e --agent claude --scenario first-minutes --record-tools` records the requests again.
//! `UPDATE_EXPECT=1 cargo test -p symposium --test it book::trap_picture` draws the picture again.

use std::fmt::Write;

use super::picture::{LETTER, LINE, STYLE, spans, wrapped};
use super::repository;
use super::world::World;

const COLUMNS: usize = 56;
/// Of a longer text the end is left out.
const MOST_LINES: usize = 6;

struct RecordedPanel {
    title: &'static str,
    file: &'static str,
}

const PANELS: [RecordedPanel; 3] = [
    RecordedPanel { title: "cargo, about a call of rand 0.8 in a rand 0.10 project", file: "old-call.txt" },
    RecordedPanel { title: "with Symposium, Claude Code's first request has", file: "first-request.txt" },
    RecordedPanel { title: "and, after it read the file, before it writes", file: "after-reading.txt" },
];

fn recorded(file: &str) -> String {
    std::fs::read_to_string(repository().join("book/src/recorded").join(file)).unwrap()
}

#[test]
fn the_picture_is_of_recorded_runs() {
    let panels = PANELS.map(|panel| (panel.title, recorded(panel.file)));
    expect_test::expect_file!["../../../../../book/src/trap.svg"].assert_eq(&draw(&panels));
}

/// The program says today what was recorded.
#[test]
fn the_request_has_what_the_program_says() {
    let mut world = World::new(&["agent:claude".to_owned()]);
    world.write("dice/Cargo.toml", &recorded("Cargo.toml.txt"));
    world.write("dice/Cargo.lock", &recorded("Cargo.lock.txt"));
    world.write("dice/src/main.rs", "fn main() {}\n");
    assert!(world.console("$ cd dice\n$ symposium init --yes --agent claude\n…\n", 0).is_empty());
    let event = r#"{"hook_event_name":"SessionStart","source":"startup","session_id":"s","cwd":"."}"#;
    let (code, printed) = world.run(&format!("echo '{event}' | symposium hook claude session-start"));
    assert_eq!(code, 0, "{printed}");
    let answer: serde_json::Value = serde_json::from_str(printed.lines().last().unwrap_or_default()).unwrap();
    let said = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    let request = recorded("first-request.txt");
    let lines: Vec<&str> = request.lines().filter(|line| line.starts_with("- rand ")).collect();
    assert_eq!(lines.len(), 1, "{request}");
    for line in lines {
        assert!(said.lines().any(|own| own == line), "`{line}` is not in\n{said}");
    }
    assert!(recorded("old-call.txt").contains("error[E0425]: cannot find function `thread_rng` in crate `rand`"));
}

/// The panels below each other, so that they can be read on a telephone.
fn draw(panels: &[(&str, String)]) -> String {
    let mut body = String::new();
    let mut y = 0;
    for (title, text) in panels {
        let lines: Vec<String> = shortened(text).iter().flat_map(|line| emphasised(line)).collect();
        let height = lines.len() * LINE + 52;
        let width = COLUMNS * LETTER + 39;
        let _ = writeln!(body, "<rect x=\"0.5\" y=\"{y}.5\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>");
        let _ = writeln!(body, "<text class=\"dim\" x=\"20\" y=\"{}\">{}</text>", y + 26, spans(title));
        for (row, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let at = y + 54 + row * LINE;
            let _ = writeln!(body, "<text xml:space=\"preserve\" x=\"20\" y=\"{at}\">{}</text>", spans(line));
        }
        y += height + 16;
    }
    let (width, height) = (COLUMNS * LETTER + 40, y - 15);
    let label = "An error of cargo about an old call of rand, and the lines about rand in the requests of Claude Code";
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"{label}\">\n<style>\n{STYLE}</style>\n{body}</svg>\n"
    )
}

/// The first part of a text, and of that the beginning.
fn shortened(text: &str) -> Vec<String> {
    let part: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    let mut lines: Vec<String> = part.iter().take(MOST_LINES).map(|line| (*line).to_owned()).collect();
    if part.len() > MOST_LINES {
        lines.truncate(MOST_LINES - 3);
        lines.push("…".to_owned());
    }
    lines
}

/// Breaks a line. The message of the compiler and the new names are emphasised.
fn emphasised(line: &str) -> Vec<String> {
    let mut lines = wrapped(line, COLUMNS, "  ");
    if ["error[", "- rand ", "`thread_rng()`"].iter().any(|start| line.starts_with(start)) {
        lines = lines.iter().map(|line| format!("\u{1b}[1m{}\u{1b}[0m", line.trim_end())).collect();
    }
    lines
}
