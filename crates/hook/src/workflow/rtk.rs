//! The `rtk` workflow: asks rtk for a shorter form of a shell command. It never permits and never forbids a command.

mod skip;

use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::edge::child::{self, ChildCommand, ChildEnd, ChildJob, ChildResult};
use crate::handler_environment::{EventPlaces, HandlerEnvironment};

const LIMIT: Duration = Duration::from_millis(300);

/// A command that every rtk has a shorter form of.
const SAMPLE: &str = "cargo test";

#[derive(Debug, Clone, Copy)]
pub(crate) struct RtkCall<'a> {
    pub(crate) program: &'a Path,
    /// rtk reads the permission rules of the working directory.
    pub(crate) places: EventPlaces<'a>,
    pub(crate) deadline: Instant,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct RtkExceptions<'a> {
    /// Prefixes of commands, from `[rtk] exclude` of the configuration.
    pub(crate) exclude: &'a [String],
    /// The value of `RTK_DISABLED` in the environment.
    pub(crate) disabled: Option<&'a OsStr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RtkState {
    Ready,
    Missing,
    /// It has no `rewrite` command yet.
    TooOld,
    WrongProgram,
}

impl RtkState {
    /// Returns the hint for the user. There is none for a missing rtk: most users never asked for it.
    pub(crate) fn hint(self) -> Option<&'static str> {
        match self {
            Self::Ready | Self::Missing => None,
            Self::TooOld => Some(
                "The rtk workflow does nothing, because the installed `rtk` is older than 0.23: \
                 update it, or run `symposium off rtk`",
            ),
            Self::WrongProgram => Some(
                "The rtk workflow does nothing, because this `rtk` is another program: \
                 install the one from github.com/rtk-ai/rtk, or run `symposium off rtk`",
            ),
        }
    }
}

/// Returns the command to run instead, if rtk knows a shorter one.
pub(crate) fn rewrite(command: &str, exceptions: &RtkExceptions<'_>, asking: &RtkCall<'_>) -> Option<String> {
    if skip::reason(command, exceptions).is_some() {
        return None;
    }
    rewritten(command, &ask(asking, &["rewrite", command]))
}

/// Checks the installed rtk, with at most two short runs of it.
pub(crate) fn state(asking: &RtkCall<'_>) -> RtkState {
    let answer = ask(asking, &["rewrite", SAMPLE]);
    match parse_answer(&answer) {
        RtkProbe::Known(state) => state,
        RtkProbe::Unknown => {
            let gain = ask(asking, &["gain"]);
            if matches!(gain.ended, ChildEnd::Exited(0)) { RtkState::TooOld } else { RtkState::WrongProgram }
        }
    }
}

fn ask(asking: &RtkCall<'_>, args: &[&str]) -> ChildResult {
    // Most users have no rtk; this saves the rest of the work at every command.
    if let Err(error) = child::locate(asking.program, &[]) {
        return ChildResult::without_output(ChildEnd::NotStarted(error), Instant::now());
    }
    let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
    let directory = asking.places.cwd.or(asking.places.workspace);
    let around = HandlerEnvironment::apart(&asking.places, directory, &[]);
    let set: Vec<_> = around.variables().collect();
    child::run(&ChildJob {
        run: ChildCommand::Direct { program: asking.program, args: &args },
        directory,
        unset: &around.unset,
        set: &set,
        input: b"",
        deadline: asking.deadline.min(Instant::now() + LIMIT),
    })
}

/// Parses the answer of `rtk rewrite`. The exit code also says if a rule of the agent allows the command; that is the
/// agent's decision, so it is ignored.
fn rewritten(command: &str, answer: &ChildResult) -> Option<String> {
    let ChildEnd::Exited(0 | 3) = answer.ended else { return None };
    if answer.stdout_cut {
        return None;
    }
    let text = str::from_utf8(&answer.stdout).ok()?.trim_end_matches(['\n', '\r']);
    let is_text = !text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t'));
    (is_text && !text.trim().is_empty() && text.trim() != command.trim()).then(|| text.to_owned())
}

#[derive(Debug, PartialEq, Eq)]
enum RtkProbe {
    Known(RtkState),
    /// It does not know the `rewrite` command.
    Unknown,
}

fn parse_answer(answer: &ChildResult) -> RtkProbe {
    let complaint = String::from_utf8_lossy(&answer.stderr).to_lowercase();
    let usage = ["usage", "unrecognized", "unexpected argument", "invalid", "unknown"];
    let misunderstood = usage.iter().any(|word| complaint.contains(word));
    match &answer.ended {
        ChildEnd::NotStarted(_) => RtkProbe::Known(RtkState::Missing),
        // A slow machine is no reason for a hint.
        ChildEnd::DeadlineKilled => RtkProbe::Known(RtkState::Ready),
        ChildEnd::Signalled(_) => RtkProbe::Known(RtkState::WrongProgram),
        ChildEnd::Exited(0 | 3) => match rewritten(SAMPLE, answer) {
            Some(text) if text.contains("rtk") => RtkProbe::Known(RtkState::Ready),
            Some(_) | None => RtkProbe::Known(RtkState::WrongProgram),
        },
        // A rule of the user or of the agent matches the sample.
        ChildEnd::Exited(1 | 2) if answer.stdout.is_empty() && !misunderstood => RtkProbe::Known(RtkState::Ready),
        ChildEnd::Exited(_) => RtkProbe::Unknown,
    }
}

#[cfg(unix)]
#[cfg(test)]
#[path = "rtk_tests.rs"]
mod tests;
