//! From what is configured to what is on disk: desired, compared, applied, recorded.

pub(crate) mod absence;
mod amended;
pub(crate) mod apply;
mod carry_out;
pub(crate) mod committed;
pub(crate) mod desired;
pub(crate) mod difference;
mod entries;
mod events;
mod free_name;
mod known;
pub(crate) mod ledger_file;
pub(crate) mod locked;
pub(crate) mod machine_programs;
pub(crate) mod missing;
pub(crate) mod names;
mod own;
pub(crate) mod program;
mod removals;
pub(crate) mod servers;
pub(crate) mod sweep;
pub(crate) mod unrecorded;
pub(crate) mod workspace;

use std::path::PathBuf;

use symposium_io::install::Installed;
use symposium_io::tracking::Tracking;
use symposium_model::agent::AgentId;
use symposium_model::diagnostic::Diagnostic;
use symposium_model::edit::{Entry, Format};
use symposium_model::sync::{Record, SkillTree, Written, WrittenEntry};

/// Something to do. `--dry-run`, `--check`, `--json`, `status` and the tests read the same list that is carried out.
#[derive(Debug, Clone)]
pub(crate) struct Action {
    /// The file or directory.
    pub(crate) path: PathBuf,
    /// For which agents.
    pub(crate) agents: Vec<AgentId>,
    /// For which extension; `None` for what registers ourselves or is our own configuration.
    pub(crate) extension: Option<String>,
    /// The workspace it belongs to; `None` for what is written once for the user.
    pub(crate) workspace: Option<PathBuf>,
    /// What is done.
    pub(crate) step: Step,
}

/// What is done to a file or directory.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Entries of ours go into a file of others.
    Edit {
        /// How the file is written.
        format: Format,
        /// The entries.
        entries: Vec<Entry>,
        /// What a new file starts as.
        starts_as: &'static str,
        /// Whether the file is not there yet.
        is_new: bool,
        /// What the record will say; written before the file is, so that a run that is killed can be taken back too.
        intended: Written,
    },
    /// Entries of ours leave a file of others.
    Restore {
        /// How the file is written.
        format: Format,
        /// The entries.
        entries: Vec<WrittenEntry>,
        /// Containers that were made for them.
        created: Vec<Vec<String>>,
        /// Whether the file was not there before us.
        new_file: bool,
        /// Whether other entries of ours stay in it.
        rest: Rest,
    },
    /// Lines of ours leave a configuration that was there before us.
    GiveBack {
        /// Its text without them.
        text: String,
        /// What it must be before.
        expected: String,
    },
    /// A configuration file of ours is written; what the user changed in it stays.
    Configure {
        /// Its text.
        text: String,
        /// What it must be before; `None` when it must not be there.
        expected: Option<String>,
    },
    /// A file of ours is written.
    Write {
        /// Its text.
        text: String,
        /// What it must be before; `None` when it must not be there.
        expected: Option<String>,
    },
    /// A file of ours goes.
    Delete {
        /// What it must be before.
        expected: String,
    },
    /// A skill directory is put in place.
    Install {
        /// Its files.
        tree: SkillTree,
        /// What must be there before.
        expected: Installed,
        /// What becomes of what the user did to it.
        edits: Edits,
        /// The source it comes from; `None` for a copy of a whole source.
        source: Option<String>,
    },
    /// A skill directory goes.
    Uninstall {
        /// What must be there before.
        expected: Installed,
    },
}

/// What becomes of a user's edits to a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edits {
    /// There are none.
    None,
    /// They go, because the user said so.
    Discarded,
}

/// Whether entries of ours stay in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Others of ours stay.
    Stays,
    /// These were all.
    Nothing,
}

impl Action {
    /// Whether it only takes something of ours away.
    pub(crate) fn takes_away(&self) -> bool {
        match &self.step {
            Step::Restore { .. } | Step::GiveBack { .. } | Step::Delete { .. } | Step::Uninstall { .. } => true,
            Step::Edit { .. } | Step::Configure { .. } | Step::Write { .. } | Step::Install { .. } => false,
        }
    }

    /// Whether the file is not there yet.
    pub(crate) fn creates_file(&self) -> bool {
        match &self.step {
            Step::Edit { is_new, .. } => *is_new,
            Step::Configure { expected, .. } | Step::Write { expected, .. } => expected.is_none(),
            Step::Restore { .. }
            | Step::GiveBack { .. }
            | Step::Delete { .. }
            | Step::Install { .. }
            | Step::Uninstall { .. } => false,
        }
    }

    /// The word for it in JSON.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.step {
            Step::Edit { .. } => "edit",
            Step::Restore { .. } | Step::GiveBack { .. } => "restore",
            Step::Write { .. } | Step::Configure { .. } => "write",
            Step::Delete { .. } => "delete",
            Step::Install { .. } => "install",
            Step::Uninstall { .. } => "uninstall",
        }
    }
}

/// What a comparison yields.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// What to do.
    pub(crate) actions: Vec<Action>,
    /// Records that are right, or become right without touching anything.
    pub(crate) settled: Vec<Record>,
    /// Records about things that are gone already.
    pub(crate) gone: Vec<PathBuf>,
    /// What a workspace no longer wants and another one does, with the one that does not.
    pub(crate) released: Vec<(PathBuf, PathBuf)>,
    /// What was left alone, and why.
    pub(crate) notices: Vec<Notice>,
}

impl Comparison {
    /// Notes what could not be done, so that nobody is told that all is well.
    pub(crate) fn failed(&mut self, failures: Vec<Diagnostic>) {
        self.notices.extend(failures.into_iter().map(Notice::Unusable));
    }

    /// What cannot be read or understood.
    pub(crate) fn unusable(&self) -> impl Iterator<Item = &Diagnostic> {
        self.notices.iter().filter_map(|notice| match notice {
            Notice::Unusable(found) => Some(found),
            Notice::Drifted(_) | Notice::Foreign { .. } | Notice::Shared { .. } | Notice::Committed { .. } => None,
        })
    }

    /// Adds what another comparison yields.
    pub(crate) fn extend(&mut self, other: Self) {
        self.actions.extend(other.actions);
        self.settled.extend(other.settled);
        self.gone.extend(other.gone);
        self.released.extend(other.released);
        self.notices.extend(other.notices);
    }
}

/// Something that was left alone.
#[derive(Debug, Clone)]
pub(crate) enum Notice {
    /// The user edited what we wrote; it stays.
    Drifted(PathBuf),
    /// The user has something of their own there; it stays.
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is theirs.
        what: String,
    },
    /// Another workspace wants it too; it stays.
    Shared {
        /// The file.
        path: PathBuf,
        /// The other workspace.
        with: PathBuf,
    },
    /// Git tracks it, or that cannot be told; it stays.
    Committed {
        /// The file or directory.
        path: PathBuf,
        /// Which of the two.
        tracking: Tracking,
    },
    /// It cannot be read, understood or written; it stays.
    Unusable(Diagnostic),
}
