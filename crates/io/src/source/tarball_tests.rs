use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::Header;

use super::*;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

fn header(path: &[u8], kind: EntryType, size: u64) -> Header {
    let mut header = Header::new_ustar();
    header.as_old_mut().name[..path.len()].copy_from_slice(path);
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

fn entry(path: &[u8], kind: EntryType, bytes: &[u8]) -> Vec<u8> {
    let mut raw = header(path, kind, bytes.len() as u64).as_bytes().to_vec();
    raw.extend_from_slice(bytes);
    raw.resize(raw.len().next_multiple_of(512), 0);
    raw
}

fn file(path: &str, text: &str) -> Vec<u8> {
    entry(path.as_bytes(), EntryType::Regular, text.as_bytes())
}

fn pax(kind: EntryType, key: &str, value: &str) -> Vec<u8> {
    let rest = format!(" {key}={value}\n");
    let mut length = rest.len() + 1;
    while length != rest.len() + length.to_string().len() {
        length += 1;
    }
    entry(b"pax", kind, format!("{length}{rest}").as_bytes())
}

fn packed(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
    for entry in entries {
        gz.write_all(entry).unwrap();
    }
    gz.write_all(&[0; 1024]).unwrap();
    gz.finish().unwrap()
}

fn refused(entries: &[Vec<u8>]) -> ContentRefusal {
    match unpack(packed(entries).as_slice(), "") {
        Err(FetchError::Refused(refusal)) => refusal,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it is accepted"),
    }
}

fn names(unpacked: UnpackedArchive) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    unpacked.contents.write(directory.path()).unwrap();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory.path()).unwrap() {
        names.push(entry.unwrap().file_name().into_string().unwrap());
    }
    names.sort();
    names
}

#[test]
fn an_archive_of_a_repository_is_read() {
    let long = format!("r-main/{}/x.md", "long".repeat(40));
    let archive = packed(&[
        pax(EntryType::XGlobalHeader, "comment", COMMIT),
        entry(b"r-main/", EntryType::Directory, b""),
        file("r-main/README.md", "read me"),
        entry(b"r-main/plugins/", EntryType::Directory, b""),
        file("r-main/plugins/a.toml", "name = \"a\""),
        pax(EntryType::XHeader, "path", &long),
        file("r-main/short", "text"),
    ]);
    let whole = unpack(archive.as_slice(), "").unwrap();
    assert_eq!(whole.commit, COMMIT);
    assert_eq!(names(whole), ["README.md", &"long".repeat(40), "plugins"]);
    assert_eq!(names(unpack(archive.as_slice(), "plugins").unwrap()), ["a.toml"]);
    assert!(matches!(unpack(archive.as_slice(), "plug"), Err(FetchError::NoSuchDirectory(_))));
    assert!(matches!(unpack(packed(&[]).as_slice(), ""), Err(FetchError::Empty)));
}

#[test]
fn an_archive_without_a_commit_gets_a_stand_in_that_changes_with_it() {
    let commit = |text| unpack(packed(&[file("r/a", text)]).as_slice(), "").unwrap().commit;
    assert_eq!(commit("1"), commit("1"));
    assert_ne!(commit("1"), commit("2"));
}

#[test]
fn paths_that_lead_elsewhere_are_refused() {
    for path in [
        &b"../x"[..],
        b"/x",
        b"r/../../x",
        b"r/..",
        b"C:\\x",
        b"r\\x",
        b"r/a\\b",
        b"r/\xff\xfe",
        b"r/.git/config",
        b"other/x",
        b"r",
        b"r//x",
    ] {
        let entries = [file("r/a", "1"), entry(path, EntryType::Regular, b"x")];
        assert!(matches!(refused(&entries), ContentRefusal::Path { .. }), "{}", String::from_utf8_lossy(path));
    }
    let long = |path| [file("r/a", "1"), pax(EntryType::XHeader, "path", path), file("r/b", "2")];
    for path in ["r/../../x", "/x", "C:\\x"] {
        assert!(matches!(refused(&long(path)), ContentRefusal::Path { .. }), "{path}");
    }
    // Only a long name can contain it: in a header the name ends there.
    assert!(matches!(refused(&long("r/a\0b")), ContentRefusal::Damaged(_)));
    // Also outside the wanted directory.
    let beside = packed(&[file("r/plugins/a", "1"), file("r/else/../../../x", "2")]);
    assert!(matches!(unpack(beside.as_slice(), "plugins"), Err(FetchError::Refused(ContentRefusal::Path { .. }))));
}

