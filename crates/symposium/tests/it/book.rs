//! The book is true: every block in it is run or read, every link leads somewhere, every page is listed.
//!
//! Comments above a block say what cannot be seen in it:
//!
//! | comment | meaning |
//! |---|---|
//! | `<!-- world: NAME … -->` | from here on in another fresh home, with these fixtures; fakes of agents as `agent:claude` |
//! | `<!-- file: PATH -->` | the block is written to this file, below the current directory |
//! | `<!-- exit: CODE -->` | the last command of the block ends with this code |
//! | `<!-- other: WHAT -->` | not ours to read, only to parse where it is TOML or JSON |
//! | `<!-- ignore: REASON -->` | the block is neither run nor read |
//!
//! In `console` blocks `…` stands for any text, on a line of its own for any lines. A command without output shown is only
//! asked for its exit code.

mod agents;
mod blocks;
mod covered;
mod links;
mod picture;
mod reading;
mod readme;
mod trap_picture;
mod world;

use std::path::{Path, PathBuf};

use blocks::{Block, blocks};
use world::World;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn pages() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(repository().join("book/src")).unwrap();
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|kind| kind == "md"));
    pages.sort();
    pages
}

/// What happened on one page that should not have.
fn play(page: &Path) -> Vec<String> {
    let name = page.file_name().unwrap().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(page).unwrap();
    let mut world: Option<World> = None;
    let mut faults = Vec::new();
    for block in blocks(&text) {
        if let Some(fixtures) = &block.world {
            world = Some(World::new(fixtures));
        }
        let found = look(&block, &mut world);
        faults.extend(found.into_iter().map(|fault| format!("book/src/{name}:{}: {fault}", block.line)));
    }
    faults
}

fn look(block: &Block, world: &mut Option<World>) -> Vec<String> {
    let world = world.get_or_insert_with(|| World::new(&["workspace0".to_owned()]));
    if let Some(path) = &block.file {
        world.write(path, &block.text);
    }
    if let Some(reason) = &block.ignore {
        return if reason.len() < 10 { vec!["an ignored block needs a reason".to_owned()] } else { Vec::new() };
    }
    match block.language.as_str() {
        "console" => world.console(&block.text, block.exit),
        "sh" if block.file.is_none() => world.script(&block.text),
        "yaml" => world.workflow(&block.text),
        "toml" => reading::toml_faults(block),
        "json" => reading::json_faults(block),
        "markdown" => reading::skill_faults(block, world),
        // What the page says of its own crate is compiled by the commands below it.
        "rust" if block.file.is_some() => Vec::new(),
        "text" | "sh" => Vec::new(),
        other => vec![format!("nobody knows what to do with a block of `{other}`")],
    }
}

#[test]
fn every_block_of_the_book_is_true() {
    let only = std::env::var("BOOK_PAGE").ok();
    let pages: Vec<PathBuf> =
        pages().into_iter().filter(|page| only.as_ref().is_none_or(|only| page.ends_with(only))).collect();
    assert!(!pages.is_empty());
    // Pages have nothing to do with each other.
    let faults: Vec<String> = std::thread::scope(|scope| {
        let runs: Vec<_> = pages.iter().map(|page| scope.spawn(move || play(page))).collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
