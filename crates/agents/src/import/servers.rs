//! The conversion of an agent's MCP servers into servers of a plugin, without their secrets.

use serde_json::{Map, Value};
use symposium_model::transport::Transport;

use super::entries::{is_own, left_out, plugin_directory};
use super::hooks::elsewhere;
use super::secret;
use super::{ConvertedServer, ImportInput, ImportResult, SkippedEntry};
use crate::settings_layout::{BareUrl, LoadedLayer, PluginPlace, SettingsLayout, VariableMeaning};
use crate::spec;

/// Keys that are converted, and keys without a meaning for other agents.
const KNOWN: [&str; 25] = [
    "command",
    "cmd",
    "args",
    "env",
    "environment",
    "envs",
    "env_keys",
    "env_vars",
    "url",
    "httpUrl",
    "serverUrl",
    "uri",
    "type",
    "headers",
    "http_headers",
    "env_http_headers",
    "bearer_token_env_var",
    "cwd",
    "name",
    "description",
    "enabled",
    "disabled",
    "display_name",
    "bundled",
    "id",
];

pub(super) fn names(estate: &ImportInput<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for settings in estate.settings {
        let place = PluginPlace { path: settings.path, workspace: estate.workspace };
        if (spec(estate.agent).holdings.plugin_is_off)(&place, estate.settings).is_none() {
            names.extend(servers_of(estate, settings).map(|(name, _)| name.clone()));
        }
    }
    names
}

fn servers_of<'s>(
    estate: &'s ImportInput<'_>,
    settings: &'s LoadedLayer<'_>,
) -> impl Iterator<Item = (&'s String, &'s Map<String, Value>)> {
    let servers = settings.layer.servers.and_then(|keys| settings.at(keys, estate.workspace));
    servers
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter(|(name, server)| !(estate.is_our_server)(settings.path, name, server))
        .filter_map(|(name, server)| Some((name, server.as_object()?)))
}

/// Imports the servers of the wanted scope; those of the other are skipped and reported.
pub(super) fn carry(estate: &ImportInput<'_>, carried: &mut ImportResult) {
    for settings in estate.settings.iter().filter(|settings| is_own(settings)) {
        let named = settings.layer.servers.and_then(|keys| settings.at(keys, estate.workspace)).and_then(Value::as_str);
        if let Some(path) = named.filter(|path| path.trim_start_matches("./") != ".mcp.json") {
            carried.left_out.push(left_out(
                settings,
                "its MCP servers",
                &format!("they are in another file, `{path}`"),
            ));
        }
        for (name, server) in servers_of(estate, settings) {
            let what = format!("MCP server `{name}`");
            if settings.layer.scope != estate.scope {
                carried.left_out.push(left_out(settings, &what, &elsewhere(estate)));
                continue;
            }
            // A later layer replaces an earlier one.
            carried.servers.retain(|known| known.name != *name);
            match convert(estate, settings, name, server, &mut carried.left_out) {
                Ok(server) => carried.servers.push(server),
                Err(why) => carried.left_out.push(left_out(settings, &what, &why)),
            }
        }
    }
}

fn convert(
    estate: &ImportInput<'_>,
    settings: &LoadedLayer<'_>,
    name: &str,
    server: &Map<String, Value>,
    lost: &mut Vec<SkippedEntry>,
) -> Result<ConvertedServer, String> {
    let facts = spec(estate.agent);
    let says = |key: &str, wanted| server.get(key).and_then(Value::as_bool) == Some(wanted);
    if says("disabled", true) || says("enabled", false) {
        return Err("it is switched off".to_owned());
    }
    if let Some(why) = (facts.holdings.server_is_off)(name, estate.settings) {
        return Err(why);
    }
    let kind = text(server, &["type"]).unwrap_or_default();
    if matches!(kind.as_str(), "builtin" | "platform" | "frontend" | "inline_python" | "sdk") {
        return Err(format!("it is part of {}", facts.title));
    }
    let plugin = PluginPlace { path: settings.path, workspace: estate.workspace };
    if let Some(why) = (facts.holdings.plugin_is_off)(&plugin, estate.settings) {
        return Err(why);
    }
    let mut changes = Vec::new();
    let placed = placed(server, facts.holdings, settings.path);
    let server = placed.as_ref().unwrap_or(server);
    let words = words(server);
    let url = text(server, &["httpUrl", "url", "serverUrl", "uri"]);
    let transport = match (words.split_first(), url) {
        (Some((command, args)), _) => {
            let args = hide_arguments(name, args, &mut changes);
            let (command, args) = match text(server, &["cwd"]) {
                None => (reference(command), args),
                Some(directory) => {
                    changes.push("its working directory is set by `sh`".to_owned());
                    let start = ["-c".to_owned(), "cd \"$0\" && exec \"$@\"".to_owned(), directory, reference(command)];
                    ("sh".to_owned(), start.into_iter().chain(args).collect())
                }
            };
            Transport::Stdio { command, args, env: environment(server, &mut changes) }
        }
        (None, Some(url)) => {
            let url = hide_in_url(name, &reference(&url), &mut changes);
            let headers = headers(name, server, &mut changes);
            let bare = kind.is_empty() && server.contains_key("url") && !server.contains_key("httpUrl");
            let older = kind == "sse" || (bare && facts.holdings.bare_url == BareUrl::Sse);
            if older { Transport::Sse { url, headers } } else { Transport::Http { url, headers } }
        }
        (None, None) => return Err("it has neither a command nor an address".to_owned()),
    };
    let other: Vec<&str> = server.keys().map(String::as_str).filter(|key| !KNOWN.contains(key)).collect();
    if !other.is_empty() {
        lost.push(left_out(
            settings,
            &format!("`{}` of MCP server `{name}`", other.join("`, `")),
            &format!("only {} has this setting", facts.title),
        ));
    }
    Ok(ConvertedServer { name: name.to_owned(), transport, file: settings.shown.to_owned(), changes })
}

