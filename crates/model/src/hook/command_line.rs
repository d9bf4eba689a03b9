//! Splits the command of a hook into words like a POSIX shell, or finds that it needs a shell.
//!
//! Starting a program directly saves the start of a shell on every event. Only lines that mean the same to every shell
//! are split; in doubt the command goes to a shell.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SplitCommand {
    /// The program and its arguments, without quotes; started directly. Empty when the line is blank.
    Words(Vec<String>),
    Shell,
}

/// First words that a shell interprets itself: there is no such program, or it would not do the same.
const OF_THE_SHELL: [&str; 48] = [
    "!", ".", ":", "[[", "alias", "bg", "break", "case", "cd", "command", "continue", "do", "done", "elif", "else",
    "esac", "eval", "exec", "exit", "export", "fc", "fg", "fi", "for", "function", "getopts", "hash", "if", "in",
    "jobs", "read", "readonly", "return", "set", "shift", "then", "times", "trap", "type", "ulimit", "umask",
    "unalias", "unset", "until", "wait", "while", "{", "}",
];

pub fn split(line: &str) -> SplitCommand {
    words(line).map_or(SplitCommand::Shell, SplitCommand::Words)
}

/// Returns the reason why no shell can run the line: an unclosed quote. Lines with a here-document or a command
/// substitution are not checked, since quotes follow other rules there.
pub fn fault(line: &str) -> Option<&'static str> {
    if ["<<", "$(", "`"].iter().any(|inside| line.contains(inside)) {
        return None;
    }
    let mut characters = line.chars();
    let mut before = ' ';
    while let Some(character) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            // Quotes in a comment mean nothing.
            '#' if before.is_whitespace() => {
                let _ = characters.find(|c| *c == '\n');
                before = '\n';
                continue;
            }
            '\'' if !characters.any(|c| c == '\'') => return Some("a `'` is not closed"),
            '"' if !end_of_quotes(&mut characters) => return Some("a `\"` is not closed"),
            _ => {}
        }
        before = character;
    }
    None
}

fn end_of_quotes(characters: &mut std::str::Chars<'_>) -> bool {
    while let Some(character) = characters.next() {
        match character {
            '"' => return true,
            '\\' => drop(characters.next()),
            _ => {}
        }
    }
    false
}

fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word = WordBuilder::default();
    let line = line.trim_start_matches([' ', '\t', '\n', '\r']).trim_end_matches(['\n', '\r']);
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => word.end(&mut words),
            '\'' => word.quoted(&single(&mut characters)?),
            '"' => word.quoted(&double(&mut characters)?),
            '\\' => match characters.next()? {
                '\n' => {}
                escaped => word.quoted(escaped.encode_utf8(&mut [0; 4])),
            },
            '|' | '&' | ';' | '<' | '>' | '(' | ')' | '*' | '?' | '[' | '~' | '$' | '`' | '\n' => return None,
            '#' if word.text.is_none() => return None,
            '=' if words.is_empty() && word.is_name() => return None,
            plain => word.plain(plain),
        }
    }
    word.end(&mut words);
    let first = words.first().map_or("", String::as_str);
    (!OF_THE_SHELL.contains(&first)).then_some(words)
}

fn single(characters: &mut std::str::Chars<'_>) -> Option<String> {
    let (text, rest) = characters.as_str().split_once('\'')?;
    *characters = rest.chars();
    Some(text.to_owned())
}

/// Reads up to the next double quote; returns `None` if the text contains an expansion.
fn double(characters: &mut std::str::Chars<'_>) -> Option<String> {
    let mut text = String::new();
    loop {
        match characters.next()? {
            '"' => return Some(text),
            '$' | '`' => return None,
            '\\' => match characters.next()? {
                '\n' => {}
                escaped @ ('$' | '`' | '"' | '\\') => text.push(escaped),
                other => text.extend(['\\', other]),
            },
            plain => text.push(plain),
        }
    }
}

#[derive(Default)]
struct WordBuilder {
    text: Option<String>,
    /// Set when any part of the word was quoted.
    quoted: bool,
}

