//! The hostile corpus: every case of `tests/hostile/`, with the outcome it must have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use symposium_testkit::TestContext;

use crate::faults::snapshot;
use crate::with_fixture;

/// Where something may be written; everything else must stay as it is.
const OURS: [&str; 9] = [
    "home/.symposium",
    "home/.claude",
    "home/.claude.json",
    "home/.codex",
    "home/.gemini",
    "files/.symposium",
    "files/.claude",
    "files/.agents",
    "files/.codex",
];

#[test]
fn every_case_has_the_outcome_it_must_have() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut cases = 0;
    for kind in ["manifests", "payloads", "repositories", "settings", "skills"] {
        let text = std::fs::read_to_string(corpus.join(format!("{kind}.toml"))).unwrap();
        let document: toml::Table = text.parse().unwrap_or_else(|error| panic!("{kind}.toml: {error}"));
        for case in document["case"].as_array().unwrap() {
            let case = Case { kind, table: case.as_table().unwrap() };
            case.check();
            cases += 1;
        }
    }
    assert!(cases > 40, "only {cases} cases");
}

struct Case<'c> {
    kind: &'c str,
    table: &'c toml::Table,
}

impl Case<'_> {
    fn texts(&self, key: &str) -> Vec<String> {
        let values = self.table.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default();
        values.into_iter().map(|value| value.as_str().unwrap().to_owned()).collect()
    }

    fn check(&self) {
        let what = format!("{}/{}", self.kind, self.table["name"].as_str().unwrap());
        let context = with_fixture(&["workspace0"]);
        let place = |path: &str| match path.strip_prefix("workspace/") {
            Some(rest) => context.workspace().join(rest),
            None => context.root().join(path),
        };
        std::fs::create_dir(context.root().join("elsewhere")).unwrap();
        self.set_up(&place);
        let before = snapshot(context.root());
        let kept: BTreeMap<PathBuf, Vec<u8>> =
            self.texts("keeps").iter().map(|path| (place(path), std::fs::read(place(path)).unwrap())).collect();

        let said = self.run(&context, &what);
        for text in self.texts("says") {
            assert!(said.contains(&text), "{what}: nothing says {text:?}:\n{said}");
        }
        for text in self.texts("never_says") {
            assert!(!said.contains(&text), "{what}: {text:?} is said:\n{said}");
        }
        for (path, bytes) in kept {
            assert!(std::fs::read(&path).is_ok_and(|now| now == bytes), "{what}: {} changed", path.display());
        }
        for path in self.texts("makes") {
            assert!(place(&path).exists(), "{what}: {path} is not there:\n{said}");
        }
        for path in self.texts("never_makes") {
            assert!(place(&path).symlink_metadata().is_err(), "{what}: {path} is there:\n{said}");
        }
        let after = snapshot(context.root());
        let foreign = |path: &&PathBuf| !OURS.iter().any(|ours| path.starts_with(ours));
        for path in before.keys().chain(after.keys()).filter(foreign) {
            assert_eq!(after.get(path), before.get(path), "{what}: {} changed", path.display());
        }
    }

    fn set_up(&self, place: &dyn Fn(&str) -> PathBuf) {
        let files = self.table.get("files").and_then(toml::Value::as_table).cloned().unwrap_or_default();
        for (path, text) in &files {
            let path = place(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text.as_str().unwrap()).unwrap();
            // A script that nobody may start would prove nothing by not being started.
            if text.as_str().is_some_and(|text| text.starts_with("#!")) {
                crate::set_mode(&path, 0o755);
            }
        }
        for link in self.table.get("links").and_then(toml::Value::as_array).into_iter().flatten() {
            let [path, target] = [0, 1].map(|index| link[index].as_str().unwrap());
            let path = place(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(target, path).unwrap();
        }
    }

    /// Runs every command; everything they say.
    fn run(&self, context: &TestContext, what: &str) -> String {
        let home = context.root().join("home").display().to_string();
        let workspace = context.workspace().display().to_string();
        let filled = |text: &str| text.replace("$HOME", &home).replace("$WORKSPACE", &workspace);
        let input = filled(self.table.get("input").and_then(toml::Value::as_str).unwrap_or_default());
        let codes = self.table.get("codes").and_then(toml::Value::as_array);
        let codes: Vec<i64> =
            codes.map_or(vec![0], |codes| codes.iter().map(|code| code.as_integer().unwrap()).collect());
        let mut said = String::new();
        for args in self.table["run"].as_array().unwrap() {
            let args: Vec<String> = args.as_array().unwrap().iter().map(|arg| filled(arg.as_str().unwrap())).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let started = std::time::Instant::now();
            let output = context.invoke_in_with(context.workspace(), &args, input.as_bytes());
            assert!(started.elapsed().as_secs() < 60, "{what}: `{}` took too long", args.join(" "));
            let is_hook = args.first() == Some(&"hook");
            let right = if is_hook { output.code == 0 } else { codes.contains(&i64::from(output.code)) };
            assert!(right, "{what}: `{}`: {output:?}", args.join(" "));
            assert!(!output.stderr.contains("panicked"), "{what}: `{}`: {output:?}", args.join(" "));
            said.push_str(&output.stdout);
            said.push_str(&output.stderr);
        }
        said
    }
}
