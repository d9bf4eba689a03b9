//! The name of an agent as an argument.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use symposium_model::agent::AgentId;

/// Reads the name of an agent, which may be an alias and in any letter case; completions offer the usual names.
pub(crate) fn agent_parser() -> impl TypedValueParser<Value = AgentId> {
    AgentParser
}

#[derive(Clone)]
struct AgentParser;

impl TypedValueParser for AgentParser {
    type Value = AgentId;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<AgentId, clap::Error> {
        match value.to_str().and_then(AgentId::parse) {
            Some(agent) => Ok(agent),
            // Clap names the values and the nearest of them.
            None => PossibleValuesParser::new(AgentId::names()).parse_ref(command, arg, value).map(|_| AgentId::Claude),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(AgentId::names().into_iter().map(PossibleValue::new)))
    }
}
