//! Writes the installed form of every odd SKILL.md we know, and of those in the given directories, to be judged by others.
//!
//! `installed_skills OUTDIR [SKILL-DIRECTORY…]` writes `OUTDIR/<title>/<name>/SKILL.md` and prints each such directory.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for developers, outside the product: it reads and writes what its arguments name"
)]

#[path = "../src/skill/wild_cases.rs"]
mod wild_cases;

use std::error::Error;
use std::path::{Path, PathBuf};

use symposium_model::skill::{installed_text, parse};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let out = arguments.next().ok_or("usage: installed_skills OUTDIR [SKILL-DIRECTORY…]")?;
    for case in wild_cases::found().into_iter().chain(wild_cases::synthetic()) {
        install(&out.join(case.title), case.title, case.directory, &case.text)?;
    }
    for (number, directory) in arguments.enumerate() {
        let path = directory.join("SKILL.md");
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        let name = directory.file_name().unwrap_or_default().to_string_lossy();
        install(&out.join(format!("given-{number}")), &path.display().to_string(), &name, &text)?;
    }
    Ok(())
}

fn install(out: &Path, path: &str, directory: &str, text: &str) -> Result<(), Box<dyn Error>> {
    let parsed = parse(path, directory, text);
    let Some(document) = parsed.document else {
        for diagnostic in parsed.diagnostics {
            eprintln!("not installed: {diagnostic}");
        }
        return Ok(());
    };
    let directory = out.join(document.name.as_str());
    std::fs::create_dir_all(&directory)?;
    std::fs::write(directory.join("SKILL.md"), installed_text(&document, document.body_of(text), &document.name))?;
    println!("{}", directory.display());
    Ok(())
}
