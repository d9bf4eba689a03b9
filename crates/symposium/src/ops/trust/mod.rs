//! Decides which programs the plugins of a workspace may run, for plans, servers and reports alike.

pub(crate) mod command_paths;
mod content;
mod executables;
mod files;
mod known_contents;
pub(crate) mod review;
pub(crate) mod store;
mod toolchain;

use std::collections::BTreeMap;
use std::path::Path;

use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::catalog::{Catalog, CopyChoice, LoadedPlugin, LoadedSource, PluginId};
use symposium_model::config::{SourceKind, SourceRank};
use symposium_model::hook::hook_plan::PathStamp;
use symposium_model::select::Selection;
use symposium_model::trust::{CommandKind, GrantScope, GrantSet, GrantSubject, TrustStatus, decide, grant_scope};

use self::content::{UntoldCommand, gather, untold_by_words};
use super::context::Context;

pub(crate) use self::content::{IN_WORKSPACE, coverage};
pub(crate) use self::executables::executables;
pub(crate) use self::files::{CoveredText, ExecutableContent, OpaqueCause};
pub(crate) use self::known_contents::{ChangeNotice, remember};
pub(crate) use self::toolchain::ProjectToolchain;

/// The reason why a command that needs a grant does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PendingReason {
    /// There is no grant yet, or none is possible.
    Unheard,
    /// The content has changed since it was granted.
    Changed,
    /// The user never lets projects run anything: nothing waits.
    Never,
}

/// A hook or an MCP server that does not run without a grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PendingCommand {
    pub(crate) reason: PendingReason,
    /// `plugin/name`.
    pub(crate) title: String,
    /// The only agent that it is for.
    pub(crate) agent: Option<AgentId>,
    /// `None` for a hook whose plugin is gone.
    pub(crate) plugin: Option<PluginId>,
}

#[derive(Debug)]
pub(crate) struct PluginTrust {
    pub(crate) subject: GrantSubject,
    /// The same for this workspace alone, where its lock says which content of the source counts: another project may be
    /// locked to another one, and both may be agreed to.
    pub(crate) here: Option<GrantSubject>,
    /// Whether it is what the source holds now, so that a grant is for every workspace.
    pub(crate) is_current: bool,
    pub(crate) permission: TrustStatus,
    /// The content that it would run, or the reason why that is unknown.
    pub(crate) gathered: Result<ExecutableContent, String>,
    /// The commands that cannot be granted, where a grant is needed.
    untold: Vec<UntoldCommand>,
}

impl PluginTrust {
    pub(crate) fn refusal(&self, kind: CommandKind, name: &str) -> Option<&str> {
        let untold = self.untold.iter().find(|command| command.kind == kind && command.name == name);
        untold.map(|command| command.reason.as_str())
    }

    /// Whether it runs only where it was agreed to: a file of the workspace is part of it.
    pub(crate) fn is_of_workspace(&self) -> bool {
        self.gathered.as_ref().is_ok_and(|gathered| gathered.is_of_workspace)
    }

    /// Whether it goes by a grant for this.
    pub(crate) fn goes_by(&self, subject: &GrantSubject) -> bool {
        self.subject == *subject || self.here.as_ref() == Some(subject)
    }

    pub(crate) fn granted_as(&self) -> impl Iterator<Item = &GrantSubject> {
        let everywhere = Some(&self.subject).filter(|_| self.here.is_none() || self.is_current);
        everywhere.into_iter().chain(&self.here)
    }
}

#[derive(Debug, Default)]
pub(crate) struct TrustReport {
    standings: BTreeMap<PluginId, PluginTrust>,
    /// The toolchain that the project asks for, where it would be used.
    pub(crate) toolchain: Option<ProjectToolchain>,
    pub(crate) grants: GrantSet,
    /// The reason why the grants could not be read, so that nothing counts as granted.
    pub(crate) unreadable: Option<store::StoreFailure>,
    /// The stamp of the store from before it was read, so that a later change is noticed.
    store: Option<PathStamp>,
    /// Changes in sources that need no grant since the last report.
    pub(crate) announcements: Vec<ChangeNotice>,
}

impl TrustReport {
    /// Finds out, from what is on disk now.
    pub(crate) fn load(context: &Context, catalog: &Catalog, selection: &Selection, detail: TrustDetail) -> Self {
        if detail == TrustDetail::Skip {
            return Self::default();
        }
        let store = store::stamp(&context.directories);
        let (grants, unreadable) = match store::read(&context.directories) {
            Ok(grants) => (grants, None),
            Err(unreadable) => (GrantSet::default(), Some(unreadable)),
        };
        let mut standings = BTreeMap::new();
        for verdict in selection.plugins.iter().filter(|verdict| verdict.is_active()) {
            let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
            if runs_something(loaded) {
                standings.insert(verdict.id, stand(context, &grants, source, loaded, detail));
            }
        }
        let announcements = known_contents::changed(context, catalog, &standings);
        let toolchain = toolchain::find_toolchain(context, &grants);
        Self { standings, toolchain, grants, unreadable, store, announcements }
    }

