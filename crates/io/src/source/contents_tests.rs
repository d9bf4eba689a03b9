use super::*;

fn contents(files: &[(&str, &str)]) -> Result<FetchedContents, ContentRefusal> {
    let mut contents = FetchedContents::default();
    for (path, text) in files {
        contents.add_file(path, text.as_bytes().to_vec(), false)?;
    }
    Ok(contents)
}

#[test]
fn paths_that_lead_elsewhere_are_refused() {
    for path in [
        "../x",
        "/x",
        "a/../../x",
        "a/..",
        "C:\\x",
        "C:x",
        "a\\b",
        "a\0b",
        "",
        "a//b",
        "./a",
        "a/",
        ".git/config",
        "a/.GIT",
    ] {
        assert!(matches!(contents(&[(path, "")]), Err(ContentRefusal::Path { .. })), "{path:?}");
    }
    assert!(contents(&[("a/b.c/..d", ""), (".gitignore", ""), ("a b/ü", "")]).is_ok_and(|found| !found.is_empty()));
}

#[test]
fn paths_that_no_file_system_has_room_for_are_skipped_and_named() {
    let (deep, deeper) = (format!("{}x", "a/".repeat(32)), format!("{}x", "a/".repeat(33)));
    let (name, longer) = ("ü".repeat(127), "ü".repeat(128));
    let (path, further) = (format!("{0}/{0}/{0}", "x".repeat(255)), format!("{0}/{0}/{0}/y", "x".repeat(255)));
    assert!(contents(&[(&deep, ""), (&name, ""), (&path, "")]).is_ok());
    for (path, expected) in [
        (deeper, "`a/a/a/".to_owned()),
        (longer.clone(), format!("`{}…`, which has a name of more than 255 bytes", "ü".repeat(120))),
        (format!("a/{longer}/b"), "which has a name of more than 255 bytes".to_owned()),
        ("a/".repeat(1_500) + "x", "…`, which is more than 32 directories deep".to_owned()),
        (further, "…`, which has more than 768 bytes".to_owned()),
    ] {
        let mut found = contents(&[(&path, ""), ("a/good", "")]).unwrap();
        assert_eq!(found.paths().collect::<Vec<_>>(), ["a/good"]);
        let refused = found.require_all().unwrap_err().to_string();
        assert!(refused.contains(&expected) && refused.len() < 400, "{refused}");
        let directory = tempfile::tempdir().unwrap();
        let notes = found.write(directory.path()).unwrap().notes;
        assert!(notes.concat().ends_with(", and is skipped"), "{notes:?}");
    }
}

#[test]
fn few_files_make_no_more_directories_than_many() {
    let mut many = FetchedContents::default();
    let path = |number: usize| format!("d{number}/{}x", "a/".repeat(31));
    let fits = MAX_DIRECTORIES / 32;
    for number in 0..fits {
        many.add_file(&path(number), Vec::new(), false).unwrap();
        many.add_file(&format!("d{number}/a/y"), Vec::new(), false).unwrap();
    }
    assert_eq!((many.size().files, many.size().directories), (2 * fits, 32 * fits));
    assert_eq!(many.add_file(&path(fits), Vec::new(), false), Err(ContentRefusal::TooManyDirectories));
}

#[test]
fn two_of_one_path_are_refused_and_near_misses_named() {
    let twice = contents(&[("a", "1"), ("a", "2")]);
    assert_eq!(twice.map(|_| ()), Err(ContentRefusal::Twice("a".to_owned())));
    let directory = tempfile::tempdir().unwrap();
    let file_and_directory = contents(&[("a", "1"), ("a/b", "2")]).unwrap().write(directory.path());
    assert!(matches!(file_and_directory, Err(WriteError::Refused(ContentRefusal::Twice(_)))));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "nothing is written then");
    let notes = contents(&[("Skills/a", "1"), ("skills/b", "2")]).unwrap().write(directory.path()).unwrap().notes;
    assert_eq!(notes, ["`Skills` and `skills` are the same name on systems that ignore letter case"]);
}

#[test]
fn more_than_anybody_needs_is_refused() {
    let mut many = FetchedContents::default();
    for number in 0..MAX_ENTRIES {
        many.add_file(&number.to_string(), Vec::new(), false).unwrap();
    }
    assert_eq!(many.add_file("one-more", Vec::new(), false), Err(ContentRefusal::TooManyFiles));
    let mut large = FetchedContents::default();
    large.add_file("a", vec![0; 40 << 20], false).unwrap();
    assert_eq!(large.add_file("b", vec![0; 40 << 20], false), Err(ContentRefusal::TooLarge));
}

#[cfg(unix)]
#[test]
fn links_stay_only_when_they_stay_inside() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret"), "s").unwrap();
    let directory = outside.path().join("source");
    std::fs::create_dir(&directory).unwrap();
    let mut found = contents(&[("s/file", "text"), ("p/q/x", "")]).unwrap();
    for (path, target) in [
        ("good", "s/file"),
        ("directory", "s"),
        ("p/q/d", "../../s"),
        // Inside by its text, outside by the target of `d`.
        ("p/q/sly", "d/../../secret"),
        ("out", "../secret"),
        ("absolute", "/etc/passwd"),
        ("nowhere", "gone"),
        ("self", "self"),
    ] {
        found.add_link(path, target.to_owned()).unwrap();
    }
    let notes = found.write(&directory).unwrap().notes;
    let named: Vec<&str> = notes.iter().filter_map(|note| note.split('`').nth(1)).collect();
    assert_eq!(named, ["absolute", "nowhere", "out", "p/q/sly", "self"]);
    for (link, stays) in [("good", true), ("directory", true), ("p/q/d", true), ("out", false), ("p/q/sly", false)] {
        assert_eq!(directory.join(link).symlink_metadata().is_ok(), stays, "{link}");
    }
}

#[test]
fn what_was_written_reads_back_as_the_same_and_any_change_is_seen() {
    let make = || {
        let mut found = contents(&[("a/b", "1")]).unwrap();
        found.add_file("run", b"#!/bin/sh\n".to_vec(), true).unwrap();
        found.add_link("l", "a".to_owned()).unwrap();
        found
    };
    let directory = tempfile::tempdir().unwrap();
    let WrittenContents { tree: expected, notes } = make().write(directory.path()).unwrap();
    assert_eq!(notes.is_empty(), cfg!(unix), "elsewhere the link is skipped: {notes:?}");
    assert_eq!(fingerprint_of(directory.path()), Some(expected.clone()));
    std::fs::write(directory.path().join("a/b"), "2").unwrap();
    assert_ne!(fingerprint_of(directory.path()), Some(expected.clone()));
    std::fs::remove_file(directory.path().join("a/b")).unwrap();
    assert_ne!(fingerprint_of(directory.path()), Some(expected));
    assert_eq!(fingerprint_of(&directory.path().join("gone")), None);
}

#[test]
fn pointers_to_large_files_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
    let notes = contents(&[("logo.png", pointer)]).unwrap().write(directory.path()).unwrap().notes;
    assert_eq!(notes, ["`logo.png` is a pointer to a large file (git LFS), which is not fetched"]);
}
