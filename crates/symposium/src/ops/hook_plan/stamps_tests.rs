use symposium_model::config::SourceRank;

use super::super::test_sources::{SampleFiles, catalog, with_facts};
use super::*;

fn names(files: &[StampedFile]) -> Vec<&str> {
    files.iter().map(|file| file.path.to_str().unwrap()).collect()
}

#[track_caller]
fn check(files: SampleFiles, always: &[&str], at_start: &[&str]) {
    let catalog = catalog(&[(SourceRank::User, files)]);
    let watched =
        with_facts(&catalog, &[], |selection, _, _| plugin_files(None, &catalog, selection, &["/user/g/x.sh".into()]));
    assert_eq!(names(&watched.always), always);
    assert_eq!(names(&watched.at_start), at_start);
}

#[test]
fn what_decides_about_handlers_is_looked_at_on_every_event() {
    check(
        &[
            ("g/symposium.toml", "[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\n"),
            ("other/symposium.toml", "crates = [\"tokio\"]\n[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\n"),
            ("skill/SKILL.md", "---\nname: skill\ndescription: d\ncrates: serde\n---\n"),
            ("unused/SKILL.md", "---\nname: unused\ndescription: d\ncrates: tokio\n---\n"),
        ],
        &["/user", "/user/g/symposium.toml", "/user/g/x.sh", "/user/skill/SKILL.md"],
        &["/user/other/symposium.toml", "/user/unused/SKILL.md"],
    );
}

#[test]
fn many_plugins_with_skills_alone_are_looked_at_when_a_session_starts() {
    const SKILL: &str = "---\nname: NAME\ndescription: d\ncrates: serde\n---\n";
    let watched = |count: usize| {
        let files: Vec<(&'static str, &'static str)> = (0..count)
            .map(|number| {
                let path: &'static str = format!("s{number:03}/SKILL.md").leak();
                let text: &'static str = SKILL.replace("NAME", &format!("s{number:03}")).leak();
                (path, text)
            })
            .collect();
        let catalog = catalog(&[(SourceRank::User, files.leak())]);
        with_facts(&catalog, &[], |selection, _, _| plugin_files(None, &catalog, selection, &[]))
    };
    for (count, always, at_start) in [(0, 1, 0), (8, 9, 0), (9, 1, 9), (300, 1, MANY)] {
        let watched = watched(count);
        assert_eq!((watched.always.len(), watched.at_start.len()), (always, at_start), "{count}");
    }
}

#[test]
fn only_answers_that_could_change_anything_are_asked_for() {
    let catalog = catalog(&[(
        SourceRank::User,
        &[
            (
                "g/symposium.toml",
                "predicates = [\"any(env(A), path_exists(a))\"]\n[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\n\
                 predicates = [\"not(env(B=1))\"]\n",
            ),
            (
                "other/symposium.toml",
                "crates = [\"tokio\"]\n[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\npredicates = [\"env(C)\"]\n",
            ),
            ("skill/SKILL.md", "---\nname: skill\ndescription: d\npredicates: env(D)\n---\n"),
        ],
    )]);
    let mut asked = with_facts(&catalog, &[], |_, facts, _| asked(&catalog, facts));
    assert_eq!((asked.variables.always.join(" "), asked.variables.at_start.join(" ")), ("B A".into(), "D".into()));
    let presences = asked.presences(Some(Path::new("/nowhere")), &["/nowhere/bin".into()]);
    let there = |path: &str| PathPresence { path: path.to_owned(), there: false };
    assert_eq!(presences.always, [there("/nowhere/a")]);
    assert_eq!(presences.at_start, [there("/nowhere/bin/a")], "that it is no program either is asked less often");
}

#[test]
fn a_program_that_is_there_is_all_that_is_asked_for() {
    let mut asked = WorldQuestions::default();
    asked.paths.add("sh".to_owned());
    let presences = asked.presences(Some(Path::new("/nowhere")), &["/nowhere".into(), "/bin".into()]);
    assert_eq!(presences.always, [PathPresence { path: "/bin/sh".to_owned(), there: true }]);
    assert_eq!(presences.at_start, []);
}

#[test]
fn a_file_that_changed_while_it_was_read_fits_nothing() {
    const MS: i64 = 1_000_000;
    // Read from 10.1 s to 10.2 s.
    let (started, now) = (10_100 * MS + 1, 10_200 * MS + 1);
    for (modified, changed, is_doubtful) in [
        (started, started, true),
        (now, now, true),
        (now + 1, now + 1, false),
        (started - 90 * MS, started - 90 * MS, false),
        // The kernel's clock for files ticks every few milliseconds, and shows the last tick.
        (started - 5 * MS, started - 5 * MS, true),
        // Some file systems count whole seconds, or every second one.
        (10_000 * MS, 10_000 * MS, true),
        (9_000 * MS, 9_000 * MS, true),
        (8_000 * MS, 8_000 * MS, false),
        // An older file that was moved to its place keeps the time of its content.
        (1, started, true),
        (1, now, true),
        (1, now + 1, false),
        (started + 1, 1, true),
    ] {
        let state = FileState { size: 1, modified, changed, inode: 1 };
        let stamp = PathStamp { path: "/x".to_owned(), state: Some(state) };
        let expected = if is_doubtful { 0 } else { modified };
        assert_eq!(doubted(stamp, started, now).state.unwrap().modified, expected, "{modified} {changed}");
    }
    let absent = PathStamp { path: "/x".to_owned(), state: None };
    assert_eq!(doubted(absent.clone(), started, now), absent);
}

#[test]
fn a_configuration_that_says_something_else_than_what_was_read_fits_nothing() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("config.toml");
    let holds = |text: Option<&str>| taken_with(&file, text).unwrap().state == stamp::take(&file);
    assert!(holds(None));
    assert!(!holds(Some("a")), "it was there when it was read");
    fs::replace(&file, b"a").unwrap();
    assert!(holds(Some("a")));
    assert!(!holds(None), "it was not there when it was read");
    assert!(!holds(Some("b")));
}
