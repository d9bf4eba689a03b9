use expect_test::{Expect, expect};

use super::*;

fn shown(result: Result<String, EditError>) -> String {
    match result {
        Ok(text) => text.replace('\r', "␍"),
        Err(error) => format!("{}\nhelp: {}\n", error.diagnostic("config.toml"), error.help),
    }
}

fn check(text: &str, edits: &[(ToggleTable, &str, ToggleAction)], expected: &Expect) {
    let edits: Vec<_> = edits
        .iter()
        .map(|(table, key, change)| ToggleEdit { table: *table, key: (*key).to_owned(), change: *change })
        .collect();
    expected.assert_eq(&shown(toggles(text, &edits)));
}

use ToggleAction::{Add, Remove, Set};
use ToggleTable::{Skills, Workflows};

const CONFIG: &str = r#"sync-default = true # for new ones

# what we want
[skills]
serde = true   # always
"rand/rand-0-8" = false

tokio = true

# the rest
[workflows]
"#;

#[test]
fn values_change_in_place_and_lines_come_and_go() {
    check(
        CONFIG,
        &[
            (Skills, "serde", Set(false)),
            (Skills, "rand/rand-0-8", Remove),
            (Skills, "tokio", Add(false)),
            (Skills, "tokio/console", Add(false)),
            (Skills, "gone", Remove),
            (Workflows, "rtk", Set(true)),
        ],
        &expect![[r#"
            sync-default = true # for new ones

            # what we want
            [skills]
            serde = false   # always

            tokio = true
            "tokio/console" = false

            # the rest
            [workflows]
            rtk = true
        "#]],
    );
}

/// As git leaves it that keeps the lines of both sides.
#[test]
fn a_merged_file_is_edited_and_loses_what_it_says_twice() {
    check(
        "[skills]\nserde = true\nanyhow = true\ntokio = true\nserde = true # again\nregex = true\nanyhow = true\n",
        &[(Skills, "rand", Add(true)), (Skills, "regex", Set(false)), (Skills, "tokio", Remove)],
        &expect![[r"
            [skills]
            rand = true
            serde = true
            anyhow = true
            regex = false
        "]],
    );
    check(
        "[skills]\nserde = true\n[workflows]\nrtk = true\nserde = true\n[skills]\nserde = false\nrand = true\n",
        &[(Skills, "tokio", Add(true)), (Workflows, "serde", Remove)],
        &expect![[r"
            [skills]
            serde = false
            rand = true
            tokio = true
            [workflows]
            rtk = true
        "]],
    );
}

#[test]
fn missing_tables_go_to_the_end() {
    check(
        "",
        &[(Workflows, "rtk", Add(true)), (Skills, "serde", Add(true))],
        &expect![[r"
        [skills]
        serde = true

        [workflows]
        rtk = true
    "]],
    );
    check(
        "[agent]\r\nname = 'x'",
        &[(Skills, "a.b", Add(true)), (Skills, "c", Add(false))],
        &expect![[r#"
        [agent]␍
        name = 'x'␍
        ␍
        [skills]␍
        "a.b" = true␍
        c = false"#]],
    );
    check(
        "[skills]\n# none yet\n\n[agent]\n",
        &[(Skills, "serde", Add(true))],
        &expect![[r"
        [skills]
        # none yet
        serde = true

        [agent]
    "]],
    );
}

#[test]
fn a_file_without_a_final_line_break_stays_one() {
    check(
        "[skills]\na = true",
        &[(Skills, "b", Add(true))],
        &expect![[r"
        [skills]
        a = true
        b = true"]],
    );
    check(
        "[skills]\na = true\nb = true",
        &[(Skills, "b", Remove)],
        &expect![[r"
        [skills]
        a = true"]],
    );
    check(
        "[skills]\na = true\nb = true",
        &[(Skills, "b", Remove), (Skills, "c", Add(true))],
        &expect![[r"
        [skills]
        a = true
        c = true"]],
    );
}

#[test]
fn dotted_keys_and_inline_tables_are_edited_where_they_are() {
    check(
        "skills.serde = true\nskills.'a/b' = true # x\n",
        &[(Skills, "serde", Remove), (Skills, "a/b", Set(false)), (Skills, "new", Add(true))],
        &expect![[r"
            skills.'a/b' = false # x
            skills.new = true
        "]],
    );
    check(
        "skills = { serde = true, tokio = false }\n",
        &[(Skills, "serde", Remove), (Skills, "tokio", Set(true)), (Skills, "a/b", Add(true))],
        &expect![[r#"
            skills = { tokio = true, "a/b" = true }
        "#]],
    );
}

#[test]
fn what_is_no_toggle_is_refused() {
    check(
        "[skills]\nserde = \"yes\"\n",
        &[(Skills, "serde", Set(true))],
        &expect![[r"
        config.toml:2:9: Expected `true` or `false` in `skills.serde`, found a string
        help: make `skills.serde` `true` or `false`, or remove it
    "]],
    );
    check(
        "skills = 1\n",
        &[(Skills, "serde", Set(true))],
        &expect![[r"
        config.toml:1:10: Expected a table in `skills`, found an integer
        help: make `skills` a table, or remove it
    "]],
    );
    check(
        "[skills.serde]\nx = 1\n",
        &[(Skills, "serde", Remove)],
        &expect![[r"
        config.toml:1:1: Expected `true` or `false` in `skills.serde`, found a table
        help: make `skills.serde` `true` or `false`, or remove it
    "]],
    );
    check(
        "[skills\n",
        &[],
        &expect![[r#"
            config.toml:1:8: Unclosed table, expected `]`
            help: fix the file, then run the command again
        "#]],
    );
}

#[test]
fn agents_are_a_string_or_an_array_with_its_comments() {
    for (text, names, expected) in [
        ("", &["claude"][..], "[agent]\nname = \"claude\"\n"),
        ("", &["claude", "codex"], "[agent]\nname = [\"claude\", \"codex\"]\n"),
        ("# mine\n", &["claude"], "# mine\n\n[agent]\nname = \"claude\"\n"),
        ("[agent]\nsync-default = true\n", &["kiro"], "[agent]\nsync-default = true\nname = \"kiro\"\n"),
        ("[agent]\nname = 'claude' # c\n", &["claude", "kiro"], "[agent]\nname = [\"claude\", \"kiro\"] # c\n"),
        ("[agent]\nname = ['claude', 'kiro'] # c\n", &["kiro"], "[agent]\nname = \"kiro\" # c\n"),
        // An equivalent text stays unchanged.
        ("[agent]\nname = 'claude-code'\n", &["claude"], "[agent]\nname = 'claude-code'\n"),
        ("[agent]\nname = ['kiro', 'claude']\n", &["claude", "kiro"], "[agent]\nname = ['kiro', 'claude']\n"),
        (
            "[agent]\nname = [\n  'claude', # first\n  'kiro', # second\n]\n",
            &["claude", "goose", "codex"],
            "[agent]\nname = [\n  'claude', # first\n  \"goose\", # second\n  \"codex\",\n]\n",
        ),
        (
            "[agent]\nname = [\n  'claude', # first\n  'kiro' # second\n]\n",
            &["claude"],
            "[agent]\nname = [\n  'claude' # first\n # second\n]\n",
        ),
        ("agent.name = 'x'\n", &["kiro"], "agent.name = \"kiro\"\n"),
        (
            "agent = { name = 'x', sync-default = true }\n",
            &["kiro"],
            "agent = { name = \"kiro\", sync-default = true }\n",
        ),
        ("agent.sync-default = true\n", &["kiro"], "agent.sync-default = true\nagent.name = \"kiro\"\n"),
        ("\u{feff}[agent]\r\nname = 'x'\r\n", &["kiro"], "\u{feff}[agent]\r\nname = \"kiro\"\r\n"),
    ] {
        assert_eq!(set_agents(text, names).unwrap(), expected);
        assert_eq!(set_agents(expected, names).unwrap(), expected, "the second time");
    }
    expect![[r"
        config.toml:2:8: Expected a string or an array of strings in `agent.name`, found an integer
        help: make `agent.name` a string or an array of strings, or remove it
    "]]
    .assert_eq(&shown(set_agents("[agent]\nname = 1\n", &["kiro"])));
}

#[test]
fn agents_written_as_entries_stay_entries() {
    for (text, names, expected) in [
        ("[[agent]]\nname = 'x'\n", &["kiro"][..], "[[agent]]\nname = \"kiro\"\n"),
        ("[[agent]]\nname = 'claude-code' # c\n", &["claude"], "[[agent]]\nname = 'claude-code' # c\n"),
        (
            "a = 1\r\n\r\n[[agent]]\r\nname = 'kiro'\r\n# end\r\n",
            &["kiro", "codex"],
            "a = 1\r\n\r\n[[agent]]\r\nname = 'kiro'\r\n\r\n[[agent]]\r\nname = \"codex\"\r\n# end\r\n",
        ),
        ("[[agent]]\nname = 'kiro'", &["kiro", "codex"], "[[agent]]\nname = 'kiro'\n\n[[agent]]\nname = \"codex\""),
        (
            "# one\n[[agent]]\nname = 'kiro'\n\n# two\n[[agent]] # x\nname = 'codex'\n\n[logging] # l\n",
            &["codex"],
            "# one\n\n# two\n[[agent]] # x\nname = 'codex'\n\n[logging] # l\n",
        ),
        ("[[agent]]\nname = ['kiro', 'codex']\n", &["codex"], "[[agent]]\nname = \"codex\"\n"),
        ("[[agent]]\nname = ['kiro', 'codex']\n", &["codex", "kiro"], "[[agent]]\nname = ['kiro', 'codex']\n"),
        ("[[agent]]\nname = ['kiro', 'codex', 'x']\n", &["codex", "kiro"], "[[agent]]\nname = [\"kiro\", \"codex\"]\n"),
        ("[[agent]]\nname = 'kiro'\n[[agent]]\nname = 'kiro'\n", &["kiro"], "[[agent]]\nname = 'kiro'\n"),
        ("# x\n[[agent]]\nname = 'kiro'\n[[agent]]\nname = 'codex'\n", &[], "# x\n[[agent]]\nname = []\n"),
        ("[[agent]]\n", &["kiro"], "[[agent]]\n\n[[agent]]\nname = \"kiro\"\n"),
    ] {
        assert_eq!(set_agents(text, names).unwrap(), expected);
        assert_eq!(set_agents(expected, names).unwrap(), expected, "the second time");
    }
    expect![[r"
        config.toml:2:8: Expected a string or an array of strings in `agent.name`, found an integer
        help: make `agent.name` a string or an array of strings, or remove it
    "]]
    .assert_eq(&shown(set_agents("[[agent]]\nname = 1\n", &["kiro"])));
    expect![[r"
        config.toml:3:1: `agent` is written as entries with tables in them, which Symposium does not edit
        help: remove `agent.x`, which has no effect, or write `[agent]` once
    "]]
    .assert_eq(&shown(set_agents("[[agent]]\nname = 'x'\n[agent.x]\n", &["kiro"])));
}

#[test]
fn a_source_is_added_behind_everything_in_the_same_ends_of_lines() {
    let added = |text: &str| super::add_source(text, "mine", "a/b").unwrap();
    assert_eq!(added(""), "[[plugin-source]]\nname = \"mine\"\npath = \"a/b\"\n");
    let windows = added("# x\r\n[a]\r\n\r\n");
    assert_eq!(windows, "# x\r\n[a]\r\n\r\n\r\n[[plugin-source]]\r\nname = \"mine\"\r\npath = \"a/b\"\r\n");
    assert!(super::add_source("a = [", "mine", "a/b").is_err());
}

#[test]
fn new_toggles_stand_where_the_alphabet_puts_them() {
    check(
        "[skills] # ours\n# the async one\ntokio = true\n\nzip = false # last\n[workflows]\n",
        &[
            (Skills, "zoo", Add(true)),
            (Skills, "uuid", Add(true)),
            (Skills, "anyhow", Add(true)),
            (Workflows, "b", Add(true)),
            (Workflows, "a", Add(true)),
        ],
        &expect![[r#"
            [skills] # ours
            anyhow = true
            # the async one
            tokio = true
            uuid = true

            zip = false # last
            zoo = true
            [workflows]
            a = true
            b = true
        "#]],
    );
    check(
        "skills = { tokio = true }",
        &[(Skills, "b", Add(true)), (Skills, "a", Add(true))],
        &expect!["skills = { tokio = true, a = true, b = true }"],
    );
    check(
        "[skills]\r\n  tokio = true",
        &[(Skills, "a", Add(true)), (Skills, "z", Add(true))],
        &expect![[r#"
        [skills]␍
          a = true␍
          tokio = true␍
          z = true"#]],
    );
}

#[test]
fn agents_are_added_to_those_that_are_there() {
    for (text, names, expected) in [
        ("", &["claude"][..], "[agent]\nname = \"claude\"\n"),
        ("[agent]\nname = \"claude\" # mine\n", &["claude"], "[agent]\nname = \"claude\" # mine\n"),
        ("[agent]\nname = \"claude\"\n", &["gemini", "claude-code"], "[agent]\nname = [\"claude\", \"gemini\"]\n"),
        ("[agent]\nname = [\"amp\"]\n", &["kiro"], "[agent]\nname = [\"amp\", \"kiro\"]\n"),
        ("[agent]\nname = []\n", &[], "[agent]\nname = []\n"),
        ("[[agent]]\nname = \"claude\"\n", &["codex"], "[[agent]]\nname = \"claude\"\n\n[[agent]]\nname = \"codex\"\n"),
    ] {
        assert_eq!(add_agents(text, names).unwrap(), expected);
    }
}
