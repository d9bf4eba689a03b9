//! Environment variables and program paths of handlers, and the influence a project may have on them.

mod code_variables;
mod project_paths;

pub use code_variables::loads_code;
#[cfg(feature = "manifests")]
pub(crate) use code_variables::may_be_set;
pub use project_paths::{LinkLookup, ProjectGround, UserGround, destination};
