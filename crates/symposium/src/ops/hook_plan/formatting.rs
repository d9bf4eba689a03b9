//! Determines the settings for rustfmt in the workspace: the editions of its packages, and the toolchain.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use symposium_io::{env, fs};
use symposium_model::hook::hook_plan::FormattingSettings;
use symposium_model::toml_table::{ParseReport, parse};
use symposium_model::toolchain::installed;

/// No settings of rustup are near this large.
const MAX_SETTINGS: u64 = 1024 * 1024;

/// Returns the settings for rustfmt. `channel` is the toolchain that the project requests, if the user granted it.
pub(super) fn formatting(
    root: Option<&Path>,
    editions: &[(PathBuf, String)],
    channel: Option<&str>,
) -> FormattingSettings {
    let text = rustup_settings().and_then(|file| fs::read_text(&file, MAX_SETTINGS).ok());
    let default = text.as_deref().and_then(default_toolchain);
    FormattingSettings {
        editions: root.map(|root| fewest(root, editions)).unwrap_or_default(),
        toolchain: channel.and_then(|channel| on_disk(channel, default.as_deref())).or(default),
    }
}

/// Files that decide which toolchain is used.
pub(super) fn decisive(channel: Option<&str>) -> Vec<PathBuf> {
    let toolchains = channel.and_then(|_| Some(env::rustup_home()?.join("toolchains")));
    rustup_settings().into_iter().chain(toolchains).collect()
}

fn rustup_settings() -> Option<PathBuf> {
    Some(env::rustup_home()?.join("settings.toml"))
}

/// The name of the installed toolchain that a channel means, if it can format. One that is not there would be downloaded,
/// by name, in the middle of a hook.
fn on_disk(channel: &str, default: Option<&str>) -> Option<String> {
    let directory = env::rustup_home()?.join("toolchains");
    let names: Vec<String> = fs::list(&directory).ok()?.into_iter().map(|entry| entry.name).collect();
    let name = installed(channel, &names, default)?;
    let rustfmt = format!("rustfmt{}", std::env::consts::EXE_SUFFIX);
    fs::is_file(&directory.join(name).join("bin").join(rustfmt)).then(|| name.to_owned())
}

fn default_toolchain(text: &str) -> Option<String> {
    let mut report = ParseReport::new("", text);
    let mut table = parse(&mut report)?;
    table.string("default_toolchain", &mut report).map(|found| found.value).filter(|name| !name.is_empty())
}

/// The usual edition for the whole workspace, and the packages that differ from what is around them.
fn fewest(root: &Path, editions: &[(PathBuf, String)]) -> Vec<(String, String)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, edition) in editions {
        *counts.entry(edition).or_default() += 1;
    }
    let Some((usual, _)) = counts.into_iter().max_by_key(|(_, count)| *count) else { return Vec::new() };
    let mut listed: Vec<(&Path, &str)> = vec![(root, usual)];
    let mut packages: Vec<(&Path, &str)> =
        editions.iter().map(|(at, edition)| (at.as_path(), edition.as_str())).collect();
    // Outer packages first: what is around a package is known before it is looked at.
    packages.sort_by_key(|(at, _)| at.components().count());
    for (at, edition) in packages {
        let around = listed
            .iter()
            .filter(|(outer, _)| at.starts_with(outer))
            .max_by_key(|(outer, _)| outer.components().count());
        match around {
            Some((_, same)) if *same == edition => {}
            Some(_) | None => listed.push((at, edition)),
        }
    }
    // The root's own package speaks for itself.
    let spoken_for = listed.iter().skip(1).any(|(at, _)| *at == root);
    let listed = listed.into_iter().skip(usize::from(spoken_for));
    listed.filter_map(|(at, edition)| Some((at.to_str()?.to_owned(), edition.to_owned()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_from_its_surroundings_is_listed() {
        for (editions, expected) in [
            (&[][..], &[][..]),
            (&[("/w", "2021")], &[("/w", "2021")]),
            (&[("/w/a", "2021"), ("/w/b", "2021"), ("/w/c", "2024")], &[("/w", "2021"), ("/w/c", "2024")]),
            (
                &[("/w", "2018"), ("/w/a", "2021"), ("/w/b", "2021"), ("/w/a/x", "2021")],
                &[("/w", "2018"), ("/w/a", "2021"), ("/w/b", "2021")],
            ),
            (&[("/w/a", "2021"), ("/elsewhere", "2021")], &[("/w", "2021"), ("/elsewhere", "2021")]),
        ] {
            let editions: Vec<_> =
                editions.iter().map(|(at, edition)| (PathBuf::from(at), (*edition).to_owned())).collect();
            let found = fewest(Path::new("/w"), &editions);
            let found: Vec<_> = found.iter().map(|(at, edition)| (at.as_str(), edition.as_str())).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_default_toolchain_is_read_past_anything_else() {
        for (text, expected) in [
            (
                "version = \"12\"\ndefault_toolchain = \"stable-x86_64-unknown-linux-gnu\"\n[overrides]\n",
                Some("stable-x86_64-unknown-linux-gnu"),
            ),
            ("default_toolchain = \"\"\n", None),
            ("default_toolchain = 3\n", None),
            ("default_toolchain = \n", None),
            ("", None),
        ] {
            assert_eq!(default_toolchain(text).as_deref(), expected, "{text}");
        }
    }
}