#[test]
fn anything_but_files_and_directories_is_refused() {
    for kind in [
        EntryType::Symlink,
        EntryType::Link,
        EntryType::Char,
        EntryType::Block,
        EntryType::Fifo,
        EntryType::GNUSparse,
        EntryType::GNULongName,
        EntryType::GNULongLink,
        EntryType::new(b'Z'),
    ] {
        let entries = [file("r/a", "1"), entry(b"r/b", kind, b"")];
        assert!(matches!(refused(&entries), ContentRefusal::Kind { .. }), "{kind:?}");
    }
}

#[test]
fn two_readings_are_refused() {
    assert_eq!(refused(&[file("r/a", "1"), file("r/a", "2")]), ContentRefusal::Twice("a".to_owned()));
    for key in ["size", "linkpath", "GNU.sparse.major", "hdrcharset"] {
        let entries = [pax(EntryType::XHeader, key, "1"), file("r/a", "text")];
        assert!(matches!(refused(&entries), ContentRefusal::Damaged(_)), "{key}");
        let global = [pax(EntryType::XGlobalHeader, key, "1"), file("r/a", "text")];
        assert!(matches!(refused(&global), ContentRefusal::Damaged(_)), "{key}");
    }
    let twice = [pax(EntryType::XHeader, "path", "r/a"), pax(EntryType::XHeader, "path", "r/b"), file("r/c", "text")];
    assert!(matches!(refused(&twice), ContentRefusal::Damaged(_)));
    let wrong = [entry(b"pax", EntryType::XHeader, b"99 path=r/x\n"), file("r/a", "text")];
    assert!(matches!(refused(&wrong), ContentRefusal::Damaged(_)));
}

#[test]
fn bombs_are_stopped() {
    let zeros = vec![0; 8 << 20];
    assert_eq!(refused(&[entry(b"r/zeros", EntryType::Regular, &zeros)]), ContentRefusal::Bomb);
    let many: Vec<Vec<u8>> = (0..=MAX_ENTRIES).map(|number| file(&format!("r/{number}"), "x")).collect();
    assert!(matches!(refused(&many), ContentRefusal::TooManyFiles | ContentRefusal::Bomb));
    let huge = header(b"r/huge", EntryType::Regular, 5 << 30).as_bytes().to_vec();
    assert_eq!(refused(&[huge]), ContentRefusal::TooLarge);
}

/// A text that does not compress to almost nothing.
fn noise(number: usize) -> String {
    symposium_model::sync::fingerprint(number.to_string().as_bytes()).as_str().to_owned()
}

#[test]
fn directories_count_among_the_bytes_that_were_unpacked() {
    let mut entries = vec![file("p/x.md", "text")];
    entries.extend((0..100).map(|number| entry(format!("p/{number}/").as_bytes(), EntryType::Directory, b"")));
    let unpacked = unpack(packed(&entries).as_slice(), "").ok().unwrap();
    let size = unpacked.contents.size();
    assert_eq!((size.files, size.bytes, unpacked.read), (1, 4, 102 * 512 + 1024));
}

#[test]
fn only_what_is_taken_counts_against_the_limit() {
    let mut entries: Vec<Vec<u8>> =
        (0..=MAX_ENTRIES).map(|number| file(&format!("r/other/{number}"), &noise(number))).collect();
    entries.push(file("r/plugins/a.toml", "x"));
    let archive = packed(&entries);
    assert_eq!(names(unpack(archive.as_slice(), "plugins").unwrap()), ["a.toml"]);
    assert_eq!(refused(&entries), ContentRefusal::TooManyFiles);
    let error = unpack(archive.as_slice(), "other").err().unwrap();
    assert!(matches!(error, FetchError::Refused(ContentRefusal::TooManyFiles)), "{error}");
}

#[test]
fn a_body_that_does_not_end_is_cut_off() {
    let mut body = DownloadCounter { inner: io::repeat(7), read: Rc::default(), limit: MAX_BYTES };
    let error = io::copy(&mut body, &mut io::sink()).unwrap_err();
    assert_eq!(refusal(&error), ContentRefusal::TooLarge);
    assert!(body.read.get() < MAX_BYTES + (1 << 20));
}

#[test]
fn what_was_cut_or_changed_on_the_way_is_refused() {
    let whole = packed(&[file("r/a", &"text ".repeat(400)), file("r/b", "more")]);
    for length in [0, 5, 40, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
        assert!(unpack(&whole[..length], "").is_err(), "{length} of {}", whole.len());
    }
    let mut changed = whole.clone();
    let checksum = changed.len() - 8;
    changed[checksum] ^= 1;
    assert!(unpack(changed.as_slice(), "").is_err());
    assert!(unpack(&b"<html>not found</html>"[..], "").is_err());
}
