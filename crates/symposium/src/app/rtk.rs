//! How rtk's own hook is told in an agent's settings: our workflow stands down beside it.

/// Whether settings call `rtk` by themselves: through its own command, or the script it used to install.
pub(crate) fn is_called_in(settings: &str) -> bool {
    settings.contains("rtk hook") || settings.contains("rtk-rewrite")
}
