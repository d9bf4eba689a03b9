//! The tool `api`: the public items of the locked version, as the command prints them.

use serde_json::json;

use super::{Verdict, ensure};
use crate::Outcome;
use crate::agents::{Act, Scope};
use crate::model::{ToolCall, Turn};
use crate::world::World;

/// Where cargo keeps the source of the locked version.
const SOURCE: &str = ".cargo/registry/src/index.crates.io-1949cf8c6b5b557f/widget-1.2.3";

const CODE: &str = "//! Widgets of all kinds.\n\n/// Turns a widget by quarters.\npub fn turn_widget(quarters: u8) {}\n\n\
                    /// A widget that glows.\npub struct GlowWorm {\n    /// In lumen.\n    pub brightness: u32,\n}\n";

/// Asked for a crate, and for words, the model gets exactly the lines that the command prints.
pub(super) fn called(world: &World) -> Outcome<Verdict> {
    let manifest = "[package]\nname = \"widget\"\nversion = \"1.2.3\"\nedition = \"2021\"\n";
    world.put(&format!("{SOURCE}/Cargo.toml"), manifest)?;
    world.put(&format!("{SOURCE}/src/lib.rs"), CODE)?;
    world.set_up(Scope::User)?;
    let queries = ["widget", "widget brightness"];
    let turns = queries.map(|query| {
        let call = (world.agent.call)(&Act::Mcp { server: "symposium", tool: "api" });
        Turn::Call(ToolCall { arguments: json!({ "query": query }), ..call })
    });
    let run = world.run_script("project/inner", "What does `widget` have?", turns.into())?;
    let results = &run.last()?.results;
    for query in queries {
        let printed = world.symposium("project", &["api", query])?.stdout;
        ensure(printed.contains("GlowWorm") && results.iter().any(|result| has_lines(result, &printed)), || {
            format!("asked for `{query}`, the tool did not answer `{printed:.200}` but: {results:.600?}")
        })?;
    }
    Ok(Verdict::Works)
}

/// Whether an answer has these lines one after another: agents put words of their own around it, and some quote it.
fn has_lines(answer: &str, printed: &str) -> bool {
    let quoted = json!(printed.trim_end()).to_string();
    answer.contains(printed.trim_end()) || answer.contains(quoted.trim_matches('"'))
}
