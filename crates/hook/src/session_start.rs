//! Messages at the start of a session.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use symposium_agents::spec::ShellPathChannel;
use symposium_agents::{MessageChannel, dialect, spec};
use symposium_model::agent::AgentId;
use symposium_model::config::AppDirectories;
use symposium_model::hook::hook_plan::{
    ASKED, GuidanceLine, GuidancePointer, LockedVersion, PendingGrant, REMEMBERED, SessionPlan, hash,
};
use symposium_model::hook::{Event, Outcome};

use crate::edge::{disk, environment};
use crate::guidance::index;
use crate::handler_environment::{EventPlaces, UNKNOWN};
use crate::{session, update_check, workflow};

const RTK_LIMIT: Duration = Duration::from_secs(1);
const MAX_SEEN: u64 = 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionStart {
    /// With an empty context: the model gets everything.
    Anew,
    /// With its old context: the model gets only changes.
    Resumed,
}

impl SessionStart {
    pub(crate) fn from_source(source: Option<&str>) -> Self {
        if source == Some("resume") { Self::Resumed } else { Self::Anew }
    }
}

pub(crate) struct SessionBeginning<'b> {
    pub(crate) agent: Option<AgentId>,
    pub(crate) start: SessionStart,
    pub(crate) places: EventPlaces<'b>,
    pub(crate) said: &'b SessionPlan,
}

/// Adds all messages of a session start: for the model, and for the user where the agent displays them.
pub(crate) fn greet(beginning: &SessionBeginning<'_>, directories: &AppDirectories, outcome: &mut Outcome) {
    let SessionBeginning { agent, start, places, said } = *beginning;
    let workspace = places.workspace;
    let sessions = directories.config.join("sessions");
    // A one-time message is not given to an agent that ignores the context; it gets the message through the MCP server.
    let listens = agent.is_none_or(|agent| dialect(agent).can.tells(Event::SessionStart));
    let has = |skill: &str| said.holders.has(agent, skill);
    let moved = workspace.filter(|_| listens).map(|workspace| moved_since(&sessions, workspace, &said.crates, &has));
    for text in texts(beginning, &moved.unwrap_or_default()) {
        outcome.add_context(&text);
    }
    if let (Some(agent), Some(line)) = (agent, &said.shell_line) {
        set_up_shell(agent, line);
    }
    if start == SessionStart::Resumed {
        return;
    }
    // A message that the user does not see does not count as one.
    let is_shown = agent.is_none_or(|agent| dialect(agent).message == MessageChannel::Shown);
    for note in pending_note(said, agent, &sessions, is_shown).iter().chain(&said.notes) {
        outcome.add_message(note);
    }
    let newest = if said.update_notice { update_check::notice(&sessions) } else { None };
    if let Some(notice) = newest {
        outcome.add_message(&notice);
    }
    // Shown only now and then: many users have no use for it.
    if said.rtk && is_shown && workspace.is_some() && session::is_due(&sessions, "rtk") {
        let deadline = Instant::now() + RTK_LIMIT;
        if let Some(hint) = workflow::rtk_hint(places, deadline) {
            session::mark(&sessions, "rtk");
            outcome.add_message(hint);
        }
    }
}

/// The maximum number of names in the note about pending grants.
const LISTED: usize = 8;

/// Names what this agent would run if the user granted it. A public recommendation that was named before, or refused,
/// is not named again.
fn pending_note(said: &SessionPlan, agent: Option<AgentId>, sessions: &Path, is_shown: bool) -> Option<String> {
    let record = |content: &String| sessions.join(format!("{ASKED}{content}"));
    let is_due = |pending: &&PendingGrant| {
        let is_for_agent = pending.agent.is_none() || agent.is_none() || pending.agent == agent;
        is_for_agent && !pending.content.as_ref().is_some_and(|content| disk::is_file(&record(content)))
    };
    let due: Vec<&PendingGrant> = said.pending.iter().filter(is_due).collect();
    // One that is only counted was not named.
    for content in due.iter().take(LISTED).filter(|_| is_shown).filter_map(|pending| pending.content.as_ref()) {
        let _ = disk::append(&record(content), b"");
    }
    let mut names: Vec<String> = due.iter().take(LISTED).map(|pending| pending.title.clone()).collect();
    names.extend((due.len() > LISTED).then(|| format!("{} more", due.len() - LISTED)));
    (!names.is_empty()).then(|| {
        format!(
            "Symposium does not run these plugins, because you have not granted them yet: {}; run `symposium trust` to \
             review them",
            names.join(", ")
        )
    })
}

