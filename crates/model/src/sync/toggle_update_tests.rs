use std::collections::{BTreeMap, BTreeSet};

use semver::Version;

use super::*;
use crate::authority::{DefaultToggle, WorkspaceToggles};
use crate::candidate::CandidatePolicy;
use crate::catalog::{LoadedPlugin, LoadedSkill, PluginKind, SourceDiagnostics};
use crate::config::{AutoEnable, ConfigFile, SourceKind, SourceSpec, UserToggles};
use crate::crates::{CrateSet, DependencyScope};
use crate::evaluate::ConditionFacts;
use crate::select::select;
use crate::{manifest, skill};

fn show(changes: Vec<ToggleChange>) -> Vec<String> {
    let line = |change| match change {
        ToggleChange::Add { key, on } => format!("+{key}={on}"),
        ToggleChange::Remove { key } => format!("-{key}"),
    };
    changes.into_iter().map(line).collect()
}

fn check(toggles: &[(&str, bool)], names: &[&str], is_gone: fn(&str) -> bool, expected: &[&str]) {
    let toggles: Vec<Toggle> =
        toggles.iter().map(|(key, on)| Toggle { key: (*key).to_owned(), on: *on, line: 1 }).collect();
    let usual: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let names = ToggleNames { usual, kept: vec!["kept".to_owned()] };
    assert_eq!(show(compare_toggles(&toggles, &names, |_| true, is_gone)), expected);
}

#[test]
fn choices_stay_new_names_come_gone_ones_go() {
    check(&[], &["tokio", "serde", "serde"], |_| true, &["+serde=true", "+tokio=true"]);
    check(&[("serde", false)], &["serde"], |_| true, &[]);
    check(&[("serde_json", false)], &["serde-json"], |_| true, &[]);
    check(&[("serde", false), ("rand", true)], &["serde"], |_| true, &["-rand"]);
    check(&[("rand", true)], &[], |_| false, &[]);
    check(&[("rand", true), ("x", true)], &[], |name| name == "x", &["-x"]);
    check(&[("rand/rand-0-8", false), ("rand", true)], &["rand"], |_| true, &[]);
    check(&[("rand/rand-0-8", false)], &["serde"], |_| true, &["+serde=true", "-rand/rand-0-8"]);
    check(&[("*/rust", false)], &[], |_| true, &[]);
    check(&[("kept", false)], &[], |_| true, &[]);
}

/// A source with one plugin, which has a session text, and a skill for each of these crates.
fn source(rank: SourceRank, plugin: &str, crates: &[&str]) -> LoadedSource {
    let skill = |name: &&str| {
        let text = format!("---\ndescription: d\nname: {plugin}-{name}\ncrates: {name}\n---\n");
        let document = skill::parse("SKILL.md", "dir", &text).document.unwrap();
        let conditions = skill::conditions("SKILL.md", &text, &document).unwrap();
        let (path, shown) = (String::new(), String::new());
        LoadedSkill { document, conditions, group: Some(0), path, shown, elsewhere: None }
    };
    let text = format!(
        "name = \"{plugin}\"\nsession-start-context = \"x\"\ncrates = [\"*\"]\n[[skills]]\nsource.path = \"skills\"\n"
    );
    let (path, shown) = (String::new(), String::new());
    let loaded = LoadedPlugin {
        plugin: manifest::parse("p.toml", &text, "p").plugin.unwrap(),
        kind: PluginKind::Manifest,
        path,
        shown,
        skills: crates.iter().map(skill).collect(),
    };
    let spec = SourceSpec::whole(plugin, SourceKind::Embedded, rank);
    let source = LoadedSource::without_plugins(spec, String::new(), SourceDiagnostics::default());
    LoadedSource { plugins: vec![loaded], ..source }
}

#[test]
fn the_project_gets_toggles_for_what_it_has_and_keeps_those_of_the_user() {
    let catalog = Catalog {
        sources: vec![
            source(SourceRank::Builtin, "autofmt", &[]),
            source(SourceRank::User, "own", &["serde"]),
            source(SourceRank::Project, "team", &["serde", "tokio"]),
        ],
    };
    let serde = CrateName::parse("serde").unwrap();
    let crates = CrateSet::empty().assuming(&serde, Version::new(1, 0, 0));
    let (env, paths, own) = (BTreeMap::new(), BTreeSet::new(), UserToggles::default());
    let facts = ConditionFacts {
        crates: Some(&crates),
        scope: DependencyScope::Direct,
        user_scope: DependencyScope::Direct,
        env: &env,
        paths: &paths,
    };
    let choices = WorkspaceToggles { skills: &[], workflows: &[], own: &own, unmentioned: DefaultToggle::ON };
    let candidates = CandidatePolicy { auto_enable: &AutoEnable::Off, skills: &[] };
    let selection = select(&catalog, &facts, &choices, &candidates);
    let toggle = |key: &str| Toggle { key: key.to_owned(), on: true, line: 1 };
    let mut settings = EffectiveSettings::resolve(&ConfigFile::default(), &ConfigFile::default());
    let guard = PruneGuard::new(false, &catalog, Some(&crates));
    for (default, skills, workflows) in [(true, "+serde=true", "+team=true"), (false, "+serde=false", "+team=false")] {
        settings.sync_default.value = default;
        let update = update_toggles(&settings, &catalog, &selection, &guard);
        // `tokio` is no dependency, and `own` is the user's alone.
        assert_eq!(show(update.skills), [skills]);
        assert_eq!(show(update.workflows), ["+autofmt=false", workflows]);
    }
    settings.skills = vec![toggle("serde"), toggle("tokio")];
    settings.workflows = vec![toggle("autofmt"), toggle("own"), toggle("team"), toggle("gone")];
    let update = update_toggles(&settings, &catalog, &selection, &guard);
    assert_eq!((show(update.skills), show(update.workflows)), (vec!["-tokio".to_owned()], vec!["-gone".to_owned()]));
}
