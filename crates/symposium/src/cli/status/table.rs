//! The table of `symposium status`, as wide as the terminal; a list where a table would fall apart.

use super::{ExtensionRow, names};
use crate::cli::state_text::add_state;
use crate::ops::query::usage::SkillUse;
use crate::ui::printer::VerbosityLevel;
use crate::ui::table::{TABLE_WIDTH, WIDTH};
use crate::ui::text::{StyledText, pad, wrap};

/// Before what belongs to the extension above.
const INDENT: &str = "    ";

/// The agents get at least this much of a line: the longest name of one.
const NARROWEST: usize = 8;

/// The level of detail, and the width of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageForm {
    pub(super) verbosity: VerbosityLevel,
    /// Those of the terminal; `None` for other readers, who get a table.
    pub(super) columns: Option<usize>,
}

impl PageForm {
    fn width(self) -> usize {
        self.columns.unwrap_or(WIDTH)
    }
}

/// The texts of a row in the table.
struct StatusCells {
    name: String,
    krate: String,
    source: String,
    state: String,
    used: String,
    agents: String,
}

impl StatusCells {
    fn from_row(row: &ExtensionRow) -> Self {
        let krate = match (&row.krate, &row.crate_version) {
            (Some(krate), Some(version)) if row.is_assumed => format!("{krate} {version} (assumed)"),
            (Some(krate), Some(version)) => format!("{krate} {version}"),
            _ => "-".to_owned(),
        };
        Self {
            name: row.name.clone(),
            krate,
            source: row.source.clone(),
            state: row.report.shown(),
            used: row.used.as_ref().map_or_else(|| "-".to_owned(), SkillUse::brief),
            agents: if row.agents.is_empty() { "-".to_owned() } else { names(&row.agents).join(", ") },
        }
    }

    fn headings() -> Self {
        let [name, krate, source, state, used, agents] =
            ["EXTENSION", "CRATE", "SOURCE", "STATE", "USED", "AGENTS"].map(str::to_owned);
        Self { name, krate, source, state, used, agents }
    }
}

/// Renders the rows, each with its reason if the state alone is unclear.
pub(super) fn page(rows: &[ExtensionRow], form: PageForm) -> StyledText {
    if rows.is_empty() {
        return StyledText::default().line("No extension applies here.");
    }
    if form.columns.is_some_and(|columns| columns < TABLE_WIDTH) { list(rows, form) } else { table(rows, form) }
}

fn table(rows: &[ExtensionRow], form: PageForm) -> StyledText {
    let headings = StatusCells::headings();
    let lines: Vec<(StatusCells, &ExtensionRow)> = rows.iter().map(|row| (StatusCells::from_row(row), row)).collect();
    let width = |cell: fn(&StatusCells) -> &String| {
        let all = lines.iter().map(|(cells, _)| cells).chain([&headings]);
        all.map(|cells| cell(cells).chars().count()).max().unwrap_or(0) + 2
    };
    let (name, krate, source) = (width(|cells| &cells.name), width(|cells| &cells.krate), width(|cells| &cells.source));
    let (state, used) = (width(|cells| &cells.state), width(|cells| &cells.used));
    let before_state =
        |cells: &StatusCells| [pad(&cells.name, name), pad(&cells.krate, krate), pad(&cells.source, source)].concat();
    let before_agents = name + krate + source + state + used;
    if form.columns.is_some_and(|columns| columns < before_agents + NARROWEST) {
        return list(rows, form);
    }
    let heading =
        [before_state(&headings), pad(&headings.state, state), pad(&headings.used, used), headings.agents.clone()];
    let heading = heading.concat();
    let mut text = StyledText::default().heading(heading);
    let mut above = None;
    for (cells, row) in &lines {
        text = add_state(text.plain(before_state(cells)), row.report.state, &pad(&cells.state, state));
        text = text.plain(pad(&cells.used, used));
        // All agents may not fit beside the rest; they go on below, in their column.
        let room = form.columns.map_or(usize::MAX, |columns| columns.saturating_sub(before_agents).max(NARROWEST));
        let agents = wrap(&cells.agents, room);
        let below = agents.iter().skip(1).map(|agents| format!("{}{agents}", " ".repeat(before_agents)));
        text = text.line(agents.first().map(String::as_str).unwrap_or_default());
        text = below.fold(text, StyledText::line);
        text = add_reason(text, row, above.replace(*row), form);
    }
    text
}

fn list(rows: &[ExtensionRow], form: PageForm) -> StyledText {
    let mut text = StyledText::default();
    let mut above = None;
    for row in rows {
        let cells = StatusCells::from_row(row);
        text = add_state(text.strong(&cells.name).plain(": "), row.report.state, &cells.state).end();
        let parts =
            [("crate", &cells.krate), ("source", &cells.source), ("used", &cells.used), ("agents", &cells.agents)];
        for (what, cell) in parts {
            if cell.is_empty() || cell == "-" {
                continue;
            }
            let lines = wrap(&format!("{what} {cell}"), form.width().saturating_sub(INDENT.len()).max(NARROWEST));
            for (number, line) in lines.iter().enumerate() {
                text = text.line(if number == 0 { format!("  {line}") } else { format!("{INDENT}{line}") });
            }
        }
        text = add_reason(text, row, above.replace(row), form);
    }
    text
}

