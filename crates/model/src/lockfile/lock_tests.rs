//! Tables of lockfiles that are read, of errors with their locations, and of the descriptions of changes.

use expect_test::{Expect, expect};

use super::*;
use crate::sync::fingerprint;

fn git(name: &str, commit: char) -> LockedSource {
    let commit = commit.to_string().repeat(40);
    let pin = SourcePin::Git { url: "https://h/r".to_owned(), tree: fingerprint(commit.as_bytes()), commit };
    LockedSource { name: name.to_owned(), pin }
}

fn skill(name: &str, source: &str, crates: &[&str], text: &str) -> LockedExtension {
    LockedExtension {
        name: name.to_owned(),
        kind: ExtensionKind::Skill,
        source: source.to_owned(),
        path: format!("{name}/SKILL.md"),
        crates: crates.iter().map(|matched| (*matched).to_owned()).collect(),
        sha256: fingerprint(text.as_bytes()),
    }
}

fn sample() -> Lockfile {
    let builtin = LockedSource { name: "builtin".to_owned(), pin: SourcePin::Builtin { version: "0.1.0".to_owned() } };
    let local = LockedSource { name: "local".to_owned(), pin: SourcePin::Path { tree: fingerprint(b"t") } };
    let workflow = LockedExtension { kind: ExtensionKind::Workflow, ..skill("rtk", "builtin", &[], "w") };
    Lockfile::new(
        vec![git("team", 'a'), local, builtin],
        vec![skill("z", "team", &["serde 1.0.1", "anyhow 1.0.2"], "z"), workflow, skill("a", "local", &[], "a")],
    )
}

#[test]
fn sorted_blocks_one_for_each_entry() {
    let text = sample().to_string();
    assert_eq!(parse("symposium.lock", &text), Ok(sample()));
    assert_eq!(parse("symposium.lock", &text.replace('\n', "\r\n")), Ok(sample()), "as git may check it out");
    assert!(text.starts_with("# ") && text.ends_with("\n\n# end\n"), "{text}");
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("name = ")).collect();
    assert_eq!(names, ["\"builtin\"", "\"local\"", "\"team\"", "\"a\"", "\"rtk\"", "\"z\""]);
    assert!(text.contains("crates = [\"anyhow 1.0.2\", \"serde 1.0.1\"]\n"), "{text}");
}

#[test]
fn the_same_entry_twice_is_one_entry() {
    let text = sample().to_string();
    let block = "[[source]]\nname = \"builtin\"\nkind = \"builtin\"\nversion = \"0.1.0\"\n\n";
    assert_eq!(parse("l", &text.replace("[[extension]]", &format!("{block}[[extension]]"))), Ok(sample()));
}

#[test]
fn many_entries_take_no_more_than_their_share_of_time() {
    // A comparison of each with each would take minutes.
    let hash = "0".repeat(64);
    let blocks = (0..20_000).map(|number| {
        format!(
            "[[source]]\nname = \"{number}\"\nkind = \"builtin\"\nversion = \"1\"\n\
             [[extension]]\nname = \"{number}\"\nkind = \"skill\"\nsource = \"{number}\"\npath = \"p\"\nsha256 = \"{hash}\"\n"
        )
    });
    let text = blocks.collect::<Vec<_>>().concat();
    let lock = parse("l", &format!("version = 1\n{text}# end\n")).unwrap();
    assert_eq!((lock.sources().len(), lock.extensions().len()), (20_000, 20_000));
    assert_eq!(lock.changes_to(&lock), []);
}

/// Returns the diagnostics for the sample after a change to its text.
#[track_caller]
fn refused(edit: impl FnOnce(String) -> String, expected: &Expect) {
    let text = edit(sample().to_string());
    let found = parse("symposium.lock", &text).expect_err("it was accepted");
    let said: Vec<String> =
        found.iter().map(|found| format!("{found} [{}]", found.help.as_deref().unwrap_or_default())).collect();
    expected.assert_eq(&said.join("\n"));
}

