//! Determines from the words of a command the files it can run, or the reason why that is unknown.
//!
//! A command starts at the workspace's root. A relative word is a file of the plugin if there is one, else of the
//! workspace. Anything that only a shell, an unknown variable or the disk could tell is unknown.

use super::programs::{
    BEFORE_COMMANDS, ENDS, ProgramKind, ScriptLanguage, awk_only_prints, cargo_only_builds, git_only_reads, kind_of,
    may_write, only_finds, sed_only_replaces,
};
use super::referenced_file::{FileRole, GrantCoverage, NamedFile, PathRoot};
use super::shell_words::{INSTALLED, PLAIN, PLUGIN, ShellToken, ShellWord, WORKSPACE, tokens};
use crate::handler_environment::may_be_set;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReachableFiles {
    /// These files, and programs of the machine.
    Files(Vec<NamedFile>),
    Unknown(UnknownReach),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownReach {
    pub reason: String,
    /// Set if the command loads files from the agent's working directory, no matter who wrote them.
    pub loads_there: bool,
}

impl From<String> for UnknownReach {
    fn from(reason: String) -> Self {
        Self { reason, loads_there: false }
    }
}

impl From<&str> for UnknownReach {
    fn from(reason: &str) -> Self {
        reason.to_owned().into()
    }
}

impl UnknownReach {
    fn loading(reason: String) -> Self {
        Self { reason, loads_there: true }
    }
}

pub const REACH_REMEDY: &str = "move it into a script in the plugin's directory, and run that script";

/// Files that select the programs of cargo and other tools of the toolchain.
const OF_TOOLCHAIN: [&str; 2] = ["rust-toolchain", "rust-toolchain.toml"];
const OF_CARGO: [&str; 2] = [".cargo/config", ".cargo/config.toml"];

/// Returns true for files that the agent is there to change; a command that names one works on it.
pub fn is_everyday(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    matches!(name, "Cargo.toml" | "Cargo.lock") || name.rsplit_once('.').is_some_and(|(_, end)| end == "rs")
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StartPlace {
    Workspace,
    /// Any directory in the workspace; the agent decides.
    Agent,
    Plugin(String),
    Installation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CommandPosition {
    is_first: bool,
    before_and: bool,
}

const INNER: CommandPosition = CommandPosition { is_first: false, before_and: false };

/// Collects the files that commands reach, one command after the other.
#[derive(Debug)]
pub(super) struct ReachReader {
    place: StartPlace,
    coverage: GrantCoverage,
    files: Vec<NamedFile>,
    /// Arguments of programs that only print them.
    printed: Vec<ShellWord>,
    /// Set after an unknown program, which may read what the others print.
    has_unknown: bool,
    /// Set after a program that can write what it reads.
    may_write: bool,
    builds: bool,
}

impl ReachReader {
    pub(super) fn new(place: StartPlace, coverage: GrantCoverage) -> Self {
        Self {
            place,
            coverage,
            files: Vec::new(),
            printed: Vec::new(),
            has_unknown: false,
            may_write: false,
            builds: false,
        }
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.files.extend(other.files);
    }

    pub(super) fn into_files(mut self) -> Vec<NamedFile> {
        self.files.sort();
        self.files.dedup();
        self.files
    }

    /// Adds a command line for a shell, with words appended to it. `value_of` returns the placeholder for a variable
    /// that Symposium sets.
    pub(super) fn line(
        &mut self,
        line: &str,
        args: &[String],
        value_of: &dyn Fn(&str) -> Option<char>,
    ) -> Result<(), UnknownReach> {
        let parsed = tokens(line, value_of)?;
        if parsed.splits {
            self.add(PathRoot::Either, "", FileRole::Unquoted);
        }
        let started = self.place.clone();
        let mut words: Vec<ShellWord> = Vec::new();
        let mut target: Option<bool> = None;
        let mut written: Vec<String> = Vec::new();
        let mut is_first = true;
        for token in parsed.tokens {
            match token {
                ShellToken::Word(word) => match target.take() {
                    None => words.push(word),
                    Some(true) => self.word(&word, FileRole::Data)?,
                    Some(false) => written.push(word.text),
                },
                ShellToken::Input => target = Some(true),
                ShellToken::Output => target = Some(false),
                ShellToken::Background if self.place != started => {
                    return Err("`&` may start the next command in another directory".into());
                }
                ShellToken::And | ShellToken::Next | ShellToken::Group | ShellToken::Background => {
                    let before_and = token == ShellToken::And;
                    self.command(&std::mem::take(&mut words), CommandPosition { is_first, before_and })?;
                    is_first = false;
                }
            }
        }
        words.extend(args.iter().cloned().map(ShellWord::literal));
        self.command(&words, CommandPosition { is_first, before_and: false })?;
        self.place = started;
        self.read_written(&written)?;
        self.hand_to_unknown()
    }

    /// Ensures that no file the line may write is also run, neither by its own name nor by another path. A file that is
    /// only written need not stay as it was.
    fn read_written(&mut self, written: &[String]) -> Result<(), UnknownReach> {
        let name_of = |path: &str| path.trim_end_matches(['/', '.']).rsplit('/').next().unwrap_or_default().to_owned();
        let files = written.iter().filter(|path| !path.starts_with("/dev/"));
        let mut changed: Vec<String> = Vec::new();
        for path in files {
            if has_parent(path) {
                return Err(PARENT.into());
            }
            changed.push(name_of(path));
        }
        if changed.is_empty() && !self.may_write && !self.has_unknown {
            return Ok(());
        }
        let words = self.files.iter().filter(|file| file.role.is_word());
        changed.extend(words.map(|file| name_of(&file.path)).collect::<Vec<_>>());
        for file in self.files.iter_mut().filter(|file| file.role.is_run()) {
            if changed.contains(&name_of(&file.path)) {
                return Err(format!("it may write `{}` itself before it runs it", file.path).into());
            }
            // A missing file may be written by then, and a built one changes.
            file.role = match file.role {
                _ if self.builds => FileRole::Module,
                FileRole::Script => FileRole::Program,
                role => role,
            };
        }
        Ok(())
    }

    /// Treats everything that other programs read or print as operands of an unknown program, which may run it.
    fn hand_to_unknown(&mut self) -> Result<(), UnknownReach> {
        let printed = std::mem::take(&mut self.printed);
        if !self.has_unknown {
            return Ok(());
        }
        self.all_words(&printed, FileRole::Operand)?;
        for file in &mut self.files {
            if file.role == FileRole::Data {
                file.role = FileRole::Operand;
            }
        }
        Ok(())
    }

    pub(super) fn words(&mut self, words: Vec<String>) -> Result<(), UnknownReach> {
        let words: Vec<ShellWord> = words.into_iter().map(ShellWord::literal).collect();
        match words.as_slice() {
            [program, args @ ..] => {
                self.program(program, args, CommandPosition { is_first: true, before_and: false })?;
                self.hand_to_unknown()
            }
            [] => Ok(()),
        }
    }

    pub(super) fn variable(&mut self, name: &str, value: &str) -> Result<(), UnknownReach> {
        if !may_be_set(name) {
            return Err(format!("`{name}` determines the files that programs load").into());
        }
        self.word(&ShellWord::literal(value.to_owned()), FileRole::Word)
    }

    fn command(&mut self, words: &[ShellWord], mut position: CommandPosition) -> Result<(), UnknownReach> {
        let mut words = words;
        while let [word, rest @ ..] = words {
            let own = |list: &[&str]| !word.is_quoted && list.contains(&word.text.as_str());
            if let Some((name, value)) = assignment(&word.text) {
                self.variable(name, value)?;
            } else if own(&ENDS) {
                return self.all_words(rest, FileRole::Word);
            } else if !own(&BEFORE_COMMANDS) {
                return self.program(word, rest, position);
            }
            position.is_first = false;
            words = rest;
        }
        Ok(())
    }

    fn program(
        &mut self,
        program: &ShellWord,
        args: &[ShellWord],
        position: CommandPosition,
    ) -> Result<(), UnknownReach> {
        let text = program.text.as_str();
        let is_path = text.contains(['/', PLUGIN, WORKSPACE, INSTALLED]);
        if is_path {
            self.file(text, FileRole::Script, position)?;
        } else if text.contains(PLAIN) {
            return Err("the program that it starts is unknown".into());
        }
        let name = text.rsplit('/').next().unwrap_or(text);
        let name = [".exe", ".cmd", ".bat"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        let kind = kind_of(name);
        // A file of the plugin may have any name.
        let is_own = is_path && !text.starts_with('/');
        let texts: Vec<&str> = args.iter().map(|word| word.text.as_str()).collect();
        match kind {
            ProgramKind::Interpreter(language) => self.interpreter(name, language, args),
            _ if is_own => self.all_words(args, FileRole::Word),
            ProgramKind::Text => {
                self.printed.extend_from_slice(args);
                Ok(())
            }
            ProgramKind::Directory => self.directory(&texts, position),
            ProgramKind::Source => match args {
                [script, rest @ ..] => {
                    self.file(&script.text, FileRole::Script, INNER)?;
                    self.all_words(rest, FileRole::Word)
                }
                [] => Ok(()),
            },
            ProgramKind::Assign => args.iter().try_for_each(|word| match assignment(&word.text) {
                Some((name, value)) => self.variable(name, value),
                None => self.word(word, FileRole::Word),
            }),
            ProgramKind::Wrapper => self.wrapper(name, args),
            ProgramKind::Runner | ProgramKind::Cargo if self.runs_what_is_covered() => {
                self.all_words(args, FileRole::Operand)
            }
            ProgramKind::Runner => {
                Err(UnknownReach::loading(format!("`{name}` runs files of the directory where it is started")))
            }
            ProgramKind::Untold => Err(format!("the arguments of `{name}` do not determine what it runs").into()),
            ProgramKind::Git if !git_only_reads(&texts) => {
                Err("`git` may run programs and hooks that the repository names".into())
            }
            ProgramKind::Cargo if !cargo_only_builds(&texts) => {
                let word = texts.first().unwrap_or(&"");
                Err(UnknownReach::loading(format!("`cargo {word}` runs programs of the project")))
            }
            ProgramKind::Find if !only_finds(name, &texts) => {
                Err(format!("`{name}` runs a command on the files that it finds").into())
            }
            ProgramKind::Awk if !texts.iter().all(|text| awk_only_prints(text)) => {
                Err(format!("the program that `{name}` starts is unknown").into())
            }
            ProgramKind::Sed if !sed_is_plain(&texts) => {
                Err(format!("the program that `{name}` starts is unknown").into())
            }
            ProgramKind::Toolchain if texts.iter().any(|text| text.starts_with("--test")) => {
                Err(format!("`{name} --test` runs its arguments").into())
            }
            ProgramKind::Java if texts.first() != Some(&"-jar") => {
                Err("`java` without `-jar` loads classes from its search path".into())
            }
            ProgramKind::Cargo | ProgramKind::Toolchain => {
                let (of_cargo, role): (&[&str], _) = match kind {
                    ProgramKind::Cargo => (&OF_CARGO, FileRole::Data),
                    _ => (&[], FileRole::Word),
                };
                self.builds |= name == "rustc" || (kind == ProgramKind::Cargo && texts.contains(&"build"));
                self.may_write |= self.builds;
                for file in OF_TOOLCHAIN.iter().chain(of_cargo) {
                    self.add(PathRoot::Workspace, file, FileRole::Word);
                }
                self.all_words(args, role)
            }
            ProgramKind::Reader | ProgramKind::Git | ProgramKind::Find | ProgramKind::Awk | ProgramKind::Sed => {
                self.may_write |= kind != ProgramKind::Reader || may_write(name);
                self.all_words(args, FileRole::Data)
            }
            // The manifest of an archive names other files beside it.
            ProgramKind::Java => self.all_words(args, FileRole::Operand),
            ProgramKind::Other => {
                self.has_unknown = true;
                self.all_words(args, FileRole::Operand)
            }
        }
    }

    /// Returns true if the grant covers everything in the working directory.
    fn runs_what_is_covered(&self) -> bool {
        match self.place {
            StartPlace::Plugin(_) => self.coverage == GrantCoverage::Whole,
            StartPlace::Installation => true,
            StartPlace::Workspace | StartPlace::Agent => false,
        }
    }

    fn interpreter(&mut self, name: &str, language: ScriptLanguage, args: &[ShellWord]) -> Result<(), UnknownReach> {
        let mut args = args;
        while let [option, rest @ ..] = args {
            let text = option.text.as_str();
            if !text.starts_with('-') || text == "-" {
                break;
            }
            args = match (language, text, rest) {
                (_, "--", rest) | (ScriptLanguage::Shell, "-o", [_, rest @ ..]) => rest,
                (_, "--version", _) => return Ok(()),
                (language, option, rest) if language.allows(option) => rest,
                (language, option, _) => {
                    let reason = format!("`{name} {option}` runs more than the named files");
                    return Err(UnknownReach { reason, loads_there: language.loads_there() });
                }
            };
        }
        if language == ScriptLanguage::Php && !self.runs_what_is_covered() {
            return Err(UnknownReach::loading(format!("`{name}` includes files of the directory where it is started")));
        }
        match args {
            [script, rest @ ..] if script.text != "-" => {
                let role = match language {
                    ScriptLanguage::Node => FileRole::Program,
                    ScriptLanguage::Python => FileRole::Module,
                    ScriptLanguage::Shell | ScriptLanguage::Php | ScriptLanguage::Another => FileRole::Script,
                };
                self.file(&script.text, role, INNER)?;
                self.all_words(rest, FileRole::Word)
            }
            _ => Err(format!("`{name}` without a file runs its standard input").into()),
        }
    }

    fn wrapper(&mut self, name: &str, args: &[ShellWord]) -> Result<(), UnknownReach> {
        let mut args = args;
        if name == "command" && args.first().is_some_and(|word| matches!(word.text.as_str(), "-v" | "-V")) {
            return Ok(());
        }
        while let [word, rest @ ..] = args {
            let text = word.text.as_str();
            args = match (name, text, rest) {
                ("env", "-" | "-i" | "--ignore-environment" | "--", rest)
                | ("env", "-u", [_, rest @ ..])
                | ("nice", "-n", [_, rest @ ..]) => rest,
                ("env", text, rest) if assignment(text).is_some() => {
                    let (name, value) = assignment(text).unwrap_or_default();
                    self.variable(name, value)?;
                    rest
                }
                ("timeout", text, [program, rest @ ..]) if text.starts_with(|c: char| c.is_ascii_digit()) => {
                    return self.program(program, rest, INNER);
                }
                (_, text, _) if text.starts_with('-') => {
                    return Err(format!("the program that `{name} {text}` starts is unknown").into());
                }
                (_, _, rest) => return self.program(word, rest, INNER),
            };
        }
        Ok(())
    }

    /// Follows a `cd` at the beginning of a line into the plugin's directory, or to the workspace, where it already is.
    fn directory(&mut self, args: &[&str], position: CommandPosition) -> Result<(), UnknownReach> {
        let untold = || Err("the target of `cd` determines what runs".into());
        let &[to] = args else { return untold() };
        if !(position.is_first && position.before_and) || has_parent(to) {
            return untold();
        }
        let is_at_root = self.place == StartPlace::Workspace;
        if to.trim_end_matches('/').chars().eq([WORKSPACE]) && is_at_root {
            return Ok(());
        }
        let Some(inside) = to.strip_prefix(PLUGIN).filter(|rest| rest.is_empty() || rest.starts_with('/')) else {
            return untold();
        };
        let inside = inside.trim_matches('/').to_owned();
        self.add(PathRoot::Plugin, &inside, FileRole::Directory);
        self.place = StartPlace::Plugin(inside);
        Ok(())
    }

    fn all_words(&mut self, words: &[ShellWord], role: FileRole) -> Result<(), UnknownReach> {
        words.iter().try_for_each(|word| self.word(word, role))
    }

    /// Adds every file a word may stand for: the whole of it, and its parts.
    fn word(&mut self, word: &ShellWord, role: FileRole) -> Result<(), UnknownReach> {
        let text = word.text.as_str();
        let has_directory = |text: &str| text.chars().skip(1).any(|c| matches!(c, PLUGIN | WORKSPACE | INSTALLED));
        if !has_directory(text) {
            self.file(text, role, INNER)?;
        }
        let apart = |c: char| c.is_whitespace() || "\"'|&;<>()=,:`@{}[]+%!#^".contains(c);
        for part in text.split(apart) {
            // An option letter may stand right before its value.
            let value = part.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
            for part in [Some(part), value].into_iter().flatten() {
                if has_directory(part) && !part.starts_with('-') {
                    return Err("a word contains a directory in the middle".into());
                }
                self.file(part, role, INNER)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, text: &str, role: FileRole, position: CommandPosition) -> Result<(), UnknownReach> {
        let is_word = role.is_word();
        let is_here = text == "." && role != FileRole::Operand;
        if is_word && (text.is_empty() || is_here || text.starts_with('-') || text.contains('\n')) {
            return Ok(());
        }
        if has_parent(text) {
            return Err(PARENT.into());
        }
        if text.contains(PLAIN) {
            let is_name = is_word && !text.contains('/');
            return if is_name { Ok(()) } else { Err("the file that it names depends on the event".into()) };
        }
        // The agent that starts a server decides where, so a file has to be found now.
        let role = if role == FileRole::Script && self.place == StartPlace::Agent { FileRole::Program } else { role };
        for (sign, base) in
            [(PLUGIN, Some(PathRoot::Plugin)), (WORKSPACE, Some(PathRoot::Workspace)), (INSTALLED, None)]
        {
            let Some(rest) = text.strip_prefix(sign) else { continue };
            if !(rest.is_empty() || rest.starts_with('/')) {
                return Err("it names a file next to a directory, and not in it".into());
            }
            if let Some(base) = base {
                self.add(base, rest.trim_matches('/'), role);
            }
            return Ok(());
        }
        if text.starts_with('/') {
            if text.starts_with("/proc/") || (!is_word && text.starts_with("/dev/")) {
                return Err(format!("the meaning of `{text}` depends on the user").into());
            }
            self.add(PathRoot::Machine, text, role);
            return Ok(());
        }
        match &self.place {
            StartPlace::Plugin(inside) if inside.is_empty() => self.add(PathRoot::Plugin, text, role),
            StartPlace::Plugin(inside) => {
                let path = format!("{inside}/{text}");
                self.add(PathRoot::Plugin, &path, role);
            }
            StartPlace::Installation => {}
            StartPlace::Workspace | StartPlace::Agent => {
                let base = if position.is_first { PathRoot::Plugin } else { PathRoot::Either };
                self.add(base, text, role);
            }
        }
        Ok(())
    }

    fn add(&mut self, base: PathRoot, path: &str, role: FileRole) {
        self.files.push(NamedFile { base, path: path.to_owned(), role });
    }
}

const PARENT: &str = "`..` leads outside its directory";

fn has_parent(text: &str) -> bool {
    text.split('/').any(|part| part == "..")
}

/// Splits `NAME=value`.
fn assignment(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once('=')?;
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).then_some((name, value))
}

fn sed_is_plain(args: &[&str]) -> bool {
    let options = ["-n", "-E", "-r", "-e", "-s", "-u"];
    let mut scripts = args.iter().filter(|arg| !options.contains(arg));
    scripts.next().is_some_and(|script| sed_only_replaces(script)) && !scripts.any(|arg| arg.starts_with('-'))
}

#[cfg(test)]
#[path = "reachable_files_tests.rs"]
mod tests;
