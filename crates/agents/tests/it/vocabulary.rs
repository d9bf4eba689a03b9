//! The book's page about vocabulary is generated from the tables of the program: `UPDATE_EXPECT=1` writes it.

use std::fmt::Write;

use expect_test::expect_file;
use symposium_agents::settings_layout::{MatcherSyntax, SESSION_VARIABLES, TimeUnit, VariableMeaning};
use symposium_agents::{dialect, spec};
use symposium_model::agent::AgentId;
use symposium_model::hook::Event;

#[test]
fn the_book_has_the_words_of_the_program() {
    expect_file!["../../../../book/src/vocabulary.md"].assert_eq(&page());
}

fn page() -> String {
    let mut page = String::from(
        "# Names of events and tools\n\n\
         <!-- Made from the program's own tables by `UPDATE_EXPECT=1 cargo test -p symposium-agents --test it \
         vocabulary`. -->\n\n\
         Hooks, matchers and tool inputs use the same names on every agent. This page lists the names that each agent uses.\n\
         It is generated from the tables by which Symposium translates. `symposium import` reads them in the other direction.\n\n",
    );
    events(&mut page);
    tools(&mut page);
    variables(&mut page);
    writing(&mut page);
    page
}

fn header(page: &mut String, first: &str) {
    let agents: Vec<&str> = AgentId::ALL.iter().map(|agent| agent.name()).collect();
    row(page, first, &agents.iter().map(ToString::to_string).collect::<Vec<_>>());
    writeln!(page, "|---|{}", "---|".repeat(agents.len())).unwrap();
}

fn row(page: &mut String, first: &str, cells: &[String]) {
    writeln!(page, "| {first} | {} |", cells.join(" | ")).unwrap();
}

