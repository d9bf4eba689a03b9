//! Files of cargo, and files of ours that something may have damaged.

use symposium_model::crates::cargo_manifest::parse_manifest;
use symposium_model::crates::lock::parse_lock;
use symposium_model::hook::plan::Plan;
use symposium_model::sync::Ledger;
use symposium_model::trust::Grants;

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
    let Ok(plan) = serde_json::from_slice::<Plan>(bytes) else { return };
    let written = serde_json::to_string(&plan).expect("a plan can be written");
    assert_eq!(serde_json::from_str::<Plan>(&written).expect("and read"), plan);
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
    let Some(grants) = Grants::parse(text) else { return };
    let written = grants.to_text().expect("grants can be written");
    assert_eq!(Grants::parse(&written), Some(grants));
}
