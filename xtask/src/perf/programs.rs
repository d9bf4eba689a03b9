//! Builds the programs that are measured.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The programs, where they are measured.
pub(super) struct Programs {
    pub(super) shipped: PathBuf,
    pub(super) ordinary: Option<PathBuf>,
    /// The one that does nothing.
    pub(super) nothing: PathBuf,
}

/// What Linux releases are built for.
pub(super) const STATIC_TARGET: &str = "x86_64-unknown-linux-musl";

/// How the release builds static programs: one that may be loaded anywhere begins with 9 600 relocations, a quarter of
/// the cost of a hook.
const STATIC_FLAGS: (&str, &str) = ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUSTFLAGS", "-C relocation-model=static");

const NOTHING: &str = include_str!("../../perf/nothing.rs");
const METER: &str = include_str!("../../perf/meter.rs");

/// The release as it is shipped for Linux.
pub(super) fn static_release(repository: &Path) -> Result<PathBuf, String> {
    let target = repository.join("target");
    let args = ["--profile", "dist", "--package", "symposium", "--bin", "symposium", "--target", STATIC_TARGET];
    cargo(repository, &target, &args)?;
    Ok(target.join(STATIC_TARGET).join("dist/symposium"))
}

/// The release as people build it themselves.
pub(super) fn ordinary_release(repository: &Path) -> Result<PathBuf, String> {
    let target = repository.join("target");
    cargo(repository, &target, &["--release", "--package", "symposium", "--bin", "symposium"])?;
    Ok(target.join("release/symposium"))
}

/// A program that does nothing, and the one that starts all others and measures them.
pub(super) struct Probes {
    /// Does nothing; built as people build programs themselves.
    pub(super) nothing: PathBuf,
    pub(super) meter: PathBuf,
}

/// Builds the probes, with the release profile of this workspace.
pub(super) fn probes(repository: &Path) -> Result<Probes, String> {
    let directory = repository.join("target/perf/probes");
    let manifest =
        fs::read_to_string(repository.join("Cargo.toml")).map_err(|error| format!("`Cargo.toml`: {error}"))?;
    let written = fs::create_dir_all(&directory)
        .and_then(|()| fs::write(directory.join("Cargo.toml"), probe_manifest(&manifest)?))
        .and_then(|()| fs::write(directory.join("nothing.rs"), NOTHING))
        .and_then(|()| fs::write(directory.join("meter.rs"), METER));
    written.map_err(|error| format!("`{}`: {error}", directory.display()))?;
    let target = repository.join("target/perf/build");
    cargo(&directory, &target, &["--release", "--bin", "nothing"])?;
    cargo(&directory, &target, &["--release", "--bin", "meter", "--target", STATIC_TARGET])?;
    Ok(Probes { nothing: target.join("release/nothing"), meter: target.join(STATIC_TARGET).join("release/meter") })
}

/// How much an installation writes at once; a program copied by `cp` takes as much memory as one written so.
const PIECE: usize = 128 * 1024;

/// Puts a program where it is measured, as an installation would: how a file was written decides how it lies in memory. A
/// linker writes in leaps, and of a file that was written at once Linux 6.18 maps 2 MiB for each byte that is needed.
pub(super) fn install(program: &Path, into: &Path) -> Result<PathBuf, String> {
    let about = |error: std::io::Error| format!("`{}`: {error}", program.display());
    let installed = into.join(program.file_name().unwrap_or_default());
    let bytes = fs::read(program).map_err(about)?;
    let permissions = fs::metadata(program).map_err(about)?.permissions();
    let write_pieces = || {
        let mut file = fs::File::create(&installed)?;
        bytes.chunks(PIECE).try_for_each(|piece| file.write_all(piece))
    };
    let written = fs::create_dir_all(into)
        .and_then(|()| write_pieces())
        .and_then(|()| fs::set_permissions(&installed, permissions));
    written.map_err(about)?;
    Ok(installed)
}

/// The manifest of the probes: a workspace of its own with the profile of ours.
fn probe_manifest(ours: &str) -> std::io::Result<String> {
    let ours: toml::Table = ours.parse().map_err(std::io::Error::other)?;
    let profile = ours.get("profile").and_then(|profile| profile.get("release")).and_then(toml::Value::as_table);
    // Texts, numbers and truth values are written in JSON as in TOML.
    let line = |(key, value)| Ok(format!("{key} = {}\n", serde_json::to_string::<toml::Value>(value)?));
    // What is said about single packages is not about the probes, which have none.
    let own = profile.into_iter().flatten().filter(|(_, value)| !value.is_table());
    let lines: Vec<String> = own.map(line).collect::<std::io::Result<_>>()?;
    Ok(format!(
        "[package]\nname = \"probes\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [[bin]]\nname = \"nothing\"\npath = \"nothing.rs\"\n\n[[bin]]\nname = \"meter\"\npath = \"meter.rs\"\n\n\
         [workspace]\n\n[profile.release]\n{}",
        lines.concat()
    ))
}

fn cargo(directory: &Path, target: &Path, args: &[&str]) -> Result<(), String> {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--quiet"]).args(args);
    command.current_dir(directory).env("CARGO_TARGET_DIR", target).env(STATIC_FLAGS.0, STATIC_FLAGS.1);
    crate::print::talk(&format!("building: cargo build {}", args.join(" ")));
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!(
            "`cargo build {}` failed; it needs `rustup target add {STATIC_TARGET}` and the package `musl-tools`",
            args.join(" ")
        )),
        Err(error) => Err(format!("cargo does not start: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_are_built_with_our_profile() {
        let manifest =
            probe_manifest("[profile.release]\nlto = \"fat\"\ncodegen-units = 1\npackage.x.opt-level = \"s\"\n")
                .unwrap();
        let parsed: toml::Table = manifest.parse().unwrap();
        let profile = parsed["profile"]["release"].as_table().unwrap();
        assert_eq!(profile["lto"].as_str(), Some("fat"));
        assert_eq!(profile["codegen-units"].as_integer(), Some(1));
    }
}
