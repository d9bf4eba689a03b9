//! `symposium trust`: what the plugins here would run, shown in full; and a yes to it, or its withdrawal.

mod show;

use std::io::IsTerminal;
use std::path::Path;

use symposium_io::clock;
use symposium_model::catalog::Catalog;
use symposium_model::trust::{Grant, GrantSet, TrustStatus};

use self::show::{FileExtent, TrustDocument, TrustTense};
use super::args::{GlobalArgs, TrustArgs};
use super::install_step::{self, InstallConsent};
use crate::ops::context::Context;
use crate::ops::ledger_store;
use crate::ops::resolve::{LedgerDetail, Resolution, ResolutionDetail};
use crate::ops::sync;
use crate::ops::trust::{CoveredText, PluginTrust, TrustReport, store};
use crate::ui::error::CliError;
use crate::ui::exit::CommandExit;
use crate::ui::printer::{OutputFormat, Printer};
use crate::ui::prompt::{self, Decision, Viewing};

pub(super) fn run(args: &TrustArgs, global: &GlobalArgs, printer: Printer) -> Result<CommandExit, CliError> {
    let context = load(args.path.as_deref(), global, printer)?;
    context.start_log();
    let resolution = Resolution::load(&context, ResolutionDetail::EVERYTHING.with_ledger(LedgerDetail::Skip));
    resolution.report(&context);
    let Resolution { catalog, trust, .. } = &resolution;
    let review = TrustDocument::new(&context, &resolution);
    if args.revoke {
        return revoke(args, global, &context, trust, &review);
    }
    let reviewed = ReviewedGrants::from_trust(catalog, trust);
    if args.show || args.writing.dry_run || reviewed.grants.is_empty() {
        show::everything(&context, &review);
        let is_never = |permission: &TrustStatus| *permission == TrustStatus::Never;
        if args.writing.yes && !args.show && trust.standings().any(|(_, standing)| is_never(&standing.permission)) {
            let error = CliError::no("Nothing was granted: you never let projects run anything");
            let file = context.directories.config_file();
            return Err(error.hint(format!("take `projects = \"never\"` out of {} first", file.display())));
        }
        return Ok(context.closing(CommandExit::Ok));
    }
    agree(args, &context, &review, &reviewed)?;
    let context = change(args, global, &context, |grants| {
        for grant in &reviewed.grants {
            grants.add(grant.clone());
        }
        reviewed.texts.clone()
    })?;
    show::granted(&context, &review, &reviewed.names);
    update_plans(context, "granted", InstallConsent::Given, global)
}

fn load(path: Option<&Path>, global: &GlobalArgs, printer: Printer) -> Result<Context, CliError> {
    match path {
        Some(path) => Context::load_about(path, printer, &global.source),
        None => Context::load(printer, &global.source),
    }
}

/// What a yes would mean: exactly what was shown, whatever happens to the files meanwhile.
struct ReviewedGrants {
    names: Vec<String>,
    grants: Vec<Grant>,
    texts: Vec<CoveredText>,
}

impl ReviewedGrants {
    fn from_trust(catalog: &Catalog, trust: &TrustReport) -> Self {
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

/// A yes by a person at a terminal, or by the flag. Nothing else counts as one.
fn agree(
    args: &TrustArgs,
    context: &Context,
    review: &TrustDocument,
    reviewed: &ReviewedGrants,
) -> Result<(), CliError> {
    match (context.printer.answer, args.writing.yes) {
        // One document is enough: the one that says what was granted.
        (OutputFormat::Json, true) => return Ok(()),
        (OutputFormat::Json | OutputFormat::Human, _) => show::everything(context, review),
    }
    if args.writing.yes {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() || context.printer.answer == OutputFormat::Json {
        let error = CliError::usage("Nothing was granted: that needs a yes");
        return Err(error.hint("look at what is shown, and pass `--yes` if you agree to it"));
    }
    let question = match reviewed.names.as_slice() {
        [one] => format!("Let `{one}` run this, as it is shown here?"),
        several => format!("Let these {} run this, as it is shown here?", several.len()),
    };
    let viewing = if show::has_more(review) { Viewing::Offered } else { Viewing::Needless };
    loop {
        match prompt::consent(&question, viewing) {
            Ok(Decision::Agree) => return Ok(()),
            Ok(Decision::Refuse) => return Err(CliError::no("Nothing was granted")),
            Ok(Decision::View) => show::shown(context, review, FileExtent::Whole),
            Err(error) => return Err(CliError::failed(format!("Failed to ask: {error}"))),
        }
    }
}

/// Withdraws what was granted to the plugins here, and everything else that was granted in this workspace.
fn revoke(
    args: &TrustArgs,
    global: &GlobalArgs,
    context: &Context,
    trust: &TrustReport,
    review: &TrustDocument,
) -> Result<CommandExit, CliError> {
    let root = context.root().and_then(|root| symposium_io::fs::canonical(root).ok());
    let root = root.map(|root| root.display().to_string());
    let is_meant = |grant: &Grant| {
        let of_workspace = grant.subject.workspace.is_some() && grant.subject.workspace == root;
        of_workspace || trust.everything().any(|standing| standing.goes_by(&grant.subject))
    };
    let mut names: Vec<String> =
        trust.grants.all().iter().filter(|grant| is_meant(grant)).map(|grant| grant.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    if args.writing.dry_run {
        show::withdrawn(context, review, &names, TrustTense::Would);
        return Ok(context.closing(CommandExit::Ok));
    }
    let context = change(args, global, context, |grants| {
        grants.withdraw(is_meant);
        Vec::new()
    })?;
    show::withdrawn(&context, review, &names, TrustTense::Done);
    update_plans(context, "withdrawn", InstallConsent::Absent, global)
}

/// Changes the store, under the lock; gives back the circumstances as they are then.
fn change(
    args: &TrustArgs,
    global: &GlobalArgs,
    shown: &Context,
    edit: impl FnOnce(&mut GrantSet) -> Vec<CoveredText>,
) -> Result<Context, CliError> {
    let _held = ledger_store::lock(&shown.directories)?;
    // What is odd about the configuration was said.
    let mut context = load(args.path.as_deref(), global, Printer::silent())?;
    context.printer = shown.printer;
    store::mend(&context)?;
    let mut grants = store::read(&context.directories).unwrap_or_default();
    let texts = edit(&mut grants);
    store::write(&context, &grants, &texts).map_err(|found| CliError::because(*found))?;
    Ok(context)
}

/// Brings plans and registrations in step with what is granted now.
fn update_plans(
    mut context: Context,
    what: &str,
    consent: InstallConsent,
    global: &GlobalArgs,
) -> Result<CommandExit, CliError> {
    let printer = context.printer;
    let held = ledger_store::lock(&context.directories)?;
    sync::update_after_install(&mut context)?;
    if context.is_partial() {
        printer.warning(&format!("It is {what}, but not everything is up to date with it"));
        printer.hint("`symposium sync` says what could not be done");
    }
    // Whoever agreed to what is run agreed to what that needs.
    install_step::finish(context, Some(held), consent, global, CommandExit::Ok, sync::update_after_install)
}
