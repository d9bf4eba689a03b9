//! The revisions that a review is about, as they are written.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReviewRange {
    pub(super) from: String,
    /// `None` for the working tree.
    pub(super) to: Option<String>,
    /// Whether the comparison starts where the two parted, as git's three dots do.
    pub(super) uses_common_ancestor: bool,
}

impl ReviewRange {
    pub(super) fn parse(asked: Option<&str>) -> Self {
        let name = |text: &str| if text.is_empty() { "HEAD".to_owned() } else { text.to_owned() };
        let asked = asked.unwrap_or_default();
        let pair = asked.split_once("...").map(|pair| (pair, true));
        match pair.or_else(|| asked.split_once("..").map(|pair| (pair, false))) {
            Some(((from, to), uses_common_ancestor)) => {
                Self { from: name(from), to: Some(name(to)), uses_common_ancestor }
            }
            None => Self { from: name(asked), to: None, uses_common_ancestor: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_are_written_as_for_git() {
        for (asked, from, to, uses_common_ancestor) in [
            (None, "HEAD", None, false),
            (Some("main"), "main", None, false),
            (Some("a..b"), "a", Some("b"), false),
            (Some("a.."), "a", Some("HEAD"), false),
            (Some("a...b"), "a", Some("b"), true),
            (Some("origin/main..."), "origin/main", Some("HEAD"), true),
        ] {
            let (from, to) = (from.to_owned(), to.map(str::to_owned));
            assert_eq!(ReviewRange::parse(asked), ReviewRange { from, to, uses_common_ancestor });
        }
    }
}