/// Adds the reason where the state alone is unclear. One reason of several rows is written out once.
fn add_reason(text: StyledText, row: &ExtensionRow, above: Option<&ExtensionRow>, form: PageForm) -> StyledText {
    if !row.is_odd && form.verbosity < VerbosityLevel::Verbose {
        return text;
    }
    let is_same = above.is_some_and(|above| above.is_odd && above.report == row.report);
    let reason = if is_same && row.is_odd { "for the same reason" } else { &row.report.reason };
    let lines = wrap(reason, form.width().saturating_sub(INDENT.len()).max(NARROWEST));
    lines.into_iter().fold(text, |text, line| text.dim(format!("{INDENT}{line}")).end())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use symposium_model::agent::AgentId;

    use super::*;
    use crate::ops::query::extension_state::{ExtensionState, StateReport};
    use crate::ops::query::status::StatusSubject;

    fn row(name: &str, state: ExtensionState, agents: &[AgentId]) -> ExtensionRow {
        ExtensionRow {
            name: name.to_owned(),
            subject: StatusSubject::Leftover,
            krate: Some("rand".to_owned()),
            crate_version: Some("0.9.5".to_owned()),
            is_assumed: false,
            source: "builtin".to_owned(),
            report: StateReport::new(state, "edited after installation, and kept"),
            agents: agents.to_vec(),
            used: None,
            findings: Vec::new(),
            is_odd: state == ExtensionState::Drifted,
        }
    }

    fn check(width: usize, expected: &Expect) {
        let rows = [row("rand-0-9", ExtensionState::On, &AgentId::ALL), row("other", ExtensionState::Drifted, &[])];
        let page = page(&rows, PageForm { verbosity: VerbosityLevel::Normal, columns: Some(width) }).bare();
        expected.assert_eq(&page);
        assert!(page.lines().all(|line| line.chars().count() <= width), "{width}");
    }

    #[test]
    fn one_reason_of_several_rows_is_written_once() {
        let rows = ["a", "b", "c"].map(|name| row(name, ExtensionState::Drifted, &[]));
        for width in [40, 80] {
            let shown = page(&rows, PageForm { verbosity: VerbosityLevel::Normal, columns: Some(width) }).bare();
            assert_eq!(shown.matches("edited after installation").count(), 1, "{shown}");
            assert_eq!(shown.matches("    for the same reason\n").count(), 2, "{shown}");
        }
    }

    #[test]
    fn the_page_is_as_wide_as_the_terminal() {
        check(
            120,
            &expect![[r#"
                EXTENSION  CRATE       SOURCE   STATE    USED  AGENTS
                rand-0-9   rand 0.9.5  builtin  on       -     claude, copilot, gemini, codex, kiro, opencode, goose, cursor, qwen,
                                                               kilo, cline, pi, droid, crush, antigravity, agents
                other      rand 0.9.5  builtin  drifted  -     -
                    edited after installation, and kept
            "#]],
        );
        check(
            80,
            &expect![[r#"
                EXTENSION  CRATE       SOURCE   STATE    USED  AGENTS
                rand-0-9   rand 0.9.5  builtin  on       -     claude, copilot, gemini, codex,
                                                               kiro, opencode, goose, cursor,
                                                               qwen, kilo, cline, pi, droid,
                                                               crush, antigravity, agents
                other      rand 0.9.5  builtin  drifted  -     -
                    edited after installation, and kept
            "#]],
        );
        check(
            60,
            &expect![[r#"
                EXTENSION  CRATE       SOURCE   STATE    USED  AGENTS
                rand-0-9   rand 0.9.5  builtin  on       -     claude,
                                                               copilot,
                                                               gemini,
                                                               codex, kiro,
                                                               opencode,
                                                               goose,
                                                               cursor, qwen,
                                                               kilo, cline,
                                                               pi, droid,
                                                               crush,
                                                               antigravity,
                                                               agents
                other      rand 0.9.5  builtin  drifted  -     -
                    edited after installation, and kept
            "#]],
        );
        check(
            40,
            &expect![[r#"
                rand-0-9: on
                  crate rand 0.9.5
                  source builtin
                  agents claude, copilot, gemini,
                    codex, kiro, opencode, goose,
                    cursor, qwen, kilo, cline, pi,
                    droid, crush, antigravity, agents
                other: drifted
                  crate rand 0.9.5
                  source builtin
                    edited after installation, and kept
            "#]],
        );
    }
}
