//! What follows a sync: installations that plugins need are made, when a person is there or said yes. Nobody has to wait
//! for the lock meanwhile.

use std::io::IsTerminal;

use symposium_model::diagnostic::Diagnostic;

use super::args::GlobalArgs;
use super::session::CliSession;
use crate::error::CliError;
use crate::ops::context::Context;
use crate::ops::environment::shell_agent;
use crate::ops::installations;
use crate::ops::installations::MissingInstallation;
use crate::ops::ledger_store::{self, LedgerLock};
use crate::run_report::RunReport;
use crate::ui::printer::{OutputFormat, Printer};
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
        let is_person = shell_agent().is_none();
        if is_person && (yes || std::io::stdin().is_terminal()) { Self::Given } else { Self::Absent }
    }
}

/// Makes installations; `settle` then brings everything in step with them.
pub(super) fn install(
    mut session: CliSession,
    held: Option<LedgerLock>,
    consent: InstallConsent,
    global: &GlobalArgs,
    missing: &[MissingInstallation],
    settle: impl FnOnce(&Context, &mut RunReport) -> Result<Vec<MissingInstallation>, CliError>,
) -> Result<CliSession, CliError> {
    if consent == InstallConsent::Absent {
        name(session.printer, missing);
    }
    if consent == InstallConsent::Absent || missing.is_empty() {
        return Ok(session);
    }
    drop(held);
    let is_offline = super::is_offline(global);
    let mut made_any = false;
    for wanted in missing {
        let name = &wanted.installation.name;
        let CliSession { context, .. } = &session;
        let progress = Progress::new(context.options.shows_progress);
        match installations::make_shown(&context.directories, wanted, is_offline, progress) {
            Ok(()) => {
                made_any = true;
                if session.printer.answer == OutputFormat::Human {
                    session.printer.note(&format!("Installed `{name}` for plugin `{}`", wanted.plugin));
                }
            }
            Err(error) => {
                let message = format!("Failed to install `{name}` for plugin `{}`: {error}", wanted.plugin);
                let help = "nothing else is affected; run `symposium sync --yes` to try again";
                session.report_briefly(&[Diagnostic::error(wanted.manifest.clone(), message).help(help)]);
            }
        }
    }
    if made_any {
        let _held = ledger_store::lock(&session.context.directories)?;
        session.run(settle)?;
    }
    Ok(session)
}

/// Says which installations are missing, where none is made.
pub(super) fn name(printer: Printer, unmade: &[MissingInstallation]) {
    let place = shell_agent().map_or_else(String::new, |agent| format!(" in a terminal outside {agent}"));
    for MissingInstallation { plugin, installation, .. } in unmade {
        printer.warning(&format!(
            "Plugin `{plugin}` needs the installation `{}`, which only the user may confirm: run `symposium sync \
             --yes`{place}",
            installation.name
        ));
    }
}
