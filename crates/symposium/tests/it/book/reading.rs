//! Blocks that are files of ours: read by our own readers, and held against the schemas.

use serde_json::Value;
use symposium_model::config::{self, Scope};
use symposium_model::manifest;
use symposium_model::schema::Schema;
use symposium_testkit::schema_faults;

use super::blocks::Block;
use super::world::World;

/// A block of TOML is a manifest or a configuration that nobody complains about.
pub(super) fn toml_faults(block: &Block) -> Vec<String> {
    let value: Value = match toml::from_str(&block.text) {
        Ok(value) => value,
        Err(error) => return vec![format!("not TOML: {error}")],
    };
    if block.other.is_some() {
        return Vec::new();
    }
    let text = block.text.as_str();
    let read = [
        (Schema::Manifest, manifest::parse("symposium.toml", text, "p").diagnostics),
        (Schema::UserConfig, config::parse("config.toml", text, Scope::User).diagnostics),
        (Schema::ProjectConfig, config::parse("config.toml", text, Scope::Project).diagnostics),
    ];
    let mut all = Vec::new();
    for (schema, findings) in read {
        let said = findings.into_iter().map(|found| found.message).filter(|said| !said.contains("has no name; its"));
        let faults: Vec<String> = said.chain(schema_faults(&schema.document(), &value)).collect();
        if faults.is_empty() {
            return Vec::new();
        }
        all.push(format!("as {}: {}", schema.name(), faults.join("; ")));
    }
    all
}

/// A block of JSON is an event, an answer, or says something in the stable model API.
pub(super) fn json_faults(block: &Block) -> Vec<String> {
    let value: Value = match serde_json::from_str(&block.text) {
        Ok(value) => value,
        Err(error) => return vec![format!("not JSON: {error}")],
    };
    if block.other.is_some() {
        return Vec::new();
    }
    if value.get("llm_request").is_some() || value.get("llm_response").is_some() {
        let parts = [("llm_request", Schema::LlmRequest), ("llm_response", Schema::LlmResponse)];
        let present = parts.iter().filter_map(|(key, schema)| Some((schema, value.get(key)?)));
        return present.flat_map(|(schema, part)| schema_faults(&schema.document(), part)).collect();
    }
    let input = schema_faults(&Schema::HookInput.document(), &value);
    let output = schema_faults(&Schema::HookOutput.document(), &value);
    if input.is_empty() || output.is_empty() { Vec::new() } else { [input, output].concat() }
}

/// A block that begins as a SKILL.md does is one.
pub(super) fn skill_faults(block: &Block, world: &World) -> Vec<String> {
    if !block.text.starts_with("---\n") {
        return Vec::new();
    }
    let name = block.text.lines().find_map(|line| line.strip_prefix("name: ")).unwrap_or("unnamed");
    match world.check_skill(name, &block.text) {
        (0, said) if said.contains("no problems found") => Vec::new(),
        (_, said) => vec![said],
    }
}
