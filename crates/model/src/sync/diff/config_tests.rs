use super::super::tests::{EDITOR, disk, ledger, options, record, show};
use super::*;

const BEFORE: &str = "[other]\nk = 1\n";
const OURS: &str = "[other]\nk = 1\n\n[skills]\nserde = true\n";
const NEXT: &str = "[other]\nk = 1\n\n[skills]\nserde = true\ntokio = true\n";

/// The record of a configuration with our lines in it.
fn amended() -> WrittenContent {
    written_after(None, BEFORE, OURS, &EDITOR).unwrap()
}

#[test]
fn a_configuration_is_recorded_as_both_texts_until_one_is_there() {
    let states = |written: Option<WrittenContent>| match written {
        Some(WrittenContent::Amended { before, states }) => {
            let found = states.iter().map(|state| state.fingerprint.clone()).collect();
            Some((before, found))
        }
        _ => None,
    };
    let prints = |texts: &[&str]| texts.iter().map(|text| fingerprint(text.as_bytes())).collect::<Vec<_>>();
    let of = |texts: &[&str]| Some((fingerprint(BEFORE.as_bytes()), prints(texts)));
    let known = amended();
    for (known, current, text, during, after) in [
        (None, BEFORE, OURS, of(&[OURS]), of(&[OURS])),
        (None, BEFORE, BEFORE, None, None),
        (Some(&known), OURS, NEXT, of(&[NEXT, OURS]), of(&[NEXT])),
        (Some(&known), BEFORE, NEXT, of(&[NEXT]), of(&[NEXT])),
        (Some(&known), OURS, BEFORE, of(&[OURS]), None),
        // A record of a file of ours says nothing about what was there before.
        (Some(&WrittenContent::file("x")), BEFORE, OURS, of(&[OURS]), of(&[OURS])),
    ] {
        assert_eq!(states(written_while(known, current, text, &EDITOR)), during, "{current} {text}");
        assert_eq!(states(written_after(known, current, text, &EDITOR)), after, "{current} {text}");
    }
    let during = written_while(Some(&known), OURS, NEXT, &EDITOR);
    assert_eq!(states(written_after(during.as_ref(), OURS, NEXT, &EDITOR)), of(&[NEXT]));
}

#[test]
fn the_keys_and_tables_that_are_ours_are_recorded() {
    let WrittenContent::Amended { states, .. } = amended() else { panic!() };
    let paths: Vec<String> = states[0].entries.iter().map(|entry| entry.path.join(".")).collect();
    assert_eq!((paths, states[0].created.clone()), (vec!["skills.serde".to_owned()], vec![vec!["skills".to_owned()]]));
    let (entries, created) = added("[skills]\na = 1\n", "x = 1\n[skills]\na = 2\nb = 1\n", &EDITOR);
    assert_eq!((entries.len(), created.len()), (1, 0), "only new keys of tables");
    assert_eq!(added("", "[", &EDITOR), (Vec::new(), Vec::new()));
}

#[test]
fn our_lines_leave_a_configuration() {
    let edited = OURS.replace("k = 1", "k = 2");
    let apart = "[skills]\nserde = true\nmine = true\n";
    // Without the header, the user's key would be in another table.
    let below = format!("{edited}mine = true\n");
    let gone = "[other]\nk = 3\n";
    let taken = OURS.replace("serde = true", "serde = false");
    for (text, expected) in [
        (BEFORE, &["gone /w/c".to_owned()][..]),
        (OURS, &[format!("restore /w/c {BEFORE:?}")]),
        // By lines, where that says the same as by keys; else by keys.
        (&edited, &[format!("restore /w/c {:?}", "[other]\nk = 2\n"), "drifted /w/c".to_owned()]),
        (apart, &[format!("restore /w/c {:?}", "[skills]\nmine = true\n"), "drifted /w/c".to_owned()]),
        (
            &below,
            &[format!("restore /w/c {:?}", "[other]\nk = 2\n\n[skills]\nmine = true\n"), "drifted /w/c".to_owned()],
        ),
        // Nothing is left that can be told to be ours.
        (gone, &["drifted /w/c".to_owned()]),
        (&taken, &["drifted /w/c".to_owned()]),
        ("[", &["drifted /w/c".to_owned()]),
    ] {
        let (ledger, observed) = (ledger(&[]), disk("/w/c", Some(text)));
        let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
        builder.revert(&record("/w/c", amended()));
        assert_eq!(show(&builder.changes), expected, "{text}");
    }
    let (ledger, observed) = (ledger(&[]), disk("/w/c", Some(OURS)));
    let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
    let stateless = WrittenContent::Amended { before: fingerprint(b""), states: Vec::new() };
    builder.revert(&record("/w/c", stateless));
    assert_eq!(show(&builder.changes), ["drifted /w/c"]);
}

#[test]
fn a_file_we_made_is_not_of_others() {
    assert!(is_of_others(None));
    assert!(is_of_others(Some(&amended())));
    assert!(!is_of_others(Some(&WrittenContent::file("x"))));
}
