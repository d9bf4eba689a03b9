//! What is known of rtk on this machine: whether it is there, and how its own hook is told in an agent's settings.

use symposium_io::{env, fs};
use symposium_model::config::SourceRank;
use symposium_model::manifest::{Hook, Plugin};

/// Whether settings call `rtk` by themselves: through its own command, or the script it used to install. Our workflow
/// stands down beside it.
pub(crate) fn is_called_in(settings: &str) -> bool {
    settings.contains("rtk hook") || settings.contains("rtk-rewrite")
}

/// The cause of its absence, in a few words.
pub(crate) const NOT_FOUND: &str = "rtk not found";

/// Why the workflow does nothing, and what to do about it, when there is no `rtk`. What it is, and how old, is asked only
/// when a session starts: that takes running it.
pub(crate) fn absence() -> Option<String> {
    let name = format!("rtk{}", std::env::consts::EXE_SUFFIX);
    let mut programs = env::program_directories().into_iter().map(|directory| directory.join(&name));
    let found = programs.any(|path| fs::is_file(&path) && fs::is_executable(&path));
    (!found).then(|| "`rtk` is not on PATH; install it from github.com/rtk-ai/rtk to use the workflow".to_owned())
}

/// The same for a plugin, if it is the workflow's and has it on.
pub(crate) fn absence_for(rank: SourceRank, plugin: &Plugin, is_on: impl Fn(&Hook) -> bool) -> Option<String> {
    let calls_rtk = |hook: &Hook| hook.command_there() == Some("builtin:rtk") && is_on(hook);
    (rank == SourceRank::Builtin && plugin.hooks.iter().any(calls_rtk)).then(absence).flatten()
}
