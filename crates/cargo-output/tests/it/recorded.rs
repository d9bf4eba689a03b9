//! The recorded runs: what was printed, and what was true.

#![expect(clippy::disallowed_methods, reason = "the recorded runs lie beside the test")]

use std::path::{Path, PathBuf};

use serde_json::Value;

/// One run of cargo as `scripts/record-cargo-output` recorded it.
pub(crate) struct RecordedRun {
    pub(crate) name: String,
    pub(crate) class: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) exit_code: i32,
    pub(crate) output: String,
    pub(crate) truth: Value,
}

impl RecordedRun {
    pub(crate) fn shorten(&self) -> String {
        symposium_cargo_output::shorten_output(&self.arguments, &self.output, Some(self.exit_code)).into_owned()
    }
}

pub(crate) fn load_runs() -> Vec<RecordedRun> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut truths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "json")).collect();
    truths.sort();
    truths.iter().map(|path| load_run(path)).collect()
}

fn load_run(path: &Path) -> RecordedRun {
    let truth: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let output = String::from_utf8(std::fs::read(path.with_extension("out")).unwrap()).unwrap();
    RecordedRun {
        name: truth["name"].as_str().unwrap().to_owned(),
        class: truth["class"].as_str().unwrap().to_owned(),
        arguments: strings(&truth["arguments"]),
        exit_code: i32::try_from(truth["exit"].as_i64().unwrap()).unwrap(),
        output,
        truth,
    }
}

pub(crate) fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}
