//! Whether an agent waits for npm before it loads our plugin, and for how long.
//!
//! Whether it waits is told from its directories. How long is measured only when a person asks about that one agent: by
//! starting it in an empty home with a plugin that ends it as soon as it is loaded. Nothing of the person's is written,
//! and no session begins; what the agent fetches then it would fetch at its own next start.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use symposium_agents::AgentSpec;
use symposium_agents::spec::PackageWait;
use symposium_io::process::ProgramCall;
use symposium_io::settings::MAX_SETTINGS;
use symposium_io::{env, fs};
use symposium_model::sync::DesiredFile;

use super::{AgentReport, FindingWeight};
use crate::ops::agent_detection::AgentPresence;
use crate::ops::agent_paths::AgentRoots;
use crate::ops::settings_lints::is_at;

/// The time limit of the measurement.
const LIMIT: Duration = Duration::from_secs(10);

/// A start this quick is no reason for a warning.
const QUICK: Duration = Duration::from_secs(5);

/// Whether to start the agent to see how long it takes.
#[derive(Clone, Copy)]
pub(crate) enum MeasureMode<'m> {
    /// It is started, after this was told.
    Start(&'m dyn Fn(&str)),
    Look,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LoadTime {
    /// A plugin was loaded after this long.
    Loaded(Duration),
    /// None was loaded within the limit.
    TooLong,
    /// It ended without loading one.
    Ended,
    Not,
}

/// Adds a finding when the agent waits before it loads what registers us.
pub(super) fn examine_wait(
    roots: AgentRoots<'_>,
    facts: &AgentSpec,
    files: &[&DesiredFile],
    measure: MeasureMode<'_>,
    examination: &mut AgentReport,
) {
    let Some(wait) = facts.waits_for else { return };
    let has_plugin = files.iter().any(|file| facts.hooks.iter().any(|hooks| is_at(hooks, &file.path)));
    let gives_up = env::variables().get(wait.give_up.0).is_some_and(|value| value == wait.give_up.1);
    if !has_plugin || gives_up {
        return;
    }
    let places = wait.directories.iter().filter_map(|place| roots.resolve(*place));
    let missing: Vec<PathBuf> = places.filter(|at| fs::is_dir(at) && !is_installed(wait.package, at)).collect();
    if missing.is_empty() {
        return;
    }
    let measured = match (measure, &examination.presence) {
        (MeasureMode::Start(announce), AgentPresence::Program(program)) => {
            let seconds = LIMIT.as_secs();
            announce(&format!("starting {} in an empty home directory, for at most {seconds} s", facts.title));
            start(roots, wait, program)
        }
        (MeasureMode::Start(_), AgentPresence::Directory(_) | AgentPresence::Nowhere) | (MeasureMode::Look, _) => {
            LoadTime::Not
        }
    };
    match measured {
        LoadTime::Loaded(took) => examination.loaded_in = Some(took),
        LoadTime::TooLong | LoadTime::Ended | LoadTime::Not => {}
    }
    if let Some(message) = message(facts.title, wait.package, &missing, measured) {
        let (variable, value) = wait.give_up;
        let fix = format!("start it once with access to the npm registry, or set `{variable}={value}` for it");
        examination.add(FindingWeight::Warning, message, fix);
    }
}

/// Whether npm has nothing to do in a directory: what is asked for there, and the package, is in the lock file.
fn is_installed(package: &str, directory: &Path) -> bool {
    let read = |name: &str| -> Value {
        let text = fs::read_text_if_there(&directory.join(name), MAX_SETTINGS).ok().flatten();
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    };
    fs::is_dir(&directory.join("node_modules")) && lists(package, &read("package.json"), &read("package-lock.json"))
}

/// Whether a lock file names everything that is asked for. Versions do not count.
fn lists(package: &str, asked: &Value, lock: &Value) -> bool {
    let kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
    let names = |of: &Value| -> Vec<String> {
        let lists = kinds.iter().filter_map(|kind| of.get(kind)?.as_object());
        lists.flat_map(|list| list.keys().cloned()).collect()
    };
    let locked = lock.get("packages").and_then(|packages| packages.get("")).map(&names).unwrap_or_default();
    let mut wanted = names(asked);
    wanted.push(package.to_owned());
    wanted.iter().all(|name| locked.contains(name))
}

/// Starts the agent in an empty home, with everything it starts ended at the limit.
fn start(roots: AgentRoots<'_>, wait: &PackageWait, program: &Path) -> LoadTime {
    let probe = &wait.probe;
    let Ok(home) = fs::scratch_dir() else { return LoadTime::Not };
    if fs::write_new(&home.path().join(probe.file), probe.text.as_bytes()).is_err() {
        return LoadTime::Not;
    }
    let mut variables: Vec<_> = probe.variables.iter().map(|(name, value)| (*name, value.map(Into::into))).collect();
    let inside = |at: &str| if at.is_empty() { home.path().to_owned() } else { home.path().join(at) };
    variables.extend(probe.homes.iter().map(|(name, at)| (*name, Some(inside(at).into_os_string()))));
    let (name, file) = probe.npm_settings;
    let npm_settings = roots.home.map(|home| home.join(file)).filter(|file| fs::is_file(file));
    if let Some(file) = npm_settings.filter(|_| !env::variables().contains_key(name)) {
        variables.push((name, Some(file.into_os_string())));
    }
    let call = ProgramCall { program, args: probe.args, directory: home.path(), input: "", limit: LIMIT, variables };
    match call.run() {
        Ok(Some(finished)) if finished.stdout.contains(probe.says) => LoadTime::Loaded(finished.took),
        Ok(Some(_)) => LoadTime::Ended,
        Ok(None) => LoadTime::TooLong,
        Err(_) => LoadTime::Not,
    }
}

/// Warns about directories without the package; `None` if the agent starts quickly without it.
fn message(title: &str, package: &str, missing: &[PathBuf], measured: LoadTime) -> Option<String> {
    let measured = match measured {
        LoadTime::Loaded(took) if took < QUICK => return None,
        LoadTime::Loaded(took) => {
            format!("; measured in an empty home directory, the start took {:.1} s", took.as_secs_f64())
        }
        LoadTime::TooLong => {
            format!("; measured in an empty home directory, the start took over {} s", LIMIT.as_secs())
        }
        LoadTime::Ended => {
            "; it could not be measured, because it loaded no plugin in an empty home directory".to_owned()
        }
        LoadTime::Not => String::new(),
    };
    let places: Vec<String> = missing.iter().map(|path| path.display().to_string()).collect();
    Some(format!(
        "{title} loads no plugin before npm has installed `{package}` in {}: this takes seconds, once, with network \
         access, and over a minute at every start without it{measured}",
        places.join(" and ")
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_lock_file_lists_what_is_asked_for_and_the_package() {
        let check = |asked: Value, lock: Value, wanted: bool| assert_eq!(lists("p", &asked, &lock), wanted, "{lock}");
        let lock = |names: Value| json!({ "packages": { "": names, "node_modules/p": {} } });
        check(Value::Null, Value::Null, false);
        check(Value::Null, lock(json!({ "dependencies": { "p": "1" } })), true);
        check(Value::Null, lock(json!({ "devDependencies": { "p": "1" } })), true);
        check(Value::Null, lock(json!({ "dependencies": { "q": "1" } })), false);
        let asked = json!({ "dependencies": { "p": "2", "q": "1" } });
        check(asked.clone(), lock(json!({ "dependencies": { "p": "1" } })), false);
        check(asked, lock(json!({ "dependencies": { "p": "1", "q": "1" } })), true);
    }

    #[test]
    fn what_was_measured_is_said() {
        let said = |measured| message("A", "p", &["/d".into(), "/e".into()], measured);
        assert_eq!(said(LoadTime::Loaded(Duration::from_millis(4999))), None);
        let all = "A loads no plugin before npm has installed `p` in /d and /e: this takes seconds, once, with network \
                   access, and over a minute at every start without it";
        assert_eq!(said(LoadTime::Not).as_deref(), Some(all));
        let ends = |measured, end: &str| assert_eq!(said(measured), Some(format!("{all}{end}")));
        ends(
            LoadTime::Loaded(Duration::from_millis(5040)),
            "; measured in an empty home directory, the start took 5.0 s",
        );
        ends(LoadTime::TooLong, "; measured in an empty home directory, the start took over 10 s");
        ends(LoadTime::Ended, "; it could not be measured, because it loaded no plugin in an empty home directory");
    }
}
