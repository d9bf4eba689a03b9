//! A name for a hook without one: after its script, else after its program, else after its event.

use super::command::first_words;

/// Programs whose name does not tell what a hook does.
const RUNNERS: [&str; 18] = [
    "env", "sh", "bash", "zsh", "dash", "python", "python3", "node", "deno", "bun", "ruby", "perl", "uv", "npx", "run",
    "exec", "cd", "export",
];

/// Programs that begin a script on the command line itself.
const PLAIN_TOOLS: [&str; 16] = [
    "echo", "printf", "jq", "cat", "grep", "sed", "awk", "test", "[", "[[", "if", "case", "read", "input", "while", "{",
];

/// Returns a name that is not among the `taken` ones.
pub(super) fn name_for(own: Option<&str>, command: &str, event: &str, taken: &[String]) -> String {
    let script = first_words(command).into_iter().find(|word| {
        let stem = stem(word);
        !word.starts_with('-') && !word.contains('=') && !RUNNERS.contains(&stem) && !slug(stem).is_empty()
    });
    let wished = own.map(slug).filter(|name| !name.is_empty());
    let script = script.filter(|script| !PLAIN_TOOLS.contains(&script.as_str()));
    let wished = wished.or_else(|| script.map(|script| slug(stem(&script)))).unwrap_or_else(|| slug(event));
    let free = |name: &String| !taken.contains(name);
    let numbered = (2..).map(|number: u32| format!("{wished}-{number}"));
    std::iter::once(wished.clone()).chain(numbered).find(free).unwrap_or(wished)
}

fn stem(word: &str) -> &str {
    let file = word.trim_end_matches('/').rsplit('/').next().unwrap_or(word);
    match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    }
}

/// Returns lower-case letters, digits and single hyphens, at most 40.
pub(super) fn slug(text: &str) -> String {
    let mut slug = String::new();
    let mut last_was_lower = false;
    for character in text.chars().take(60) {
        if character.is_ascii_alphanumeric() {
            if character.is_ascii_uppercase() && last_was_lower {
                slug.push('-');
            }
            slug.push(character.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        last_was_lower = character.is_ascii_lowercase() || character.is_ascii_digit();
        if slug.len() >= 40 {
            break;
        }
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_what_says_most() {
        for (own, command, event, name) in [
            (None, "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/check_style.sh --fix", "PreToolUse", "check-style"),
            (None, "python3 ~/.claude/hooks/guard.py", "PreToolUse", "guard"),
            (None, "bash -c 'x'", "PreToolUse", "x"),
            (None, "FOO=1 lint", "PreToolUse", "lint"),
            (None, "jq -r .x | grep y", "PreToolUse", "pre-tool-use"),
            (Some("Secret Scanner"), "x", "BeforeTool", "secret-scanner"),
            (Some("!!"), "$(…)", "BeforeTool", "before-tool"),
        ] {
            assert_eq!(name_for(own, command, event, &[]), name, "{command}");
        }
        assert_eq!(name_for(None, "lint", "Stop", &["lint".to_owned(), "lint-2".to_owned()]), "lint-3");
    }
}
