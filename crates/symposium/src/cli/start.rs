//! `symposium start`: Rust guidance and the skills of this workspace, for an agent to read.

use serde::Serialize;

use super::crate_info::{self, CrateRow};
use super::session::CliSession;
use crate::error::CommandExit;
use crate::ops::catalog;
use crate::ops::guidance;
use crate::ops::resolve::ResolutionDetail;
use crate::ui::printer::OutputFormat;
use crate::ui::response::CommandResponse;
use crate::ui::text::StyledText;

#[derive(Serialize)]
struct Document<'d> {
    version: u32,
    guidance: &'d str,
    crates: Vec<CrateRow>,
    /// Crates that bring skills of their own, which nobody switched on.
    candidates: Vec<String>,
}

pub(super) fn run(session: &mut CliSession) -> CommandExit {
    match session.printer.answer {
        OutputFormat::Json => {
            let resolution = session.resolve(ResolutionDetail::RELEVANT);
            let crates =
                crate_info::rows(&guidance::skills_by_crate(&resolution, catalog::scope(&session.context.settings)));
            let candidates = guidance::candidates(&resolution.selection);
            session.printer.json(&Document { version: 1, guidance: symposium_builtin::START, crates, candidates });
            CommandExit::Ok
        }
        OutputFormat::Human => reply(session).print(session.printer),
    }
}

pub(super) fn reply(session: &mut CliSession) -> CommandResponse {
    let resolution = session.resolve(ResolutionDetail::RELEVANT);
    let rows = guidance::skills_by_crate(&resolution, catalog::scope(&session.context.settings));
    let candidates = guidance::candidates(&resolution.selection);
    let guidance = symposium_builtin::START.trim_end();
    let text = StyledText::default().block(guidance).end().line("## Skills for this workspace").end();
    let text = match (resolution.crates(), rows.iter().any(|row| !row.skills.is_empty())) {
        (None, _) => text.line("This directory is not part of a cargo workspace."),
        (Some(_), false) => text.line("No skill matches the dependencies of this workspace."),
        (Some(_), true) => crate_info::skill_lines(text, &rows)
            .end()
            .line("Before you write code that uses one of these crates, run `symposium crate NAME`."),
    };
    let text = candidates.iter().fold(text, |text, krate| {
        text.line(format!(
            "{krate} ships skills that are not switched on. The user can switch them on with `symposium on {krate}`."
        ))
    });
    CommandResponse::new(CommandExit::Ok).text(text)
}
