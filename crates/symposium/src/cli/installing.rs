//! What follows a sync: installations that plugins need are made, when a person is there or said yes. Nobody has to wait
//! for the lock meanwhile.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use symposium_io::installation::{InstallError, Network};
use symposium_io::lock::Lock;
use symposium_model::diagnostic::Diagnostic;

use super::args::Global;
use super::person;
use crate::app::context::Context;
use crate::app::installations;
use crate::app::sync::ledger_file;
use crate::app::unmade::Unmade;
use crate::ui::error::CliError;
use crate::ui::exit::Exit;
use crate::ui::printer::Answer;
use crate::ui::progress::Progress;

/// Whether installations may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consent {
    /// A person is there, or said so on the command line.
    Given,
    /// Nobody is.
    Absent,
}

impl Consent {
    /// That of a call: the flag, or a terminal; never that of an agent.
    pub(super) fn of(yes: bool) -> Self {
        let is_person = person::agent().is_none();
        if is_person && (yes || std::io::stdin().is_terminal()) { Self::Given } else { Self::Absent }
    }
}

/// Makes what the last sync found to be needed; `settle` then brings everything in step with it.
pub(super) fn finish(
    mut context: Context,
    held: Option<Lock>,
    consent: Consent,
    global: &Global,
    exit: Exit,
    settle: impl FnOnce(&mut Context) -> Result<(), CliError>,
) -> Result<Exit, CliError> {
    let unmade = std::mem::take(&mut context.unmade);
    if unmade.is_empty() {
        return Ok(context.closing(exit));
    }
    if consent == Consent::Absent {
        name(&context, &unmade);
        return Ok(context.closing(exit));
    }
    drop(held);
    let network = if super::is_offline(global) { Network::OffLimits } else { Network::Allowed };
    let mut made_any = false;
    for wanted in &unmade {
        let name = &wanted.installation.name;
        match make(&context, wanted, network) {
            Ok(()) => {
                made_any = true;
                if context.printer.answer == Answer::Human {
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
        let _held = ledger_file::lock(&context.directories)?;
        settle(&mut context)?;
    }
    Ok(context.closing(exit))
}

/// Says which installations are missing, where none is made.
pub(super) fn name(context: &Context, unmade: &[Unmade]) {
    let place = person::agent().map_or_else(String::new, |agent| format!(" in a terminal outside {agent}"));
    for Unmade { plugin, installation, .. } in unmade {
        context.printer.warning(&format!(
            "Plugin `{plugin}` needs the installation `{}`, which is made only with a person's yes: `symposium sync --yes`{place}",
            installation.name
        ));
    }
}

/// Makes one, with a line for people while it takes long.
fn make(context: &Context, wanted: &Unmade, network: Network) -> Result<(), InstallError> {
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
                    return Err(InstallError::Written("it ended without an answer".to_owned()));
                }
            }
        }
    })
}
