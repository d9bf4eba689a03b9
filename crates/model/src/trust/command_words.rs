//! Determines from the words of a command the files it can run, or the reason why that is unknown.
//!
//! A command starts at the workspace's root. A relative word is a file of the plugin if there is one, else of the
//! workspace. Anything that only a shell, an unknown variable or the disk could tell is unknown.

use super::programs::{
    BEFORE_COMMANDS, ENDS, ProgramKind, ScriptLanguage, awk_only_prints, cargo_only_builds, git_only_reads, kind_of,
    may_write, only_finds, sed_only_replaces,
};
use super::reached_files::{CommandPosition, INNER, ReachReader, StartPlace, UnknownReach, has_parent};
use super::referenced_file::{FileRole, PathRoot};
use super::shell_words::{INSTALLED, PLAIN, PLUGIN, ShellToken, ShellWord, WORKSPACE, tokens};
use crate::handler_environment::may_be_set;

/// Files that select the programs of cargo and other tools of the toolchain.
const OF_TOOLCHAIN: [&str; 2] = ["rust-toolchain", "rust-toolchain.toml"];
const OF_CARGO: [&str; 2] = [".cargo/config", ".cargo/config.toml"];

impl ReachReader {
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
            ProgramKind::Runner => Err(UnknownReach::loading(format!(
                "`{name}` runs files of the current directory, which cannot be known in advance"
            ))),
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
            return Err(UnknownReach::loading(format!(
                "`{name}` includes files of the current directory, which cannot be known in advance"
            )));
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
        let untold = || Err("after this `cd`, Symposium cannot tell which files run".into());
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
#[path = "command_words_tests.rs"]
mod tests;
