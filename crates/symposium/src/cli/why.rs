//! `symposium why`: every condition, against which version, through which dependency.

use serde::Serialize;

use crate::app::catalog;
use crate::app::context::Context;
use crate::app::why::{Evidence, explain};
use crate::ui::exit::Exit;
use crate::ui::printer::Answer;
use crate::ui::text::Text;

#[derive(Serialize)]
struct Document<'d> {
    version: u32,
    name: &'d str,
    verdict: String,
    reasons: Vec<String>,
}

/// Runs the command.
pub(super) fn run(context: &Context, name: &str) -> Exit {
    let crates = context.crates();
    let catalog = catalog::read(context);
    let selection = catalog::select_for(context, &catalog, crates.as_ref());
    let scope = catalog::scope(context);
    let evidence = Evidence { catalog: &catalog, selection: &selection, crates: crates.as_ref(), scope };
    let explanations = explain(&evidence, name);
    if context.printer.answer == Answer::Json {
        let verdicts: Vec<String> =
            explanations.iter().map(|found| format!("{}: {}", found.subject, found.verdict)).collect();
        let verdict = if verdicts.is_empty() { "unknown".to_owned() } else { verdicts.join("; ") };
        let reasons = explanations.iter().flat_map(|found| found.reasons.clone()).collect();
        context.printer.json(&Document { version: 1, name, verdict, reasons });
    } else {
        let mut text = Text::default();
        for found in &explanations {
            text = text.strong(&found.subject).plain(": ").line(&found.verdict);
            for reason in &found.reasons {
                text = text.line(format!("  - {reason}"));
            }
        }
        context.printer.text(&text);
    }
    if explanations.is_empty() {
        context.printer.error(&format!(
            "`{name}` is not a dependency of this workspace, and no skill, plugin or file of a source has that name"
        ));
        return Exit::No;
    }
    Exit::Ok
}
