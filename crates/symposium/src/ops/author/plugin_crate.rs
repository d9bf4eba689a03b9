//! A plugin as its author reads it: in a directory of its own, or in a crate.

use std::path::{Path, PathBuf};

use symposium_io::fs;
use symposium_io::source::{
    DirectoryTree, ReadAudience, crate_signs, find_skills, load_own_crate, load_plugin, package_name,
};
use symposium_model::catalog::{LoadedPlugin, SourceDiagnostics};

pub(crate) struct OwnPlugin {
    /// The plugin, unless it cannot be used.
    pub(crate) loaded: Option<LoadedPlugin>,
    pub(crate) findings: SourceDiagnostics,
    /// The directory its commands are looked for in.
    pub(crate) directory: Option<PathBuf>,
}

/// A crate that carries a plugin of its own.
pub(crate) struct PluginCrate {
    pub(crate) tree: DirectoryTree,
    pub(crate) name: String,
    /// The file that says what the plugin is; `None` for a directory of skills alone.
    pub(crate) manifest: Option<String>,
}

impl PluginCrate {
    /// Opens a directory; `None` when it is no package, or carries no plugin.
    pub(crate) fn open(directory: &Path) -> Option<Self> {
        let tree = DirectoryTree::open(directory).ok()?;
        let name = package_name(&tree, "")?;
        let manifest = crate_signs(directory)?.manifest(&tree, &name);
        let has_skills = || !find_skills(&tree, "skills").0.is_empty();
        (manifest.is_some() || has_skills()).then(|| Self { tree, name, manifest })
    }

    pub(crate) fn read(&self) -> OwnPlugin {
        let signs = crate_signs(self.tree.root());
        let (loaded, findings) = signs.map(|signs| load_own_crate(&self.name, &self.tree, &signs)).unwrap_or_default();
        OwnPlugin { loaded, findings, directory: fs::canonical(self.tree.root()).ok() }
    }
}

/// Reads the plugin of a manifest; one beside a package's Cargo.toml is that crate's.
pub(crate) fn read_plugin(tree: &DirectoryTree, manifest: &str) -> OwnPlugin {
    if let Some(own) = crate_of(tree, manifest) {
        return own.read();
    }
    let directory = tree.root().join(directory_of(manifest));
    let (loaded, findings) = load_plugin(tree, manifest, &directory_name(tree.root()), ReadAudience::Author);
    OwnPlugin { loaded, findings, directory: fs::canonical(&directory).ok() }
}

/// The crate whose manifest of ours this is.
pub(crate) fn crate_of(tree: &DirectoryTree, manifest: &str) -> Option<PluginCrate> {
    let file = manifest.rsplit('/').next()?;
    let own = PluginCrate::open(&tree.root().join(directory_of(manifest)))?;
    (own.manifest.as_deref() == Some(file)).then_some(own)
}

/// The directory of a manifest, in its tree.
pub(crate) fn directory_of(manifest: &str) -> &str {
    manifest.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// The name of a directory, also when that is the one we stand in.
pub(crate) fn directory_name(directory: &Path) -> String {
    let real = fs::canonical(directory).unwrap_or_else(|_| directory.to_owned());
    real.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
