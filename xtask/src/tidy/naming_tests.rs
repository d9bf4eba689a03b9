use super::super::source_file::files;
use super::*;

const GLOSSARY_PAGE: (&str, &str) =
    ("ARCHITECTURE.md", "# A\n**Before**\n## Glossary\n- **agent**, **hook plan**: x\n## After\n**other**\n");

/// Each offender as `file:line entry`.
fn check(entries: &[(&str, &str)], expected: &[&str]) {
    let entries = [entries, &[GLOSSARY_PAGE]].concat();
    let found = find(&files(&entries));
    let shown: Vec<String> =
        found.iter().map(|found| format!("{}:{} {}", found.file, found.line, found.list_entry())).collect();
    assert_eq!(shown, expected);
}

#[test]
fn types_have_names_of_their_own() {
    check(
        &[
            ("crates/a/src/x.rs", "struct Agent;\nstruct Other;\nstruct HookPlan;\nenum Error {}\ntype Context = u8;"),
            ("crates/b/src/y.rs", "pub struct HookPlan;\nenum Error {}"),
            ("crates/symposium/src/cli/a.rs", "struct Row;\npub struct Document;"),
            ("crates/symposium/src/cli/b.rs", "struct Row;\nstruct Document;"),
            ("crates/symposium/src/app/b.rs", "struct Row;"),
            ("crates/a/src/x_tests.rs", "struct Other;"),
            ("crates/a/tests/it.rs", "struct Other;"),
            ("crates/testkit/src/lib.rs", "struct Other;"),
            ("xtask/src/main.rs", "struct Other;"),
        ],
        &[
            "crates/a/src/x.rs:2 type of one word: Other",
            "crates/symposium/src/cli/a.rs:2 type of one word: Document",
            "crates/symposium/src/app/b.rs:1 type of one word: Row",
            "crates/a/src/x.rs:3 type declared twice: HookPlan",
            "crates/b/src/y.rs:1 type declared twice: HookPlan",
        ],
    );
}

#[test]
fn functions_have_verbs_and_plain_parameters() {
    check(
        &[
            (
                "crates/a/src/x.rs",
                "impl BigThing {\n    fn of() {}\n    fn often((a, b): (u8, u8)) {}\n}\nfn heard() {}",
            ),
            ("crates/symposium/src/x.rs", "fn load(context: &mut Context) {}"),
            ("crates/b/src/x.rs", "fn load(context: &mut Context) {}"),
        ],
        &[
            "crates/a/src/x.rs:2 function name: BigThing::of",
            "crates/a/src/x.rs:5 function name: heard",
            "crates/a/src/x.rs:3 tuple parameter: BigThing::often",
            "crates/symposium/src/x.rs:1 mutable context: load",
        ],
    );
}

#[test]
fn comments_say_who_does_what() {
    let text = "//! What it is.\n//! Where it is.\n\n/// Whatever comes, and\n/// goes.\nfn a() {}\n/// What is it? This.\nfn b() {}\n\
                /// Whether it is.\nfn c() {} // What\n/// Reads it. How, is said there.\nfn d() {}\n\
                // Nobody knows.\nfn e() { say(\"somebody\") }\nconst NOBODY: u8 = 1;\nfn somebodys() {}\n\
                #[cfg(test)]\nmod tests {\n    /// What it is.\n    fn nobody() {}\n}\n";
    check(
        &[("crates/a/src/x.rs", text)],
        &[
            "crates/a/src/x.rs:1 headless doc comment: What it is.",
            "crates/a/src/x.rs:4 headless doc comment: Whatever comes, and",
            "crates/a/src/x.rs:13 vague word: // Nobody knows.",
            "crates/a/src/x.rs:14 vague word: fn e() { say(\"somebody\") }",
            "crates/a/src/x.rs:15 vague word: const NOBODY: u8 = 1;",
        ],
    );
}

#[test]
fn layers_import_downwards() {
    let ui = "use crate::ui::{Progress, prompt::ask, printer::{Printer, Verbosity}};\nfn a() { crate::ui::show() }";
    let effects = "use symposium_io::{fs, env};\nuse symposium_edit::insert;\nfn a() { symposium_io::env::now() }";
    check(
        &[
            ("crates/symposium/src/app/sync/mod.rs", ui),
            ("crates/symposium/src/ops/sync.rs", ui),
            ("crates/symposium/src/cli/sync.rs", effects),
            ("crates/symposium/src/ops/fetch.rs", effects),
            ("crates/model/src/sync/diff/skills.rs", effects),
            ("crates/symposium/src/ops/desired.rs", "use symposium_io::fs;"),
            ("crates/symposium/src/cli/why.rs", "use crate::ui::Printer;"),
        ],
        &[
            "crates/symposium/src/app/sync/mod.rs:1 ui in an operation: mod.rs uses crate::ui::printer::Printer",
            "crates/symposium/src/app/sync/mod.rs:1 ui in an operation: mod.rs uses crate::ui::printer::Verbosity",
            "crates/symposium/src/app/sync/mod.rs:2 ui in an operation: mod.rs uses crate::ui::show",
            "crates/symposium/src/ops/sync.rs:1 ui in an operation: sync.rs uses crate::ui::printer::Printer",
            "crates/symposium/src/ops/sync.rs:1 ui in an operation: sync.rs uses crate::ui::printer::Verbosity",
            "crates/symposium/src/ops/sync.rs:2 ui in an operation: sync.rs uses crate::ui::show",
            "crates/symposium/src/cli/sync.rs:1 side effect in cli: sync.rs uses symposium_io",
            "crates/symposium/src/cli/sync.rs:2 side effect in cli: sync.rs uses symposium_edit",
            "crates/model/src/sync/diff/skills.rs:1 side effect in a decision: skills.rs uses symposium_io",
            "crates/symposium/src/ops/desired.rs:1 side effect in a decision: desired.rs uses symposium_io",
        ],
    );
}
