//! Classifies programs: those that run a file they are given, those that run what they find, and those that run
//! something else.

/// The use a program makes of its arguments, as far as that decides what runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgramKind {
    /// Prints, compares or ends: none of its arguments is a file that runs.
    Text,
    /// Reads the files it is given as data, and runs nothing.
    Reader,
    Directory,
    /// Runs a file in the shell itself.
    Source,
    Assign,
    /// Starts the program that follows its own arguments.
    Wrapper,
    Interpreter(ScriptLanguage),
    /// Runs files it finds in its working directory.
    Runner,
    /// Runs something that its arguments do not tell.
    Untold,
    Git,
    Cargo,
    /// Selected by a toolchain file of the project.
    Toolchain,
    Find,
    Awk,
    Sed,
    Java,
    /// Unknown: it may run any file of the workspace that it is given.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScriptLanguage {
    Shell,
    Python,
    /// Finds a file also without its extension.
    Node,
    /// Includes files from the working directory.
    Php,
    Another,
}

impl ScriptLanguage {
    /// Returns true if, with this option, only the given file decides what runs.
    pub(super) fn allows(self, option: &str) -> bool {
        let letters = |known: &str| {
            option.strip_prefix('-').is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| known.contains(c)))
        };
        match self {
            Self::Shell => letters("abefhmnuvxBCEHPT") || matches!(option, "--posix" | "--norc" | "--noprofile"),
            Self::Python => letters("bBdEIOPqsSuvx"),
            Self::Node => matches!(option, "--no-warnings" | "--no-deprecation" | "--enable-source-maps"),
            Self::Php => false,
            Self::Another => letters("wW"),
        }
    }

    /// Returns true if code that is not in a file can load modules from the working directory.
    pub(super) fn loads_there(self) -> bool {
        match self {
            Self::Python | Self::Node | Self::Php => true,
            Self::Shell | Self::Another => false,
        }
    }
}

pub(super) const BEFORE_COMMANDS: [&str; 9] = ["if", "then", "elif", "else", "while", "until", "do", "!", "{"];

pub(super) const ENDS: [&str; 3] = ["fi", "done", "}"];

/// Classifies a program by its name: as it is, or without a version suffix (`perl5.36`, `python3.12-dbg`).
pub(super) fn kind_of(name: &str) -> ProgramKind {
    let known = kind_of_known(name);
    let plain = name.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let first = name.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or(name);
    match (known, kind_of_known(plain), kind_of_known(first)) {
        (ProgramKind::Other, ProgramKind::Other, interpreter @ ProgramKind::Interpreter(_)) => interpreter,
        (ProgramKind::Other, of_plain, _) => of_plain,
        (known, ..) => known,
    }
}

