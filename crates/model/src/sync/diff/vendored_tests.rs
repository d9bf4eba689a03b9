use super::super::tests::{ledger, options, show, tree};
use super::*;
use crate::catalog::SourceDiagnostics;
use crate::config::{GitAddress, SourceKind, SourceRank, SourceSpec};
use crate::lockfile::LockedSource;
use crate::sync::observed::{Observed, ReadFailure};

fn catalog() -> Catalog {
    let address = GitAddress::parse("https://example.com/r.git").unwrap();
    let git = SourceKind::Git { address, auto_update: true };
    let source = |name: &str, kind| {
        let spec = SourceSpec::whole(name, kind, SourceRank::Project);
        LoadedSource::without_plugins(spec, String::new(), SourceDiagnostics::default())
    };
    let sources = vec![source("r", git.clone()), source("unpinned", git), source("p", SourceKind::Path("/p".into()))];
    Catalog { sources }
}

/// A lockfile in which both sources have the content of this skill.
fn lock(body: &str) -> Lockfile {
    let pin = SourcePin::Git { url: "u".to_owned(), commit: "c".to_owned(), tree: tree(body, "s").fingerprint() };
    let path = SourcePin::Path { tree: tree(body, "s").fingerprint() };
    let builtin = SourcePin::Builtin { version: "1".to_owned() };
    let locked = |name: &str, pin| LockedSource { name: name.to_owned(), pin };
    Lockfile::new(vec![locked("r", pin), locked("p", path), locked("unpinned", builtin)], Vec::new())
}

fn record_at(path: PathBuf, body: &str) -> LedgerRecord {
    LedgerRecord::new(path, Some("/w".into()), WrittenContent::skill(tree(body, "s").fingerprint()), 7)
}

#[track_caller]
fn check(records: &[LedgerRecord], observed: &Observed, at_hand: &str, prunes: bool, expected: &[String]) {
    let (catalog, next, last, ledger) = (catalog(), lock("new"), lock("old"), ledger(records));
    let options_here = VendorOptions {
        root: Path::new("/w"),
        catalog: &catalog,
        lock: &next,
        locked: Some(&last),
        prunes,
        load: &|_| Some(tree(at_hand, "s")),
    };
    let mut builder = ChangeBuilder::new(&ledger, observed, options(&[]));
    builder.diff_vendored(&options_here);
    assert_eq!(show(&builder.changes), expected);
}

fn place() -> PathBuf {
    vendored(Path::new("/w"), "r")
}

fn disk(state: Result<InstalledState, ReadFailure>) -> Observed {
    let existing = [PathBuf::from("/w/.symposium/vendor/.gitattributes")].into();
    Observed { skills: [(place(), state)].into(), existing, ..Observed::default() }
}

#[test]
fn a_copy_is_made_over_what_is_ours_or_was_locked() {
    let place = place().display().to_string();
    let install = [format!("install {place} edits=None")];
    let drifted = [format!("drifted {place}")];
    let at = |body: &str| Ok(InstalledState::Directory(tree(body, "s")));
    let known = [record_at(vendored(Path::new("/w"), "r"), "mine")];
    for (records, state, at_hand, expected) in [
        (&[][..], Ok(InstalledState::Absent), "new", &install[..]),
        (&[], Ok(InstalledState::Absent), "other", &[]),
        // As it is pinned: one that came with the project gets no record.
        (&[], at("new"), "new", &[]),
        (&known, at("new"), "new", &[format!("settled {place} at 9")]),
        (&[], at("old"), "new", &install),
        (&known, at("mine"), "new", &install),
        (&[], at("mine"), "new", &drifted),
        (&known, at("edited"), "new", &drifted),
        (&known, Ok(InstalledState::Other), "new", &drifted),
        (
            &[],
            Err(ReadFailure { path: "/x".into(), reason: "no".to_owned(), is_transient: true }),
            "new",
            &[format!("unusable {place}: no")],
        ),
    ] {
        check(records, &disk(state), at_hand, true, expected);
    }
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn the_attributes_come_with_the_first_copy() {
    let observed = Observed { existing: [].into(), ..disk(Ok(InstalledState::Directory(tree("new", "s")))) };
    check(&[], &observed, "new", true, &["write /w/.symposium/vendor/.gitattributes over None".to_owned()]);
}

#[test]
fn copies_that_no_source_has_any_more_go() {
    let old = PathBuf::from("/w/.symposium/vendor/old");
    let mut observed = disk(Ok(InstalledState::Directory(tree("new", "s"))));
    observed.skills.insert(old.clone(), Ok(InstalledState::Directory(tree("a", "s"))));
    let records = [record_at(old, "a"), record_at("/w/elsewhere".into(), "a")];
    check(&records, &observed, "new", true, &["uninstall /w/.symposium/vendor/old".to_owned()]);
    check(&records, &observed, "new", false, &[]);
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn the_lockfile_is_written_over_what_was_read() {
    let (catalog, next, ledger) = (catalog(), lock("new"), ledger(&[]));
    let (root, load) = (Path::new("/w"), |_: &LoadedSource| None);
    let vendor = VendorOptions { root, catalog: &catalog, lock: &next, locked: None, prunes: true, load: &load };
    let observed = Observed::default();
    let mut builder = ChangeBuilder::new(&ledger, &observed, options(&[]));
    builder.diff_lockfile(&vendor, Some("x".to_owned()));
    assert_eq!(show(&builder.changes), ["write /w/.symposium/symposium.lock over Some(\"x\")"]);
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn without_a_lockfile_or_sources_nothing_is_taken_for_ours() {
    let (catalog, empty, next, ledger) = (catalog(), Catalog::default(), lock("new"), ledger(&[]));
    let other = Observed { existing: [].into(), ..disk(Ok(InstalledState::Other)) };
    let drifted = format!("drifted {}", place().display());
    let attributes = "write /w/.symposium/vendor/.gitattributes over None".to_owned();
    for (catalog, expected) in [(&catalog, vec![attributes, drifted]), (&empty, Vec::new())] {
        let (root, load) = (Path::new("/w"), |_: &LoadedSource| Some(tree("new", "s")));
        let vendor = VendorOptions { root, catalog, lock: &next, locked: None, prunes: true, load: &load };
        let mut builder = ChangeBuilder::new(&ledger, &other, options(&[]));
        builder.diff_vendored(&vendor);
        assert_eq!(show(&builder.changes), expected);
    }
}
