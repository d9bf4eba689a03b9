//! `symposium skill test`: the walk of an author, and a crate with two versions in a registry of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect;
use sha2::{Digest, Sha256};
use symposium_testkit::TestContext;

use crate::{check, json, with_fixture};

/// A context whose PATH has the toolchain that runs the tests: HOME is another one, where rustup has none.
fn with_cargo() -> TestContext {
    let mut context = with_fixture(&[]);
    let cargo = PathBuf::from(env!("CARGO"));
    let rest = std::env::var("PATH").unwrap();
    context.set("PATH", &format!("{}:{rest}", cargo.parent().unwrap().display()));
    context
}

fn write_crate(context: &TestContext, version: &str, code: &str) {
    let manifest = format!("[package]\nname = \"dice\"\nversion = \"{version}\"\nedition = \"2021\"\n");
    context.write("dice/Cargo.toml", manifest);
    context.write("dice/src/lib.rs", code);
}

const CODE: &str = "/// A cup.\npub struct Cup;\nimpl Cup {\n    pub fn shake(&self) -> u8 { 4 }\n}\n\
                    pub fn roll() -> u8 { 4 }\n";

fn skill(body: &str) -> String {
    format!("---\nname: dice-basics\ndescription: Use when rolling dice.\n---\n{body}")
}

