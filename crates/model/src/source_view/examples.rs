//! Code blocks in Markdown and in the documentation comments of Rust.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProseFormat {
    Markdown,
    /// Markdown in comments that begin with `///` or `//!`, and in `/** … */` and `/*! … */`.
    Rust,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBlock {
    pub line: usize,
    pub code: String,
}

pub fn code_blocks(text: &str, prose: ProseFormat) -> Vec<CodeBlock> {
    let mut blocks = Vec::new();
    let mut open: Option<OpenBlock> = None;
    let mut in_block_comment = false;
    for (index, line) in text.lines().enumerate() {
        let documented = match prose {
            ProseFormat::Markdown => Some(line),
            ProseFormat::Rust => documentation(line, &mut in_block_comment),
        };
        let Some(line) = documented else {
            // The comment ended before its code did.
            open = None;
            continue;
        };
        open = match (open.take(), fence(line)) {
            (Some(block), Some(fence)) if fence.closes(&block.fence) => {
                blocks.extend(block.into_block());
                None
            }
            (Some(mut block), _) => {
                block.push(line);
                Some(block)
            }
            (None, Some(fence)) => {
                Some(OpenBlock { line: index + 2, is_rust: fence.is_rust(), fence, code: Vec::new() })
            }
            (None, None) => None,
        };
    }
    blocks
}

/// Returns the text of a documentation comment; `None` for any other line.
fn documentation<'t>(line: &'t str, in_block_comment: &mut bool) -> Option<&'t str> {
    let bare = line.trim_start();
    if *in_block_comment {
        if bare.contains("*/") {
            *in_block_comment = false;
            return None;
        }
        return Some(bare.strip_prefix("* ").or_else(|| bare.strip_prefix('*')).unwrap_or(line));
    }
    if let Some(rest) = bare.strip_prefix("/**").or_else(|| bare.strip_prefix("/*!")) {
        *in_block_comment = !rest.contains("*/");
        return Some(rest);
    }
    let text = bare.strip_prefix("///").or_else(|| bare.strip_prefix("//!"))?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}

struct CodeFence {
    mark: char,
    length: usize,
    info: String,
}

impl CodeFence {
    fn closes(&self, opening: &Self) -> bool {
        self.mark == opening.mark && self.length >= opening.length && self.info.is_empty()
    }

    /// Follows rustdoc: a block is Rust unless it names another language.
    fn is_rust(&self) -> bool {
        let words = self.info.split([',', ' ', '{', '}']).map(str::trim).filter(|word| !word.is_empty());
        let known = ["rust", "rs", "no_run", "should_panic", "ignore", "compile_fail", "standalone_crate"];
        words.into_iter().all(|word| {
            let word = word.to_ascii_lowercase();
            known.contains(&word.as_str())
                || word.starts_with("edition")
                || word.starts_with("ignore-")
                || word.starts_with('.')
                || (word.len() == 5 && word.starts_with('e'))
        })
    }
}

fn fence(line: &str) -> Option<CodeFence> {
    let bare = line.trim_start();
    let mark = bare.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = bare.trim_start_matches(mark);
    let length = bare.len() - info.len();
    (length >= 3 && !(mark == '`' && info.contains('`'))).then(|| CodeFence {
        mark,
        length,
        info: info.trim().to_owned(),
    })
}

struct OpenBlock {
    line: usize,
    is_rust: bool,
    fence: CodeFence,
    code: Vec<String>,
}

impl OpenBlock {
    fn push(&mut self, line: &str) {
        self.code.push(line.trim_end().to_owned());
    }

    fn into_block(self) -> Option<CodeBlock> {
        let is_empty = self.code.iter().all(|line| line.trim().is_empty());
        (self.is_rust && !is_empty).then(|| CodeBlock { line: self.line, code: self.code.join("\n") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str, prose: ProseFormat) -> Vec<(usize, String)> {
        code_blocks(text, prose).into_iter().map(|block| (block.line, block.code)).collect()
    }

    #[test]
    fn rust_is_told_from_other_languages() {
        for (info, is_rust) in [
            ("", true),
            ("rust", true),
            ("rust,no_run", true),
            ("no_run", true),
            ("Rust ignore", true),
            ("rust, edition2021", true),
            ("compile_fail,E0382", true),
            ("{.rust}", true),
            ("toml", false),
            ("sh", false),
            ("text", false),
            ("ignore,text", false),
        ] {
            let text = format!("a\n\n```{info}\nlet x;\n```\n");
            let expected = if is_rust { vec![(4, "let x;".to_owned())] } else { vec![] };
            assert_eq!(blocks(&text, ProseFormat::Markdown), expected, "{info}");
        }
    }

    #[test]
    fn documentation_comments_are_markdown() {
        let text = "//! Crate\n//!\n//! ```\n//! use a;\n//!     a();\n//! ```\n\nfn x() {}\n    /// ~~~rust\n    /// b\n    \
                    /// ~~~\nfn b() {}\n// ```\n// not documentation\n// ```\n/**\n * ```\n * c\n * ```\n */\n";
        assert_eq!(
            blocks(text, ProseFormat::Rust),
            [(4, "use a;\n    a();".to_owned()), (10, "b".to_owned()), (18, "c".to_owned())]
        );
    }

    #[test]
    fn what_is_not_closed_or_empty_is_no_block() {
        assert_eq!(blocks("```\nlet x;\n", ProseFormat::Markdown), []);
        assert_eq!(blocks("```\n\n```\n", ProseFormat::Markdown), []);
        assert_eq!(
            blocks("/// ```\n/// x\nfn a() {}\n/// ```\n/// y\n/// ```\n", ProseFormat::Rust),
            [(5, "y".to_owned())]
        );
        assert_eq!(blocks("````\n```\nx\n```\n````\n", ProseFormat::Markdown), [(2, "```\nx\n```".to_owned())]);
        assert_eq!(blocks("`x`\n```inline```\n", ProseFormat::Markdown), []);
    }
}
