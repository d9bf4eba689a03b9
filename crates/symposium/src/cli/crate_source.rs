//! `symposium crate NAME --files`, `--path`, `--search` and `--examples`: what is in the source of a locked crate.

use std::path::{Path, PathBuf};

use serde::Serialize;
use symposium_model::guidance_provider::{SourceAction, SourceQuestion};

use super::args::CrateArgs;
use super::session::CliSession;
use crate::error::{CliError, CommandExit};
use crate::ops::author::validate::is_plugin_directory;
use crate::ops::query::crate_source::{ListedFile, SourceAnswer, SourceReport, answer};
use crate::ui::printer::OutputFormat;
use crate::ui::response::CommandResponse;
use crate::ui::text::StyledText;

/// The value of `--source` without a path.
const EVERYTHING: &str = "*";

/// The values of `--source` that mean what they mean for every command: directories here that hold plugins.
pub(super) fn plugin_sources(args: &CrateArgs) -> Vec<PathBuf> {
    args.source.iter().filter(|path| is_plugin_source(args, path)).cloned().collect()
}

fn is_plugin_source(args: &CrateArgs, path: &Path) -> bool {
    // Without a crate there is no source of one.
    args.name.is_none() || is_plugin_directory(path)
}

/// The question about its source; `None` when it is about the crate itself.
pub(super) fn question<'a>(name: &'a str, version: Option<&'a str>, args: &'a CrateArgs) -> Option<SourceQuestion<'a>> {
    let asked = args.source.iter().find(|path| !is_plugin_source(args, path)).and_then(|path| path.to_str());
    let path = asked.filter(|path| *path != EVERYTHING).or(args.path.as_deref());
    let action = match (&args.search, args.examples, args.files || asked.is_some() || args.path.is_some()) {
        (_, true, _) => SourceAction::Examples,
        (Some(_), false, _) => SourceAction::Search,
        (None, false, true) if path.is_some() && !args.files => SourceAction::Read,
        (None, false, true) => SourceAction::List,
        (None, false, false) => return None,
    };
    Some(SourceQuestion {
        name,
        version,
        action,
        path,
        query: args.search.as_deref(),
        range: args.lines.as_deref(),
        cursor: args.cursor.as_deref(),
    })
}

/// The answer: as JSON it is printed here, and nothing remains.
pub(super) fn reply(
    session: &mut CliSession,
    question: &SourceQuestion<'_>,
    wanted: &dyn Fn() -> bool,
) -> Result<CommandResponse, CliError> {
    let answered = session.run(|context, report| answer(context, question, wanted, report))?;
    Ok(match session.printer.answer {
        OutputFormat::Json => {
            session.printer.json(&document(&answered));
            CommandResponse::new(CommandExit::Ok)
        }
        OutputFormat::Human => CommandResponse::new(CommandExit::Ok).text(text(&answered)),
    })
}

fn text(answered: &SourceReport) -> StyledText {
    let title = format!("{} {}", answered.name, answered.version);
    let head = match &answered.found {
        SourceAnswer::Files { all, .. } => format!("# {title}: {}", counted(*all, "file")),
        SourceAnswer::Lines { path, excerpt } => match excerpt.bounds() {
            Some((first, last)) => format!("# {title}: {path}, lines {first}-{last} of {}", excerpt.total),
            None => format!("# {title}: {path}, which is empty"),
        },
        SourceAnswer::Matches { pattern, lines, .. } if lines.is_empty() => {
            format!("# {title}: no line matches `{pattern}`")
        }
        SourceAnswer::Matches { pattern, .. } => format!("# {title}: lines that match `{pattern}`"),
        SourceAnswer::Examples { .. } => format!("# {title}: examples"),
    };
    let mut text = StyledText::default().heading(head);
    text = text.line(format!("in {}", answered.directory.display()));
    if !answered.others.is_empty() {
        text = text.line(format!("also locked: {}; pass a version to see it", answered.others.join(", ")));
    }
    text = body(text.end(), &answered.found);
    match &answered.cursor {
        Some(cursor) => text
            .end()
            .line(format!("The result is incomplete. Repeat the call with the cursor `{cursor}` to continue.")),
        None => text,
    }
}

