//! MCP servers of an agent as servers of a plugin, without their secrets.

use serde_json::{Map, Value};
use symposium_model::transport::Transport;

use super::entries::{is_own, left_out};
use super::hooks::elsewhere;
use super::secret;
use super::{Carried, CarriedServer, Estate, LeftOut};
use crate::holdings::{BareUrl, Settings};
use crate::spec;

/// Keys that say how a server is reached, and those that say nothing more.
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

/// The names of the servers in an agent's settings that are not ours.
pub(super) fn names(estate: &Estate<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for settings in estate.settings {
        names.extend(servers_of(estate, settings).map(|(name, _)| name.clone()));
    }
    names
}

fn servers_of<'s>(
    estate: &'s Estate<'_>,
    settings: &'s Settings<'_>,
) -> impl Iterator<Item = (&'s String, &'s Map<String, Value>)> {
    let servers = settings.layer.servers.and_then(|keys| settings.at(keys, estate.workspace));
    servers
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter(|(name, server)| !(estate.is_our_server)(settings.path, name, server))
        .filter_map(|(name, server)| Some((name, server.as_object()?)))
}

/// Carries over the servers of the wanted scope; those of the other are named.
pub(super) fn carry(estate: &Estate<'_>, carried: &mut Carried) {
    for settings in estate.settings.iter().filter(|settings| is_own(settings)) {
        for (name, server) in servers_of(estate, settings) {
            let what = format!("MCP server `{name}`");
            if settings.layer.scope != estate.scope {
                carried.left_out.push(left_out(settings, &what, &elsewhere(estate)));
                continue;
            }
            // A later layer takes the place of an earlier one.
            carried.servers.retain(|known| known.name != *name);
            match convert(estate, settings, name, server, &mut carried.left_out) {
                Ok(server) => carried.servers.push(server),
                Err(why) => carried.left_out.push(left_out(settings, &what, &why)),
            }
        }
    }
}

fn convert(
    estate: &Estate<'_>,
    settings: &Settings<'_>,
    name: &str,
    server: &Map<String, Value>,
    lost: &mut Vec<LeftOut>,
) -> Result<CarriedServer, String> {
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
    let mut changes = Vec::new();
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
            &format!("a setting of {} alone", facts.title),
        ));
    }
    Ok(CarriedServer { name: name.to_owned(), transport, file: settings.shown.to_owned(), changes })
}

fn text(server: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| server.get(*key)?.as_str()).map(str::to_owned)
}

/// The command and its arguments, in one list or in two.
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

/// Variables for the server. A secret becomes a reference to the variable of the same name.
fn environment(server: &Map<String, Value>, changes: &mut Vec<String>) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for key in ["env", "environment", "envs"] {
        for (name, value) in server.get(key).and_then(Value::as_object).into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), reference);
            if secret::is_secret(name, &value) {
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
            let hidden = match value.split_once(' ') {
                Some((scheme @ ("Bearer" | "Basic" | "Token"), _)) => format!("{scheme} ${{{variable}}}"),
                _ => format!("${{{variable}}}"),
            };
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

/// Arguments, with a reference in the place of what looks like a secret.
fn hide_arguments(server: &str, args: &[String], changes: &mut Vec<String>) -> Vec<String> {
    let mut hidden = Vec::new();
    let mut option: Option<&str> = None;
    for arg in args {
        let arg = arg.as_str();
        let (name, value) = match arg.split_once('=').filter(|(name, _)| name.starts_with('-')) {
            Some((name, value)) => (Some(name), value),
            None => (option, arg),
        };
        option = Some(arg).filter(|arg| arg.starts_with('-') && !arg.contains('='));
        let is_option = value == arg && arg.starts_with('-');
        let known = name.is_some_and(|name| secret::is_secret(name.trim_start_matches('-'), value));
        if is_option || !(known || secret::looks_secret(value)) {
            let plain = hide_in_url(server, &reference(arg), changes);
            hidden.push(plain);
            continue;
        }
        let variable = secret::variable_for(server, name.map_or("secret", |name| name.trim_start_matches('-')));
        changes.push(format!("an argument became `${{{variable}}}`"));
        let kept = arg.strip_suffix(value).unwrap_or_default();
        hidden.push(format!("{kept}${{{variable}}}"));
    }
    hidden
}

/// An address without what only its owner should know.
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
    if let Some(path) = path {
        hidden.push('/');
        hidden.push_str(path);
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

/// References to variables in our form: `{env:X}`, `${env:X}` and `$X` become `${X}`.
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
