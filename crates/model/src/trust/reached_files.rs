//! The files that the words of a command may stand for, collected one command after the other.

use super::referenced_file::{FileRole, GrantCoverage, NamedFile, PathRoot};
use super::shell_words::{INSTALLED, PLAIN, PLUGIN, ShellWord, WORKSPACE};

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
    pub(super) fn loading(reason: String) -> Self {
        Self { reason, loads_there: true }
    }
}

pub const REACH_REMEDY: &str = "move it into a script in the plugin's directory, and run that script";

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
pub(super) struct CommandPosition {
    pub(super) is_first: bool,
    pub(super) before_and: bool,
}

pub(super) const INNER: CommandPosition = CommandPosition { is_first: false, before_and: false };

/// Collects the files that commands reach, one command after the other.
#[derive(Debug)]
pub(super) struct ReachReader {
    pub(super) place: StartPlace,
    coverage: GrantCoverage,
    files: Vec<NamedFile>,
    /// Arguments of programs that only print them.
    pub(super) printed: Vec<ShellWord>,
    /// Set after an unknown program, which may read what the others print.
    pub(super) has_unknown: bool,
    /// Set after a program that can write what it reads.
    pub(super) may_write: bool,
    pub(super) builds: bool,
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

    /// Ensures that no file the line may write is also run, neither by its own name nor by another path. A file that is
    /// only written need not stay as it was.
    pub(super) fn read_written(&mut self, written: &[String]) -> Result<(), UnknownReach> {
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
    pub(super) fn hand_to_unknown(&mut self) -> Result<(), UnknownReach> {
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

    /// Returns true if the grant covers everything in the working directory.
    pub(super) fn runs_what_is_covered(&self) -> bool {
        match self.place {
            StartPlace::Plugin(_) => self.coverage == GrantCoverage::Whole,
            StartPlace::Installation => true,
            StartPlace::Workspace | StartPlace::Agent => false,
        }
    }

    pub(super) fn all_words(&mut self, words: &[ShellWord], role: FileRole) -> Result<(), UnknownReach> {
        words.iter().try_for_each(|word| self.word(word, role))
    }

    /// Adds every file a word may stand for: the whole of it, and its parts.
    pub(super) fn word(&mut self, word: &ShellWord, role: FileRole) -> Result<(), UnknownReach> {
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

    pub(super) fn file(&mut self, text: &str, role: FileRole, position: CommandPosition) -> Result<(), UnknownReach> {
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

    pub(super) fn add(&mut self, base: PathRoot, path: &str, role: FileRole) {
        self.files.push(NamedFile { base, path: path.to_owned(), role });
    }
}

const PARENT: &str = "`..` leads outside its directory";

pub(super) fn has_parent(text: &str) -> bool {
    text.split('/').any(|part| part == "..")
}
