//! `symposium on` and `symposium off`: the project's choices, or the user's own about what only they have; then a sync.

use super::args::{GlobalArgs, WritingArgs};
use super::change_report::ReportDetail;
use super::session::CliSession;
use super::sync::{finish, mention_missing_agents, synchronize};
use crate::error::{CliError, CommandExit};
use crate::ops::fetch_report::FetchReport;
use crate::ops::hook_plan::kept_guards::kept_guards;
use crate::ops::required_version;
use crate::ops::resolve::ResolutionDetail;
use crate::ops::sync::{SyncOptions, SyncSources, WriteMode};
use crate::ops::toggles::{self, CurrentChoices, SwitchEdits, ToggleTarget};
use crate::ops::trust::TrustDetail;
use crate::ui::printer::Printer;

pub(super) fn run(
    what: ToggleTarget<'_>,
    on: bool,
    writing: WritingArgs,
    global: &GlobalArgs,
    printer: Printer,
) -> Result<CommandExit, CliError> {
    let mode = if writing.dry_run { WriteMode::DryRun } else { WriteMode::Write };
    let (mut session, held) = match mode {
        WriteMode::Write => CliSession::locked(printer, global).map(|(session, lock)| (session, Some(lock)))?,
        WriteMode::DryRun | WriteMode::Check => (CliSession::logged(printer, global)?, None),
    };
    required_version::check(&session.context)?;
    let edits = chosen(&mut session, what, on)?;
    let mut done = Vec::new();
    session.context =
        session.run(|context, report| toggles::apply(context.clone(), &edits, mode, &mut done, report))?;
    mention_missing_agents(&session);
    let sources = SyncSources::Unread(FetchReport::default());
    let (exit, synced) = synchronize(&mut session, SyncOptions::everything(mode), done, sources, ReportDetail::Each)?;
    finish(session, held, writing, global, exit, synced)
}

fn chosen(session: &mut CliSession, what: ToggleTarget<'_>, on: bool) -> Result<SwitchEdits, CliError> {
    if session.context.root().is_none() {
        let error = CliError::failed("This directory is not part of a cargo workspace");
        return Err(error.hint("run the command in a directory with a Cargo.toml"));
    }
    let resolution = session.resolve(ResolutionDetail::SOURCES.with_trust(TrustDetail::Granted));
    let context = &session.context;
    let chosen = CurrentChoices { settings: &context.settings, own: &context.own };
    toggles::edits(what, on, chosen, &resolution, &kept_guards(context, &resolution))
}
