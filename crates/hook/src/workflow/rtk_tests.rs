//! Tests with substitutes for rtk, one for every row and rule.
#![expect(clippy::disallowed_methods, reason = "tests look at files")]

use std::path::PathBuf;

use super::*;
use crate::edge::child::tests::script;
use crate::handler_environment::UNKNOWN;

const NONE: RtkExceptions<'static> = RtkExceptions { exclude: &[], disabled: None };

/// A directory with an `rtk` that runs this script when asked to rewrite `$2`.
struct StandIn {
    directory: tempfile::TempDir,
    program: PathBuf,
}

impl StandIn {
    fn new(lines: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("rtk");
        script(&program, &format!("#!/bin/sh\necho \"$#:$1\" >> \"${{0%/*}}/asked\"\n{lines}\n"));
        Self { directory, program }
    }

    fn asking(&self) -> RtkCall<'_> {
        let deadline = Instant::now() + Duration::from_secs(20);
        let places = EventPlaces { workspace: None, cwd: Some(self.directory.path()), user: &UNKNOWN };
        RtkCall { program: &self.program, places, deadline }
    }

    fn rewrite(&self, command: &str) -> Option<String> {
        rewrite(command, &NONE, &self.asking())
    }

    /// Returns the arguments of the call: their number, and the first.
    fn asked(&self) -> String {
        std::fs::read_to_string(self.directory.path().join("asked")).unwrap_or_default()
    }
}

#[test]
fn every_row_of_the_contract() {
    for (what, lines, expected) in [
        ("allowed by the host", "printf 'rtk %s' \"$2\"; exit 0", Some("rtk cargo test")),
        ("nothing shorter", "exit 1", None),
        ("denied by the host", "exit 2", None),
        ("the normal success", "printf 'rtk %s' \"$2\"; exit 3", Some("rtk cargo test")),
        ("with a final newline", "echo \"rtk $2\"; exit 3", Some("rtk cargo test")),
        ("unchanged", "printf '%s' \"$2\"; exit 0", None),
        ("unchanged but for a newline", "echo \"$2\"; exit 3", None),
        ("empty", "exit 0", None),
        ("blank", "printf '  \\n'; exit 3", None),
        ("text with another code", "printf 'rtk %s' \"$2\"; exit 1", None),
        ("text with a deny", "printf 'rtk %s' \"$2\"; exit 2", None),
        ("an old version", "echo 'error: unrecognized subcommand' >&2; echo 'Usage: rtk' >&2; exit 2", None),
        ("several lines", "printf 'rtk git status\\nrtk git log'; exit 3", Some("rtk git status\nrtk git log")),
        ("no text", "printf '\\377\\376'; exit 3", None),
        ("a terminal's text", "printf '\\033[1mrtk\\033[0m'; exit 3", None),
        ("too much", "head -c 2000000 /dev/zero | tr '\\0' x; exit 3", None),
        ("it complains, too", "echo warning >&2; printf 'rtk %s' \"$2\"; exit 3", Some("rtk cargo test")),
        ("it dies", "printf 'rtk %s' \"$2\"; kill -SEGV $$", None),
        ("it wants input", "read -r line && exit 3; printf 'rtk %s' \"$2\"; exit 3", Some("rtk cargo test")),
    ] {
        let rtk = StandIn::new(lines);
        assert_eq!(rtk.rewrite("cargo test").as_deref(), expected, "{what}");
        assert_eq!(rtk.asked(), "2:rewrite\n", "{what}");
    }
}

#[test]
fn the_whole_command_is_one_argument() {
    let rtk = StandIn::new("printf 'rtk [%s]' \"$2\"; exit 3");
    for command in ["git log \\\n --oneline", "git commit -m 'a\nb \"c\" $d'", "größe", "a; b"] {
        assert_eq!(rtk.rewrite(command), Some(format!("rtk [{command}]")));
    }
}

#[test]
fn a_hanging_rtk_costs_its_limit_and_no_more() {
    let rtk = StandIn::new("printf 'rtk %s' \"$2\"; sleep 60");
    let answer = ask(&rtk.asking(), &["rewrite", "cargo test"]);
    assert!(matches!(answer.ended, ChildEnd::DeadlineKilled), "{answer:?}");
    assert!(answer.took >= LIMIT && answer.took < LIMIT * 8, "{:?}", answer.took);
    assert_eq!(rewritten("cargo test", &answer), None);
    let late = RtkCall { deadline: Instant::now(), ..rtk.asking() };
    assert_eq!(rewrite("cargo test", &NONE, &late), None);
}

#[test]
fn what_is_excepted_is_not_asked_about() {
    let rtk = StandIn::new("printf 'rtk %s' \"$2\"; exit 3");
    let exclude = ["cargo test".to_owned()];
    let asking = rtk.asking();
    assert_eq!(rewrite("cargo test | tail", &NONE, &asking), None);
    assert_eq!(rewrite("cargo test --all", &RtkExceptions { exclude: &exclude, disabled: None }, &asking), None);
    assert_eq!(rewrite("cargo test", &RtkExceptions { exclude: &[], disabled: Some("1".as_ref()) }, &asking), None);
    assert_eq!(rtk.asked(), "");
    assert!(rewrite("cargo build", &RtkExceptions { exclude: &exclude, disabled: None }, &asking).is_some());
}

#[test]
fn a_missing_rtk_says_nothing() {
    let asking = RtkCall {
        program: Path::new("no-such-rtk-anywhere"),
        places: EventPlaces { workspace: None, cwd: None, user: &UNKNOWN },
        deadline: Instant::now() + Duration::from_secs(5),
    };
    assert_eq!(rewrite("cargo test", &NONE, &asking), None);
    assert_eq!(state(&asking), RtkState::Missing);
}

#[test]
fn what_there_is_of_rtk_is_found_out() {
    let usage = "echo \"error: unrecognized subcommand '$1'\" >&2; exit 2";
    for (what, lines, expected, asked) in [
        ("rewrites", "printf 'rtk %s' \"$2\"; exit 3", RtkState::Ready, 1),
        ("rewrites, allowed", "printf 'rtk %s' \"$2\"", RtkState::Ready, 1),
        ("the sample is excluded", "exit 1", RtkState::Ready, 1),
        ("the sample is denied", "exit 2", RtkState::Ready, 1),
        ("slow", "sleep 60", RtkState::Ready, 1),
        ("old", &format!("[ $1 = gain ] && exit 0; {usage}"), RtkState::TooOld, 2),
        ("the type kit", usage, RtkState::WrongProgram, 2),
        ("something that echoes", "echo hello", RtkState::WrongProgram, 1),
        ("something that fails", "echo no >&2; exit 64", RtkState::WrongProgram, 2),
        ("something that dies", "kill -SEGV $$", RtkState::WrongProgram, 1),
    ] {
        let rtk = StandIn::new(lines);
        assert_eq!(state(&rtk.asking()), expected, "{what}");
        assert_eq!(rtk.asked().lines().count(), asked, "{what}");
    }
}

#[test]
fn a_hint_says_what_to_do() {
    for state in [RtkState::Ready, RtkState::Missing] {
        assert_eq!(state.hint(), None, "{state:?}");
    }
    for state in [RtkState::TooOld, RtkState::WrongProgram] {
        let hint = state.hint().unwrap();
        assert!(hint.contains("symposium off rtk") && !hint.contains('\n'), "{hint}");
    }
}
