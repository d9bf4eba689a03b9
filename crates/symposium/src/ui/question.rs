//! Draws questions on the terminal and reads the keys that answer them.

use std::io;
use std::ops::Range;

use console::{Key, Term, measure_text_width};

use super::text::wrap;

/// The effect of a key on a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyOutcome {
    Open,
    Answered,
}

/// Asks for any number of `choices`, of which some are selected already. Returns which ones are selected in the end.
pub(super) fn select_any(question: &str, choices: &[String], selected: Vec<bool>) -> io::Result<Vec<bool>> {
    let mut list = ChoiceList { cursor: 0, selected };
    let lines = |list: &ChoiceList| {
        let (height, width) = Term::stderr().size();
        let question = &fitted(question, width.into());
        let shown: Vec<String> = choices.iter().enumerate().map(|(row, choice)| list.line(row, choice)).collect();
        let heights: Vec<usize> = shown.iter().map(|line| rows(line, width.into())).collect();
        let room = usize::from(height).saturating_sub(rows(question, width.into()));
        let fitting = shown.get(visible(&heights, list.cursor, room)).unwrap_or_default();
        [question.to_owned()].into_iter().chain(fitting.iter().cloned()).collect()
    };
    answer(&mut list, CursorSign::Hidden, lines, ChoiceList::press)?;
    let names =
        choices.iter().zip(&list.selected).filter(|(_, selected)| **selected).map(|(choice, _)| choice.as_str());
    let names = names.collect::<Vec<_>>().join(", ");
    close(question, if names.is_empty() { "none" } else { &names })?;
    Ok(list.selected)
}

/// Asks for a yes or a no; enter alone is `default`.
pub(super) fn decide(question: &str, default: bool) -> io::Result<bool> {
    let mut yes = default;
    let lines = |yes: &bool| {
        let shown = format!("{question}  {}", if *yes { "[yes] / no" } else { "yes / [no]" });
        vec![fitted(&shown, columns())]
    };
    answer(&mut yes, CursorSign::Hidden, lines, press_decision)?;
    close(question, if yes { "yes" } else { "no" })?;
    Ok(yes)
}

