//! The tools: their names, their arguments, and the guidance each returns.

use serde_json::{Map, Value, json};
use symposium_model::guidance_provider::{
    ApiQuestion, ApiReach, ChangesFrom, GuidanceProvider, SourceAction, SourceQuestion,
};
use symposium_model::suggest::advice;

use crate::rpc::RequestError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum McpTool {
    Start,
    List,
    Crate,
    CrateSource,
    Api,
    Why,
}

struct ToolArgument {
    name: &'static str,
    description: &'static str,
    need: ArgumentNeed,
    kind: ArgumentKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentKind {
    Text,
    Action,
    /// Lines of a file; some clients send a number.
    Lines,
    /// A version; some clients send `true` for the usual one.
    Version,
    Flag,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentNeed {
    Required,
    Optional,
}

const fn argument(
    name: &'static str,
    need: ArgumentNeed,
    kind: ArgumentKind,
    description: &'static str,
) -> ToolArgument {
    ToolArgument { name, description, need, kind }
}
const NAME: ToolArgument = argument(
    "name",
    ArgumentNeed::Required,
    ArgumentKind::Text,
    "The name of the crate in Cargo.toml, such as `serde`; `-` and `_` are equivalent",
);

const CRATE_SOURCE: &[ToolArgument] = &[
    NAME,
    argument(
        "action",
        ArgumentNeed::Required,
        ArgumentKind::Action,
        "`list` the files, `read` lines of the file at `path`, `search` for `query`, or show \
         `examples`",
    ),
    argument(
        "version",
        ArgumentNeed::Optional,
        ArgumentKind::Text,
        "The locked version, such as `0.8`, if the workspace has several versions of the crate",
    ),
    argument(
        "path",
        ArgumentNeed::Optional,
        ArgumentKind::Text,
        "The file or directory of the crate to read or search, such as `src/lib.rs`",
    ),
    argument(
        "query",
        ArgumentNeed::Optional,
        ArgumentKind::Text,
        "A regular expression for each line, such as `pub fn spawn`, or `(?i)error` to ignore \
         case; with `examples`, it selects the matching examples",
    ),
    argument(
        "range",
        ArgumentNeed::Optional,
        ArgumentKind::Lines,
        "The lines to read, such as `120-180`; `120-` reads to the end",
    ),
    argument("cursor", ArgumentNeed::Optional, ArgumentKind::Text, "The cursor at the end of an incomplete result"),
];

impl ToolArgument {
    fn schema(&self) -> Value {
        match self.kind {
            ArgumentKind::Text | ArgumentKind::Lines | ArgumentKind::Version => {
                json!({ "type": "string", "description": self.description })
            }
            ArgumentKind::Action => {
                let actions = SourceAction::ALL.map(SourceAction::name);
                json!({ "type": "string", "description": self.description, "enum": actions })
            }
            ArgumentKind::Flag => json!({ "type": "boolean", "description": self.description }),
        }
    }
}

const API_ARGUMENTS: [ToolArgument; 4] = [
    argument(
        "query",
        ArgumentNeed::Required,
        ArgumentKind::Text,
        "A crate such as `tokio` (what it has), a path such as `tokio::sync::Semaphore` or \
         `Semaphore::acquire` (that item whole), or words such as `spawn blocking` (what fits best)",
    ),
    argument(
        "changes",
        ArgumentNeed::Optional,
        ArgumentKind::Version,
        "With a crate: what changed in its items since this version, and where the workspace uses \
         what was removed; an empty text is the version that was locked before",
    ),
    argument(
        "version",
        ArgumentNeed::Optional,
        ArgumentKind::Text,
        "The locked version, such as `0.8`, if the workspace has several versions of the crate",
    ),
    argument(
        "all",
        ArgumentNeed::Optional,
        ArgumentKind::Flag,
        "Search all locked crates, not only direct dependencies",
    ),
];

impl McpTool {
    const ALL: [Self; 6] = [Self::Start, Self::List, Self::Crate, Self::CrateSource, Self::Api, Self::Why];

    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::List => "list",
            Self::Crate => "crate",
            Self::CrateSource => "crate_source",
            Self::Api => "api",
            Self::Why => "why",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Start => {
                "Rust guidance for this workspace and the skills that match its dependencies. Call it once, when work \
                 on Rust code begins."
            }
            Self::List => "The crates that this workspace depends on, with their locked versions and skills.",
            Self::Crate => {
                "Information about one crate at its locked version: guidance for that version, further skills, and \
                 the paths of its source, documentation and examples on disk. Call it before you write or change code \
                 that uses the crate."
            }
            Self::CrateSource => {
                "Reads the source of one crate at its locked version from this machine: lists files, reads lines of a \
                 file, searches with a regular expression, or shows examples. Call it to see a signature or an \
                 example instead of guessing an API."
            }
            Self::Api => {
                "Public items of the crates this workspace uses, at the versions it has locked: names, signatures, \
                 fields, variants, methods, features. Call it when you are not sure what something is called or takes, \
                 and after a dependency was updated."
            }
            Self::Why => {
                "Explains why a crate, skill or plugin applies to this workspace or not: every condition, the version \
                 it was compared with, and the dependency path. Call it when expected guidance is missing."
            }
        }
    }

