//! `[cargo] shim`: a `cargo` of Symposium on the PATH of agents' shells.
//!
//! The shim is a link to this program. It works where it can tell a plain command from a part of a script, on Linux.

use symposium_agents::spec::ShellPathChannel;
use symposium_agents::{Scope, ShimDirectory, SymposiumProgram, spec};
use symposium_io::{env, fs};
use symposium_model::agent::AgentId;
use symposium_model::config::AppDirectories;

use super::context::Context;
use super::environment::shell_agent;

const IS_SUPPORTED: bool = cfg!(target_os = "linux");

/// The name under which the shim runs.
pub(crate) const NAME: &str = "cargo";

/// Returns the directory with the shim and the PATH for it; `None` if it is not wanted or not possible.
pub(crate) fn directory(context: &Context) -> Option<ShimDirectory> {
    if !context.settings.cargo_shim.value || !IS_SUPPORTED {
        return None;
    }
    // A colon would end the entry of PATH.
    let directory = context.directories.shim().to_str().filter(|directory| !directory.contains(':'))?.to_owned();
    let rest = rest_of_path(context)?;
    Some(ShimDirectory { path: format!("{directory}:{rest}"), directory })
}

/// Returns the directories behind the shim. The recorded value stays the same in every terminal, and is a terminal of the
/// user's.
fn rest_of_path(context: &Context) -> Option<String> {
    let recorded = fs::read_text(&context.directories.shim_path(), fs::MAX_SETTINGS).ok();
    let present = || env::path_without(&context.directories.shim()).filter(|_| shell_agent().is_none());
    recorded.or_else(present)
}

/// Makes the link to a program that the user's configuration asks for, or removes it.
pub(crate) fn update_link(context: &Context, program: &SymposiumProgram) -> fs::FsResult<()> {
    let (place, record) = (context.directories.shim(), context.directories.shim_path());
    let (Some(_), SymposiumProgram::Path { path, .. }) = (directory(context), program) else {
        remove(&context.directories);
        return Ok(());
    };
    let link = place.join(NAME);
    if fs::link_target(&link).as_deref() != Some(path) {
        let _ = fs::remove_file(&link);
        fs::make_link(path, &link)?;
    }
    match rest_of_path(context) {
        Some(rest) if !fs::exists(&record) => fs::write_new(&record, rest.as_bytes()),
        Some(_) | None => Ok(()),
    }
}

/// Removes the link and the recorded PATH.
pub(crate) fn remove(directories: &AppDirectories) {
    let _ = fs::remove_tree(&directories.shim());
    let _ = fs::remove_file(&directories.shim_path());
}

/// Returns the shell code that puts the shim first on PATH.
pub(crate) fn shell_line(context: &Context) -> Option<String> {
    let quoted = directory(context)?.directory.replace('\'', r"'\''");
    Some(format!("export PATH='{quoted}'\"${{PATH:+:$PATH}}\""))
}

/// Says in which agents' shells the shim is, or why it is in none.
pub(crate) fn notice(context: &Context) -> Option<String> {
    if !context.settings.cargo_shim.value {
        return None;
    }
    let without = |reason: &str| format!("`[cargo] shim = true` has no effect: {reason}");
    let Some(shim) = directory(context) else { return Some(without(&hindrance(context))) };
    let holders: Vec<AgentId> =
        context.user_agents().into_iter().filter(|agent| is_held_by(*agent, context, &shim)).collect();
    let titles: Vec<&str> = holders.iter().map(|agent| spec(*agent).title).collect();
    let titles = match titles.as_slice() {
        [] => return Some(without("it is not in the settings of any of your agents")),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    let mut text = format!(
        "`[cargo] shim = true`: in the shells of {titles}, a program of Symposium runs under the name `cargo`, from {}; it \
         runs your cargo and prints a shorter output",
        shim.directory
    );
    for agent in holders.iter().filter(|agent| matches!(spec(**agent).shell_path, ShellPathChannel::Settings(_))) {
        let title = spec(*agent).title;
        text.push_str(&format!(". {title} keeps the PATH of the moment at which this was switched on"));
    }
    Some(text)
}

/// Returns the reason for which there is no directory with the shim.
fn hindrance(context: &Context) -> String {
    let directory = context.directories.shim();
    if !IS_SUPPORTED {
        "it works only on Linux".to_owned()
    } else if directory.to_str().is_none_or(|directory| directory.contains(':')) {
        format!("`{}` cannot be an entry of PATH", directory.display())
    } else if let Some(agent) = shell_agent() {
        format!("this is a shell of {agent}; run `symposium sync` in a terminal of yours")
    } else {
        "PATH names no directory outside the project, or is not UTF-8".to_owned()
    }
}

/// Whether the shells of an agent get the directory. A PATH of the user's own in its settings stays.
fn is_held_by(agent: AgentId, context: &Context, shim: &ShimDirectory) -> bool {
    match spec(agent).shell_path {
        ShellPathChannel::Unknown => false,
        ShellPathChannel::SessionFile(_) | ShellPathChannel::Module => true,
        ShellPathChannel::Settings(_) => {
            let file = context.roots().resolve(spec(agent).mcp.choice(Scope::User).pick(&[]));
            let text = file.and_then(|file| fs::read_text(&file, fs::MAX_SETTINGS).ok());
            text.is_some_and(|text| text.contains(&format!("{}:", shim.directory)))
        }
    }
}
