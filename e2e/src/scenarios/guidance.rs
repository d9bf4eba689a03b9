//! Guidance that arrives by itself: the index, the digest at a file or an error, and the gate, for a real crate.

#![expect(clippy::disallowed_methods, reason = "a crate's source is copied from this machine")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Verdict, ensure};
use crate::Outcome;
use crate::agents::{Act, Scope};
use crate::model::Shown;
use crate::world::{Run, World};

/// Recorded output of cargo about [`BROKEN`].
const CHECKED: &str = include_str!("../../../crates/hook/tests/fixtures/rustc/cargo-never.txt");
const BROKEN: &str = include_str!("../../../crates/hook/tests/fixtures/rustc/broken.rs.txt");

const PROMPT: &str = "Greet the gardener.";
const TASK: &str = "Count the pebbles.";

/// The first line of the digest, which is in the index too.
const FIRST_LINE: &str = "A requirement is a `VersionReq`.";
/// The second line, which is only in the digest.
const SECOND_LINE: &str = "Pre-releases match no ordinary requirement.";
/// The end of a refusal.
const REPEAT: &str = "Read this, then repeat the edit.";

const USING: &str = "src/using.rs";
const PLAIN: &str = "src/plain.rs";
const PLAIN_LINE: &str = "//! Nothing yet.";

/// Makes the project depend on the real `semver`, which has a skill of the user's own, and sets the agent up.
fn set_up(world: &World, at_edit: Option<&str>) -> Outcome<()> {
    let version = copy_source(world, "semver")?;
    world.put(
        "project/Cargo.toml",
        "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nsemver = \"1\"\n",
    )?;
    let lock = format!(
        "version = 4\n\n[[package]]\nname = \"semver\"\nversion = \"{version}\"\n\
         source = \"registry+https://github.com/rust-lang/crates.io-index\"\n\n\
         [[package]]\nname = \"shop\"\nversion = \"0.1.0\"\ndependencies = [\"semver\"]\n"
    );
    world.put("project/Cargo.lock", &lock)?;
    let about = "name: semver-guide\ndescription: Advice on versions\ncrates: semver";
    let skill = format!("---\n{about}\ndigest: |\n  {FIRST_LINE}\n  {SECOND_LINE}\n---\n\nThere is more.\n");
    world.put(".symposium/plugins/semver-guide/SKILL.md", &skill)?;
    for (path, text) in [
        (USING, "use semver::Version;\n\npub fn first() -> Version {\n    Version::new(1, 0, 0)\n}\n"),
        (PLAIN, &format!("{PLAIN_LINE}\n")),
        ("src/main.rs", BROKEN),
        ("checked.txt", CHECKED),
        ("check.sh", "cat checked.txt\nexit 101\n"),
    ] {
        world.put(&format!("project/{path}"), text)?;
    }
    if let Some(mode) = at_edit {
        world.put(".symposium/config.toml", &format!("[guidance]\nat-edit = \"{mode}\"\n"))?;
    }
    world.set_up(Scope::User).map(drop)
}

/// Copies the source of a crate that Symposium itself is built with to where cargo would unpack it; its version.
fn copy_source(world: &World, name: &str) -> Outcome<String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lock = fs::read_to_string(own.parent().unwrap_or(own).join("Cargo.lock")).unwrap_or_default();
    let after = lock.split_once(&format!("name = \"{name}\"\nversion = \"")).map(|(_, after)| after);
    let version = after.and_then(|after| after.split('"').next()).ok_or(format!("`{name}` is not in Cargo.lock"))?;
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo = cargo.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let registries = cargo.and_then(|cargo| fs::read_dir(cargo.join("registry/src")).ok()).into_iter().flatten();
    let mut sources = registries.flatten().map(|registry| registry.path().join(format!("{name}-{version}")));
    let source = sources.find(|source| source.join("Cargo.toml").is_file());
    let source = source.ok_or_else(|| format!("the source of {name} {version} is not on this machine"))?;
    let to = format!(".cargo/registry/src/index.crates.io-1949cf8c6b5b557f/{name}-{version}");
    copy_text(world, &source, &to)?;
    Ok(version.to_owned())
}

fn copy_text(world: &World, from: &Path, to: &str) -> Outcome<()> {
    let entries = fs::read_dir(from).map_err(|error| format!("reading `{}`: {error}", from.display()))?;
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            copy_text(world, &path, &format!("{to}/{name}"))?;
        } else if let Ok(text) = fs::read_to_string(&path) {
            world.put(&format!("{to}/{name}"), &text)?;
        }
    }
    Ok(())
}

fn file(world: &World, below: &str) -> String {
    world.path(&format!("project/{below}"))
}

/// How often a text is in each request.
fn counts(run: &Run, text: &str) -> Vec<usize> {
    run.shown.iter().map(|shown| shown.count(text)).collect()
}