    fn arguments(self) -> &'static [ToolArgument] {
        match self {
            Self::Start | Self::List => &[],
            Self::Crate => {
                const {
                    &[
                        NAME,
                        argument(
                            "version",
                            ArgumentNeed::Optional,
                            ArgumentKind::Text,
                            "The version, such as `1.40`; omit it to use the locked version",
                        ),
                    ]
                }
            }
            Self::CrateSource => CRATE_SOURCE,
            Self::Api => &API_ARGUMENTS,
            Self::Why => {
                const {
                    &[argument(
                        "name",
                        ArgumentNeed::Required,
                        ArgumentKind::Text,
                        "A crate, skill or plugin by name, or a file of a plugin source by its path",
                    )]
                }
            }
        }
    }

    fn describe(self) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for argument in self.arguments() {
            properties.insert(argument.name.to_owned(), argument.schema());
            if argument.need == ArgumentNeed::Required {
                required.push(argument.name);
            }
        }
        let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
        // Older schema validators require this list to be non-empty.
        if let (Some(schema), false) = (schema.as_object_mut(), required.is_empty()) {
            schema.insert("required".to_owned(), json!(required));
        }
        json!({
            "name": self.name(),
            "description": self.description(),
            "inputSchema": schema,
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        })
    }
}

/// Returns the description of all tools, as clients get it.
pub fn describe_tools() -> String {
    list().to_string()
}

pub fn tool_names() -> [&'static str; McpTool::ALL.len()] {
    McpTool::ALL.map(McpTool::name)
}

pub(crate) fn list() -> Value {
    json!({ "tools": McpTool::ALL.map(McpTool::describe) })
}

