//! One part of a revision that a reviewer compares.

/// The question that an item answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReviewSection {
    Told,
    Run,
    Sources,
    Settings,
    Dependencies,
}

impl ReviewSection {
    pub const ALL: [Self; 5] = [Self::Told, Self::Run, Self::Sources, Self::Settings, Self::Dependencies];

    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Told => "told",
            Self::Run => "run",
            Self::Sources => "sources",
            Self::Settings => "settings",
            Self::Dependencies => "dependencies",
        }
    }

    pub fn heading(self) -> &'static str {
        match self {
            Self::Told => "Agents would be told",
            Self::Run => "Would run, if it is granted or an agent trusts it",
            Self::Sources => "Sources",
            Self::Settings => "Settings of the project",
            Self::Dependencies => "Dependencies with other guidance",
        }
    }
}

/// A part of a revision. Two items of one section, kind and name are versions of each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewItem {
    pub section: ReviewSection,
    /// As in `skill` or `plugin`.
    pub kind: &'static str,
    pub name: String,
    /// Shown beside the name; a change of it alone is no change of the item.
    pub note: String,
    pub details: Vec<ItemDetail>,
    pub files: Vec<ReviewedFile>,
}

impl ReviewItem {
    pub fn new(section: ReviewSection, kind: &'static str, name: impl Into<String>) -> Self {
        Self { section, kind, name: name.into(), note: String::new(), details: Vec::new(), files: Vec::new() }
    }

    /// Adds a note that is not compared.
    #[must_use]
    pub fn noting(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    #[must_use]
    pub fn with_detail(mut self, label: impl Into<String>, value: impl Into<String>) -> Self {
        self.details.push(ItemDetail { label: label.into(), value: value.into() });
        self
    }

    /// Adds a file; its line ends do not count, since git may convert them.
    #[must_use]
    pub fn with_file(mut self, path: impl Into<String>, bytes: &[u8]) -> Self {
        let text = std::str::from_utf8(bytes).ok().map(|text| text.replace("\r\n", "\n"));
        let fingerprint =
            text.as_ref().map_or_else(|| crate::sync::fingerprint(bytes).as_str().to_owned(), |_| String::new());
        self.files.push(ReviewedFile { path: path.into(), text, fingerprint });
        self
    }

    pub(super) fn is_version_of(&self, other: &Self) -> bool {
        (self.section, self.kind, &self.name) == (other.section, other.kind, &other.name)
    }
}

/// A fact about an item, such as its command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemDetail {
    pub label: String,
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewedFile {
    pub path: String,
    /// `None` for a file that is not text.
    pub text: Option<String>,
    /// Of a file that is not text.
    pub fingerprint: String,
}
