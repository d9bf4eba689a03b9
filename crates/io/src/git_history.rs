//! Former contents of a file that git tracks, read from the repository without starting git.

use std::path::Path;

use crate::fs;
use crate::git_repository::RepositoryReader;

/// Goes back from the present commit by first parents, and returns what `pick` makes of the first content for which it
/// makes anything.
pub fn past_versions_of<T>(file: &Path, most_commits: usize, mut pick: impl FnMut(&str) -> Option<T>) -> Option<T> {
    let file = fs::canonical(file).ok()?;
    let top = file.ancestors().skip(1).find(|directory| fs::exists(&directory.join(".git")))?;
    let parts: Vec<&str> = file.strip_prefix(top).ok()?.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    let repository = RepositoryReader::open(&top.join(".git"))?;
    let mut commit = Some(repository.head()?);
    let mut before = None;
    for _ in 0..most_commits {
        let header = repository.commit(&commit?)?;
        let blob = repository.find_blob(&header.tree, &parts);
        if blob.is_some() && blob != before {
            let content = blob.as_ref().and_then(|blob| repository.objects.read(blob));
            let text = content.and_then(|content| String::from_utf8(content.bytes).ok());
            if let Some(picked) = text.and_then(|text| pick(&text)) {
                return Some(picked);
            }
        }
        before = blob;
        commit = header.parents.into_iter().next();
    }
    None
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn git(directory: &Path, args: &[&str]) {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
        let output = Command::new("git").current_dir(directory).args(identity).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?} {}", String::from_utf8_lossy(&output.stderr));
    }

    #[test]
    fn former_contents_are_found_loose_and_packed() {
        let directory = tempfile::tempdir().unwrap();
        let top = &directory.path().join("repository");
        std::fs::create_dir_all(top.join("a/b")).unwrap();
        let file = top.join("a/b/Cargo.lock");
        git(top, &["init", "-q"]);
        let body: String = (0..2000).map(|line| format!("line {line}\n")).collect::<Vec<_>>().concat();
        for version in ["one", "two", "three"] {
            std::fs::write(&file, format!("{version}\n{body}")).unwrap();
            git(top, &["add", "."]);
            git(top, &["commit", "-qm", version]);
            std::fs::write(top.join("other"), version).unwrap();
            git(top, &["add", "."]);
            git(top, &["commit", "-qm", "other"]);
        }
        let all = |most: usize| {
            let mut found = Vec::new();
            past_versions_of(&file, most, |text| {
                assert!(text.ends_with("line 1999\n"));
                found.push(text.lines().next().unwrap_or_default().to_owned());
                None::<()>
            });
            found.join(" ")
        };
        assert_eq!(all(10), "three two one");
        assert_eq!(all(3), "three two");
        git(top, &["gc", "-q", "--aggressive"]);
        assert!(!top.join(".git/refs/heads/main").exists(), "references are packed too");
        assert_eq!(all(10), "three two one");
        git(top, &["worktree", "add", "-q", "../tree", "HEAD~3"]);
        let linked = top.parent().unwrap().join("tree");
        let found = past_versions_of(&linked.join("a/b/Cargo.lock"), 1, |text| text.lines().next().map(str::to_owned));
        assert_eq!(found.as_deref(), Some("two"));
        std::fs::remove_dir_all(linked).unwrap();
        std::fs::write(top.join(".git/HEAD"), "ref: ../../secret\n").unwrap();
        assert_eq!(all(10), "");
    }
}
