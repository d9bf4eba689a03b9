//! An installation that is needed and not there.

use std::path::PathBuf;

use symposium_model::manifest::Installation;

/// An installation that has to be made before what needs it can run.
#[derive(Debug, Clone)]
pub(crate) struct MissingInstallation {
    /// The plugin that needs it.
    pub(crate) plugin: String,
    /// The manifest that declares it.
    pub(crate) manifest: String,
    /// The plugin's directory, where it is on disk.
    pub(crate) directory: Option<PathBuf>,
    /// What has to be made.
    pub(crate) installation: Installation,
}
