use std::borrow::Cow;

use proptest::prelude::*;

use super::*;

/// Shows the merged text, and the toggles whose lines differ.
fn merged(text: &str) -> (String, Vec<String>) {
    let found = merge_toggles(text);
    let named = |toggle: &DoubledToggle<'_>| {
        let line = text.bytes().take(toggle.place.start).filter(|byte| *byte == b'\n').count() + 1;
        format!("{}.{}:{line}", toggle.table, toggle.key)
    };
    assert_eq!(matches!(found.text, Cow::Borrowed(_)), found.repeated.is_empty(), "{text}");
    (found.text.clone().into_owned(), found.contradictory.iter().map(named).collect())
}

#[test]
fn a_merge_switches_no_skill_on_and_no_workflow_off() {
    for (text, expected, contradictory) in [
        ("[skills]\nrand = true\nrand = false\n", "[skills]\nrand = false\n", &["skills.rand:3"][..]),
        (
            "[skills]\nrand = false # slow\nregex = true\nrand = true\n",
            "[skills]\nrand = false # slow\nregex = true\n",
            &["skills.rand:4"],
        ),
        ("[skills]\nrand = true\nserde = false\nrand = true # again\n", "[skills]\nrand = true\nserde = false\n", &[]),
        ("[workflows] # ours\n\"rtk\" = false\n'rtk'=true", "[workflows] # ours\n'rtk'=true", &["workflows.rtk:3"]),
        ("[skills]\r\na = true\r\na = false\r\nb = true\r\n", "[skills]\r\na = false\r\nb = true\r\n", &["skills.a:3"]),
        ("[skills]\na = true\na = false\na = true\na = false\n", "[skills]\na = false\n", &["skills.a:3"]),
        (
            "[skills]\na = true\n[workflows]\na = false\na = true\n[agent]\nname = \"x\"\n",
            "[skills]\na = true\n[workflows]\na = true\n[agent]\nname = \"x\"\n",
            &["workflows.a:5"],
        ),
        (
            "[workflows]\na = false\na = true # guard\na = false\na = true\nb = false\nb = false\n",
            "[workflows]\na = true # guard\nb = false\n",
            &["workflows.a:3"],
        ),
        ("[workflows]\na = true\na = false\n", "[workflows]\na = true\n", &["workflows.a:3"]),
        // Whatever else is wrong in the file stays.
        ("[skills]\na = true\na = true\n[agent\n", "[skills]\na = true\n[agent\n", &[]),
    ] {
        assert_eq!(merged(text), (expected.to_owned(), contradictory.iter().map(|&name| name.to_owned()).collect()));
    }
}

#[test]
fn toggles_below_a_second_header_go_below_the_first() {
    for (text, expected) in [
        ("[skills]\na = true\n[skills]\nb = true\n", "[skills]\na = true\nb = true\n"),
        (
            "# ours\n[skills]\na = true\n\n# the rest\n[workflows]\nrtk = true\n\n[skills]\n# why\na = false\nb = true",
            "# ours\n[skills]\n# why\na = false\nb = true\n\n# the rest\n[workflows]\nrtk = true\n",
        ),
        (
            "[skills]\n\n[workflows]\n[skills]\na = true\n\n# me\n[agent]\n[workflows]\nrtk = true\n",
            "[skills]\na = true\n\n[workflows]\nrtk = true\n\n# me\n[agent]\n",
        ),
        ("[skills]\na = true\n[skills]\n", "[skills]\na = true\n"),
    ] {
        assert_eq!(merged(text).0, expected, "{text}");
        assert!(toml::from_str::<toml::Table>(expected).is_ok(), "{expected}");
    }
}

#[test]
fn what_is_no_doubled_toggle_stays() {
    for text in [
        "",
        "[skills]\nrand = true\n[workflows]\nrand = true\n",
        "[defaults]\nbuiltin = true\nbuiltin = true\n",
        "rand = true\nrand = false\n",
        "skills = { rand = true, rand = true }\n",
        "skills.rand = true\nskills.rand = false\n",
        "[skills]\na.b = true\na.b = false\n",
        "[skills]\n\"a\\u0062\" = true\n\"a\\u0062\" = false\n",
        "[skills]\n\"a\".\"b\" = true\n\"a\".\"b\" = false\n",
        "[skills]\nrand = [\nrand = [\n",
        "[skills]\nrand = \"true\"\nrand = \"true\"\n",
        "[skills]\na = true\nx = {\n  a = false,\n  a = true\n}\n",
        "[agent]\nx = '''\n[skills]\n'''\nauto-sync = true\nauto-sync = false\n",
        "[[skills]]\na = true\n[[skills]]\na = true\n",
        "[skills.a]\n[skills.a]\n",
    ] {
        assert_eq!(merged(text), (text.to_owned(), Vec::new()));
    }
}

/// Lines as they are in configurations, and some that only look like them.
fn config_text() -> impl Strategy<Value = String> {
    let words = [
        "[skills]",
        "[workflows] # ours",
        "[agent]",
        "[[plugin-source]]",
        "a = true",
        "a = false",
        "\"a\" = true # x",
        "'b' = false",
        "b=true",
        "a.b = true",
        "\"a.b\" = false",
        "c = [",
        "]",
        "c = \"\"\"",
        "\"\"\"",
        "'''",
        "# c",
        "",
        "  ",
        "x = { a = true }",
        "x = {",
        "}",
        "a = true,",
        "\"a=b\" = true",
        "a = \"true\"",
        "= true",
        "[",
        "skills.a = true",
        "\u{feff}",
        "ä = true",
    ];
    let line = (prop::sample::select(words.to_vec()), prop::sample::select(vec!["\n", "\r\n", "\n", ""]));
    prop::collection::vec(line, 0..14).prop_map(|lines| lines.into_iter().flat_map(|(line, end)| [line, end]).collect())
}

/// The toggles as all lines of the text say them: a skill is off if one line has it off, a workflow is on if one has it on.
fn toggles_of(text: &str) -> BTreeMap<(&str, &str), bool> {
    let mut toggles = BTreeMap::new();
    for line in config_lines(text) {
        match (line.header, line.toggle()) {
            ("[skills]", Some((key, on))) => *toggles.entry((line.header, key)).or_insert(true) &= on,
            ("[workflows]", Some((key, on))) => *toggles.entry((line.header, key)).or_insert(false) |= on,
            _ => {}
        }
    }
    toggles
}

proptest! {
    #[test]
    fn any_text_is_merged_or_left_alone(text in any::<String>()) {
        merged(&text);
    }

    #[test]
    fn valid_texts_stay_and_merged_ones_say_the_same(text in config_text()) {
        let found = merge_toggles(&text);
        if toml::from_str::<toml::Table>(&text).is_ok() {
            prop_assert_eq!(&found.text, &text);
        }
        prop_assert_eq!(toggles_of(&found.text), toggles_of(&text));
        let again = merge_toggles(&found.text);
        prop_assert_eq!(&again.text, &found.text);
        prop_assert!(again.repeated.is_empty());
    }
}
