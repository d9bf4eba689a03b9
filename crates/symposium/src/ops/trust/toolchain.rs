//! The toolchain that a project asks for: `autofmt` uses it once a person agreed to the file that names it.

use symposium_io::fs;
use symposium_model::config::{SourceAuthority, SourceRank};
use symposium_model::toolchain::channel;
use symposium_model::trust::{GrantSet, GrantSubject, decide};

use super::PluginTrust;
use super::content::gather_file;
use crate::ops::context::Context;

/// Where rustup looks, the one that counts first.
const FILES: [&str; 2] = ["rust-toolchain", "rust-toolchain.toml"];

#[derive(Debug)]
pub(crate) struct ProjectToolchain {
    pub(crate) file: &'static str,
    pub(crate) channel: String,
    /// Whether it may be used.
    pub(crate) standing: PluginTrust,
}

/// Finds out what the project asks for; nothing where nobody would use it.
pub(super) fn find_toolchain(context: &Context, grants: &GrantSet) -> Option<ProjectToolchain> {
    if !context.choices().plugin(SourceAuthority::whole(SourceRank::Builtin), "autofmt").is_on() {
        return None;
    }
    let root = fs::canonical(context.root()?).ok()?;
    let file = FILES.into_iter().find(|file| fs::exists(&root.join(file)))?;
    let mut gathered = gather_file(&root, file);
    let asked = match &gathered {
        Ok(found) => found.texts.first().map_or(Err("it is not text"), |text| channel(&text.said)),
        // The reason is known already.
        Err(_) => Ok(Some(String::new())),
    };
    let channel = match asked {
        // Then the user's own is used, as everywhere.
        Ok(None) => return None,
        Ok(Some(channel)) => channel,
        Err(reason) => {
            gathered = Err(reason.to_owned());
            String::new()
        }
    };
    let place = root.display().to_string();
    let subject = GrantSubject { workspace: Some(place.clone()), source: place, plugin: file.to_owned() };
    let content = gathered.as_ref().map(|gathered| &gathered.content).map_err(String::as_str);
    let projects = context.settings.trust_projects.value;
    let permission = decide(SourceRank::Project, projects, content, grants.find(&subject));
    Some(ProjectToolchain {
        file,
        channel,
        standing: PluginTrust { subject, here: None, is_current: true, permission, gathered, untold: Vec::new() },
    })
}
