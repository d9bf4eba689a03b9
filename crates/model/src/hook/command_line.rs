//! A command as a manifest writes it: words to start directly, or a line only a shell understands.

/// What a command line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Split {
    /// The program and its arguments.
    Words(Vec<String>),
    /// There is shell syntax in it.
    Shell,
}

/// Splits a command line the way a POSIX shell does.
pub fn split(line: &str) -> Split {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next() {
                        None => return Split::Shell,
                        Some('\'') => break,
                        Some(c) => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next() {
                        None | Some('$' | '`') => return Split::Shell,
                        Some('"') => break,
                        Some('\\') => match rest.next() {
                            None => return Split::Shell,
                            Some('\n') => {}
                            Some(c @ ('$' | '`' | '"' | '\\')) => word.push(c),
                            Some(c) => word.extend(['\\', c]),
                        },
                        Some(c) => word.push(c),
                    }
                }
            }
            '\\' => match rest.next() {
                None => return Split::Shell,
                Some('\n') => {}
                Some(c) => word.get_or_insert_default().push(c),
            },
            '|' | '&' | ';' | '<' | '>' | '*' | '?' | '~' | '(' | ')' | '$' | '`' | '\n' => return Split::Shell,
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Split::Words(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_words_or_for_a_shell() {
        let words = |words: &[&str]| Split::Words(words.iter().map(|word| (*word).to_owned()).collect());
        for (line, expected) in [
            ("", words(&[])),
            ("  a  b\tc ", words(&["a", "b", "c"])),
            ("a 'b c' \"d e\"f", words(&["a", "b c", "d ef"])),
            ("a '' \"\"", words(&["a", "", ""])),
            (r#"a\ b "c\"d\e" 'f\g'"#, words(&["a b", "c\"d\\e", "f\\g"])),
            (r"a \$b \*", words(&["a", "$b", "*"])),
            ("a '$b' '|' \"*\"", words(&["a", "$b", "|", "*"])),
            ("a\\\nb", words(&["ab"])),
            ("a --x=1 {b} #c", words(&["a", "--x=1", "{b}", "#c"])),
            ("a \"$b\"", Split::Shell),
            ("a `b`", Split::Shell),
            ("a | b", Split::Shell),
            ("a;b", Split::Shell),
            ("a > b", Split::Shell),
            ("ls *.rs", Split::Shell),
            ("~/x", Split::Shell),
            ("a\nb", Split::Shell),
            ("a 'b", Split::Shell),
            ("a \"b", Split::Shell),
            ("a \\", Split::Shell),
        ] {
            assert_eq!(split(line), expected, "{line}");
        }
    }
}
