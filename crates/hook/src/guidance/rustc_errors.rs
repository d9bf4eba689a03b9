//! Reads the errors about names in the output of rustc and cargo, and finds the dependency that each is about.

use super::crate_mentions::{find_import, find_mentions};

/// More errors are not read: an agent corrects the first ones and compiles again.
const MAX_ERRORS: usize = 20;
/// A longer line is no line of a diagnostic.
const MAX_LINE: usize = 2000;

/// Errors about names, paths, fields, arguments and type parameters.
const CODES: [&str; 17] = [
    "E0061", "E0107", "E0220", "E0405", "E0407", "E0412", "E0422", "E0423", "E0425", "E0432", "E0433", "E0437",
    "E0438", "E0559", "E0560", "E0599", "E0609",
];

/// The beginning of an error with a code, by which output without any is told apart.
pub(super) const ERROR_MARK: &str = "error[E";

/// An error about a name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct RustcError {
    pub(super) code: String,
    message: String,
    /// The file that has the error.
    pub(super) place: Option<String>,
    /// The first line of source, and the part of it that is marked.
    line: String,
    marked: MarkedRange,
    /// The files of notes.
    files: Vec<String>,
}

/// A range of bytes in a line of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct MarkedRange {
    start: usize,
    end: usize,
}

/// A dependency that an error may be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ErrorCrate<'c> {
    pub(super) code_name: &'c str,
    pub(super) name: &'c str,
    pub(super) version: &'c str,
}

/// Reads the errors of an output, in its order. Colours are ignored.
pub(super) fn parse_errors(output: &str) -> Vec<RustcError> {
    let mut errors: Vec<RustcError> = Vec::new();
    let mut reader: Option<ErrorReader> = None;
    for line in output.lines().filter(|line| line.len() <= MAX_LINE) {
        let line = without_colours(line);
        if let Some(header) = line.strip_prefix("error").or_else(|| line.strip_prefix("warning")) {
            errors.extend(reader.take().map(|reader| reader.error));
            if errors.len() == MAX_ERRORS {
                return errors;
            }
            reader = ErrorReader::begin(header);
        } else if let Some(reader) = &mut reader {
            reader.read(&line);
        }
    }
    errors.extend(reader.map(|reader| reader.error));
    errors
}

/// Collects the lines of one error.
struct ErrorReader {
    error: RustcError,
    part: ErrorPart,
}

/// The part of a diagnostic that a line stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ErrorPart {
    /// The lines of source up to the first marks.
    Source,
    /// Notes, help and other files.
    Rest,
}

impl ErrorReader {
    /// Begins with the text after `error`: `[E0425]: cannot find …`.
    fn begin(header: &str) -> Option<Self> {
        let (code, message) = header.strip_prefix('[')?.split_once("]: ")?;
        let error = RustcError { code: code.to_owned(), message: message.to_owned(), ..RustcError::default() };
        CODES.contains(&code).then_some(Self { error, part: ErrorPart::Source })
    }

    fn read(&mut self, line: &str) {
        let trimmed = line.trim_start();
        if let Some(place) = trimmed.strip_prefix("--> ").or_else(|| trimmed.strip_prefix("::: ")) {
            let path = path_of(place);
            match self.error.place {
                None => self.error.place = Some(path.to_owned()),
                Some(_) => {
                    self.part = ErrorPart::Rest;
                    self.error.files.push(path.to_owned());
                }
            }
            return;
        }
        let (ErrorPart::Source, Some((number, code))) = (self.part, trimmed.split_once('|')) else { return };
        if number.trim().bytes().all(|byte| byte.is_ascii_digit()) && !number.trim().is_empty() {
            code.clone_into(&mut self.error.line);
        } else if let Some(range) = marked_range(code, &self.error.line).filter(|_| number.trim().is_empty()) {
            self.error.marked = range;
            self.part = ErrorPart::Rest;
        }
    }
}