#[test]
fn an_author_finds_a_wrong_method_a_false_rename_and_a_block_that_does_not_compile() {
    let context = with_cargo();
    write_crate(&context, "0.2.0", CODE);
    let directory = context.workspace().join("dice");
    let made = context.invoke_in(&directory, &["plugin", "new"]).expect(0);
    assert!(made.contains("symposium skill test"), "{made}");
    let path = "dice/skills/dice-basics/SKILL.md";
    context.write(
        path,
        skill(
            "Call `Cup::shak` before you look.\n\n| 0.1 | 0.2 |\n|---|---|\n| `throw` | `rol` |\n\n\
             ```rust\npub fn three() -> u8 {\n    dice::roll(3)\n}\n```\n",
        ),
    );
    check(
        context.invoke_in(&directory, &["skill", "test"]),
        expect![[r#"
            error: `Cup::shak` does not exist in dice 0.2.0
             --> skills/dice-basics/SKILL.md:5:7
              |
            5 | Call `Cup::shak` before you look.
              |       ^^^^^^^^^
              |
              = help: did you mean `shake`?

            error: `rol` does not exist in dice 0.2.0
             --> skills/dice-basics/SKILL.md:9:14
              |
            9 | | `throw` | `rol` |
              |              ^^^
              |
              = help: did you mean `roll`?

            error: this function takes 0 arguments but 1 argument was supplied (E0061), with dice 0.2.0
              --> skills/dice-basics/SKILL.md:13:5
               |
            13 |     dice::roll(3)
               |     ^^^^^^^^^^
               |
               = help: remove the extra argument

            1 file checked: 3 errors, 0 warnings
            Tested 1 block, 1 name, 2 in renames, with 1 version set
            --- stderr
            note: cargo runs the build scripts of the crates that the skills are for, and the tests in their blocks
            --- exit 1
        "#]],
    );
    context.write(
        path,
        skill(
            "Call `Cup::shake` before you look.\n\n| 0.1 | 0.2 |\n|---|---|\n| `throw` | `roll` |\n\n\
             ```rust\npub fn three() -> u8 {\n    dice::roll()\n}\n```\n",
        ),
    );
    check(
        context.invoke_in(&directory, &["skill", "test"]),
        expect![[r#"
        1 file checked, no problems found
        Tested 1 block, 1 name, 2 in renames, with 1 version set
        --- stderr
        note: cargo runs the build scripts of the crates that the skills are for, and the tests in their blocks
    "#]],
    );
    check(
        context.invoke_in(&directory, &["skill", "test"]),
        expect![[r#"
            1 file checked, no problems found
            Tested 1 block, 1 name, 2 in renames, with 1 version set
            --- stderr
            note: cargo runs the build scripts of the crates that the skills are for, and the tests in their blocks
        "#]],
    );
}

/// Packs a version of the crate into a registry in a directory.
fn publish(context: &TestContext, registry: &Path, version: &str, code: &str) -> String {
    write_crate(context, version, code);
    let directory = context.workspace().join("dice");
    let packed = Command::new(env!("CARGO"))
        .args(["package", "--offline", "--no-verify", "--allow-dirty", "--quiet"])
        .current_dir(&directory)
        .env("CARGO_TARGET_DIR", directory.join("target"))
        .status()
        .unwrap();
    assert!(packed.success());
    let file = format!("dice-{version}.crate");
    let bytes = std::fs::read(directory.join("target/package").join(&file)).unwrap();
    std::fs::create_dir_all(registry).unwrap();
    std::fs::write(registry.join(file), &bytes).unwrap();
    let sum = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    format!(r#"{{"name":"dice","vers":"{version}","deps":[],"cksum":"{sum}","features":{{}},"yanked":false}}"#)
}

/// A registry with dice 0.1.0 and 0.1.2, of which only the second has `roll`.
fn with_registry() -> TestContext {
    let context = with_cargo();
    let registry = context.root().join("registry");
    let old = publish(&context, &registry, "0.1.0", "pub struct Cup;\npub fn throw() -> u8 { 4 }\n");
    let deprecated = format!("{CODE}#[deprecated]\npub fn throw() -> u8 {{ 4 }}\n");
    let new = publish(&context, &registry, "0.1.2", &deprecated);
    std::fs::remove_dir_all(context.workspace().join("dice")).unwrap();
    std::fs::create_dir_all(registry.join("index/di/ce")).unwrap();
    std::fs::write(registry.join("index/di/ce/dice"), format!("{old}\n{new}\n")).unwrap();
    let home = context.root().join("cargo-home");
    std::fs::create_dir_all(&home).unwrap();
    let config = format!(
        "[source.crates-io]\nreplace-with = \"own\"\n[source.own]\nlocal-registry = {:?}\n",
        registry.display().to_string()
    );
    std::fs::write(home.join("config.toml"), config).unwrap();
    context
}

fn dice(body: &str) -> String {
    format!("---\nname: dice\ndescription: Use when rolling dice.\ncrates: dice=0.1\n---\n{body}")
}

#[test]
fn both_ends_of_a_range_count() {
    let context = with_registry();
    context.write("s/dice/SKILL.md", dice("Use `dice::roll()`.\n\nFrom 0.1.2 on there is `Cup::shake`.\n"));
    check(
        context.invoke(&["skill", "test", "s"]),
        expect![[r#"
            error: `roll` in `dice::roll()` does not exist in dice 0.1.0
             --> s/dice/SKILL.md:6:6
              |
            6 | Use `dice::roll()`.
              |      ^^^^^^^^^^^^
              |
              = help: name dice 0.1.2 in the same paragraph, or raise the lowest version

            1 file checked: 1 error, 0 warnings
            Tested 0 blocks, 2 names, 0 in renames, with 2 version sets
            --- stderr
            note: cargo runs the build scripts of the crates that the skills are for, and the tests in their blocks
            --- exit 1
        "#]],
    );
    context.write("s/dice/SKILL.md", dice("```rust\npub fn x() -> u8 {\n    dice::throw()\n}\n```\n"));
    check(
        context.invoke(&["skill", "test", "s"]),
        expect![[r#"
            warning: use of deprecated function `dice::throw`, with dice 0.1.2
             --> s/dice/SKILL.md:8:11
              |
            8 |     dice::throw()
              |           ^^^^^
              |
              = help: correct the block, or mark it `rust,ignore` if it is wrong on purpose

            1 file checked: 0 errors, 1 warning
            Tested 1 block, 0 names, 0 in renames, with 2 version sets
            --- stderr
            note: cargo runs the build scripts of the crates that the skills are for, and the tests in their blocks
        "#]],
    );
    assert_eq!(context.invoke(&["skill", "test", "s", "--strict"]).code, 1);
    // The lowest version that is tested can be raised.
    context.write("s/skill-test.toml", "[\"dice/SKILL.md\"]\ndice = \"0.1.2\"\n");
    context.write("s/dice/SKILL.md", dice("Use `dice::roll()`. `throw` -> `roll`\n"));
    check(
        context.invoke(&["skill", "test", "s", "--strict"]),
        expect![[r#"
        1 file checked, no problems found
        Tested 0 blocks, 1 name, 2 in renames, with 1 version set
        --- stderr
        note: cargo runs the build scripts of the crates that the skills are for, and the tests in their blocks
    "#]],
    );
}

#[test]
fn blocks_are_run_as_their_words_say() {
    let context = with_registry();
    let block = |words: &str, code: &str| format!("```rust{words}\n{code}\n```\n\n");
    let good = [
        block("", "#[test]\nfn adds() {\n    assert_eq!(1 + 1, 2);\n}"),
        block("", "# use dice::Cup;\nlet _cup = Cup;"),
        block(",no_run", "#[test]\nfn never() {\n    panic!(\"it ran\");\n}"),
        block(",should_panic", "let none: Option<u8> = None;\nnone.unwrap();"),
        block(",compile_fail", "let x: u8 = \"text\";"),
        block(",edition2021", "pub fn r#gen() {}\npub fn x() {\n    gen()\n}"),
        block(",ignore", "nonsense"),
    ];
    context.write("s/dice/SKILL.md", dice(&good.concat()));
    check(
        context.invoke(&["skill", "test", "s"]),
        expect![[r#"
        1 file checked, no problems found
        Tested 6 blocks, 0 names, 0 in renames, with 2 version sets
        --- stderr
        note: cargo runs the build scripts of the crates that the skills are for, and the tests in their blocks
    "#]],
    );
    let bad = [
        block("", "#[test]\nfn adds() {\n    assert_eq!(1 + 1, 3);\n}"),
        block(",should_panic", "let _cup = dice::Cup;"),
        block(",compile_fail", "let _cup = dice::Cup;"),
        block(",norun", ""),
    ];
    context.write("s/dice/SKILL.md", dice(&bad[..3].concat()));
    check(
        context.invoke(&["skill", "test", "s"]),
        expect![[r#"
            error: test `adds` fails: assertion `left == right` failed; left: 2; right: 3, with dice 0.1.0 and dice 0.1.2
             --> s/dice/SKILL.md:9:5
              |
            9 |     assert_eq!(1 + 1, 3);
              |     ^
              |
              = help: correct the block, or mark it `rust,ignore` if it is wrong on purpose

            error: this block does not panic, although it says `should_panic`, with dice 0.1.0 and dice 0.1.2
              --> s/dice/SKILL.md:14:1
               |
            14 | let _cup = dice::Cup;
               | ^
               |
               = help: correct the block, or mark it `rust,ignore` if it is wrong on purpose

            error: this block compiles, although it says `compile_fail`, with dice 0.1.0 and dice 0.1.2
              --> s/dice/SKILL.md:18:1
               |
            18 | let _cup = dice::Cup;
               | ^
               |
               = help: correct the block, or mark it `rust,ignore` if it is wrong on purpose

            1 file checked: 3 errors, 0 warnings
            Tested 3 blocks, 0 names, 0 in renames, with 2 version sets
            --- stderr
            note: cargo runs the build scripts of the crates that the skills are for, and the tests in their blocks
            --- exit 1
        "#]],
    );
    let broken = block("", "let _cup = dice::Cap;");
    context.write("s/dice/SKILL.md", dice(&[broken.as_str(), &good[4]].concat()));
    let told = context.invoke(&["skill", "test", "s"]);
    assert!(told.stdout.contains("cannot find value `Cap`"), "{told:?}");
    assert!(!told.stdout.contains("says `compile_fail`"), "the block that must not compile was not reached: {told:?}");
    context.write("s/dice/SKILL.md", dice(&bad[3]));
    check(
        context.invoke(&["skill", "test", "s"]),
        expect![[r#"
        error: `norun` is not a word for Rust blocks
         --> s/dice/SKILL.md:6:1
          |
        6 | ```rust,norun
          | ^^^^^^^^^^^^^
          |
          = help: use `ignore`, `no_run`, `should_panic`, `compile_fail` or `edition2021`

        1 file checked: 1 error, 0 warnings
        Tested 0 blocks, 0 names, 0 in renames, with 0 version sets
        --- stderr
        note: cargo runs the build scripts of the crates that the skills are for, and the tests in their blocks
        --- exit 1
    "#]],
    );
}

#[test]
fn what_passed_is_recorded_and_not_tested_again() {
    let context = with_registry();
    context.write("s/dice/SKILL.md", dice("Use `dice::Cup`.\n"));
    let record = ["skill", "test", "s", "--record", "passed.txt"];
    let compare = ["skill", "test", "s", "--record", "passed.txt", "--check"];
    check(
        context.invoke(&compare),
        expect![[r#"
        error: s/dice/SKILL.md: this skill, or what it is tested with, changed since it passed
        help: run `symposium skill test` with the same `--record`

        1 file checked: 1 error, 0 warnings
        --- exit 1
    "#]],
    );
    context.invoke(&record).expect(0);
    let text = std::fs::read_to_string(context.workspace().join("passed.txt")).unwrap();
    assert!(text.starts_with("s/dice/SKILL.md: ") && text.ends_with(" dice 0.1.2 | dice 0.1.0\n"), "{text}");
    let again = context.invoke(&record).expect(0);
    assert!(again.contains("1 file unchanged"), "{again}");
    check(
        context.invoke(&compare),
        expect![[r#"
        1 file checked, no problems found
    "#]],
    );
    context.write("s/dice/SKILL.md", dice("Use `dice::Cupp`.\n"));
    let document = json(context.invoke(&["skill", "test", "s", "--json"]));
    let error = &document["items"][0]["errors"][0];
    assert_eq!((&error["line"], &error["column"]), (&6.into(), &6.into()), "{document}");
    assert_eq!(context.invoke(&compare).code, 1);
    std::fs::remove_dir_all(context.workspace().join("s/dice")).unwrap();
    context.write("s/other/SKILL.md", dice("Nothing."));
    let stale = context.invoke(&compare);
    assert!(stale.stdout.contains("`s/dice/SKILL.md` is recorded, and does not exist"), "{stale:?}");
}

#[test]
fn what_cargo_cannot_do_is_said_at_the_crates() {
    let context = with_registry();
    let text = dice("Use `dice::Cup`.\n").replace("dice=0.1", "dice=0.7");
    context.write("s/dice/SKILL.md", text);
    let told = context.invoke(&["skill", "test", "s"]);
    assert_eq!(told.code, 1, "{told:?}");
    assert!(
        told.stdout.contains("--> s/dice/SKILL.md:4:9") || told.stderr.contains("--> s/dice/SKILL.md:4:9"),
        "{told:?}"
    );
    context.write("s/skill-test.toml", "broken");
    let told = context.invoke(&["skill", "test", "s"]);
    assert_eq!(told.code, 1, "{told:?}");
    assert!(format!("{told:?}").contains("skill-test.toml"), "{told:?}");
    assert_eq!(context.invoke(&["skill", "test", "missing"]).code, 2);
}

#[test]
fn a_build_script_that_fails_is_named_with_what_to_do() {
    let context = with_cargo();
    write_crate(&context, "0.2.0", CODE);
    context.write("dice/build.rs", "fn main() { panic!(\"there is no libcup\") }\n");
    context
        .write("dice/SYMPOSIUM.toml", "name = \"dice\"\ncrates = [\"dice\"]\n[[skills]]\nsource.path = \"skills\"\n");
    context.write("dice/skills/dice-basics/SKILL.md", skill("```rust\nlet _ = dice::roll();\n```\n"));
    let told = context.invoke_in(&context.workspace().join("dice"), &["skill", "test"]);
    assert_eq!(told.code, 1, "{told:?}");
    assert!(told.stdout.contains("failed to run custom build command for `dice v0.2.0"), "{told:?}");
    assert!(told.stdout.contains("help: install what the build script of that crate needs"), "{told:?}");
}

#[test]
fn an_unpublished_companion_is_named_and_taken_by_its_path() {
    let context = with_cargo();
    write_crate(&context, "0.2.0", CODE);
    context.write("cup/Cargo.toml", "[package]\nname = \"cup-unpublished\"\nversion = \"0.1.0\"\n");
    context.write("cup/src/lib.rs", "pub fn fill() -> u8 { 2 }\n");
    let body = "```rust\nlet _ = dice::roll() + cup_unpublished::fill();\n```\n";
    let text = skill(body).replace("---\n```", "crates: dice, cup-unpublished\n---\n```");
    context.write("dice/skills/dice-basics/SKILL.md", text);
    let directory = context.workspace().join("dice");
    let told = context.invoke_in(&directory, &["skill", "test", "--offline"]);
    assert_eq!(told.code, 1, "{told:?}");
    assert!(told.stdout.contains("no matching package named `cup-unpublished` found"), "{told:?}");
    assert!(told.stdout.contains("--> skills/dice-basics/SKILL.md:4:15"), "{told:?}");
    assert!(told.stdout.contains("write the `path` of that crate into `skill-test.toml`"), "{told:?}");
    assert!(!told.stdout.contains("required by package") && !told.stdout.contains("reminder"), "{told:?}");
    context
        .write("dice/skill-test.toml", "[\"skills/dice-basics/SKILL.md\"]\ncup-unpublished = { path = \"../cup\" }\n");
    context.invoke_in(&directory, &["skill", "test", "--offline"]).expect(0);
}

#[test]
fn a_crate_that_does_not_compile_or_is_not_named_is_told_with_what_to_do() {
    let context = with_cargo();
    write_crate(&context, "0.2.0", "pub fn broken( {}\n");
    context.write("dice/skills/dice-basics/SKILL.md", skill("```rust\nlet _ = dice::roll();\n```\n"));
    let directory = context.workspace().join("dice");
    let told = context.invoke_in(&directory, &["skill", "test", "--offline"]);
    assert!(told.stdout.contains("`dice` does not compile"), "{told:?}");
    assert!(told.stdout.contains("help: repair the crate until `cargo check` passes in it"), "{told:?}");
    write_crate(&context, "0.2.0", CODE);
    context.write("dice/skills/dice-basics/SKILL.md", skill("```rust\nuse cup::Cup;\npub type Own = Cup;\n```\n"));
    let told = context.invoke_in(&directory, &["skill", "test", "--offline"]);
    assert!(told.stdout.contains("unresolved import `cup`"), "{told:?}");
    assert!(told.stdout.contains("help: a block can use the library of the crate that it is part of"), "{told:?}");
}
