//! A repeated import into an existing manifest: new parts are added, changed ones updated, and parts the user edited
//! are kept.

use super::manifest::ManifestPart;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeAction {
    New,
    Unchanged,
    /// An older version of it was there, as Symposium wrote it.
    Updated,
    /// The user edited or removed it.
    Kept,
}

impl MergeAction {
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Unchanged => "unchanged",
            Self::Updated => "updated",
            Self::Kept => "kept",
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct MergedManifest {
    pub text: String,
    pub fates: Vec<MergeAction>,
    pub record: Vec<ManifestPart>,
}

/// Merges parts into a manifest. `record` contains the parts that earlier imports wrote.
pub fn merge(existing: Option<&str>, header: &str, record: &[ManifestPart], parts: &[ManifestPart]) -> MergedManifest {
    let mut merged =
        MergedManifest { text: existing.unwrap_or(header).to_owned(), fates: Vec::new(), record: record.to_vec() };
    for part in parts {
        let fate = match merged.record.iter_mut().find(|known| known.id == part.id) {
            None => {
                if !merged.text.ends_with('\n') {
                    merged.text.push('\n');
                }
                merged.text.push_str(&part.text);
                merged.record.push(part.clone());
                MergeAction::New
            }
            Some(known) if merged.text.contains(&known.text) => {
                if known.text == part.text {
                    MergeAction::Unchanged
                } else {
                    merged.text = merged.text.replacen(&known.text, &part.text, 1);
                    known.text.clone_from(&part.text);
                    MergeAction::Updated
                }
            }
            Some(_) => MergeAction::Kept,
        };
        merged.fates.push(fate);
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(id: &str, text: &str) -> ManifestPart {
        ManifestPart { id: id.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn what_is_there_and_what_was_edited_stays() {
        let first = merge(None, "name\n", &[], &[part("a", "\nA 1\n"), part("b", "\nB 1\n")]);
        assert_eq!((first.text.as_str(), first.fates.as_slice()), ("name\n\nA 1\n\nB 1\n", &[MergeAction::New; 2][..]));
        let again = merge(Some(&first.text), "name\n", &first.record, &[part("a", "\nA 1\n"), part("b", "\nB 1\n")]);
        assert_eq!((&again.text, again.fates.as_slice()), (&first.text, &[MergeAction::Unchanged; 2][..]));
        // `a` was removed from the agent's settings and stays here; `b` changed there.
        let changed = merge(Some(&first.text), "name\n", &first.record, &[part("b", "\nB 2\n"), part("c", "\nC\n")]);
        assert_eq!(changed.text, "name\n\nA 1\n\nB 2\n\nC\n");
        assert_eq!(changed.fates, [MergeAction::Updated, MergeAction::New]);
        let edited = first.text.replace("B 1", "B mine");
        let kept = merge(Some(&edited), "name\n", &first.record, &[part("b", "\nB 2\n")]);
        assert_eq!((kept.text, kept.fates), (edited, vec![MergeAction::Kept]));
        let removed = first.text.replace("\nB 1\n", "");
        let kept = merge(Some(&removed), "name\n", &first.record, &[part("b", "\nB 1\n")]);
        assert_eq!((kept.text, kept.fates), (removed, vec![MergeAction::Kept]));
    }
}
