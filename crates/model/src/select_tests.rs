use std::collections::{BTreeMap, BTreeSet};

use semver::Version;

use super::*;
use crate::authority::DefaultToggle;
use crate::catalog::{LoadedSkill, LoadedSource, SourceDiagnostics};
use crate::config::{AutoEnable, CratePlace, SourceKind, SourceSpec, Toggle, UserToggles};
use crate::crates::{CrateName, CrateSet, DependencyScope};
use crate::{manifest, skill};

/// A source whose plugins are given as (manifest or nothing, skills as frontmatter lines).
fn source(name: &str, rank: SourceRank, plugins: &[(&str, &[&str])]) -> LoadedSource {
    let plugins = plugins.iter().map(|(text, skills)| plugin(text, skills)).collect();
    let spec = SourceSpec::whole(name, SourceKind::Embedded, rank);
    LoadedSource { plugins, ..LoadedSource::without_plugins(spec, String::new(), SourceDiagnostics::default()) }
}

fn choices<'c>(skills: &'c [Toggle], own: &'c UserToggles) -> WorkspaceToggles<'c> {
    WorkspaceToggles { skills, workflows: &[], own, unmentioned: DefaultToggle::ON }
}

fn plugin(text: &str, skills: &[&str]) -> LoadedPlugin {
    let skills: Vec<LoadedSkill> = skills
        .iter()
        .enumerate()
        .map(|(at, lines)| {
            let text = format!("---\ndescription: d\n{lines}\n---\n");
            let document = skill::parse("SKILL.md", "dir", &text).document.unwrap();
            let conditions = skill::conditions("SKILL.md", &text, &document).unwrap();
            let group = (!text.is_empty()).then_some(0);
            LoadedSkill { document, conditions, group, path: String::new(), shown: at.to_string(), elsewhere: None }
        })
        .collect();
    let kind = PluginKind::Manifest;
    let plugin = manifest::parse("p.toml", text, "p").plugin.unwrap();
    LoadedPlugin { plugin, kind, path: String::new(), shown: String::new(), skills }
}

/// The state of every skill, as `source/plugin/skill: state`, in a workspace with serde 1.0.0 alone.
#[track_caller]
fn check(sources: Vec<LoadedSource>, toggles: &[(&str, bool)], expected: &[&str]) {
    let catalog = Catalog { sources };
    let serde = CrateName::parse("serde").unwrap();
    let crates = CrateSet::empty().assuming(&serde, Version::new(1, 0, 0));
    let (env, paths) = (BTreeMap::new(), BTreeSet::new());
    let facts = ConditionFacts {
        crates: Some(&crates),
        scope: DependencyScope::Direct,
        user_scope: DependencyScope::Direct,
        env: &env,
        paths: &paths,
    };
    let toggles: Vec<Toggle> =
        toggles.iter().map(|(key, on)| Toggle { key: (*key).to_owned(), on: *on, line: 1 }).collect();
    let candidates = CandidatePolicy { auto_enable: &AutoEnable::Off, skills: &toggles };
    let selection = select(&catalog, &facts, &choices(&toggles, &UserToggles::default()), &candidates);
    let shown: Vec<String> = selection
        .skills
        .iter()
        .map(|verdict| {
            let (source, found) = catalog.skill(verdict.id).unwrap();
            let state = match verdict.state {
                SkillState::Applies => "applies".to_owned(),
                SkillState::DoesNotMatch => "no match".to_owned(),
                SkillState::NoWorkspace => "no workspace".to_owned(),
                SkillState::PluginShadowed(by) => format!("plugin shadowed by source {}", by.source),
                SkillState::Shadowed(by) => format!("shadowed by source {}", by.plugin.source),
                SkillState::Off => "off".to_owned(),
                SkillState::Candidate => "candidate".to_owned(),
                SkillState::Blocked(_) => "blocked".to_owned(),
            };
            format!("{}/{}: {state}", source.spec.name, found.document.name.as_str())
        })
        .collect();
    assert_eq!(shown, expected);
}

const GROUP: &str = "[[skills]]\nsource.path = \"skills\"\n";