/// Answers `tools/call`; it may end early when the answer is not wanted any more.
pub(crate) fn call(
    guidance: &dyn GuidanceProvider,
    params: &Map<String, Value>,
    wanted: &dyn Fn() -> bool,
) -> Result<Value, RequestError> {
    let name = match params.get("name") {
        Some(Value::String(name)) => name,
        Some(_) => return Err(RequestError::params("`name` of the tool is not a string")),
        None => return Err(RequestError::params("`name` of the tool is missing")),
    };
    let Some(tool) = McpTool::ALL.into_iter().find(|tool| tool.name() == name) else {
        return Err(unknown(name));
    };
    let nothing = Map::new();
    let arguments = match params.get("arguments") {
        None | Some(Value::Null) => &nothing,
        Some(Value::Object(arguments)) => arguments,
        Some(_) => return Err(RequestError::params(format!("`arguments` of tool `{name}` is not an object"))),
    };
    // An error in the arguments is for the model, which can correct them.
    if let Err(wrong) = check(tool, arguments) {
        return Ok(said(&wrong, ToolOutcome::No));
    }
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    // Some clients send an empty text for an omitted argument.
    let version = text("version").filter(|version| !version.trim().is_empty());
    let lines = arguments.get("range").and_then(Value::as_u64).map(|line| line.to_string());
    let subject = text("name").unwrap_or_default();
    let answer = match tool {
        McpTool::Start => Ok(guidance.start()),
        McpTool::List => Ok(guidance.list()),
        McpTool::Crate => guidance.krate(subject, version),
        McpTool::CrateSource => {
            let action = match action(text("action").unwrap_or_default()) {
                Ok(action) => action,
                Err(wrong) => return Ok(said(&wrong, ToolOutcome::No)),
            };
            let question = SourceQuestion {
                name: subject,
                version,
                action,
                path: text("path"),
                query: text("query"),
                range: text("range").or(lines.as_deref()),
                cursor: text("cursor"),
            };
            guidance.source(&question, wanted)
        }
        McpTool::Api => {
            let is_asked = |name: &str| arguments.get(name) == Some(&Value::Bool(true));
            guidance.api(&ApiQuestion {
                query: text("query").unwrap_or_default(),
                version,
                reach: if is_asked("all") || text("all") == Some("true") {
                    ApiReach::Everything
                } else {
                    ApiReach::Direct
                },
                changes: text("changes").or(is_asked("changes").then_some("")).map(ChangesFrom::parse),
            })
        }
        McpTool::Why => guidance.why(subject),
    };
    Ok(match answer {
        Ok(text) => said(&text, ToolOutcome::Yes),
        Err(text) => said(&text, ToolOutcome::No),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ToolOutcome {
    Yes,
    No,
}

fn said(text: &str, tone: ToolOutcome) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "isError": tone == ToolOutcome::No })
}

/// Checks that each argument belongs to the tool and is a string; `null` stands for an omitted one.
fn check(tool: McpTool, given: &Map<String, Value>) -> Result<(), String> {
    let name = tool.name();
    let known = tool.arguments();
    // Some clients invent an argument for a tool that takes none.
    if known.is_empty() {
        return Ok(());
    }
    for argument in known {
        match (given.get(argument.name), argument.need) {
            (Some(Value::String(text)), _) if argument.kind == ArgumentKind::Flag => {
                if !matches!(text.as_str(), "true" | "false") {
                    return Err(format!("The argument `{}` of tool `{name}` is not a boolean", argument.name));
                }
            }
            (Some(Value::String(_)), _) | (None | Some(Value::Null), ArgumentNeed::Optional) => {}
            (Some(Value::Number(number)), _) if argument.kind == ArgumentKind::Lines && number.is_u64() => {}
            (Some(Value::Bool(_)), _) if matches!(argument.kind, ArgumentKind::Version | ArgumentKind::Flag) => {}
            (None | Some(Value::Null), ArgumentNeed::Required) => {
                let message = format!("Tool `{name}` needs the argument `{}`: {}", argument.name, argument.description);
                return Err(message);
            }
            (Some(_), _) => {
                let kind = if argument.kind == ArgumentKind::Flag { "boolean" } else { "string" };
                let message = format!("The argument `{}` of tool `{name}` is not a {kind}", argument.name);
                return Err(message);
            }
        }
    }
    match given.keys().find(|key| known.iter().all(|argument| argument.name != key.as_str())) {
        None => Ok(()),
        Some(stray) => {
            let known: Vec<String> = known.iter().map(|argument| format!("`{}`", argument.name)).collect();
            let known = match known.split_last() {
                Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
                _ => known.concat(),
            };
            Err(format!("Tool `{name}` has no argument `{stray}`; it takes {known}"))
        }
    }
}

fn unknown(name: &str) -> RequestError {
    let names = McpTool::ALL.map(McpTool::name);
    let help = advice(name, &names, || format!("there are {}", names.map(|name| format!("`{name}`")).join(", ")));
    RequestError::params(format!("Unknown tool `{name}`; {help}"))
}

fn action(written: &str) -> Result<SourceAction, String> {
    SourceAction::ALL.into_iter().find(|action| action.name() == written).ok_or_else(|| {
        let names = SourceAction::ALL.map(|action| format!("`{}`", action.name())).join(", ");
        format!("`{written}` is not an action of tool `crate_source`; the actions are {names}")
    })
}
