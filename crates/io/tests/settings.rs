//! Settings files survive everything that happens to them.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests set up their own files")]

use std::convert::Infallible;
use std::fs;
#[cfg(target_os = "linux")]
use std::io::Write;
#[cfg(unix)]
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::Duration;

use symposium_io::settings::{self, SettingsChange, SettingsError, SettingsUpdate, WritePatience};

fn update(
    path: &Path,
    inside: Option<&Path>,
    edit: impl FnMut(Option<&str>) -> Result<SettingsChange, Infallible>,
) -> Result<SettingsUpdate, SettingsError<Infallible>> {
    settings::update(path, inside, WritePatience::Long, edit)
}

fn append(path: &Path, line: &str) -> SettingsUpdate {
    update(path, None, |text| Ok(SettingsChange::Write(format!("{}{line}\n", text.unwrap_or_default())))).unwrap()
}

fn refusal(path: &Path, inside: Option<&Path>) -> String {
    update(path, inside, |_| Ok::<_, Infallible>(SettingsChange::Write("ours".to_owned())))
        .unwrap_err()
        .kind
        .to_string()
}

#[test]
fn a_new_file_gets_the_directories_it_needs_and_they_are_named() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a/b/settings.json");
    let written = append(&path, "x");
    assert_eq!((written.before, written.after.as_deref()), (None, Some("x\n")));
    assert_eq!(written.created, [home.path().join("a"), home.path().join("a/b")]);
    let unchanged = update(&path, None, |_| Ok::<_, Infallible>(SettingsChange::Keep)).unwrap();
    assert!(!unchanged.changed());
}

#[cfg(unix)]
#[test]
fn mode_and_link_of_a_dotfile_stay() {
    let home = tempfile::tempdir().unwrap();
    let real = home.path().join("dotfiles/settings.json");
    fs::create_dir(home.path().join("dotfiles")).unwrap();
    fs::write(&real, "old\n").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    let link = home.path().join("settings.json");
    symlink("dotfiles/settings.json", &link).unwrap();
    append(&link, "new");
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "old\nnew\n");
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(home.path().join("dotfiles")).unwrap().count(), 1, "nothing is left behind");
}

#[cfg(unix)]
#[test]
fn what_is_no_settings_file_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::create_dir(at("directory")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(at("fifo")).status().unwrap().success());
    fs::write(at("latin"), b"caf\xe9").unwrap();
    assert_eq!(refusal(&at("directory"), None), "not a regular file");
    assert_eq!(refusal(&at("dangling"), None), "a broken link");
    assert_eq!(refusal(&at("fifo"), None), "not a regular file");
    assert_eq!(refusal(&at("latin"), None), "not UTF-8 at byte 3");
    assert_eq!(fs::read(at("latin")).unwrap(), b"caf\xe9");
    assert!(at("dangling").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_project_cannot_send_us_elsewhere() {
    let home = tempfile::tempdir().unwrap();
    let project = home.path().join("project");
    fs::create_dir_all(project.join("real")).unwrap();
    fs::create_dir_all(home.path().join("victim")).unwrap();
    fs::write(home.path().join("victim/file"), "theirs").unwrap();
    symlink("../victim", project.join(".claude")).unwrap();
    symlink("../victim/file", project.join("linked")).unwrap();
    symlink("real", project.join("inside")).unwrap();
    for path in [".claude/settings.json", ".claude/deep/er/settings.json", "linked"] {
        assert_eq!(refusal(&project.join(path), Some(&project)), "a link leads outside the project", "{path}");
    }
    assert_eq!(fs::read_to_string(home.path().join("victim/file")).unwrap(), "theirs");
    assert_eq!(fs::read_dir(home.path().join("victim")).unwrap().count(), 1);
    let written =
        update(&project.join("inside/x"), Some(&project), |_| Ok::<_, Infallible>(SettingsChange::Write("y".into())));
    assert!(written.unwrap().changed());
}

#[test]
fn a_file_is_deleted_only_as_it_was_seen() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("f");
    append(&path, "x");
    let gone = update(&path, None, |_| Ok::<_, Infallible>(SettingsChange::Delete)).unwrap();
    assert_eq!((gone.before.as_deref(), gone.after, path.exists()), (Some("x\n"), None, false));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_file_of_ours_is_for_the_user_alone_with_its_directories() {
    let home = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let path = home.path().join("a/b/ledger.json");
    let write = |text: &str| {
        settings::update_private(&path, WritePatience::Long, |_| {
            Ok::<_, Infallible>(SettingsChange::Write(text.to_owned()))
        })
        .unwrap()
    };
    write("one");
    assert_eq!((mode(&path), mode(path.parent().unwrap()), mode(&home.path().join("a"))), (0o600, 0o700, 0o700));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    write("two");
    assert_eq!(mode(&path), 0o600, "also one that was not");
}

/// A program that opened the file before the update writes to that very file later, whatever its name is then.
#[cfg(target_os = "linux")]
#[test]
fn a_program_that_has_the_file_open_is_waited_for() {
    for truncates in [true, false] {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("settings");
        fs::write(&path, "before\n").unwrap();
        std::thread::sleep(Duration::from_millis(150));
        let mut file = fs::OpenOptions::new().write(true).truncate(truncates).open(&path).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(300));
                file.write_all(b"theirs\n").unwrap();
            });
            append(&path, "ours");
        });
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs\nours\n", "truncates: {truncates}");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_does_not_come_to_an_end_keeps_its_file() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("settings");
    let file = fs::File::create(&path).unwrap();
    let started = std::time::Instant::now();
    let edit = |_: Option<&str>| Ok::<_, Infallible>(SettingsChange::Write("ours".to_owned()));
    let refused = settings::update(&path, None, WritePatience::Short, edit).unwrap_err();
    assert_eq!(refused.kind.to_string(), "another program is writing it");
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert!(settings::read_whole(&path, 100).is_err());
    drop(file);
    assert_eq!(fs::read_to_string(&path).unwrap(), "");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
}

