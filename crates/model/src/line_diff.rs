//! Compares two versions of a text line by line: removed lines get `-`, added ones `+`.

/// The number of unchanged lines shown around a change.
const AROUND: usize = 2;
/// Beyond this many pairs of lines the shortest difference is not computed.
const MAX_PAIRS: usize = 4_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiffLine<'t> {
    Same(&'t str),
    Gone(&'t str),
    New(&'t str),
}

pub fn difference(before: &str, after: &str) -> Vec<String> {
    let lines = compared(&before.lines().collect::<Vec<_>>(), &after.lines().collect::<Vec<_>>());
    let is_near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        lines.iter().skip(from).take(at - from + AROUND + 1).any(|line| !matches!(line, DiffLine::Same(_)))
    };
    let mut shown = Vec::new();
    let mut skipped = false;
    for (at, line) in lines.iter().enumerate() {
        if !is_near(at) {
            skipped = !shown.is_empty();
            continue;
        }
        if std::mem::take(&mut skipped) {
            shown.push("  …".to_owned());
        }
        shown.push(match line {
            DiffLine::Same(text) => format!("  {text}"),
            DiffLine::Gone(text) => format!("- {text}"),
            DiffLine::New(text) => format!("+ {text}"),
        });
    }
    if shown.is_empty() && before != after {
        shown.push("  (only line ends differ)".to_owned());
    }
    shown
}

pub(crate) fn compared<'t>(before: &[&'t str], after: &[&'t str]) -> Vec<DiffLine<'t>> {
    let start = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let (same, before) = before.split_at(start);
    let (_, after) = after.split_at(start);
    let end = before.iter().rev().zip(after.iter().rev()).take_while(|(one, other)| one == other).count();
    let (before, tail) = before.split_at(before.len() - end);
    let (after, _) = after.split_at(after.len() - end);
    let mut lines: Vec<DiffLine<'t>> = same.iter().copied().map(DiffLine::Same).collect();
    lines.extend(middle(before, after));
    lines.extend(tail.iter().copied().map(DiffLine::Same));
    lines
}

/// Keeps a longest common subsequence; all other lines are removed or added.
fn middle<'t>(before: &[&'t str], after: &[&'t str]) -> Vec<DiffLine<'t>> {
    let all = || before.iter().copied().map(DiffLine::Gone).chain(after.iter().copied().map(DiffLine::New)).collect();
    if before.is_empty() || after.is_empty() || before.len().saturating_mul(after.len()) > MAX_PAIRS {
        return all();
    }
    // `longest[i][j]` is the length of the longest common subsequence of `before[i..]` and `after[j..]`.
    let mut longest = vec![vec![0_u32; after.len() + 1]; before.len() + 1];
    let at = |longest: &[Vec<u32>], i: usize, j: usize| {
        longest.get(i).and_then(|row| row.get(j)).copied().unwrap_or_default()
    };
    for (i, one) in before.iter().enumerate().rev() {
        for (j, other) in after.iter().enumerate().rev() {
            let best = if one == other {
                at(&longest, i + 1, j + 1) + 1
            } else {
                at(&longest, i + 1, j).max(at(&longest, i, j + 1))
            };
            if let Some(cell) = longest.get_mut(i).and_then(|row| row.get_mut(j)) {
                *cell = best;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while let (Some(one), Some(other)) = (before.get(i), after.get(j)) {
        if one == other {
            lines.push(DiffLine::Same(one));
            (i, j) = (i + 1, j + 1);
        } else if at(&longest, i + 1, j) >= at(&longest, i, j + 1) {
            lines.push(DiffLine::Gone(one));
            i += 1;
        } else {
            lines.push(DiffLine::New(other));
            j += 1;
        }
    }
    lines.extend(before.iter().skip(i).copied().map(DiffLine::Gone));
    lines.extend(after.iter().skip(j).copied().map(DiffLine::New));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, expected: &[&str]) {
        assert_eq!(difference(before, after), expected, "{before:?} {after:?}");
    }

    #[test]
    fn only_what_differs_is_shown() {
        check("a\n", "a\n", &[]);
        check("a\n", "b\n", &["- a", "+ b"]);
        check("", "a\n", &["+ a"]);
        check("1\n2\n3\n4\n5\n6\n", "1\n2\n3\nx\n5\n6\n", &["  2", "  3", "- 4", "+ x", "  5", "  6"]);
        check(
            "a\n1\n2\n3\n4\n5\n6\nb\n",
            "A\n1\n2\n3\n4\n5\n6\nB\n",
            &["- a", "+ A", "  1", "  2", "  …", "  5", "  6", "- b", "+ B"],
        );
        check("a\nb\nc\nd\n", "a\nc\nx\nd\n", &["  a", "- b", "  c", "+ x", "  d"]);
        check("a\r\n", "a\n", &["  (only line ends differ)"]);
        check("a", "a\n", &["  (only line ends differ)"]);
    }

    #[test]
    fn large_texts_are_compared_in_bounded_time() {
        let before: String = (0..5_000).map(|number| format!("{number}\n")).collect::<Vec<_>>().concat();
        let after: String = (0..5_000).map(|number| format!("x{number}\n")).collect::<Vec<_>>().concat();
        assert_eq!(difference(&before, &after).len(), 10_000);
    }
}
