//! What surrounds a program that we start, and who has a say in it.

mod code_variables;
mod project_paths;

pub use code_variables::loads_code;
#[cfg(feature = "manifests")]
pub(crate) use code_variables::may_be_set;
pub use project_paths::{ProjectGround, ReadLink, UserGround, destination};