fn kind_of_known(name: &str) -> ProgramKind {
    use ProgramKind::{
        Assign, Awk, Cargo, Directory, Find, Git, Interpreter, Java, Other, Reader, Runner, Sed, Source, Text,
        Toolchain, Untold, Wrapper,
    };
    match name {
        ":" | "[" | "[[" | "echo" | "exit" | "false" | "printf" | "return" | "set" | "shift" | "test" | "true"
        | "umask" | "unset" | "wait" => Text,
        "cd" => Directory,
        "." | "source" => Source,
        "export" | "readonly" | "local" | "declare" | "typeset" => Assign,
        "builtin" | "command" | "env" | "exec" | "nice" | "nohup" | "setsid" | "time" | "timeout" => Wrapper,
        "sh" | "bash" | "dash" | "ash" | "zsh" | "ksh" | "mksh" | "csh" | "tcsh" => Interpreter(ScriptLanguage::Shell),
        "node" | "nodejs" => Interpreter(ScriptLanguage::Node),
        "python" | "pypy" | "pythonw" => Interpreter(ScriptLanguage::Python),
        "php" => Interpreter(ScriptLanguage::Php),
        "perl" | "ruby" | "lua" | "luajit" | "tclsh" | "julia" | "raku" | "elixir" | "fish" => {
            Interpreter(ScriptLanguage::Another)
        }
        "git" => Git,
        "cargo" => Cargo,
        "rustc" | "rustfmt" | "rustdoc" | "clippy-driver" | "rust-analyzer" => Toolchain,
        "fd" | "fdfind" | "find" | "rg" => Find,
        "awk" | "gawk" | "mawk" | "nawk" => Awk,
        "sed" | "gsed" => Sed,
        "java" => Java,
        // These read their input, print or create plain files, and run nothing.
        "base64" | "basename" | "cat" | "cksum" | "cmp" | "column" | "comm" | "curl" | "cut" | "date" | "df"
        | "diff" | "dirname" | "du" | "egrep" | "expand" | "fgrep" | "file" | "fmt" | "fold" | "grep" | "head"
        | "hexdump" | "hostname" | "id" | "join" | "jq" | "ls" | "md5sum" | "mkdir" | "mktemp" | "nl"
        | "notify-send" | "od" | "paste" | "printenv" | "ps" | "pwd" | "read" | "readlink" | "realpath" | "rev"
        | "rm" | "rmdir" | "say" | "seq" | "sha1sum" | "sha256sum" | "sha512sum" | "shasum" | "sleep" | "sort"
        | "stat" | "tac" | "tail" | "tee" | "touch" | "tput" | "tr" | "tree" | "type" | "uname" | "uniq" | "wc"
        | "which" | "whoami" | "xxd" => Reader,
        // These run files they find in the working directory, or beside the files they are given.
        "Rscript" | "amm" | "ansible" | "ansible-playbook" | "ant" | "astro" | "ava" | "babel" | "bazel"
        | "bazelisk" | "bb" | "brew" | "buck2" | "buildah" | "bun" | "bundle" | "bundler" | "bunx" | "cabal"
        | "cargo-make" | "cdk" | "clj" | "clojure" | "cmake" | "composer" | "conda" | "corepack" | "crystal"
        | "ctest" | "cypress" | "dart" | "deno" | "devbox" | "direnv" | "docker" | "docker-compose" | "doit"
        | "dotnet" | "dune" | "earthly" | "esbuild" | "eslint" | "fastlane" | "flake8" | "flutter" | "ghc" | "ghci"
        | "gleam" | "gmake" | "go" | "gradle" | "gradlew" | "groovy" | "grunt" | "gulp" | "hatch" | "helm"
        | "hlint" | "inv" | "invoke" | "jbang" | "jest" | "just" | "karma" | "kotlin" | "lefthook" | "lein"
        | "lerna" | "mage" | "make" | "mamba" | "meson" | "mill" | "mise" | "mix" | "mocha" | "moon" | "msbuild"
        | "mvn" | "mvnw" | "mypy" | "nim" | "nimble" | "ninja" | "nix" | "nix-build" | "nix-shell" | "node-gyp"
        | "nox" | "npm" | "npx" | "nx" | "ocaml" | "opam" | "pdm" | "phpstan" | "phpunit" | "pip" | "pipenv"
        | "pipx" | "playwright" | "pnpm" | "pnpx" | "podman" | "poe" | "poetry" | "pre-commit" | "prettier"
        | "pulumi" | "py.test" | "pylint" | "pyright" | "pytest" | "rake" | "rebar3" | "rollup" | "rspec"
        | "rubocop" | "run-parts" | "runghc" | "runhaskell" | "rust-script" | "rye" | "sbt" | "scala" | "scala-cli"
        | "scons" | "sphinx-build" | "stack" | "stylelint" | "swift" | "task" | "terraform" | "tilt" | "tofu"
        | "tox" | "ts-node" | "tsc" | "tsup" | "tsx" | "turbo" | "uv" | "uvx" | "vagrant" | "vite" | "vitest"
        | "waf" | "webpack" | "wrangler" | "xcodebuild" | "yarn" | "zig" => Runner,
        // These run something that their arguments do not tell, or tell in a language of their own.
        "R" | "alias" | "apply" | "at" | "batch" | "bind" | "bpftrace" | "busybox" | "bwrap" | "case" | "chroot"
        | "complete" | "coproc" | "crontab" | "dirs" | "doas" | "dtrace" | "ed" | "emacs" | "enable" | "entr"
        | "eval" | "ex" | "expect" | "fakeroot" | "firejail" | "flock" | "for" | "function" | "gdb" | "gnuplot"
        | "hash" | "ionice" | "launchctl" | "ld" | "lldb" | "ltrace" | "m4" | "nc" | "ncat" | "nsenter" | "nvim"
        | "osascript" | "parallel" | "perf" | "pkexec" | "popd" | "powershell" | "prlimit" | "pushd" | "pwsh"
        | "rsync" | "runcon" | "runuser" | "rustup" | "screen" | "script" | "select" | "setarch" | "setpriv"
        | "socat" | "split" | "sqlite3" | "ssh" | "start-stop-daemon" | "stdbuf" | "strace" | "su" | "sudo"
        | "systemd-run" | "tar" | "taskset" | "tmux" | "toolbox" | "toybox" | "trap" | "unbuffer" | "unshare"
        | "valgrind" | "vi" | "vim" | "watch" | "watchexec" | "xargs" | "xvfb-run" | "zip" => Untold,
        _ => Other,
    }
}

