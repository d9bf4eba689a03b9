//! The table of `symposium status`, as wide as a terminal is at least.

use super::{Row, names};
use crate::ui::table::WIDTH;
use crate::ui::text::{Text, pad, wrap};

/// Before the reason of the state above.
const INDENT: &str = "    ";

/// The agents get at least this much of a line.
const NARROWEST: usize = 20;

/// The rows, each with its reason where that is for people.
pub(super) fn table(rows: &[Row]) -> Text {
    if rows.is_empty() {
        return Text::default().line("No extension applies here.");
    }
    let header = ["EXTENSION", "CRATE", "SOURCE", "STATE", "AGENTS"].map(str::to_owned);
    let mut lines = vec![header];
    for row in rows {
        let krate = match (&row.krate, &row.crate_version) {
            (Some(krate), Some(version)) => format!("{krate} {version}"),
            _ => "-".to_owned(),
        };
        let agents = if row.agents.is_empty() { "-".to_owned() } else { names(&row.agents).join(", ") };
        lines.push([row.name.clone(), krate, row.source.clone(), row.state.word().to_owned(), agents]);
    }
    let width = |column: usize| {
        lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..4).map(width).collect();
    let before_agents: usize = widths.iter().map(|width| width + 2).sum();
    let mut text = Text::default();
    for (number, line) in lines.iter().enumerate() {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{}  ", pad(cell, *width)));
        let mut joined: String = cells.collect();
        // Eight agents do not fit beside the rest; they go on below, in their column.
        let agents = line.last().map(String::as_str).unwrap_or_default();
        let agents = wrap(agents, WIDTH.saturating_sub(before_agents).max(NARROWEST));
        joined.push_str(&agents.join(&format!("\n{}", " ".repeat(before_agents))));
        text = if number == 0 { text.heading(joined.trim_end()) } else { text.line(joined.trim_end()) };
        let row = number.checked_sub(1).and_then(|number| rows.get(number));
        for line in row.filter(|row| row.is_odd).map(|row| wrap(&row.reason, WIDTH - INDENT.len())).unwrap_or_default()
        {
            text = text.dim(format!("{INDENT}{line}")).end();
        }
    }
    text
}
