//! Short texts with a grammar of their own.

use symposium_model::config::{GitAddress, redact};
use symposium_model::crates::member_pattern::MemberPattern;
use symposium_model::crates::{AtomError, CrateAtom, CrateName, VersionRequirement};
use symposium_model::hook::ToolMatcher;
use symposium_model::hook::command_line::{fault, split};
use symposium_model::ownership::HookCall;
use symposium_model::predicate::{Predicate, split_top_level};
use symposium_model::skill::SkillName;

use super::text;

/// Checks that an error points into its text.
fn points_into(text: &str, error: &AtomError) {
    // A missing end is reported right behind the text.
    let end = error.span.end.min(text.len());
    assert!(
        error.span.end <= text.len() + 1 && text.get(error.span.start..end).is_some(),
        "{:?} of {text:?}",
        error.span
    );
    assert!(!error.message.is_empty() && !error.help.is_empty());
}

pub(super) fn atoms(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match CrateAtom::parse(text) {
        Ok(atom) => assert_eq!(CrateAtom::parse(&atom.to_string()).as_ref(), Ok(&atom), "{text:?}"),
        Err(error) => points_into(text, &error),
    }
    match CrateAtom::parse_list(text) {
        Ok(atoms) => {
            for atom in atoms {
                assert_eq!(CrateAtom::parse(&atom.to_string()).as_ref(), Ok(&atom), "{text:?}");
            }
        }
        Err(error) => points_into(text, &error),
    }
    let _ = CrateName::parse(text);
    let _ = VersionRequirement::parse(text);
    if let Ok(name) = SkillName::parse(text) {
        assert!(!name.as_str().contains(['/', '\\', '.']), "{name}");
    }
    if let Some(pattern) = MemberPattern::parse(text) {
        let _ = format!("{pattern:?}");
    }
}

pub(super) fn predicates(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match Predicate::parse(text) {
        Ok(predicate) => {
            assert_eq!(Predicate::parse(&predicate.to_string()).as_ref(), Ok(&predicate), "{text:?}");
        }
        Err(error) => points_into(text, &error),
    }
    for (at, part) in split_top_level(text) {
        assert_eq!(text.get(at..at + part.len()), Some(part));
    }
}

pub(super) fn commands(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let _ = (split(text), fault(text), HookCall::parse(text));
    let matcher = ToolMatcher::parse(text);
    if matcher.fault().is_some() {
        assert!(!matcher.matches(&["Bash", "shell"]), "what is no matcher never fires: {text:?}");
    }
    let _ = matcher.matches(&["Bash", text]);
}

pub(super) fn addresses(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let shown = redact(text);
    assert_eq!(redact(&shown), shown, "{text:?}");
    let Ok(address) = GitAddress::parse(text) else { return };
    // Git starts a program for an address whose scheme ends in two colons.
    let scheme_end = address.url().find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)).unwrap_or(0);
    let runs_something = address.url().get(scheme_end..).is_some_and(|rest| rest.starts_with("::"));
    assert!(!address.url().starts_with('-') && !runs_something, "{text:?} becomes {:?}", address.url());
    assert!(!address.url().contains(char::is_control), "{text:?} becomes {:?}", address.url());
    let _ = (address.protocol(), address.tree(), address.readings(), address.archive_url("main"), address.shown());
}