#[test]
fn levels_narrow_and_never_widen() {
    let manifest = |conditions: &str, group: &str| format!("name = \"p\"\n{conditions}\n{GROUP}{group}\n");
    for (plugin, group, skill, state) in [
        ("", "", "", "applies"),
        ("crates = [\"serde\"]", "", "", "applies"),
        ("crates = [\"tokio\"]", "", "crates: serde", "no match"),
        ("", "crates = [\"tokio\"]", "crates: serde", "no match"),
        ("", "crates = [\"serde\"]", "crates: serde>=2.0", "no match"),
        ("crates = [\"*\"]", "crates = \"serde=1.0\"", "crates: tokio, serde", "applies"),
        ("predicates = [\"not(depends-on(tokio))\"]", "", "", "applies"),
        ("", "predicates = [\"env(NOPE)\"]", "", "no match"),
        ("", "", "predicates: depends-on(serde<1.0)", "no match"),
    ] {
        let text = manifest(plugin, group);
        let skill = format!("name: s\n{skill}");
        check(vec![source("a", SourceRank::User, &[(&text, &[&skill])])], &[], &[&format!("a/s: {state}")]);
    }
}

#[test]
fn the_more_specific_source_wins_among_those_that_apply() {
    let named = |name: &str| format!("name = \"{name}\"\n{GROUP}");
    let (one, two, three) = (named("one"), named("two"), named("three"));
    check(
        vec![
            source("builtin", SourceRank::Builtin, &[(&one, &["name: s", "name: only-here"])]),
            source("user", SourceRank::User, &[(&two, &["name: s"])]),
            source("project", SourceRank::Project, &[(&three, &["name: s\ncrates: tokio"])]),
        ],
        &[],
        &["builtin/s: shadowed by source 1", "builtin/only-here: applies", "user/s: applies", "project/s: no match"],
    );
    // Of two equal ones the first stays.
    check(
        vec![
            source("a", SourceRank::User, &[(&one, &["name: s"])]),
            source("b", SourceRank::User, &[(&two, &["name: s"])]),
        ],
        &[],
        &["a/s: applies", "b/s: shadowed by source 0"],
    );
}

#[test]
fn of_two_plugins_of_one_name_the_less_specific_is_out() {
    let text = format!("name = \"same\"\n{GROUP}");
    check(
        vec![
            source("builtin", SourceRank::Builtin, &[(&text, &["name: a"])]),
            source("user", SourceRank::User, &[(&text, &["name: b"])]),
        ],
        &[],
        &["builtin/a: plugin shadowed by source 1", "user/b: applies"],
    );
}

#[test]
fn a_plugin_that_does_not_apply_leaves_its_name_to_others() {
    let specific = format!("name = \"same\"\ncrates = [\"tokio\"]\n{GROUP}");
    let general = format!("name = \"same\"\n{GROUP}");
    check(
        vec![
            source("builtin", SourceRank::Builtin, &[(&general, &["name: a"])]),
            source("user", SourceRank::User, &[(&specific, &["name: b"])]),
        ],
        &[],
        &["builtin/a: applies", "user/b: no match"],
    );
}

#[test]
fn a_list_says_what_a_skill_is_about_before_a_predicate_does() {
    let text = "name = \"p\"\n[[skills]]\ncrates = [\"serde\"]\nsource.path = \"skills\"\n";
    let skill = "name: s\npredicates: any(depends-on(tokio), depends-on(serde))";
    check(vec![source("a", SourceRank::User, &[(text, &[skill])])], &[("serde", false)], &["a/s: off"]);
}

#[test]
fn outside_a_workspace_no_skill_applies() {
    let catalog = Catalog {
        sources: vec![source(
            "a",
            SourceRank::User,
            &[(&format!("name = \"p\"\n{GROUP}"), &["name: s", "name: t\npredicates: not(depends-on(zzz))"])],
        )],
    };
    let (env, paths) = (BTreeMap::new(), BTreeSet::new());
    let facts = ConditionFacts {
        crates: None,
        scope: DependencyScope::Direct,
        user_scope: DependencyScope::Direct,
        env: &env,
        paths: &paths,
    };
    let selection = select(&catalog, &facts, &choices(&[], &UserToggles::default()), &CandidatePolicy::NONE);
    assert!(selection.skills.iter().all(|verdict| verdict.state == SkillState::NoWorkspace));
}

#[test]
fn toggles_switch_off_what_matched_through_their_crate() {
    let text = format!("name = \"p\"\n{GROUP}");
    check(
        vec![source("a", SourceRank::User, &[(&text, &["name: s\ncrates: serde", "name: general"])])],
        &[("serde", false)],
        &["a/s: off", "a/general: applies"],
    );
}

fn crate_source(name: &str, version: Version, plugins: &[(&str, &[&str])]) -> LoadedSource {
    let mut source = source(name, SourceRank::Crate, plugins);
    source.spec.kind = SourceKind::Crate(CratePlace {
        name: CrateName::parse(name).unwrap(),
        version,
        certainty: crate::crates::VersionCertainty::Locked,
        directory: "/c".into(),
        brought_by: None,
    });
    source
}

