//! The grants that are asked for.

use symposium_io::clock;
use symposium_model::catalog::Catalog;
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
