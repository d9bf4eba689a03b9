//! The surroundings of a call: its directory, the network, and the shell it was started in.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use symposium_agents::{AncestorProcess, OutputStreams, shell_owner};
use symposium_io::parent_processes::ProcessOutputs;
use symposium_io::{env, fs, parent_processes};

use crate::error::CliError;

/// Goes where `-C` says.
pub(crate) fn change_directory(directory: &Path) -> Result<(), CliError> {
    env::change_dir(directory).map_err(|error| {
        CliError::usage(format!("Cannot change to the directory `{}`: {error}", directory.display()))
            .hint("pass an existing directory to `-C`")
    })
}

/// Whether the user never wants the network.
pub(crate) fn is_offline() -> bool {
    env::is_offline()
}

/// Returns the agent whose shell this is; `None` in a person's own.
pub(crate) fn shell_agent() -> Option<&'static str> {
    static AGENT: OnceLock<Option<&'static str>> = OnceLock::new();
    *AGENT.get_or_init(|| shell_owner(&env::is_set, std::iter::once_with(ancestors).flatten()))
}

/// Whether an agent runs this process as a plain command.
pub(crate) fn is_plain_call() -> bool {
    symposium_agents::is_plain_call(&streams(parent_processes::own_outputs()), ancestors())
}

fn ancestors() -> impl Iterator<Item = AncestorProcess> {
    parent_processes::ancestors().into_iter().map(|found| AncestorProcess {
        program: found.program,
        words: found.words,
        streams: streams(found.outputs),
    })
}

fn streams(ProcessOutputs { stdout, stderr, saved }: ProcessOutputs) -> OutputStreams {
    OutputStreams { stdout, stderr, saved }
}

/// Picks the directories that are there.
pub(crate) fn existing_directories(paths: &[PathBuf]) -> impl Iterator<Item = &PathBuf> + Clone {
    paths.iter().filter(|path| fs::is_dir(path))
}

/// Whether there is anything at a path.
pub(crate) fn exists(path: &Path) -> bool {
    fs::exists(path)
}
