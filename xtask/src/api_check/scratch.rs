//! A cargo project outside of the repository that depends on every crate of the list.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

use super::options::CheckOptions;

const LIST: &str = include_str!("../../api-crates.toml");
/// Those of the list that a quick check compares: this repository locks them, and their sources are small.
const QUICK: [&str; 12] = [
    "base64",
    "bytes",
    "clap",
    "http",
    "indexmap",
    "log",
    "memchr",
    "num-traits",
    "semver",
    "serde",
    "serde_json",
    "smallvec",
];
/// The platform whose conditions are compared.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// A project, and where rustdoc's files are put.
pub(super) struct ScratchProject {
    base: PathBuf,
    is_offline: bool,
}

impl ScratchProject {
    /// Writes the project; a lock file of before is kept.
    pub(super) fn prepare(options: &CheckOptions) -> Result<Self, String> {
        let project = Self { base: options.scratch.clone(), is_offline: options.is_quick };
        let source = project.directory().join("src");
        let fail = |error: std::io::Error| format!("Failed to write `{}`: {error}", source.display());
        fs::create_dir_all(&source).map_err(fail)?;
        fs::create_dir_all(project.base.join("truth")).map_err(fail)?;
        fs::write(source.join("lib.rs"), "").map_err(fail)?;
        let head = "[package]\nname = \"scratch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\nresolver = \"1\"\n[dependencies]\n";
        let manifest = project.directory().join("Cargo.toml");
        let is_wanted =
            |line: &&str| !options.is_quick || line.split_once(' ').is_some_and(|(name, _)| QUICK.contains(&name));
        let list: Vec<&str> = LIST.lines().filter(is_wanted).collect();
        let text = format!("{head}{}\n", list.join("\n"));
        if fs::read_to_string(&manifest).ok().as_deref() != Some(text.as_str()) {
            fs::write(&manifest, text).map_err(fail)?;
        }
        if options.is_quick {
            let locked = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
            fs::copy(locked, project.directory().join("Cargo.lock")).map_err(fail)?;
        }
        Ok(project)
    }

    fn directory(&self) -> PathBuf {
        self.base.join("project")
    }

    fn cargo(&self) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(self.directory());
        command.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", self.base.join("target"));
        if self.is_offline {
            command.env("CARGO_NET_OFFLINE", "true");
        }
        command
    }

    /// Asks cargo which packages there are, with which features.
    pub(super) fn read_metadata(&self) -> Result<Value, String> {
        let arguments = ["metadata", "--format-version", "1", "--filter-platform", TARGET];
        let output = self.cargo().args(arguments).output().map_err(|error| format!("cargo does not start: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
    }

    /// Asks cargo which features each package is really built with: the metadata adds those of other platforms.
    pub(super) fn read_units(&self) -> Result<Value, String> {
        let arguments = ["check", "--quiet", "--unit-graph", "-Zunstable-options"];
        let output = self.cargo().args(arguments).output().map_err(|error| format!("cargo does not start: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
    }

    /// Makes rustdoc's JSON of a package, unless it is there.
    pub(super) fn document(&self, name: &str, version: &str, lib: &str) -> Result<Value, String> {
        let kept = self.base.join("truth").join(format!("{name}-{version}.json"));
        if let Ok(bytes) = fs::read(&kept) {
            return parse_deep(&bytes);
        }
        let made = self.base.join("target").join("doc").join(format!("{lib}.json"));
        // Another version of the same name would be taken for it.
        remove(&made);
        crate::print::talk(&format!("rustdoc {name} {version}"));
        let package = format!("{name}@{version}");
        let output = self
            .cargo()
            .args(["rustdoc", "--quiet", "--lib", "-p", package.as_str(), "--"])
            .args(["-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"])
            .output()
            .map_err(|error| format!("cargo does not start: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let bytes = fs::read(&made).map_err(|error| format!("`{}`: {error}", made.display()))?;
        fs::write(&kept, &bytes).map_err(|error| error.to_string())?;
        parse_deep(&bytes)
    }
}

/// Parses JSON of any depth: types are nested as deeply as a crate likes.
fn parse_deep(bytes: &[u8]) -> Result<Value, String> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    reader.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut reader).map_err(|error| error.to_string())
}

fn remove(path: &Path) {
    // That it is not there is as good.
    drop(fs::remove_file(path));
}
