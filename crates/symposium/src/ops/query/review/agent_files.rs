//! Files of agents in the repository: instructions, skills, settings and programs that an agent reads without Symposium.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use symposium_agents::settings_layout::SettingsFormat;
use symposium_io::fs::{self, FsErrorKind};
use symposium_io::git_path::GitPath;
use symposium_io::git_revision::MAX_FILE;
use symposium_model::review::{NOT_REVIEWED, NamingWords, ReviewItem, ReviewSection};
use symposium_model::sync::fingerprint;

use super::agent_places::{
    agent_places, is_configuration, is_inside, is_lockfile, is_of_agent, is_own_file, is_plugin_mark,
    marked_directories,
};
use super::revision::RevisionView;
use crate::ops::import::read::read_file;

/// The largest file whose lines are shown, in bytes.
const MAX_SHOWN: usize = 1024 * 1024;
const MAX_FILES: usize = 5_000;

const KIND: &str = "agent file";
/// Another one, so that no two files are taken for one: such names are shown with escapes.
const ODD_KIND: &str = "agent file not named in UTF-8";
/// Manifests of plugins, and the configuration of the project.
const OWN_KIND: &str = "Symposium file";
const SUBMODULE_KIND: &str = "submodule";

impl RevisionView {
    /// Lists the files that git tracks, and what keeps others from a review: links, submodules and limits. `shown` are
    /// files of skills that are listed already.
    pub(super) fn agent_files(&self, shown: &BTreeSet<GitPath>) -> Vec<ReviewItem> {
        let places = agent_places();
        let marked = marked_directories(&self.paths);
        let linked = self.linked_directories(&places, &marked);
        let is_wanted = |path: &&GitPath| {
            is_of_agent(&path.shown(), &places)
                || is_inside(path, &linked)
                || (is_inside(path, &marked) && !shown.contains(path))
        };
        let mut found: Vec<&GitPath> = self.paths.iter().filter(is_wanted).collect();
        // A directory with very many files does not displace a single one above.
        found.sort_by_key(|path| path.shown().matches('/').count());
        let read = |path: &GitPath| {
            let item = self.agent_file(path)?;
            // The data of a skill are no settings, and neither is a lockfile with very many addresses.
            let is_data = is_inside(path, &marked) || is_lockfile(path);
            let others = if is_data { Vec::new() } else { item.names.others.clone() };
            Some(ReviewItem { names: NamingWords { others, ..item.names }, ..item })
        };
        let mut items: Vec<ReviewItem> = found.into_iter().filter_map(read).collect();
        let named = self.named_files(&items);
        collapse_items(&mut items, MAX_FILES, "files of agents");
        items.extend(named);
        items.extend(self.submodules.iter().map(|submodule| {
            ReviewItem { kind: SUBMODULE_KIND, ..new_item(ReviewSection::Run, &submodule.path) }
                .with_detail("submodule at", &submodule.commit)
                .with_detail(NOT_REVIEWED, "its files are in another repository")
        }));
        let unwritable = self.exported.iter().flat_map(|exported| &exported.unwritable);
        items.extend(unwritable.map(|path| {
            let item = new_item(ReviewSection::Run, path);
            self.with_object(item.with_detail(NOT_REVIEWED, "this system does not allow its name"), path)
        }));
        items
    }

    /// Returns the item of a path; `None` if the file was removed.
    pub(super) fn agent_file(&self, path: &GitPath) -> Option<ReviewItem> {
        let place = self.on_disk(path)?;
        if fs::is_link(&place) {
            return Some(self.agent_link(&place, path));
        }
        if fs::is_file(&place) && self.is_elsewhere(&place, path) {
            let item = new_item(section_of(path, false), path);
            return Some(item.with_detail(NOT_REVIEWED, "a directory above it is a link here"));
        }
        fs::is_file(&place).then(|| self.with_content(new_item(section_of(path, is_program(&place)), path), path))
    }

