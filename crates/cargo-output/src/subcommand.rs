//! Reads the arguments of cargo: which command it is, and whether its output is the usual one.

/// A command of cargo whose output is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CargoSubcommand {
    Add,
    Bench,
    Build,
    Check,
    Clippy,
    Doc,
    Fix,
    Fmt,
    Nextest,
    Test,
}

impl CargoSubcommand {
    /// Reads the full name of a command; aliases may be anything.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "add" => Some(Self::Add),
            "bench" => Some(Self::Bench),
            "build" => Some(Self::Build),
            "check" => Some(Self::Check),
            "clippy" => Some(Self::Clippy),
            "doc" => Some(Self::Doc),
            "fix" => Some(Self::Fix),
            "fmt" => Some(Self::Fmt),
            "nextest" => Some(Self::Nextest),
            "test" => Some(Self::Test),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Bench => "bench",
            Self::Build => "build",
            Self::Check => "check",
            Self::Clippy => "clippy",
            Self::Doc => "doc",
            Self::Fix => "fix",
            Self::Fmt => "fmt",
            Self::Nextest => "nextest",
            Self::Test => "test",
        }
    }
}

/// Options that may stand before the command and have no value.
const FLAGS: [&str; 5] = ["--offline", "--locked", "--frozen", "-q", "--quiet"];

/// Options that may stand before the command and have a value behind them.
const OPTIONS: [&str; 4] = ["--color", "--config", "-C", "-Z"];

/// Finds the command among arguments, and where it stands; options and a toolchain may come before it.
pub(crate) fn find_subcommand<A: AsRef<str>>(arguments: &[A]) -> Option<FoundSubcommand> {
    let mut at = 0;
    if arguments.first()?.as_ref().starts_with('+') {
        at = 1;
    }
    loop {
        let word = arguments.get(at)?.as_ref();
        if FLAGS.contains(&word) || (word.starts_with("--") && word.contains('=')) {
            at += 1;
        } else if OPTIONS.contains(&word) {
            at += 2;
        } else {
            return CargoSubcommand::parse(word).map(|subcommand| FoundSubcommand { subcommand, at });
        }
    }
}

/// A command, and which argument it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FoundSubcommand {
    pub(crate) subcommand: CargoSubcommand,
    pub(crate) at: usize,
}

/// The command, if its output has the form that is understood: not another format, not more than usual.
pub(crate) fn shortenable_subcommand<A: AsRef<str>>(arguments: &[A]) -> Option<CargoSubcommand> {
    let found = find_subcommand(arguments)?;
    let own = arguments.iter().map(AsRef::as_ref).take_while(|word| *word != "--");
    let changes_format = |word: &str| {
        let is_verbose = word == "--verbose" || word.strip_prefix('-').is_some_and(has_verbose_letter);
        is_verbose
            || word.starts_with("--message-format")
            || matches!(word, "-h" | "--help" | "--version" | "-V" | "--list")
    };
    if own.clone().any(changes_format) {
        return None;
    }
    if found.subcommand == CargoSubcommand::Nextest {
        // `nextest list` and others print something else.
        let is_run = arguments.get(found.at + 1).is_some_and(|word| word.as_ref() == "run");
        return is_run.then_some(found.subcommand);
    }
    Some(found.subcommand)
}

/// Tells whether the letters behind a dash ask for more output: `v`, `vv`, `qv`.
fn has_verbose_letter(letters: &str) -> bool {
    letters.contains('v') && letters.bytes().all(|letter| matches!(letter, b'v' | b'q' | b'r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_usual_calls_are_shortened() {
        for (arguments, expected) in [
            ("test", Some(CargoSubcommand::Test)),
            ("+nightly test", Some(CargoSubcommand::Test)),
            ("--offline build --release", Some(CargoSubcommand::Build)),
            ("--color always --config a=b clippy -- -D warnings", Some(CargoSubcommand::Clippy)),
            ("--config=a test", Some(CargoSubcommand::Test)),
            ("nextest run", Some(CargoSubcommand::Nextest)),
            ("nextest list", None),
            ("nextest", None),
            ("test -- -v", Some(CargoSubcommand::Test)),
            ("test -v", None),
            ("build -vv", None),
            ("build --verbose", None),
            ("check --message-format short", None),
            ("check --message-format=json", None),
            ("build --help", None),
            ("run", None),
            ("t", None),
            ("+nightly", None),
            ("--color", None),
            ("", None),
        ] {
            let words: Vec<&str> = arguments.split_whitespace().collect();
            assert_eq!(shortenable_subcommand(&words), expected, "{arguments}");
        }
    }
}
