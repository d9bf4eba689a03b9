//! The project's plugins as a source of its configuration.

use symposium_edit::add_source;
use symposium_model::config::{PROJECT_FILE, Scope, SourceKind, source_specs};

use crate::error::CliError;
use crate::ops::context::Context;
use crate::ops::import::PROJECT_PLUGINS;
use crate::ops::sync;
use crate::run_report::RunReport;

/// The name of the source.
const SOURCE: &str = "project-plugins";

/// Whether the project's configuration names its plugins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SourceListing {
    /// It did, or nothing had to be named.
    Already,
    Now,
}

/// Makes the project's plugins a source of its configuration, unless they are one.
pub(crate) fn name_source(context: &Context, report: &mut RunReport) -> Result<SourceListing, CliError> {
    let Some(root) = context.root().map(std::path::Path::to_owned) else { return Ok(SourceListing::Already) };
    let plugins = root.join(PROJECT_PLUGINS);
    let is_named = |context: &Context| {
        let home = context.home.as_deref();
        let (specs, _) = source_specs(&context.settings, &context.directories, home, Some(&root), &[]);
        specs.iter().any(|spec| matches!(&spec.kind, SourceKind::Path(path) if *path == plugins))
    };
    if is_named(context) {
        return Ok(SourceListing::Already);
    }
    let table = format!("[[plugin-source]]\nname = \"{SOURCE}\"\npath = \"{PROJECT_PLUGINS}\"\n");
    let current = context.project_text.clone();
    let table = table.lines();
    let hint = "add these lines to .symposium/config.toml yourself";
    if context.is_broken(Scope::Project) {
        let error = CliError::failed("The project's configuration is invalid, so these lines were not added:");
        return Err(error.list(table).hint(hint));
    }
    let path = root.join(PROJECT_FILE);
    let text = add_source(current.as_deref().unwrap_or_default(), SOURCE, PROJECT_PLUGINS)
        .map_err(|error| CliError::because(error.diagnostic(path.display().to_string())))?;
    let actions = sync::configuring(context, Scope::Project, &text);
    if !is_named(&context.clone().with_config(Scope::Project, &text)) {
        let error = CliError::failed(
            "The project's configuration lists its sources in another form, so these lines were not added:",
        );
        return Err(error.list(table).hint(hint));
    }
    sync::write(context, actions, report)?;
    Ok(SourceListing::Now)
}
