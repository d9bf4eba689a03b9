//! The first five minutes: set up with the offer of `init` accepted, a first prompt, and the use that `status` shows. Parts
//! of the requests of Claude Code are recorded for the picture in the README.

#![expect(clippy::disallowed_methods, reason = "what is recorded is a file of the repository")]

use std::path::Path;

use super::cargo::{keep_rules, put_profile};
use super::{Verdict, ensure, skill_file};
use crate::Outcome;
use crate::agents::Act;
use crate::world::{Run, World};

const PROMPT: &str = "Roll a die with rand.";
const SKILL: &str = "rand-0-10";
/// The first line of the digest, which is in the index.
const INDEX_LINE: &str = "- rand 0.10.3: Methods such as `random_range` need `use rand::RngExt`";
/// A line that only the whole digest has.
const DIGEST_LINE: &str = "`thread_rng()` → `rng()`";
/// A line that only the whole skill has.
const SKILL_LINE: &str = "Nearly every example you remember is for 0.8 or 0.9";

/// The project of the picture, whose code calls an older version.
const PROJECT: [(&str, &str); 3] = [
    ("project/Cargo.toml", include_str!("../../../book/src/recorded/Cargo.toml.txt")),
    ("project/Cargo.lock", include_str!("../../../book/src/recorded/Cargo.lock.txt")),
    ("project/src/main.rs", include_str!("../../../book/src/recorded/main.rs.txt")),
];

/// Nothing is asked, the trap of the locked version is in the first request, and the use is counted.
pub(super) fn without_questions(world: &World) -> Outcome<Verdict> {
    for (path, text) in PROJECT {
        world.put(path, text)?;
    }
    put_profile(world)?;
    let set_up = world.symposium("project", &["init", "--yes", "--allow", "--agent", world.agent.name])?;
    // Only for these two Symposium has rules to add. The others run as in every scenario, without their questions.
    if matches!(world.agent.name, "claude" | "gemini") {
        world.change_start(keep_rules);
    }
    let (file, code) = (skill_file(world, SKILL), world.path("project/src/main.rs"));
    let acts = [
        Act::Read(&code),
        Act::Skill { name: SKILL, file: &file },
        Act::Shell("symposium crate rand"),
        Act::Mcp { server: "symposium", tool: "list" },
    ];
    let run = world.run(PROMPT, &acts)?;
    let first = run.first()?;
    if first.count(INDEX_LINE) == 0 {
        return Ok(Verdict::Absent("the line about rand is not in the first request".to_owned()));
    }
    ensure(!first.mentions(SKILL_LINE), || "the whole skill is in the first request".to_owned())?;
    let last = run.last()?;
    let results = last.results.join("\n---\n");
    ensure(last.text.contains(SKILL_LINE), || format!("the skill did not arrive: {results:.900}"))?;
    // The command and the tool both name the locked version.
    let answers = last.results.iter().filter(|result| result.contains("0.10.3")).count();
    ensure(answers >= 2, || format!("not every call was answered: {results:.1500}"))?;
    let status = world.symposium("project", &["status"])?.stdout;
    let row = status.lines().find(|line| line.starts_with(SKILL)).unwrap_or_default();
    ensure(row.contains("x, "), || format!("the use is not counted: {status}"))?;
    if world.agent.name == "claude" {
        let set_up = set_up.stdout.replace(&world.path(""), "~/");
        record(world, &run, &format!("$ symposium init --yes --allow --agent claude\n{set_up}"), &status)?;
    }
    Ok(Verdict::Works)
}

/// Compares the texts that the model was shown with those of the picture, or writes them down.
fn record(world: &World, run: &Run, set_up: &str, status: &str) -> Outcome<()> {
    let requests: Vec<&str> = run.shown.iter().map(|shown| shown.text.as_str()).collect();
    let index = part(requests.first().copied().unwrap_or_default(), "The dependencies with guidance:");
    let second = requests.get(1).copied().unwrap_or_default();
    let digest_start = second.find(DIGEST_LINE).and_then(|at| second.get(..at)).unwrap_or_default();
    let digest_start = digest_start.trim_end().rfind('\n').map_or(0, |at| at + 1);
    let digest = part(second.get(digest_start..).unwrap_or_default(), "rand 0.10.3");
    ensure(digest.contains(DIGEST_LINE), || format!("the digest did not come with the file: {digest}"))?;
    // How long ago it was is different each time.
    let row = status.lines().find(|line| line.starts_with(SKILL)).unwrap_or_default();
    let used = row.split("x, ").next().unwrap_or_default();
    let head = status.lines().next().unwrap_or_default();
    let whole = format!(
        "{set_up}\n$ claude -p \"{PROMPT}\"\n\nIts first request has:\n\n{index}\nThe request after it read src/main.rs \
         has:\n\n{digest}\nIt loads the skill, runs `symposium crate rand` and calls the MCP tool `list`: no question.\n\n\
         $ symposium status\n{head}\n{used}x, …\n"
    );
    for (name, text) in [("first-request.txt", &index), ("after-reading.txt", &digest), ("first-minutes.txt", &whole)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../book/src/recorded").join(name);
        if world.records {
            std::fs::write(&path, text).map_err(|error| format!("writing `{}`: {error}", path.display()))?;
        }
        let recorded = std::fs::read_to_string(&path).unwrap_or_default();
        ensure(recorded == *text, || {
            format!("book/src/recorded/{name} is another; `--record-tools` writes it anew:\n{text}")
        })?;
    }
    Ok(())
}

/// Returns the lines from the one that has `start` to an empty one.
fn part(text: &str, start: &str) -> String {
    let from = text.find(start).and_then(|at| text.get(at..)).unwrap_or_default();
    let lines = from.lines().take_while(|line| !line.trim().is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}
