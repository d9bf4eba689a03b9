//! `symposium start`: Rust guidance and the skills of this workspace, for an agent to read.

use serde::Serialize;

use super::crate_info::{self, CrateRow};
use crate::app::context::Context;
use crate::app::{catalog, guidance};
use crate::ui::exit::Exit;
use crate::ui::printer::Answer;
use crate::ui::text::Text;

#[derive(Serialize)]
struct Document<'d> {
    version: u32,
    guidance: &'d str,
    crates: Vec<CrateRow>,
}

/// Runs the command.
pub(super) fn run(context: &Context) -> Exit {
    let crates = context.crates();
    let catalog = catalog::read(context);
    let selection = catalog::select_for(context, &catalog, crates.as_ref());
    let rows = guidance::skills_by_crate(&catalog, &selection, crates.as_ref(), catalog::scope(context));
    let guidance = symposium_recommendations::START;
    match context.printer.answer {
        Answer::Json => {
            let crates = crate_info::rows(&rows);
            context.printer.json(&Document { version: 1, guidance, crates });
        }
        Answer::Human => {
            let mut text = Text::default().line(guidance.trim_end()).end().line("## Skills for this workspace").end();
            text = match (&crates, rows.iter().any(|row| !row.skills.is_empty())) {
                (None, _) => text.line("This directory is not part of a cargo workspace."),
                (Some(_), false) => text.line("No skill matches the dependencies of this workspace."),
                (Some(_), true) => crate_info::skill_lines(text, &rows)
                    .end()
                    .line("Before you write code that uses one of these crates, run `symposium crate NAME`."),
            };
            context.printer.text(&text);
        }
    }
    Exit::Ok
}
