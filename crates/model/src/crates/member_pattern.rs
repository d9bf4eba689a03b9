//! Glob patterns of `[workspace] members`.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberPattern {
    Directory(String),
    Pattern(Vec<PatternSegment>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternSegment {
    /// A literal name, or `..`.
    Name(String),
    Wild(WildcardName),
    /// `**`: any number of directories, including none.
    AnyDepth,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WildcardName(Vec<WildcardToken>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum WildcardToken {
    Char(char),
    AnyChar,
    AnyText,
    Class { ranges: Vec<(char, char)>, listed: ClassPolarity },
}

/// The meaning of the characters in a class: `[a-z]` accepts them, `[!a-z]` refuses them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClassPolarity {
    Accepted,
    Refused,
}

impl MemberPattern {
    /// Parses an entry; `None` when it is not a valid pattern: an open `[`, `**` next to other characters, or an
    /// absolute pattern.
    pub fn parse(text: &str) -> Option<Self> {
        if !text.contains(['*', '?', '[']) {
            return Some(Self::Directory(text.to_owned()));
        }
        let segments = text.split('/').filter(|segment| !matches!(*segment, "" | "."));
        let segments = segments.map(|segment| match segment {
            "**" => Some(PatternSegment::AnyDepth),
            _ if !segment.contains(['*', '?', '[']) => Some(PatternSegment::Name(segment.to_owned())),
            _ => WildcardName::parse(segment).map(PatternSegment::Wild),
        });
        // A pattern that starts at the root of the file system never names a part of this workspace in a portable way.
        if text.starts_with('/') { None } else { segments.collect::<Option<_>>().map(Self::Pattern) }
    }
}

impl WildcardName {
    fn parse(segment: &str) -> Option<Self> {
        if segment.contains("**") {
            return None;
        }
        let mut tokens = Vec::new();
        let mut chars = segment.chars();
        while let Some(next) = chars.next() {
            tokens.push(match next {
                '*' => WildcardToken::AnyText,
                '?' => WildcardToken::AnyChar,
                '[' => {
                    let (class, rest) = class(chars.as_str())?;
                    chars = rest.chars();
                    class
                }
                _ => WildcardToken::Char(next),
            });
        }
        Some(Self(tokens))
    }

    /// Matches the whole name. Linear in the name for each `*`: only the last one is ever tried again.
    pub fn matches(&self, name: &str) -> bool {
        let mut tokens = self.0.as_slice();
        let mut rest = name.chars();
        let mut retry: Option<(&[WildcardToken], std::str::Chars<'_>)> = None;
        loop {
            let advanced = match tokens.split_first() {
                None if rest.as_str().is_empty() => return true,
                None => None,
                Some((WildcardToken::AnyText, after)) => {
                    retry = Some((after, rest.clone()));
                    Some((after, rest.clone()))
                }
                Some((token, after)) => {
                    let mut ahead = rest.clone();
                    ahead.next().filter(|c| token.accepts(*c)).map(|_| (after, ahead))
                }
            };
            if let Some(position) = advanced {
                (tokens, rest) = position;
                continue;
            }
            // The last `*` takes one more character.
            let Some((after, mut from)) = retry.take() else { return false };
            if from.next().is_none() {
                return false;
            }
            retry = Some((after, from.clone()));
            (tokens, rest) = (after, from);
        }
    }
}

impl WildcardToken {
    fn accepts(&self, c: char) -> bool {
        match self {
            Self::Char(own) => *own == c,
            Self::AnyChar | Self::AnyText => true,
            Self::Class { ranges, listed } => {
                let is_listed = ranges.iter().any(|(from, to)| (*from..=*to).contains(&c));
                match listed {
                    ClassPolarity::Accepted => is_listed,
                    ClassPolarity::Refused => !is_listed,
                }
            }
        }
    }
}

/// Parses a class after its `[`, and returns it with the text after its `]`.
fn class(text: &str) -> Option<(WildcardToken, &str)> {
    let (text, listed) = match text.strip_prefix('!') {
        Some(text) => (text, ClassPolarity::Refused),
        None => (text, ClassPolarity::Accepted),
    };
    // A `]` in the first place is a character of the class.
    let after_first = text.chars().next()?.len_utf8();
    let end = after_first + text.get(after_first..)?.find(']')?;
    let mut inside = text.get(..end)?.chars().peekable();
    let mut ranges = Vec::new();
    while let Some(from) = inside.next() {
        let mut ahead = inside.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(to)) => {
                ranges.push((from, to));
                inside = ahead;
            }
            _ => ranges.push((from, from)),
        }
    }
    Some((WildcardToken::Class { ranges, listed }, text.get(end + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_their_wildcards() {
        for (pattern, fitting, other) in [
            ("*", &["a", "", "x.y"][..], &[][..]),
            ("crate-*", &["crate-a", "crate-"], &["crate", "xcrate-a"]),
            ("*-sys", &["a-sys", "-sys", "a-sys-sys"], &["a-sys-x"]),
            ("a*b*c", &["abc", "aXbYc", "abbcc"], &["ac", "abcd", "acb"]),
            ("v?", &["v1", "vé"], &["v", "v12"]),
            ("[a-c]x", &["ax", "cx"], &["dx", "x"]),
            ("[!a-c]x", &["dx"], &["ax", "x"]),
            ("[]a]", &["]", "a"], &["b"]),
            ("[a-]", &["a", "-"], &["b"]),
        ] {
            let wild = WildcardName::parse(pattern).unwrap();
            for name in fitting {
                assert!(wild.matches(name), "{pattern} fits {name}");
            }
            for name in other {
                assert!(!wild.matches(name), "{pattern} does not fit {name}");
            }
        }
    }

    #[test]
    fn many_stars_do_not_take_for_ever() {
        let wild = WildcardName::parse(&"*a".repeat(40)).unwrap();
        assert!(!wild.matches(&format!("{}b", "a".repeat(2_000))));
    }

    #[test]
    fn entries_are_directories_or_patterns() {
        let name = |text: &str| PatternSegment::Name(text.to_owned());
        assert_eq!(MemberPattern::parse("./a/b"), Some(MemberPattern::Directory("./a/b".to_owned())));
        assert_eq!(
            MemberPattern::parse("./a//**/x"),
            Some(MemberPattern::Pattern(vec![name("a"), PatternSegment::AnyDepth, name("x")]))
        );
        for bad in ["a/[b", "a/b**", "***", "[", "[!", "/abs/*"] {
            assert_eq!(MemberPattern::parse(bad), None, "{bad}");
        }
    }
}