#[test]
fn plugins_of_dependencies_wait_for_somebody() {
    let own = format!("name = \"serde\"\n{GROUP}");
    let others = format!("name = \"guide\"\ncrates = [\"serde\"]\n{GROUP}");
    let of_serde = || crate_source("serde", Version::new(1, 0, 0), &[(&own, &["name: own", "name: more"])]);
    let of_others = || source("builtin", SourceRank::Builtin, &[(&others, &["name: other"])]);
    for (toggles, states) in [
        (&[][..], ["candidate", "candidate"]),
        (&[("serde/*", true)], ["applies", "applies"]),
        (&[("serde/own", true)], ["applies", "candidate"]),
        (&[("serde/*", true), ("serde/more", false)], ["applies", "off"]),
        (&[("serde", false), ("serde/*", false)], ["off", "off"]),
        (&[("serde", true)], ["candidate", "candidate"]),
    ] {
        let expected = [format!("serde/own: {}", states[0]), format!("serde/more: {}", states[1])];
        check(vec![of_serde()], toggles, &expected.each_ref().map(String::as_str));
    }
    // `sync` writes `serde = true` for the skill of another source; that is no choice about the crate's own skills.
    check(
        vec![of_others(), of_serde()],
        &[("serde", true)],
        &["builtin/other: applies", "serde/own: candidate", "serde/more: candidate"],
    );
    check(
        vec![of_others(), of_serde()],
        &[("serde", true), ("serde/own", true)],
        &["builtin/other: applies", "serde/own: applies", "serde/more: candidate"],
    );
}

#[test]
fn a_candidate_takes_nobodys_name() {
    let text = format!("name = \"serde\"\n{GROUP}");
    check(
        vec![
            source("builtin", SourceRank::Builtin, &[(&text, &["name: s"])]),
            crate_source("serde", Version::new(1, 0, 0), &[(&text, &["name: s"])]),
        ],
        &[],
        &["builtin/s: applies", "serde/s: candidate"],
    );
    check(
        vec![
            source("builtin", SourceRank::Builtin, &[(&text, &["name: s"])]),
            crate_source("serde", Version::new(1, 0, 0), &[(&text, &["name: s"])]),
        ],
        &[("serde/*", true)],
        &["builtin/s: plugin shadowed by source 1", "serde/s: applies"],
    );
}

/// The agents each plugin works on, of Claude Code and Gemini CLI, from the most specific source to the built-in one.
#[test]
fn a_plugin_that_may_not_run_leaves_its_work_to_the_next_of_its_name() {
    const BOTH: &[AgentId] = &[AgentId::Claude, AgentId::Gemini];
    const CLAUDE: &[AgentId] = &[AgentId::Claude];
    const GEMINI: &[AgentId] = &[AgentId::Gemini];
    let hook = "name = \"p\"\n[[hooks]]\nname = \"h\"\nevent = \"Stop\"\ncommand = \"x\"\n";
    for (works_on, stand_ins) in [
        ([BOTH, BOTH, BOTH], [&[][..], &[], &[]]),
        ([&[], BOTH, BOTH], [&[], BOTH, &[]]),
        ([CLAUDE, BOTH, BOTH], [&[], GEMINI, &[]]),
        ([CLAUDE, CLAUDE, BOTH], [&[], &[], GEMINI]),
        ([&[], CLAUDE, BOTH], [&[], CLAUDE, GEMINI]),
        ([&[], &[], &[]], [&[], &[], &[]]),
    ] {
        let ranks = [SourceRank::Builtin, SourceRank::Recommendations, SourceRank::Project];
        let catalog = Catalog { sources: ranks.map(|rank| source("s", rank, &[(hook, &[])])).to_vec() };
        let (env, paths) = (BTreeMap::new(), BTreeSet::new());
        let crates = CrateSet::empty();
        let facts = ConditionFacts {
            crates: Some(&crates),
            scope: DependencyScope::Direct,
            user_scope: DependencyScope::Direct,
            env: &env,
            paths: &paths,
        };
        let candidates = CandidatePolicy { auto_enable: &AutoEnable::Off, skills: &[] };
        let mut selection = select(&catalog, &facts, &choices(&[], &UserToggles::default()), &candidates);
        // The most specific one is the last in the catalog.
        selection.hand_down(&catalog, BOTH, &|id| works_on[2 - id.source].to_vec());
        let found: Vec<&[AgentId]> = selection.plugins.iter().rev().map(|one| one.stands_in_on.as_slice()).collect();
        assert_eq!(found, stand_ins, "{works_on:?}");
        let named: Vec<bool> = selection.plugins.iter().rev().map(PluginVerdict::has_its_name).collect();
        assert_eq!(named, [true, false, false], "names do not depend on what may run");
    }
}
