//! The rules about names and layers, and a place that breaks one.

/// A rule about names or layers. Today's offenders are listed in `xtask/words.txt`, which may only get shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NamingRule {
    /// A type name is declared once.
    TypeTwice,
    /// A type name has two words, or is in the glossary.
    OneWordType,
    /// A function is not called `of`, `look`, `settle`, `told` or `heard`.
    FunctionName,
    /// A parameter is not taken apart by a tuple pattern.
    TupleParameter,
    /// A doc comment does not begin with a question word.
    HeadlessDoc,
    /// Texts and comments name the person or program they speak of.
    VagueWord,
    /// Operations return values and do not print.
    UiImport,
    /// The context does not change.
    MutableContext,
    /// Commands reach the disk through operations.
    CliImport,
    /// Decisions do not read the disk.
    DecisionImport,
}

impl NamingRule {
    /// Names the rule in the list.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::TypeTwice => "type declared twice",
            Self::OneWordType => "type of one word",
            Self::FunctionName => "function name",
            Self::TupleParameter => "tuple parameter",
            Self::HeadlessDoc => "headless doc comment",
            Self::VagueWord => "vague word",
            Self::UiImport => "ui in an operation",
            Self::MutableContext => "mutable context",
            Self::CliImport => "side effect in cli",
            Self::DecisionImport => "side effect in a decision",
        }
    }

    /// Says how to follow the rule.
    pub(super) fn fix(self) -> &'static str {
        match self {
            Self::TypeTwice => "give each of them a name that says which of the two it is",
            Self::OneWordType => {
                "name it with two words, the second a noun of the glossary in `ARCHITECTURE.md`, such as `SyncReport`"
            }
            Self::FunctionName => "use a verb, or `new`, `from_…`, `parse`, `load`",
            Self::TupleParameter => "make it two parameters, or a struct",
            Self::HeadlessDoc => "begin with a verb in the third person, or leave the comment out if the name says it",
            Self::VagueWord => "name who it is: the user, an agent, a plugin, a caller",
            Self::UiImport => "return a value and print it in `cli`; only `Progress` and `prompt` are for operations",
            Self::MutableContext => "return the result instead of storing it in the context",
            Self::CliImport => "move the side effect to an operation, and call that",
            Self::DecisionImport => "hand in the values that were read",
        }
    }
}

/// A place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamingOffender {
    pub(super) rule: NamingRule,
    /// The name, comment or line; it stays the same when code is moved.
    pub(super) subject: String,
    /// Path from the repository root.
    pub(super) file: String,
    /// Line number, from 1.
    pub(super) line: usize,
}

impl NamingOffender {
    /// The entry of the list that allows this one.
    pub(super) fn list_entry(&self) -> String {
        format!("{}: {}", self.rule.label(), self.subject)
    }
}
