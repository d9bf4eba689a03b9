//! A skill as a directory of files, ready to be installed or compared with what is installed.

use crate::fingerprint::{ContentFingerprint, of_parts};
use crate::skill::{SKILL_FILE, SkillDocument, SkillName, installed_text};

/// The files of a skill directory, sorted by path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillTree {
    files: Vec<SkillFile>,
}

/// One file of a skill directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillFile {
    /// Relative to the directory, with `/` between its parts.
    pub path: String,
    pub bytes: Vec<u8>,
    pub executable: bool,
}

/// The file that keeps an installed skill out of version control.
const IGNORE_FILE: &str = ".gitignore";

const IGNORED: &str = "*\n";

/// To git, the last line is about names that begin with a blank. An agent that drops the blank reads it as an exception
/// for everything.
const IGNORED_BUT_OPENED: &str = "*\n# Git ignores all of this. The next line lets Gemini CLI read it.\n !*\n";

/// Tells whether the ignore file of a skill directory is one that Symposium writes.
pub fn is_ignore_mark(text: &str) -> bool {
    [IGNORED, IGNORED_BUT_OPENED].contains(&text)
}

fn ignore_file(text: &str) -> SkillFile {
    SkillFile { path: IGNORE_FILE.to_owned(), bytes: text.as_bytes().to_vec(), executable: false }
}

impl SkillTree {
    /// Files as they were found.
    pub fn new(mut files: Vec<SkillFile>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files }
    }

    /// The form in which a skill is installed: its SKILL.md rewritten for every agent, everything else as it is.
    ///
    /// Unless it is to be committed, a `.gitignore` is added that keeps the directory out of version control; the source's own, if it has
    /// one, gives way to it.
    pub fn installed(
        files: Vec<SkillFile>,
        document: &SkillDocument,
        text: &str,
        name: &SkillName,
        commit: CommitPolicy,
    ) -> Self {
        let mut kept: Vec<SkillFile> =
            files.into_iter().filter(|file| file.path != SKILL_FILE && file.path != IGNORE_FILE).collect();
        let own = installed_text(document, document.body_of(text), name);
        kept.push(SkillFile { path: SKILL_FILE.to_owned(), bytes: own.into_bytes(), executable: false });
        match commit {
            CommitPolicy::No => kept.push(ignore_file(IGNORED)),
            CommitPolicy::NoButOpened => kept.push(ignore_file(IGNORED_BUT_OPENED)),
            CommitPolicy::Yes => {}
        }
        Self::new(kept)
    }

    pub fn files(&self) -> &[SkillFile] {
        &self.files
    }

    /// Stands for every path, mode and byte.
    pub fn fingerprint(&self) -> ContentFingerprint {
        let mut parts: Vec<Vec<u8>> = Vec::new();
        for file in &self.files {
            let kind = if file.executable { "x" } else { "-" };
            // Lengths in front keep one file's end apart from the next one's beginning.
            parts.push(format!("{kind} {} {} ", file.path.len(), file.bytes.len()).into_bytes());
            parts.push(file.path.clone().into_bytes());
            parts.push(file.bytes.clone());
        }
        of_parts(parts.iter().map(Vec::as_slice))
    }
}

/// Tells if installed skills are meant to be committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitPolicy {
    No,
    /// The same, in a directory whose files an agent opens only if it believes that git does not ignore them.
    NoButOpened,
    /// They belong to the repository.
    Yes,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str, executable: bool) -> SkillFile {
        SkillFile { path: path.to_owned(), bytes: text.as_bytes().to_vec(), executable }
    }

    #[test]
    fn fingerprints_see_paths_modes_and_bytes_but_not_order() {
        let tree = |files: Vec<SkillFile>| SkillTree::new(files).fingerprint();
        let base = tree(vec![file("a", "1", false), file("b", "2", false)]);
        assert_eq!(base, tree(vec![file("b", "2", false), file("a", "1", false)]));
        assert_ne!(base, tree(vec![file("a", "1", true), file("b", "2", false)]));
        assert_ne!(base, tree(vec![file("a", "12", false), file("b", "", false)]));
        assert_ne!(base, tree(vec![file("ab", "1", false), file("", "2", false)]));
        assert_ne!(base, tree(vec![file("a", "1", false)]));
    }

    #[test]
    fn the_installed_form_replaces_skill_md_and_keeps_the_rest() {
        let text = "---\nname: My Skill\ndescription: d\ncrates: serde\n---\nbody\n";
        let document = crate::skill::parse("SKILL.md", "x", text).document.unwrap();
        let files = vec![
            file("SKILL.md", text, false),
            file("scripts/run.sh", "#!/bin/sh\n", true),
            file(".gitignore", "x", false),
        ];
        let tree = SkillTree::installed(files, &document, text, &document.name, CommitPolicy::No);
        let paths: Vec<&str> = tree.files().iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, [".gitignore", "SKILL.md", "scripts/run.sh"]);
        assert!(tree.files()[2].executable);
        assert_eq!(tree.files()[0].bytes, b"*\n");
        assert!(tree.files()[1].bytes.starts_with(b"---\nname: my-skill\n"));
        let opened = SkillTree::installed(Vec::new(), &document, text, &document.name, CommitPolicy::NoButOpened);
        let lines = String::from_utf8(opened.files()[0].bytes.clone()).unwrap();
        assert!(lines.starts_with("*\n") && lines.ends_with("\n !*\n"), "{lines}");
    }
}