/// A text that came after the `number`th act, and only then; absent when it never came.
fn came_once(run: &Run, text: &str, number: usize) -> Outcome<Verdict> {
    let counts = counts(run, text);
    let expected: Vec<usize> = (0..counts.len()).map(|request| usize::from(request >= number)).collect();
    match counts.iter().max() {
        None | Some(0) => Ok(Verdict::Absent("the digest is in no request".to_owned())),
        Some(_) if counts == expected && counts.len() > number => Ok(Verdict::Works),
        Some(_) => Err(format!("the digest is in the requests {counts:?} times instead of {expected:?}")),
    }
}

/// The line of the dependency is in the first request, once.
pub(super) fn index(world: &World) -> Outcome<Verdict> {
    set_up(world, None)?;
    let run = world.run(PROMPT, &[])?;
    let first = run.first()?;
    let line = format!(": {FIRST_LINE} (skill semver-guide)");
    ensure(first.count(SECOND_LINE) == 0, || "the whole digest is in the first request".to_owned())?;
    match first.count(&line) {
        0 => Ok(Verdict::Absent("the line is not in the first request".to_owned())),
        1 => Ok(Verdict::Works),
        more => Err(format!("the line is in the first request {more} times")),
    }
}

/// The requests of a sub-agent, which knows its task and not the prompt.
fn of_sub_agent(run: &Run) -> Vec<&Shown> {
    run.shown.iter().filter(|shown| shown.count(TASK) > 0 && shown.count(PROMPT) == 0).collect()
}

/// The line of the dependency is in the first request of a sub-agent, once.
pub(super) fn index_of_sub_agent(world: &World) -> Outcome<Verdict> {
    if world.agent.name == "pi" {
        return Ok(Verdict::Absent("there are no sub-agents".to_owned()));
    }
    set_up(world, None)?;
    // Some go on beside their sub-agent, and take it with them when they end.
    let run = world.run(PROMPT, &[Act::Delegate(TASK), Act::Shell("sleep 5"), Act::Shell("sleep 5")])?;
    run.first()?;
    let requests = of_sub_agent(&run);
    let first = requests.first().ok_or_else(|| format!("there was no sub-agent: {:.600?}", counts(&run, TASK)))?;
    match first.count(FIRST_LINE) {
        0 => Ok(Verdict::Absent("the line is not in the sub-agent's first request".to_owned())),
        1 => Ok(Verdict::Works),
        more => Err(format!("the line is in the sub-agent's first request {more} times")),
    }
}

/// The digest comes with the first file that names the crate, and with no later one.
pub(super) fn at_read(world: &World) -> Outcome<Verdict> {
    set_up(world, None)?;
    let (plain, using) = (file(world, PLAIN), file(world, USING));
    let run = world.run(PROMPT, &[Act::Read(&plain), Act::Read(&using), Act::Read(&using)])?;
    came_once(&run, SECOND_LINE, 2)
}

const NEW_LINE: &str = "use semver::VersionReq;";

/// The digest comes with the edit that brings the crate into a file.
pub(super) fn at_edit(world: &World) -> Outcome<Verdict> {
    set_up(world, None)?;
    let path = file(world, PLAIN);
    let edit = Act::Edit { path: &path, old: PLAIN_LINE, new: NEW_LINE };
    let again = Act::Edit { path: &path, old: NEW_LINE, new: "use semver::Version;" };
    let run = world.run(PROMPT, &[Act::Read(&path), edit, again])?;
    let text = world.text(&format!("project/{PLAIN}"));
    ensure(text == "use semver::Version;\n", || format!("the file has `{text}`"))?;
    came_once(&run, SECOND_LINE, 2)
}

/// Output of cargo about a wrong name brings the digest and the nearest names, once.
pub(super) fn at_error(world: &World) -> Outcome<Verdict> {
    set_up(world, None)?;
    // Else the first answer may come without them on a busy machine.
    world.symposium("project", &["api", "semver"])?;
    let check = Act::Shell("sh check.sh");
    let run = world.run(PROMPT, &[check, check])?;
    ensure(run.last()?.answered("unresolved import"), || "the model does not read the error".to_owned())?;
    let items = came_once(&run, "Public items nearest to `VersionRequest`: `semver::VersionReq`", 1)?;
    let digest = came_once(&run, SECOND_LINE, 1)?;
    ensure(items == digest, || format!("of digest and items, only one came: {:?}", counts(&run, SECOND_LINE)))?;
    Ok(digest)
}

/// The first edit that names the crate is refused with the digest, the second is carried out.
pub(super) fn gate(world: &World) -> Outcome<Verdict> {
    set_up(world, Some("gate"))?;
    let path = file(world, PLAIN);
    let edit = |new| Act::Edit { path: &path, old: PLAIN_LINE, new };
    let run = world.run(PROMPT, &[Act::Read(&path), edit("use semver::Op;"), edit(NEW_LINE)])?;
    let text = world.text(&format!("project/{PLAIN}"));
    let refused = counts(&run, REPEAT);
    if refused.iter().all(|count| *count == 0) && text == "use semver::Op;\n" {
        return Ok(Verdict::Absent("the first edit is carried out".to_owned()));
    }
    ensure(refused == [0, 0, 1, 1], || format!("the refusal is in the requests {refused:?} times"))?;
    ensure(text == format!("{NEW_LINE}\n"), || format!("after the second edit the file has `{text}`"))?;
    came_once(&run, SECOND_LINE, 2)
}

