//! Instruction files of the person's: which an agent reads, and which it passes over because of another.

use std::path::PathBuf;

use symposium_agents::AgentSpec;
use symposium_agents::spec::HiddenInstructions;
use symposium_io::fs;
use symposium_io::settings::MAX_SETTINGS;

use super::{AgentReport, FindingWeight};
use crate::ops::agent_paths::AgentRoots;

/// The instruction files that are there and read, and a finding for each that is there and not read.
pub(super) fn examine_instructions(roots: AgentRoots<'_>, facts: &AgentSpec, examination: &mut AgentReport) {
    let files = &facts.instructions;
    let project = roots.project.into_iter().flat_map(|root| files.project.iter().map(|file| root.join(file)));
    let home = roots.home.iter().flat_map(|home| files.global.iter().map(|file| home.join(file)));
    let mut read: Vec<PathBuf> = project.chain(home).filter(|path| fs::is_file(path)).collect();
    for hidden in files.hidden {
        let Some((file, by)) = is_hidden(roots, hidden) else { continue };
        read.retain(|path| *path != file);
        let message = format!("{} does not read {}, because {} exists", facts.title, file.display(), by.display());
        let fix = match hidden.brought_in_by {
            Some(line) => format!("add `{line}` to that file, or keep everything in one of the two files"),
            None => "keep everything in that file".to_owned(),
        };
        examination.add(FindingWeight::Warning, message, fix);
    }
    examination.instructions = read;
}

/// The file that is not read, and the one it is not read for.
fn is_hidden(roots: AgentRoots<'_>, hidden: &HiddenInstructions) -> Option<(PathBuf, PathBuf)> {
    let there = |place| roots.resolve(place).filter(|path| fs::is_file(path));
    let (file, by) = (there(hidden.file)?, there(hidden.by)?);
    // Under both names there may be one text.
    if fs::canonical(&file).ok()? == fs::canonical(&by).ok()? {
        return None;
    }
    let brings = |line: &str| {
        let text = fs::read_text_if_there(&by, MAX_SETTINGS).ok().flatten().unwrap_or_default();
        let near = line.replacen('@', "@./", 1);
        text.split_whitespace().any(|word| word == line || word == near)
    };
    (!hidden.brought_in_by.is_some_and(brings)).then_some((file, by))
}
