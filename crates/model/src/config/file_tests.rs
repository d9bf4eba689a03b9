use std::fmt::Write;
use std::path::Path;

use expect_test::{Expect, expect};

use super::*;
use crate::config::{EffectiveSettings, SettingOrigin};

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
    let settings = EffectiveSettings::resolve(&user.file, &project.file);
    expect![[r#"
        EffectiveSettings {
            agents: SettingValue {
                value: [
                    Gemini,
                    Claude,
                ],
                origin: Project(
                    6,
                ),
            },
            sync_default: SettingValue {
                value: false,
                origin: User(
                    4,
                ),
            },
            auto_sync: SettingValue {
                value: true,
                origin: Default,
            },
            self_contained: SettingValue {
                value: false,
                origin: Project(
                    2,
                ),
            },
            required_version: SettingValue {
                value: Some(
                    ">=0.1",
                ),
                origin: Project(
                    3,
                ),
            },
            log_level: SettingValue {
                value: Debug,
                origin: User(
                    7,
                ),
            },
            builtin: SettingValue {
                value: true,
                origin: Default,
            },
            recommendations: SettingValue {
                value: false,
                origin: User(
                    18,
                ),
            },
            user_plugins: SettingValue {
                value: true,
                origin: Default,
            },
            workspace: SettingValue {
                value: true,
                origin: Default,
            },
            transitive: SettingValue {
                value: false,
                origin: Default,
            },
            nudge_interval: SettingValue {
                value: 5,
                origin: Default,
            },
            guidance_index_bytes: SettingValue {
                value: 2000,
                origin: Default,
            },
            guidance_at_edit: SettingValue {
                value: Digest,
                origin: Default,
            },
            fetch_timeout: SettingValue {
                value: 60,
                origin: Default,
            },
            install_commit: SettingValue {
                value: false,
                origin: Default,
            },
            install_agents_md: SettingValue {
                value: false,
                origin: Default,
            },
            update_notice: SettingValue {
                value: true,
                origin: Default,
            },
            usage_record: SettingValue {
                value: true,
                origin: Default,
            },
            rtk_exclude: SettingValue {
                value: [],
                origin: Default,
            },
            cargo_shim: SettingValue {
                value: false,
                origin: Default,
            },
            opencode_hooks: SettingValue {
                value: true,
                origin: Default,
            },
            kiro_standalone_hooks: SettingValue {
                value: false,
                origin: Default,
            },
            for_every_project: AgentSettings {
                opencode_hooks: true,
                kiro_standalone_hooks: false,
                allow_symposium: false,
            },
            trust_projects: SettingValue {
                value: Never,
                origin: User(
                    21,
                ),
            },
            trust_allow_text: SettingValue {
                value: [],
                origin: Default,
            },
            trust_directories: SettingValue {
                value: [],
                origin: Default,
            },
            allow_symposium: SettingValue {
                value: false,
                origin: Default,
            },
            auto_enable: SettingValue {
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
                SettingValue {
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
                SettingValue {
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
                SettingValue {
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
            left_out: [],
            user_fetch_timeout: 60,
            user_transitive: false,
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
    let settings = EffectiveSettings::resolve(&user.file, &project.file);
    assert_eq!(settings.sources, vec![]);
    let left_out: Vec<&str> = settings.left_out.iter().map(|source| source.value.name.as_str()).collect();
    let named: Vec<&str> = user.file.sources.iter().map(|source| source.value.name.as_str()).collect();
    assert_eq!(left_out, named, "their policy hooks count all the same");
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
            warning: config.toml:2:28: Unknown agent `emacs` (known: claude, copilot, gemini, codex, kiro, opencode, goose, cursor, qwen, kilo, cline, pi, droid, crush, antigravity, agents)
            warning: config.toml:3:1: Unknown key `autosync` in `[agent]` (did you mean `auto-sync`?)
            warning: config.toml:5:2: Unknown key `loging` (did you mean `logging`?)
            error: config.toml:7:9: `level` cannot be `loud` (use one of trace, debug, info, warn, error)
            error: config.toml:8:1: Source `a` has neither `path` nor `git` nor `index` (add `path = "…"`, `git = "…"` or `index = "…"`)
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
            warning: config.toml:2:1: `projects = "ask"` has no effect in a project, because only the user can set it (move it to your user config (`symposium config path`))
            error: config.toml:5:9: `serde` in `[skills]` must be true or false, not a string (write `true` or `false` without quotes)
        "#]],
    );
}

#[test]
fn a_project_makes_nobody_wait_longer_than_they_allow() {
    let file = |seconds: Option<u64>, scope| {
        let text = seconds.map(|seconds| format!("[fetch]\ntimeout = {seconds}\n")).unwrap_or_default();
        parse("c", &text, scope).file
    };
    for (user, project, expected) in [
        (None, None, (60, SettingOrigin::Default)),
        (Some(300), None, (300, SettingOrigin::User(2))),
        (None, Some(600), (60, SettingOrigin::Default)),
        (None, Some(20), (20, SettingOrigin::Project(2))),
        (Some(300), Some(600), (300, SettingOrigin::User(2))),
        (Some(300), Some(100), (100, SettingOrigin::Project(2))),
    ] {
        let settings = EffectiveSettings::resolve(&file(user, Scope::User), &file(project, Scope::Project));
        let found = (settings.fetch_timeout.value, settings.fetch_timeout.origin);
        assert_eq!(found, expected, "{user:?} {project:?}");
        assert_eq!(settings.user_fetch_timeout, user.unwrap_or(60));
    }
    for faulty in ["0", "3601", "-1", "\"60\"", "1.5"] {
        let parsed = parse("c", &format!("[fetch]\ntimeout = {faulty}\n"), Scope::User);
        assert!(parsed.is_broken() && parsed.file.fetch_timeout.is_none(), "{faulty}");
    }
}

#[test]
fn a_file_that_is_not_toml_is_broken_as_a_whole() {
    let parsed = parse("c", "[agent\nname = 1", Scope::User);
    assert!(parsed.is_broken());
    assert_eq!(parsed.file, ConfigFile::default());
}

/// A merge that keeps the lines of both sides leaves some twice.
#[test]
fn a_toggle_that_is_there_twice_counts_once() {
    let parsed = parse("c", "[skills]\nrand = true\nserde = false\nrand = true\n", Scope::Project);
    assert_eq!(parsed.diagnostics, vec![]);
    let found: Vec<(&str, bool)> = parsed.file.skills.iter().map(|toggle| (toggle.key.as_str(), toggle.on)).collect();
    assert_eq!(found, [("rand", true), ("serde", false)]);
    let parsed =
        parse("c", "[skills]\na = true\n[workflows]\nb = false\nb = true\n[skills]\na = false\n", Scope::Project);
    assert!(!parsed.is_broken());
    let all = parsed.file.skills.iter().chain(&parsed.file.workflows);
    let found: Vec<(&str, bool)> = all.map(|toggle| (toggle.key.as_str(), toggle.on)).collect();
    assert_eq!(found, [("a", false), ("b", true)]);
    assert!(parse("c", "[skills]\na = true\na = true\n", Scope::User).is_broken(), "it has no toggles");
    diagnostics(
        "[skills]\nrand = true\nserde = true\nrand = false\ntokio = true\nserde = true\n",
        Scope::Project,
        &expect![[r"
            warning: config.toml:4:1: `rand` is listed twice, as true and as false, so it is off (a sync keeps one line; run `symposium on rand` to switch it on)
        "]],
    );
    diagnostics(
        "[skills]\nserde = true\n\"serde/serde\" = true\nserde = false\n",
        Scope::Project,
        &expect![[r"
            warning: config.toml:4:1: `serde` is listed twice, as true and as false, so it is off, except for its parts with toggles of their own (a sync keeps one line; run `symposium on serde` to switch it on)
        "]],
    );
    diagnostics(
        "[defaults]\nbuiltin = true\nbuiltin = true\n",
        Scope::Project,
        &expect![[r"
            error: config.toml:3:1: `builtin` is listed twice, in lines 2 and 3 (delete one of the two lines)
        "]],
    );
    diagnostics(
        "skills = { rand = true, rand = true }\n",
        Scope::Project,
        &expect![[r"
            error: config.toml:1:25: Not valid TOML: duplicate key (keep one of the two)
        "]],
    );
}

/// A merge that keeps the lines of both sides writes the header that both sides added only once.
#[test]
fn two_sources_that_a_merge_joined_need_a_header_between_them() {
    diagnostics(
        "[[plugin-source]] # ours\nname = \"a\"\npath = \"a\"\nname = \"b\"\npath = \"b\"\n\
         [[plugin-source]]\npath = \"c\"\nname = \"c\"\npath = \"d\"\nname = \"d\"\n",
        Scope::Project,
        &expect![[r"
            error: config.toml:4:1: `name` is listed twice, in lines 2 and 4 (a merge joined two `[[plugin-source]]` entries: put `[[plugin-source]]` before line 4)
            error: config.toml:9:1: `path` is listed twice, in lines 7 and 9 (a merge joined two `[[plugin-source]]` entries: put `[[plugin-source]]` before line 9)
        "]],
    );
    // Both sides changed one source.
    diagnostics(
        "[[plugin-source]]\nname = \"a\"\npath = \"x\"\npath = \"y\"\n\
         [[plugin-source]]\nname = \"b\"\nname = \"c\"\npath = \"z\"\n",
        Scope::Project,
        &expect![[r"
            error: config.toml:4:1: `path` is listed twice, in lines 3 and 4 (delete one of the two lines)
            error: config.toml:7:1: `name` is listed twice, in lines 6 and 7 (delete one of the two lines)
        "]],
    );
}

#[test]
fn a_toggle_below_another_table_is_sent_back() {
    let text = "[skills]\nserde = true\n[agent]\nname = \"claude\"\nrtk = false\nautosync = true\nmine = \"x\"\n";
    diagnostics(
        text,
        Scope::Project,
        &expect![[r"
            warning: config.toml:5:1: Unknown key `rtk` in `[agent]` (if this is a toggle that a merge moved, move it below `[skills]` or `[workflows]`)
            warning: config.toml:6:1: Unknown key `autosync` in `[agent]` (did you mean `auto-sync`?)
            warning: config.toml:7:1: Unknown key `mine` in `[agent]` (known here: auto-sync, name, self-contained, sync-default)
        "]],
    );
    let user = parse("c", "[agent]\nrtk = false\n", Scope::User).diagnostics;
    assert!(!user.iter().any(|found| found.to_string().contains("toggle")), "{user:?}");
}

#[test]
fn agents_may_be_listed_as_entries() {
    let parsed = parse("c", "[[agent]]\nname = \"codex\"\n[[agent]]\nname = \"goose\"\n", Scope::User);
    assert_eq!(parsed.diagnostics, vec![]);
    assert_eq!(parsed.file.agents.unwrap().value, vec![AgentId::Codex, AgentId::Goose]);
}

#[test]
fn a_project_can_only_tighten_what_the_user_trusts() {
    use crate::config::{EffectiveSettings, SettingOrigin, TrustProjects};
    let read = |text: &str, scope| parse("config.toml", text, scope).file;
    let (ask, never) = ("[trust]\nprojects = \"ask\"\n", "[trust]\nprojects = \"never\"\n");
    for (user, project, value, origin) in [
        ("", "", TrustProjects::Ask, SettingOrigin::Default),
        (ask, ask, TrustProjects::Ask, SettingOrigin::User(2)),
        ("", never, TrustProjects::Never, SettingOrigin::Project(2)),
        (ask, never, TrustProjects::Never, SettingOrigin::Project(2)),
        (never, ask, TrustProjects::Never, SettingOrigin::User(2)),
        (never, "", TrustProjects::Never, SettingOrigin::User(2)),
    ] {
        let settings = EffectiveSettings::resolve(&read(user, Scope::User), &read(project, Scope::Project));
        assert_eq!(
            (settings.trust_projects.value, settings.trust_projects.origin),
            (value, origin),
            "{user}|{project}"
        );
    }
    let project =
        read("[trust]\nallow-text = [\"x\"]\ndirectories = [\"/x\"]\n[plugins]\nauto-enable = true\n", Scope::Project);
    assert_eq!((project.trust_allow_text, project.trust_directories, project.auto_enable), (None, None, None));
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn a_directory_of_others_is_allowed_by_its_whole_path_alone() {
    let text = "[trust]\ndirectories = [\"/a/b\", \"/c/\", \"*\", \"/\", \"//\", \"/a/*\", \"a\", \"./a\", \"/a/../b\", \"~/a\", \"\"]\n";
    let parsed = parse("c", text, Scope::User);
    assert_eq!(parsed.file.trust_directories.unwrap().value, ["/a/b", "/c/"]);
    assert_eq!(parsed.diagnostics.len(), 9, "{:?}", parsed.diagnostics);
    assert!(parsed.diagnostics.iter().all(|found| found.severity == Severity::Warning));
}

#[test]
fn own_choices_are_toggles_and_nothing_else() {
    let text = "workspace = \"/w\"\n[skills]\n\"*/mine\" = false\n[workflows]\npolicy = false\n";
    let parsed = parse_choices("c", text);
    assert_eq!(parsed.diagnostics, vec![]);
    let keys = |toggles: &[Toggle]| -> Vec<(String, bool)> {
        toggles.iter().map(|toggle| (toggle.key.clone(), toggle.on)).collect()
    };
    assert_eq!(keys(&parsed.choices.skills), [("*/mine".to_owned(), false)]);
    assert_eq!(keys(&parsed.choices.workflows), [("policy".to_owned(), false)]);
    let odd = parse_choices("c", "self-contained = true\n[workflows]\npolicy = false\n");
    assert!(!odd.is_broken() && odd.diagnostics.len() == 1 && odd.choices.workflows.len() == 1, "{odd:?}");
    for broken in ["[workflows\n", "[workflows]\npolicy = 1\nother = false\n"] {
        let parsed = parse_choices("c", broken);
        assert!(parsed.is_broken() && parsed.choices == UserToggles::default(), "{parsed:?}");
    }
}

/// The sources of the user are always read; a project only limits which part of them counts.
#[test]
fn a_project_leaves_out_nothing_but_what_is_no_policy() {
    use crate::config::{AppDirectories, SourceExtent, SourceRank, source_specs};
    let directories = AppDirectories { config: "/c".into(), cache: "/c/cache".into(), logs: "/c/logs".into() };
    let extents = |user: &str, project: &str| -> Vec<(String, SourceExtent)> {
        let (user, project) = (parse("u", user, Scope::User), parse("p", project, Scope::Project));
        let settings = EffectiveSettings::resolve(&user.file, &project.file);
        let (specs, problems) = source_specs(&settings, &directories, None, Some(Path::new("/w")), &[]);
        assert_eq!(problems, vec![]);
        let own = specs.into_iter().filter(|spec| spec.rank == SourceRank::User);
        own.map(|spec| (spec.name, spec.extent)).collect()
    };
    let mine = "[[plugin-source]]\nname = \"mine\"\npath = \"mine\"\n";
    let (whole, policies) = (SourceExtent::Whole, SourceExtent::PolicyHooks);
    for (user, project, plugins, named) in [
        (mine, "", Some(whole), whole),
        (mine, "self-contained = true\n", Some(whole), policies),
        (mine, "[defaults]\nuser-plugins = false\n", Some(policies), whole),
        (mine, "self-contained = true\n[[plugin-source]]\nname = \"mine\"\npath = \"x\"\n", Some(whole), policies),
    ] {
        let mut expected: Vec<(String, SourceExtent)> = Vec::new();
        expected.extend(plugins.map(|extent| ("user-plugins".to_owned(), extent)));
        expected.push(("mine".to_owned(), named));
        assert_eq!(extents(user, project), expected, "{project}");
    }
    let off = "[defaults]\nuser-plugins = false\n";
    for project in ["", "[defaults]\nuser-plugins = true\n", "self-contained = true\n[defaults]\nuser-plugins = true\n"]
    {
        assert_eq!(extents(off, project), vec![], "the user does without it: {project}");
    }
}

#[test]
fn settings_of_agents_count_in_their_own_scope() {
    let no_hooks = "[agents.opencode]\nhooks = false\n[agents.kiro]\nstandalone-hooks = true\n";
    for (user, project, for_all, here) in
        [("", no_hooks, (true, false), (false, true)), (no_hooks, "", (false, true), (false, true))]
    {
        let (user, project) = (parse("u", user, Scope::User), parse("p", project, Scope::Project));
        let settings = EffectiveSettings::resolve(&user.file, &project.file);
        for (scope, expected) in [(Scope::User, for_all), (Scope::Project, here)] {
            let found = settings.agent_settings(scope);
            assert_eq!((found.opencode_hooks, found.kiro_standalone_hooks), expected, "{scope:?}");
        }
    }
}
