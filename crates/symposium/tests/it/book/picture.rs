//! The picture of a terminal in the README: a real run, drawn.
//!
//! `UPDATE_EXPECT=1 cargo test -p symposium --test it book::picture` draws it again.

use std::fmt::Write;

use super::world::World;

/// What is typed, and what is really run for it.
const RUN: [(&str, &str); 3] = [
    ("symposium init --yes --agent claude", "symposium --color always init --yes --agent claude 2>/dev/null"),
    ("symposium status", "symposium --color always status"),
    ("symposium why rand-0-8", "symposium --color always why rand-0-8"),
];

pub(super) const LINE: usize = 20;
pub(super) const LETTER: usize = 8;
const COLUMNS: usize = 80;

#[test]
fn the_picture_is_of_a_real_run() {
    let world = World::new(&["book".to_owned(), "agent:claude".to_owned()]);
    let mut lines: Vec<String> = Vec::new();
    for (typed, run) in RUN {
        lines.push(format!("\u{1b}[32m$\u{1b}[0m {typed}"));
        let (code, printed) = world.run(run);
        assert_eq!(code, 0, "{printed}");
        lines.extend(printed.trim_end().lines().flat_map(|line| wrapped(line, COLUMNS, "    ")));
        lines.push(String::new());
    }
    lines.pop();
    expect_test::expect_file!["../../../../../book/src/terminal.svg"].assert_eq(&draw(&lines));
}

/// The look of all pictures, in light and dark.
pub(super) const STYLE: &str = "\
rect { fill: #f7f7f5; stroke: #d0d0cc }
text { font: 13px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #24292f; white-space: pre }
.strong { font-weight: bold }
.dim { fill: #6e7781 }
.green { fill: #1a7f37 }
circle { fill: #d0d0cc }
@media (prefers-color-scheme: dark) {
  rect { fill: #161b22; stroke: #30363d }
  text { fill: #e6edf3 }
  .dim { fill: #8b949e }
  .green { fill: #3fb950 }
  circle { fill: #30363d }
}
";

fn draw(lines: &[String]) -> String {
    let (width, height) = (COLUMNS * LETTER + 40, lines.len() * LINE + 64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"symposium init, status and why in a terminal\">\n<style>\n{STYLE}</style>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n",
        width - 1,
        height - 1
    );
    for x in [20, 40, 60] {
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"20\" r=\"6\"/>");
    }
    for (row, line) in lines.iter().enumerate() {
        if !line.is_empty() {
            let _ =
                writeln!(svg, "<text xml:space=\"preserve\" x=\"20\" y=\"{}\">{}</text>", 56 + row * LINE, spans(line));
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Breaks a line between words, where its letters would leave the picture.
pub(super) fn wrapped(line: &str, columns: usize, indent: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split_inclusive(' ') {
        let last = lines.last_mut().unwrap();
        if letters(last) + letters(word.trim_end()) > columns && !last.trim().is_empty() {
            lines.push(format!("{indent}{word}"));
        } else {
            last.push_str(word);
        }
    }
    lines
}

/// Counts what is seen of a text with styles.
fn letters(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().chars().count();
    let styled = parts.filter_map(|part| part.split_once('m'));
    first + styled.map(|(_, rest)| rest.chars().count()).sum::<usize>()
}

/// Escape sequences for styles as spans.
pub(super) fn spans(line: &str) -> String {
    let mut drawn = String::new();
    let mut class = "";
    let mut parts = line.split('\u{1b}');
    let mut add = |text: &str, class: &str| {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        match (text.is_empty(), class) {
            (true, _) => {}
            (false, "") => drawn.push_str(&text),
            (false, class) => drawn.push_str(&format!("<tspan class=\"{class}\">{text}</tspan>")),
        }
    };
    add(parts.next().unwrap_or_default(), class);
    for part in parts {
        let (code, text) = part.trim_start_matches('[').split_once('m').unwrap();
        class = match code {
            "0" | "" => "",
            "1" => "strong",
            "2" => "dim",
            "32" => "green",
            other => panic!("a style nobody draws: {other}"),
        };
        add(text, class);
    }
    drawn
}

#[test]
fn styles_become_spans() {
    assert_eq!(spans("a <b> \u{1b}[1mc\u{1b}[0m d"), "a &lt;b&gt; <tspan class=\"strong\">c</tspan> d");
}
