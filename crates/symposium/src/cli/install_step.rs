//! What follows a sync: installations that plugins need are made, when a person is there or said yes. Nobody has to wait
//! for the lock meanwhile.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use symposium_io::file_lock::FileLock;
use symposium_io::installation::{InstallationError, NetworkAccess};
use symposium_model::diagnostic::Diagnostic;

use super::args::GlobalArgs;
use super::person_check;
use crate::ops::context::Context;
use crate::ops::installations;
use crate::ops::ledger_store;
use crate::ops::missing_installation::MissingInstallation;
use crate::ui::error::CliError;
use crate::ui::exit::CommandExit;
use crate::ui::printer::OutputFormat;
use crate::ui::progress::Progress;

/// Whether installations may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InstallConsent {
    /// A person is there, or said so on the command line.
    Given,
    Absent,
}

impl InstallConsent {
    /// That of a call: the flag, or a terminal; never that of an agent.
    pub(super) fn from_call(yes: bool) -> Self {
        let is_person = person_check::agent().is_none();
        if is_person && (yes || std::io::stdin().is_terminal()) { Self::Given } else { Self::Absent }
    }
}

/// Makes what the last sync found to be needed; `settle` then brings everything in step with it.
pub(super) fn finish(
    mut context: Context,
    held: Option<FileLock>,
    consent: InstallConsent,
    global: &GlobalArgs,
    exit: CommandExit,
    settle: impl FnOnce(&mut Context) -> Result<(), CliError>,
) -> Result<CommandExit, CliError> {
    let unmade = std::mem::take(&mut context.unmade);
    if unmade.is_empty() {
        return Ok(context.closing(exit));
    }
    if consent == InstallConsent::Absent {
        name(&context, &unmade);
        return Ok(context.closing(exit));
    }
    drop(held);
    let network = if super::is_offline(global) { NetworkAccess::OffLimits } else { NetworkAccess::Allowed };
    let mut made_any = false;
    for wanted in &unmade {
        let name = &wanted.installation.name;
        match make(&context, wanted, network) {
            Ok(()) => {
                made_any = true;
                if context.printer.answer == OutputFormat::Human {
                    context.printer.note(&format!("Made the installation `{name}` of plugin `{}`", wanted.plugin));
                }
            }
            Err(error) => {
                let message = format!("The installation `{name}` of plugin `{}` was not made: {error}", wanted.plugin);
                let help = "nothing else is affected; `symposium sync --yes` tries again";
                context.report_briefly(&[Diagnostic::error(wanted.manifest.clone(), message).help(help)]);
            }
        }
    }
    if made_any {
        let _held = ledger_store::lock(&context.directories)?;
        settle(&mut context)?;
    }
    Ok(context.closing(exit))
}

/// Says which installations are missing, where none is made.
pub(super) fn name(context: &Context, unmade: &[MissingInstallation]) {
    let place = person_check::agent().map_or_else(String::new, |agent| format!(" in a terminal outside {agent}"));
    for MissingInstallation { plugin, installation, .. } in unmade {
        context.printer.warning(&format!(
            "Plugin `{plugin}` needs the installation `{}`, which is made only with a person's yes: `symposium sync --yes`{place}",
            installation.name
        ));
    }
}

/// Makes one, with a line for people while it takes long.
fn make(context: &Context, wanted: &MissingInstallation, network: NetworkAccess) -> Result<(), InstallationError> {
    let directories = &context.directories;
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || sender.send(installations::make(directories, wanted, network)));
        let mut progress = Progress::new(context.printer);
        loop {
            match receiver.recv_timeout(Duration::from_millis(200)) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Timeout) => {
                    progress.show(&format!("making the installation {}", wanted.installation.name));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(InstallationError::Written("it ended without an answer".to_owned()));
                }
            }
        }
    })
}
