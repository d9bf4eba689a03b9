//! What plugins want an agent to know when a session starts.

use std::borrow::Cow;

use symposium_model::catalog::{Catalog, PluginKind, Relevant};
use symposium_model::scan;
use symposium_model::select::Selection;
use symposium_model::toggle::Workflows;

use super::catalog;
use super::context::Context;
use super::memory::Upkeep;

/// The `session-start-context` of every active plugin that is not switched off, for whoever asks for nothing else.
pub(crate) fn start_texts(context: &Context) -> Vec<String> {
    let crates = context.crates();
    let relevant = Relevant { crates: crates.as_ref(), asked: None };
    let catalog = catalog::read_relevant(context, &relevant, Upkeep::LeaveAlone);
    let selection = catalog::select_for(context, &catalog, crates.as_ref());
    texts(&context.workflows(), &catalog, &selection)
}

/// The `session-start-context` of every active plugin that is not switched off, safe to hand to an agent.
pub(crate) fn texts(workflows: &Workflows<'_>, catalog: &Catalog, selection: &Selection) -> Vec<String> {
    let mut texts = Vec::new();
    for verdict in selection.plugins.iter().filter(|verdict| verdict.is_active()) {
        let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
        if loaded.kind != PluginKind::Manifest || !workflows.plugin_is_on(source.spec.rank, &loaded.plugin.name) {
            continue;
        }
        let text = loaded.plugin.session_start_context.as_deref().map(|text| scan::clean(text.trim()));
        texts.extend(text.filter(|text| !text.is_empty()).map(Cow::into_owned));
    }
    texts
}
