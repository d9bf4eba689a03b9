//! The command line.

use std::path::PathBuf;

/// Holds what was asked for.
pub(super) struct CheckOptions {
    /// `NAME` or `NAME@VERSION`; none stands for all of the list.
    pub(super) crates: Vec<String>,
    pub(super) scratch: PathBuf,
    /// How many differences of each crate are shown.
    pub(super) misses: usize,
    /// How many of the slowest crates are named.
    pub(super) slowest: usize,
    /// Only a few crates, at the versions of this repository, without the network.
    pub(super) is_quick: bool,
    /// The table has a line for each kind of each crate.
    pub(super) has_kinds: bool,
}

impl CheckOptions {
    pub(super) fn parse(arguments: &[String]) -> Result<Self, String> {
        let scratch = PathBuf::new();
        let mut options =
            Self { crates: Vec::new(), scratch, misses: 0, slowest: 3, is_quick: false, has_kinds: false };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("`{argument}` needs a value"));
            match argument.as_str() {
                "--quick" => options.is_quick = true,
                "--kinds" => options.has_kinds = true,
                "--scratch" => options.scratch = PathBuf::from(value()?),
                "--misses" => options.misses = value()?.parse().map_err(|_| "`--misses` needs a number".to_owned())?,
                "--slowest" => {
                    options.slowest = value()?.parse().map_err(|_| "`--slowest` needs a number".to_owned())?;
                }
                flag if flag.starts_with('-') => return Err(format!("`{flag}` is not known")),
                name => options.crates.push(name.to_owned()),
            }
        }
        if options.scratch.as_os_str().is_empty() {
            let name = if options.is_quick { "symposium-api-check-quick" } else { "symposium-api-check" };
            options.scratch = std::env::temp_dir().join(name);
        }
        Ok(options)
    }
}
