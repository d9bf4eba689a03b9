//! Splits the texts of `crates` and `predicates` at the commas between items.

use super::one_line::one_line;

/// Splits texts into crate atoms. A piece that begins with an operator or a digit names no crate: it is the second half
/// of the requirement before it, as in `tokio>=1.0,<2.0`.
pub(super) fn atoms<'t>(texts: impl IntoIterator<Item = &'t str>) -> Vec<String> {
    let mut atoms: Vec<String> = Vec::new();
    for piece in texts.into_iter().flat_map(|text| text.split(',')) {
        let piece = one_line(piece);
        let continues = piece.starts_with(|c: char| "<>=^~!".contains(c) || c.is_ascii_digit());
        match atoms.last_mut() {
            _ if piece.is_empty() => {}
            Some(last) if continues => {
                last.push(',');
                last.push_str(&piece);
            }
            _ => atoms.push(piece),
        }
    }
    atoms
}

/// Splits texts into predicates: a comma inside parentheses belongs to the predicate.
pub(super) fn predicates<'t>(texts: impl IntoIterator<Item = &'t str>) -> Vec<String> {
    texts.into_iter().flat_map(split_outside_parentheses).collect()
}

fn split_outside_parentheses(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
    .map(|piece| piece.trim().to_owned())
    .filter(|piece| !piece.is_empty())
    .collect()
}

pub(super) fn is_balanced(predicate: &str) -> bool {
    let depth = predicate.chars().try_fold(0_usize, |depth, c| match c {
        '(' => Some(depth + 1),
        ')' => depth.checked_sub(1),
        _ => Some(depth),
    });
    depth == Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_are_split_at_commas_that_begin_a_name() {
        for (texts, wanted) in [
            (&["serde"][..], &["serde"][..]),
            (&["serde, tokio >= 1.0"], &["serde", "tokio >= 1.0"]),
            (&["serde", "tokio>=1.0,<2.0"], &["serde", "tokio>=1.0,<2.0"]),
            (&["tokio>=1.0, <2.0, serde"], &["tokio>=1.0,<2.0", "serde"]),
            (&["*"], &["*"]),
            (&["", " , ,"], &[]),
            (&["<2, serde"], &["<2", "serde"]),
        ] {
            let atoms = atoms(texts.iter().copied());
            assert_eq!(atoms, wanted);
            assert_eq!(super::atoms([atoms.join(", ").as_str()]), wanted);
        }
    }

    #[test]
    fn predicates_keep_their_inner_commas() {
        for (texts, wanted) in [
            (&["depends-on(serde)"][..], &["depends-on(serde)"][..]),
            (&["any(a(), b(x, y)), not(c())"], &["any(a(), b(x, y))", "not(c())"]),
            (&["a()", "b(),c()"], &["a()", "b()", "c()"]),
            (&["path_exists(a  b) "], &["path_exists(a  b)"]),
            (&["a), b()"], &["a)", "b()"]),
            (&["a(, b()"], &["a(, b()"]),
        ] {
            assert_eq!(predicates(texts.iter().copied()), wanted);
        }
    }

    #[test]
    fn parentheses_must_have_partners() {
        for (text, wanted) in [("a(b(c))", true), ("a", true), ("a(", false), ("a)(", false)] {
            assert_eq!(is_balanced(text), wanted, "{text}");
        }
    }
}
