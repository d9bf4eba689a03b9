//! What the plugins of a workspace would run, and whether they may: the one answer for plans, servers and reports.

mod content;
mod known;
pub(crate) mod store;

use std::collections::BTreeMap;
use std::path::Path;

use symposium_io::fs;
use symposium_model::catalog::{Catalog, LoadedPlugin, PluginId, Source};
use symposium_model::config::{SourceKind, SourceRank};
use symposium_model::hook::plan::Stamp;
use symposium_model::select::Selection;
use symposium_model::trust::{Grants, Permission, Reach, Subject, decide, reach};

use self::content::{Gathered, gather};
use super::context::Context;

pub(crate) use self::content::{Text, executables};
pub(crate) use self::known::{Announcement, remember};

/// Why something does not run, where nobody agreed to it as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// Nobody was asked yet, or nobody can be.
    Unheard,
    /// Somebody agreed to something else.
    Changed,
    /// The user never lets projects run anything: nothing waits.
    Never,
}

/// How a plugin that runs something stands.
#[derive(Debug)]
pub(crate) struct Standing {
    /// What a grant for it would name.
    pub(crate) subject: Subject,
    /// Whether it may run.
    pub(crate) permission: Permission,
    /// What it would run, or why that cannot be told.
    pub(crate) gathered: Result<Gathered, String>,
}

/// How every active plugin that runs something stands.
#[derive(Debug)]
pub(crate) struct Trust {
    standings: BTreeMap<PluginId, Standing>,
    /// What was agreed to.
    pub(crate) grants: Grants,
    /// Why what was agreed to could not be read, so that nothing counts as agreed to.
    pub(crate) unreadable: Option<store::Unreadable>,
    /// Where that is written, as it was before it was read: whoever writes to it meanwhile is noticed.
    store: Option<Stamp>,
    /// What changed in sources that need no grant since it was last said.
    pub(crate) announcements: Vec<Announcement>,
}

impl Trust {
    /// Finds out, from what is on disk now.
    pub(crate) fn of(context: &Context, catalog: &Catalog, selection: &Selection) -> Self {
        let store = store::stamp(&context.directories);
        let (grants, unreadable) = match store::read(&context.directories) {
            Ok(grants) => (grants, None),
            Err(unreadable) => (Grants::default(), Some(unreadable)),
        };
        let mut standings = BTreeMap::new();
        for verdict in selection.plugins.iter().filter(|verdict| verdict.is_active()) {
            let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
            if runs_something(loaded) {
                standings.insert(verdict.id, stand(context, &grants, source, loaded));
            }
        }
        let announcements = known::changed(context, catalog, &standings);
        Self { standings, grants, unreadable, store, announcements }
    }

    /// How a plugin stands; `None` for one that runs nothing or is not active.
    pub(crate) fn standing(&self, id: PluginId) -> Option<&Standing> {
        self.standings.get(&id)
    }

    /// Every plugin that runs something.
    pub(crate) fn standings(&self) -> impl Iterator<Item = (PluginId, &Standing)> {
        self.standings.iter().map(|(id, standing)| (*id, standing))
    }

    /// Whether a plugin may run what it brings: the one place that asks.
    pub(crate) fn allows(&self, id: PluginId) -> bool {
        self.standing(id).is_some_and(|standing| standing.permission.is_given())
    }

    /// Why a plugin may not run what it brings; `None` when it may.
    pub(crate) fn waiting(&self, id: PluginId) -> Option<Waiting> {
        let Some(standing) = self.standing(id) else { return Some(Waiting::Unheard) };
        match standing.permission {
            Permission::Free | Permission::Granted => None,
            Permission::NeedsGrant | Permission::Unknown(_) => Some(Waiting::Unheard),
            Permission::Changed(_) => Some(Waiting::Changed),
            Permission::Never => Some(Waiting::Never),
        }
    }

    /// The files that the grant of a plugin covers, as they were before they were read. Nothing for one that has none.
    pub(crate) fn granted_files(&self, id: PluginId) -> &[Stamp] {
        let Some(standing) = self.standing(id) else { return &[] };
        match (&standing.permission, &standing.gathered) {
            (Permission::Granted | Permission::Changed(_), Ok(gathered)) => &gathered.stamps,
            (
                Permission::Granted
                | Permission::Changed(_)
                | Permission::Free
                | Permission::NeedsGrant
                | Permission::Never
                | Permission::Unknown(_),
                _,
            ) => &[],
        }
    }

    /// What was agreed to, as a file to look at; nothing when no plugin here waits for a grant or has one.
    pub(crate) fn store_if_asked(&self) -> Option<&Stamp> {
        let asked = self.standings.values().any(|standing| !matches!(standing.permission, Permission::Free));
        self.store.as_ref().filter(|_| asked)
    }
}

/// Whether a plugin may run what it brings, whether or not it is active.
pub(crate) fn permission(context: &Context, source: &Source, loaded: &LoadedPlugin) -> Permission {
    let grants = store::read(&context.directories).unwrap_or_default();
    stand(context, &grants, source, loaded).permission
}

fn stand(context: &Context, grants: &Grants, source: &Source, loaded: &LoadedPlugin) -> Standing {
    let root = context.root().and_then(|root| fs::canonical(root).ok());
    let rank = source.trust_rank();
    let subject = subject(source, loaded, root.as_deref());
    let workspace = match reach(rank) {
        Reach::Workspace => root.as_deref(),
        Reach::Everywhere => None,
    };
    let gathered = gather(source, loaded, workspace, context.started);
    let content = gathered.as_ref().map(|gathered| &gathered.content).map_err(String::as_str);
    let permission = decide(rank, context.settings.trust_projects.value, content, grants.find(&subject));
    Standing { subject, permission, gathered }
}

/// Whether a plugin brings anything that is run.
fn runs_something(loaded: &LoadedPlugin) -> bool {
    let plugin = &loaded.plugin;
    !(plugin.hooks.is_empty() && plugin.mcp_servers.is_empty() && plugin.installations.is_empty())
}

/// What a grant for a plugin names.
fn subject(source: &Source, loaded: &LoadedPlugin, root: Option<&Path>) -> Subject {
    let workspace = match reach(source.trust_rank()) {
        Reach::Workspace => root.map(|root| root.display().to_string()),
        Reach::Everywhere => None,
    };
    let place = match &source.spec.kind {
        SourceKind::Embedded => "builtin".to_owned(),
        SourceKind::UserPlugins(path) | SourceKind::Path(path) => {
            fs::canonical(path).unwrap_or_else(|_| path.clone()).display().to_string()
        }
        SourceKind::Git { address, .. } => format!("git {}", address.shown()),
        // Another version lies elsewhere, and is compared with what was granted.
        SourceKind::Crate(place) if source.spec.rank == SourceRank::Crate => format!("crate {}", place.name),
        SourceKind::Crate(place) => {
            fs::canonical(&place.directory).unwrap_or_else(|_| place.directory.clone()).display().to_string()
        }
    };
    Subject { workspace, source: place, plugin: loaded.path.clone() }
}
