//! The recorded payloads are of events we know under the agents' own names.

use std::path::PathBuf;

use symposium_agents::event_from;
use symposium_model::agent::AgentId;

#[test]
fn every_recorded_event_is_known() {
    let payloads = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/payloads");
    let mut seen = 0;
    for folder in ["claude", "codex", "copilot", "copilot-pascal-case", "gemini", "goose"] {
        let agent = AgentId::parse(folder.trim_end_matches("-pascal-case")).unwrap();
        for file in std::fs::read_dir(payloads.join(folder)).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            let event = name.split('.').next().unwrap();
            let known = event_from(agent, event).unwrap_or_else(|| panic!("{folder}/{name}"));
            assert!(known.canonical().is_some(), "{folder}/{name} is not an event we register by ourselves");
            seen += 1;
        }
    }
    assert!(seen > 80, "{seen}");
}
