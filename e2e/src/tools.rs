//! The tools an agent offers its model: what was recorded, and what is offered now.

#![expect(clippy::disallowed_methods, reason = "what is recorded is a file of the repository")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::Outcome;

/// Tools by name, each with the keys of its input and the variants of the agent in which it is offered.
pub(crate) type Offered = BTreeMap<String, Offer>;

#[derive(Default, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Offer {
    pub(crate) keys: BTreeSet<String>,
    pub(crate) variants: BTreeSet<String>,
}

/// Adds the tools of a request to a model, whichever API it is of.
pub(crate) fn collect(request: &Value, variant: &str, offered: &mut Offered) {
    let items = |value: Option<&'_ Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let added = items(request.get("input"));
    // Some models get their tools as part of the conversation.
    let added = added.iter().filter(|item| item.get("type").and_then(Value::as_str) == Some("additional_tools"));
    let added = added.flat_map(|item| items(item.get("tools")));
    items(request.get("tools")).iter().chain(&added.collect::<Vec<_>>()).for_each(|tool| add(tool, variant, offered));
}

fn add(tool: &Value, variant: &str, offered: &mut Offered) {
    // Gemini declares functions in a list, and Codex has groups of tools.
    let group = ["functionDeclarations", "tools"].iter().find_map(|key| tool.get(*key)?.as_array());
    if let Some(group) = group {
        for tool in group {
            add(tool, variant, offered);
        }
        return;
    }
    let tool =
        ["function", "custom"].iter().find_map(|key| tool.get(*key).filter(|inner| inner.is_object())).unwrap_or(tool);
    let name = ["name", "type"].iter().find_map(|key| tool.get(*key)?.as_str());
    let schemas = ["input_schema", "parameters", "parametersJsonSchema"];
    let keys = schemas.iter().find_map(|key| tool.get(*key)?.get("properties")?.as_object());
    if let Some(name) = name {
        let offer = offered.entry(name.to_owned()).or_default();
        offer.keys.extend(keys.into_iter().flat_map(serde_json::Map::keys).cloned());
        offer.variants.insert(variant.to_owned());
    }
}

fn file(agent: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).join("crates/agents/tests/tools").join(format!("{agent}.json"))
}

/// Writes down what an agent offers.
pub(crate) fn record(agent: &str, version: &str, offered: &Offered) -> Outcome<()> {
    let kept: Offered = recorded(agent)?.into_iter().filter(|(_, offer)| offer.variants.is_empty()).collect();
    let tools: BTreeMap<&String, Value> = kept
        .iter()
        .chain(offered)
        .map(|(name, offer)| (name, json!({"keys": offer.keys, "offered-with": offer.variants})))
        .collect();
    let text = json!({"agent": agent, "seen-in": format!("the program, version {version}"), "tools": tools});
    let file = file(agent);
    fs::write(&file, format!("{text:#}\n")).map_err(|error| format!("writing `{}`: {error}", file.display()))
}

/// What was recorded. A tool with no variant is one that the agent offers at other times, by its source.
fn recorded(agent: &str) -> Outcome<Offered> {
    let file = file(agent);
    let text = fs::read_to_string(&file).map_err(|error| format!("reading `{}`: {error}", file.display()))?;
    let recorded: Value = serde_json::from_str(&text).map_err(|error| format!("`{}`: {error}", file.display()))?;
    let words = |value: &Value, key: &str| -> BTreeSet<String> {
        let list = value.get(key).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let tools = recorded.get("tools").and_then(Value::as_object).into_iter().flatten();
    let offer = |tool: &Value| Offer { keys: words(tool, "keys"), variants: words(tool, "offered-with") };
    Ok(tools.map(|(name, tool)| (name.clone(), offer(tool))).collect())
}

/// What is offered otherwise than it was recorded, a line for each tool.
pub(crate) fn differences(agent: &str, offered: &Offered) -> Outcome<Vec<String>> {
    Ok(differing(&recorded(agent)?, offered))
}

fn differing(recorded: &Offered, offered: &Offered) -> Vec<String> {
    let names: BTreeSet<&String> = recorded.keys().chain(offered.keys()).collect();
    let difference = |name: &String| match (recorded.get(name), offered.get(name)) {
        (Some(before), Some(now)) if before == now => None,
        (None, Some(now)) => Some(format!("`{name}` is new, with {:?}", now.keys)),
        (Some(before), None) if before.variants.is_empty() => None,
        (Some(_), None) => Some(format!("`{name}` is gone")),
        (before, now) => Some(format!("`{name}` was {before:?} and is {now:?}")),
    };
    names.into_iter().filter_map(difference).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_of_every_api_are_found() {
        let schema = json!({"properties": {"a": {}, "b": {}}});
        for request in [
            json!({"tools": [{"name": "t", "input_schema": schema}]}),
            json!({"tools": [{"type": "function", "name": "t", "parameters": schema}]}),
            json!({"tools": [{"type": "function", "function": {"name": "t", "parameters": schema}}]}),
            json!({"tools": [{"functionDeclarations": [{"name": "t", "parametersJsonSchema": schema}]}]}),
            json!({"input": [{"type": "additional_tools", "tools": [
                {"type": "namespace", "name": "g", "tools": [{"name": "t", "parameters": schema}]},
            ]}]}),
        ] {
            let mut offered = Offered::new();
            collect(&request, "v", &mut offered);
            assert_eq!(offered.keys().collect::<Vec<_>>(), ["t"], "{request}");
            assert_eq!(offered["t"].keys, ["a", "b"].map(str::to_owned).into(), "{request}");
        }
        let mut offered = Offered::new();
        collect(
            &json!({"tools": [{"type": "custom", "custom": {"name": "p"}}, {"type": "web_search"}]}),
            "v",
            &mut offered,
        );
        assert_eq!(offered.keys().collect::<Vec<_>>(), ["p", "web_search"]);
    }

    #[test]
    fn a_tool_that_is_offered_at_other_times_is_not_gone() {
        let offer = |variants: &[&str]| Offer {
            keys: BTreeSet::new(),
            variants: variants.iter().map(|variant| (*variant).to_owned()).collect(),
        };
        let recorded = Offered::from([("always".to_owned(), offer(&["v"])), ("at_times".to_owned(), offer(&[]))]);
        assert_eq!(differing(&recorded, &Offered::new()), ["`always` is gone"]);
        assert_eq!(differing(&recorded, &Offered::from([("always".to_owned(), offer(&["v"]))])), [""; 0]);
    }
}
