//! The Rust blocks of a Markdown text, with the lines they stand on.

/// A block that has to compile, or must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RustBlock {
    /// The line of its first line of code, from 1.
    pub line: usize,
    /// The code, without the indentation of its fence and the marks of hidden lines.
    pub code: String,
    pub purpose: BlockUse,
    /// The only edition it is for.
    pub edition: Option<String>,
}

/// Says what has to happen with a block, in the words of rustdoc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockUse {
    /// It compiles, and its tests pass.
    Run,
    NoRun,
    ShouldPanic,
    CompileFail,
}

/// A block that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockProblem {
    /// From 1.
    pub line: usize,
    pub message: String,
    pub help: &'static str,
}

struct OpenFence<'a> {
    line: usize,
    marker: &'a str,
    indent: usize,
    /// Nothing for another language.
    meant: Option<FenceWords>,
    code: String,
}

struct FenceWords {
    purpose: BlockUse,
    edition: Option<String>,
}

/// Finds the blocks whose language is `rust`. Fences follow CommonMark: a block ends at a fence of the same character that
/// is at least as long, so a longer fence can show a shorter one.
pub fn find_blocks(text: &str) -> (Vec<RustBlock>, Vec<BlockProblem>) {
    let mut blocks = Vec::new();
    let mut problems = Vec::new();
    let mut open: Option<OpenFence<'_>> = None;
    for (index, line) in text.lines().enumerate() {
        match open.take() {
            None => open = open_fence(line, index + 1, &mut problems),
            Some(fence) if closes(line, fence.marker) => {
                if let Some(FenceWords { purpose, edition }) = fence.meant {
                    blocks.push(RustBlock { line: fence.line + 1, code: fence.code, purpose, edition });
                }
            }
            Some(mut fence) => {
                fence.code.push_str(unhide(dedent(line, fence.indent)));
                fence.code.push('\n');
                open = Some(fence);
            }
        }
    }
    if let Some(fence) = open {
        let message = "This block is never closed".to_owned();
        problems.push(BlockProblem { line: fence.line, message, help: "end it with a line of the same marks" });
    }
    (blocks, problems)
}

/// Returns the marks and the rest of a line that begins a block.
pub(super) fn split_fence(line: &str) -> Option<(&str, &str)> {
    let start = line.trim_start();
    let character = start.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let info = start.trim_start_matches(character);
    let marker = start.strip_suffix(info).filter(|marker| marker.len() >= 3)?;
    let is_inline = character == '`' && info.contains('`');
    (!is_inline).then(|| (marker, info.trim()))
}

pub(super) fn closes(line: &str, marker: &str) -> bool {
    let line = line.trim();
    let character = marker.chars().next().unwrap_or('`');
    line.len() >= marker.len() && line.trim_start_matches(character).is_empty()
}

fn open_fence<'a>(line: &'a str, number: usize, problems: &mut Vec<BlockProblem>) -> Option<OpenFence<'a>> {
    let (marker, info) = split_fence(line)?;
    let mut words = info.split([',', ' ']).filter(|word| !word.is_empty());
    let meant = match words.next() {
        Some("rust") => read_words(words).unwrap_or_else(|word| {
            let message = format!("`{word}` is not a word for Rust blocks");
            let help = "use `ignore`, `no_run`, `should_panic`, `compile_fail` or `edition2021`";
            problems.push(BlockProblem { line: number, message, help });
            None
        }),
        _ => None,
    };
    let indent = line.len() - line.trim_start().len();
    Some(OpenFence { line: number, marker, indent, meant, code: String::new() })
}

/// Reads the words behind the language: nothing for a block to be left alone, or the word that is unknown.
fn read_words<'a>(words: impl Iterator<Item = &'a str>) -> Result<Option<FenceWords>, &'a str> {
    let mut meant = FenceWords { purpose: BlockUse::Run, edition: None };
    let mut is_ignored = false;
    for word in words {
        match word {
            "ignore" => is_ignored = true,
            "no_run" => meant.purpose = BlockUse::NoRun,
            "should_panic" => meant.purpose = BlockUse::ShouldPanic,
            "compile_fail" => meant.purpose = BlockUse::CompileFail,
            "edition2015" | "edition2018" | "edition2021" | "edition2024" => {
                meant.edition = word.strip_prefix("edition").map(str::to_owned);
            }
            // The code of the error that is expected, as rustdoc allows.
            code if code.strip_prefix('E').is_some_and(|digits| digits.parse::<u16>().is_ok()) => {}
            other => return Err(other),
        }
    }
    Ok((!is_ignored).then_some(meant))
}

