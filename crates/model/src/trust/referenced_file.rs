//! The files that a command names, with their role.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathRoot {
    Plugin,
    Workspace,
    /// The plugin's directory if the file exists there, else the workspace.
    Either,
    Machine,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileRole {
    /// An argument of a program that only reads: a file, a directory, or neither.
    Data,
    /// An argument of something that the grant covers: perhaps a file. A directory of the workspace would be run
    /// unseen.
    Word,
    /// An argument of an unknown program: any file of the workspace it names may be run, and the files beside it.
    Operand,
    /// A file that is run if it exists.
    Script,
    /// A file that is run and must exist: otherwise its program looks for another one.
    Program,
    /// A file that is run, together with the files beside it.
    Module,
    Directory,
    /// A directory outside quotes: blanks in its path would split it into several words.
    Unquoted,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedFile {
    pub base: PathRoot,
    pub path: String,
    pub role: FileRole,
}

impl FileRole {
    /// Returns true for an argument that need not be a file.
    pub fn is_word(self) -> bool {
        matches!(self, Self::Data | Self::Word | Self::Operand)
    }

    pub fn is_run(self) -> bool {
        matches!(self, Self::Script | Self::Program | Self::Module)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantCoverage {
    /// All of it, so that a program started there may run what it finds.
    Whole,
    /// Only the files that commands name, and the files beside them.
    Named,
}
