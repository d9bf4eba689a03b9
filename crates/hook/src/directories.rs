//! Location of Symposium's own directories for a call that may come from a project.

use std::path::PathBuf;

use symposium_agents::dialect;
use symposium_model::config::AppDirectories;

use crate::args::{HookArguments, HookCaller};
use crate::edge::{disk, environment};
use crate::hook_log::LogEntry;
use crate::workspace_root::{self, OurName};

/// Returns Symposium's directories. A variable that points into the project is ignored, since the project's author may
/// have set it.
pub(crate) fn find(call: &HookArguments, entry: &mut LogEntry) -> Option<AppDirectories> {
    let variables = environment::directory_variables(call.ours.clone());
    let directories = AppDirectories::resolve(&variables)?;
    if call.ours.home.is_some() || !is_of_project(call, &directories) {
        return Some(directories);
    }
    entry.note("A variable places Symposium's files in this project, so it is ignored");
    AppDirectories::resolve(&variables.usual()).filter(|usual| !is_of_project(call, usual))
}

/// Returns true if one of Symposium's directories is inside the project of the call, or is named through `/proc`.
fn is_of_project(call: &HookArguments, directories: &AppDirectories) -> bool {
    let host = match call.caller {
        HookCaller::Agent(agent, _) | HookCaller::UnknownEvent(agent) => Some(agent),
        HookCaller::Canonical(_) | HookCaller::Unknown => None,
    };
    let variable = host.and_then(|host| dialect(host).project_variable).and_then(environment::variable);
    let starts: Vec<PathBuf> = variable.map(PathBuf::from).into_iter().chain(environment::current_dir()).collect();
    let ours = [&directories.config, &directories.cache, &directories.logs];
    // Fast path: most calls set no such variable.
    let is_near = |ours: &&PathBuf| ours.starts_with("/proc") || starts.iter().any(|start| ours.starts_with(start));
    if !environment::names_directories() && !ours.iter().any(is_near) {
        return false;
    }
    let home = environment::home(&call.ours);
    // Symposium's files are in no project, regardless of the project's owner.
    let whoever_owns = ["/".to_owned()];
    starts.iter().filter_map(|start| disk::canonical(start)).any(|start| {
        let found =
            workspace_root::find(&start, home.as_deref(), &directories.config, OurName::Resolved, &whoever_owns).found;
        let project = found.map(|(root, _)| root);
        // A directory that contains the home directory is not a project.
        let project = project.or_else(|| home.as_ref().is_none_or(|home| !home.starts_with(&start)).then_some(start));
        ours.iter().any(|ours| workspace_root::leads_into(ours, project.as_deref()))
    })
}
