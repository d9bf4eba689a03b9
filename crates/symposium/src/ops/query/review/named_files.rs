//! Files of the repository that files of agents name: imports of a text, scripts in a command, further instructions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use symposium_io::fs;
use symposium_io::git_path::{self, GitPath};
use symposium_model::review::{
    NOT_REVIEWED, PATTERN_SIGNS, ReviewItem, ReviewSection, SearchedText, command_forms, find_imports, matches_pattern,
    normal_path,
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
/// The signs that end a word of a command.
const SHELL_SIGNS: [char; 15] = ['"', '\'', '`', ';', '&', '|', '(', ')', '<', '>', '=', '$', ':', '{', '}'];
/// Imports in imported files, as deep as agents follow them.
const DEEPEST: usize = 5;

/// The words of a file that may be names of other files, in lower case.
struct NamingText {
    shown: String,
    directory: String,
    imports: SearchedText,
    /// The imports as paths below the top of the repository, not in lower case.
    import_paths: Vec<String>,
    /// The words of commands and other texts as such paths, and those of instructions.
    program_paths: BTreeSet<String>,
    pattern_paths: BTreeSet<String>,
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
            for text in &mut naming {
                let patterns = self.linked_patterns(text);
                text.instructions.extend(patterns);
            }
            let linked = self.linked_files(&naming);
            let mut found = Vec::new();
            others.retain(|(path, lower)| {
                let behind_link = || linked.get(&*path.shown()).copied();
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

    /// Finds the files that imports, commands and settings reach through links to directories, each with the file that
    /// names it and what it is for.
    fn linked_files<'n>(&self, naming: &'n [NamingText]) -> BTreeMap<String, (&'n str, ReviewSection)> {
        let mut found = BTreeMap::new();
        for text in naming {
            let programs = text.program_paths.iter().map(|path| (path, ReviewSection::Run));
            let imports = text.import_paths.iter().map(|path| (path, ReviewSection::Told));
            for (path, section) in programs.chain(imports) {
                if let Some((directory, name)) = path.rsplit_once('/')
                    && let Some(inside) = self.real_directory(directory)
                    && (section == ReviewSection::Told || inside != Path::new(directory))
                {
                    let path = git_path::from_system(&inside.join(name)).shown().into_owned();
                    found.insert(path, (text.shown.as_str(), section));
                }
            }
        }
        found
    }

    /// Lists the patterns of instructions with the directories that links in them lead to.
    fn linked_patterns(&self, text: &NamingText) -> Vec<String> {
        let real_pattern = |pattern: &String| {
            let end = pattern.find(PATTERN_SIGNS).unwrap_or(pattern.len());
            let (directory, _) = pattern.get(..end)?.rsplit_once('/')?;
            let rest = pattern.get(directory.len()..)?;
            let inside = self.real_directory(directory)?;
            let inside = git_path::from_system(&inside).shown().into_owned();
            (inside != directory).then(|| lower_case(format!("{inside}{rest}").trim_start_matches('/')))
        };
        text.pattern_paths.iter().filter_map(real_pattern).collect()
    }

    /// Returns where a directory is below the top of the repository, behind every link.
    fn real_directory(&self, directory: &str) -> Option<PathBuf> {
        let real = fs::canonical(&self.on_disk(&GitPath::new(directory))?).ok()?;
        Some(real.strip_prefix(&self.top).ok()?.to_owned())
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
        // A pattern may have blanks in it, or several of them may be in one text.
        let instructions: Vec<&str> = item.names.instructions.iter().flat_map(|text| with_words(text)).collect();
        let programs = item.names.commands.iter().chain(&item.names.others).map(|text| command_forms(text));
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
            program_paths: programs
                .flat_map(|text| program_words(&text))
                .flat_map(|word| places_of(&word, directory))
                .collect(),
            pattern_paths: instructions
                .iter()
                .flat_map(|word| places_of(&word.replace('\\', "/"), directory))
                .collect(),
            instructions: instructions.into_iter().map(plain).collect(),
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

/// Returns a text and, if it has several, its words.
fn with_words(text: &str) -> impl Iterator<Item = &str> {
    std::iter::once(text).chain(text.split_whitespace().filter(move |word| *word != text))
}

/// Lists the words of a text that may be paths: whole lines, and what is between the signs of a shell. The first part of
/// a path may be a variable.
fn program_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || SHELL_SIGNS.contains(&c));
    let words: Vec<String> = text.lines().chain(words).map(normal_path).filter(|word| word.contains('/')).collect();
    let below: Vec<String> = words.iter().filter_map(|word| Some(word.split_once('/')?.1.to_owned())).collect();
    words.into_iter().chain(below.into_iter().filter(|word| word.contains('/'))).collect()
}

/// Lists what a path may mean in a file of `directory`: it begins there, in the directory above, or at the top.
fn places_of(path: &str, directory: &str) -> [String; 3] {
    let above = directory.rsplit_once('/').map_or("", |(above, _)| above);
    [normal_path(path), normal_path(&format!("{above}/{path}")), normal_path(&format!("{directory}/{path}"))]
}
