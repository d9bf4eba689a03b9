//! `cargo xtask tidy`: the rules of the architecture that no compiler checks.
//!
//! Each rule is a function from values (paths, texts, manifests) to violations, in a file of its own. Only
//! `repository` touches the disk.

mod arrows;
mod bans;
mod cycles;
mod declarations;
mod declared_files;
mod dependencies;
mod file_size;
mod hook_deps;
mod manifest;
mod module_names;
mod module_tree;
mod naming;
mod naming_list;
mod naming_rule;
mod package_fields;
mod packaged;
mod promises;
pub(crate) mod repository;
mod rust_text;
mod skill_sources;
mod source_file;
mod violation;
mod words;

use std::path::Path;
use std::process::ExitCode;

use crate::print;
use manifest::Manifest;
use naming_list::ListGrowth;
use source_file::SourceFile;
use violation::Violation;

/// Checks the repository and prints what it finds.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let written = match arguments.as_slice() {
        [] => Ok(()),
        ["--write-words"] => write_words(&repository::root(), ListGrowth::Shrink),
        ["--write-words", "--accept"] => write_words(&repository::root(), ListGrowth::Accept),
        _ => Err("tidy knows `--write-words`, and `--write-words --accept`".to_owned()),
    };
    if let Err(why) = written {
        print::talk(&format!("error: {why}"));
        return ExitCode::from(2);
    }
    let report = inspect(&repository::root());
    print::data(&report.to_string());
    if report.violations.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Writes the list of names that broke a rule before it was made.
fn write_words(root: &Path, growth: ListGrowth) -> Result<(), String> {
    let files = repository::files(root);
    let list = naming_list::renew(text_of(&files, naming_list::LIST), &naming::find(&files), growth);
    repository::write(root, naming_list::LIST, &list)
}

fn text_of<'a>(files: &'a [SourceFile], path: &str) -> &'a str {
    files.iter().find(|file| file.path == path).map_or("", |file| &file.text)
}

struct Report {
    files: usize,
    violations: Vec<Violation>,
    remarks: Vec<String>,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for violation in &self.violations {
            writeln!(f, "{violation}")?;
        }
        for remark in &self.remarks {
            writeln!(f, "note: {remark}")?;
        }
        match self.violations.len() {
            0 => write!(f, "tidy: {} files checked, nothing to report", self.files),
            1 => write!(f, "tidy: {} files checked, 1 violation", self.files),
            count => write!(f, "tidy: {} files checked, {count} violations", self.files),
        }
    }
}

fn inspect(root: &Path) -> Report {
    let files = repository::files(root);
    let (manifests, mut violations) = manifest::members(&files);
    let mut remarks = file_size::remarks(&files);
    let folders: Vec<&str> = manifests.iter().map(Manifest::folder).collect();
    violations.extend(arrows::check(&manifests));
    violations.extend(package_fields::check(&manifests));
    violations.extend(cycles::check(&files, &folders));
    violations.extend(declared_files::check(&files, &folders));
    violations.extend(file_size::check(&files));
    violations.extend(words::check(&files));
    violations.extend(naming_list::check(text_of(&files, naming_list::LIST), &naming::find(&files)));
    violations.extend(promises::check(&files));
    violations.extend(skill_sources::check(&files));
    match repository::cargo(root, &hook_deps::CARGO_TREE) {
        Ok(tree) => violations.extend(hook_deps::check(text_of(&files, hook_deps::LIST), &tree)),
        Err(why) => violations.push(hook_deps::unknown(&why)),
    }
    for manifest in packaged::published(&manifests) {
        match repository::cargo(root, &packaged::cargo_package(&manifest.name)) {
            Ok(list) => violations.extend(packaged::check(&files, manifest, &list)),
            Err(why) => violations.push(packaged::unknown(manifest, &why)),
        }
    }
    // Where the packages are not at hand, nothing is known about them; building will fetch them.
    match repository::cargo(root, &dependencies::CARGO_METADATA) {
        Ok(metadata) => violations.extend(dependencies::check(&files, &metadata)),
        Err(why) => remarks.push(format!("licences and sources of dependencies were not checked: {why}")),
    }
    violations.sort();
    violations.dedup();
    Report { files: files.len(), violations, remarks }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_repository_is_tidy() {
        let report = inspect(&repository::root());
        assert!(report.files > 20, "only {} files were found", report.files);
        assert!(report.violations.is_empty(), "\n{report}");
    }

    #[test]
    fn a_report_shows_place_message_and_fix() {
        let violation = Violation { file: "a.rs".into(), line: 7, message: "Bad".into(), fix: "mend it".into() };
        let report = Report { files: 3, violations: vec![violation], remarks: vec!["b.rs: long".into()] };
        assert_eq!(
            report.to_string(),
            "a.rs:7: Bad\n    fix: mend it\nnote: b.rs: long\ntidy: 3 files checked, 1 violation"
        );
        let report = Report { files: 3, violations: Vec::new(), remarks: Vec::new() };
        assert_eq!(report.to_string(), "tidy: 3 files checked, nothing to report");
    }
}