/// A directory in which not even root may write.
#[cfg(target_os = "linux")]
#[test]
fn what_goes_wrong_does_not_name_a_file_of_ours() {
    let message = refusal(Path::new("/sys/kernel/settings.json"), None);
    assert!(message.starts_with("Permission denied"), "{message}");
    assert!(!message.contains("symposium"), "{message}");
}

#[test]
fn what_a_killed_run_left_is_swept_and_nothing_else() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    fs::write(at(".symposium-writing-aB3dE6.tmp"), "").unwrap();
    fs::create_dir_all(at(".symposium-staging-aB3dE6/new")).unwrap();
    // Names a user might choose, and a directory with something else in it.
    fs::write(at(".symposium-notes.tmp"), "").unwrap();
    fs::create_dir(at(".symposium-backup")).unwrap();
    fs::create_dir_all(at(".symposium-staging-zzzzzz/mine")).unwrap();
    fs::write(at(".symposium-writing-mine.tmp"), "").unwrap();
    fs::write(at("settings.json"), "").unwrap();
    assert!(symposium_io::stale_temp::sweep(home.path()).is_empty(), "nothing of anybody else's");
    let mut left: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    let kept = [
        ".symposium-backup",
        ".symposium-notes.tmp",
        ".symposium-staging-zzzzzz",
        ".symposium-writing-mine.tmp",
        "settings.json",
    ];
    assert_eq!(left, kept);
}

/// Eight writers of Symposium and one program that replaces the file on its own: in the end every line of each is
/// there.
#[test]
#[cfg_attr(windows, ignore = "Windows refuses to rename over an open file; other_program.rs tries again")]
fn nothing_is_lost_among_many_writers() {
    const ROUNDS: usize = 20;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("settings");
    fs::write(&path, "").unwrap();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let path = &path;
            let lock = home.path().join("lock");
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let _held = symposium_io::file_lock::acquire(&lock, Duration::from_mins(2)).unwrap();
                    append(path, &format!("ours {writer} {round}"));
                }
            });
        }
        // The program reads, thinks, and renames a new file into place without any lock; but like careful programs it
        // checks that the file is still the one it read, and that its own lines stayed.
        scope.spawn(|| {
            let (mut round, mut glimpses) = (0, 0);
            while round < ROUNDS {
                std::thread::sleep(Duration::from_millis(1));
                let seen = fs::read_to_string(&path).unwrap_or_default();
                // The moment in which a text of Symposium is about to be replaced again. It must pass: a line that were
                // lost for good would be missing here for ever.
                if (0..round).any(|earlier| !seen.contains(&format!("foreign {earlier}\n"))) {
                    glimpses += 1;
                    assert!(glimpses < 1000, "a line that was there is gone");
                    continue;
                }
                glimpses = 0;
                let aside = path.with_extension("foreign");
                fs::write(&aside, format!("{seen}foreign {round}\n")).unwrap();
                if fs::read_to_string(&path).is_ok_and(|now| now == seen) {
                    fs::rename(&aside, &path).unwrap();
                }
                let kept = fs::read_to_string(&path).is_ok_and(|now| now.contains(&format!("foreign {round}\n")));
                round += usize::from(kept);
            }
        });
    });
    let text = fs::read_to_string(&path).unwrap();
    let mut lost = 0;
    for round in 0..ROUNDS {
        assert!(text.contains(&format!("foreign {round}\n")), "foreign {round}");
        for writer in 0..8 {
            let line = format!("ours {writer} {round}\n");
            lost += usize::from(!text.contains(&line));
        }
    }
    // The other program checks before it renames, but not atomically: Symposium cannot protect a text that it
    // overwrites then.
    assert!(lost <= ROUNDS / 4, "{lost} of our lines are gone");
}
