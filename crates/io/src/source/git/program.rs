//! The `git` program, started so that it never prompts, runs no other program, and touches only Symposium's own
//! repository.

use std::cell::Cell;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use symposium_model::config::{GitAddress, GitProtocol, redact};

use crate::process::bounded::{self, ProgramEnd, ProgramLimits};
use crate::process::{self, ProgramCall};
use crate::source::contents::ContentRefusal;
use crate::source::fetch_error::{FetchError, FetchLimits};
use crate::source::transfer::{ByteCount, Silence};
use crate::{env, fs};

const SETTING: Duration = Duration::from_secs(10);

/// Bytes. A source of plugins has no larger pack.
const MAX_PACK: u64 = 256 * 1024 * 1024;

const MAX_WORDS: usize = 1024 * 1024;

/// The name of the remote in Symposium's repository. The address itself is in the configuration of that repository,
/// which only the user can read; every user of the machine can read arguments.
pub(super) const REMOTE: &str = "source";

/// Settings that no configuration may change: no hooks, no background processes, no prompts, no address supplied by the
/// server.
const SETTINGS: [&str; 13] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.askPass=",
    "credential.interactive=false",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "transfer.bundleURI=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "fetch.writeCommitGraph=false",
    "protocol.version=2",
    // Symposium decides how slow is too slow, for every protocol.
    "http.lowSpeedLimit=0",
    // Everything arrives as a pack, whose size can be observed while it grows.
    "fetch.unpackLimit=1",
];

pub(super) struct GitRepository<'g> {
    repository: &'g Path,
    protocol: GitProtocol,
    patience: &'g FetchLimits,
    count: &'g ByteCount,
}

impl<'g> GitRepository<'g> {
    /// Creates an empty repository in a directory that does not exist yet. `git init` would add templates.
    pub(super) fn create(
        repository: &'g Path,
        address: &GitAddress,
        patience: &'g FetchLimits,
        count: &'g ByteCount,
    ) -> fs::FsResult<Self> {
        for directory in ["objects", "refs"] {
            fs::create_private_dir(&repository.join(directory))?;
        }
        fs::write_new(&repository.join("HEAD"), b"ref: refs/heads/none\n")?;
        // An address has no control characters; these two would end the quotes.
        let url = address.url().replace('\\', "\\\\").replace('"', "\\\"");
        let config =
            format!("[core]\n\trepositoryformatversion = 0\n\tbare = true\n[remote \"{REMOTE}\"]\n\turl = \"{url}\"\n");
        fs::write_new(&repository.join("config"), config.as_bytes())?;
        Ok(Self { repository, protocol: address.protocol(), patience, count })
    }

    pub(super) fn run(
        &self,
        args: &[&str],
        input: Vec<u8>,
        deadline: Instant,
        output: usize,
    ) -> Result<Vec<u8>, FetchError> {
        self.watched(args, input, &ProgramLimits { deadline, output, watch: &|_| self.pack_size() <= MAX_PACK })
    }

    /// Runs git while it receives data from the server, and counts the bytes. Progress messages of the server count as
    /// activity too.
    pub(super) fn transfer(&self, args: &[&str], deadline: Instant) -> Result<(), FetchError> {
        let silence = Cell::new(Silence::starting(Instant::now()));
        let is_silent = Cell::new(false);
        let watch = |printed: u64| {
            let (size, now) = (self.pack_size(), Instant::now());
            self.count.set(size);
            silence.set(silence.get().observed(size + printed, now));
            is_silent.set(silence.get().lasts(self.patience.stall, now));
            size <= MAX_PACK && !is_silent.get()
        };
        let bounds = ProgramLimits { deadline, output: MAX_WORDS, watch: &watch };
        match self.watched(args, Vec::new(), &bounds) {
            Err(FetchError::Refused(ContentRefusal::TooLarge)) if is_silent.get() => {
                Err(FetchError::Stalled { silence: self.patience.stall, received: self.count.get() })
            }
            ended => ended.map(|_| ()),
        }
    }

