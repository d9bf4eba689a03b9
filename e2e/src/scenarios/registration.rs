//! Registrations: others' entries beside ours, doing it twice, and taking it back.

use super::hooks::{EVERY_EVENT, ensure_called, put_silent_handlers};
use super::{Verdict, ensure, listed, offers};
use crate::Outcome;
use crate::agents::{Act, Existing, Scope};
use crate::fixture::{SKILL, SKILL_DESCRIPTION};
use crate::probe::PONG;
use crate::world::{Entry, Tree, World};

/// Where the foreign hook writes.
const FOREIGN_LOG: &str = "foreign.log";

const OUR_TOOL: Act = Act::Mcp { server: "symposium", tool: "list" };
const FOREIGN_TOOL: Act = Act::Mcp { server: "probe", tool: "ping" };
const SHELL: Act = Act::Shell("echo quince > shell-ran.txt");

/// What was there before us in the home goes on working.
pub(super) fn foreign_user(world: &World) -> Outcome<Verdict> {
    foreign(world, Scope::User)
}

/// What was there before us in the project goes on working.
pub(super) fn foreign_project(world: &World) -> Outcome<Verdict> {
    foreign(world, Scope::Project)
}

fn foreign(world: &World, scope: Scope) -> Outcome<Verdict> {
    put_existing(world, scope)?;
    put_silent_handlers(world)?;
    world.set_up(scope)?;
    // Cline has no file for the servers of a project.
    let has_server = scope == Scope::User || world.agent.name != "cline";
    let acts = if has_server { &[FOREIGN_TOOL, OUR_TOOL, SHELL][..] } else { &[FOREIGN_TOOL, SHELL] };
    let run = world.run("Try everything", acts)?;
    let last = run.last()?;
    ensure(last.answered(PONG), || format!("the user's MCP server did not answer; results {:.600?}", last.results))?;
    ensure(!has_server || last.answered(SKILL), || {
        format!("our MCP server did not answer; results {:.600?}", last.results)
    })?;
    ensure(shell_ran(world), || "the shell tool did not run".to_owned())?;
    let fired = world.text(FOREIGN_LOG).lines().count();
    ensure(fired == 1, || format!("the user's hook fired {fired} times for one call"))?;
    ensure_called(world, &EVERY_EVENT)?;
    Ok(Verdict::Works)
}

/// Running `init` again writes no byte, in either scope, also when the agent rewrote its own files in between.
pub(super) fn second_init(world: &World) -> Outcome<Verdict> {
    put_existing(world, Scope::User)?;
    world.set_up(Scope::User)?;
    world.set_up(Scope::Project)?;
    init_again(world, "the second `init`")?;
    world.run("What can you do?", &[SHELL])?;
    init_again(world, "`init` after the agent ran")?;
    Ok(Verdict::Works)
}

fn init_again(world: &World, what: &str) -> Outcome<()> {
    for scope in [Scope::User, Scope::Project] {
        let before = without(&world.tree()?, &[LOGS, INDEX, PUBLIC_ITEMS]);
        let said = world.set_up(scope)?;
        same(&before, &without(&world.tree()?, &[LOGS, INDEX, PUBLIC_ITEMS]), what)?;
        ensure(said.stdout.contains("Everything is up to date"), || format!("{what} says: {}", said.stdout))?;
    }
    Ok(())
}

/// Our program is gone, the registration is still there: the agent must not notice.
pub(super) fn missing_binary(world: &World) -> Outcome<Verdict> {
    world.set_up(Scope::User)?;
    world.set_up(Scope::Project)?;
    world.remove(".local/bin/symposium")?;
    let run = world.run("Run something", &[SHELL, Act::Shell("echo sorb")])?;
    ensure(shell_ran(world), || "the shell tool did not run".to_owned())?;
    ensure(run.last()?.answered("sorb"), || {
        format!("the tool's result is {:.600?}", run.last().map(|last| &last.results))
    })?;
    ensure(run.ended.code == Some(0), || format!("the agent ended with {:?}", run.ended.code))?;
    Ok(Verdict::Works)
}

/// Both scopes set up and taken back, beside files of the user in both.
pub(super) fn uninstall_byte_exact(world: &World) -> Outcome<Verdict> {
    put_existing(world, Scope::User)?;
    put_existing(world, Scope::Project)?;
    let before = world.tree()?;
    world.set_up(Scope::User)?;
    world.set_up(Scope::Project)?;
    ensure(world.tree()? != before, || "`init` did nothing".to_owned())?;
    world.symposium("project", &["uninstall", "--yes"])?;
    same(&before, &world.tree()?, "`uninstall`")?;
    Ok(Verdict::Works)
}

