//! Links at the places of agents. A link leads to files that git tracks, or it is not reviewed: nothing else of a machine
//! may reach a review.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use symposium_io::fs;
use symposium_io::git_path::{self, GitPath};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::git_index::SubmoduleEntry;
use symposium_model::review::{NOT_REVIEWED, ReviewItem, ReviewedFile, normal_path};

use super::agent_files::{is_program, new_item, section_of};
use super::agent_places::{is_inside, is_of_agent, lower_case};
use super::revision::RevisionView;

impl RevisionView {
    /// Lists the directories of the repository that links at the places of agents lead to, and links in these.
    pub(super) fn linked_directories(&self, places: &[String], marked: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
        let links = self.paths.iter().filter_map(|path| Some((path, self.linked_directory(path)?)));
        let mut links: BTreeMap<&GitPath, PathBuf> = links.collect();
        let is_first = |path: &&GitPath| is_of_agent(&path.shown(), places) || is_inside(path, marked);
        let mut next: Vec<&GitPath> = links.keys().copied().filter(is_first).collect();
        let mut found = BTreeSet::new();
        while let Some(path) = next.pop() {
            // Each link is taken once.
            let Some(directory) = links.remove(path) else { continue };
            let start = start_of_paths(&directory);
            if found.insert(directory) {
                let below = links.range::<GitPath, _>(&start..).map(|(path, _)| *path);
                next.extend(below.take_while(|path| path.as_bytes().starts_with(start.as_bytes())));
            }
        }
        found
    }

    /// Returns the directory of the repository that a link leads to. Behind a link to the top, the whole repository is no
    /// directory of an agent.
    fn linked_directory(&self, path: &GitPath) -> Option<PathBuf> {
        let link = self.on_disk(path).filter(|link| fs::is_link(link))?;
        let real = fs::canonical(&link).ok().filter(|real| fs::is_dir(real))?;
        let inside = real.strip_prefix(&self.top).ok()?;
        (!inside.as_os_str().is_empty()).then(|| inside.to_owned())
    }

    /// An agent follows a link, so the file that it leads to is reviewed with it.
    pub(super) fn agent_link(&self, place: &Path, path: &GitPath) -> ReviewItem {
        let mut links = self.exported.iter().flat_map(|exported| &exported.links);
        let outside = links.find(|link| link.path == *path).map(|link| link.target.clone());
        let target = outside.or_else(|| fs::link_target_path(place).map(|target| git_path::from_system(&target)));
        let target = target.as_ref().map(GitPath::shown).unwrap_or_default();
        if let Some(submodule) = self.submodule_behind(path, &target) {
            let reason = format!("the link leads into the submodule {}", submodule.path.shown());
            return new_item(section_of(path, false), path)
                .with_detail("link to", &*target)
                .with_detail("submodule at", &submodule.commit)
                .with_detail(NOT_REVIEWED, reason);
        }
        let real = fs::canonical(place).ok();
        let inside = real.as_ref().and_then(|real| real.strip_prefix(&self.top).ok());
        let tracked = inside.map(git_path::from_system).filter(|inside| self.paths.contains(inside));
        if let Some(file) = tracked {
            return self.with_content(
                new_item(section_of(path, is_program(place)), path).with_detail("link to", target),
                &file,
            );
        }
        let item = new_item(section_of(path, false), path).with_detail("link to", &*target);
        match inside {
            Some(inside) if inside.as_os_str().is_empty() => item
                .with_detail(NOT_REVIEWED, "the link leads to the whole repository")
                .with_detail("sha256", self.whole_fingerprint()),
            Some(inside) if self.has_files_below(inside) => item,
            Some(_) | None => item.with_detail(NOT_REVIEWED, "the link leads to nothing that git tracks here"),
        }
    }

    fn has_files_below(&self, directory: &Path) -> bool {
        let start = start_of_paths(directory);
        let first = self.paths.range(&start..).next();
        first.is_some_and(|path| path.as_bytes().starts_with(start.as_bytes()))
    }

    /// Tells whether a file is not the one of its path, because a link is in the place of a directory above it.
    pub(super) fn is_elsewhere(&self, place: &Path, path: &GitPath) -> bool {
        let real = fs::canonical(place).ok();
        let inside = real.as_ref().and_then(|real| real.strip_prefix(&self.top).ok()).map(git_path::from_system);
        // A system may know a name in capitals and small letters.
        inside.is_none_or(|inside| lower_case(&inside.shown()) != lower_case(&path.shown()))
    }

    /// Keeps the text of a file out of the review if git does not track it, as one that a link or a new plugin reaches.
    pub(super) fn without_secrets(&self, file: ReviewedFile, place: Option<&Path>) -> ReviewedFile {
        if place.is_some_and(|place| self.is_untracked(place)) { file.without_text("not tracked by git") } else { file }
    }

    /// Tells whether a finding is about a file that git does not track: it may quote the file.
    pub(super) fn may_quote_secrets(&self, finding: &Diagnostic) -> bool {
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let path =
            finding.path.rsplit_once(':').filter(|(_, line)| is_number(line)).map_or(&*finding.path, |(at, _)| at);
        let place = self.root.join(path);
        !fs::is_dir(&place) && self.is_untracked(&place)
    }

    /// Tells whether a place in the repository is, or leads to, something that git does not track.
    fn is_untracked(&self, place: &Path) -> bool {
        let Ok(real) = fs::canonical(place) else { return false };
        match real.strip_prefix(&self.top) {
            Ok(inside) => !self.paths.contains(&git_path::from_system(inside)),
            Err(_) => place.starts_with(&self.top) && !place.components().any(|part| part == Component::ParentDir),
        }
    }

    /// Tells whether the project's configuration is a link to something that git does not track.
    pub(super) fn has_secret_settings(&self) -> bool {
        let place = self.root.join(".symposium/config.toml");
        let real = fs::canonical(&place).ok().filter(|real| *real != place);
        real.is_some_and(|real| {
            let inside = real.strip_prefix(&self.top).ok().map(git_path::from_system);
            !inside.is_some_and(|inside| self.paths.contains(&inside))
        })
    }

    /// Finds the submodule that a link leads into, by the words of its target: its files need not be there.
    fn submodule_behind(&self, path: &GitPath, target: &str) -> Option<&SubmoduleEntry> {
        let shown = path.shown();
        let directory = shown.rsplit_once('/').map_or("", |(directory, _)| directory);
        let target = normal_path(&format!("{directory}/{target}"));
        self.submodules.iter().find(|submodule| Path::new(&target).starts_with(&*submodule.path.shown()))
    }
}

/// Returns what every path below a directory begins with.
fn start_of_paths(directory: &Path) -> GitPath {
    let mut start = git_path::from_system(directory).as_bytes().to_vec();
    start.push(b'/');
    GitPath::new(start)
}
