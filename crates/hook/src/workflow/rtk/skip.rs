//! Commands that rtk is not asked about: those whose output a program reads, and those that the user excluded.

use super::RtkExceptions;

/// Programs that read the output of others, and would get a different text.
const READERS: [&str; 12] = ["grep", "egrep", "fgrep", "rg", "tail", "head", "wc", "jq", "sort", "uniq", "awk", "sed"];

const WRAPPERS: [&str; 6] = ["command", "env", "exec", "nice", "sudo", "time"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SkipReason {
    Blank,
    Disabled,
    Already,
    /// Its output goes to a program.
    Read,
    Excluded,
}

pub(super) fn reason(command: &str, exceptions: &RtkExceptions<'_>) -> Option<SkipReason> {
    if exceptions.disabled.is_some_and(|value| !value.is_empty() && value != "0") {
        return Some(SkipReason::Disabled);
    }
    let commands = commands(command);
    let words = || commands.iter().flat_map(|command| &command.words);
    let Some(first) = commands.first() else { return Some(SkipReason::Blank) };
    if words().any(|word| word == "RTK_DISABLED=1") {
        Some(SkipReason::Disabled)
    } else if first.program().is_some_and(|program| name(program) == "rtk") {
        Some(SkipReason::Already)
    } else if commands.iter().any(ShellCommand::reads) || words().any(|word| is_for_programs(word)) {
        Some(SkipReason::Read)
    } else {
        let excluded = |command: &ShellCommand| exceptions.exclude.iter().any(|prefix| command.begins_with(prefix));
        commands.iter().any(excluded).then_some(SkipReason::Excluded)
    }
}

/// Returns true if an option asks for machine-readable output.
fn is_for_programs(word: &str) -> bool {
    let option = word.split_once('=').map_or(word, |(option, _)| option);
    matches!(option, "--message-format" | "--porcelain")
}

#[derive(Debug, Default, PartialEq, Eq)]
struct ShellCommand {
    words: Vec<String>,
    piped: bool,
}

impl ShellCommand {
    /// Returns the words from the program on, without assignments and wrappers.
    fn essence(&self) -> &[String] {
        let is_before = |word: &String| {
            let is_assignment = word.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            });
            is_assignment || WRAPPERS.contains(&word.as_str())
        };
        let start = self.words.iter().position(|word| !is_before(word)).unwrap_or(self.words.len());
        self.words.get(start..).unwrap_or_default()
    }

    fn program(&self) -> Option<&str> {
        self.essence().first().map(String::as_str)
    }

    fn reads(&self) -> bool {
        self.piped && self.program().is_some_and(|program| READERS.contains(&name(program)))
    }

    fn begins_with(&self, prefix: &str) -> bool {
        let mut prefix = prefix.split_whitespace().peekable();
        let mut words = self.essence().iter();
        prefix.peek().is_some() && prefix.all(|wanted| words.next().is_some_and(|word| word == wanted))
    }
}

