//! Parser of `[[mcp_servers]]`.

use super::conditions;
use super::installations::read_strings;
use super::plugin::McpServer;
use crate::toml_table::{ParseReport, StringOrTable, TomlTable};
use crate::transport::Transport;

const OURS: &str = "symposium";

pub(super) fn read(mut table: TomlTable<'_>, report: &mut ParseReport<'_>) -> Option<McpServer> {
    let errors = report.errors();
    let span = table.span();
    let conditions = conditions::read(&mut table, report);
    let name = table.string("name", report);
    let kind = table.string("type", report);
    let command = table.string("command", report);
    let args = read_strings(&mut table, "args", report);
    let env = read_pairs(&mut table, "env", report);
    let url = table.string("url", report);
    let headers = read_pairs(&mut table, "headers", report);
    table.finish(report);

    let transport = match (kind.as_ref().map(|kind| kind.value.as_str()), command, url) {
        (None | Some("stdio"), Some(command), None) => Some(Transport::Stdio { command: command.value, args, env }),
        (None | Some("http" | "streamable-http"), None, Some(url)) => Some(Transport::Http { url: url.value, headers }),
        (Some("sse"), None, Some(url)) => Some(Transport::Sse { url: url.value, headers }),
        (Some("stdio" | "http" | "streamable-http" | "sse") | None, _, _) => {
            let message = "An MCP server needs either `command` or `url`";
            report.error(span.clone(), message, "write `command = \"…\"`, or `type = \"http\"` and `url = \"…\"`");
            None
        }
        (Some(other), _, _) => {
            let place = kind.as_ref().map_or(span.clone(), |kind| kind.span.clone());
            report.error(place, format!("Unknown MCP server type `{other}`"), "use `stdio`, `http` or `sse`");
            None
        }
    };
    let Some(name) = name else {
        if report.errors() == errors {
            report.error(span, "This MCP server has no name", "add `name = \"…\"`");
        }
        return None;
    };
    if name.value == OURS {
        report.warning(
            name.span.clone(),
            "This MCP server has the same name as Symposium's own server, so it is not registered",
            "give it another name",
        );
    }
    if report.errors() > errors {
        return None;
    }
    Some(McpServer { name: name.value, conditions, transport: transport? })
}

/// Parses variables or headers: a table of strings, `"NAME=value"` strings, or tables with `name` and `value`.
fn read_pairs(table: &mut TomlTable<'_>, key: &'static str, report: &mut ParseReport<'_>) -> Vec<(String, String)> {
    if table.is_table(key) {
        let pairs = table.table(key, report).map(|pairs| pairs.named_strings(report)).unwrap_or_default();
        return pairs.into_iter().map(|(name, value)| (name, value.value)).collect();
    }
    let mut pairs = Vec::new();
    for entry in table.strings_or_tables(key, report) {
        match entry {
            StringOrTable::String(text) => match text.value.split_once('=') {
                Some((name, value)) => pairs.push((name.to_owned(), value.to_owned())),
                None => report.error(text.span, format!("`{}` is not a pair", text.value), "write `\"NAME=value\"`"),
            },
            StringOrTable::Table(mut entry) => {
                let span = entry.span();
                let name = entry.string("name", report);
                let value = entry.string("value", report);
                entry.finish(report);
                match (name, value) {
                    (Some(name), Some(value)) => pairs.push((name.value, value.value)),
                    _ => report.error(span, format!("An entry of `{key}` needs `name` and `value`"), "add both"),
                }
            }
        }
    }
    pairs
}
