//! Compiles the session texts of plugins.

use std::borrow::Cow;

use symposium_model::authority::WorkspaceToggles;
use symposium_model::catalog::{Catalog, PluginKind};
use symposium_model::scan;
use symposium_model::select::Selection;

/// The `session-start-context` of every active plugin that is not switched off, safe to hand to an agent.
pub(super) fn plugin_texts(choices: &WorkspaceToggles<'_>, catalog: &Catalog, selection: &Selection) -> Vec<String> {
    let mut texts = Vec::new();
    for verdict in selection.plugins.iter().filter(|verdict| verdict.is_active()) {
        let Some((source, loaded)) = catalog.plugin(verdict.id) else { continue };
        let is_on = choices.plugin(source.spec.bringer(), &loaded.plugin.name).is_on();
        if loaded.kind != PluginKind::Manifest || !is_on {
            continue;
        }
        let text = loaded.plugin.session_start_context.as_deref().map(|text| scan::clean(text.trim()));
        texts.extend(text.filter(|text| !text.is_empty()).map(Cow::into_owned));
    }
    texts
}
