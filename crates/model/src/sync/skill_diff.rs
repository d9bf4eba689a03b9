//! Describes the changes of a skill's files to the user: a few lines around every change.

use super::tree::{SkillFile, SkillTree};
use crate::line_diff::difference;

/// A line beyond this is cut.
const MAX_WIDTH: usize = 160;

/// The lines that differ between two states of a directory, file by file; of more than `most` lines, the first.
pub fn text_changes(before: &SkillTree, after: &SkillTree, most: usize) -> Vec<String> {
    let mut paths: Vec<&str> = before.files().iter().chain(after.files()).map(|file| file.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    let mut lines = Vec::new();
    for path in paths {
        let of = |tree: &'_ SkillTree| tree.files().iter().find(|file| file.path == path).cloned();
        match (of(before), of(after)) {
            (Some(before), Some(after)) if before == after => {}
            (Some(before), Some(after)) => lines.extend(changed(path, &before, &after)),
            (None, Some(_)) => lines.push(format!("{path} was added")),
            (Some(_), None) => lines.push(format!("{path} was removed")),
            (None, None) => {}
        }
    }
    if lines.len() > most {
        let more = lines.len() - most;
        lines.truncate(most);
        lines.push(format!("… {more} more lines"));
    }
    for line in &mut lines {
        *line = line.chars().filter(|c| !c.is_control()).take(MAX_WIDTH).collect();
    }
    lines
}

fn changed(path: &str, before: &SkillFile, after: &SkillFile) -> Vec<String> {
    let mut lines = Vec::new();
    if before.executable != after.executable {
        lines
            .push(format!("{path} {}", if after.executable { "is now executable" } else { "is no longer executable" }));
    }
    match (std::str::from_utf8(&before.bytes), std::str::from_utf8(&after.bytes)) {
        (Ok(old), Ok(new)) if old != new => {
            lines.push(path.to_owned());
            lines.extend(difference(old, new));
        }
        (Ok(_), Ok(_)) => {}
        (_, _) => lines.push(format!("{path} changed and is not text")),
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &[u8], bool)]) -> SkillTree {
        let file = |(path, bytes, executable): &(&str, &[u8], bool)| SkillFile {
            path: (*path).to_owned(),
            bytes: bytes.to_vec(),
            executable: *executable,
        };
        SkillTree::new(files.iter().map(file).collect())
    }

    #[test]
    fn every_file_that_differs_is_named() {
        let before = tree(&[("SKILL.md", b"a\nb\n", false), ("gone", b"", false), ("run.sh", b"x", false)]);
        let after = tree(&[("SKILL.md", b"a\nc\x1b[2J\n", false), ("new.png", b"\xff", false), ("run.sh", b"x", true)]);
        assert_eq!(
            text_changes(&before, &after, 20),
            ["SKILL.md", "  a", "- b", "+ c[2J", "gone was removed", "new.png was added", "run.sh is now executable"]
        );
        assert_eq!(text_changes(&before, &after, 2), ["SKILL.md", "  a", "… 5 more lines"]);
        assert_eq!(text_changes(&after, &after, 20), Vec::<String>::new());
    }

    #[test]
    fn bytes_and_long_lines_are_not_poured_out() {
        let before = tree(&[("a", b"\xff", false), ("b", b"", false)]);
        let after = tree(&[("a", b"\xfe", false), ("b", &[b'x'; 1000], false)]);
        let lines = text_changes(&before, &after, 20);
        assert_eq!(lines[..2], ["a changed and is not text", "b"]);
        assert_eq!(lines[2].chars().count(), MAX_WIDTH);
    }
}
