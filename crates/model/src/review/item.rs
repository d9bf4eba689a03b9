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
            Self::Dependencies => "Dependencies whose guidance differs or is not known",
        }
    }
}

/// A part of a revision. Two items of one section, kind, name and source are versions of each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewItem {
    pub section: ReviewSection,
    /// As in `skill` or `plugin`.
    pub kind: &'static str,
    pub name: String,
    /// The source that it comes from, if two of them may have one of its name.
    pub source: String,
    /// Shown beside the name; a change of it alone is no change of the item.
    pub note: String,
    pub details: Vec<ItemDetail>,
    pub files: Vec<ReviewedFile>,
    /// The texts in it that may name other files; they are not compared.
    pub names: NamingWords,
}

/// The parts of settings in which files may be named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamingWords {
    pub commands: Vec<String>,
    /// Names and patterns of files with instructions.
    pub instructions: Vec<String>,
    /// Every other text.
    pub others: Vec<String>,
}

impl ReviewItem {
    pub fn new(section: ReviewSection, kind: &'static str, name: impl Into<String>) -> Self {
        Self {
            section,
            kind,
            name: name.into(),
            source: String::new(),
            note: String::new(),
            details: Vec::new(),
            files: Vec::new(),
            names: NamingWords::default(),
        }
    }

    /// Names the source, so that the item is not taken for one of the same name from elsewhere.
    #[must_use]
    pub fn from_source(self, source: impl Into<String>) -> Self {
        let source = source.into();
        Self { source: source.clone(), ..self }.with_detail("source", source)
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
    pub fn with_file(self, path: impl Into<String>, bytes: &[u8]) -> Self {
        self.with_program(path, bytes, false)
    }

    /// Adds a file that may be executable.
    #[must_use]
    pub fn with_program(mut self, path: impl Into<String>, bytes: &[u8], is_executable: bool) -> Self {
        let (text, fingerprint) = match std::str::from_utf8(bytes) {
            Ok(text) => (Some(text.to_owned()), String::new()),
            Err(_) => (read_odd_text(bytes), crate::sync::fingerprint(bytes).as_str().to_owned()),
        };
        let text = text.map(|text| text.replace("\r\n", "\n"));
        self.files.push(ReviewedFile { path: path.into(), text, fingerprint, is_executable });
        self
    }

    pub(super) fn is_version_of(&self, other: &Self) -> bool {
        (self.section, self.kind, &self.name, &self.source) == (other.section, other.kind, &other.name, &other.source)
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
    /// Of a file that is not UTF-8.
    pub fingerprint: String,
    pub is_executable: bool,
}

impl ReviewedFile {
    /// Keeps the text out of the review; a change of it still is one.
    #[must_use]
    pub fn without_text(self, reason: &str) -> Self {
        let content = self.text.as_deref().map(|text| crate::sync::fingerprint(text.as_bytes()).as_str().to_owned());
        Self {
            path: format!("{} ({reason})", self.path),
            text: None,
            fingerprint: content.unwrap_or(self.fingerprint),
            is_executable: self.is_executable,
        }
    }
}

/// Reads a file that is not UTF-8 as an agent would: UTF-16, or with a sign in place of each wrong byte. `None` for a
/// file that is mostly no text.
fn read_odd_text(bytes: &[u8]) -> Option<String> {
    let units = |read: fn([u8; 2]) -> u16| -> Vec<u16> {
        let pairs = bytes.get(2..).unwrap_or_default().chunks_exact(2);
        pairs.filter_map(|pair| pair.try_into().ok()).map(read).collect()
    };
    let text = match bytes {
        [0xff, 0xfe, ..] => String::from_utf16_lossy(&units(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => String::from_utf16_lossy(&units(u16::from_be_bytes)),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    let is_odd = |c: &char| *c == char::REPLACEMENT_CHARACTER || (c.is_control() && !c.is_whitespace());
    (text.chars().filter(is_odd).count() * 4 < text.chars().count()).then_some(text)
}