fn placed(server: &Map<String, Value>, holdings: &SettingsLayout, path: &str) -> Option<Map<String, Value>> {
    let directory = plugin_directory(path)?;
    let variables = holdings.variables.iter().filter(|(_, meaning)| *meaning == VariableMeaning::Plugin);
    let forms: Vec<String> = variables.map(|(name, _)| format!("${{{name}}}")).collect();
    if forms.is_empty() {
        return None;
    }
    let replaced = |text: &str| forms.iter().fold(text.to_owned(), |text, form| text.replace(form.as_str(), directory));
    let replaced = |text: &str| replaced(text).replace("${/}", "/").replace("${pathSeparator}", "/");
    fn change(value: &mut Value, replaced: &dyn Fn(&str) -> String) {
        match value {
            Value::String(text) => *text = replaced(text),
            Value::Array(items) => items.iter_mut().for_each(|item| change(item, replaced)),
            Value::Object(fields) => fields.values_mut().for_each(|field| change(field, replaced)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut server = Value::Object(server.clone());
    change(&mut server, &replaced);
    match server {
        Value::Object(server) => Some(server),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    }
}

fn text(server: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| server.get(*key)?.as_str()).map(str::to_owned)
}

/// Returns the command and its arguments, which may be in one list or in two.
fn words(server: &Map<String, Value>) -> Vec<String> {
    let list = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut words = match server.get("command").or_else(|| server.get("cmd")) {
        Some(Value::String(command)) if !command.trim().is_empty() => vec![command.clone()],
        Some(several) => list(several),
        None => return Vec::new(),
    };
    words.extend(server.get("args").map(list).unwrap_or_default());
    words
}

/// Returns the variables for the server. A secret becomes a reference to the variable of the same name.
fn environment(server: &Map<String, Value>, changes: &mut Vec<String>) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for key in ["env", "environment", "envs"] {
        for (name, value) in server.get(key).and_then(Value::as_object).into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), reference);
            if secret::is_secret(name, &value) || secret::is_in_address(&value) {
                changes.push(format!("the value of `{name}` became `${{{name}}}`"));
                pairs.push((name.clone(), format!("${{{name}}}")));
            } else {
                pairs.push((name.clone(), value));
            }
        }
    }
    for key in ["env_keys", "env_vars"] {
        let names = server.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        pairs.extend(names.map(|name| (name.to_owned(), format!("${{{name}}}"))));
    }
    pairs
}

fn headers(server_name: &str, server: &Map<String, Value>, changes: &mut Vec<String>) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for key in ["headers", "http_headers"] {
        for (name, value) in server.get(key).and_then(Value::as_object).into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), reference);
            if !secret::is_secret_header(name, &value) {
                pairs.push((name.clone(), value));
                continue;
            }
            let variable = secret::variable_for(server_name, name);
            let hidden = hidden_header(&value, &variable);
            changes.push(format!("the header `{name}` became `{hidden}`"));
            pairs.push((name.clone(), hidden));
        }
    }
    for (name, variable) in server.get("env_http_headers").and_then(Value::as_object).into_iter().flatten() {
        pairs.extend(variable.as_str().map(|variable| (name.clone(), format!("${{{variable}}}"))));
    }
    let bearer = text(server, &["bearer_token_env_var"]);
    pairs.extend(bearer.map(|variable| ("Authorization".to_owned(), format!("Bearer ${{{variable}}}"))));
    pairs
}

/// Replaces the value of a header by a reference; an authentication scheme stays.
fn hidden_header(value: &str, variable: &str) -> String {
    match value.trim().split_once(' ') {
        Some((scheme, _)) if secret::SCHEMES.contains(&scheme) => format!("{scheme} ${{{variable}}}"),
        _ => format!("${{{variable}}}"),
    }
}

