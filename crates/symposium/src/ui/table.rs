//! Rows of cells under a heading, in columns as wide as they need to be.

use super::text::{output_columns, pad};

/// The width terminals have at least.
pub(crate) const WIDTH: usize = 80;

/// A terminal with fewer columns gets a list instead of a table.
pub(crate) const TABLE_WIDTH: usize = 60;

/// Text in fewer columns cannot be read.
const NARROWEST: usize = 20;

const GAP: &str = "  ";

/// Returns the width of running text: the terminal's, and else [`WIDTH`].
pub(crate) fn text_width() -> usize {
    output_columns().unwrap_or(WIDTH).max(NARROWEST)
}

/// The rows as lines, the first of them being the heading. A cell that would make its line longer than the terminal's
/// columns is cut, when it stands in the column `may_shrink`. Without a terminal nothing is cut.
pub(crate) fn lines(rows: &[Vec<String>], may_shrink: usize, terminal: Option<usize>) -> Vec<String> {
    padded(rows, may_shrink, terminal).into_iter().map(|cells| cells.concat().trim_end().to_owned()).collect()
}

/// The same as cells, each as wide as its column and with the gap to the next one.
pub(crate) fn padded(rows: &[Vec<String>], may_shrink: usize, terminal: Option<usize>) -> Vec<Vec<String>> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths = vec![0; columns];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let whole = widths.iter().sum::<usize>() + GAP.len() * columns.saturating_sub(1);
    if let Some(width) = widths.get_mut(may_shrink) {
        // Something must be left to be recognised, and the heading.
        let heading = rows.first().and_then(|row| row.get(may_shrink)).map_or(0, |cell| cell.chars().count());
        *width = width.saturating_sub(whole.saturating_sub(terminal.unwrap_or(whole))).max(heading.max(6).min(*width));
    }
    let cell = |(cell, width): (&String, &usize)| format!("{}{GAP}", pad(&cut(cell, *width), *width));
    rows.iter().map(|row| row.iter().zip(&widths).map(cell).collect()).collect()
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{kept}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_needed_and_lines_fit() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [row(["a", "b", "c"]), row(["1", "12345", ""])];
        assert_eq!(lines(&rows, 1, Some(WIDTH)), ["a  b      c", "1  12345"]);
        let long = "x".repeat(90);
        let rows = [row(["a", "MATCHER", "c"]), row(["a", &long, "c"])];
        let shown = lines(&rows, 1, Some(WIDTH));
        assert_eq!(shown[1].chars().count(), WIDTH);
        assert!(shown[1].ends_with("x…  c"));
        assert!(lines(&rows, 1, Some(120))[1].contains(&long) && lines(&rows, 1, None)[1].contains(&long));
        assert_eq!(lines(&rows, 1, Some(40))[1].chars().count(), 40);
        let rows = [row(["a", "b", "c"]), row([&long, "abcdefgh", "c"])];
        assert!(lines(&rows, 1, Some(WIDTH))[1].ends_with("x  abcde…  c"));
        let rows = [row([&long, "MATCHER", "c"]), row([&long, "abcdefgh", "c"])];
        assert!(lines(&rows, 1, Some(WIDTH))[1].ends_with("x  abcdef…  c"));
    }
}
