//! Which programs run a file that they are given, which run what they find, and which run something else.

/// What a program does with its words, as far as that decides what runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgramKind {
    /// Prints, compares or ends: none of its words is a file that runs.
    Text,
    /// Goes to a directory.
    Directory,
    /// Runs a file in the shell itself.
    Source,
    /// Sets variables.
    Assign,
    /// Starts the program that stands behind its own words.
    Wrapper,
    /// Runs the file it is given.
    Interpreter(Language),
    /// Runs what it finds where it is started.
    Runner,
    /// Runs something that its words do not say.
    Untold,
    Git,
    Cargo,
    /// Is chosen by a toolchain file of the project.
    Toolchain,
    Find,
    Awk,
    Sed,
    Java,
    Other,
}

/// The language of an interpreter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Shell,
    Python,
    /// Finds a file also without the end of its name.
    Node,
    Another,
}

impl Language {
    /// Whether an option leaves it to the file to say what runs.
    pub(super) fn allows(self, option: &str) -> bool {
        let letters = |known: &str| {
            option.strip_prefix('-').is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| known.contains(c)))
        };
        match self {
            Self::Shell => letters("abefhmnuvxBCEHPT") || matches!(option, "--posix" | "--norc" | "--noprofile"),
            Self::Python => letters("bBdEIOPqsSuvx"),
            Self::Node => matches!(option, "--no-warnings" | "--no-deprecation" | "--enable-source-maps"),
            Self::Another => letters("wW"),
        }
    }
}

/// Words of the shell's language that stand before a command.
pub(super) const BEFORE_COMMANDS: [&str; 9] = ["if", "then", "elif", "else", "while", "until", "do", "!", "{"];

/// Words of it that end something.
pub(super) const ENDS: [&str; 3] = ["fi", "done", "}"];

/// What is known of a program by its name.
pub(super) fn kind_of(name: &str) -> ProgramKind {
    use ProgramKind::{
        Assign, Awk, Cargo, Directory, Find, Git, Interpreter, Java, Other, Runner, Sed, Source, Text, Toolchain,
        Untold, Wrapper,
    };
    match name {
        ":" | "[" | "[[" | "echo" | "exit" | "false" | "printf" | "return" | "set" | "shift" | "test" | "true"
        | "umask" | "unset" | "wait" => Text,
        "cd" => Directory,
        "." | "source" => Source,
        "export" | "readonly" | "local" | "declare" | "typeset" => Assign,
        "builtin" | "command" | "env" | "exec" | "nice" | "nohup" | "setsid" | "time" | "timeout" => Wrapper,
        "sh" | "bash" | "dash" | "ash" | "zsh" | "ksh" | "mksh" => Interpreter(Language::Shell),
        "node" | "nodejs" => Interpreter(Language::Node),
        "perl" | "ruby" | "php" | "lua" | "luajit" | "Rscript" | "tclsh" | "julia" | "raku" | "elixir" | "fish" => {
            Interpreter(Language::Another)
        }
        "ant" | "bazel" | "brew" | "buck2" | "bun" | "bundle" | "bunx" | "cmake" | "composer" | "ctest" | "deno"
        | "devbox" | "direnv" | "docker" | "docker-compose" | "earthly" | "eslint" | "gmake" | "gradle" | "grunt"
        | "gulp" | "hatch" | "invoke" | "jest" | "just" | "lefthook" | "lerna" | "mage" | "make" | "meson" | "mise"
        | "mix" | "mocha" | "moon" | "mvn" | "ninja" | "nix" | "nix-build" | "nix-shell" | "nox" | "npm" | "npx"
        | "nx" | "pdm" | "pip" | "pip3" | "pipenv" | "pipx" | "pnpm" | "pnpx" | "podman" | "poetry" | "pre-commit"
        | "prettier" | "pytest" | "rake" | "run-parts" | "rye" | "sbt" | "scons" | "task" | "terraform" | "tofu"
        | "tox" | "ts-node" | "tsc" | "tsx" | "turbo" | "uv" | "uvx" | "vagrant" | "vite" | "vitest" | "webpack"
        | "yarn" => Runner,
        "alias" | "at" | "batch" | "bind" | "busybox" | "case" | "chroot" | "complete" | "coproc" | "crontab"
        | "dirs" | "doas" | "ed" | "emacs" | "enable" | "entr" | "eval" | "ex" | "expect" | "flock" | "for"
        | "function" | "gdb" | "gnuplot" | "hash" | "m4" | "nc" | "ncat" | "nsenter" | "nvim" | "osascript"
        | "parallel" | "pkexec" | "popd" | "powershell" | "pushd" | "pwsh" | "R" | "rsync" | "runuser" | "rustup"
        | "screen" | "script" | "select" | "socat" | "split" | "sqlite3" | "ssh" | "stdbuf" | "strace" | "su"
        | "sudo" | "tar" | "tmux" | "toolbox" | "trap" | "unshare" | "vi" | "vim" | "watch" | "xargs" | "zip" => Untold,
        "git" => Git,
        "cargo" => Cargo,
        "rustc" | "rustfmt" | "rustdoc" | "clippy-driver" | "rust-analyzer" => Toolchain,
        "fd" | "fdfind" | "find" | "rg" => Find,
        "awk" | "gawk" | "mawk" | "nawk" => Awk,
        "sed" | "gsed" => Sed,
        "java" => Java,
        _ if is_python(name) => Interpreter(Language::Python),
        _ => Other,
    }
}

