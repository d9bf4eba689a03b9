//! The messages of a client to Symposium's MCP server.

use std::io::Cursor;
use std::path::PathBuf;

use serde_json::Value;
use symposium_model::guidance_provider::{ApiQuestion, GuidanceProvider, SourceQuestion};

struct Silent;

impl GuidanceProvider for Silent {
    fn start(&self) -> String {
        "start".to_owned()
    }

    fn list(&self) -> String {
        String::new()
    }

    fn krate(&self, name: &str, _version: Option<&str>) -> Result<String, String> {
        Err(name.to_owned())
    }

    fn source(&self, question: &SourceQuestion<'_>, _wanted: &dyn Fn() -> bool) -> Result<String, String> {
        Ok(question.name.to_owned())
    }

    fn api(&self, question: &ApiQuestion<'_>) -> Result<String, String> {
        Err(question.query.to_owned())
    }

    fn why(&self, name: &str) -> Result<String, String> {
        Err(name.to_owned())
    }

    fn instructions(&self, client: &str) -> String {
        client.to_owned()
    }

    fn work_in(&self, _roots: &[PathBuf]) {}
}

pub(super) fn mcp(bytes: &[u8]) {
    let mut output = Vec::new();
    symposium_mcp::serve(&Silent, Cursor::new(bytes.to_vec()), &mut output).expect("nothing here can fail");
    for line in output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let message: Value = serde_json::from_slice(line).expect("every line is JSON");
        // A batch is answered with a list.
        let answers = message.as_array().map_or(std::slice::from_ref(&message), Vec::as_slice);
        for answer in answers {
            assert_eq!(answer.get("jsonrpc").and_then(Value::as_str), Some("2.0"), "{message}");
        }
    }
}
