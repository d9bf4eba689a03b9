//! The result of a shell command as an agent reports it: the text that the command printed, and its exit code.

use std::borrow::Cow;

use serde_json::Value;
use symposium_model::hook::ToolResult;

/// The printed text and the end of a shell command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShellOutput<'r> {
    /// The text of both streams, as far as the agent passes it on.
    pub text: Cow<'r, str>,
    pub exit_code: Option<i32>,
    /// The agent's own words before and after the text; a replacement keeps them.
    pub before: &'r str,
    pub after: &'r str,
    pub extent: OutputExtent<'r>,
}

/// The part of an output that the agent passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputExtent<'r> {
    #[default]
    Whole,
    /// The agent left out a part.
    Cut,
    /// The agent left out a part, and this file has everything.
    CutBeside(&'r str),
}

impl<'r> ShellOutput<'r> {
    pub(crate) fn plain(text: &'r str) -> Self {
        Self { text: Cow::Borrowed(text), ..Self::default() }
    }

    /// Returns true if the exit code says that the command failed.
    pub fn has_failed(&self) -> bool {
        self.exit_code.is_some_and(|code| code != 0)
    }

    /// Puts the agent's own words around a new text.
    pub fn frame(&self, text: &str) -> String {
        let gap = if self.after.is_empty() { "" } else { "\n" };
        format!("{}{}{gap}{}", self.before, text.trim_end_matches('\n'), self.after)
    }
}

pub(crate) fn response_text<'r>(result: &'r ToolResult, keys: &[&str]) -> Option<&'r str> {
    let response = result.response.as_ref()?;
    keys.iter().find_map(|key| response.get(key)).and_then(Value::as_str)
}

/// Reads an output that begins at `start` in a text of the agent and ends before the last lines, each with one of these
/// labels; the line `Exit Code: 3` may be missing for 0.
pub(crate) fn labelled_output<'r>(whole: &'r str, start: usize, labels: &[&str]) -> Option<ShellOutput<'r>> {
    let (before, rest) = whole.split_at_checked(start)?;
    let is_after = |at: &usize| {
        let line = rest.get(at + 1..).unwrap_or_default();
        labels.iter().any(|label| line.starts_with(label))
    };
    let end = rest.rmatch_indices('\n').map(|(at, _)| at).take_while(is_after).last()?;
    let (text, after) = rest.split_at_checked(end)?;
    let after = after.trim_start_matches('\n');
    let exit_code = after.lines().find_map(|line| line.strip_prefix("Exit Code: ")).map_or(Some(0), leading_number);
    Some(ShellOutput { exit_code, before, after, ..ShellOutput::plain(text) })
}

/// Reads the number at the beginning of a text.
pub(crate) fn leading_number(text: &str) -> Option<i32> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '-').unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}