/// `python`, `python3.12`, `pypy3`.
fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// Whether a search only finds: it runs nothing on what it finds.
pub(super) fn only_finds(args: &[&str]) -> bool {
    const RUNNING: [&str; 5] = ["-exec", "-ok", "--exec", "--pre", "--hostname-bin"];
    let runs = |arg: &&str| matches!(*arg, "-x" | "-X") || RUNNING.iter().any(|option| arg.starts_with(option));
    !args.iter().any(runs)
}

/// Whether git only reads, so that nothing of the repository runs but what its own configuration names.
pub(super) fn git_only_reads(args: &[&str]) -> bool {
    const READING: [&str; 17] = [
        "--version",
        "blame",
        "branch",
        "cat-file",
        "describe",
        "diff",
        "grep",
        "log",
        "ls-files",
        "ls-tree",
        "merge-base",
        "rev-list",
        "rev-parse",
        "show",
        "status",
        "symbolic-ref",
        "tag",
    ];
    const STARTING: [&str; 4] = ["-O", "--open-files-in-pager", "--ext-diff", "--textconv"];
    let args = args.strip_prefix(&["--no-pager"]).unwrap_or(args);
    args.first().is_some_and(|first| READING.contains(first))
        && !args.iter().any(|arg| STARTING.iter().any(|option| arg.starts_with(option)))
}

/// Whether cargo runs nothing of the project but what building it runs.
pub(super) fn cargo_only_builds(args: &[&str]) -> bool {
    const BUILDING: [&str; 14] = [
        "--version",
        "audit",
        "build",
        "check",
        "clippy",
        "deny",
        "doc",
        "fetch",
        "fmt",
        "info",
        "metadata",
        "search",
        "tree",
        "update",
    ];
    let args = match args {
        [first, rest @ ..] if first.starts_with('+') && !first.contains('/') => rest,
        all => all,
    };
    let turns = |arg: &&str| ["--config", "-C", "-Z"].iter().any(|option| arg.starts_with(option));
    args.first().is_some_and(|first| BUILDING.contains(first)) && !args.iter().any(turns)
}

/// Whether the text of an `awk` program starts nothing.
pub(super) fn awk_only_prints(text: &str) -> bool {
    !["system", "getline", "|", "@"].iter().any(|sign| text.contains(sign))
}

/// Whether the script of a `sed` starts nothing: one replacement, or lines to print or leave out.
pub(super) fn sed_only_replaces(text: &str) -> bool {
    let replaces = text.strip_prefix('s').and_then(|rest| {
        let sign = rest.chars().next().filter(|sign| !sign.is_alphanumeric() && *sign != '\\')?;
        let mut parts = rest.split(sign).skip(3);
        Some((parts.next()?, parts.next()))
    });
    match replaces {
        Some((flags, None)) => flags.chars().all(|c| "gpiIm0123456789".contains(c)),
        Some((_, Some(_))) => false,
        None => !text.is_empty() && text.chars().all(|c| "0123456789,$pdq".contains(c)),
    }
}
