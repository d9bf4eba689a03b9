//! Summarizes what Symposium has for the dependencies of a workspace.

use symposium_model::crates::DependencyScope;
use symposium_model::hook::hook_plan::GuidanceLine;

use crate::ops::context::Context;
use crate::ops::guidance;
use crate::ops::hook_plan;
use crate::ops::resolve::Resolution;

pub(crate) struct WorkspaceOverview {
    pub(crate) name: String,
    /// The direct dependencies with a skill, those that most members use first.
    pub(crate) guided: Vec<GuidanceLine>,
    /// The names of the other direct dependencies.
    pub(crate) unguided: Vec<String>,
}

impl WorkspaceOverview {
    /// Returns `None` outside a cargo workspace.
    pub(crate) fn new(context: &Context, resolution: &Resolution) -> Option<Self> {
        resolution.workspace.as_ref()?;
        let name = context.root()?.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let rows = guidance::skills_by_crate(resolution, DependencyScope::Direct);
        let guided = hook_plan::index_lines(context, resolution, &rows);
        let is_guided = |name: &str| guided.iter().any(|line| line.name == name);
        let mut unguided: Vec<String> =
            rows.into_iter().filter(|row| row.version.is_some() && !is_guided(&row.name)).map(|row| row.name).collect();
        unguided.sort_unstable();
        unguided.dedup();
        Some(Self { name, guided, unguided })
    }
}