/// Returns the path of `src/main.rs:1:23`.
fn path_of(place: &str) -> &str {
    let without = |text| match str::rsplit_once(text, ':') {
        Some((path, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => path,
        _ => text,
    };
    without(without(place.trim_end()))
}

/// Finds the first run of `^` below a line of source.
fn marked_range(marks: &str, line: &str) -> Option<MarkedRange> {
    let first = marks.chars().position(|c| c == '^')?;
    let length = marks.chars().skip(first).take_while(|c| *c == '^').count();
    let offset = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    Some(MarkedRange { start: offset(first), end: offset(first + length) })
}

impl RustcError {
    /// Returns the names that do not exist, or that are used in the wrong way.
    pub(super) fn names(&self) -> Vec<String> {
        let quoted = backquoted(&self.message);
        let last = |path: &str| last_name(path).map(str::to_owned);
        let mut names: Vec<String> = match self.code.as_str() {
            "E0432" => quoted.iter().filter_map(|path| last(path.text)).collect(),
            "E0559" | "E0560" => quoted.last().and_then(|field| last(field.text)).into_iter().collect(),
            "E0061" | "E0107" => last(self.marked_text()).into_iter().collect(),
            "E0423" => quoted.first().and_then(|path| last(path.text)).into_iter().collect(),
            _ => {
                let is_crate = |quote: &&BackquotedText<'_>| !quote.follows_crate();
                quoted.iter().find(is_crate).and_then(|name| last(name.text)).into_iter().collect()
            }
        };
        names.dedup();
        names
    }

    /// Returns the dependency that the error is about: one in its message or source, or the one whose file a note names.
    pub(super) fn find_crate(&self, crates: &[ErrorCrate<'_>]) -> Option<usize> {
        let by_code_name = |name: &str| crates.iter().position(|krate| krate.code_name == name);
        let in_message = backquoted(&self.message).into_iter().find_map(|quote| {
            let head = first_name(quote.text)?;
            let is_path = quote.text.contains("::") || quote.follows_crate();
            by_code_name(head).filter(|_| is_path)
        });
        in_message
            .or_else(|| by_code_name(first_name(self.marked_path())?).filter(|_| self.marked_path().contains("::")))
            .or_else(|| self.files.iter().find_map(|file| owner_of(file, crates)))
            .or_else(|| {
                let names: Vec<&str> = crates.iter().map(|krate| krate.code_name).collect();
                let mentioned = find_mentions(self.line.as_bytes(), &names);
                <[usize; 1]>::try_from(mentioned).ok().map(|[only]| only)
            })
    }

    /// Returns the dependency from which the file that has the error imports a type of the message.
    pub(super) fn find_importing_crate(&self, source: &[u8], crates: &[ErrorCrate<'_>]) -> Option<usize> {
        let names: Vec<&str> = crates.iter().map(|krate| krate.code_name).collect();
        let quoted = backquoted(&self.message);
        let heads = quoted.iter().filter_map(|quote| first_name(quote.text)).chain(first_name(self.marked_path()));
        heads.into_iter().find_map(|name| find_import(source, name.as_bytes(), &names))
    }

    fn marked_text(&self) -> &str {
        self.line.get(self.marked.start..self.marked.end).unwrap_or_default()
    }

    /// Returns the marked text with the rest of the path before it.
    fn marked_path(&self) -> &str {
        let before = self.line.get(..self.marked.start).unwrap_or_default();
        let is_path = |c: char| c == ':' || c == '_' || c.is_alphanumeric();
        let start = before
            .rfind(|c: char| !is_path(c))
            .map_or(0, |at| at + before.get(at..).and_then(first_length).unwrap_or(1));
        self.line.get(start..self.marked.end).unwrap_or_default()
    }
}

fn first_length(text: &str) -> Option<usize> {
    text.chars().next().map(char::len_utf8)
}

/// Returns the dependency that a file in cargo's directories belongs to.
fn owner_of(file: &str, crates: &[ErrorCrate<'_>]) -> Option<usize> {
    let mut parts = file.split(['/', '\\']);
    parts.find_map(|part| {
        crates.iter().position(|krate| {
            part.strip_prefix(krate.name).and_then(|rest| rest.strip_prefix('-')) == Some(krate.version)
        })
    })
}

/// A text in backquotes, and the word before it.
struct BackquotedText<'t> {
    text: &'t str,
    word: &'t str,
}

impl BackquotedText<'_> {
    /// Tells whether the text is a place that a name was looked for in.
    fn follows_crate(&self) -> bool {
        matches!(self.word, "crate" | "in" | "module")
    }
}

fn backquoted(message: &str) -> Vec<BackquotedText<'_>> {
    let parts: Vec<&str> = message.split('`').collect();
    let word = |text: &'_ str| -> usize { text.trim_end().rfind(' ').map_or(0, |at| at + 1) };
    let pairs = parts.chunks(2).filter_map(|pair| <[&str; 2]>::try_from(pair).ok());
    pairs
        .map(|[before, text]| BackquotedText { text, word: before.get(word(before)..).unwrap_or_default().trim() })
        .collect()
}

/// Returns the first name of a type or path: `ThreadRng` of `&mut ThreadRng<'_>`.
fn first_name(text: &str) -> Option<&str> {
    names_of(text).find(|name| !matches!(*name, "mut" | "dyn" | "impl" | "const"))
}

/// Returns the last name of a path, without its arguments.
fn last_name(path: &str) -> Option<&str> {
    names_of(path.split(['<', '(']).next().unwrap_or(path)).last()
}

fn names_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c != '_' && !c.is_alphanumeric()).filter(|name| !name.is_empty())
}

/// Removes the escape sequences that set colours.
fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        let ends = |c: char| c.is_ascii_alphabetic();
        rest = after.find(ends).and_then(|at| after.get(at + 1..)).unwrap_or_default();
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
#[path = "rustc_errors_tests.rs"]
mod tests;
