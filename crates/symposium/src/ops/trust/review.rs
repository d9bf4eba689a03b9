//! The grants that are asked for.

use symposium_io::clock;
use symposium_io::state_file::keep;
use symposium_model::catalog::Catalog;
use symposium_model::config::AppDirectories;
use symposium_model::hook::hook_plan::ASKED;
use symposium_model::trust::{Grant, TrustStatus};

use super::{CoveredText, PluginTrust, TrustReport};

/// The grants that a yes stands for: exactly what was shown, whatever happens to the files meanwhile.
pub(crate) struct ReviewedGrants {
    pub(crate) names: Vec<String>,
    pub(crate) grants: Vec<Grant>,
    pub(crate) texts: Vec<CoveredText>,
}

impl ReviewedGrants {
    pub(crate) fn from_trust(catalog: &Catalog, trust: &TrustReport) -> Self {
        let mut reviewed = Self { names: Vec::new(), grants: Vec::new(), texts: Vec::new() };
        for (id, standing) in trust.standings() {
            let Some((_, loaded)) = catalog.plugin(id) else { continue };
            reviewed.add(&loaded.plugin.name, standing);
        }
        if let Some(toolchain) = &trust.toolchain {
            reviewed.add(toolchain.file, &toolchain.standing);
        }
        reviewed
    }

    /// Records that the user said no to exactly this: no session start mentions it again if it is a public
    /// recommendation.
    pub(crate) fn remember_refusal(&self, directories: &AppDirectories) {
        for grant in &self.grants {
            let name = format!("{ASKED}{}", grant.content.fingerprint().as_str());
            // Without the record the user only hears of it again.
            let _ = keep(&directories.sessions().join(name), "");
        }
    }

    fn add(&mut self, name: &str, standing: &PluginTrust) {
        let is_asked = match standing.permission {
            TrustStatus::NeedsGrant | TrustStatus::Changed(_) => true,
            TrustStatus::Free | TrustStatus::Granted | TrustStatus::Never | TrustStatus::Unknown(_) => false,
        };
        let Some(gathered) = standing.gathered.as_ref().ok().filter(|_| is_asked) else { return };
        for subject in standing.granted_as() {
            self.grants.push(Grant {
                subject: subject.clone(),
                name: name.to_owned(),
                granted: clock::now(),
                content: gathered.content.clone(),
            });
        }
        self.names.push(name.to_owned());
        self.texts.extend(gathered.texts.iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use symposium_model::trust::{GrantContent, GrantSubject};

    use super::*;

    #[test]
    fn a_refusal_is_recorded_by_the_content() {
        let home = tempfile::tempdir().unwrap();
        let directories = AppDirectories {
            config: home.path().to_owned(),
            cache: home.path().to_owned(),
            logs: home.path().to_owned(),
        };
        let subject = GrantSubject { workspace: None, source: "s".to_owned(), plugin: "p".to_owned() };
        let content = GrantContent::default();
        let grant = Grant { subject, name: "p".to_owned(), granted: 0, content: content.clone() };
        let reviewed = ReviewedGrants { names: vec!["p".to_owned()], grants: vec![grant], texts: Vec::new() };
        reviewed.remember_refusal(&directories);
        let name = format!("asked-{}", content.fingerprint().as_str());
        assert!(directories.sessions().join(name).is_file());
    }
}