/// Removes up to `indent` blanks at the start.
fn dedent(line: &str, indent: usize) -> &str {
    let blanks = line.bytes().take(indent).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    line.get(blanks..).unwrap_or(line)
}

/// Removes the mark of a line that rustdoc does not show.
fn unhide(line: &str) -> &str {
    match line.trim_start() {
        "#" => "",
        start => match start.strip_prefix("# ") {
            Some(hidden) => hidden,
            None if start.starts_with("##") => start.get(1..).unwrap_or(line),
            None => line,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(usize, &str)]) {
        let (blocks, problems) = find_blocks(text);
        assert_eq!(problems, [], "{text:?}");
        let found: Vec<(usize, &str)> = blocks.iter().map(|block| (block.line, block.code.as_str())).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[track_caller]
    fn check_problem(text: &str, line: usize, part: &str) {
        let (_, problems) = find_blocks(text);
        assert!(problems.iter().any(|found| found.line == line && found.message.contains(part)), "{problems:?}");
    }

    #[test]
    fn plain_blocks() {
        check("", &[]);
        check("a\n\n```rust\nfn a() {}\n```\nb\n", &[(4, "fn a() {}\n")]);
        check("```rust\n```\n", &[(2, "")]);
        check(
            "```rust\nfn a() {}\n\nfn b() {}\n```\n```rust\nfn c() {}\n```",
            &[(2, "fn a() {}\n\nfn b() {}\n"), (7, "fn c() {}\n")],
        );
        check("~~~rust\nfn a() {}\n~~~\n", &[(2, "fn a() {}\n")]);
    }

    #[test]
    fn words_behind_the_language() {
        check("``` rust \nfn a() {}\n```\n", &[(2, "fn a() {}\n")]);
        check("```rust,ignore\nnonsense\n```\n", &[]);
        check("```rust, ignore\nnonsense\n```\n", &[]);
        check("```toml\n[a]\n```\n```\nplain\n```\n```rs\nx\n```\n", &[]);
        let purpose = |text: &str| find_blocks(&format!("```{text}\n```\n")).0.first().map(|block| block.purpose);
        assert_eq!(purpose("rust,no_run"), Some(BlockUse::NoRun));
        assert_eq!(purpose("rust,should_panic"), Some(BlockUse::ShouldPanic));
        assert_eq!(purpose("rust,compile_fail,E0432"), Some(BlockUse::CompileFail));
        let edition = find_blocks("```rust,edition2021\n```\n").0.pop().and_then(|block| block.edition);
        assert_eq!(edition.as_deref(), Some("2021"));
        check_problem("a\n```rust,norun\nfn a() {}\n```\n", 2, "`norun`");
    }

    #[test]
    fn fences_inside_fences() {
        check("````markdown\n```rust\nfn a() {}\n```\n````\n", &[]);
        check("```rust\n// ~~~\nfn a() {}\n````\n", &[(2, "// ~~~\nfn a() {}\n")]);
        check("````rust\nconst A: &str = \"\n```\n\";\n````\n", &[(2, "const A: &str = \"\n```\n\";\n")]);
        check("inline ```rust``` is no fence\n```rust``` neither\n", &[]);
        check_problem("```rust\nfn a() {}\n", 1, "never closed");
        check_problem("```toml\n[a]\n", 1, "never closed");
    }

    #[test]
    fn line_ends_indentation_and_hidden_lines() {
        check("a\r\n```rust\r\nfn a() {}\r\n```\r\n", &[(3, "fn a() {}\n")]);
        check("- item\n  ```rust\n  fn a() {\n      b();\n  }\n  ```\n", &[(3, "fn a() {\n    b();\n}\n")]);
        check("```rust\n# use std::fs;\n#\n#[test]\nfn a() {}\n```\n", &[(2, "use std::fs;\n\n#[test]\nfn a() {}\n")]);
        check("```rust\n## a\n```\n", &[(2, "# a\n")]);
    }
}