pub(super) fn may_write(name: &str) -> bool {
    matches!(name, "curl" | "mktemp" | "sort" | "tee" | "touch" | "uniq" | "xxd")
}

pub(super) fn only_finds(name: &str, args: &[&str]) -> bool {
    const RUNNING: [&str; 5] = ["-exec", "-ok", "--exec", "--pre", "--hostname-bin"];
    // Only fd joins letters, as in `-Hx`; the words of find are longer.
    let joins_letters = name.starts_with("fd");
    let runs = |arg: &&str| {
        let is_joined = joins_letters && has_letter(arg, &['x', 'X']);
        is_joined || matches!(*arg, "-x" | "-X") || RUNNING.iter().any(|option| arg.starts_with(option))
    };
    !args.iter().any(runs)
}

/// Returns true if git only reads, so that it runs nothing but programs named by its own configuration.
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
    // git accepts the beginning of an option for the option, and `git grep` several letters behind one dash.
    let starts = |arg: &&str| {
        let name = arg.split('=').next().unwrap_or(arg);
        let is_short_for = |option: &&str| name.len() > "--e".len() && option.starts_with(name);
        let is_joined = args.first() == Some(&"grep") && has_letter(arg, &['O']);
        is_joined || STARTING.iter().any(|option| arg.starts_with(option) || is_short_for(option))
    };
    args.first().is_some_and(|first| READING.contains(first)) && !args.iter().any(starts)
}

/// Returns true if a word is letters behind one dash, with one of these among them.
fn has_letter(word: &str, letters: &[char]) -> bool {
    word.strip_prefix('-').is_some_and(|joined| !joined.starts_with('-') && joined.contains(letters))
}

/// Returns true if cargo runs nothing of the project except by building it.
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
    let turns = |arg: &&str| ["--config", "--manifest-path", "-C", "-Z"].iter().any(|option| arg.starts_with(option));
    args.first().is_some_and(|first| BUILDING.contains(first)) && !args.iter().any(turns)
}

pub(super) fn awk_only_prints(text: &str) -> bool {
    let is_plain = !text.starts_with('-') || ["-F", "-f", "-v"].iter().any(|option| text.starts_with(option));
    is_plain && !["system", "getline", "|", "@"].iter().any(|sign| text.contains(sign))
}

/// Returns true if the script of a `sed` starts nothing: one replacement, or lines to print or delete.
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
