//! `symposium trust`: what the plugins here would run, shown in full; and a yes to it, or its withdrawal.

mod show;

use std::io::IsTerminal;
use std::path::Path;

use symposium_model::trust::{Grant, GrantSet, TrustStatus};

use self::show::{FileExtent, TrustDocument, TrustTense};
use super::args::{GlobalArgs, TrustArgs};
use super::install_step::{self, InstallConsent};
use super::session::{CliSession, call_options};
use crate::error::{CliError, CommandExit};
use crate::ops::context::Context;
use crate::ops::ledger_store;
use crate::ops::resolve::{LedgerDetail, Resolution, ResolutionDetail};
use crate::ops::sync::update_after_install;
use crate::ops::trust::review::ReviewedGrants;
use crate::ops::trust::{CoveredText, TrustReport, store};
use crate::ui::printer::{OutputFormat, OutputPrinter};
use crate::ui::prompt::{self, ConsentAnswer, ViewOption};

pub(super) fn run(args: &TrustArgs, global: &GlobalArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let mut session = CliSession::new(load(args.path.as_deref(), global, printer)?, printer);
    session.context.start_log();
    let resolution = session.resolve(ResolutionDetail::EVERYTHING.with_ledger(LedgerDetail::Skip));
    let Resolution { catalog, trust, .. } = &resolution;
    let review = TrustDocument::new(&session.context, &resolution);
    if args.revoke {
        return revoke(args, global, &session, trust, &review);
    }
    let reviewed = ReviewedGrants::from_trust(catalog, trust);
    if args.show || args.writing.dry_run || reviewed.grants.is_empty() {
        show::everything(&session, &review);
        let is_never = |permission: &TrustStatus| *permission == TrustStatus::Never;
        if args.writing.yes && !args.show && trust.standings().any(|(_, standing)| is_never(&standing.permission)) {
            let error = CliError::no("Nothing was granted: your configuration never lets projects run programs");
            let file = session.context.directories.config_file();
            return Err(error.hint(format!("remove `projects = \"never\"` from {} first", file.display())));
        }
        return Ok(session.exit(CommandExit::Ok));
    }
    agree(args, &session, &review, &reviewed)?;
    let session = change(args, global, &session, |grants| {
        for grant in &reviewed.grants {
            grants.add(grant.clone());
        }
        reviewed.texts.clone()
    })?;
    show::granted(printer, &review, &reviewed.names);
    update_plans(session, "saved", InstallConsent::Given, global)
}

fn load(path: Option<&Path>, global: &GlobalArgs, printer: OutputPrinter) -> Result<Context, CliError> {
    let options = call_options(printer, &global.source);
    match path {
        Some(path) => Context::load_about(path, &options),
        None => Context::load(&options),
    }
}

/// A yes by a person at a terminal, or by the flag. Nothing else counts as one.
fn agree(
    args: &TrustArgs,
    session: &CliSession,
    review: &TrustDocument,
    reviewed: &ReviewedGrants,
) -> Result<(), CliError> {
    match (session.printer.answer, args.writing.yes) {
        // One document is enough: the one that says what was granted.
        (OutputFormat::Json, true) => return Ok(()),
        (OutputFormat::Json | OutputFormat::Human, _) => show::everything(session, review),
    }
    if args.writing.yes {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() || session.printer.answer == OutputFormat::Json {
        let error = CliError::usage("Nothing was granted: a grant needs confirmation");
        return Err(error.hint("review the content above, and pass `--yes` to grant it"));
    }
    let question = match reviewed.names.as_slice() {
        [one] => format!("Allow `{one}` to run this, exactly as shown?"),
        several => format!("Allow these {} plugins to run this, exactly as shown?", several.len()),
    };
    let viewing = if show::has_more(review) { ViewOption::Offered } else { ViewOption::Needless };
    loop {
        match prompt::consent(&question, viewing) {
            Ok(ConsentAnswer::Agree) => return Ok(()),
            Ok(ConsentAnswer::Refuse) => {
                reviewed.remember_refusal(&session.context.directories);
                return Err(CliError::no("Nothing was granted"));
            }
            Ok(ConsentAnswer::View) => show::shown(session, review, FileExtent::Whole),
            Err(error) => return Err(CliError::unanswered(&error)),
        }
    }
}

/// Withdraws what was granted to the plugins here, and everything else that was granted in this workspace.
fn revoke(
    args: &TrustArgs,
    global: &GlobalArgs,
    session: &CliSession,
    trust: &TrustReport,
    review: &TrustDocument,
) -> Result<CommandExit, CliError> {
    let root = session.context.canonical_root().map(|root| root.display().to_string());
    let is_meant = |grant: &Grant| {
        let of_workspace = grant.subject.workspace.is_some() && grant.subject.workspace == root;
        of_workspace || trust.everything().any(|standing| standing.goes_by(&grant.subject))
    };
    let mut names: Vec<String> =
        trust.grants.all().iter().filter(|grant| is_meant(grant)).map(|grant| grant.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    if args.writing.dry_run {
        show::withdrawn(session.printer, review, &names, TrustTense::Would);
        return Ok(session.exit(CommandExit::Ok));
    }
    let session = change(args, global, session, |grants| {
        grants.withdraw(is_meant);
        Vec::new()
    })?;
    show::withdrawn(session.printer, review, &names, TrustTense::Done);
    update_plans(session, "revoked", InstallConsent::Absent, global)
}

/// Changes the store, under the lock; returns the session as it is then.
fn change(
    args: &TrustArgs,
    global: &GlobalArgs,
    shown: &CliSession,
    edit: impl FnOnce(&mut GrantSet) -> Vec<CoveredText>,
) -> Result<CliSession, CliError> {
    let _held = ledger_store::lock(&shown.context.directories)?;
    let context = load(args.path.as_deref(), global, shown.printer)?;
    let mut session = CliSession::resumed(context, shown.printer);
    session.run(store::set_broken_aside)?;
    let mut grants = store::read(&session.context.directories).unwrap_or_default();
    let texts = edit(&mut grants);
    store::write(&session.context.directories, &grants, &texts).map_err(|found| CliError::because(*found))?;
    Ok(session)
}

/// Updates plans and registrations to the present grants.
fn update_plans(
    mut session: CliSession,
    what: &str,
    consent: InstallConsent,
    global: &GlobalArgs,
) -> Result<CommandExit, CliError> {
    let printer = session.printer;
    let held = ledger_store::lock(&session.context.directories)?;
    let missing = session.run(update_after_install)?;
    if session.report.is_partial() {
        printer.warning(&format!("The grants were {what}, but some plans or registrations were not updated"));
        printer.hint("run `symposium sync` to see the errors");
    }
    // A grant for a plugin includes consent to the installations that it needs.
    let session = install_step::install(session, Some(held), consent, global, &missing, update_after_install)?;
    Ok(session.exit(CommandExit::Ok))
}
