//! Search for the name of a crate in a text.

use std::ops::Range;

use super::name::CrateName;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MentionContext {
    /// A list of crates, with versions: `serde, tokio >= 1.40`.
    Crates,
    /// Predicates, which name crates and other things: `all(depends-on(serde), env(serde))`.
    Predicates,
}

/// Returns the bytes of the first place where `text` names the crate as a whole word.
pub fn mention(text: &str, kind: MentionContext, name: &CrateName) -> Option<Range<usize>> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let mut at = 0;
    while let Some(start) = text.get(at..)?.find(is_letter).map(|start| at + start) {
        let rest = text.get(start..)?;
        let end = start + rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        let is_meant = CrateName::parse(text.get(start..end)?).as_ref() == Some(name);
        if is_meant && (kind == MentionContext::Crates || is_argument(text.get(..start)?)) {
            return Some(start..end);
        }
        at = end;
    }
    None
}

/// Tells whether the text ends in the opening of a `depends-on(…)` call.
fn is_argument(before: &str) -> bool {
    let call = before.trim_end().strip_suffix('(').map(str::trim_end);
    call.is_some_and(|call| call.ends_with("depends-on") || call.ends_with("depends_on"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_is_found_as_a_whole_word() {
        use MentionContext::{Crates, Predicates};
        for (text, kind, expected) in [
            ("serde", Crates, Some(0..5)),
            ("serde-json, my_serde, serde>=1", Crates, Some(22..27)),
            ("serde_json", Crates, None),
            ("", Crates, None),
            ("env(serde)", Predicates, None),
            ("all(path_exists(serde), depends-on( serde >= 1 ))", Predicates, Some(36..41)),
            ("depends_on(serde)", Predicates, Some(11..16)),
        ] {
            assert_eq!(mention(text, kind, &CrateName::parse("serde").unwrap()), expected, "{text}");
        }
        let name = CrateName::parse("serde_json").unwrap();
        assert_eq!(mention("é, serde-json", Crates, &name), Some(4..14), "cargo sees no difference");
    }
}