    /// Returns the trust of a plugin; `None` for one that runs nothing or is not active.
    pub(crate) fn standing(&self, id: PluginId) -> Option<&PluginTrust> {
        self.standings.get(&id)
    }

    pub(crate) fn standings(&self) -> impl Iterator<Item = (PluginId, &PluginTrust)> {
        self.standings.iter().map(|(id, standing)| (*id, standing))
    }

    /// Whether a plugin may run what it brings.
    pub(crate) fn allows(&self, id: PluginId) -> bool {
        self.waiting(id).is_none()
    }

    /// Returns the reason why a command of a plugin cannot be granted.
    pub(crate) fn refusal(&self, id: PluginId, kind: CommandKind, name: &str) -> Option<&str> {
        self.standing(id)?.refusal(kind, name)
    }

    /// The names of the plugins whose executables wait for a grant.
    pub(crate) fn awaiting(&self, catalog: &Catalog) -> Vec<String> {
        let waiting = self.standings().filter(|(_, standing)| !standing.permission.is_given());
        waiting.filter_map(|(id, _)| Some(catalog.plugin(id)?.1.plugin.name.clone())).collect()
    }

    /// Returns the reason why a plugin may not run its programs; `None` if it may.
    pub(crate) fn waiting(&self, id: PluginId) -> Option<PendingReason> {
        let Some(standing) = self.standing(id) else { return Some(PendingReason::Unheard) };
        match standing.permission {
            TrustStatus::Free | TrustStatus::Granted => None,
            TrustStatus::NeedsGrant | TrustStatus::Unknown(_) => Some(PendingReason::Unheard),
            TrustStatus::Changed(_) => Some(PendingReason::Changed),
            TrustStatus::Never => Some(PendingReason::Never),
        }
    }

    /// Returns the subject of a plugin's grant; `None` for one without a grant.
    pub(crate) fn granted_as(&self, id: PluginId) -> Option<GrantSubject> {
        let standing = self.standing(id)?;
        let mut subjects = standing.here.iter().chain([&standing.subject]);
        subjects.find(|subject| self.grants.find(subject).is_some()).cloned()
    }

    /// The files that the grant of a plugin covers, as they were before they were read. Nothing for one that has none.
    pub(crate) fn granted_files(&self, id: PluginId) -> &[PathStamp] {
        self.standing(id).map(granted_files).unwrap_or_default()
    }

    /// The files that any grant here covers, the same way.
    pub(crate) fn all_granted_files(&self) -> impl Iterator<Item = &PathStamp> {
        self.everything().flat_map(granted_files)
    }

    /// The channel of the toolchain that the project asks for, when a person agreed to it.
    pub(crate) fn granted_channel(&self) -> Option<&str> {
        let toolchain = self.toolchain.as_ref().filter(|toolchain| toolchain.standing.permission.is_given());
        toolchain.map(|toolchain| toolchain.channel.as_str())
    }

    /// Everything that needs a grant or none, plugins or not.
    pub(crate) fn everything(&self) -> impl Iterator<Item = &PluginTrust> {
        self.standings.values().chain(self.toolchain.as_ref().map(|toolchain| &toolchain.standing))
    }

    /// Returns the stamp of the store; `None` if no plugin here has or needs a grant.
    pub(crate) fn store_if_asked(&self) -> Option<&PathStamp> {
        let asked = self.everything().any(|standing| !matches!(standing.permission, TrustStatus::Free));
        self.store.as_ref().filter(|_| asked)
    }
}

fn granted_files(standing: &PluginTrust) -> &[PathStamp] {
    match (&standing.permission, &standing.gathered) {
        (TrustStatus::Granted | TrustStatus::Changed(_), Ok(gathered)) => &gathered.stamps,
        (
            TrustStatus::Granted
            | TrustStatus::Changed(_)
            | TrustStatus::Free
            | TrustStatus::NeedsGrant
            | TrustStatus::Never
            | TrustStatus::Unknown(_),
            _,
        ) => &[],
    }
}

/// Returns how a plugin stands, whether or not it is active.
pub(crate) fn standing_of(context: &Context, source: &LoadedSource, loaded: &LoadedPlugin) -> PluginTrust {
    let grants = store::read(&context.directories).unwrap_or_default();
    stand(context, &grants, source, loaded, TrustDetail::Everything)
}

