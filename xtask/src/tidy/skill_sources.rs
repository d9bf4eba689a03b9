//! Every skill has a list in `xtask/skill-sources`, and every sentence that a list quotes still stands in its skill.
//!
//! A list names, for each claim of a skill, the place in the crate's source that proves it. So a sentence that changes
//! must be looked up again.

use super::source_file::SourceFile;
use super::violation::Violation;

const LISTS: &str = "xtask/skill-sources/";
const SKILLS: &str = "recommendations/";
const SKILL_FILE: &str = "/SKILL.md";
const CUT: &str = " …";

/// The skills that were looked up before there were lists. A new skill is not added here.
const WITHOUT_LIST: &str = "anyhow axum/axum-0-7 axum/axum-0-8 axum/axum-upgrade bytes chrono clap criterion futures \
    hyper/hyper-0-14 hyper/hyper-1 hyper/hyper-upgrade insta itertools proptest rand/rand-0-10 rand/rand-0-8 \
    rand/rand-0-9 rand/rand-upgrade rayon regex reqwest/reqwest-0-12 reqwest/reqwest-0-13 reqwest/reqwest-upgrade serde \
    serde-json thiserror/thiserror-1 thiserror/thiserror-2 tokio tracing";

/// Finds skills without a list, quotes without a place, and quotes that no longer stand in the skill.
pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let lists: Vec<&SourceFile> = files.iter().filter(|file| file.path.starts_with(LISTS)).collect();
    let listed: Vec<&str> = lists.iter().filter_map(|list| skill_path(&list.text)).collect();
    let unlisted = files.iter().filter(|file| needs_list(&file.path) && !listed.contains(&file.path.as_str()));
    let unlisted = unlisted.map(|skill| Violation {
        file: skill.path.clone(),
        line: 1,
        message: format!("No list in `{LISTS}` names where its sentences were looked up"),
        fix: format!("write one that begins with `# {}: CRATE VERSIONS`", skill.path),
    });
    unlisted.chain(lists.iter().flat_map(|list| check_list(list, files))).collect()
}

fn needs_list(path: &str) -> bool {
    let name = path.strip_prefix(SKILLS).and_then(|path| path.strip_suffix(SKILL_FILE));
    name.is_some_and(|name| !WITHOUT_LIST.split_whitespace().any(|known| known == name))
}

fn check_list(list: &SourceFile, files: &[SourceFile]) -> Vec<Violation> {
    let violation = |line: usize, message: String, fix: &str| Violation {
        file: list.path.clone(),
        line,
        message,
        fix: fix.to_owned(),
    };
    let Some(skill) = skill_path(&list.text).and_then(|path| files.iter().find(|file| file.path == path)) else {
        let fix = "begin with `# PATH/SKILL.md: CRATE VERSIONS`";
        return vec![violation(1, "The first line names no skill of this repository".to_owned(), fix)];
    };
    let text = single_spaced(&skill.text);
    let mut violations = Vec::new();
    for (index, line) in list.text.lines().enumerate().skip(1).filter(|(_, line)| !line.is_empty()) {
        match quote_of(line) {
            None => {
                violations.push(violation(index + 1, "This line names no place".to_owned(), "write `- QUOTE | PLACE`"));
            }
            Some(quote) if !text.contains(&quote) => violations.push(violation(
                index + 1,
                format!("`{}` does not say this any more: {quote}", skill.path),
                "look the sentence up in the crate's source again, then quote it as it is now",
            )),
            Some(_) => {}
        }
    }
    violations
}

/// The path between `# ` and `:` on the first line.
fn skill_path(list: &str) -> Option<&str> {
    list.lines().next()?.strip_prefix("# ")?.split_once(':').map(|(path, _)| path)
}

/// The quote of `- QUOTE | PLACE`, spaced as the skill is compared.
fn quote_of(line: &str) -> Option<String> {
    let (quote, place) = line.strip_prefix("- ")?.rsplit_once(" | ")?;
    let quote = single_spaced(&quote.replace("\\|", "|"));
    let quote = quote.strip_suffix(CUT).unwrap_or(&quote);
    (!quote.is_empty() && !place.trim().is_empty()).then(|| quote.to_owned())
}

/// Puts one space wherever white space stands.
fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::source_file::files;
    use super::super::violation::render;
    use super::*;

    #[test]
    fn a_new_skill_has_a_list() {
        let found = check(&files(&[
            ("recommendations/a/SKILL.md", "Text\n"),
            ("recommendations/a/a-2/SKILL.md", "Text\n"),
            ("recommendations/tokio/SKILL.md", "Text\n"),
            ("recommendations/start.md", "Text\n"),
            ("xtask/skill-sources/a.md", "# recommendations/a/SKILL.md: a 1\n- Text | a-1.9.0/src/lib.rs:3\n"),
        ]));
        assert_eq!(
            render(&found),
            "recommendations/a/a-2/SKILL.md:1: No list in `xtask/skill-sources/` names where its sentences were looked up\n    \
             fix: write one that begins with `# recommendations/a/a-2/SKILL.md: CRATE VERSIONS`\n"
        );
    }

    #[test]
    fn a_quote_must_stand_in_its_skill() {
        let skill = "Text\nover two lines.\n\n| `a` | `b` |\n";
        let list = "# recommendations/a/SKILL.md: a 1.0.0 and 1.9.0\n\n\
                    - Text over two lines. | a-1.9.0/src/lib.rs:3\n\
                    - \\| `a` \\| `b` \\| | a-1.9.0/src/lib.rs:4\n\
                    - Text over … | ran: a program\n\
                    - Gone. | a-1.9.0/src/lib.rs:5\n\
                    - Text over two lines.\n";
        let found = check(&files(&[
            ("recommendations/a/SKILL.md", skill),
            ("xtask/skill-sources/a.md", list),
            ("xtask/skill-sources/b.md", "# recommendations/b/SKILL.md: b 1\n"),
        ]));
        assert_eq!(
            render(&found),
            "xtask/skill-sources/a.md:6: `recommendations/a/SKILL.md` does not say this any more: Gone.\n    \
             fix: look the sentence up in the crate's source again, then quote it as it is now\n\
             xtask/skill-sources/a.md:7: This line names no place\n    \
             fix: write `- QUOTE | PLACE`\n\
             xtask/skill-sources/b.md:1: The first line names no skill of this repository\n    \
             fix: begin with `# PATH/SKILL.md: CRATE VERSIONS`\n"
        );
    }
}
