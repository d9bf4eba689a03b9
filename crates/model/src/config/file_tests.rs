use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;
use crate::config::Settings;

fn diagnostics(text: &str, scope: Scope, expected: &Expect) {
    let mut shown = String::new();
    for found in parse("config.toml", text, scope).diagnostics {
        writeln!(shown, "{}: {found} ({})", found.severity, found.help.as_deref().unwrap_or_default()).unwrap();
    }
    expected.assert_eq(&shown);
}

const USER: &str = r#"
[agent]
name = "claude-code"
sync-default = false

[logging]
level = "debug"

[[plugin-source]]
name = "my-org"
git = "https://example.com/plugins"

[[registry]]
name = "local-dev"
path = "~/my-plugins"

[defaults]
symposium-recommendations = false

[trust]
projects = "never"

[plugins]
auto-enable = ["axum"]
"#;

const PROJECT: &str = r#"
self-contained = false
required-version = ">=0.1"

[agent]
name = ["gemini", "claude"]

[defaults]
symposium-recommendations = true

[[plugin-source]]
name = "local"
path = "plugins"

[skills]
tokio = true
serde = false
"rand/rand-0-8" = false

[workflows]
rtk = true
"#;

#[test]
#[expect(clippy::too_many_lines, reason = "what is expected is long, not the code")]
fn every_setting_knows_where_it_comes_from() {
    let user = parse("u", USER, Scope::User);
    let project = parse("p", PROJECT, Scope::Project);
    assert_eq!((user.diagnostics, project.diagnostics), (vec![], vec![]));
    let settings = Settings::resolve(&user.file, &project.file);
    expect![[r#"
        Settings {
            agents: Setting {
                value: [
                    Gemini,
                    Claude,
                ],
                origin: Project(
                    6,
                ),
            },
            sync_default: Setting {
                value: false,
                origin: User(
                    4,
                ),
            },
            auto_sync: Setting {
                value: true,
                origin: Default,
            },
            self_contained: Setting {
                value: false,
                origin: Project(
                    2,
                ),
            },
            required_version: Setting {
                value: Some(
                    ">=0.1",
                ),
                origin: Project(
                    3,
                ),
            },
            log_level: Setting {
                value: Debug,
                origin: User(
                    7,
                ),
            },
            builtin: Setting {
                value: true,
                origin: Default,
            },
            recommendations: Setting {
                value: false,
                origin: User(
                    18,
                ),
            },
            user_plugins: Setting {
                value: true,
                origin: Default,
            },
            transitive: Setting {
                value: false,
                origin: Default,
            },
            nudge_interval: Setting {
                value: 5,
                origin: Default,
            },
            install_commit: Setting {
                value: false,
                origin: Default,
            },
            update_notice: Setting {
                value: true,
                origin: Default,
            },
            rtk_exclude: Setting {
                value: [],
                origin: Default,
            },
            opencode_hooks: Setting {
                value: true,
                origin: Default,
            },
            kiro_standalone_hooks: Setting {
                value: false,
                origin: Default,
            },
            trust_projects: Setting {
                value: Never,
                origin: User(
                    21,
                ),
            },
            trust_allow_text: Setting {
                value: [],
                origin: Default,
            },
            auto_enable: Setting {
                value: Only(
                    [
                        "axum",
                    ],
                ),
                origin: User(
                    24,
                ),
            },
            sources: [
                Setting {
                    value: SourceEntry {
                        name: "my-org",
                        location: Git {
                            url: "https://example.com/plugins",
                            auto_update: true,
                        },
                    },
                    origin: User(
                        10,
                    ),
                },
                Setting {
                    value: SourceEntry {
                        name: "local-dev",
                        location: Path(
                            "~/my-plugins",
                        ),
                    },
                    origin: User(
                        14,
                    ),
                },
                Setting {
                    value: SourceEntry {
                        name: "local",
                        location: Path(
                            "plugins",
                        ),
                    },
                    origin: Project(
                        12,
                    ),
                },
            ],
            skills: [
                Toggle {
                    key: "tokio",
                    on: true,
                    line: 16,
                },
                Toggle {
                    key: "serde",
                    on: false,
                    line: 17,
                },
                Toggle {
                    key: "rand/rand-0-8",
                    on: false,
                    line: 18,
                },
            ],
            workflows: [
                Toggle {
                    key: "rtk",
                    on: true,
                    line: 21,
                },
            ],
        }
    "#]]
    .assert_debug_eq(&settings);
}

#[test]
fn a_self_contained_project_does_without_the_users_sources() {
    let user = parse("u", USER, Scope::User);
    let project = parse("p", "[agent]\nself-contained = true\n", Scope::Project);
    let settings = Settings::resolve(&user.file, &project.file);
    assert_eq!(settings.sources, vec![]);
    assert!(settings.recommendations.value);
    assert_eq!(settings.agents.value, vec![AgentId::Claude]);
}

#[test]
fn surprises_are_named_with_their_place_and_fix() {
    diagnostics(
        "[agent]\nname = [\"claude\", \"claud\", \"emacs\"]\nautosync = true\n\n[loging]\n[logging]\nlevel = \"loud\"\n\
         [[plugin-source]]\nname = \"a\"\n[[plugin-source]]\npath = \"x\"\n[hooks]\nnudge-interval = -1\n\
         [skills]\nserde = true\n[matching]\ntransitive = \"yes\"\n",
        Scope::User,
        &expect![[r#"
            warning: config.toml:2:19: Unknown agent `claud` (did you mean `claude`?)
            warning: config.toml:2:28: Unknown agent `emacs` (known: claude, copilot, gemini, codex, kiro, opencode, goose, cursor)
            warning: config.toml:3:1: Unknown key `autosync` in `[agent]` (did you mean `auto-sync`?)
            warning: config.toml:5:2: Unknown key `loging` (did you mean `logging`?)
            error: config.toml:7:9: `level` cannot be `loud` (use one of trace, debug, info, warn, error)
            error: config.toml:8:1: Source `a` has neither `path` nor `git` (add `path = "…"` or `git = "…"`)
            error: config.toml:10:1: This source has no name (add `name = "…"`)
            error: config.toml:13:18: `nudge-interval` in `[hooks]` is out of range: `-1` (use a whole number of zero or more)
            warning: config.toml:14:1: `skills` has no effect in the user config (move it to the project's `.symposium/config.toml`)
            error: config.toml:17:14: `transitive` in `[matching]` must be true or false, not a string (write `true` or `false` without quotes)
        "#]],
    );
    diagnostics(
        "required-version = \"new\"\n[trust]\nprojects = \"ask\"\n[skills]\nserde = \"on\"\ntokio = false\n",
        Scope::Project,
        &expect![[r#"
            error: config.toml:1:20: `new` is not a version requirement: unexpected character 'n' while parsing major version number (write it as `">=0.3"`)
            warning: config.toml:2:1: `projects = "ask"` has no effect in a project: only the user decides on it (move it to your user config (`symposium config path`))
            error: config.toml:5:9: `serde` in `[skills]` must be true or false, not a string (write `true` or `false` without quotes)
        "#]],
    );
}

#[test]
fn a_file_that_is_not_toml_is_broken_as_a_whole() {
    let parsed = parse("c", "[agent\nname = 1", Scope::User);
    assert!(parsed.is_broken());
    assert_eq!(parsed.file, ConfigFile::default());
}

#[test]
fn agents_may_be_listed_as_entries() {
    let parsed = parse("c", "[[agent]]\nname = \"codex\"\n[[agent]]\nname = \"goose\"\n", Scope::User);
    assert_eq!(parsed.diagnostics, vec![]);
    assert_eq!(parsed.file.agents.unwrap().value, vec![AgentId::Codex, AgentId::Goose]);
}

#[test]
fn a_project_can_only_tighten_what_the_user_trusts() {
    use crate::config::{Origin, Settings, TrustProjects};
    let read = |text: &str, scope| parse("config.toml", text, scope).file;
    let (ask, never) = ("[trust]\nprojects = \"ask\"\n", "[trust]\nprojects = \"never\"\n");
    for (user, project, value, origin) in [
        ("", "", TrustProjects::Ask, Origin::Default),
        (ask, ask, TrustProjects::Ask, Origin::User(2)),
        ("", never, TrustProjects::Never, Origin::Project(2)),
        (ask, never, TrustProjects::Never, Origin::Project(2)),
        (never, ask, TrustProjects::Never, Origin::User(2)),
        (never, "", TrustProjects::Never, Origin::User(2)),
    ] {
        let settings = Settings::resolve(&read(user, Scope::User), &read(project, Scope::Project));
        assert_eq!(
            (settings.trust_projects.value, settings.trust_projects.origin),
            (value, origin),
            "{user}|{project}"
        );
    }
    let project = read("[trust]\nallow-text = [\"x\"]\n[plugins]\nauto-enable = true\n", Scope::Project);
    assert_eq!((project.trust_allow_text, project.auto_enable), (None, None));
}
