//! Files of the repository that files of agents name: imports of a text, scripts in a command, further instructions.

use std::collections::{BTreeMap, BTreeSet};

use symposium_io::fs;
use symposium_io::git_path::{self, GitPath};
use symposium_model::review::{
    ReviewItem, ReviewSection, SearchedText, command_forms, find_imports, is_command_key, is_instruction_key,
    matches_pattern, normal_path,
};
use symposium_model::sync::fingerprint;

use super::agent_files::lower_case;
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
    instructions: Vec<String>,
}

impl RevisionView {
    /// Lists the files that files of agents name and that are none themselves. Imports are followed, programs are not.
    pub(super) fn named_files(&self, agent_files: &[ReviewItem], paths: &[GitPath]) -> Vec<ReviewItem> {
        let known: BTreeSet<&str> = agent_files.iter().map(|item| item.name.as_str()).collect();
        let mut naming: Vec<NamingText> = agent_files.iter().filter_map(NamingText::new).collect();
        if naming.is_empty() {
            return Vec::new();
        }
        let others = paths.iter().filter(|path| path.is_utf8() && !known.contains(&*path.shown()));
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
                items.push(unreviewed(
                    "(further names)",
                    format!("files named in {} of the files of agents", number - naming.len()),
                ));
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
        if items.len() > MAX_FILES {
            let rest = items.split_off(MAX_FILES);
            let number = format!("{} files that files of agents name, beyond the first {MAX_FILES}", rest.len());
            // A change of one of them is at least mentioned.
            let files = rest.iter().flat_map(|item| &item.files);
            let texts = files.map(|file| {
                [file.path.as_str(), &file.fingerprint, file.text.as_deref().unwrap_or_default()].join("\n")
            });
            let content = fingerprint(texts.collect::<Vec<String>>().join("\n").as_bytes());
            items.push(unreviewed("(others)", number).with_detail("sha256", content.as_str()));
        }
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

fn unreviewed(name: &str, files: String) -> ReviewItem {
    ReviewItem::new(ReviewSection::Run, KIND, name).with_detail("not reviewed", files)
}

impl NamingText {
    /// Returns `None` for a file that names no other.
    fn new(item: &ReviewItem) -> Option<Self> {
        let plain = |text: &str| lower_case(text).replace('\\', "/");
        let is_text = item.section == ReviewSection::Told;
        let texts = item.files.iter().filter_map(|file| file.text.as_deref()).filter(|_| is_text);
        let found = texts.map(|text| find_imports(text).replace('\\', "/")).collect::<Vec<_>>().join("\n");
        let imports: Vec<String> = found.lines().map(|import| lower_case(&normal_path(import))).collect();
        let details = |is_wanted: fn(&str) -> bool| item.details.iter().filter(move |detail| is_wanted(&detail.label));
        let commands = details(is_command_key).map(|detail| lower_case(&command_forms(&detail.value)));
        let instructions = details(is_instruction_key).flat_map(|detail| detail.value.split_whitespace().map(plain));
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
            commands: SearchedText::new(commands.collect::<Vec<_>>().join("\n")),
            instructions: instructions.collect(),
            shown,
        };
        (naming.size() > 0).then_some(naming)
    }

    /// The size of the names in bytes.
    fn size(&self) -> usize {
        let instructions: usize = self.instructions.iter().map(String::len).sum();
        self.imports.size() + self.commands.size() + instructions
    }

    /// Tells what a named file is for; `None` if this text does not name it.
    fn section_of(&self, path: &str) -> Option<ReviewSection> {
        let is_instruction = |word: &String| matches_pattern(word, path, &self.directory);
        if self.imports.names(path, &self.directory) || self.instructions.iter().any(is_instruction) {
            Some(ReviewSection::Told)
        } else if self.commands.names_in_command(path, &self.directory) {
            Some(ReviewSection::Run)
        } else {
            None
        }
    }
}
