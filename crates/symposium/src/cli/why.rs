//! `symposium why`: every condition, against which version, through which dependency.

use std::path::Path;

use serde::Serialize;
use symposium_model::suggest::nearest;

use super::session::CliSession;
use crate::error::CommandExit;
use crate::ops::environment::exists;
use crate::ops::query::why::{WhyAnswer, WhyInput, WhyKind, explain, known_names};
use crate::ops::resolve::ResolutionDetail;
use crate::ui::printer::OutputFormat;
use crate::ui::response::CommandResponse;
use crate::ui::text::StyledText;

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

/// What may stand before a name to say what it is of, the longer ones first.
const KINDS: [(&[&str], WhyKind); 8] = [
    (&["mcp", "server"], WhyKind::Server),
    (&["server"], WhyKind::Server),
    (&["mcp"], WhyKind::Server),
    (&["hook"], WhyKind::Hook),
    (&["skill"], WhyKind::Skill),
    (&["plugin"], WhyKind::Plugin),
    (&["crate"], WhyKind::Crate),
    (&["file"], WhyKind::File),
];

/// What the words ask for. A single one is always a name.
fn question(words: &[String]) -> (Option<WhyKind>, String) {
    let is_prefix =
        |prefix: &[&str]| words.len() > prefix.len() && words.iter().zip(prefix).all(|(word, own)| word == own);
    match KINDS.iter().find(|(prefix, _)| is_prefix(prefix)) {
        Some((prefix, kind)) => (Some(*kind), words.get(prefix.len()..).unwrap_or_default().join(" ")),
        None => (None, words.join(" ")),
    }
}

pub(super) fn run(session: &mut CliSession, words: &[String]) -> CommandExit {
    let (kind, name) = question(words);
    answer(session, kind, &name).print(session.printer)
}

/// The answer to a question of an agent.
pub(super) fn reply(session: &mut CliSession, name: &str) -> CommandResponse {
    let words: Vec<String> = name.split_whitespace().map(str::to_owned).collect();
    match question(&words) {
        (Some(kind), name) => answer(session, Some(kind), &name),
        // A file may have blanks in its name.
        (None, _) => answer(session, None, name),
    }
}

/// The answer: as JSON it is given here, and what remains is what is said beside it.
fn answer(session: &mut CliSession, kind: Option<WhyKind>, name: &str) -> CommandResponse {
    let resolution = session.resolve(ResolutionDetail::EVERYTHING);
    let CliSession { context, printer, report } = &*session;
    let evidence = WhyInput::new(context, &resolution, report);
    let explanations = explain(&evidence, kind, name);
    let exit = if explanations.is_empty() { CommandExit::No } else { CommandExit::Ok };
    let reply = match printer.answer {
        OutputFormat::Json => {
            printer.json(&document(name, &explanations));
            CommandResponse::new(exit)
        }
        OutputFormat::Human => CommandResponse::new(exit).text(text(&explanations)),
    };
    if !explanations.is_empty() {
        return reply;
    }
    if matches!(kind, None | Some(WhyKind::File)) && exists(Path::new(name)) {
        return reply
            .error(format!("`{name}` was not written by Symposium, and contains no known skill or plugin"))
            .hint("run `symposium status` to list extensions");
    }
    let reply = reply.error(unknown(kind, name));
    let known = known_names(&evidence);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let other = kind.and_then(|_| explain(&evidence, None, name).into_iter().next());
    match (other, nearest(name, &known)) {
        (Some(other), _) => reply.hint(format!("a {} has that name; omit the kind", other.subject)),
        (None, Some(known)) => reply.hint(format!("did you mean `{known}`?")),
        (None, None) => reply.hint(
            "run `symposium crate --list`, `symposium plugin list` or `symposium hook list` to list names; use \
             `crate/skill` or `plugin/hook` for a part",
        ),
    }
}

fn unknown(kind: Option<WhyKind>, name: &str) -> String {
    match kind {
        None => format!(
            "`{name}` is not a dependency of this workspace, and no skill, plugin, hook, MCP server or file has that name"
        ),
        Some(WhyKind::Crate) => format!("`{name}` is not a dependency of this workspace, and has no skills"),
        Some(WhyKind::Skill) => format!("No skill of any source is called `{name}`"),
        Some(WhyKind::Plugin) => format!("No plugin of any source is called `{name}`"),
        Some(WhyKind::Hook) => format!("No hook of any plugin is called `{name}`"),
        Some(WhyKind::Server) => format!("No MCP server of any plugin is called `{name}`"),
        Some(WhyKind::File) => format!("`{name}` is not a file of a source, and was not written by Symposium"),
    }
}

fn document<'d>(name: &'d str, explanations: &[WhyAnswer]) -> Document<'d> {
    let verdict = explanations.first().map_or_else(|| "unknown".to_owned(), |found| found.verdict.clone());
    let reasons = explanations.first().map(|found| found.reasons.clone()).unwrap_or_default();
    let answers = explanations.iter().map(|found| AnswerRow {
        subject: found.subject.clone(),
        verdict: found.verdict.clone(),
        reasons: found.reasons.clone(),
    });
    Document { version: 1, name, verdict, reasons, answers: answers.collect() }
}

fn text(explanations: &[WhyAnswer]) -> StyledText {
    let mut text = StyledText::default();
    for found in explanations {
        text = text.strong(&found.subject).plain(": ").line(&found.verdict);
        for reason in &found.reasons {
            text = text.line(format!("  - {reason}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_is_may_come_before_the_name() {
        for (words, kind, name) in [
            ("serde", None, "serde"),
            ("server", None, "server"),
            ("mcp server db", Some(WhyKind::Server), "db"),
            ("mcp server", Some(WhyKind::Server), "server"),
            ("hook guard/no-rm", Some(WhyKind::Hook), "guard/no-rm"),
            ("crate serde", Some(WhyKind::Crate), "serde"),
            ("a b", None, "a b"),
        ] {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            assert_eq!(question(&words), (kind, name.to_owned()), "{words:?}");
        }
    }
}
