//! Revisions of a repository that git made, found by their names and written elsewhere.

use std::process::Command;

use super::*;

fn git(directory: &Path, args: &[&str]) -> String {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
    let output = Command::new("git").current_dir(directory).args(identity).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?} {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn commit(directory: &Path, name: &str) {
    std::fs::write(directory.join("file"), name).unwrap();
    git(directory, &["add", "."]);
    git(directory, &["commit", "-qm", name]);
}

#[test]
fn names_mean_what_they_mean_to_git() {
    let directory = tempfile::tempdir().unwrap();
    let top = directory.path();
    git(top, &["init", "-q"]);
    assert_eq!(RevisionReader::open(top).unwrap().find("HEAD"), Err(RevisionError::Unknown("HEAD".to_owned())));
    for name in ["one", "two", "three"] {
        commit(top, name);
    }
    git(top, &["checkout", "-qb", "side/branch", "HEAD~1"]);
    commit(top, "other");
    git(top, &["checkout", "-q", "main"]);
    git(top, &["merge", "-q", "-s", "ours", "-m", "merged", "side/branch"]);
    git(top, &["tag", "plain", "HEAD~2"]);
    git(top, &["tag", "-am", "words", "noted", "HEAD^2"]);
    git(top, &["update-ref", "refs/remotes/origin/main", "HEAD^"]);
    let abbreviated = git(top, &["rev-parse", "--short=8", "HEAD~1"]);
    for packed in [false, true] {
        if packed {
            git(top, &["gc", "-q"]);
        }
        let reader = RevisionReader::open(top).unwrap();
        for name in [
            "HEAD",
            "@",
            "@~1",
            "main",
            "main~2^0",
            "HEAD^2",
            "HEAD^2~1",
            "HEAD^^",
            "plain",
            "noted",
            "refs/heads/main",
            "heads/main",
            "side/branch",
            "origin/main",
            &abbreviated,
        ] {
            let expected = git(top, &["rev-parse", &format!("{name}^{{commit}}")]);
            assert_eq!(reader.find(name).map(|found| found.text()), Ok(expected), "{name} {packed}");
        }
        for name in ["HEAD~9", "HEAD^3", "nothing", "../../etc", "HEAD@{1}", "HEAD~x", "main:file", "-x", "abc"] {
            assert_eq!(reader.find(name), Err(RevisionError::Unknown(name.to_owned())), "{name}");
        }
        let (main, side) = (reader.find("HEAD^1").unwrap(), reader.find("side/branch").unwrap());
        let base = git(top, &["merge-base", "HEAD^1", "side/branch"]);
        assert_eq!(reader.common_ancestor(&main, &side).map(|found| found.text()), Ok(base));
    }
}

#[test]
fn the_files_of_a_commit_are_written_as_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let (top, into) = (&directory.path().join("repository"), directory.path().join("written"));
    std::fs::create_dir_all(top.join("a/b")).unwrap();
    git(top, &["init", "-q"]);
    // Neither of these may have an effect.
    std::fs::write(top.join(".gitattributes"), "* filter=evil text eol=crlf\n").unwrap();
    git(top, &["config", "filter.evil.smudge", &format!("touch {}", directory.path().join("ran").display())]);
    std::fs::write(top.join("a/b/text"), "one\ntwo\n").unwrap();
    std::fs::write(top.join("a/code.rs"), "fn main() {}").unwrap();
    std::fs::create_dir_all(top.join("skill/scripts")).unwrap();
    std::fs::create_dir_all(top.join(".agent")).unwrap();
    std::fs::write(top.join("skill/SKILL.md"), "x").unwrap();
    std::fs::write(top.join("skill/scripts/code.rs"), "fn main() {}").unwrap();
    std::fs::write(top.join(".agent/code.rs"), "fn main() {}").unwrap();
    std::fs::write(top.join("run.sh"), "true").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        std::fs::set_permissions(top.join("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
        symlink("../run.sh", top.join("a/inside")).unwrap();
        symlink("../../outside", top.join("a/outside")).unwrap();
        symlink("/etc/passwd", top.join("absolute")).unwrap();
        // Its target stays inside only if `a/top` is a directory.
        symlink("..", top.join("a/top")).unwrap();
        symlink("a/top/../../outside", top.join("around")).unwrap();
        // What it leads to is written in full, wherever it lies.
        std::fs::create_dir_all(top.join("b/c")).unwrap();
        std::fs::write(top.join("b/c/code.rs"), "fn linked() {}").unwrap();
        std::fs::write(top.join("b/run.rs"), "fn run() {}").unwrap();
        std::fs::set_permissions(top.join("b/run.rs"), std::fs::Permissions::from_mode(0o755)).unwrap();
        symlink("../a/../b/c", top.join("skill/linked")).unwrap();
        symlink("b/run.rs", top.join("first")).unwrap();
        std::fs::write(top.join("a/colon:\u{1b}[2J\n.md"), "x").unwrap();
    }
    git(top, &["add", "."]);
    git(top, &["commit", "-qm", "x"]);
    let reader = RevisionReader::open(&top.join("a")).unwrap();
    let scope = ExportScope { empty: &["rs"], markers: &["SKILL.md"] };
    let exported = reader.write_files(&reader.find("HEAD").unwrap(), &into, &scope).unwrap();
    assert_eq!(std::fs::read_to_string(into.join("a/b/text")).unwrap(), "one\ntwo\n");
    assert_eq!(std::fs::read_to_string(into.join("a/code.rs")).unwrap(), "");
    assert!(fs::is_executable(&into.join("run.sh")) || cfg!(windows));
    assert_eq!(fs::link_target(&into.join("a/inside")).as_deref(), if cfg!(unix) { Some("../run.sh") } else { None });
    for path in ["skill/scripts/code.rs", ".agent/code.rs"] {
        assert_eq!(std::fs::read_to_string(into.join(path)).unwrap(), "fn main() {}", "{path}");
    }
    #[cfg(unix)]
    {
        assert_eq!(std::fs::read_to_string(into.join("skill/linked/code.rs")).unwrap(), "fn linked() {}");
        assert_eq!(std::fs::read_to_string(into.join("first")).unwrap(), "fn run() {}");
        assert!(fs::is_executable(&into.join("b/run.rs")));
        let links = exported.links.iter().map(|link| (link.path.shown(), link.target.shown()));
        let links: Vec<(String, String)> =
            links.map(|(path, target)| (path.into_owned(), target.into_owned())).collect();
        let expected = [("a/outside", "../../outside"), ("absolute", "/etc/passwd"), ("around", "a/top/../../outside")];
        let expected = expected.map(|(path, target)| (path.to_owned(), target.to_owned()));
        assert_eq!(links, expected);
        for (path, _) in &expected {
            assert_eq!(fs::read(&into.join(path), 1).unwrap(), b"", "{path}");
        }
        assert_eq!(std::fs::read_to_string(into.join("a/colon:\u{1b}[2J\n.md")).unwrap(), "x");
    }
    assert!(exported.submodules.is_empty() && exported.unwritable.is_empty());
    assert!(!directory.path().join("ran").exists());
}

#[test]
fn a_file_that_is_too_large_stays_too_large() {
    let directory = tempfile::tempdir().unwrap();
    let top = &directory.path().join("repository");
    std::fs::create_dir_all(top).unwrap();
    git(top, &["init", "-q"]);
    std::fs::write(top.join("large"), vec![0; usize::try_from(MAX_FILE).unwrap() + 1]).unwrap();
    std::fs::write(top.join("small"), "x").unwrap();
    git(top, &["add", "."]);
    git(top, &["commit", "-qm", "x"]);
    let scope = ExportScope { empty: &[], markers: &[] };
    for packed in [false, true] {
        if packed {
            git(top, &["gc", "-q"]);
        }
        let into = directory.path().join(format!("written-{packed}"));
        let reader = RevisionReader::open(top).unwrap();
        reader.write_files(&reader.find("HEAD").unwrap(), &into, &scope).unwrap();
        let read = fs::read(&into.join("large"), MAX_FILE);
        assert!(matches!(read.unwrap_err().kind, fs::FsErrorKind::TooLarge { .. }), "{packed}");
        assert_eq!(std::fs::read(into.join("small")).unwrap(), b"x", "{packed}");
    }
}

/// A tree in which a link and a directory have one name, so that a file would be written through the link.
#[cfg(unix)]
#[test]
fn a_damaged_tree_writes_nothing_elsewhere() {
    let directory = tempfile::tempdir().unwrap();
    let (top, into) = (&directory.path().join("repository"), directory.path().join("written"));
    std::fs::create_dir_all(top).unwrap();
    git(top, &["init", "-q"]);
    let hash = |text: &str| {
        std::fs::write(top.join("scratch"), text).unwrap();
        git(top, &["hash-object", "-w", "scratch"])
    };
    let (link, text) = (hash("../../elsewhere"), hash("x"));
    let object = |kind: &str, bytes: Vec<u8>| {
        std::fs::write(top.join("scratch"), bytes).unwrap();
        git(top, &["hash-object", "-w", "--literally", "-t", kind, "scratch"])
    };
    let entry = |mode: &str, name: &str, id: &str| {
        [format!("{mode} {name}\0").as_bytes(), &ObjectId::parse(id).unwrap().0].concat()
    };
    let inner = object("tree", entry("100644", "written", &text));
    let names = ["..", ".git", "a/b", ".GIT"].map(|name| entry("40000", name, &inner)).concat();
    let submodule = entry("160000", "other", &inner);
    let tree = [entry("120000", "same", &link), entry("40000", "same", &inner), names, submodule].concat();
    let tree = object("tree", tree);
    let commit = object("commit", format!("tree {tree}\n\nx\n").into_bytes());
    let reader = RevisionReader::open(top).unwrap();
    let scope = ExportScope { empty: &[], markers: &[] };
    let exported = reader.write_files(&reader.find(&commit).unwrap(), &into, &scope).unwrap();
    assert_eq!(exported.submodules, [SubmoduleEntry { path: GitPath::new("other"), commit: inner }]);
    assert_eq!(std::fs::read_to_string(into.join("same/written")).unwrap(), "x");
    assert!(!directory.path().join("elsewhere").exists() && !directory.path().join("written/..written").exists());
    assert_eq!(std::fs::read_dir(&into).unwrap().count(), 1);
}

#[test]
fn a_shallow_clone_says_where_it_ends() {
    let directory = tempfile::tempdir().unwrap();
    let (top, clone) = (&directory.path().join("repository"), directory.path().join("clone"));
    std::fs::create_dir_all(top).unwrap();
    git(top, &["init", "-q"]);
    commit(top, "one");
    commit(top, "two");
    git(top, &["clone", "-q", "--depth=1", &format!("file://{}", top.display()), &clone.display().to_string()]);
    let reader = RevisionReader::open(&clone).unwrap();
    let head = reader.find("HEAD").unwrap();
    assert_eq!(reader.first_parent(&head), Err(RevisionError::Shallow(head.short())));
    assert_eq!(reader.find("HEAD~1"), Err(RevisionError::Shallow(head.short())));
    assert_eq!(RevisionReader::open(directory.path()).err(), Some(RevisionError::NoRepository));
}

#[test]
fn a_name_that_no_system_allows_is_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let (top, into) = (&directory.path().join("repository"), directory.path().join("written"));
    std::fs::create_dir_all(top).unwrap();
    git(top, &["init", "-q"]);
    std::fs::write(top.join("a.md"), "x").unwrap();
    git(top, &["add", "a.md"]);
    let blob = git(top, &["hash-object", "-w", "a.md"]);
    let long = format!(".claude/{}.md", "n".repeat(300));
    git(top, &["update-index", "--add", "--cacheinfo", &format!("100644,{blob},{long}")]);
    git(top, &["commit", "-qm", "x"]);
    let reader = RevisionReader::open(top).unwrap();
    let scope = ExportScope { empty: &[], markers: &[] };
    let exported = reader.write_files(&reader.find("HEAD").unwrap(), &into, &scope).unwrap();
    assert_eq!(exported.unwritable, [GitPath::new(long.clone())]);
    assert_eq!(exported.objects.get(&GitPath::new(long)), Some(&blob));
    assert_eq!(exported.objects.get(&GitPath::new("a.md")), Some(&blob));
    let tracked = crate::git_tracking::TrackedFiles::default().objects(top);
    assert_eq!(tracked, exported.objects, "the index is as the commit");
}
