//! Parser of Cargo.toml: the package, its dependencies, and the workspace it may be the root of.

mod dependency;
mod read;
mod types;

pub use read::parse_manifest;
pub use types::{
    CargoManifest, DependencyDeclaration, DependencyDetail, DependencySource, LibraryTable, ManifestDependency,
    PackageEdition, PackageTable, PackageVersion, PathBase, SourceFit, WorkspaceTable,
};
