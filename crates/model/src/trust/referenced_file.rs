//! The files that a command names, and what they are to it.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathRoot {
    Plugin,
    Workspace,
    /// In the plugin's directory where something is there, else in the workspace.
    Either,
    /// At the root of the machine.
    Machine,
}

/// What a file is to the command that names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileRole {
    /// A word of a program that reads: perhaps a file, perhaps a directory, perhaps neither.
    Data,
    /// A word of something that is covered: perhaps a file. A directory of the workspace would be run unseen.
    Word,
    /// A word of a program that is not known: whatever of the workspace it names may be run, and what lies beside it.
    Operand,
    /// Something that is run, if it is there.
    Script,
    /// Something that is run, and has to be there: else its program looks for another.
    Program,
    /// Something that is run, with what lies beside it.
    Module,
    /// A directory of the plugin, which has to be there.
    Directory,
    /// A directory outside quotes: blanks in its path would make several words of it.
    Unquoted,
}

/// A file that a command names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedFile {
    pub base: PathRoot,
    pub path: String,
    /// What it is to the command.
    pub role: FileRole,
}

impl FileRole {
    /// Whether it is a word that need not be a file.
    pub fn is_word(self) -> bool {
        matches!(self, Self::Data | Self::Word | Self::Operand)
    }

    pub fn is_run(self) -> bool {
        matches!(self, Self::Script | Self::Program | Self::Module)
    }
}

/// How much of a plugin's directory a grant covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantCoverage {
    /// All of it, so that whatever is started there may run what it finds.
    Whole,
    /// Only what commands name, and what lies beside that.
    Named,
}
