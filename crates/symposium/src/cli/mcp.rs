//! `symposium mcp`: what the commands answer, as tools of an MCP server.

use std::cell::{Cell, RefCell};
use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;

use symposium_model::agent::AgentId;
use symposium_model::config::NamedDirectories;
use symposium_model::guidance_provider::{ApiQuestion, GuidanceProvider, SourceQuestion};

use super::args::GlobalArgs;
use super::session::{CliSession, call_options};
use super::{api, crate_info, crate_source, start, why};
use crate::error::{CliError, CommandExit};
use crate::ops::context::Context;
use crate::ops::environment::existing_directories;
use crate::ops::hook_plan;
use crate::ops::resolve::{LedgerDetail, ResolutionDetail};
use crate::ops::trust::TrustDetail;
use crate::ui::printer::{OutputFormat, OutputPrinter, VerbosityLevel};
use crate::ui::response::CommandResponse;

/// When to call what: all that most clients are told.
pub(super) const INSTRUCTIONS: &str = "\
Symposium knows which crates this Rust workspace uses, at which versions, and has guidance written for those versions.
- At the start of work on Rust code, call `start`.
- Before you write or change code that uses a crate, call `crate` with its name: APIs differ between versions, and the \
locked one counts.
- Before you guess a name, a signature, a field or a feature, call `api` with a crate, a path or words: it knows the \
public items of the locked versions.
- To read code, call `crate_source`: `search` finds a definition in the locked version's source, `read` shows it, \
`examples` shows how it is used.
- `list` shows the crates that have guidance; `why` explains why guidance does or does not apply.
The tools return the output of the commands `symposium start`, `symposium crate`, `symposium api` and `symposium why`.
";

/// More directories of a client are not looked into.
const MAX_ROOTS: usize = 32;

/// Answers the client until it is gone.
pub(super) fn run(ours: NamedDirectories, global: GlobalArgs, printer: OutputPrinter) -> Result<CommandExit, CliError> {
    let verbosity = match printer.verbosity {
        VerbosityLevel::Silent | VerbosityLevel::Quiet | VerbosityLevel::Normal => VerbosityLevel::Silent,
        more @ (VerbosityLevel::Verbose | VerbosityLevel::WithLog) => more,
    };
    let printer = OutputPrinter { verbosity, answer: OutputFormat::Human, ..printer };
    let (logging, directory) = (Cell::new(false), RefCell::new(None));
    let server = GuidanceServer { ours, sources: global.source, printer, logging, directory };
    symposium_mcp::serve(&server, BufReader::new(stdin()), stdout().lock())
        .map_err(|error| CliError::failed(format!("Failed to communicate with the MCP client: {error}")))?;
    Ok(CommandExit::Ok)
}

/// Everything is read anew for each question: files change while an agent works.
struct GuidanceServer {
    ours: NamedDirectories,
    sources: Vec<PathBuf>,
    printer: OutputPrinter,
    /// Whether the log of this run was started.
    logging: Cell<bool>,
    /// The client's working directory, once it has reported one.
    directory: RefCell<Option<PathBuf>>,
}

impl GuidanceServer {
    fn ask(
        &self,
        question: impl FnOnce(&mut CliSession) -> Result<CommandResponse, CliError>,
    ) -> Result<String, String> {
        let reply = self.session().and_then(|mut session| question(&mut session)).unwrap_or_else(CommandResponse::from);
        match reply.exit {
            CommandExit::Ok => Ok(reply.bare()),
            CommandExit::No | CommandExit::Usage | CommandExit::Partial => Err(reply.bare()),
        }
    }

    fn session(&self) -> Result<CliSession, CliError> {
        let (directory, ours) = (self.directory.borrow(), self.ours.clone());
        let options = call_options(self.printer, &self.sources);
        let context = match directory.as_deref() {
            None => Context::load_from(ours, &options)?,
            Some(directory) => Context::load_in(directory, ours, &options)?,
        };
        let session = CliSession::new(context, self.printer);
        if !self.logging.replace(true) {
            session.context.start_log();
        }
        Ok(session)
    }
}

impl GuidanceProvider for GuidanceServer {
    fn start(&self) -> String {
        self.ask(|session| Ok(start::reply(session))).unwrap_or_else(|no| no)
    }

    fn list(&self) -> String {
        self.ask(|session| Ok(crate_info::list(session))).unwrap_or_else(|no| no)
    }

    fn krate(&self, name: &str, version: Option<&str>) -> Result<String, String> {
        self.ask(|session| crate_info::one(session, name, version))
    }

    fn source(&self, question: &SourceQuestion<'_>, wanted: &dyn Fn() -> bool) -> Result<String, String> {
        self.ask(|session| crate_source::reply(session, question, wanted))
    }

    fn api(&self, question: &ApiQuestion<'_>) -> Result<String, String> {
        self.ask(|session| api::reply(session, question))
    }

    fn why(&self, name: &str) -> Result<String, String> {
        self.ask(|session| Ok(why::reply(session, name)))
    }

    /// Of several directories the first in a workspace counts: a client may name others too.
    fn work_in(&self, roots: &[PathBuf]) {
        let mut there = existing_directories(roots).take(MAX_ROOTS);
        let has_workspace = |root: &&PathBuf| {
            let options = call_options(self.printer, &self.sources);
            let context = Context::load_at(root, None, self.ours.clone(), &options);
            context.is_ok_and(|context| CliSession::new(context, self.printer).context.root().is_some())
        };
        let first = there.clone().next();
        self.directory.replace(there.find(has_workspace).or(first).cloned());
    }

    /// Goose takes no context from hooks, so it gets the text of the session here. Every other client has it from there
    /// and must not get it twice.
    fn instructions(&self, client: &str) -> String {
        let mut instructions = INSTRUCTIONS.to_owned();
        if client.to_ascii_lowercase().starts_with("goose")
            && let Ok(mut session) = self.session()
        {
            let detail = ResolutionDetail::RELEVANT.with_trust(TrustDetail::Granted).with_ledger(LedgerDetail::Read);
            let resolution = session.resolve_inputs(detail);
            session.run(|_, report| resolution.report_sources(report));
            for text in hook_plan::start_texts(&session.context, &resolution, AgentId::Goose) {
                instructions.push_str(&format!("\n{text}\n"));
            }
        }
        instructions
    }
}
