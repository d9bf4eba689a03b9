//! Files of cargo, and files of Symposium that may be damaged.

use symposium_model::crates::cargo_lock::parse_lock;
use symposium_model::crates::cargo_manifest::parse_manifest;
use symposium_model::hook::hook_plan::HookPlan;
use symposium_model::lockfile;
use symposium_model::sync::{FileAmendment, Ledger, fingerprint, hunks};
use symposium_model::trust::GrantSet;

use super::text;

pub(super) fn cargo_lock(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    if let Err(found) = parse_lock("Cargo.lock", text) {
        assert!(!found.message.is_empty());
    }
}

pub(super) fn cargo_manifest(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    if let Err(found) = parse_manifest("Cargo.toml", text) {
        assert!(!found.message.is_empty());
    }
}

pub(super) fn plan(bytes: &[u8]) {
    let Ok(plan) = serde_json::from_slice::<HookPlan>(bytes) else { return };
    let written = serde_json::to_string(&plan).expect("a plan can be written");
    assert_eq!(serde_json::from_str::<HookPlan>(&written).expect("and read"), plan);
    for handler in &plan.handlers {
        let _ = (handler.title(), handler.matcher.matches(&["Bash"]));
    }
}

pub(super) fn ledger(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let Some(ledger) = Ledger::parse(text) else { return };
    let written = ledger.to_text().expect("a ledger can be written");
    assert_eq!(Ledger::parse(&written), Some(ledger));
}

pub(super) fn grants(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let Some(grants) = GrantSet::parse(text) else { return };
    let written = grants.to_text().expect("grants can be written");
    assert_eq!(GrantSet::parse(&written), Some(grants));
}

pub(super) fn symposium_lock(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let read = match lockfile::parse("symposium.lock", text) {
        Ok(read) => read,
        Err(found) => {
            assert!(!found.is_empty() && found.iter().all(|found| !found.message.is_empty()), "{text:?}");
            return;
        }
    };
    let written = read.to_string();
    assert_eq!(lockfile::parse("symposium.lock", &written).as_ref(), Ok(&read), "{text:?} becomes {written:?}");
    assert_eq!(lockfile::parse("symposium.lock", &written.replace('\n', "\r\n")).as_ref(), Ok(&read));
    assert!(read.changes_to(&read).is_empty());
    // Half of a lockfile, or two versions in conflict, must not be accepted as a lockfile.
    let lines: Vec<&str> = written.split_inclusive('\n').collect();
    let half = lines.get(..lines.len() / 2).unwrap_or_default().concat();
    assert!(lockfile::parse("symposium.lock", &half).is_err(), "half of {written:?}");
    for marker in ["<<<<<<< ours\n", "=======\n", ">>>>>>> theirs\n"] {
        let rest = lines.get(lines.len() / 2..).unwrap_or_default().concat();
        assert!(
            lockfile::parse("symposium.lock", &format!("{half}{marker}{rest}")).is_err(),
            "{marker} in {written:?}"
        );
    }
}

/// Takes two texts with a NUL between them: the one with Symposium's lines, and the one without.
pub(super) fn amendments(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let (ours, theirs) = text.split_once('\0').unwrap_or((text, ""));
    let fingerprint = fingerprint(ours.as_bytes());
    let amendment = FileAmendment { fingerprint, hunks: hunks(ours, theirs), entries: Vec::new(), created: Vec::new() };
    assert_eq!(amendment.undone(ours).as_deref(), Some(theirs), "from {ours:?}");
    let _ = (amendment.undone(theirs), amendment.undone_elsewhere(theirs), amendment.undone_elsewhere(ours));
}
