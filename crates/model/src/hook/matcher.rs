//! Matchers: the tools a hook applies to, classified once so that most hooks need no regular expression.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolMatcher {
    /// Absent, empty or `*`: every tool.
    All,
    /// Plain names, separated by `|`, `,` or blanks.
    Exact(Vec<String>),
    /// Anything else: an unanchored regular expression.
    Pattern(String),
}

impl ToolMatcher {
    /// Classifies a matcher; the pattern itself is not checked here.
    pub fn parse(text: &str) -> Self {
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed == "*" {
            return Self::All;
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let separator = |c: char| matches!(c, '|' | ',' | ' ');
        if trimmed.chars().all(|c| plain(c) || separator(c)) {
            let names: Vec<String> =
                trimmed.split(separator).filter(|name| !name.is_empty()).map(str::to_owned).collect();
            return if names.is_empty() { Self::All } else { Self::Exact(names) };
        }
        Self::Pattern(trimmed.to_owned())
    }

    /// Returns true if a tool with any of these names matches. An invalid pattern matches none.
    pub fn matches(&self, names: &[&str]) -> bool {
        match self {
            Self::All => true,
            Self::Exact(wanted) => names.iter().any(|name| wanted.iter().any(|wanted| wanted == name)),
            Self::Pattern(pattern) => {
                regex_lite::Regex::new(pattern).is_ok_and(|pattern| names.iter().any(|name| pattern.is_match(name)))
            }
        }
    }

    pub fn fault(&self) -> Option<String> {
        match self {
            Self::All | Self::Exact(_) => None,
            Self::Pattern(pattern) => regex_lite::Regex::new(pattern).err().map(|error| error.to_string()),
        }
    }
}

impl fmt::Display for ToolMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("*"),
            Self::Exact(names) => f.write_str(&names.join("|")),
            Self::Pattern(pattern) => f.write_str(pattern),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matchers_are_classified() {
        let exact = |names: &[&str]| ToolMatcher::Exact(names.iter().map(|name| (*name).to_owned()).collect());
        let pattern = |text: &str| ToolMatcher::Pattern(text.to_owned());
        for (written, meant) in [
            ("", ToolMatcher::All),
            (" * ", ToolMatcher::All),
            ("|", ToolMatcher::All),
            ("Bash", exact(&["Bash"])),
            ("Edit|Write", exact(&["Edit", "Write"])),
            ("Edit, Write", exact(&["Edit", "Write"])),
            ("mcp__.*", pattern("mcp__.*")),
            ("^Bash$", pattern("^Bash$")),
            (".*", pattern(".*")),
        ] {
            assert_eq!(ToolMatcher::parse(written), meant, "{written}");
        }
        for (written, names, matches) in [
            ("", &[""][..], true),
            ("Bash", &["Bash", "shell"], true),
            ("shell", &["Bash", "shell"], true),
            ("Ba", &["Bash"], false),
            ("bash", &["Bash"], false),
            ("^Ba", &["Bash"], true),
            ("mcp__probe__.*", &["mcp__probe__echo"], true),
            ("mcp__(.*", &["mcp__(.*"], false),
        ] {
            assert_eq!(ToolMatcher::parse(written).matches(names), matches, "{written}");
        }
        assert!(ToolMatcher::parse("mcp__(.*").fault().is_some());
        assert!(ToolMatcher::parse("mcp__.*").fault().is_none());
    }
}
