//! An isolated environment for a test: a home, a workspace and the program under test.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::fixture;
use crate::output::Output;
use crate::tree;

/// After this long, a file differs in time from any file written later: the clocks of file systems tick.
const TICK: Duration = Duration::from_millis(22);

/// An isolated environment made of fixtures.
///
/// The directory with a `config.toml` becomes Symposium's home, the one with a `Cargo.toml` the workspace; without a
/// fixture for them they are empty directories.
pub struct TestContext {
    // Removed when the test ends.
    _root: tempfile::TempDir,
    root: PathBuf,
    program: PathBuf,
    config_dir: PathBuf,
    workspace: PathBuf,
    variables: Vec<(String, String)>,
    written: Mutex<Instant>,
}

impl TestContext {
    /// Composes fixtures, which are directories below `fixtures`, for running `program`.
    pub fn with_fixture(program: &str, fixtures: &str, names: &[&str]) -> Self {
        let temporary = temporary_directory();
        // On macOS the temporary directory is a link.
        let root = fs::canonicalize(temporary.path()).unwrap();
        let files = root.join("files");
        fs::create_dir(&files).unwrap();
        for name in names {
            fixture::copy(&Path::new(fixtures).join(name), &files);
        }
        let directory = |file: &str, otherwise: &str| {
            fixture::home_of(file, &files).unwrap_or_else(|| {
                let made = root.join(otherwise);
                fs::create_dir_all(&made).unwrap();
                made
            })
        };
        let config_dir = directory("config.toml", "home/.symposium");
        let workspace = directory("Cargo.toml", "empty");
        fs::create_dir_all(root.join("home")).unwrap();
        let program = PathBuf::from(program);
        let written = Mutex::new(Instant::now());
        Self { _root: temporary, root, program, config_dir, workspace, variables: Vec::new(), written }
    }

    /// Waits until the files that the program wrote are older than a tick of the clock. Every run waits for the files
    /// of the test itself: the program must treat a file so new as one that is still being written.
    pub fn settle(&self) {
        std::thread::sleep(TICK);
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn config_dir(&self) -> &Path {
        &self.config_dir
    }

    pub fn workspace(&self) -> &Path {
        &self.workspace
    }

    pub fn set(&mut self, name: &str, value: &str) -> &mut Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        self.write_at(&self.workspace.join(path), text.as_ref());
    }

    pub fn write_config(&self, path: &str, text: impl AsRef<[u8]>) {
        self.write_at(&self.config_dir.join(path), text.as_ref());
    }

    fn write_at(&self, path: &Path, bytes: &[u8]) {
        write(path, bytes);
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    pub fn invoke(&self, args: &[&str]) -> Output {
        self.invoke_in(&self.workspace, args)
    }

    pub fn invoke_in(&self, directory: &Path, args: &[&str]) -> Output {
        self.run(directory, &[], args, b"")
    }

    pub fn invoke_in_with(&self, directory: &Path, args: &[&str], input: &[u8]) -> Output {
        self.run(directory, &[], args, input)
    }

    /// Runs the program in the workspace through another one, which gets its path and arguments after its own.
    pub fn invoke_through(&self, through: &[&str], args: &[&str]) -> Output {
        self.run(&self.workspace, through, args, b"")
    }

    /// Sends an event to the program as an agent does: `hook AGENT EVENT --home DIR` with JSON on standard input.
    pub fn invoke_hook(&self, agent: &str, event: &str, payload: &str) -> Output {
        let home = self.config_dir.display().to_string();
        self.run(&self.workspace, &[], &["hook", agent, event, "--home", &home], payload.as_bytes())
    }

    fn run(&self, directory: &Path, through: &[&str], args: &[&str], input: &[u8]) -> Output {
        let age = self.written.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
        std::thread::sleep(TICK.saturating_sub(age));
        let mut command = match through {
            [] => Command::new(&self.program),
            [other, own @ ..] => {
                let mut command = Command::new(other);
                command.args(own).arg(&self.program);
                command
            }
        };
        command
            .args(args)
            .current_dir(directory)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root.join("home"))
            .env("SYMPOSIUM_HOME", &self.config_dir)
            .env("CARGO_HOME", self.root.join("cargo-home"))
            // Tests of fetching override this, and have their own servers.
            .env("SYMPOSIUM_OFFLINE", "1")
            // Nothing is indexed in the background, except in the tests of that.
            .env("CI", "true")
            // An agent may run the tests; the tests of that detection override this.
            .env("SYMPOSIUM_TEST_WITHOUT_ANCESTORS", "1")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        // The program may end without reading.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        Output {
            code: output.status.code().unwrap_or(-1),
            stdout: self.normalize_paths(&String::from_utf8_lossy(&output.stdout)),
            stderr: self.normalize_paths(&String::from_utf8_lossy(&output.stderr)),
        }
    }

    /// Replaces the temporary paths by names, so that snapshots are stable.
    pub fn normalize_paths(&self, text: &str) -> String {
        let named = [
            (self.program.display().to_string(), "$SYMPOSIUM"),
            (self.config_dir.display().to_string(), "$CONFIG_DIR"),
            (self.workspace.display().to_string(), "$WORKSPACE"),
            (self.root.display().to_string(), "$ROOT"),
        ];
        named.iter().fold(text.to_owned(), |text, (path, name)| text.replace(path, name))
    }

    pub fn tree(&self, directory: &Path) -> String {
        tree::listing(directory)
    }
}

/// Creates a directory that is not inside a project, so that a stray file in `/tmp` affects no test.
fn temporary_directory() -> tempfile::TempDir {
    let bases = [std::env::temp_dir(), "/var/tmp".into(), "/dev/shm".into()];
    let base = bases.iter().find(|base| base.is_dir() && project_file_above(base).is_none());
    let base = base.unwrap_or_else(|| {
        panic!("remove {:?}: it makes every test a part of its project", project_file_above(&bases[0]))
    });
    tempfile::tempdir_in(base).unwrap()
}

fn project_file_above(directory: &Path) -> Option<PathBuf> {
    let directory = fs::canonicalize(directory).ok()?;
    let files =
        directory.ancestors().flat_map(|above| ["Cargo.toml", "Cargo.lock", ".symposium"].map(|file| above.join(file)));
    files.into_iter().find(|file| file.exists())
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}
