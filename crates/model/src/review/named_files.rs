//! The files that a file of an agent names: imports in a text, and words of a command or a list in settings.

use std::collections::HashSet;

/// The signs that may stand around an import.
const AROUND_IMPORT: &[char] =
    &['\u{feff}', '"', '\'', '`', '(', ')', '[', ']', '<', '>', '{', '}', '*', '_', ',', ';', ':', '!', '?'];

/// The signs with which the special part of a pattern begins.
pub const PATTERN_SIGNS: &[char] = &['*', '?', '[', '{', '('];
/// The signs with which it ends.
const END_SIGNS: &[char] = &['*', '?', ']', '}', ')'];

/// A text in which many files are looked for.
pub struct SearchedText {
    text: String,
    words: HashSet<String>,
}

impl SearchedText {
    /// Takes a text in lower case, with `/` between directories.
    pub fn new(text: String) -> Self {
        Self { words: words(&text).map(str::to_owned).collect(), text }
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        self.text.len()
    }

    /// Tells whether the text names a file.
    pub fn names(&self, path: &str, directory: &str) -> bool {
        self.has_words(last_part(path)) && names_file(&self.text, path, directory)
    }

    /// Tells whether the text of commands names a file. The name without its directory is enough if it has an
    /// extension: a command or its settings may change the directory.
    pub fn names_in_command(&self, path: &str, directory: &str) -> bool {
        let name = last_part(path);
        let has_extension = name.trim_start_matches('.').contains('.');
        self.has_words(name)
            && (names_file(&self.text, path, directory) || has_extension && contains_path(&self.text, name))
    }

    /// A search of the whole text takes long, and most files are not in it.
    fn has_words(&self, name: &str) -> bool {
        words(name).all(|word| self.words.contains(word))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_in_word(c)).filter(|word| !word.is_empty())
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the paths that a text imports: its words that begin with `@`, without that sign, a line each.
pub fn find_imports(text: &str) -> String {
    // A blank in a path is written with a backslash.
    let joined = text.replace("\\ ", "\0");
    let imports = joined.split_whitespace().filter_map(|word| word.trim_start_matches(AROUND_IMPORT).strip_prefix('@'));
    let paths: Vec<String> = imports.filter(|path| !path.is_empty()).map(|path| path.replace('\0', " ")).collect();
    paths.join("\n")
}

/// Writes a path without empty parts, `.` and `..`.
pub fn normal_path(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Writes a command in the forms in which it is searched: as it is, with normal paths, and without the quotes and
/// backslashes that a shell takes away.
pub fn command_forms(command: &str) -> String {
    let with_slashes = command.replace('\\', "/");
    let unquoted = command.replace(['"', '\'', '\\'], "");
    let normal = |text: &str| text.split(' ').map(normal_path).collect::<Vec<_>>().join(" ");
    [normal(&with_slashes), normal(&unquoted), with_slashes].join("\n")
}

/// Tells whether a text names a file. All three are in lower case, with `/` between directories.
fn names_file(text: &str, path: &str, directory: &str) -> bool {
    !text.is_empty() && relative_names(path, directory).any(|name| contains_path(text, name))
}

/// Tells whether a word in settings means a path: the name of a file in any directory, a path, or a pattern such as
/// `docs/*.md`, of which only the parts before the first special sign and behind the last one count.
pub fn matches_pattern(word: &str, path: &str, directory: &str) -> bool {
    let word = word.trim_start_matches("./");
    match pattern_ends(word) {
        Some((before, after)) => relative_names(path, directory)
            .any(|name| name.strip_prefix(before.as_str()).is_some_and(|rest| rest.ends_with(after))),
        None => last_part(path) == word || names_file(word, path, directory),
    }
}

/// Returns the parts of a pattern before its first special sign and behind the last one; `None` for a word without any.
/// A backslash became a `/`, so that several may stand together.
fn pattern_ends(word: &str) -> Option<(String, &str)> {
    let (before, rest) = word.split_at(word.find(PATTERN_SIGNS)?);
    let after = rest.rsplit(END_SIGNS).next().filter(|after| after.len() < rest.len()).unwrap_or_default();
    // Before a bracket there may be the sign of an extended pattern, as in `@(a|b).md`.
    let before = if rest.starts_with('(') { before.trim_end_matches(['@', '+', '!']) } else { before };
    let slash = if before.ends_with('/') { "/" } else { "" };
    let before = format!("{}{slash}", normal_path(before));
    Some((before.trim_start_matches('/').to_owned(), last_part(after)))
}

/// Lists the ways in which a path can be written in a file of `directory`: from the top of the repository, from there,
/// or from a directory between.
fn relative_names<'p>(path: &'p str, directory: &str) -> impl Iterator<Item = &'p str> {
    let above = std::iter::successors(Some(directory), |directory| {
        (!directory.is_empty()).then(|| directory.rsplit_once('/').map_or("", |(parent, _)| parent))
    });
    above.filter_map(move |directory| match directory {
        "" => Some(path),
        directory => path.strip_prefix(directory)?.strip_prefix('/'),
    })
}