/// Taken back after a run in which the agent may have rewritten its files: a second run knows nothing of us.
pub(super) fn uninstall_after_use(world: &World) -> Outcome<Verdict> {
    put_existing(world, Scope::User)?;
    put_silent_handlers(world)?;
    world.set_up(Scope::User)?;
    world.run("Run something", &[SHELL])?;
    ensure_called(world, &EVERY_EVENT)?;
    world.symposium("project", &["uninstall", "--yes"])?;
    let tree = world.tree()?;
    let left: Vec<&String> = tree.keys().filter(|path| is_of_us(path)).collect();
    ensure(left.is_empty(), || format!("`uninstall` left {left:?}"))?;
    let verdict = unknown_but_foreign_works(world, 2)?;
    // Called once more, a handler would be counted twice.
    ensure_called(world, &EVERY_EVENT)?;
    Ok(verdict)
}

/// Whether something is named after us: anything but the program itself, the user's own plugins and what agents log.
fn is_of_us(path: &str) -> bool {
    path.contains("symposium")
        && path != ".symposium/"
        && ![".local/bin/symposium", ".symposium/plugins/", ".cache/"].iter().any(|others| path.starts_with(others))
}

/// The same by dropping the agent from the configuration.
pub(super) fn agent_dropped(world: &World) -> Outcome<Verdict> {
    put_existing(world, Scope::User)?;
    // Somebody whose directories nobody else reads.
    let other = "kiro";
    world.set_up_agents(Scope::User, &[other])?;
    let before = without(&world.tree()?, OWN_STATE);
    world.set_up_agents(Scope::User, &[other, world.agent.name])?;
    ensure(without(&world.tree()?, OWN_STATE) != before, || "`init` with the agent did nothing".to_owned())?;
    world.put(".symposium/config.toml", &format!("[agent]\nname = [\"{other}\"]\n"))?;
    world.symposium("project", &["sync"])?;
    same(&before, &without(&world.tree()?, OWN_STATE), "dropping the agent")?;
    unknown_but_foreign_works(world, 1)
}

/// The agent shows neither our skill nor our server, and the user's hook fires (for the `calls`th time) as before.
fn unknown_but_foreign_works(world: &World, calls: usize) -> Outcome<Verdict> {
    let run = world.run("Run something", &[FOREIGN_TOOL, SHELL])?;
    let first = run.first()?;
    ensure(listed(world, first, SKILL, SKILL_DESCRIPTION) == 0, || "our skill is still listed".to_owned())?;
    ensure(!offers(world, first, &OUR_TOOL), || "our MCP server is still there".to_owned())?;
    ensure(run.last()?.answered(PONG), || "the user's MCP server did not answer".to_owned())?;
    let fired = world.text(FOREIGN_LOG).lines().count();
    ensure(fired == calls, || format!("the user's hook fired {fired} times in all, not {calls}"))?;
    Ok(Verdict::Works)
}

/// A hook and a server of the user's own.
fn put_existing(world: &World, scope: Scope) -> Outcome<()> {
    let hook = format!("echo fired >> '{}'", world.path(FOREIGN_LOG));
    let existing = Existing { hook: &hook, server: &world.path(".local/bin/probe") };
    (world.agent.existing)(scope, &existing).iter().try_for_each(|(path, text)| world.put(path, text))
}

fn shell_ran(world: &World) -> bool {
    world.text("project/shell-ran.txt").contains("quince")
}

/// Every command of ours may leave something here.
const LOGS: &str = ".symposium/logs/";

/// What was found in a source, which is looked at again if it was written a moment ago.
const INDEX: &str = ".symposium/cache/index/";

/// What is found out about dependencies in the background.
const PUBLIC_ITEMS: &str = ".symposium/cache/api/";

/// Where we keep what we know of the agents that are chosen.
const OWN_STATE: &[&str] =
    &[LOGS, ".symposium/lock", ".symposium/ledger.json", ".symposium/cache", ".symposium/config.toml"];

/// What is there, but for these places.
fn without(tree: &Tree, places: &[&str]) -> Tree {
    let others = tree.iter().filter(|(path, _)| !places.iter().any(|place| path.starts_with(place)));
    others.map(|(path, entry)| (path.clone(), entry.clone())).collect()
}

fn same(before: &Tree, after: &Tree, what: &str) -> Outcome<()> {
    let gone = before.keys().filter(|path| !after.contains_key(*path)).map(|path| format!("removed `{path}`"));
    let others = after.iter().filter_map(|(path, entry)| match before.get(path) {
        None => Some(format!("left `{path}`")),
        Some(old) if old != entry => Some(format!("changed `{path}`{}", how(old, entry))),
        Some(_) => None,
    });
    let changes: Vec<String> = gone.chain(others).collect();
    ensure(changes.is_empty(), || format!("{what} {}", changes.join(", ")))
}

fn how(old: &Entry, new: &Entry) -> String {
    match (old, new) {
        (Entry::File { mode: old_mode, bytes: old }, Entry::File { mode: new_mode, bytes: new }) if old == new => {
            format!(" (mode {old_mode:o} became {new_mode:o})")
        }
        (Entry::File { bytes: old, .. }, Entry::File { bytes: new, .. }) => {
            format!(" ({} bytes became {})", old.len(), new.len())
        }
        _ => " (another kind of file)".to_owned(),
    }
}