    fn watched(&self, args: &[&str], input: Vec<u8>, bounds: &ProgramLimits<'_>) -> Result<Vec<u8>, FetchError> {
        match bounded::run(&mut self.command(args), input, bounds) {
            Ok(ProgramEnd::Itself(ended)) if ended.status.success() => Ok(ended.stdout),
            Ok(ProgramEnd::Itself(ended)) => Err(FetchError::Git(reason(&ended.stderr))),
            Ok(ProgramEnd::TooSlow | ProgramEnd::Held(_)) => {
                Err(FetchError::TooSlow { limit: self.patience.whole, received: self.count.get() })
            }
            Ok(ProgramEnd::TooMuch) => Err(FetchError::Refused(ContentRefusal::TooManyFiles)),
            Ok(ProgramEnd::Stopped) => Err(FetchError::Refused(ContentRefusal::TooLarge)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(FetchError::GitIsMissing),
            Err(error) => Err(FetchError::Git(error.to_string())),
        }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = process::command(Path::new("git"));
        for name in env::git_variables() {
            command.env_remove(name);
        }
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command
            .args(args)
            .current_dir(self.repository)
            .env("GIT_DIR", self.repository)
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "")
            .env("SSH_ASKPASS", "")
            .env("SSH_ASKPASS_REQUIRE", "never")
            .env("GCM_INTERACTIVE", "never")
            .env("GIT_ALLOW_PROTOCOL", self.allowed_protocols())
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("LC_ALL", "C");
        if self.protocol == GitProtocol::Ssh && !env::has_ssh_command() {
            // `GIT_SSH_COMMAND` overrides the user's `core.sshCommand`, so that is read first.
            let program = self.ssh_program();
            if program.split(['/', ' ']).any(|word| word == "ssh") {
                command.env("GIT_SSH_COMMAND", format!("{program} -oBatchMode=yes -oConnectTimeout=10"));
            }
        }
        command
    }

    /// Allows plain HTTP for servers on this machine only, and no protocol that would run a program.
    fn allowed_protocols(&self) -> &'static str {
        match self.protocol {
            GitProtocol::HttpOfThisMachine => "https:ssh:git:file:http",
            GitProtocol::Https | GitProtocol::Ssh | GitProtocol::Git | GitProtocol::File => "https:ssh:git:file",
        }
    }

    fn ssh_program(&self) -> String {
        let asked = ProgramCall {
            program: Path::new("git"),
            args: &["config", "--get", "core.sshCommand"],
            directory: self.repository,
            input: "",
            limit: SETTING,
            variables: vec![("GIT_DIR", Some(self.repository.into()))],
        };
        let written = asked.run().ok().flatten().filter(|asked| asked.status.success());
        let written = written.map(|asked| asked.stdout.trim().to_owned());
        written.filter(|text| !text.is_empty()).unwrap_or_else(|| "ssh".to_owned())
    }

    /// Returns the size of the repository so far, which is limited to stop a server that never stops sending.
    fn pack_size(&self) -> u64 {
        let packs = self.repository.join("objects/pack");
        let entries = fs::list(&packs).unwrap_or_default();
        entries.iter().map(|entry| fs::size(&packs.join(&entry.name))).sum()
    }
}

/// Extracts the reason of a failure as one line without credentials.
fn reason(stderr: &str) -> String {
    let lines = || stderr.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    let said = |prefix: &str| lines().find_map(|line| line.strip_prefix(prefix));
    let line = said("fatal: ").or_else(|| said("error: ")).or_else(|| said("ERROR: "));
    let line = line.or_else(|| lines().next_back()).unwrap_or("git gave no reason");
    let needs_login = ["could not read Username", "could not read Password", "terminal prompts disabled"];
    if needs_login.iter().any(|sign| line.contains(sign)) {
        return "it requires a login, or it does not exist; store credentials for it with git".to_owned();
    }
    redact(line).chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_short_and_have_no_credentials() {
        for (stderr, expected) in [
            ("", "git gave no reason"),
            (
                "warning: x\nfatal: repository 'https://u:secret@h/r/' not found\n",
                "repository 'https://h/r/' not found",
            ),
            (
                "fatal: could not read Username for 'https://github.com': terminal prompts disabled\n",
                "it requires a login",
            ),
            (
                "Host key verification failed.\nfatal: Could not read from remote repository.\n",
                "Could not read from remote",
            ),
            ("Receiving objects:  10% (1/9)\rfatal: early EOF\n", "early EOF"),
            ("something\n", "something"),
        ] {
            assert!(reason(stderr).starts_with(expected), "{stderr}");
        }
    }
}
