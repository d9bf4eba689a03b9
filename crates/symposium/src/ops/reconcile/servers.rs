//! Decides which MCP servers of plugins are registered, and which lack a grant.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use symposium_io::fs;
use symposium_model::authority::{OffReason, ToggleState, is_personal};
use symposium_model::catalog::{Catalog, CopyChoice, LoadedPlugin, LoadedSource};
use symposium_model::config::SourceSpec;
use symposium_model::evaluate::{ConditionFacts, ConditionOwner, evaluate};
use symposium_model::manifest::ProgramFile;
use symposium_model::select::Selection;
use symposium_model::sync::Ledger;
use symposium_model::sync::desired::{PluginServer, ServerScope};
use symposium_model::transport::{RegisteredServer, ServerTransport};
use symposium_model::trust::{CommandKind, GrantScope, grant_scope};

use crate::ops::catalog::root_of;
use crate::ops::context::{ChosenThere, Context};
use crate::ops::installations;
use crate::ops::trust::command_paths::PathResolver;
use crate::ops::trust::{PendingCommand, PluginTrust, TrustReport};

/// The variable by which a server refers to its plugin's directory.
const PLUGIN_DIRECTORY: &str = "SYMPOSIUM_PLUGIN_DIR";

/// MCP servers of plugins, by whether they may be started.
#[derive(Debug, Default)]
pub(crate) struct PluginServers {
    pub(crate) permitted: Vec<PluginServer>,
    /// Those that wait for a grant: `plugin/server`.
    pub(crate) awaiting: Vec<PendingCommand>,
    /// The reasons why others are not registered, one sentence each.
    pub(crate) refused: Vec<String>,
    /// Those that are switched off here and stay in the user's own settings, each with a project that uses it.
    pub(crate) kept: Vec<(String, PathBuf)>,
}

/// Collects the MCP servers of active plugins that are switched on. Those without a grant are not registered.
pub(crate) fn plugin_servers(
    context: &Context,
    catalog: &Catalog,
    selection: &Selection,
    facts: &ConditionFacts<'_>,
    trust: &TrustReport,
    ledger: &Ledger,
) -> PluginServers {
    let mut servers = PluginServers::default();
    let others = OnceCell::new();
    for verdict in selection.plugins.iter().filter(|verdict| verdict.is_active()) {
        let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
        let rank = source.spec.rank;
        let name = &loaded.plugin.name;
        let switched = context.choices().plugin(source.spec.bringer(), name);
        let is_on = switched.is_on();
        // A project says nothing about the user's own settings.
        let stays = switched == ToggleState::Off(OffReason::Project) && is_personal(rank);
        // The user's settings are shared by all projects, so one of them does not decide about them alone.
        let user = if is_on || stays || loaded.plugin.mcp_servers.is_empty() {
            None
        } else {
            others.get_or_init(|| other_projects(context, ledger)).iter().find(|other| other.uses(&source.spec, name))
        };
        if !is_on && !stays && user.is_none() {
            continue;
        }
        for server in &loaded.plugin.mcp_servers {
            if !evaluate(&server.conditions, facts, ConditionOwner::Elsewhere).holds {
                continue;
            }
            let title = format!("{}/{}", loaded.plugin.name, server.name);
            if let Some(reason) = trust.refusal(verdict.id, CommandKind::Server, &server.name) {
                servers.refused.push(format!("MCP server `{title}` is not registered: {reason}"));
                continue;
            }
            if let Some(waiting) = trust.waiting(verdict.id) {
                if !is_on {
                    continue;
                }
                let plugin = Some(verdict.id);
                servers.awaiting.push(PendingCommand { reason: waiting, title, agent: None, plugin });
                continue;
            }
            // What was granted for one workspace is started in no other.
            let trusted = source.trust_rank();
            let is_of_workspace = trust.standing(verdict.id).is_some_and(PluginTrust::is_of_workspace);
            let granted_here =
                trusted.needs_grant() && (grant_scope(trusted) == GrantScope::Workspace || is_of_workspace);
            // What one project's lock names is not for the others.
            let chosen_here = source.copy.as_ref().is_some_and(|copy| copy.choice != CopyChoice::Current);
            let conditional = !loaded.plugin.conditions.is_empty() || !server.conditions.is_empty();
            let conditional = conditional || granted_here || chosen_here;
            let scope = match (conditional, user) {
                (true, Some(_)) => continue,
                (_, None) if stays && conditional => continue,
                (_, None) if stays => ServerScope::Others,
                (true, None) => ServerScope::Here,
                (false, None) => ServerScope::Everywhere,
                (false, Some(other)) => {
                    servers.kept.push((server.name.clone(), other.root.clone()));
                    ServerScope::Others
                }
            };
            let transport = match started(context, source, loaded, &server.transport) {
                Ok(transport) => transport,
                Err(unstarted) => {
                    servers.refused.extend(unstarted.sentence(&title));
                    continue;
                }
            };
            let is_personal = is_personal(rank);
            if is_personal && scope == ServerScope::Here {
                servers.refused.push(format!(
                    "MCP server `{}` of your plugin `{name}` is not registered: its plugin has conditions, and your \
                     own servers are not written into project files; remove the conditions to register it in your \
                     user settings",
                    server.name
                ));
                continue;
            }
            let server = RegisteredServer { name: server.name.clone(), transport };
            let is_imported = loaded.plugin.imported_from.is_some();
            servers.permitted.push(PluginServer { server, scope, is_imported, is_personal });
        }
    }
    servers
}