/// With guidance switched off, neither files nor errors bring any.
pub(super) fn off(world: &World) -> Outcome<Verdict> {
    set_up(world, Some("off"))?;
    let (plain, using) = (file(world, PLAIN), file(world, USING));
    let edit = Act::Edit { path: &plain, old: PLAIN_LINE, new: NEW_LINE };
    let run = world.run(PROMPT, &[Act::Read(&plain), Act::Read(&using), edit, Act::Shell("sh check.sh")])?;
    let last = run.last()?;
    ensure(last.answered("unresolved import"), || "the model does not read the error".to_owned())?;
    let text = world.text(&format!("project/{PLAIN}"));
    ensure(text == format!("{NEW_LINE}\n"), || format!("the file has `{text}`"))?;
    for unwanted in [SECOND_LINE, REPEAT, "Public items nearest"] {
        ensure(last.count(unwanted) == 0, || format!("the model reads `{unwanted}`"))?;
    }
    Ok(Verdict::Works)
}

/// The parts that `symposium context` counts, and the bytes of each.
type ContextParts = Vec<(String, usize)>;

/// What `symposium context` counts is what the first request has, part by part.
pub(super) fn context(world: &World) -> Outcome<Verdict> {
    let about = "name: version-order\ndescription: Advice on order \u{2014} which version is \u{ab}newer\u{bb}";
    let skill = format!("---\n{about}\ncrates: semver\n---\n\nThere is more.\n");
    world.put(".symposium/plugins/version-order/SKILL.md", &skill)?;
    set_up(world, None)?;
    let run = world.run(PROMPT, &[])?;
    let shown = shown_parts(run.first()?);
    let ended = world.symposium("project", &["context", "--json", "--agent", world.agent.name])?;
    let document: Value = serde_json::from_str(&ended.stdout).map_err(|error| format!("`context`: {error}"))?;
    let agent = document.pointer("/agents/0").cloned().unwrap_or_default();
    let rows = agent.get("parts").and_then(Value::as_array).into_iter().flatten();
    let counted: ContextParts = rows
        .filter_map(|row| {
            Some((row.get("what")?.as_str()?.to_owned(), usize::try_from(row.get("bytes")?.as_u64()?).ok()?))
        })
        .collect();
    let sum: usize = counted.iter().map(|(_, bytes)| bytes).sum();
    ensure(agent.get("bytes").and_then(Value::as_u64) == u64::try_from(sum).ok(), || format!("{agent} has no sum"))?;
    ensure(shown.len() == counted.len(), || format!("`context` counts {counted:?}"))?;
    let differing: Vec<&str> = shown
        .iter()
        .zip(&counted)
        .filter(|(shown, counted)| shown != counted)
        .map(|(shown, _)| shown.0.as_str())
        .collect();
    // Other agents put text around a skill, an instruction or a tool that depends on paths and on the API of the model.
    let estimated: &[&str] =
        if world.agent.name == "claude" { &[] } else { &["skills", "MCP instructions", "MCP tools"] };
    ensure(differing.iter().all(|what| estimated.contains(what)), || {
        format!("the model is shown {shown:?}, and `context` counts {counted:?}")
    })?;
    Ok(if differing.is_empty() {
        Verdict::Works
    } else {
        Verdict::WorksBut(format!("these bytes are estimates: {}", differing.join(", ")))
    })
}

/// Cuts our parts out of a request: from the first words of each to its last ones.
fn shown_parts(shown: &Shown) -> ContextParts {
    const HEADER: &str = "The dependencies with guidance:\n";
    const LAST_OF_INDEX: &str = "(skill semver-guide)";
    const LAST_WORDS: &str = "`symposium why`.\n";
    // Where the model searches for tools, the instructions stand in the description of that search.
    let text = format!("{}\n{}", shown.text, shown.definitions);
    let lines =
        |is_ours: &dyn Fn(&str) -> bool| text.split_inclusive('\n').filter(|line| is_ours(line)).map(str::len).sum();
    let skills = lines(&|line| ["- semver-guide: ", "- version-order: "].iter().any(|start| line.starts_with(start)));
    let between = |from: &str, to: &str| {
        let (_, rest) = text.split_once(from)?;
        let (inside, _) = rest.split_once(to)?;
        Some(from.len() + inside.len())
    };
    let index = between(HEADER, LAST_OF_INDEX).map(|bytes| bytes + LAST_OF_INDEX.len());
    let instructions = between("Symposium knows which crates", LAST_WORDS).map(|bytes| bytes + LAST_WORDS.len());
    let tools = lines(&|line| line.starts_with("mcp__symposium__"));
    let parts = [
        ("skills", skills),
        ("session text", between("This is a Rust workspace.", HEADER).unwrap_or_default()),
        ("index", index.unwrap_or_default()),
        ("MCP instructions", instructions.unwrap_or_default()),
        ("MCP tools", tools),
    ];
    parts.map(|(what, bytes)| (what.to_owned(), bytes)).into()
}