/// Adds shell code to the file of an agent that reads it before each command.
fn set_up_shell(agent: AgentId, line: &str) {
    let ShellPathChannel::SessionFile(variable) = spec(agent).shell_path else { return };
    let Some(file) = environment::variable(variable).map(PathBuf::from).filter(|file| file.is_absolute()) else {
        return;
    };
    if !file.parent().is_some_and(disk::is_dir) {
        return;
    }
    let known = disk::read(&file, MAX_SEEN).unwrap_or_default();
    if !String::from_utf8_lossy(&known).lines().any(|known| known == line) {
        let start = if known.last().is_some_and(|last| *last != b'\n') { "\n" } else { "" };
        let _ = disk::append(&file, format!("{start}{line}\n").as_bytes());
    }
}

/// Returns the texts for the model. `moved` lists the changes of Cargo.lock since the last session.
fn texts(beginning: &SessionBeginning<'_>, moved: &[String]) -> Vec<String> {
    let SessionBeginning { agent, start, places, said } = *beginning;
    let workspace = places.workspace;
    let mut texts = Vec::new();
    if start == SessionStart::Anew {
        texts.extend(said.texts.iter().cloned());
        if workspace.is_some() && said.pointer == GuidancePointer::Shown {
            texts.push(guidance(agent, said));
        }
        texts.extend(said.rules.iter().cloned());
    }
    texts.extend(moved_text(moved));
    texts
}

fn moved_text(moved: &[String]) -> Option<String> {
    let told = || format!("Cargo.lock changed since the last session, for crates with skills: {}.", moved.join("; "));
    (!moved.is_empty()).then(told)
}

/// Describes the changes of Cargo.lock since the last session, for agents that learn about them without a hook. Each
/// change is reported only once, to the first caller.
pub fn moved_crates(sessions: &Path, workspace: &Path, now: &[LockedVersion]) -> Option<String> {
    moved_text(&moved_since(sessions, workspace, now, &|_| true))
}

/// The most frequent mistakes of agents that write Rust. The text is given here and not only by `symposium start`,
/// since many agents ask the user before they run a command.
const ESSENTIALS: &str = "\
This is a Rust workspace. The most important rules:
- Crate APIs change between versions, and memory mixes them up: the versions in `Cargo.lock` count.
- Before you use a crate, {LOOK}. Read its source instead of guessing names.
- Follow the code beside yours: its error type, logging, module layout and tests.
- `cargo add` takes the newest version of a crate; never type a version from memory. Prefer what the workspace has, and std.
- No `unwrap`, `expect` or indexing on what comes from outside; an error names the path or value it is about.
- Nothing that blocks on an async thread, and no lock held across an `.await`.
- For a bug, write the failing test first. Never weaken a test to make it pass.
- Before you are done: `cargo fmt`, `cargo clippy --all-targets -- -D warnings`, `cargo test`.
`symposium start` prints the whole guidance.";

/// Placeholder in [`ESSENTIALS`] for the advice on what to read before a crate is used.
const LOOK: &str = "{LOOK}";

fn guidance(agent: Option<AgentId>, said: &SessionPlan) -> String {
    let is_known = |skill: &str| said.skills.binary_search_by(|known| known.as_str().cmp(skill)).is_ok();
    let has = |skill: &str| is_known(skill) && said.holders.has(agent, skill);
    let command = "run `symposium crate NAME`, which prints guidance and where its source is";
    let look = if said.skills.iter().any(|skill| has(skill)) {
        format!("load its skill, or {command}")
    } else {
        command.to_owned()
    };
    let essentials = ESSENTIALS.replace(LOOK, &look);
    match index::render(&said.index, said.index_bytes, &has) {
        Some(index) => format!("{essentials}\n{index}"),
        None => essentials,
    }
}

/// Returns all texts that the model of an agent gets when a session starts in a workspace.
pub fn session_text(agent: AgentId, workspace: &Path, said: &SessionPlan) -> String {
    let places = EventPlaces { workspace: Some(workspace), cwd: None, user: &UNKNOWN };
    texts(&SessionBeginning { agent: Some(agent), start: SessionStart::Anew, places, said }, &[]).join("\n\n")
}

/// Returns the index alone, for a model that gets no other text of a session from a hook.
pub fn guidance_index(agent: AgentId, said: &SessionPlan) -> Option<String> {
    if said.pointer == GuidancePointer::Hidden {
        return None;
    }
    let has = |skill: &str| said.holders.has(Some(agent), skill);
    index::render(&said.index, said.index_bytes, &has)
}

/// Returns the index for readers of a file, of whom any may have the skills.
pub fn shared_index(index: &[GuidanceLine], budget: usize) -> Option<String> {
    index::render(index, budget, &|_| true)
}

