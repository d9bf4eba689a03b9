//! The Rust blocks of a Markdown text, with the lines they stand on.

/// One block that has to compile.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The line of its first line of code, from 1.
    pub(super) line: usize,
    /// The code, without the indentation of its fence.
    pub(super) code: String,
}

/// What is wrong with a block before it is compiled.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The line it is on, from 1.
    pub(super) line: usize,
    /// What is wrong, and what to write instead.
    pub(super) what: String,
}

struct Fence<'a> {
    line: usize,
    marker: &'a str,
    indent: usize,
    rust: bool,
    code: String,
}

/// Finds the blocks whose language is `rust`. Fences follow CommonMark: a block ends at a fence of the same character that
/// is at least as long, so a longer fence can show a shorter one.
pub(super) fn extract(text: &str) -> Result<Vec<Block>, Vec<Fault>> {
    let mut blocks = Vec::new();
    let mut faults = Vec::new();
    let mut open: Option<Fence<'_>> = None;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        match open.take() {
            None => open = opening(line, number, &mut faults),
            Some(fence) if closes(line, fence.marker) => {
                if fence.rust {
                    blocks.push(Block { line: fence.line + 1, code: fence.code });
                }
            }
            Some(mut fence) => {
                if fence.rust && (line.trim_end() == "#" || line.starts_with("# ")) {
                    faults.push(Fault { line: number, what: "hidden line: agents see it, so write it plainly".into() });
                }
                fence.code.push_str(dedent(line, fence.indent));
                fence.code.push('\n');
                open = Some(fence);
            }
        }
    }
    if let Some(fence) = open {
        faults.push(Fault { line: fence.line, what: format!("this block is never closed by `{}`", fence.marker) });
    }
    if faults.is_empty() { Ok(blocks) } else { Err(faults) }
}

fn opening<'a>(line: &'a str, number: usize, faults: &mut Vec<Fault>) -> Option<Fence<'a>> {
    let start = line.trim_start();
    let character = start.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let info = start.trim_start_matches(character);
    let marker = start.strip_suffix(info).filter(|marker| marker.len() >= 3)?;
    if character == '`' && info.contains('`') {
        return None;
    }
    let mut words = info.trim().split([',', ' ']).filter(|word| !word.is_empty());
    let language = words.next().unwrap_or_default();
    let attributes: Vec<&str> = words.collect();
    let rust = match (language, attributes.as_slice()) {
        ("rust", []) => true,
        ("rust", ["ignore"]) => false,
        ("rust" | "rs" | "Rust", _) => {
            let what = format!("`{}` is not one of `rust` and `rust,ignore`", info.trim());
            faults.push(Fault { line: number, what });
            false
        }
        _ => false,
    };
    Some(Fence { line: number, marker, indent: line.len() - start.len(), rust, code: String::new() })
}

fn closes(line: &str, marker: &str) -> bool {
    let line = line.trim();
    let character = marker.chars().next().unwrap_or('`');
    line.len() >= marker.len() && line.trim_start_matches(character).is_empty()
}

/// Removes up to `indent` blanks at the start.
fn dedent(line: &str, indent: usize) -> &str {
    let blanks = line.bytes().take(indent).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    line.get(blanks..).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(usize, &str)]) {
        let found = extract(text).unwrap_or_else(|faults| panic!("{text:?}: {faults:?}"));
        let found: Vec<(usize, &str)> = found.iter().map(|block| (block.line, block.code.as_str())).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    fn check_fault(text: &str, line: usize, part: &str) {
        let faults = extract(text).expect_err(text);
        assert!(faults.iter().any(|fault| fault.line == line && fault.what.contains(part)), "{text:?}: {faults:?}");
    }

    #[test]
    fn plain_blocks() {
        check("", &[]);
        check("text only\n", &[]);
        check("a\n\n```rust\nfn a() {}\n```\nb\n", &[(4, "fn a() {}\n")]);
        check("```rust\n```\n", &[(2, "")]);
        check(
            "```rust\nfn a() {}\n\nfn b() {}\n```\n```rust\nfn c() {}\n```",
            &[(2, "fn a() {}\n\nfn b() {}\n"), (7, "fn c() {}\n")],
        );
        check("~~~rust\nfn a() {}\n~~~\n", &[(2, "fn a() {}\n")]);
    }

    #[test]
    fn info_strings() {
        check("``` rust \nfn a() {}\n```\n", &[(2, "fn a() {}\n")]);
        check("```rust,ignore\nnonsense\n```\n", &[]);
        check("```rust, ignore\nnonsense\n```\n", &[]);
        check("```toml\n[a]\n```\n```\nplain\n```\n", &[]);
        check("```rustdoc\nx\n```\n", &[]);
        check_fault("a\n```rust,no_run\nfn a() {}\n```\n", 2, "no_run");
        check_fault("```rs\nfn a() {}\n```\n", 1, "`rs`");
        check_fault("```rust ignore extra\nx\n```\n", 1, "ignore extra");
    }

    #[test]
    fn fences_inside_fences() {
        check("````markdown\n```rust\nfn a() {}\n```\n````\n", &[]);
        check("~~~\n```rust\nfn a() {}\n```\n~~~\n", &[]);
        check("```rust\n// ~~~\nfn a() {}\n````\n", &[(2, "// ~~~\nfn a() {}\n")]);
        check("````rust\nconst A: &str = \"\n```\n\";\n````\n", &[(2, "const A: &str = \"\n```\n\";\n")]);
        check("inline ```rust``` is no fence\n```rust``` neither\n", &[]);
    }

    #[test]
    fn line_ends_and_indentation() {
        check("a\r\n```rust\r\nfn a() {}\r\n```\r\n", &[(3, "fn a() {}\n")]);
        check("- item\n  ```rust\n  fn a() {\n      b();\n  }\n  ```\n", &[(3, "fn a() {\n    b();\n}\n")]);
        check("  ```rust\nfn a() {}\n\n  ```\n", &[(2, "fn a() {}\n\n")]);
    }

    #[test]
    fn faults() {
        check_fault("```rust\nfn a() {}\n", 1, "never closed");
        check_fault("```toml\n[a]\n", 1, "never closed");
        check_fault("```rust\nfn a() {}\n``` x\n", 1, "never closed");
        check_fault("```rust\n# use std::fs;\nfn a() {}\n```\n", 2, "hidden line");
        check_fault("```rust\n#\n```\n", 2, "hidden line");
        check("```rust\n#[test]\nfn a() {}\n```\n", &[(2, "#[test]\nfn a() {}\n")]);
    }
}
