use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;

/// Plugin and diagnostics as text.
fn check(text: &str, expected: &Expect) {
    let parsed = parse("p.toml", text, "fallback");
    let mut shown = String::new();
    for diagnostic in &parsed.diagnostics {
        let marked = diagnostic.location.as_ref().map(|at| at.excerpt.get(at.marked.clone()).unwrap().to_owned());
        let help = diagnostic.help.as_deref().unwrap_or_default();
        writeln!(shown, "{}: {diagnostic} [{}] ({help})", diagnostic.severity, marked.unwrap_or_default()).unwrap();
    }
    match parsed.plugin {
        Some(plugin) => writeln!(shown, "{plugin:#?}").unwrap(),
        None => shown.push_str("no plugin\n"),
    }
    expected.assert_eq(&shown);
}

#[test]
fn the_seeds_dialect() {
    check(
        r#"
name = "widgetlib"
session-start-context = "Read the guide."

[[skills]]
crates = ["widgetlib=1.0"]
source.path = "skills/general"

[[skills]]
crates = "widgetlib"
source.git = "https://example.com/w/tree/main/skills"

[[hooks]]
name = "check-widget-usage"
event = "PreToolUse"
matcher = "Bash"
command = "./scripts/check-widget.sh"
"#,
        &expect![[r#"
            Plugin {
                name: "widgetlib",
                conditions: Conditions {
                    crates: [],
                    predicates: [],
                },
                session_start_context: Some(
                    "Read the guide.",
                ),
                skills: [
                    SkillGroup {
                        conditions: Conditions {
                            crates: [
                                `widgetlib=1.0`,
                            ],
                            predicates: [],
                        },
                        source: Path(
                            "skills/general",
                        ),
                        place: 115..131,
                    },
                    SkillGroup {
                        conditions: Conditions {
                            crates: [
                                `widgetlib`,
                            ],
                            predicates: [],
                        },
                        source: Git(
                            "https://example.com/w/tree/main/skills",
                        ),
                        place: 178..218,
                    },
                ],
                hooks: [
                    Hook {
                        name: "check-widget-usage",
                        description: None,
                        event: Canonical(
                            PreToolUse,
                        ),
                        matcher: Exact(
                            [
                                "Bash",
                            ],
                        ),
                        command: Line {
                            line: "./scripts/check-widget.sh",
                            args: [],
                        },
                        conditions: Conditions {
                            crates: [],
                            predicates: [],
                        },
                        agent: None,
                        format: Symposium,
                        timeout: None,
                        order: Normal,
                        on_failure: Allow,
                        requirements: [],
                        imported_command: None,
                        tests: [],
                        place: 220..229,
                        places: HookPlaces {
                            event: 266..278,
                            matcher: 289..295,
                            command: 306..333,
                        },
                    },
                ],
                mcp_servers: [],
                installations: [],
                plugins: [],
                default_skills: Used,
                imported_from: None,
            }
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "what is expected is long, not the code")]
fn the_later_dialect() {
    check(
        r#"
where.crates = ["rtk"]
predicates = ["path_exists(.git)", "shell(true)"]

[[installations]]
name = "rtk"
source = "cargo"
crate = "rtk"
git = "https://example.com/rtk"
executable = "rtk"

[[hooks]]
name = "rewrite"
event = "pre-tool-use"
agent = "claude-code"
format = "claude"
requirements = ["rtk"]
command = "rtk"
args = ["rewrite"]
timeout = 5
order = "rewrite"
on-failure = "block"

[[hooks]]
name = "inline"
event = "gemini:BeforeModel"
command = { script = "scripts/check.sh", args = ["--strict"] }

[[mcp_servers]]
name = "tool"
command = "/usr/local/bin/tool"
args = ["--stdio"]
env = [{ name = "A", value = "b" }]

[[mcp_servers]]
name = "remote"
type = "http"
url = "http://localhost:8080/mcp"
headers = { X = "y" }

[[plugins]]
depends-on = ["serde"]
source.cargo = "serde"

[subcommand.x]
command = "y"
"#,
        &expect![[r#"
            warning: p.toml:1:1: This manifest has no name; its directory or file name `fallback` is used [] (add `name = "fallback"`)
            warning: p.toml:3:36: `shell(…)` is not supported, so this condition never holds ["shell(true)"] (Symposium runs no programs for conditions; use `path_exists` or `env`)
            warning: p.toml:45:2: `subcommand` is not supported: plugins do not add commands [subcommand] (nothing else in this file is affected)
            Plugin {
                name: "fallback",
                conditions: Conditions {
                    crates: [
                        `rtk`,
                    ],
                    predicates: [
                        PathExists(
                            ".git",
                        ),
                        Unsupported {
                            name: "shell",
                            argument: "true",
                        },
                    ],
                },
                session_start_context: None,
                skills: [],
                hooks: [
                    Hook {
                        name: "rewrite",
                        description: None,
                        event: Canonical(
                            PreToolUse,
                        ),
                        matcher: All,
                        command: Installed {
                            installation: "rtk",
                            program: None,
                            args: [
                                "rewrite",
                            ],
                        },
                        conditions: Conditions {
                            crates: [],
                            predicates: [],
                        },
                        agent: Some(
                            Claude,
                        ),
                        format: Agent(
                            Claude,
                        ),
                        timeout: Some(
                            5,
                        ),
                        order: Rewrite,
                        on_failure: Block,
                        requirements: [
                            "rtk",
                        ],
                        imported_command: None,
                        tests: [],
                        place: 189..198,
                        places: HookPlaces {
                            event: 224..238,
                            matcher: 189..198,
                            command: 312..317,
                        },
                    },
                    Hook {
                        name: "inline",
                        description: None,
                        event: Native {
                            agent: Gemini,
                            event: "BeforeModel",
                        },
                        matcher: All,
                        command: Installed {
                            installation: "inline",
                            program: None,
                            args: [],
                        },
                        conditions: Conditions {
                            crates: [],
                            predicates: [],
                        },
                        agent: None,
                        format: Symposium,
                        timeout: None,
                        order: Normal,
                        on_failure: Allow,
                        requirements: [],
                        imported_command: None,
                        tests: [],
                        place: 389..398,
                        places: HookPlaces {
                            event: 423..443,
                            matcher: 389..398,
                            command: 454..506,
                        },
                    },
                ],
                mcp_servers: [
                    McpServer {
                        name: "tool",
                        conditions: Conditions {
                            crates: [],
                            predicates: [],
                        },
                        transport: Stdio {
                            command: "/usr/local/bin/tool",
                            args: [
                                "--stdio",
                            ],
                            env: [
                                (
                                    "A",
                                    "b",
                                ),
                            ],
                        },
                    },
                    McpServer {
                        name: "remote",
                        conditions: Conditions {
                            crates: [],
                            predicates: [],
                        },
                        transport: Http {
                            url: "http://localhost:8080/mcp",
                            headers: [
                                (
                                    "X",
                                    "y",
                                ),
                            ],
                        },
                    },
                ],
                installations: [
                    Installation {
                        name: "rtk",
                        source: Cargo {
                            package: "rtk",
                            version: None,
                            git: Some(
                                "https://example.com/rtk",
                            ),
                            global: false,
                        },
                        program: Some(
                            Executable(
                                "rtk",
                            ),
                        ),
                        args: [],
                        install_commands: [],
                        requirements: [],
                    },
                    Installation {
                        name: "inline",
                        source: None,
                        program: Some(
                            Script(
                                "scripts/check.sh",
                            ),
                        ),
                        args: [
                            "--strict",
                        ],
                        install_commands: [],
                        requirements: [],
                    },
                ],
                plugins: [
                    PluginReference {
                        source: Crate {
                            name: "serde",
                            version: None,
                        },
                        conditions: Conditions {
                            crates: [
                                `serde`,
                            ],
                            predicates: [],
                        },
                        place: 729..740,
                    },
                ],
                default_skills: Used,
                imported_from: None,
            }
        "#]],
    );
}

#[test]
fn one_bad_entry_does_not_hide_its_neighbours() {
    check(
        r#"
name = "p"
colour = "red"
hoaks = ["serde"]

[[skills]]
crates = ["serde>="]
source.path = "a"

[[skills]]
source.path = "b"

[[hooks]]
name = 5
event = "PreToolUze"
command = "x"

[[hooks]]
name = "good"
event = "Stop"
command = "x"

[[hooks]]
event = "Stop"
matcher = "a("
timeout = 900
"#,
        &expect![[r#"
            warning: p.toml:3:1: Unknown key `colour` [colour] (known here: advice-for, authors, crates, defaults, depends-on, depends_on, description, homepage, hooks, imported-from, installations, license, mcp_servers, name, plugins, predicates, repository, session-start-context, skills, version, where)
            warning: p.toml:4:1: Unknown key `hoaks` [hoaks] (did you mean `hooks`?)
            error: p.toml:7:17: The version is missing in `>=` [>=] (write a version after the operator, such as `>=1.40` or `=1.0`)
            error: p.toml:14:8: `name` in `[[hooks]]` must be a string, not a number [5] (put it in double quotes)
            error: p.toml:15:9: Unknown event `PreToolUze` ["PreToolUze"] (did you mean `PreToolUse`?)
            error: p.toml:23:1: This hook has no command [[[hooks]]] (add `command = "./scripts/check.sh"`)
            error: p.toml:25:11: Matcher `a(` is not a regular expression: found open group without closing ')' ["a("] (escape special characters, or list plain names as `Bash|Edit`)
            error: p.toml:26:11: A timeout of 900 seconds is not possible [900] (use 1 to 50 seconds)
            Plugin {
                name: "p",
                conditions: Conditions {
                    crates: [],
                    predicates: [],
                },
                session_start_context: None,
                skills: [
                    SkillGroup {
                        conditions: Conditions {
                            crates: [],
                            predicates: [],
                        },
                        source: Path(
                            "b",
                        ),
                        place: 122..125,
                    },
                ],
                hooks: [
                    Hook {
                        name: "good",
                        description: None,
                        event: Canonical(
                            Stop,
                        ),
                        matcher: All,
                        command: Line {
                            line: "x",
                            args: [],
                        },
                        conditions: Conditions {
                            crates: [],
                            predicates: [],
                        },
                        agent: None,
                        format: Symposium,
                        timeout: None,
                        order: Normal,
                        on_failure: Allow,
                        requirements: [],
                        imported_command: None,
                        tests: [],
                        place: 182..191,
                        places: HookPlaces {
                            event: 214..220,
                            matcher: 182..191,
                            command: 231..234,
                        },
                    },
                ],
                mcp_servers: [],
                installations: [],
                plugins: [],
                default_skills: Refused,
                imported_from: None,
            }
        "#]],
    );
}

#[test]
fn a_plugin_whose_condition_is_broken_applies_nowhere() {
    check(
        "name = \"p\"\ncrates = 5\n",
        &expect![[r#"
        error: p.toml:2:10: `crates` must be a string or an array of strings, not a number [5] (write `["…"]`)
        no plugin
    "#]],
    );
    check(
        "name = \"../p\"\n",
        &expect![[r#"
        error: p.toml:1:8: `../p` is not a valid plugin name ["../p"] (use letters, digits, `-`, `_` and `.`, at most 64, starting with a letter or digit)
        no plugin
    "#]],
    );
}

#[test]
fn text_that_is_not_toml_is_reported_with_every_place() {
    check(
        "name = p\n[[skills]\nx = \"\n",
        &expect![[r#"
            error: p.toml:1:8: Not valid TOML: string values must be quoted, expected literal string [p] (put text in double quotes)
            error: p.toml:2:10: Not valid TOML: unclosed array table, expected `]` [] (correct the syntax here)
            no plugin
        "#]],
    );
    check(
        "",
        &expect![[r#"
            warning: p.toml:1:1: This manifest has no name; its directory or file name `fallback` is used [] (add `name = "fallback"`)
            Plugin {
                name: "fallback",
                conditions: Conditions {
                    crates: [],
                    predicates: [],
                },
                session_start_context: None,
                skills: [],
                hooks: [],
                mcp_servers: [],
                installations: [],
                plugins: [],
                default_skills: Used,
                imported_from: None,
            }
        "#]],
    );
}

/// Returns the diagnostics, and the names of the valid hooks.
fn check_hooks(text: &str, expected: &Expect) {
    let parsed = parse("p.toml", text, "fallback");
    let mut shown = String::new();
    for found in &parsed.diagnostics {
        writeln!(shown, "{}: {found} ({})", found.severity, found.help.as_deref().unwrap_or_default()).unwrap();
    }
    let hooks: Vec<String> = parsed.plugin.unwrap().hooks.into_iter().map(|hook| hook.name).collect();
    writeln!(shown, "hooks: {hooks:?}").unwrap();
    expected.assert_eq(&shown);
}

#[test]
fn a_native_event_needs_a_name() {
    check_hooks(
        "name = \"p\"\n[[hooks]]\nname = \"a\"\nevent = \"gemini:\"\ncommand = \"x\"\n\
         [[hooks]]\nname = \"b\"\nevent = \"gemini:Before\\u001bModel\"\ncommand = \"x\"\n",
        &expect![[r#"
            error: p.toml:4:9: `gemini:` does not name an event of gemini (write the agent's name for the event, as in `gemini:BeforeModel`)
            error: p.toml:8:9: `gemini:Before\u{1b}Model` does not name an event of gemini (write the agent's name for the event, as in `gemini:BeforeModel`)
            hooks: []
        "#]],
    );
}

#[test]
fn two_hooks_of_one_name_are_reported_at_the_second() {
    let hook = "[[hooks]]\nname = \"a\"\nevent = \"Stop\"\ncommand = \"x\"\n";
    check_hooks(
        &format!("name = \"p\"\n{hook}\n{hook}"),
        &expect![[r#"
            warning: p.toml:7:1: Two hooks are named `a` (give each a unique name, so that one can be switched off)
            hooks: ["a", "a"]
        "#]],
    );
}

#[test]
fn a_server_called_like_ours_is_reported() {
    let server = |name: &str| format!("[[mcp_servers]]\nname = \"{name}\"\ncommand = \"x\"\n");
    let parsed = parse("p.toml", &format!("name = \"p\"\n{}{}", server("symposium"), server("other")), "fallback");
    let [found] = parsed.diagnostics.as_slice() else { panic!("{:?}", parsed.diagnostics) };
    assert!(found.to_string().starts_with("p.toml:3:"), "{found}");
}

#[test]
fn a_predicate_with_a_slip_is_kept_and_answered_with_the_one_that_was_meant() {
    for (written, help) in
        [("dependson(serde)", "did you mean `depends-on`?"), ("path_exist(x)", "did you mean `path_exists`?")]
    {
        let parsed = parse("p.toml", &format!("name = \"p\"\npredicates = [\"{written}\"]\n"), "fallback");
        assert_eq!(parsed.diagnostics[0].help.as_deref(), Some(help));
        let predicates = parsed.plugin.unwrap().conditions.predicates;
        assert!(predicates[0].unsupported().is_some(), "{predicates:?}");
    }
}

#[test]
fn a_name_taken_from_the_place_is_one_a_plugin_may_have() {
    for (place, name) in [
        ("serde_json", Some("serde_json")),
        ("a.b-", Some("a.b-")),
        ("my plugin", Some("my-plugin")),
        ("a\u{1b}[31mb", Some("a-31mb")),
        ("x\u{7}", Some("x")),
        ("-x-", Some("x")),
        ("größe", Some("gr-e")),
        (&"long".repeat(40), Some("long".repeat(16).as_str())),
        ("\u{1b}", None),
        ("", None),
    ] {
        let parsed = parse("p.toml", "", place);
        assert_eq!(parsed.plugin.map(|plugin| plugin.name).as_deref(), name, "{place:?}");
        let [found] = parsed.diagnostics.as_slice() else { panic!("{:?}", parsed.diagnostics) };
        let help = found.help.as_deref().unwrap();
        assert!(help.starts_with("add `name = "), "{help}");
        assert!(!format!("{found}{help}").contains(char::is_control), "{found}");
    }
}
