//! The rustup toolchain that a project names, and its match among the installed ones.

use crate::toml_table::{ParseReport, parse};

const MAX_NAME: usize = 64;

/// Returns the channel in a `rust-toolchain.toml`, or in a `rust-toolchain` of either form; `None` when it names none.
/// `Err` is the reason why the named toolchain is never used.
pub fn channel(text: &str) -> Result<Option<String>, &'static str> {
    let trimmed = text.trim();
    let is_name = !trimmed.is_empty() && !trimmed.contains(['=', '[', '\n']);
    let channel = if is_name {
        Some(trimmed.to_owned())
    } else {
        let mut report = ParseReport::new("", text);
        let mut document = parse(&mut report).ok_or("it is invalid")?;
        let Some(mut table) = document.table("toolchain", &mut report) else { return Ok(None) };
        if table.string("path", &mut report).is_some() {
            return Err("it names a toolchain by its path, which could hold any program");
        }
        table.string("channel", &mut report).map(|found| found.value)
    };
    match channel {
        Some(name) if !is_plain(&name) => Err("the name of its toolchain is invalid"),
        channel => Ok(channel),
    }
}

/// Accepts a name that is neither a path nor an option.
fn is_plain(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
    name.len() <= MAX_NAME && name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(allowed)
}

/// Finds the installed toolchain for a channel: the one of that name, or with the platform in its name. Of several
/// platforms, that of the user's default counts.
pub fn installed<'n>(channel: &str, names: &'n [String], default: Option<&str>) -> Option<&'n str> {
    if let Some(exact) = names.iter().find(|name| *name == channel) {
        return Some(exact);
    }
    let platform = |name: &'n String| name.strip_prefix(channel)?.strip_prefix('-').filter(|rest| is_platform(rest));
    let mut fitting = names.iter().filter_map(|name| Some((name, platform(name)?)));
    let of_default = |(_, platform): &(_, &str)| default.is_some_and(|default| default.ends_with(platform));
    match fitting.clone().find(of_default) {
        Some((name, _)) => Some(name),
        None => fitting.next().filter(|_| fitting.next().is_none()).map(|(name, _)| name.as_str()),
    }
}

/// Accepts `x86_64-unknown-linux-gnu`, and not the date of a nightly.
fn is_platform(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.split('-').count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_read_in_every_form_and_paths_are_refused() {
        for (text, expected) in [
            ("[toolchain]\nchannel = \"1.75.0\"\ncomponents = [\"rustfmt\"]\n", Ok(Some("1.75.0"))),
            ("nightly-2024-01-01\n", Ok(Some("nightly-2024-01-01"))),
            ("[toolchain]\nprofile = \"minimal\"\n", Ok(None)),
            ("", Ok(None)),
            ("[other]\nx = 1\n", Ok(None)),
            ("[toolchain]\nchannel = 3\n", Ok(None)),
        ] {
            assert_eq!(channel(text), expected.map(|name: Option<&str>| name.map(str::to_owned)), "{text}");
        }
        for text in [
            "[toolchain]\npath = \"/tmp/x\"\n",
            "[toolchain]\nchannel = \"stable\"\npath = \"/tmp/x\"\n",
            "[toolchain]\nchannel = \"/tmp/x\"\n",
            "[toolchain]\nchannel = \"../x\"\n",
            "[toolchain]\nchannel = \"-x\"\n",
            "/tmp/x\n",
            "[toolchain\n",
        ] {
            assert!(channel(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_what_is_installed_is_used() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let both = names(&["1.75-x86_64-unknown-linux-gnu", "1.75-i686-unknown-linux-gnu", "mine"]);
        let default = Some("stable-x86_64-unknown-linux-gnu");
        assert_eq!(installed("1.75", &both, default), Some("1.75-x86_64-unknown-linux-gnu"));
        assert_eq!(installed("1.75", &both, None), None, "either");
        assert_eq!(installed("mine", &both, default), Some("mine"));
        assert_eq!(installed("1.7", &both, default), None);
        let dated = names(&["nightly-2024-01-01-x86_64-unknown-linux-gnu"]);
        assert_eq!(installed("nightly", &dated, default), None);
        assert_eq!(installed("nightly-2024-01-01", &dated, None), Some(dated[0].as_str()));
    }
}