/// A project in which `sync` ran, with its toggles.
struct OtherProject {
    root: PathBuf,
    chosen: ChosenThere,
}

impl OtherProject {
    /// Whether a plugin of the user's is on there.
    fn uses(&self, source: &SourceSpec, plugin: &str) -> bool {
        let leaves_out = self.chosen.settings.self_contained.value;
        !leaves_out && self.chosen.choices().plugin(source.bringer(), plugin).is_on()
    }
}

/// Returns the other projects in which `sync` ran and that still exist.
fn other_projects(context: &Context, ledger: &Ledger) -> Vec<OtherProject> {
    let others = ledger.synchronised.iter().filter(|root| Some(root.as_path()) != context.root() && fs::is_dir(root));
    others.filter_map(|root| Some(OtherProject { root: root.clone(), chosen: context.chosen_in(root)? })).collect()
}

/// The reason why a server is not registered.
enum ServerProblem {
    /// Its installation is not made yet: it is registered when it is.
    Unmade,
    /// Its command is this, and no file of its plugin.
    NotOfPlugin(String),
    /// It asks for the directory of its plugin, which is not on disk.
    NoDirectory,
}

impl ServerProblem {
    fn sentence(self, title: &str) -> Option<String> {
        match self {
            Self::Unmade => None,
            Self::NotOfPlugin(command) => Some(format!(
                "MCP server `{title}` is not registered: its command `{command}` is not a file in the plugin's \
                 directory"
            )),
            Self::NoDirectory => Some(format!(
                "MCP server `{title}` is not registered: it uses `{PLUGIN_DIRECTORY}`, but its plugin is not on disk"
            )),
        }
    }
}

