//! Which files a Codex patch touches.

/// A file that a patch touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Its path, as the patch writes it.
    pub path: String,
    /// What becomes of it.
    pub change: Change,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It is new.
    Added {
        /// Its text.
        content: String,
    },
    /// Some of it is replaced.
    Updated {
        /// The lines that go, with those around them.
        old: String,
        /// What stands in their place.
        new: String,
    },
    /// It goes.
    Deleted,
}

/// The files in order; a file that moves counts under both names.
pub fn touched_files(patch: &str) -> Vec<Touched> {
    let mut files: Vec<Touched> = Vec::new();
    for line in patch.lines() {
        if let Some(path) = line.strip_prefix("*** Add File: ") {
            files.push(Touched { path: path.trim().to_owned(), change: Change::Added { content: String::new() } });
        } else if let Some(path) = line.strip_prefix("*** Update File: ") {
            let change = Change::Updated { old: String::new(), new: String::new() };
            files.push(Touched { path: path.trim().to_owned(), change });
        } else if let Some(path) = line.strip_prefix("*** Delete File: ") {
            files.push(Touched { path: path.trim().to_owned(), change: Change::Deleted });
        } else if let Some(path) = line.strip_prefix("*** Move to: ") {
            let change = Change::Updated { old: String::new(), new: String::new() };
            files.push(Touched { path: path.trim().to_owned(), change });
        } else if !line.starts_with("***")
            && !line.starts_with("@@")
            && let Some(file) = files.last_mut()
        {
            add_line(&mut file.change, line);
        }
    }
    files
}

fn add_line(change: &mut Change, line: &str) {
    let push = |text: &mut String, line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    match change {
        Change::Added { content } => {
            if let Some(line) = line.strip_prefix('+') {
                push(content, line);
            }
        }
        Change::Updated { old, new } => {
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
        Change::Deleted => {}
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
        assert_eq!(touched[0].change, Change::Added { content: "fn a() {}\n".to_owned() });
        assert_eq!(touched[2].change, Change::Updated { old: "same\nold\n".to_owned(), new: "same\nnew\n".to_owned() });
        assert_eq!(touched[3].change, Change::Deleted);
        assert!(touched_files("no patch at all").is_empty());
    }
}
