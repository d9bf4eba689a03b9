//! The digest of a skill: the few lines that reach the model by themselves.

/// In bytes.
pub(super) const LONGEST_DIGEST: usize = 600;

/// Cuts a digest at the last line or sentence that fits.
pub(super) fn shorten(digest: &str) -> String {
    let digest = digest.trim();
    if digest.len() <= LONGEST_DIGEST {
        return digest.to_owned();
    }
    let fitting = digest.get(..digest.floor_char_boundary(LONGEST_DIGEST)).unwrap_or_default();
    let sentence = fitting.rfind(". ").map(|at| at + 1);
    let end = fitting.rfind('\n').max(sentence).or_else(|| fitting.rfind(' ')).unwrap_or(fitting.len());
    fitting.get(..end).unwrap_or_default().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_digest_ends_at_a_line_or_a_sentence() {
        let line = "x".repeat(290);
        for (digest, expected) in [
            ("  short \n".to_owned(), "short".to_owned()),
            (format!("{line}\n{line}\n{line}"), format!("{line}\n{line}")),
            (format!("{line}. {line}. {line}"), format!("{line}. {line}.")),
            (format!("{line} {line}é{line}"), line.clone()),
            ("é".repeat(400), "é".repeat(300)),
        ] {
            assert_eq!(shorten(&digest), expected);
        }
    }
}