/// Resolves the command of a server: the program of an installation if it names one, or a file of its plugin. The path
/// is absolute, because an agent would look for a relative one in its project.
fn started(
    context: &Context,
    source: &LoadedSource,
    loaded: &LoadedPlugin,
    written: &ServerTransport,
) -> Result<ServerTransport, ServerProblem> {
    let ServerTransport::Stdio { command, args, env } = written else { return Ok(written.clone()) };
    let directory = root_of(source).and_then(|root| fs::canonical(root.join(&loaded.path).parent()?).ok());
    // Only what is granted covers files of the workspace.
    let root = context.root().filter(|_| source.trust_rank().needs_grant()).and_then(|root| fs::canonical(root).ok());
    let in_place = |program: &str, args| in_place(directory.as_deref(), root.as_deref(), program, args);
    let told = |text: &String| with_directory(text, directory.as_deref()).ok_or(ServerProblem::NoDirectory);
    let command = &told(command)?;
    let args = &args.iter().map(told).collect::<Result<Vec<_>, _>>()?;
    let mut set = Vec::new();
    for (name, value) in env {
        let value = in_place("", vec![told(value)?]).concat();
        set.push((name.clone(), value));
    }
    let env = set;
    let Some(installation) = loaded.plugin.installation(command) else {
        let command = if command.contains('/') && Path::new(command).is_relative() {
            file_of(directory.as_deref(), command).ok_or_else(|| ServerProblem::NotOfPlugin(command.clone()))?
        } else {
            command.clone()
        };
        let args = in_place(&command, args.clone());
        return Ok(ServerTransport::Stdio { command, args, env });
    };
    let made =
        installations::made(&context.directories, directory.as_deref(), installation).ok_or(ServerProblem::Unmade)?;
    let program = installations::program_of(&made, installation, None).ok();
    let program = program.as_deref().and_then(Path::to_str).ok_or(ServerProblem::Unmade)?;
    let mut words = vec![program.to_owned()];
    if matches!(installation.program, Some(ProgramFile::Script(_))) {
        words.insert(0, "sh".to_owned());
    }
    words.extend(installation.args.iter().chain(args).cloned());
    let command = words.remove(0);
    let args = in_place(&command, words);
    Ok(ServerTransport::Stdio { command, args, env })
}

/// A text with the plugin's directory where it asks for that: no agent knows the variable. `None` when there is none.
fn with_directory(text: &str, plugin: Option<&Path>) -> Option<String> {
    let mut done = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        let braced = behind.strip_prefix('{').and_then(|inner| inner.strip_prefix(PLUGIN_DIRECTORY)?.strip_prefix('}'));
        let goes_on = |after: &&str| after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let bare = behind.strip_prefix(PLUGIN_DIRECTORY).filter(|after| !goes_on(after));
        done.push_str(before);
        rest = match braced.or(bare) {
            Some(after) => {
                done.push_str(plugin?.to_str()?);
                after
            }
            None => {
                done.push('$');
                behind
            }
        };
    }
    Some(done + rest)
}

/// Arguments with the files of the plugin and the workspace among them by their whole path, for the same reason.
fn in_place(plugin: Option<&Path>, workspace: Option<&Path>, program: &str, args: Vec<String>) -> Vec<String> {
    let canonical = |path: &Path| fs::canonical(path).ok();
    let places = PathResolver { plugin, workspace, canonical: &canonical, is_file: &fs::is_file };
    places.arguments(program, args).words
}

/// A file in a plugin's directory, links resolved.
fn file_of(directory: Option<&Path>, command: &str) -> Option<String> {
    let directory = directory?;
    let file = fs::canonical(&directory.join(command)).ok()?;
    file.starts_with(directory).then_some(file)?.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_variable_itself_becomes_the_directory() {
        for (text, expected) in [
            ("plain", "plain"),
            ("${SYMPOSIUM_PLUGIN_DIR}", "/p"),
            ("--data=$SYMPOSIUM_PLUGIN_DIR/x:${SYMPOSIUM_PLUGIN_DIR}/y", "--data=/p/x:/p/y"),
            (
                "$SYMPOSIUM_PLUGIN_DIRS ${SYMPOSIUM_PLUGIN_DIR:-x} $HOME ${TOKEN} $",
                "$SYMPOSIUM_PLUGIN_DIRS ${SYMPOSIUM_PLUGIN_DIR:-x} $HOME ${TOKEN} $",
            ),
        ] {
            assert_eq!(with_directory(text, Some(Path::new("/p"))).as_deref(), Some(expected));
        }
        assert_eq!(with_directory("$SYMPOSIUM_PLUGIN_DIR/x", None), None);
        assert_eq!(with_directory("$HOME/x", None).as_deref(), Some("$HOME/x"));
    }
}
