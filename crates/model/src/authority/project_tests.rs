use std::collections::BTreeMap;

use super::*;

/// A disk of files, and of directories with their owners and modes.
struct Disk {
    files: Vec<&'static str>,
    owners: BTreeMap<&'static str, (u32, u32)>,
    allowed: Vec<&'static str>,
}

const CALLER: u32 = 1000;

impl DiskProbe for Disk {
    fn is_file(&self, path: &Path) -> bool {
        self.files.iter().any(|file| Path::new(file) == path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.iter().any(|file| Path::new(file).starts_with(path))
    }

    fn ownership(&self, path: &Path) -> Option<PathOwnership> {
        let (owner, mode) = self.owners.get(path.to_str()?).copied().unwrap_or((CALLER, 0o755));
        Some(PathOwnership { owner, mode })
    }

    fn caller(&self) -> u32 {
        CALLER
    }

    fn is_allowed(&self, directory: &Path) -> bool {
        is_within(directory, &self.allowed)
    }
}

fn searched(files: &[&'static str], owners: &[(&'static str, u32, u32)]) -> (Option<String>, Vec<String>) {
    let owners = owners.iter().map(|(path, owner, mode)| (*path, (*owner, *mode))).collect();
    let disk = Disk { files: files.to_vec(), owners, allowed: Vec::new() };
    let ProjectSearch { found, ignored } = search(Path::new("/s/r/p").ancestors(), &disk);
    (found.map(|(root, _)| root.display().to_string()), ignored.iter().map(ToString::to_string).collect())
}

#[track_caller]
fn check(files: &[&'static str], owners: &[(&'static str, u32, u32)], root: Option<&str>, ignored: &[&str]) {
    let (found, passed_by) = searched(files, owners);
    assert_eq!(found.as_deref(), root, "{files:?} {owners:?}");
    assert_eq!(passed_by, ignored, "{files:?} {owners:?}");
}

const ABOVE: &str = "/s/.symposium/config.toml";

#[test]
fn the_nearest_configuration_wins_and_then_the_nearest_lock_file() {
    check(&[], &[], None, &[]);
    check(&["/s/r/p/Cargo.lock", ABOVE], &[], Some("/s"), &[]);
    check(&["/s/r/p/Cargo.lock", "/s/r/Cargo.lock"], &[], Some("/s/r/p"), &[]);
    check(&["/s/r/.symposium/config.toml", ABOVE], &[], Some("/s/r"), &[]);
    check(&["/s/r/p/.symposium/other.toml", "/s/Cargo.lock"], &[], Some("/s"), &[]);
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn directories_of_others_and_those_open_to_all_do_not_count() {
    let other = "/s/.symposium is ignored: it belongs to another user (uid 1234)";
    let inside = "/s/.symposium is ignored: its directory belongs to another user (uid 1234)";
    let open = "/s/.symposium is ignored: every user of this machine can write to it";
    let inside_open = "/s/.symposium is ignored: every user of this machine can write to its directory";
    let lock = "/s/r/p/Cargo.lock";
    check(&[lock, ABOVE], &[("/s/.symposium", 1234, 0o755)], Some("/s/r/p"), &[other]);
    check(&[ABOVE], &[("/s/.symposium", 1234, 0o755), ("/s", 0, 0o1777)], None, &[other]);
    check(&[ABOVE], &[("/s", 1234, 0o755)], None, &[inside]);
    check(&[ABOVE], &[("/s", 0, 0o1777)], None, &[inside_open]);
    check(&[ABOVE], &[("/s/.symposium", CALLER, 0o777)], None, &[open]);
    // The superuser may write everywhere anyway, and a group is chosen by the owner.
    check(&[ABOVE], &[("/s", 0, 0o755), ("/s/.symposium", 0, 0o755)], Some("/s"), &[]);
    check(&[ABOVE], &[("/s", CALLER, 0o2775), ("/s/.symposium", CALLER, 0o775)], Some("/s"), &[]);
    // The next directory further up may still count.
    check(
        &["/s/r/.symposium/config.toml", ABOVE],
        &[("/s/r/.symposium", 1234, 0o755)],
        Some("/s"),
        &["/s/r/.symposium is ignored: it belongs to another user (uid 1234)"],
    );
}

#[test]
fn a_lock_file_in_a_directory_of_others_makes_no_project() {
    check(
        &["/s/Cargo.lock"],
        &[("/s", 0, 0o1777)],
        None,
        &["/s is ignored: every user of this machine can write to it"],
    );
    check(
        &["/s/r/Cargo.lock", "/s/Cargo.lock"],
        &[("/s/r", 1234, 0o755)],
        Some("/s"),
        &["/s/r is ignored: it belongs to another user (uid 1234)"],
    );
}

#[test]
fn nothing_above_the_repository_counts() {
    check(&["/s/r/.git/HEAD", ABOVE, "/s/Cargo.lock"], &[], None, &[]);
    check(&["/s/r/p/.git", "/s/r/Cargo.lock"], &[], None, &[]);
    check(&["/s/r/.git/HEAD", "/s/r/Cargo.lock", ABOVE], &[], Some("/s/r"), &[]);
    check(&["/s/.git/HEAD", ABOVE], &[], Some("/s"), &[]);
}

#[test]
fn directories_of_others_count_where_the_user_allowed_them() {
    let owners = |mode: u32| ["/s/r", "/s/r/p", "/s/r/p/.symposium"].map(|path| (path, (1234, mode)));
    let found = |allowed: &[&'static str], mode: u32| {
        let files = vec!["/s/r/p/.symposium/config.toml", "/s/r/p/Cargo.lock"];
        let disk = Disk { files, owners: owners(mode).into(), allowed: allowed.to_vec() };
        let ProjectSearch { found, ignored } = search(Path::new("/s/r/p").ancestors(), &disk);
        (found.is_some(), ignored.len())
    };
    assert_eq!(found(&[], 0o755), (false, 2));
    assert_eq!(found(&["/s/r/p"], 0o755), (true, 0));
    assert_eq!(found(&["/s/r"], 0o755), (true, 0), "and everything below");
    for other in ["/s/r/p/.symposium", "/s/r/pp", "/s/r/p/x", "/x", "s/r/p"] {
        assert!(!found(&[other], 0o755).0, "{other}");
    }
    assert_eq!(found(&["/s/r/p"], 0o777), (false, 2), "that everybody can write to it is another matter");
}
