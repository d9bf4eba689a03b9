//! Each agent has a page, and the page says what the program does.

use symposium_agents::spec::SpecEvidence;
use symposium_agents::{AgentPath, AgentSpec, spec};
use symposium_model::agent::AgentId;
use symposium_model::schema::JsonSchema;

use super::repository;

fn page(agent: AgentId) -> String {
    let path = repository().join(format!("book/src/agent-{agent}.md"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn shown(place: AgentPath) -> String {
    match place {
        AgentPath::Home(path) => format!("`~/{path}`"),
        AgentPath::Project(path) | AgentPath::GitRoot(path) => format!("`{path}`"),
    }
}

/// Everything a page must say.
fn facts(spec: &AgentSpec) -> Vec<String> {
    let mut facts = vec![format!("# {}\n", spec.title), format!("`{}`", spec.skills.project)];
    facts.extend(spec.hooks.iter().take(1).flat_map(|file| [shown(file.project), shown(file.global)]));
    let choices = spec.mcp.project.iter().chain(&spec.mcp.global);
    facts.extend(choices.map(|choice| shown(choice.otherwise)));
    facts.push(match spec.evidence {
        SpecEvidence::Ran(version) => format!("version {version}"),
        SpecEvidence::Documents => "not run by us".to_owned(),
    });
    facts
}

#[test]
fn the_page_of_each_agent_has_the_facts() {
    for agent in AgentId::ALL {
        let page = page(agent);
        for fact in facts(spec(agent)) {
            let there = page.contains(&fact) || page.to_lowercase().contains(&fact.to_lowercase());
            assert!(there, "book/src/agent-{agent}.md does not say {fact}");
        }
    }
}

#[test]
fn the_page_about_configuration_has_every_key() {
    let page = std::fs::read_to_string(repository().join("book/src/configuration.md")).unwrap();
    for schema in [JsonSchema::UserConfig, JsonSchema::ProjectConfig] {
        let mut keys = Vec::new();
        leaves(&schema.document(), &mut keys);
        assert!(keys.len() > 15, "{keys:?}");
        for key in keys {
            assert!(page.contains(&key), "book/src/configuration.md does not say `{key}` of {}", schema.name());
        }
    }
}

/// The keys at all depths.
fn leaves(schema: &serde_json::Value, keys: &mut Vec<String>) {
    for form in std::iter::once(schema).chain(schema["anyOf"].as_array().into_iter().flatten()) {
        for (key, inner) in form["properties"].as_object().into_iter().flatten() {
            keys.push(key.clone());
            leaves(inner, keys);
        }
        if form["items"].is_object() {
            leaves(&form["items"], keys);
        }
    }
}
