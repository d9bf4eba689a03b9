//! The stable model API: payloads of the real Gemini CLI pass through Symposium's types without loss.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use symposium_model::hook::llm::{LlmRequest, LlmResponse};

fn round_trip<T: Serialize + DeserializeOwned>(value: &Value, place: &str) -> T {
    let typed: T = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{place}: {error}"));
    assert_eq!(serde_json::to_value(&typed).unwrap(), *value, "{place}");
    typed
}

#[test]
fn recorded_requests_and_responses_lose_nothing() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/native/gemini");
    let (mut requests, mut responses) = (0, 0);
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let place = path.display().to_string();
        let payload: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        if let Some(request) = payload.get("llm_request") {
            let request: LlmRequest = round_trip(request, &place);
            assert!(request.model.is_some() && request.messages.is_some() && request.other.is_empty(), "{place}");
            requests += 1;
        }
        if let Some(response) = payload.get("llm_response") {
            let response: LlmResponse = round_trip(response, &place);
            assert_eq!(response.candidates.map(|candidates| candidates.len()), Some(1), "{place}");
            responses += 1;
        }
    }
    assert_eq!((requests, responses), (5, 2));
}