/// Describes the changes of crates with skills since the last call, and stores the present versions. Only skills for
/// which `has` returns true are named.
fn moved_since(sessions: &Path, workspace: &Path, now: &[LockedVersion], has: &dyn Fn(&str) -> bool) -> Vec<String> {
    let name = format!("{REMEMBERED}{:016x}", hash(workspace.as_os_str().as_encoded_bytes()));
    let file = sessions.join(name);
    let seen = disk::read(&file, MAX_SEEN).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let mut text = String::new();
    for LockedVersion { name, version, skills } in now {
        text.extend([name, " ", version]);
        text.extend(skills.iter().flat_map(|skill| [" ", skill]));
        text.push('\n');
    }
    if seen.as_deref() == Some(&text) {
        return Vec::new();
    }
    let _ = disk::replace(&file, text.as_bytes());
    seen.map(|seen| differences(&seen, &text, has)).unwrap_or_default()
}

#[derive(Default)]
struct KnownCrate<'t> {
    versions: Vec<&'t str>,
    skills: Vec<&'t str>,
}

fn known(text: &str) -> BTreeMap<&str, KnownCrate<'_>> {
    let mut crates: BTreeMap<&str, KnownCrate<'_>> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        let (Some(name), Some(version)) = (words.next(), words.next()) else { continue };
        let known = crates.entry(name).or_default();
        known.versions.push(version);
        known.skills.extend(words);
    }
    crates
}

fn differences(seen: &str, now: &str, has: &dyn Fn(&str) -> bool) -> Vec<String> {
    let (mut before, now) = (known(seen), known(now));
    let mut changes = Vec::new();
    for (name, after) in &now {
        let old = before.remove(name).unwrap_or_default();
        if old.versions == after.versions || (old.skills.is_empty() && after.skills.is_empty()) {
            continue;
        }
        let new = after.versions.join(" and ");
        let moved = match old.versions.join(" and ") {
            nothing if nothing.is_empty() => format!("`{name}` {new} was added"),
            old => format!("`{name}` changed from {old} to {new}"),
        };
        let [earlier, current] = [&old.skills, &after.skills].map(|skills| had(skills, has));
        changes.push(format!("{moved}{}", skills_moved(&earlier, &current)));
    }
    let gone = before.iter().filter(|(_, old)| !old.skills.is_empty());
    changes.extend(gone.map(|(name, old)| format!("`{name}` {} was removed", old.versions.join(" and "))));
    changes
}

fn had<'t>(skills: &[&'t str], has: &dyn Fn(&str) -> bool) -> Vec<&'t str> {
    skills.iter().copied().filter(|skill| has(skill)).collect()
}

fn skills_moved(before: &[&str], after: &[&str]) -> String {
    let only_in = |these: &[&str], others: &[&str]| {
        let mut names: Vec<String> = Vec::new();
        for name in these.iter().filter(|name| !others.contains(name)).map(|name| format!("`{name}`")) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(" and ")
    };
    match (only_in(after, before), only_in(before, after)) {
        (new, old) if new.is_empty() && old.is_empty() => String::new(),
        (new, old) if old.is_empty() => format!(", where skill {new} applies"),
        (new, old) if new.is_empty() => format!(", where skill {old} no longer applies"),
        (new, old) => format!(", where skill {new} applies instead of {old}"),
    }
}

#[cfg(test)]
mod tests {
    use symposium_model::hook::hook_plan::{GuidanceLine, SkillAgents};

    use super::*;

    fn crates(list: &[(&str, &str)]) -> Vec<LockedVersion> {
        let krate = |(name, version): &(&str, &str)| {
            let skills = vec![format!("about-{name}")];
            LockedVersion { name: (*name).to_owned(), version: (*version).to_owned(), skills }
        };
        list.iter().map(krate).collect()
    }

    #[test]
    fn a_grant_that_was_only_counted_is_named_by_the_next_session() {
        let directory = tempfile::tempdir().unwrap();
        let pending = |at: usize| PendingGrant {
            title: format!("`plugin-{at}`"),
            agent: None,
            content: Some(format!("content-{at}")),
        };
        let said = SessionPlan { pending: (0..10).map(pending).collect(), ..SessionPlan::default() };
        let note = || pending_note(&said, None, directory.path(), true);
        let first = note().unwrap_or_default();
        assert!(first.contains("`plugin-7`, 2 more;") && !first.contains("`plugin-8`"), "{first}");
        let second = note().unwrap_or_default();
        assert!(second.contains(": `plugin-8`, `plugin-9`;"), "{second}");
        assert_eq!(note(), None);
    }

