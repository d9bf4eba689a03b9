//! Hand-written parser for the arguments after `hook`; starting an argument parser would cost as much as everything
//! else.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use symposium_agents::{AgentEvent, event_from};
use symposium_model::agent::AgentId;
use symposium_model::config::NamedDirectories;
use symposium_model::hook::Event;
use symposium_model::ownership::PROBE_OPTION;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookArguments {
    pub(crate) caller: HookCaller,
    /// The registration that made the call is in a project's settings.
    pub(crate) from_project: bool,
    /// The call only checks that the registration works (`symposium doctor`).
    pub(crate) is_probe: bool,
    /// Symposium's directories, if the registration names them instead of leaving them to the environment.
    pub(crate) ours: NamedDirectories,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HookCaller {
    /// The agent whose settings contain the registration; another agent may have read the same settings.
    Agent(AgentId, AgentEvent),
    /// A caller that uses Symposium's own event format.
    Canonical(Event),
    /// An agent with an event that this version does not know: the registration is newer than the program.
    UnknownEvent(AgentId),
    Unknown,
}

/// Parses the arguments. Unknown options are ignored: they may come from a newer registration.
pub(crate) fn read(args: &[OsString]) -> HookArguments {
    let mut words = Vec::new();
    let mut from_project = false;
    let mut is_probe = false;
    let mut ours = NamedDirectories::default();
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        match word.to_str() {
            Some("--project") => from_project = true,
            Some(PROBE_OPTION) => is_probe = true,
            Some(option) if option.starts_with("--") => {
                let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
                if let Some(directory) = ours.slot(name) {
                    *directory = value.map(PathBuf::from).or_else(|| rest.next().map(PathBuf::from));
                }
            }
            Some(_) | None => words.push(word.as_os_str()),
        }
    }
    let text = |at: usize| words.get(at).copied().and_then(OsStr::to_str).unwrap_or_default();
    HookArguments { caller: caller(text(0), text(1)), from_project, is_probe, ours }
}

fn caller(agent: &str, event: &str) -> HookCaller {
    if agent == "symposium" {
        return Event::parse(event).map_or(HookCaller::Unknown, HookCaller::Canonical);
    }
    match AgentId::parse(agent) {
        Some(agent) => {
            event_from(agent, event).map_or(HookCaller::UnknownEvent(agent), |event| HookCaller::Agent(agent, event))
        }
        None => HookCaller::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_any_order() {
        let pre = HookCaller::Agent(AgentId::Claude, AgentEvent::Canonical(Event::PreToolUse));
        for (line, caller, from_project, ours) in [
            ("claude pre-tool-use", pre, false, None),
            ("claude PreToolUse --project", pre, true, None),
            ("claude PreToolUse --probe", pre, false, None),
            ("--home /x claude preToolUse", pre, false, Some("/x")),
            ("claude pre-tool-use --home", pre, false, None),
            ("claude --home=/x pre_tool_use --from-the-future", pre, false, Some("/x")),
            ("claude post-tool-use-failure", HookCaller::Agent(AgentId::Claude, AgentEvent::ToolFailed), false, None),
            ("symposium pre-tool-use", HookCaller::Canonical(Event::PreToolUse), false, None),
            ("symposium never", HookCaller::Unknown, false, None),
            ("gemini NeverHeardOf", HookCaller::UnknownEvent(AgentId::Gemini), false, None),
            ("claude", HookCaller::UnknownEvent(AgentId::Claude), false, None),
            ("nobody stop", HookCaller::Unknown, false, None),
            ("", HookCaller::Unknown, false, None),
        ] {
            let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            let ours = NamedDirectories { home: ours.map(PathBuf::from), ..NamedDirectories::default() };
            let is_probe = line.contains("--probe");
            assert_eq!(read(&words), HookArguments { caller, from_project, is_probe, ours }, "{line}");
        }
    }

    #[test]
    fn the_usage_has_every_option_for_a_directory() {
        let any = || Some(PathBuf::from("/x"));
        let usage = crate::usage();
        let all = NamedDirectories { home: any(), cache: any(), logs: any(), user: any() };
        for (option, _) in all.options() {
            assert!(usage.contains(&format!("[{option} DIR]")), "{option}");
        }
    }

    #[test]
    fn each_directory_can_be_named() {
        let words = ["claude", "--cache", "/k", "stop", "--home", "/h", "--logs=/l"].map(OsString::from);
        let named =
            NamedDirectories { home: Some("/h".into()), cache: Some("/k".into()), logs: Some("/l".into()), user: None };
        let call = read(&words);
        assert_eq!(call.ours, named);
        assert_eq!(call.caller, HookCaller::Agent(AgentId::Claude, AgentEvent::Canonical(Event::Stop)));
    }
}
