//! `cargo xtask skills`: the recommendations follow the house form, and `symposium skill test` accepts them.
//!
//! A full run needs the registry and some minutes. So its result is recorded, and a test compares the record: a skill that
//! was edited and not tested again fails `cargo test` at once.
#![expect(clippy::disallowed_methods, reason = "a chore works on its own repository and is no part of the program")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

mod document;

const RECORD: &str = "xtask/verified-skills.txt";

/// The texts with Rust in them.
const TEXTS: [&str; 2] = ["recommendations", "recommendations/start.md"];

/// Says how the chore is called.
pub(crate) fn usage() -> ExitCode {
    crate::print::talk("Usage: cargo xtask skills [--check | --all]");
    ExitCode::from(2)
}

/// Runs the chore: `--check` compares the record, `--all` tests unchanged skills too.
pub(crate) fn run(args: &[String]) -> ExitCode {
    if !matches!(args, [] | [_]) || args.iter().any(|arg| arg != "--check" && arg != "--all") {
        return usage();
    }
    let problems = match document::all(&repository().join("recommendations")) {
        Ok(documents) => document::frontmatter_problems(&documents),
        Err(error) => vec![error],
    };
    for problem in &problems {
        crate::print::talk(&format!("error: {problem}"));
    }
    let tested = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "--package", "symposium", "--", "skill", "test", "--strict", "--record", RECORD])
        .args(args)
        .args(TEXTS)
        .current_dir(repository())
        .status();
    match tested {
        Ok(status) if status.success() && problems.is_empty() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            crate::print::talk(&format!("error: cargo does not start: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// The root of this repository.
fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("`{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frontmatter_follows_the_house_form() {
        let documents = document::all(&repository().join("recommendations")).unwrap();
        let problems = document::frontmatter_problems(&documents);
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