fn hide_arguments(server: &str, args: &[String], changes: &mut Vec<String>) -> Vec<String> {
    let mut hidden = Vec::new();
    let mut option: Option<&str> = None;
    for arg in args {
        hidden.push(match hidden_header_line(server, arg, changes) {
            Some(line) => line,
            // A command line for a shell or the like: each word of it may be a secret.
            None if arg.trim().contains(char::is_whitespace) => {
                let words = arg.split_inclusive(char::is_whitespace);
                words.map(|word| hide_word(server, None, word, changes)).collect()
            }
            None => hide_word(server, option, arg, changes),
        });
        option = Some(arg.as_str()).filter(|arg| arg.starts_with('-') && !arg.contains('='));
    }
    hidden
}

/// Replaces the value of a header in an argument such as `Authorization: Bearer …`.
fn hidden_header_line(server: &str, arg: &str, changes: &mut Vec<String>) -> Option<String> {
    let (name, value) = arg.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if !is_name || value.starts_with("//") || !secret::is_secret(name, reference(value.trim()).as_str()) {
        return None;
    }
    let variable = secret::variable_for(server, name);
    changes.push(format!("the header `{name}` in an argument became `${{{variable}}}`"));
    let blank = if value.starts_with(' ') { " " } else { "" };
    Some(format!("{name}:{blank}{}", hidden_header(value, &variable)))
}

/// Replaces a word that looks like a secret by a reference. `option` is the word before it.
fn hide_word(server: &str, option: Option<&str>, word: &str, changes: &mut Vec<String>) -> String {
    let bare = word.trim();
    let (name, value) = match bare.split_once('=') {
        Some((name, value)) if name.starts_with('-') || is_variable(name) => (Some(name), value),
        Some(_) | None => (option, bare),
    };
    let value = value.trim_matches(['"', '\'']);
    let is_option = value == bare && bare.starts_with('-');
    let known = name.is_some_and(|name| secret::is_secret(name.trim_start_matches('-'), &reference(value)));
    if is_option || !(known || secret::looks_secret(value)) {
        return hide_in_url(server, &reference(word), changes);
    }
    // A variable is set from the variable of the same name.
    let variable = match name.filter(|name| is_variable(name)) {
        Some(name) => name.to_owned(),
        None => secret::variable_for(server, name.map_or("secret", |name| name.trim_start_matches('-'))),
    };
    changes.push(format!("an argument became `${{{variable}}}`"));
    word.replacen(value, &format!("${{{variable}}}"), 1)
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

fn hide_in_url(server: &str, url: &str, changes: &mut Vec<String>) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let mut note = |variable: &str| changes.push(format!("a secret in its address became `${{{variable}}}`"));
    let (place, query) = rest.split_once('?').map_or((rest, None), |(place, query)| (place, Some(query)));
    let (host, path) = place.split_once('/').map_or((place, None), |(host, path)| (host, Some(path)));
    let host = match host.rsplit_once('@') {
        Some((user, host)) if !user.starts_with("${") => {
            let variable = secret::variable_for(server, "credentials");
            note(&variable);
            format!("${{{variable}}}@{host}")
        }
        _ => host.to_owned(),
    };
    let mut hidden = format!("{scheme}://{host}");
    for segment in path.into_iter().flat_map(|path| path.split('/')) {
        hidden.push('/');
        if secret::looks_secret(segment) {
            let variable = secret::variable_for(server, "address");
            note(&variable);
            hidden.push_str(&format!("${{{variable}}}"));
        } else {
            hidden.push_str(segment);
        }
    }
    for (number, pair) in query.into_iter().flat_map(|query| query.split('&')).enumerate() {
        hidden.push(if number == 0 { '?' } else { '&' });
        match pair.split_once('=') {
            Some((name, value)) if secret::is_secret(name, value) => {
                let variable = secret::variable_for(server, name);
                note(&variable);
                hidden.push_str(&format!("{name}=${{{variable}}}"));
            }
            _ => hidden.push_str(pair),
        }
    }
    hidden
}

/// Normalises references to variables: `{env:X}`, `${env:X}` and `$X` become `${X}`.
fn reference(text: &str) -> String {
    let mut done = text.replace("${env:", "${");
    while let Some((before, behind)) = done.split_once("{env:") {
        let Some((name, after)) = behind.split_once('}') else { break };
        done = format!("{before}${{{name}}}{after}");
    }
    let bare = done.strip_prefix('$').filter(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    });
    bare.map(|name| format!("${{{name}}}")).unwrap_or(done)
}

#[cfg(test)]
#[path = "servers_tests.rs"]
mod tests;