impl WordBuilder {
    fn plain(&mut self, character: char) {
        self.text.get_or_insert_default().push(character);
    }

    fn quoted(&mut self, text: &str) {
        self.quoted = true;
        self.text.get_or_insert_default().push_str(text);
    }

    /// Returns true if an `=` after this text makes it an assignment.
    fn is_name(&self) -> bool {
        let text = self.text.as_deref().unwrap_or_default();
        let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        starts && !self.quoted && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    fn end(&mut self, words: &mut Vec<String>) {
        words.extend(std::mem::take(self).text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_as_a_shell_does() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            (" \t\n", &[]),
            ("check", &["check"]),
            ("  check   --all\tnow \n", &["check", "--all", "now"]),
            (
                "./hook.sh --a=b c,d {x} %1 a:b x@y +1 ^ ]",
                &["./hook.sh", "--a=b", "c,d", "{x}", "%1", "a:b", "x@y", "+1", "^", "]"],
            ),
            ("a 'b c' \"d e\" f\\ g", &["a", "b c", "d e", "f g"]),
            ("a b\\ ", &["a", "b "]),
            ("a ''  \"\" b", &["a", "", "", "b"]),
            ("a b'c'\"d\"e", &["a", "bcde"]),
            ("a '$x `y` \\ \" |'", &["a", "$x `y` \\ \" |"]),
            (r#"a "\$x \`y\` \\ \" \n |;*~#'""#, &["a", "$x `y` \\ \" \\n |;*~#'"]),
            (r"a \$x \| \* \' \~ \#", &["a", "$x", "|", "*", "'", "~", "#"]),
            ("a b\\\nc \"d\\\ne\"", &["a", "bc", "de"]),
            ("a 'b\nc'", &["a", "b\nc"]),
            ("a b#c '#d' x=#", &["a", "b#c", "#d", "x=#"]),
            ("env A=b c", &["env", "A=b", "c"]),
            ("'A'=b c", &["A=b", "c"]),
            ("1=b =c", &["1=b", "=c"]),
            ("größe 'ä ö' 猫", &["größe", "ä ö", "猫"]),
            ("echo exit if { !", &["echo", "exit", "if", "{", "!"]),
        ];
        for (line, words) in cases {
            let words = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(split(line), SplitCommand::Words(words), "{line}");
            assert_eq!(fault(line), None, "{line}");
        }
    }

    #[test]
    fn what_only_a_shell_understands_is_left_to_it() {
        for line in [
            "a | b",
            "a & b",
            "a;b",
            "a<b",
            "a>b",
            "a 2>&1",
            "a *",
            "a ?",
            "a ~",
            "~/a",
            "a x~",
            "(a)",
            "a b)",
            "a [bc]",
            "a $x",
            "a \"$x\"",
            "a b${x}c",
            "a `b`",
            "a \"`b`\"",
            "a\nb",
            "# don't",
            "a #b'\n# don't\nc",
            "A=b",
            "A=b c",
            "_a1=b c",
            "\"A\"B=$c d",
            "exit 2",
            "'exit' 2",
            "! a",
            "{ a",
            "if a",
            "while a",
            "cd a",
            ": a",
            ". a",
            "exec a",
            "a\\",
        ] {
            assert_eq!(split(line), SplitCommand::Shell, "{line}");
            assert_eq!(fault(line), None, "{line}");
        }
    }

    #[test]
    fn quotes_that_stay_open_are_a_fault() {
        for (line, quote) in
            [("a 'b", "`'`"), ("a \"b", "`\"`"), ("a \"b\\\"", "`\"`"), ("a 'b' \"c\" d'", "`'`"), ("'\\''", "`'`")]
        {
            assert_eq!(split(line), SplitCommand::Shell, "{line}");
            assert!(fault(line).is_some_and(|fault| fault.contains(quote)), "{line}");
        }
        for fine in [r#"a \' \" '"' "'" "\"""#, "cat <<E\ndon't\nE", r#"a "$(b 'c"d')""#, "a `b 'c`"] {
            assert_eq!(fault(fine), None, "{fine}");
        }
    }
}
