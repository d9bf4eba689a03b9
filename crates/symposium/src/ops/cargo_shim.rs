//! `[cargo] shim`: a `cargo` of Symposium on the PATH of agents' shells.
//!
//! The shim is a link to this program. It works where it can tell a plain command from a part of a script, on Linux.

use symposium_agents::spec::ShellPathChannel;
use symposium_agents::{ShimDirectory, SymposiumProgram, spec};
use symposium_io::{env, fs};
use symposium_model::agent::AgentId;
use symposium_model::config::{AppDirectories, SourceAuthority, SourceRank};
use symposium_model::hook::HookOrder;

use super::agent_paths::AgentRoots;
use super::context::{CallOptions, Context};
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
    let rest = rest_of_path(&context.directories)?;
    Some(ShimDirectory { path: format!("{directory}:{rest}"), directory })
}

/// Returns the directories behind the shim. The recorded value stays the same in every terminal, and is a terminal of the
/// user's.
fn rest_of_path(directories: &AppDirectories) -> Option<String> {
    let recorded = fs::read_text(&directories.shim_path(), fs::MAX_SETTINGS).ok();
    let present = || env::path_without(&directories.shim()).filter(|_| shell_agent().is_none());
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
    match rest_of_path(&context.directories) {
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
pub(crate) fn shell_line(shim: &ShimDirectory) -> String {
    let quoted = shim.directory.replace('\'', r"'\''");
    format!("export PATH='{quoted}'\"${{PATH:+:$PATH}}\"")
}

/// The effect of `[cargo] shim = true` in a workspace.
pub(crate) struct ShimReport {
    /// The directory with the shim, if any agent has it.
    pub(crate) directory: Option<String>,
    pub(crate) holders: Vec<AgentId>,
    /// The reason for which it has no effect.
    pub(crate) hindrance: Option<String>,
}

/// Reports which agents have the shim; `None` if it is not wanted.
pub(crate) fn report(context: &Context) -> Option<ShimReport> {
    if !context.settings.cargo_shim.value {
        return None;
    }
    let without = |reason: String| ShimReport { directory: None, holders: Vec::new(), hindrance: Some(reason) };
    let Some(shim) = directory(context) else { return Some(without(hindrance(&context.directories))) };
    if !is_switched_on(context) {
        return Some(without("the workflow `cargo` is off here".to_owned()));
    }
    let holders: Vec<AgentId> =
        context.user_agents().into_iter().filter(|agent| is_held_by(*agent, context.roots(), &shim)).collect();
    if holders.is_empty() {
        return Some(without("it is not in the settings of any of your agents".to_owned()));
    }
    Some(ShimReport { directory: Some(shim.directory), holders, hindrance: None })
}

/// Says in which agents' shells the shim is, or why it is in none.
pub(crate) fn notice(context: &Context) -> Option<String> {
    let ShimReport { directory, holders, hindrance } = report(context)?;
    if let Some(reason) = hindrance {
        return Some(format!("`[cargo] shim = true` has no effect: {reason}"));
    }
    let titles: Vec<&str> = holders.iter().map(|agent| spec(*agent).title).collect();
    let titles = match titles.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        one => one.concat(),
    };
    let mut text = format!(
        "`[cargo] shim = true`: in the shells of {titles}, a program of Symposium runs under the name `cargo`, from {}; it \
         runs your cargo and prints a shorter output",
        directory.unwrap_or_default()
    );
    for agent in holders.iter().filter(|agent| matches!(spec(**agent).shell_path, ShellPathChannel::Settings(_))) {
        let title = spec(*agent).title;
        text.push_str(&format!(". {title} keeps the PATH of the moment at which this was switched on"));
    }
    Some(text)
}

/// Whether the shim shortens anything in the working directory. If in doubt, it does not.
pub(crate) fn is_wanted() -> bool {
    let context = Context::load(&CallOptions::default());
    context.is_ok_and(|context| context.settings.cargo_shim.value && is_switched_on(&context))
}

/// Whether the workflow `cargo` is on in a workspace.
fn is_switched_on(context: &Context) -> bool {
    let builtin = SourceAuthority::whole(SourceRank::Builtin);
    context.broken_configs.is_empty()
        && context.settings.builtin.value
        && context.choices().hook(builtin, NAME, "output", HookOrder::Normal).is_on()
}

/// Returns the reason for which there is no directory with the shim.
fn hindrance(directories: &AppDirectories) -> String {
    let directory = directories.shim();
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
fn is_held_by(agent: AgentId, roots: AgentRoots<'_>, shim: &ShimDirectory) -> bool {
    match spec(agent).shell_path {
        ShellPathChannel::Unknown => false,
        ShellPathChannel::SessionFile(_) | ShellPathChannel::Module => true,
        ShellPathChannel::Settings(_) => {
            let file = spec(agent).mcp.global.and_then(|choice| roots.resolve(choice.pick(&[])));
            let text = file.and_then(|file| fs::read_text(&file, fs::MAX_SETTINGS).ok());
            text.is_some_and(|text| text.contains(&format!("{}:", shim.directory)))
        }
    }
}