    /// Adds the lines of a file, and the commands in it if it has settings.
    pub(super) fn with_content(&self, item: ReviewItem, path: &GitPath) -> ReviewItem {
        let (Some(place), shown) = (self.on_disk(path), path.shown()) else { return item };
        let item = match fs::read(&place, MAX_FILE) {
            Ok(bytes) if bytes.len() <= MAX_SHOWN => item.with_program(&*shown, &bytes, fs::is_executable(&place)),
            Ok(bytes) => item
                .with_detail(NOT_REVIEWED, format!("the file is too large to be shown: {} bytes", bytes.len()))
                .with_detail("sha256", fingerprint(&bytes).as_str()),
            Err(error) if matches!(error.kind, FsErrorKind::TooLarge { .. }) => {
                let item = item.with_detail(NOT_REVIEWED, format!("the file has more than {MAX_FILE} bytes"));
                self.with_object(item, path)
            }
            Err(error) => item.with_detail(NOT_REVIEWED, format!("the file cannot be read: {}", error.kind)),
        };
        let notation = match extension(&place) {
            "json" | "jsonc" => Some(SettingsFormat::Json),
            "toml" => Some(SettingsFormat::Toml),
            "yaml" | "yml" => Some(SettingsFormat::Yaml),
            _ => None,
        };
        // The commands of Symposium's own files are part of other items.
        let notation = notation.filter(|_| item.kind != OWN_KIND);
        match notation.map(|notation| read_file(&place, &shown, notation)) {
            Some(Ok(Some((_, value)))) => {
                let mut item = item.with_settings(&value);
                if is_plugin_mark(&shown) {
                    let directories = item.names.others.iter().filter_map(|text| text.strip_prefix("./"));
                    let directories =
                        directories.map(|text| text.trim_end_matches('/')).filter(|text| !text.is_empty());
                    let patterns: Vec<String> = directories.map(|text| format!("{text}/**")).collect();
                    item.names.instructions.extend(patterns);
                }
                item
            }
            Some(Err(problem)) => {
                // An agent may read it all the same.
                let mut item = item.with_detail("problem", problem.message);
                match fs::read_text(&place, MAX_FILE) {
                    Ok(text) => item.names.commands.push(text),
                    Err(_) => item = item.with_detail("sha256 of all files", self.whole_fingerprint()),
                }
                item
            }
            Some(Ok(None)) | None => item,
        }
    }

    /// Adds the name that git has for the content of a file that is not read.
    fn with_object(&self, item: ReviewItem, path: &GitPath) -> ReviewItem {
        match self.objects.get(path) {
            Some(object) => item.with_detail("git object", object),
            None => item,
        }
    }

    /// Returns the fingerprint of everything that git tracks.
    pub(super) fn whole_fingerprint(&self) -> &str {
        self.whole.get_or_init(|| {
            let lines = self.objects.iter().map(|(path, object)| format!("{object} {}", path.shown()));
            fingerprint(lines.collect::<Vec<_>>().join("\n").as_bytes()).as_str().to_owned()
        })
    }

    /// Lists the files of agents that were written empty.
    pub(super) fn empty_agent_files(&self) -> Vec<PathBuf> {
        let Some(exported) = &self.exported else { return Vec::new() };
        let items = self.agent_files(&BTreeSet::new());
        let names: BTreeSet<&str> = items.iter().map(|item| item.name.as_str()).collect();
        let paths = self.paths.iter().filter(|path| names.contains(&*path.shown()));
        paths.filter_map(|path| self.on_disk(path)).filter(|path| exported.is_empty_file(path)).collect()
    }
}

pub(super) fn new_item(section: ReviewSection, path: &GitPath) -> ReviewItem {
    let shown = path.shown();
    match path.is_utf8() {
        true if is_own_file(&shown) => {
            let section = if is_configuration(&shown) { ReviewSection::Settings } else { ReviewSection::Run };
            ReviewItem::new(section, OWN_KIND, shown)
        }
        true => ReviewItem::new(section, KIND, shown),
        false => ReviewItem::new(section, ODD_KIND, shown),
    }
}

/// Makes one item of those beyond a limit. A change of one of them is at least mentioned.
pub(super) fn collapse_items(items: &mut Vec<ReviewItem>, limit: usize, what: &str) {
    if items.len() <= limit {
        return;
    }
    let rest = items.split_off(limit);
    let kind = rest.first().map_or(KIND, |item| item.kind);
    let texts = rest.iter().flat_map(|item| {
        let details = item.details.iter().map(|detail| format!("{} {}", detail.label, detail.value));
        let files = item.files.iter().map(|file| {
            let text = file.text.as_deref().unwrap_or_default();
            format!("{} {} {}\n{text}", file.path, file.is_executable, file.fingerprint)
        });
        std::iter::once(item.name.clone()).chain(details).chain(files)
    });
    let content = fingerprint(texts.collect::<Vec<String>>().join("\n").as_bytes());
    let item = ReviewItem::new(ReviewSection::Run, kind, "(others)")
        .with_detail(NOT_REVIEWED, format!("{} {what} beyond the first {limit}", rest.len()))
        .with_detail("sha256", content.as_str());
    items.push(item);
}

/// Tells by its name whether a file would be read or run. A program need not have an extension.
pub(super) fn section_of(name: &GitPath, is_program: bool) -> ReviewSection {
    match extension(Path::new(&*name.shown())) {
        "md" | "mdc" | "txt" => ReviewSection::Told,
        "" if !is_program => ReviewSection::Told,
        _ => ReviewSection::Run,
    }
}

pub(super) fn is_program(path: &Path) -> bool {
    fs::is_executable(path) || fs::read(path, MAX_FILE).is_ok_and(|bytes| bytes.starts_with(b"#!"))
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}
