//! Skill names: the strict form that every agent accepts, and a lenient conversion to it.

use std::fmt;

/// In characters.
const LONGEST: usize = 64;

/// Names that Windows reserves for devices; no directory can be called so there.
const DEVICES: &[&str] = &[
    "con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt0",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// A name of the form `[a-z0-9]+(-[a-z0-9]+)*`, at most 64 long, that is safe as a directory everywhere.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillName(Box<str>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameProblem {
    Empty,
    TooLong,
    /// A character that cannot be converted into a letter, digit or hyphen.
    Character(char),
    /// Capitals, blanks, `_`, `.`, or hyphens at the ends or in a row: only [`SkillName::parse`] refuses these.
    NotNormal,
    Device,
}

impl fmt::Display for NameProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::TooLong => write!(f, "it is longer than {LONGEST} characters"),
            Self::Character(c) => write!(f, "it contains `{}`", c.escape_debug()),
            Self::NotNormal => {
                f.write_str("only lower-case letters, digits and single hyphens between them are allowed")
            }
            Self::Device => f.write_str("Windows reserves this name for a device"),
        }
    }
}

impl SkillName {
    pub fn parse(text: &str) -> Result<Self, NameProblem> {
        let name = Self::normalize(text)?;
        if name.as_str() == text { Ok(name) } else { Err(NameProblem::NotNormal) }
    }

    /// Converts a text leniently: lower-cases ASCII letters, replaces runs of blanks, `_`, `.` and `-` by one `-`, and
    /// cuts hyphens at the ends.
    pub fn normalize(text: &str) -> Result<Self, NameProblem> {
        let mut name = String::new();
        let mut gap = false;
        for c in text.chars() {
            match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' => {
                    if gap && !name.is_empty() {
                        name.push('-');
                    }
                    gap = false;
                    name.push(c.to_ascii_lowercase());
                    if name.len() > LONGEST {
                        return Err(NameProblem::TooLong);
                    }
                }
                ' ' | '\t' | '_' | '.' | '-' => gap = true,
                _ => return Err(NameProblem::Character(c)),
            }
        }
        if name.is_empty() {
            return Err(NameProblem::Empty);
        }
        if DEVICES.contains(&name.as_str()) {
            return Err(NameProblem::Device);
        }
        Ok(Self(name.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SkillName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_liberal_reading_mends_what_can_be_mended() {
        for (text, wanted) in [
            ("tokio", "tokio"),
            ("a-b", "a-b"),
            ("My Skill", "my-skill"),
            ("x_y.z", "x-y-z"),
            ("a _.- b", "a-b"),
            ("--a--", "a"),
            (" a\t", "a"),
            ("123", "123"),
            ("con.txt", "con-txt"),
            ("com10", "com10"),
            (&"a".repeat(64), &"a".repeat(64)),
        ] {
            assert_eq!(SkillName::normalize(text).map(|name| name.to_string()), Ok(wanted.to_owned()), "{text}");
        }
    }

    #[test]
    fn the_rest_is_refused_with_a_reason() {
        for (text, wanted) in [
            ("", NameProblem::Empty),
            ("-_. ", NameProblem::Empty),
            ("../../.git/hooks", NameProblem::Character('/')),
            ("/tmp/x", NameProblem::Character('/')),
            ("a\\b", NameProblem::Character('\\')),
            ("a:b", NameProblem::Character(':')),
            ("a\0b", NameProblem::Character('\0')),
            ("a\nb", NameProblem::Character('\n')),
            ("é", NameProblem::Character('é')),
            ("K\u{212a}", NameProblem::Character('\u{212a}')),
            ("CON", NameProblem::Device),
            ("nul", NameProblem::Device),
            ("Lpt1", NameProblem::Device),
            ("-aux-", NameProblem::Device),
            (&"a".repeat(65), NameProblem::TooLong),
            (&"a-".repeat(40), NameProblem::TooLong),
        ] {
            assert_eq!(SkillName::normalize(text), Err(wanted), "{text}");
        }
    }

    #[test]
    fn the_strict_reading_takes_only_the_final_form() {
        assert!(SkillName::parse("a-1-b").is_ok());
        for text in ["A", "a_b", "a b", "-a", "a-", "a--b", "a.b"] {
            assert_eq!(SkillName::parse(text), Err(NameProblem::NotNormal), "{text}");
        }
        assert_eq!(SkillName::parse("a/b"), Err(NameProblem::Character('/')));
    }

    #[test]
    fn a_reason_never_prints_a_raw_control_character() {
        assert_eq!(NameProblem::Character('\u{1b}').to_string(), "it contains `\\u{1b}`");
    }
}
