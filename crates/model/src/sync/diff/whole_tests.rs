use super::super::tests::{disk, file, ledger, options, record, show};
use super::*;
use crate::edit::FileContent;
use crate::sync::observed::Observed;

#[test]
fn a_file_of_ours_is_written_over_what_is_known_to_be_ours() {
    let known = [record("/w/f", WrittenContent::file("old"))];
    let next = crate::fingerprint::fingerprint(b"half");
    let killed = [record(
        "/w/f",
        WrittenContent::File { fingerprint: crate::fingerprint::fingerprint(b"old"), next: Some(next) },
    )];
    let ours = r#"{"hooks": {"Stop": [{"command": "symposium hook claude stop"}]}}"#;
    let mixed = r#"{"hooks": {"Stop": [{"command": "symposium hook claude stop"}, {"command": "mine"}]}}"#;
    let other = r#"{"hooks": {"Stop": [{"command": "symposium hook codex stop"}]}}"#;
    let marked = format!("// {GENERATED_MARK}\n");
    let foreign = "foreign /w/f: this file lacks the mark of Symposium, so it is kept and no hooks are registered there; \
                   move it, then run `symposium sync`";
    for (records, current, expected) in [
        (&[][..], None, "write /w/f over None".to_owned()),
        (&known, None, "write /w/f over None".to_owned()),
        (&[], Some("new"), "settled /w/f at 9".to_owned()),
        (&known, Some("new"), "settled /w/f at 9".to_owned()),
        (&[record("/w/f", WrittenContent::file("new"))], Some("new"), "settled /w/f at 7".to_owned()),
        (&known, Some("old"), "write /w/f over Some(\"old\")".to_owned()),
        (&killed, Some("half"), "write /w/f over Some(\"half\")".to_owned()),
        (&known, Some("mine"), "drifted /w/f".to_owned()),
        // Without a record, the content tells.
        (&[], Some("mine"), foreign.to_owned()),
        (&[], Some(ours), format!("write /w/f over Some({ours:?})")),
        (&[], Some(&marked), format!("write /w/f over Some({marked:?})")),
        (&[], Some(mixed), foreign.to_owned()),
        (&[], Some(other), foreign.to_owned()),
        (&[], Some(r#"{"hooks": {}}"#), foreign.to_owned()),
        // With one, it does not.
        (&known, Some(ours), "drifted /w/f".to_owned()),
    ] {
        let (ledger, observed) = (ledger(records), disk("/w/f", current));
        let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
        builder.diff_whole(&file(FileContent::Whole("new".to_owned())), "new");
        assert_eq!(show(&builder.changes), [expected], "{records:?} {current:?}");
    }
}

#[test]
fn a_file_that_was_not_read_is_not_written() {
    let (ledger, observed) = (ledger(&[]), Observed::default());
    let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
    builder.diff_whole(&file(FileContent::Whole("new".to_owned())), "new");
    assert_eq!(show(&builder.changes), ["unusable /w/f: Skipped: it was not observed"]);
}
