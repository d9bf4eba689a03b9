//! Serialization of lockfiles: sorted, one block for each entry, so that the changes of two people merge.

use std::fmt::{self, Write};

use super::{END, LockedExtension, LockedSource, Lockfile, SourcePin, VERSION};

const HEADER: &str = "\
# The sources and extensions of this project, to the byte. Commit this file; it is not meant to be edited by hand.
# `symposium sync` keeps it up to date, and `symposium sync --update` moves it to what the sources hold now.
";

impl fmt::Display for Lockfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}version = {VERSION}")?;
        for source in &self.sources {
            write!(f, "\n[[source]]\n{source}")?;
        }
        for extension in &self.extensions {
            write!(f, "\n[[extension]]\n{extension}")?;
        }
        writeln!(f, "\n{END}")
    }
}

impl fmt::Display for LockedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "name = {}", quoted(&self.name))?;
        match &self.pin {
            SourcePin::Builtin { version } => writeln!(f, "kind = \"builtin\"\nversion = {}", quoted(version)),
            SourcePin::Git { url, commit, tree } => {
                writeln!(f, "kind = \"git\"\nurl = {}\ncommit = {}", quoted(url), quoted(commit))?;
                writeln!(f, "tree = \"{}\"", tree.as_str())
            }
            SourcePin::Path { tree } => writeln!(f, "kind = \"path\"\ntree = \"{}\"", tree.as_str()),
            SourcePin::Index { url, tree, plugins } => {
                writeln!(f, "kind = \"index\"\nurl = {}\ntree = \"{}\"", quoted(url), tree.as_str())?;
                writeln!(f, "plugins = [")?;
                for plugin in plugins {
                    writeln!(f, "  {},", quoted(&plugin.to_string()))?;
                }
                writeln!(f, "]")
            }
        }
    }
}

impl fmt::Display for LockedExtension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "name = {}\nkind = \"{}\"", quoted(&self.name), self.kind.name())?;
        writeln!(f, "source = {}\npath = {}", quoted(&self.source), quoted(&self.path))?;
        if !self.crates.is_empty() {
            let crates: Vec<String> = self.crates.iter().map(|matched| quoted(matched)).collect();
            writeln!(f, "crates = [{}]", crates.join(", "))?;
        }
        writeln!(f, "sha256 = \"{}\"", self.sha256.as_str())
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