#[test]
#[expect(clippy::too_many_lines, reason = "what is expected is long, not the code")]
fn what_is_not_a_lock_is_refused_with_its_line() {
    refused(
        |text| text.replace("version = 1\n", "version = 2\n"),
        &expect![
            "symposium.lock:3:11: The lockfile has version 2; this program supports version 1 [update Symposium with `symposium self-update`, or remove the file]"
        ],
    );
    refused(
        |text| text.replace("version = 1\n", ""),
        &expect![
            "symposium.lock:1:1: Not a lockfile: it has no `version` [restore the file from version control, or remove it and run `symposium sync --lock`]"
        ],
    );
    refused(
        |text| text.replace("version = 1\n", "version = \"1\"\n"),
        &expect!["symposium.lock:3:11: `version` must be a whole number, not a string [write digits without quotes]"],
    );
    refused(
        |_| String::new(),
        &expect![
            "symposium.lock:1:1: Not a lockfile: it has no `version` [restore the file from version control, or remove it and run `symposium sync --lock`]"
        ],
    );
    refused(
        |_| "not a lock".to_owned(),
        &expect![
            "symposium.lock:1:5: Not valid TOML: key with no value, expected `=` [restore the file from version control, or remove it and run `symposium sync --lock`]"
        ],
    );
    let conflict = "<<<<<<< ours\nname = \"team\"\n=======\nname = \"them\"\n>>>>>>> theirs";
    refused(
        |text| text.replace("name = \"team\"", conflict),
        &expect![
            "symposium.lock:16:1: Unresolved merge conflict [keep one side and run `symposium sync`, or remove the file and run `symposium sync --lock`]"
        ],
    );
    refused(
        |text| text.replace("# end\n", ""),
        &expect![
            "symposium.lock:42:1: The file is truncated: its last line is not `# end` [restore the file from version control, or remove it and run `symposium sync --lock`]"
        ],
    );
    refused(
        |text| text.chars().take(400).collect(),
        &expect![[
            r#"symposium.lock:13:60: Not valid TOML: invalid basic string, expected `"` [restore the file from version control, or remove it and run `symposium sync --lock`]"#
        ]],
    );
    refused(
        |text| text.replace("commit = \"aaa", "commit = \"AAA"),
        &expect![
            "symposium.lock:19:10: `AAAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa` is not a commit [restore the file from version control, or remove it and run `symposium sync --lock`]"
        ],
    );
    refused(
        |text| text.replace("tree = \"e3", "tree = \"e"),
        &expect![[r#"
        symposium.lock:13:8: `tree` must be the 64 digits of a SHA-256 [restore the file from version control, or remove it and run `symposium sync --lock`]
        symposium.lock:20:8: `tree` must be the 64 digits of a SHA-256 [restore the file from version control, or remove it and run `symposium sync --lock`]"#]],
    );
    refused(
        |text| text.replace("kind = \"path\"", "kind = \"paht\""),
        &expect![
            "symposium.lock:12:8: `paht` is not a kind of source; the kinds are `builtin`, `git`, `index` and `path` [restore the file from version control, or remove it and run `symposium sync --lock`]"
        ],
    );
    refused(
        |text| text.replace("kind = \"workflow\"", "kind = \"hook\""),
        &expect![
            "symposium.lock:31:8: `hook` is not a kind of extension; the kinds are `skill` and `workflow` [restore the file from version control, or remove it and run `symposium sync --lock`]"
        ],
    );
    refused(
        |text| text.replace("source = \"local\"", "source = \"gone\""),
        &expect![
            "symposium.lock:25:10: `gone` is not a source of this lockfile [restore the file from version control, or remove it and run `symposium sync --lock`]"
        ],
    );
    refused(
        |text| text.replace("url = ", "ulr = "),
        &expect![
            "symposium.lock:15:1: An entry has no `url` [restore the file from version control, or remove it and run `symposium sync --lock`]"
        ],
    );
    refused(
        |text| text.replace("anyhow 1.0.2", "anyhow"),
        &expect![
            "symposium.lock:41:11: `anyhow` is not a crate name and a version [restore the file from version control, or remove it and run `symposium sync --lock`]"
        ],
    );
    refused(
        |text| text.replace("name = \"local\"", "name = \"team\""),
        &expect![
            "symposium.lock:15:1: Two entries pin the source `team` to different content [remove one of the two, then run `symposium sync`]"
        ],
    );
    refused(
        |text| text.replace("name = \"a\"", "name = \"z\""),
        &expect![
            "symposium.lock:36:1: Two entries are about the skill `z` [remove one of the two, then run `symposium sync`]"
        ],
    );
    refused(
        |text| text.replace("path = \"a/SKILL.md\"\n", ""),
        &expect![
            "symposium.lock:22:1: An entry has no `path` [restore the file from version control, or remove it and run `symposium sync --lock`]"
        ],
    );
}

#[test]
fn changes_are_named() {
    let before = sample();
    assert_eq!(before.changes_to(&before), []);
    let builtin = LockedSource { name: "builtin".to_owned(), pin: SourcePin::Builtin { version: "0.2.0".to_owned() } };
    let after = Lockfile::new(
        vec![git("team", 'b'), git("new", 'c'), builtin],
        vec![
            skill("z", "team", &["serde 1.0.2"], "zz"),
            skill("n", "new", &["rand 0.9.0"], "n"),
            LockedExtension { path: "other/SKILL.md".to_owned(), ..skill("a", "new", &[], "a") },
        ],
    );
    let shown: Vec<String> = before.changes_to(&after).iter().map(ToString::to_string).collect();
    expect![[r#"
        ~ source `builtin` from version 0.1.0 to version 0.2.0
        - source `local`
        ~ source `team` from aaaaaaa to bbbbbbb
        + source `new` at ccccccc
        ~ skill `a` comes from `new` instead of `local`, lies at `other/SKILL.md`
        - workflow `rtk`
        ~ skill `z` is for serde 1.0.2 instead of anyhow 1.0.2, serde 1.0.1, has new content
        + skill `n` of `new` for rand 0.9.0"#]]
    .assert_eq(&shown.join("\n"));
}