/// Returns whether a plugin may run what it brings, whether or not it is active.
pub(crate) fn may_run(context: &Context, source: &LoadedSource, loaded: &LoadedPlugin) -> bool {
    let grants = store::read(&context.directories).unwrap_or_default();
    stand(context, &grants, source, loaded, TrustDetail::Granted).permission.is_given()
}

/// The part of what plugins would run that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrustDetail {
    /// Nothing: the command does not ask what may run.
    Skip,
    /// All of it.
    Everything,
    /// The part with a grant, or that needs none, and public recommendations, which the user hears of once for each
    /// content: the rest is as much as its author likes, and there is nothing to compare it with.
    Granted,
}

fn stand(
    context: &Context,
    grants: &GrantSet,
    source: &LoadedSource,
    loaded: &LoadedPlugin,
    detail: TrustDetail,
) -> PluginTrust {
    let root = context.root().and_then(|root| fs::canonical(root).ok());
    let rank = source.trust_rank();
    let needs_grant = rank.needs_grant();
    let subject = subject(source, loaded, root.as_deref());
    let in_workspace =
        root.as_ref().map(|root| GrantSubject { workspace: Some(root.display().to_string()), ..subject.clone() });
    let is_current = source.copy.as_ref().is_none_or(|copy| copy.choice == CopyChoice::Current);
    let is_known = [Some(&subject), in_workspace.as_ref()].into_iter().flatten().any(|one| grants.find(one).is_some());
    let asked = content::CoverageRequest { source, loaded, workspace: root.as_deref(), needs_grant };
    let is_relevant = is_known || rank == SourceRank::Recommendations;
    if detail == TrustDetail::Granted && needs_grant && !is_relevant {
        let (untold, content) = untold_by_words(asked);
        let content = content.as_ref().map_err(String::as_str);
        let permission = decide(rank, context.settings.trust_projects.value, content, None);
        let gathered = Err("it was not granted, so it was not read".to_owned());
        return PluginTrust { subject, here: None, is_current, permission, gathered, untold };
    }
    let (untold, gathered) = gather(asked);
    let untold = if needs_grant { untold } else { Vec::new() };
    let is_of_workspace = gathered.as_ref().is_ok_and(|gathered| gathered.is_of_workspace);
    let is_pinned = needs_grant && context.lock.pin(&source.spec.name).is_some();
    let (subject, here, earlier) = match (grant_scope(rank), in_workspace) {
        // What was agreed to for every workspace says nothing about a file of this one; it is what has changed since.
        (GrantScope::Everywhere, Some(here)) if is_of_workspace => (here, None, Some(subject)),
        (GrantScope::Everywhere, Some(here)) if is_pinned => (subject, Some(here), None),
        (GrantScope::Everywhere | GrantScope::Workspace, _) => (subject, None, None),
    };
    let content = gathered.as_ref().map(|gathered| &gathered.content).map_err(String::as_str);
    let known = || here.iter().chain([&subject]).chain(&earlier).filter_map(|subject| grants.find(subject));
    let fitting = known().find(|grant| content == Ok(&grant.content));
    let permission = decide(rank, context.settings.trust_projects.value, content, fitting.or(known().next()));
    PluginTrust { subject, here, is_current, permission, gathered, untold }
}

/// Whether a plugin brings anything that is run.
fn runs_something(loaded: &LoadedPlugin) -> bool {
    let plugin = &loaded.plugin;
    !(plugin.hooks.is_empty() && plugin.mcp_servers.is_empty() && plugin.installations.is_empty())
}

fn subject(source: &LoadedSource, loaded: &LoadedPlugin, root: Option<&Path>) -> GrantSubject {
    let workspace = match grant_scope(source.trust_rank()) {
        GrantScope::Workspace => root.map(|root| root.display().to_string()),
        GrantScope::Everywhere => None,
    };
    let place = match &source.spec.kind {
        SourceKind::Embedded => "builtin".to_owned(),
        SourceKind::UserPlugins(path) | SourceKind::Path(path) => {
            fs::canonical(path).unwrap_or_else(|_| path.clone()).display().to_string()
        }
        SourceKind::Git { address, .. } => format!("git {}", address.shown()),
        SourceKind::Index { address, .. } => format!("index {}", address.shown()),
        // Another version lies elsewhere, and is compared with what was granted.
        SourceKind::Crate(place) if source.spec.rank == SourceRank::Crate => format!("crate {}", place.name),
        SourceKind::Crate(place) => {
            fs::canonical(&place.directory).unwrap_or_else(|_| place.directory.clone()).display().to_string()
        }
        SourceKind::Workspace(places) => places.root.display().to_string(),
    };
    GrantSubject { workspace, source: place, plugin: loaded.path.clone() }
}
