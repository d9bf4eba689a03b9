//! A command line that is split by us has the words that a real shell sees in it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::process::Command;

use proptest::prelude::*;
use symposium_model::hook::command_line::{SplitCommand, split};

/// Characters that mean something to a shell somewhere, and some that do not.
const CHARACTERS: &str = "ab1_ \t\n'\"\\$`|&;<>()*?[]~#=!{}%,ä-";

/// The words as the shell sees them when they are arguments.
fn by_shell(line: &str) -> Vec<String> {
    #[expect(clippy::disallowed_methods, reason = "the shell is what we compare with")]
    let output = Command::new("/bin/sh").args(["-c", &format!("printf '%s\\0' {line}")]).output().unwrap();
    assert!(output.status.success(), "{line:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.strip_suffix('\0').unwrap().split('\0').map(str::to_owned).collect()
}

/// One character as a shell takes it literally, in one of the ways there are.
fn quote(character: char, how: u8) -> String {
    match how {
        0 if character.is_ascii_alphanumeric() => character.to_string(),
        0 | 1 if character != '\n' => format!("\\{character}"),
        2 if !"$`\"\\".contains(character) => format!("\"{character}\""),
        2 => format!("\"\\{character}\""),
        _ if character == '\'' => r#""'""#.to_owned(),
        _ => format!("'{character}'"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn quoted_words_come_back(words in prop::collection::vec(
        prop::collection::vec((prop::sample::select(CHARACTERS.chars().collect::<Vec<_>>()), 0..4_u8), 1..8), 1..5,
    )) {
        let line: Vec<String> =
            words.iter().map(|word| word.iter().map(|(character, how)| quote(*character, *how)).collect()).collect();
        let line = line.join(" ");
        let words: Vec<String> = words.iter().map(|word| word.iter().map(|(character, _)| character).collect()).collect();
        prop_assert_eq!(by_shell(&line), words.clone(), "{}", line);
        // Behind a first word, so that none of these is taken for something the shell does itself.
        let mut with_program = vec!["x".to_owned()];
        with_program.extend(words);
        prop_assert_eq!(split(&format!("x {line}")), SplitCommand::Words(with_program), "{}", line);
    }

    #[test]
    fn whatever_is_split_is_split_as_a_shell_does(
        line in prop::collection::vec(prop::sample::select(CHARACTERS.chars().collect::<Vec<_>>()), 1..12),
    ) {
        let line: String = line.into_iter().collect();
        if let SplitCommand::Words(words) = split(&format!("x {line}")) {
            let words: Vec<String> = words.into_iter().skip(1).collect();
            prop_assume!(!words.is_empty());
            prop_assert_eq!(by_shell(&line), words, "{}", line);
        }
    }
}
