//! Files of the repository that files of agents name: imports of a text, scripts in a command, further instructions.

use std::collections::{BTreeMap, BTreeSet};

use symposium_io::fs;
use symposium_io::git_path::{self, GitPath};
use symposium_model::review::{
    NOT_REVIEWED, ReviewItem, ReviewSection, SearchedText, command_forms, find_imports, matches_pattern, normal_path,
};

use super::agent_files::collapse_items;
use super::agent_places::lower_case;
use super::revision::RevisionView;

const KIND: &str = "file";
const MAX_FILES: usize = 1_000;
/// Files that name others.
const MAX_NAMING: usize = 500;
/// Bytes of imports and commands: each file of the repository is looked for in all of them.
const MAX_NAMES: usize = 256 * 1024;
/// Imports in imported files, as deep as agents follow them.
const DEEPEST: usize = 5;

/// The words of a file that may be names of other files, in lower case.
struct NamingText {
    shown: String,
    directory: String,
    imports: SearchedText,
    /// The imports as paths below the top of the repository, not in lower case.
    import_paths: Vec<String>,
    commands: SearchedText,
    /// Other texts in settings.
    others: SearchedText,
    instructions: Vec<String>,
}

impl RevisionView {
    /// Lists the files that files of agents name and that are none themselves. Imports are followed, programs are not.
    pub(super) fn named_files(&self, agent_files: &[ReviewItem]) -> Vec<ReviewItem> {
        let known: BTreeSet<&str> = agent_files.iter().map(|item| item.name.as_str()).collect();
        let mut naming: Vec<NamingText> = agent_files.iter().filter_map(NamingText::new).collect();
        if naming.is_empty() {
            return Vec::new();
        }
        let others = self.paths.iter().filter(|path| path.is_utf8() && !known.contains(&*path.shown()));
        let mut others: Vec<(&GitPath, String)> = others.map(|path| (path, lower_case(&path.shown()))).collect();
        let mut items: Vec<ReviewItem> = Vec::new();
        let mut room = MAX_NAMES;
        for _ in 0..DEEPEST {
            let number = naming.len();
            naming.truncate(MAX_NAMING);
            naming.retain(|text| {
                let rest = room.checked_sub(text.size());
                room = rest.unwrap_or(room);
                rest.is_some()
            });
            if naming.len() < number {
                let number = format!("files named in {} of the files of agents", number - naming.len());
                // It could be any file.
                let item = ReviewItem::new(ReviewSection::Run, KIND, "(further names)")
                    .with_detail(NOT_REVIEWED, number)
                    .with_detail("sha256", self.whole_fingerprint());
                items.retain(|known: &ReviewItem| known.name != item.name);
                items.push(item);
            }
            let linked = self.linked_files(&naming);
            let mut found = Vec::new();
            others.retain(|(path, lower)| {
                let behind_link = || Some((*linked.get(&*path.shown())?, ReviewSection::Told));
                let named = naming.iter().find_map(|text| Some((text.shown.as_str(), text.section_of(lower)?)));
                let Some((by, section)) = named.or_else(behind_link) else { return true };
                let item = self.agent_file(path);
                found.extend(
                    item.map(|item| ReviewItem { section, kind: KIND, ..item }.noting(format!("named in {by}"))),
                );
                false
            });
            naming =
                found.iter().filter(|item| item.section == ReviewSection::Told).filter_map(NamingText::new).collect();
            items.extend(found);
        }
        collapse_items(&mut items, MAX_FILES, "files that files of agents name");
        items
    }

    /// Finds the files that imports reach through links to directories, each with the file that imports it.
    fn linked_files<'n>(&self, naming: &'n [NamingText]) -> BTreeMap<String, &'n str> {
        let mut found = BTreeMap::new();
        for text in naming {
            for (directory, name) in text.import_paths.iter().filter_map(|path| path.rsplit_once('/')) {
                let real = self.on_disk(&GitPath::new(directory)).and_then(|directory| fs::canonical(&directory).ok());
                if let Some(inside) = real.as_ref().and_then(|real| real.strip_prefix(&self.top).ok()) {
                    let path = git_path::from_system(&inside.join(name)).shown().into_owned();
                    found.insert(path, text.shown.as_str());
                }
            }
        }
        found
    }
}

impl NamingText {
    /// Returns `None` for a file that names no other.
    fn new(item: &ReviewItem) -> Option<Self> {
        let plain = |text: &str| lower_case(text).replace('\\', "/");
        let is_text = item.section == ReviewSection::Told;
        let texts = item.files.iter().filter_map(|file| file.text.as_deref()).filter(|_| is_text);
        let found = texts.map(|text| find_imports(text).replace('\\', "/")).collect::<Vec<_>>().join("\n");
        let imports: Vec<String> = found.lines().map(|import| lower_case(&normal_path(import))).collect();
        let forms = |texts: &[String]| {
            let forms: Vec<String> = texts.iter().map(|text| lower_case(&command_forms(text))).collect();
            SearchedText::new(forms.join("\n"))
        };
        let instructions = item.names.instructions.iter().flat_map(|text| text.split_whitespace().map(plain));
        let shown = item.name.clone();
        let directory = shown.rsplit_once('/').map_or("", |(directory, _)| directory);
        let import_paths = found.lines().flat_map(|import| {
            // A sign may stand behind an import.
            let import = import.trim_end_matches(|c: char| c.is_ascii_punctuation());
            [normal_path(&format!("{directory}/{import}")), normal_path(import)]
        });
        let naming = Self {
            directory: lower_case(directory),
            imports: SearchedText::new(imports.join("\n")),
            import_paths: import_paths.collect(),
            commands: forms(&item.names.commands),
            others: forms(&item.names.others),
            instructions: instructions.collect(),
            shown,
        };
        (naming.size() > 0).then_some(naming)
    }

    /// The size of the names in bytes.
    fn size(&self) -> usize {
        let instructions: usize = self.instructions.iter().map(String::len).sum();
        self.imports.size() + self.commands.size() + self.others.size() + instructions
    }

    /// Tells what a named file is for; `None` if this text does not name it.
    fn section_of(&self, path: &str) -> Option<ReviewSection> {
        let is_instruction = |word: &String| matches_pattern(word, path, &self.directory);
        if self.imports.names(path, &self.directory) || self.instructions.iter().any(is_instruction) {
            Some(ReviewSection::Told)
        } else if self.commands.names_in_command(path, &self.directory) || self.others.names(path, &self.directory) {
            Some(ReviewSection::Run)
        } else {
            None
        }
    }
}