    #[test]
    fn changes_of_versions_are_named_with_what_they_mean_for_skills() {
        let before = "anyhow 1.0.1 anyhow\nrand 0.8.5 rand-0-8\nserde 1.0.0 serde\nsqlx 0.8.0 sqlx-0-8 sql\n\
                      tokio 1.38.0 tokio\nlog 0.4.1\naxum 0.7.0 axum-0-7\nquiet 1.0.0\n";
        let now = "anyhow 1.0.1 anyhow\nrand 0.8.5 rand-0-8\nrand 0.9.0 rand-0-9\nsqlx 0.9.0 sql\n\
                   tokio 1.40.0 tokio\nlog 0.4.2\naxum 0.8.0 axum-0-8\nclap 4.0.0 clap\nquiet 2.0.0 loud\n";
        assert_eq!(
            differences(before, now, &|_| true),
            [
                "`axum` changed from 0.7.0 to 0.8.0, where skill `axum-0-8` applies instead of `axum-0-7`",
                "`clap` 4.0.0 was added, where skill `clap` applies",
                "`quiet` changed from 1.0.0 to 2.0.0, where skill `loud` applies",
                "`rand` changed from 0.8.5 to 0.8.5 and 0.9.0, where skill `rand-0-9` applies",
                "`sqlx` changed from 0.8.0 to 0.9.0, where skill `sqlx-0-8` no longer applies",
                "`tokio` changed from 1.38.0 to 1.40.0",
                "`serde` 1.0.0 was removed",
            ]
        );
    }

    #[test]
    fn a_skill_of_several_versions_is_named_once() {
        let before = "sqlx 0.7.0 b a\n";
        let now = "sqlx 0.8.0 sql pool\nsqlx 0.9.0 pool sql\n";
        assert_eq!(
            differences(before, now, &|_| true),
            [
                "`sqlx` changed from 0.7.0 to 0.8.0 and 0.9.0, where skill `sql` and `pool` applies instead of `b` and `a`"
            ]
        );
    }

    #[test]
    fn an_agent_hears_of_no_skill_that_it_does_not_have() {
        let (before, now) = ("rand 0.8.5 rand-0-8\n", "rand 0.9.0 rand-0-9\n");
        assert_eq!(differences(before, now, &|_| false), ["`rand` changed from 0.8.5 to 0.9.0"]);
    }

    #[test]
    fn the_first_session_has_nothing_to_compare_with() {
        let sessions = tempfile::tempdir().unwrap();
        let workspace = Path::new("/w");
        let first = crates(&[("a", "1.0.0")]);
        let moved = |workspace: &Path, now: &[LockedVersion]| moved_since(sessions.path(), workspace, now, &|_| true);
        assert!(moved(workspace, &first).is_empty());
        assert!(moved(workspace, &first).is_empty());
        assert_eq!(moved(workspace, &crates(&[("a", "2.0.0")])).len(), 1);
        assert!(moved(Path::new("/v"), &first).is_empty());
    }

    #[test]
    fn a_resumed_session_hears_only_what_changed() {
        let said = SessionPlan {
            texts: vec!["T".to_owned()],
            skills: (0..14).map(|number| format!("s{number}")).collect(),
            holders: SkillAgents { agents: vec![AgentId::Claude], lacking: Vec::new() },
            crates: crates(&[("a", "1.0.0")]),
            index: vec![GuidanceLine {
                name: "a".to_owned(),
                version: "1.0.0".to_owned(),
                digest: "D".to_owned(),
                skill: "s1".to_owned(),
            }],
            index_bytes: 2000,
            rules: vec!["R".to_owned()],
            notes: vec!["N".to_owned()],
            ..SessionPlan::default()
        };
        let moved = ["`a` moved".to_owned()];
        let workspace = Some(Path::new("/w"));
        let at = |agent, start, workspace, moved: &[String]| {
            let places = EventPlaces { workspace, cwd: None, user: &UNKNOWN };
            texts(&SessionBeginning { agent: Some(agent), start, places, said: &said }, moved)
        };
        let claude = AgentId::Claude;
        assert_eq!(at(claude, SessionStart::Resumed, workspace, &[]), Vec::<String>::new());
        assert_eq!(at(claude, SessionStart::Resumed, workspace, &moved).len(), 1);
        let all = at(claude, SessionStart::Anew, workspace, &moved);
        assert_eq!((all.len(), all[0].as_str(), all[2].as_str()), (4, "T", "R"));
        assert!(all[1].contains("`symposium start`") && all[1].contains("load its skill"), "{}", all[1]);
        assert!(all[1].ends_with("\n- a 1.0.0: D (skill s1)"), "{}", all[1]);
        assert_eq!(at(claude, SessionStart::Anew, None, &[]), ["T", "R"]);
        let other = at(AgentId::Gemini, SessionStart::Anew, workspace, &[]);
        assert!(other[1].ends_with("\n- a 1.0.0: D") && !other[1].contains("load its skill"), "{}", other[1]);
    }
}
