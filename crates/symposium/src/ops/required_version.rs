//! The version of Symposium that a project requires.

use semver::{Version, VersionReq};
use symposium_model::config::Settings;

use super::context::Context;
use crate::error::CliError;

pub(crate) const OURS: &str = env!("CARGO_PKG_VERSION");

/// Says what the project requires, when this version is not enough.
pub(crate) fn unmet(settings: &Settings) -> Option<String> {
    let required = settings.required_version.value.as_ref().filter(|required| !is_enough(OURS, required))?;
    Some(format!("This project requires Symposium {required}, but this is version {OURS}"))
}

/// Stops a command that would write to a project for which this version is not enough.
pub(crate) fn check(context: &Context) -> Result<(), CliError> {
    let Some(message) = unmet(&context.settings) else { return Ok(()) };
    let place = context.place_of(context.settings.required_version.origin);
    Err(CliError::failed(format!("{message}; nothing was changed"))
        .hint(format!("run `symposium self-update` to update; the requirement is in {place}")))
}

/// Whether a version is what a project asks for. What cannot be understood was reported when it was read.
fn is_enough(ours: &str, required: &str) -> bool {
    let (Ok(mut ours), Ok(required)) = (Version::parse(ours), VersionReq::parse(required)) else { return true };
    // A pre-release has what its release will have.
    ours.pre = semver::Prerelease::EMPTY;
    required.matches(&ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_enough_or_not() {
        for (ours, required, enough) in [
            ("0.3.0", ">=0.3", true),
            ("0.3.0-rc.1", ">=0.3", true),
            ("0.2.9", ">=0.3", false),
            ("1.0.0", "0.3", false),
            ("0.1.0", "newest", true),
        ] {
            assert_eq!(is_enough(ours, required), enough, "{ours} {required}");
        }
    }
}