fn code(words: &[&str]) -> String {
    if words.is_empty() {
        return "–".to_owned();
    }
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn events(page: &mut String) {
    page.push_str("## Events\n\n");
    header(page, "event");
    for event in Event::ALL {
        let cells = AgentId::ALL.map(|agent| {
            let of = dialect(agent);
            let aliases = of.aliases.iter().filter(|(_, meant)| *meant == event).map(|(name, _)| *name);
            code(&of.events.native_name(event).into_iter().chain(aliases).collect::<Vec<_>>())
        });
        row(page, &code(&[event.name()]), &cells);
    }
    let cells = AgentId::ALL.map(|agent| code(dialect(agent).events.tool_failed.as_slice()));
    row(page, "`PostToolUse` with `tool_failed`", &cells);
    page.push_str(
        "\nAn agent without an event of its own for a failed tool either raises its `PostToolUse` for that too, or raises\n\
         nothing.\n\n\
         ### Events of one agent\n\n\
         A hook names these events with the agent in front, as `gemini:BeforeModel`; see [Hooks](hooks.md#events-of-one-agent).\n\n\
         | agent | events of its own | a matcher is tested against |\n|---|---|---|\n",
    );
    for agent in AgentId::ALL {
        let of = dialect(agent);
        let matched: Vec<String> = of
            .own
            .matched
            .iter()
            .map(|(event, key)| match *event {
                "*" => format!("`{key}`"),
                event => format!("`{key}` of `{event}`"),
            })
            .collect();
        let matched = if matched.is_empty() { "nothing".to_owned() } else { matched.join(", ") };
        writeln!(page, "| `{agent}` | {} | {matched} |", code(of.native)).unwrap();
    }
    page.push('\n');
}

fn tools(page: &mut String) {
    let mut names: Vec<&str> = Vec::new();
    for tool in AgentId::ALL.into_iter().flat_map(|agent| dialect(agent).wire.tools) {
        if !names.contains(&tool.canonical) {
            names.push(tool.canonical);
        }
    }
    page.push_str("## Tools\n\n");
    header(page, "tool");
    for name in &names {
        let cells = AgentId::ALL.map(|agent| {
            let mut native: Vec<&str> = Vec::new();
            for tool in dialect(agent).wire.tools.iter().filter(|tool| tool.canonical == *name) {
                native.extend(tool.native.iter().filter(|word| !native.contains(word)).copied().collect::<Vec<_>>());
            }
            code(&native)
        });
        row(page, &code(&[name]), &cells);
    }
    let cells = AgentId::ALL.map(|agent| code(&[&(dialect(agent).wire.mcp.join)("SERVER", "TOOL")]));
    row(page, "`mcp__SERVER__TOOL`", &cells);
    page.push_str(
        "\nA tool that is not in the table keeps the agent's own name. A matcher is tested against the canonical\n\
         name, then against the agent's own. Of several names, the first is the one that the agent uses today; the others are\n\
         older names, or other tools that do the same.\n\n\
         VS Code runs the hooks in the settings of Claude Code and Copilot, but has tools of its own. Symposium translates\n\
         them in the same way. While a hook for `Bash`, `Edit` or `Write` exists, the hook log names every tool that is in no\n\
         version of the table and gets a command or a path.\n\n",
    );
    for agent in AgentId::ALL {
        let mut sentences: Vec<String> = Vec::new();
        for tool in dialect(agent).wire.tools.iter().filter(|tool| !tool.also.is_empty()) {
            let also = code(tool.also);
            sentences.push(format!("A matcher for {also} also matches `{}` of `{agent}`.\n\n", tool.canonical));
        }
        sentences.dedup();
        page.push_str(&sentences.concat());
    }
    page.push_str(
        "\
         Keys of a tool's input that have another name on an agent:\n\n| agent | tool | canonical | its own |\n|---|---|---|---|\n",
    );
    for agent in AgentId::ALL {
        let mut seen: Vec<(&str, &str, &str)> = Vec::new();
        for tool in dialect(agent).wire.tools {
            for (canonical, native) in tool.keys {
                if !seen.contains(&(tool.canonical, canonical, native)) {
                    seen.push((tool.canonical, canonical, native));
                    writeln!(page, "| `{agent}` | `{}` | `{canonical}` | `{native}` |", tool.canonical).unwrap();
                }
            }
        }
    }
    page.push('\n');
}

fn variables(page: &mut String) {
    page.push_str(
        "## Environment variables\n\n\
         A hook finds these variables in its environment. Those in the second column are there for every hook, on every\n\
         agent.\n\n\
         | meaning | everywhere | on one agent |\n|---|---|---|\n",
    );
    let of = |meaning: VariableMeaning| {
        let found = AgentId::ALL.into_iter().flat_map(|agent| {
            let variables = spec(agent).holdings.variables.iter();
            let those = variables.filter(move |(_, means)| *means == meaning);
            those.map(move |(name, _)| format!("`{name}` ({agent})"))
        });
        let found: Vec<String> = found.collect();
        if found.is_empty() { "–".to_owned() } else { found.join(", ") }
    };
    let projects: Vec<String> = AgentId::ALL
        .into_iter()
        .filter_map(|agent| Some(format!("`{}` ({agent})", dialect(agent).project_variable?)))
        .collect();
    let names = SESSION_VARIABLES.map(|name| format!("`{name}`")).join(", ");
    let everywhere = format!("{names}, where the event has a `session_id`");
    for (meaning, everywhere, own) in [
        (
            "the project",
            "`SYMPOSIUM_WORKSPACE`, `CLAUDE_PROJECT_DIR`, `GEMINI_PROJECT_DIR`; for a hook in an agent's format that agent's too",
            projects.join(", "),
        ),
        ("the directory the agent works in", "`PWD`", of(VariableMeaning::WorkingDirectory)),
        ("the plugin's directory", "`SYMPOSIUM_PLUGIN_DIR`", of(VariableMeaning::Plugin)),
        ("the session", everywhere.as_str(), of(VariableMeaning::Session)),
        ("the agent, the event", "`SYMPOSIUM_AGENT`, `SYMPOSIUM_EVENT`", "–".to_owned()),
        ("known to one agent only", "–", of(VariableMeaning::OwnAffair)),
    ] {
        writeln!(page, "| {meaning} | {everywhere} | {own} |").unwrap();
    }
    page.push('\n');
}

fn writing(page: &mut String) {
    page.push_str(
        "## How hooks are written\n\n\
         `symposium import` goes by this table.\n\n\
         | agent | time limit | without one | a matcher is |\n|---|---|---|---|\n",
    );
    for agent in AgentId::ALL {
        let holdings = spec(agent).holdings;
        if holdings.command_keys.is_empty() {
            writeln!(page, "| `{agent}` | – | – | – |").unwrap();
            continue;
        }
        let limits: Vec<String> = holdings
            .timeouts
            .iter()
            .map(|(key, unit)| match unit {
                TimeUnit::Seconds => format!("`{key}`, seconds"),
                TimeUnit::SecondsBelowThousand => format!("`{key}`, seconds; from 1000 on, milliseconds"),
                TimeUnit::Milliseconds => format!("`{key}`, milliseconds"),
            })
            .collect();
        let matcher = match holdings.matching {
            MatcherSyntax::NamesOrPattern => "names, else a regular expression anywhere in the name",
            MatcherSyntax::Pattern => "a regular expression anywhere in the name",
            MatcherSyntax::WholePattern => "a regular expression for the whole name",
            MatcherSyntax::Glob => "a name with `*` and `?`",
        };
        writeln!(page, "| `{agent}` | {} | {} s | {matcher} |", limits.join("; "), holdings.default_timeout).unwrap();
    }
}

/// An imported command keeps the variable of its agent, so every handler has to find it.
#[test]
fn every_variable_for_the_session_is_set_for_every_hook() {
    for agent in AgentId::ALL {
        for (name, meaning) in spec(agent).holdings.variables {
            assert!(*meaning != VariableMeaning::Session || SESSION_VARIABLES.contains(name), "{agent}: {name}");
        }
    }
}