fn name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Splits a line into commands. Quotes and escapes are handled, the rest of the shell's syntax is not: rtk leaves alone
/// what it does not understand.
fn commands(line: &str) -> Vec<ShellCommand> {
    let mut commands = vec![ShellCommand::default()];
    let mut word: Option<String> = None;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let ends_word = matches!(character, ' ' | '\t' | '\n' | '\r' | '|' | '&' | ';' | '(' | ')');
        if ends_word && let Some(command) = commands.last_mut() {
            command.words.extend(word.take());
        }
        match character {
            '\'' | '"' => {
                let text = word.get_or_insert_default();
                while let Some(inner) = characters.next().filter(|inner| *inner != character) {
                    match inner {
                        '\\' if character == '"' => text.extend(characters.next()),
                        _ => text.push(inner),
                    }
                }
            }
            '\\' => match characters.next() {
                Some('\n') | None => {}
                Some(escaped) => word.get_or_insert_default().push(escaped),
            },
            '|' if characters.next_if_eq(&'|').is_none() => {
                characters.next_if_eq(&'&');
                commands.push(ShellCommand { words: Vec::new(), piped: true });
            }
            // A line may continue after a pipe.
            '\n' | '\r' if commands.last().is_some_and(|command| command.words.is_empty()) => {}
            '|' | '&' | ';' | '(' | ')' | '\n' | '\r' => commands.push(ShellCommand::default()),
            ' ' | '\t' => {}
            plain => word.get_or_insert_default().push(plain),
        }
    }
    if let Some(command) = commands.last_mut() {
        command.words.extend(word);
    }
    commands.retain(|command| !command.words.is_empty());
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_left_alone_for_a_reason() {
        let exclude = ["git push".to_owned(), " cargo  doc ".to_owned(), "ls".to_owned(), String::new()];
        for (command, expected) in [
            ("cargo test", None),
            ("cargo test --workspace 2>&1", None),
            ("cd x && cargo test", None),
            ("cargo test | cat", None),
            ("cargo build || head", None),
            ("cargo test; grep x y", None),
            ("grep x y", None),
            ("echo 'a | grep b'", None),
            ("echo \"a | grep \\\" b\"", None),
            ("echo a \\| grep b", None),
            ("git commit -m 'use --porcelain'", None),
            ("git pushed", None),
            ("cargo doctor", None),
            ("lsof", None),
            ("echo git push", None),
            ("RTK_DISABLED=0 cargo test", None),
            ("cargo test\ngit status", None),
            ("", Some(SkipReason::Blank)),
            (" \n ", Some(SkipReason::Blank)),
            ("rtk cargo test", Some(SkipReason::Already)),
            ("FOO=1 /usr/bin/rtk cargo test", Some(SkipReason::Already)),
            ("cargo test | grep x", Some(SkipReason::Read)),
            ("cargo test|tail -5", Some(SkipReason::Read)),
            ("cargo test 2>&1 | head -n 20", Some(SkipReason::Read)),
            ("cargo test |& wc -l", Some(SkipReason::Read)),
            ("cargo metadata | jq .", Some(SkipReason::Read)),
            ("git log | LC_ALL=C sort", Some(SkipReason::Read)),
            ("git log | sudo /usr/bin/sort", Some(SkipReason::Read)),
            ("git log | cat | head", Some(SkipReason::Read)),
            ("git log |\n  head", Some(SkipReason::Read)),
            ("(cd x; git log) | head", Some(SkipReason::Read)),
            ("git log | \"grep\" x", Some(SkipReason::Read)),
            ("cargo build --message-format=json", Some(SkipReason::Read)),
            ("cargo build --message-format short", Some(SkipReason::Read)),
            ("git status --porcelain", Some(SkipReason::Read)),
            ("git status --porcelain=v2", Some(SkipReason::Read)),
            ("RTK_DISABLED=1 cargo test", Some(SkipReason::Disabled)),
            ("cd x && RTK_DISABLED=1 cargo test", Some(SkipReason::Disabled)),
            ("export RTK_DISABLED=1; cargo test", Some(SkipReason::Disabled)),
            ("git push", Some(SkipReason::Excluded)),
            ("git push --force", Some(SkipReason::Excluded)),
            ("A=b git push", Some(SkipReason::Excluded)),
            ("git add . && git push", Some(SkipReason::Excluded)),
            ("cargo doc --open", Some(SkipReason::Excluded)),
            ("ls", Some(SkipReason::Excluded)),
        ] {
            assert_eq!(reason(command, &RtkExceptions { exclude: &exclude, disabled: None }), expected, "{command}");
        }
    }

    #[test]
    fn the_environment_switches_it_off() {
        for (value, expected) in
            [("1", Some(SkipReason::Disabled)), ("true", Some(SkipReason::Disabled)), ("0", None), ("", None)]
        {
            let exceptions = RtkExceptions { exclude: &[], disabled: Some(value.as_ref()) };
            assert_eq!(reason("cargo test", &exceptions), expected, "`{value}`");
        }
    }
}
