//! What plugins want an agent to know when a session starts.

use std::borrow::Cow;

use symposium_model::catalog::PluginKind;
use symposium_model::scan;

use super::catalog;
use super::context::Context;

/// The `session-start-context` of every active plugin that is not switched off, safe to hand to an agent.
pub(crate) fn start_texts(context: &Context) -> Vec<String> {
    let crates = context.crates();
    let catalog = catalog::read(context);
    let selection = catalog::select_for(context, &catalog, crates.as_ref());
    let off = |name: &str| context.settings.workflows.iter().any(|toggle| toggle.key == name && !toggle.on);
    let mut texts = Vec::new();
    for verdict in selection.plugins.iter().filter(|verdict| verdict.is_active()) {
        let Some((_, loaded)) = catalog.plugin(verdict.id) else { continue };
        if loaded.kind != PluginKind::Manifest || off(&loaded.plugin.name) {
            continue;
        }
        let text = loaded.plugin.session_start_context.as_deref().map(|text| scan::clean(text.trim()));
        texts.extend(text.filter(|text| !text.is_empty()).map(Cow::into_owned));
    }
    texts
}