fn body(mut text: StyledText, found: &SourceAnswer) -> StyledText {
    match found {
        SourceAnswer::Files { shown, .. } => {
            for file in shown {
                text = text.line(format!("{} ({})", file.path, counted_bytes(file.size)));
            }
        }
        SourceAnswer::Lines { excerpt, .. } => {
            for (number, line) in &excerpt.lines {
                text = text.line(format!("{number:>5}  {line}").trim_end());
            }
            if let (true, Some((_, last))) = (excerpt.cut, excerpt.bounds()) {
                text = text
                    .end()
                    .line(format!("The result is incomplete. Request the lines `{}-` to continue.", last + 1));
            }
        }
        SourceAnswer::Matches { lines, in_time, .. } => {
            for (path, line) in lines {
                text = text.line(format!("{path}:{}: {}", line.line, line.text.trim_start()));
            }
            text = lateness(text, *in_time);
        }
        SourceAnswer::Examples { files, blocks, in_time } => {
            for file in files {
                text = text.line(format!("{} ({})", file.path, counted_bytes(file.size)));
            }
            for (index, (path, block)) in blocks.iter().enumerate() {
                text = if index == 0 && files.is_empty() { text } else { text.end() };
                text = text.line(format!("{path}:{}", block.line)).line("```rust").block(&block.code).line("```");
            }
            if files.is_empty() && blocks.is_empty() {
                text = text.line("No examples were found. Search the tests and the source of the crate instead.");
            }
            text = lateness(text, *in_time);
        }
    }
    text
}

fn lateness(text: StyledText, in_time: bool) -> StyledText {
    if in_time { text } else { text.end().line("The search reached its time limit; the result is incomplete.") }
}

fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn counted_bytes(bytes: u64) -> String {
    if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") }
}

#[derive(Serialize)]
struct Document {
    version: u32,
    name: String,
    crate_version: String,
    directory: String,
    also_locked: Vec<String>,
    files: Vec<FileRow>,
    lines: Vec<LineRow>,
    examples: Vec<ExampleRow>,
    complete: bool,
    cursor: Option<String>,
}

#[derive(Serialize)]
struct FileRow {
    path: String,
    size: u64,
}

#[derive(Serialize)]
struct LineRow {
    path: String,
    line: usize,
    text: String,
}

#[derive(Serialize)]
struct ExampleRow {
    path: String,
    line: usize,
    code: String,
}

fn document(answered: &SourceReport) -> Document {
    let mut document = Document {
        version: 1,
        name: answered.name.clone(),
        crate_version: answered.version.clone(),
        directory: answered.directory.display().to_string(),
        also_locked: answered.others.clone(),
        files: Vec::new(),
        lines: Vec::new(),
        examples: Vec::new(),
        complete: answered.cursor.is_none(),
        cursor: answered.cursor.clone(),
    };
    let file_row = |file: &ListedFile| FileRow { path: file.path.clone(), size: file.size };
    let line_row = |path: &str, line: usize, text: &str| LineRow { path: path.to_owned(), line, text: text.to_owned() };
    match &answered.found {
        SourceAnswer::Files { shown, .. } => document.files = shown.iter().map(file_row).collect(),
        SourceAnswer::Lines { path, excerpt } => {
            document.lines = excerpt.lines.iter().map(|(number, line)| line_row(path, *number, line)).collect();
            document.complete = !excerpt.cut;
        }
        SourceAnswer::Matches { lines, .. } => {
            document.lines = lines.iter().map(|(path, line)| line_row(path, line.line, &line.text)).collect();
        }
        SourceAnswer::Examples { files, blocks, .. } => {
            document.files = files.iter().map(file_row).collect();
            let row = |(path, block): &(String, symposium_model::source_view::CodeBlock)| ExampleRow {
                path: path.clone(),
                line: block.line,
                code: block.code.clone(),
            };
            document.examples = blocks.iter().map(row).collect();
        }
    }
    document
}
