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
}

impl CheckOptions {
    pub(super) fn parse(arguments: &[String]) -> Result<Self, String> {
        let scratch = std::env::temp_dir().join("symposium-api-check");
        let mut options = Self { crates: Vec::new(), scratch, misses: 0, slowest: 3 };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("`{argument}` needs a value"));
            match argument.as_str() {
                "--scratch" => options.scratch = PathBuf::from(value()?),
                "--misses" => options.misses = value()?.parse().map_err(|_| "`--misses` needs a number".to_owned())?,
                "--slowest" => {
                    options.slowest = value()?.parse().map_err(|_| "`--slowest` needs a number".to_owned())?;
                }
                flag if flag.starts_with('-') => return Err(format!("`{flag}` is not known")),
                name => options.crates.push(name.to_owned()),
            }
        }
        Ok(options)
    }
}