/// Tells whether a name is in a text and not only a part of a longer one. A directory may stand before it, such as that
/// of a variable.
fn contains_path(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(start, _)| {
        let before = text.get(..start).and_then(|before| before.chars().next_back());
        let mut after = text.get(start + name.len()..).unwrap_or_default().chars();
        let is_end = match after.next() {
            // The end of a sentence, or an extension.
            Some('.') => !after.next().is_some_and(is_in_word),
            Some(c) => !is_in_word(c) && c != '/',
            None => true,
        };
        is_end && !before.is_some_and(|c| is_in_word(c) || c == '.')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_begin_with_a_sign() {
        for (text, expected) in [
            ("See @docs/a.md and `@./b.md`.", "docs/a.md\n./b.md`."),
            ("(@a\\ b.md)", "a b.md)"),
            ("\u{feff}@a.md", "a.md"),
            ("me@example.org", ""),
            ("@", ""),
        ] {
            assert_eq!(find_imports(text), expected);
        }
    }

    #[test]
    fn paths_have_one_form() {
        for (path, expected) in [
            ("docs/a.md", "docs/a.md"),
            ("./docs/.//x/../a.md", "docs/a.md"),
            ("../docs/a.md", "docs/a.md"),
            ("sh docs/./a.md", "sh docs/a.md"),
            ("/", ""),
        ] {
            assert_eq!(normal_path(path), expected);
        }
    }

    #[test]
    fn files_are_named_in_many_ways() {
        for (text, path, directory, expected) in [
            ("bash scripts/a.sh", "scripts/a.sh", ".claude", true),
            ("\"$claude_project_dir\"/scripts/a.sh --x", "scripts/a.sh", ".claude", true),
            ("${root}/scripts/a.sh", "scripts/a.sh", "", true),
            ("sh -c 'cd x; \"my scripts/a b.sh\"'", "my scripts/a b.sh", "", true),
            ("./a.sh", "sub/a.sh", "sub/.claude", true),
            ("./a.sh", "sub/.claude/a.sh", "sub/.claude", true),
            ("../docs/a.md", "docs/a.md", "sub", true),
            ("./a.sh", "other/a.sh", "sub/.claude", false),
            ("./a.sh.bak", "a.sh", "", false),
            ("xa.sh a.shx b-a.sh a.sh/b .a.sh", "a.sh", "", false),
            ("docs/a.md.", "docs/a.md", "", true),
            ("docs/a.md#part", "docs/a.md", "", true),
        ] {
            assert_eq!(names_file(text, path, directory), expected, "{text} {path} {directory}");
            let searched = SearchedText::new(text.to_owned());
            assert_eq!(searched.names(path, directory), expected, "{text} {path} {directory}");
        }
    }

    #[test]
    fn commands_name_files_as_a_shell_reads_them() {
        for (command, path, expected) in [
            ("cd scripts && sh ./a.sh", "scripts/a.sh", true),
            ("cd scripts && ./a", "scripts/a", false),
            ("sh -c 'scripts/./a'", "scripts/a", true),
            ("'scripts'/\"a\" --x", "scripts/a", true),
            ("sh x/../scripts//a; y", "scripts/a", true),
            ("scripts/a\\ b", "scripts/a b", true),
            (r"scripts\.\a", "scripts/a", true),
            ("cat scripts/a.sh.bak", "scripts/a.sh", false),
            ("sh .env", "sub/.env", false),
        ] {
            assert_eq!(SearchedText::new(command_forms(command)).names_in_command(path, ""), expected, "{command}");
        }
    }

    #[test]
    fn patterns_match_generously() {
        for (word, path, expected) in [
            ("docs/*.md", "docs/a.md", true),
            ("./docs/**/*.md", "docs/a/b.md", true),
            ("docs/**", "docs/a/b.md", true),
            ("docs/*.md", "sub/docs/a.md", true),
            ("docs/*.md", "other/docs/a.md", false),
            ("docs/*.md", "docs/a.rs", false),
            ("docs/a.md", "docs/a.md", true),
            ("a.md", "other/a.md", true),
            ("docs/a.md", "other/docs/a.md", false),
            ("docs/{a,zz}.md", "docs/a.md", true),
            ("{docs,x}/a.md", "docs/a.md", true),
            ("docs/?.md", "docs/a.md", true),
            ("docs/[b]*.md", "docs/b.md", true),
            ("docs/[b", "docs/[b", true),
            ("docs/@(a|b).md", "docs/a.md", true),
            ("docs//x/../*/.md", "docs/a.md", true),
            ("/*.md", "a.md", true),
            ("docs/?.md", "docs/a.rs", false),
            ("docs/{a,b}.md", "other/a.md", false),
        ] {
            assert_eq!(matches_pattern(word, path, "sub"), expected, "{word} {path}");
        }
    }
}
