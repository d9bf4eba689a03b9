//! Lists every file of this directory that belongs to the embedded source, in one order on every machine.
#![expect(clippy::disallowed_methods, reason = "a build script reads its own package; it is no part of the program")]

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// What makes this directory a package, also after `cargo package`, or speaks to contributors only.
const NOT_CONTENT: [&str; 10] = [
    "Cargo.toml",
    "Cargo.toml.orig",
    "Cargo.lock",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "build.rs",
    "skill-test.toml",
    "src",
    "target",
];

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);

    // Cargo looks into a named directory for changed, new and removed files. Only the root is enough: a new crate is a new
    // directory in it. That a change to `src` runs this script too costs nothing, the package is compiled then anyway.
    println!("cargo::rerun-if-changed={}", root.display());
    let mut paths = Vec::new();
    for (name, path) in entries(&root)? {
        if !NOT_CONTENT.contains(&name.as_str()) {
            collect(&name, &path, &mut paths)?;
        }
    }
    paths.sort();

    let mut hash = Fnv::new();
    let mut code =
        String::from("/// Every file of the embedded source, sorted by path.\npub static FILES: &[File] = &[\n");
    for (name, path) in &paths {
        let bytes = fs::read(path)?;
        // Lengths keep two different sets of files from being the same stream of bytes.
        for part in [name.as_bytes(), bytes.as_slice()] {
            hash.write(&(part.len() as u64).to_le_bytes());
            hash.write(part);
        }
        let bytes = format!("include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))", format!("/{name}"));
        writeln!(code, "    File {{ path: {name:?}, bytes: {bytes} }},")?;
    }
    let hash = hash.0;
    writeln!(
        code,
        "];\n\n/// Changes whenever a path or a byte of [`FILES`] does.\npub const FINGERPRINT: &str = \"{hash:016x}\";"
    )?;
    fs::write(out.join("files.rs"), code)?;
    Ok(())
}

/// Adds the files below `path`, named relative to the source with `/` between the parts.
fn collect(name: &str, path: &Path, into: &mut Vec<(String, PathBuf)>) -> Result<(), Box<dyn Error>> {
    let kind = fs::symlink_metadata(path)?.file_type();
    if kind.is_dir() {
        for (child, path) in entries(path)? {
            collect(&format!("{name}/{child}"), &path, into)?;
        }
    } else if kind.is_file() {
        into.push((name.to_owned(), path.to_owned()));
    } else {
        return Err(format!("`{name}` is neither a file nor a directory: it cannot be embedded").into());
    }
    Ok(())
}

/// What is in a directory, without dot files.
fn entries(directory: &Path) -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name().into_string().map_err(|name| format!("`{}` is not UTF-8", name.display()))?;
        if !name.starts_with('.') {
            found.push((name, entry.path()));
        }
    }
    Ok(found)
}

/// FNV-1a, 64 bits: enough to tell one build's content from another's, and needs no dependency.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
