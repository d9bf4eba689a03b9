//! `symposium why`: every condition, against which version, through which dependency.

use serde::Serialize;
use symposium_model::catalog::Catalog;
use symposium_model::crates::CrateSet;
use symposium_model::nearest::nearest;

use crate::app::context::Context;
use crate::app::sync::ledger_file;
use crate::app::trust::Trust;
use crate::app::why::{Evidence, Explanation, explain};
use crate::app::{catalog, guidance};
use crate::ui::exit::Exit;
use crate::ui::printer::Answer;
use crate::ui::reply::Reply;
use crate::ui::text::Text;

#[derive(Serialize)]
struct Document<'d> {
    version: u32,
    name: &'d str,
    verdict: String,
    reasons: Vec<String>,
    /// The same for each thing of that name.
    answers: Vec<AnswerRow>,
}

#[derive(Serialize)]
struct AnswerRow {
    subject: String,
    verdict: String,
    reasons: Vec<String>,
}

/// A crate, skill or plugin with nearly that name.
fn near(catalog: &Catalog, crates: Option<&CrateSet>, name: &str) -> Option<String> {
    let crates = crates.map(CrateSet::crates).unwrap_or_default();
    let mut known: Vec<&str> = crates.iter().map(|krate| krate.name.as_str()).collect();
    for (_, loaded) in catalog.plugins() {
        known.push(&loaded.plugin.name);
        known.extend(loaded.skills.iter().map(|skill| skill.document.name.as_str()));
    }
    nearest(name, &known).map(str::to_owned)
}

/// Answers the command.
pub(super) fn run(context: &Context, name: &str) -> Exit {
    reply(context, name).print(context.printer)
}

/// The answer: as JSON it is printed here, and what remains is what is said beside it.
pub(super) fn reply(context: &Context, name: &str) -> Reply {
    let crates = context.crates();
    let catalog = catalog::read(context, crates.as_ref());
    let selection = catalog::select_for(context, &catalog, crates.as_ref());
    let scope = catalog::scope(context);
    let ledger = ledger_file::read(context);
    let trust = Trust::of(context, &catalog, &selection);
    let evidence = Evidence {
        catalog: &catalog,
        selection: &selection,
        crates: crates.as_ref(),
        scope,
        ledger: &ledger,
        workflows: context.workflows(),
        trust: &trust,
        is_on_disk: &|krate| guidance::source_of(context, krate).is_some(),
    };
    let explanations = explain(&evidence, name);
    let exit = if explanations.is_empty() { Exit::No } else { Exit::Ok };
    let reply = match context.printer.answer {
        Answer::Json => {
            context.printer.json(&document(name, &explanations));
            Reply::new(exit)
        }
        Answer::Human => Reply::new(exit).text(text(&explanations)),
    };
    if !explanations.is_empty() {
        return reply;
    }
    let reply = reply.error(format!(
        "`{name}` is not a dependency of this workspace, and no skill, plugin or file of a source has that name"
    ));
    match near(&catalog, crates.as_ref(), name) {
        Some(known) => reply.hint(format!("did you mean `{known}`?")),
        None => reply.hint("`symposium crate --list` and `symposium plugin list` show what there is"),
    }
}

fn document<'d>(name: &'d str, explanations: &[Explanation]) -> Document<'d> {
    let verdict = explanations.first().map_or_else(|| "unknown".to_owned(), |found| found.verdict.clone());
    let reasons = explanations.first().map(|found| found.reasons.clone()).unwrap_or_default();
    let answers = explanations.iter().map(|found| AnswerRow {
        subject: found.subject.clone(),
        verdict: found.verdict.clone(),
        reasons: found.reasons.clone(),
    });
    Document { version: 1, name, verdict, reasons, answers: answers.collect() }
}

fn text(explanations: &[Explanation]) -> Text {
    let mut text = Text::default();
    for found in explanations {
        text = text.strong(&found.subject).plain(": ").line(&found.verdict);
        for reason in &found.reasons {
            text = text.line(format!("  - {reason}"));
        }
    }
    text
}
