//! The files that a patch in Codex's format touches.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchedFile {
    pub path: String,
    pub change: PatchChange,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatchChange {
    Added { content: String },
    Updated { old: String, new: String },
    Deleted,
}

/// Returns the files in order; a moved file counts under both names, with the same change. Codex accepts blanks around
/// a header, so a file must not be missed because of them; between the lines of an update a leading blank makes it a
/// line of the file.
pub fn touched_files(patch: &str) -> Vec<PatchedFile> {
    let mut files: Vec<PatchedFile> = Vec::new();
    // Index of the file opened last: the lines belong to it, and to the name it moves to.
    let mut open = 0;
    for line in patch.lines() {
        let updating = matches!(files.last(), Some(PatchedFile { change: PatchChange::Updated { .. }, .. }));
        let header = if updating { line } else { line.trim_start() };
        let updated = || PatchChange::Updated { old: String::new(), new: String::new() };
        let opened = if let Some(path) = header.strip_prefix("*** Add File: ") {
            Some((path, PatchChange::Added { content: String::new() }))
        } else if let Some(path) = header.strip_prefix("*** Update File: ") {
            Some((path, updated()))
        } else {
            header.strip_prefix("*** Delete File: ").map(|path| (path, PatchChange::Deleted))
        };
        if let Some((path, change)) = opened {
            open = files.len();
            files.push(PatchedFile { path: path.trim().to_owned(), change });
        } else if let Some(path) = header.strip_prefix("*** Move to: ") {
            files.push(PatchedFile { path: path.trim().to_owned(), change: updated() });
        } else if !header.starts_with("***") && !line.starts_with("@@") {
            // Codex rejects a patch that moves a file twice: the lines must not be stored once per move.
            files.iter_mut().skip(open).take(2).for_each(|file| add_line(&mut file.change, line));
        }
    }
    files
}

fn add_line(change: &mut PatchChange, line: &str) {
    let push = |text: &mut String, line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    match change {
        PatchChange::Added { content } => {
            if let Some(line) = line.strip_prefix('+') {
                push(content, line);
            }
        }
        PatchChange::Updated { old, new } => {
            if let Some(line) = line.strip_prefix('-') {
                push(old, line);
            } else if let Some(line) = line.strip_prefix('+') {
                push(new, line);
            } else {
                let line = line.strip_prefix(' ').unwrap_or(line);
                push(old, line);
                push(new, line);
            }
        }
        PatchChange::Deleted => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_change_is_seen() {
        let patch = "*** Begin Patch\n*** Add File: a.rs\n+fn a() {}\n*** Update File: b.rs\n*** Move to: c.rs\n@@ x\n same\n-old\n+new\n*** Delete File: d.rs\n*** End Patch\n";
        let touched = touched_files(patch);
        let paths: Vec<&str> = touched.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a.rs", "b.rs", "c.rs", "d.rs"]);
        assert_eq!(touched[0].change, PatchChange::Added { content: "fn a() {}\n".to_owned() });
        assert_eq!(touched[1].change, touched[2].change);
        assert_eq!(
            touched[2].change,
            PatchChange::Updated { old: "same\nold\n".to_owned(), new: "same\nnew\n".to_owned() }
        );
        assert_eq!(touched[3].change, PatchChange::Deleted);
        assert!(touched_files("no patch at all").is_empty());
    }

    #[test]
    fn lines_are_kept_twice_at_most_however_often_a_file_moves() {
        let patch = format!("*** Update File: a\n{}+{}\n", "*** Move to: b\n".repeat(100), "x".repeat(1000));
        let touched = touched_files(&patch);
        assert_eq!(touched.len(), 101, "every name counts");
        let kept = touched.iter().map(|file| match &file.change {
            PatchChange::Added { content } => content.len(),
            PatchChange::Updated { old, new } => old.len() + new.len(),
            PatchChange::Deleted => 0,
        });
        assert_eq!(kept.sum::<usize>(), 2 * 1001);
        assert_eq!(touched[0].change, touched[1].change);
    }

    #[test]
    fn headers_are_found_as_codex_finds_them() {
        // Codex ignores padding around a header; only between the lines of an update it makes a line of the file.
        let patch = "*** Begin Patch\n  *** Add File: a \n+x\n\t*** Delete File: b\n*** Update File: c\n@@\n *** Delete File: text\n-y\n*** Delete File: d\n*** End Patch";
        let paths: Vec<String> = touched_files(patch).into_iter().map(|file| file.path).collect();
        assert_eq!(paths, ["a", "b", "c", "d"]);
        let windows = "*** Begin Patch\r\n*** Update File: a\r\n@@\r\n-x\r\n+y\r\n*** End Patch\r\n";
        assert_eq!(touched_files(windows).len(), 1);
    }
}