/// Asks for a line of text that `check` accepts; its error says what to type instead. Enter alone is `default`.
pub(super) fn type_line(
    question: &str,
    default: &str,
    check: impl Fn(&str) -> Result<(), String>,
) -> io::Result<String> {
    let mut typed = TypedLine::default();
    let lines = |typed: &TypedLine| {
        let problem = typed.problem.iter().map(|problem| fitted(problem, columns()));
        [fitted(question, columns())].into_iter().chain(problem).chain([format!("> {}", typed.text)]).collect()
    };
    answer(&mut typed, CursorSign::Shown, lines, |typed, key| typed.press(key, &check))?;
    let text = if typed.text.trim().is_empty() { default.to_owned() } else { typed.text };
    close(question, &text)?;
    Ok(text)
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct ChoiceList {
    cursor: usize,
    selected: Vec<bool>,
}

impl ChoiceList {
    fn line(&self, row: usize, choice: &str) -> String {
        let cursor = if row == self.cursor { '>' } else { ' ' };
        let mark = if self.selected.get(row) == Some(&true) { 'x' } else { ' ' };
        format!("{cursor} [{mark}] {choice}")
    }

    fn press(&mut self, key: &Key) -> KeyOutcome {
        let last = self.selected.len().saturating_sub(1);
        match key {
            Key::ArrowUp | Key::BackTab | Key::Char('k') => self.cursor = self.cursor.checked_sub(1).unwrap_or(last),
            Key::ArrowDown | Key::Tab | Key::Char('j') if self.cursor == last => self.cursor = 0,
            Key::ArrowDown | Key::Tab | Key::Char('j') => self.cursor += 1,
            Key::Home => self.cursor = 0,
            Key::End => self.cursor = last,
            Key::Char(' ') => {
                if let Some(selected) = self.selected.get_mut(self.cursor) {
                    *selected = !*selected;
                }
            }
            Key::Enter => return KeyOutcome::Answered,
            _ => {}
        }
        KeyOutcome::Open
    }
}

fn press_decision(yes: &mut bool, key: &Key) -> KeyOutcome {
    match key {
        Key::Char('y' | 'Y') => *yes = true,
        Key::Char('n' | 'N') => *yes = false,
        Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown | Key::Tab | Key::Char(' ' | 'h' | 'l') => {
            *yes = !*yes;
            return KeyOutcome::Open;
        }
        Key::Enter => {}
        _ => return KeyOutcome::Open,
    }
    KeyOutcome::Answered
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct TypedLine {
    text: String,
    problem: Option<String>,
}

impl TypedLine {
    fn press(&mut self, key: &Key, check: impl Fn(&str) -> Result<(), String>) -> KeyOutcome {
        match key {
            Key::Enter => {
                self.problem = check(&self.text).err();
                if self.problem.is_none() {
                    return KeyOutcome::Answered;
                }
                self.text.clear();
            }
            Key::Backspace => {
                self.text.pop();
            }
            Key::Char(letter) if !letter.is_control() => self.text.push(*letter),
            _ => {}
        }
        KeyOutcome::Open
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CursorSign {
    Shown,
    Hidden,
}

const CTRL_D: Key = Key::Char('\u{4}');

/// Draws the lines again after every key until the question is answered. Escape, Ctrl-C and Ctrl-D are
/// [`io::ErrorKind::Interrupted`].
fn answer<S>(
    state: &mut S,
    cursor: CursorSign,
    lines: impl Fn(&S) -> Vec<String>,
    press: impl Fn(&mut S, &Key) -> KeyOutcome,
) -> io::Result<()> {
    let term = Term::stderr();
    if cursor == CursorSign::Hidden {
        term.hide_cursor()?;
    }
    let answered = loop {
        let shown = lines(state).join("\n");
        term.write_str(&shown)?;
        let key = term.read_key_raw();
        term.clear_line()?;
        term.clear_last_lines(rows(&shown, usize::from(term.size().1)).saturating_sub(1))?;
        match key {
            Err(error) => break Err(error),
            Ok(Key::Escape | Key::CtrlC | CTRL_D) => break Err(io::ErrorKind::Interrupted.into()),
            Ok(key) if press(state, &key) == KeyOutcome::Answered => break Ok(()),
            Ok(_) => {}
        }
    };
    term.show_cursor()?;
    answered
}

fn columns() -> usize {
    Term::stderr().size().1.into()
}

/// Breaks a line that is longer than the terminal is wide between words.
fn fitted(line: &str, width: usize) -> String {
    if measure_text_width(line) <= width { line.to_owned() } else { wrap(line, width).join("\n") }
}

/// Writes what each key means, a line each or more.
pub(super) fn explain(keys: &[(&str, &str)]) -> io::Result<()> {
    const INDENT: usize = 5;
    const NARROWEST: usize = 10;
    let term = Term::stderr();
    let width = columns().saturating_sub(INDENT).max(NARROWEST);
    for (key, meaning) in keys {
        for (number, line) in wrap(meaning, width).iter().enumerate() {
            let key = if number == 0 { key } else { "" };
            term.write_line(&format!("  {key:<3}{line}"))?;
        }
    }
    Ok(())
}

/// Leaves the question and its answer on the screen.
fn close(question: &str, answer: &str) -> io::Result<()> {
    Term::stderr().write_line(&fitted(&format!("{question}  {answer}"), columns()))
}

/// Returns the lines around the cursor that fit into so many rows: those below it first.
fn visible(heights: &[usize], cursor: usize, room: usize) -> Range<usize> {
    let height = |row: usize| heights.get(row).copied().unwrap_or_default();
    let mut shown = cursor..cursor + 1;
    let mut left = room.saturating_sub(height(cursor));
    while shown.end < heights.len() && height(shown.end) <= left {
        left -= height(shown.end);
        shown.end += 1;
    }
    while shown.start > 0 && height(shown.start - 1) <= left {
        shown.start -= 1;
        left -= height(shown.start);
    }
    shown
}

/// Counts the rows that a text takes on a terminal of that width, which breaks longer lines.
fn rows(text: &str, width: usize) -> usize {
    text.split('\n').map(|line| measure_text_width(line).div_ceil(width.max(1)).max(1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_select_choices() {
        let mut list = ChoiceList { cursor: 0, selected: vec![true, false, false] };
        assert_eq!((list.line(0, "a"), list.line(1, "b")), ("> [x] a".to_owned(), "  [ ] b".to_owned()));
        for (key, cursor, selected) in [
            (Key::Char(' '), 0, [false, false, false]),
            (Key::ArrowUp, 2, [false, false, false]),
            (Key::Char(' '), 2, [false, false, true]),
            (Key::ArrowDown, 0, [false, false, true]),
            (Key::Tab, 1, [false, false, true]),
            (Key::End, 2, [false, false, true]),
            (Key::Unknown, 2, [false, false, true]),
        ] {
            assert_eq!(list.press(&key), KeyOutcome::Open);
            assert_eq!(list, ChoiceList { cursor, selected: selected.to_vec() }, "{key:?}");
        }
        assert_eq!(list.press(&Key::Enter), KeyOutcome::Answered);
    }

    #[test]
    fn one_key_decides() {
        for (key, before, after, outcome) in [
            (Key::Char('y'), false, true, KeyOutcome::Answered),
            (Key::Char('N'), true, false, KeyOutcome::Answered),
            (Key::Enter, true, true, KeyOutcome::Answered),
            (Key::ArrowRight, true, false, KeyOutcome::Open),
            (Key::Char('x'), true, true, KeyOutcome::Open),
        ] {
            let mut yes = before;
            assert_eq!((press_decision(&mut yes, &key), yes), (outcome, after), "{key:?}");
        }
    }

    #[test]
    fn a_refused_line_is_typed_again() {
        let check = |text: &str| if text == "yes" { Ok(()) } else { Err("type yes".to_owned()) };
        let mut typed = TypedLine::default();
        for letter in ['n', 'x'] {
            typed.press(&Key::Char(letter), check);
        }
        typed.press(&Key::Backspace, check);
        assert_eq!(typed, TypedLine { text: "n".to_owned(), problem: None });
        assert_eq!(typed.press(&Key::Enter, check), KeyOutcome::Open);
        assert_eq!(typed, TypedLine { text: String::new(), problem: Some("type yes".to_owned()) });
        for letter in "yes".chars() {
            typed.press(&Key::Char(letter), check);
        }
        assert_eq!((typed.press(&Key::Enter, check), typed.text.as_str()), (KeyOutcome::Answered, "yes"));
    }

    #[test]
    fn a_low_terminal_shows_the_lines_around_the_cursor() {
        assert_eq!(visible(&[1, 1, 1, 1], 2, 9), 0..4);
        assert_eq!(visible(&[1, 1, 1, 1], 0, 2), 0..2);
        assert_eq!(visible(&[1, 1, 1, 1], 3, 2), 2..4);
        assert_eq!(visible(&[2, 2, 2], 1, 5), 1..3);
        assert_eq!(visible(&[2, 2, 2], 2, 5), 1..3);
        assert_eq!(visible(&[3, 3], 1, 2), 1..2, "the line with the cursor at least");
        assert_eq!(visible(&[], 0, 5), 0..1);
    }

    #[test]
    fn long_questions_break_between_words() {
        assert_eq!(fitted("Do this?  (y, n; enter: y)", 26), "Do this?  (y, n; enter: y)");
        assert_eq!(fitted("Do this?  (y, n; enter: y)", 20), "Do this? (y, n;\nenter: y)");
    }

    #[test]
    fn long_lines_take_more_rows() {
        let text = "\nabcd\nabcde\nééééé";
        assert_eq!(rows(text, 4), 6);
        assert_eq!(rows(text, 0), 15);
    }
}
