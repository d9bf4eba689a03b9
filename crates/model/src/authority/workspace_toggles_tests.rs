use super::*;
use crate::crates::VersionCertainty;

fn toggles(entries: &[(&str, bool)]) -> Vec<Toggle> {
    entries.iter().map(|(key, on)| Toggle { key: (*key).to_owned(), on: *on, line: 1 }).collect()
}

fn found(names: &[&str]) -> Vec<FoundCrate> {
    let version = semver::Version::new(1, 0, 0);
    let found = |name: &&str| FoundCrate {
        name: CrateName::parse(name).unwrap(),
        version: version.clone(),
        certainty: VersionCertainty::Locked,
    };
    names.iter().map(found).collect()
}

const NO_OWN: &UserToggles = &UserToggles { skills: Vec::new(), workflows: Vec::new() };
const USER: SourceAuthority = SourceAuthority { rank: SourceRank::User, extent: SourceExtent::Whole };
const LEFT_OUT: SourceAuthority = SourceAuthority { rank: SourceRank::User, extent: SourceExtent::PolicyHooks };
const BUILTIN: SourceAuthority = SourceAuthority { rank: SourceRank::Builtin, extent: SourceExtent::Whole };
const PROJECT: SourceAuthority = SourceAuthority { rank: SourceRank::Project, extent: SourceExtent::Whole };
const BY_PROJECT: ToggleState = ToggleState::Off(OffReason::Project);
const BY_USER: ToggleState = ToggleState::Off(OffReason::User);
const NOT_YET: ToggleState = ToggleState::Off(OffReason::NotYetOn);

#[test]
fn the_most_precise_entry_decides_and_one_crate_is_enough() {
    let skills = toggles(&[
        ("serde", false),
        ("tokio", true),
        ("tokio/tokio-console", false),
        ("serde-json", false),
        ("*/rust", false),
    ]);
    for (skill, crates, default, on) in [
        ("s", &["serde"][..], true, false),
        ("s", &["serde_json"], true, false),
        ("s", &["serde", "tokio"], true, true),
        ("tokio-console", &["tokio"], true, false),
        ("tokio-console", &["tokio", "serde"], true, false),
        ("s", &["rand"], true, true),
        ("s", &["rand"], false, false),
        ("rust", &[], true, false),
        ("other", &[], false, true),
    ] {
        let unmentioned = DefaultToggle { on: default, word: Scope::Project };
        let choices = WorkspaceToggles { skills: &skills, workflows: &[], own: NO_OWN, unmentioned };
        assert_eq!(choices.skill(PROJECT, skill, &found(crates)).is_on(), on, "{skill} {crates:?}");
    }
}

#[test]
fn own_choices_are_about_what_only_the_user_has() {
    let skills = toggles(&[("serde", false), ("tokio", true), ("*/house", false)]);
    let own = UserToggles {
        skills: toggles(&[("serde", true), ("tokio/mine", false), ("*/house", true)]),
        workflows: Vec::new(),
    };
    let choices = WorkspaceToggles { skills: &skills, workflows: &[], own: &own, unmentioned: DefaultToggle::ON };
    for (by, skill, crates, switched) in [
        (USER, "mine", &["serde"][..], ToggleState::On),
        (PROJECT, "mine", &["serde"], BY_PROJECT),
        (USER, "mine", &["tokio"], BY_USER),
        (PROJECT, "mine", &["tokio"], ToggleState::On),
        (USER, "house", &[], ToggleState::On),
        (BUILTIN, "house", &[], BY_PROJECT),
    ] {
        assert_eq!(choices.skill(by, skill, &found(crates)), switched, "{by:?} {skill} {crates:?}");
    }
}

#[test]
fn workflows_are_on_unless_an_entry_or_their_first_choice_says_otherwise() {
    let workflows =
        toggles(&[("rtk", false), ("guard/slow", false), ("off", false), ("off/one", true), ("my_plugin", false)]);
    for (by, plugin, hook, default, plugin_on, hook_on) in [
        (BUILTIN, "rtk", "rtk", true, BY_PROJECT, BY_PROJECT),
        (USER, "guard", "fast", true, ToggleState::On, ToggleState::On),
        (USER, "guard", "slow", true, ToggleState::On, BY_PROJECT),
        (USER, "guard", "fast", false, BY_PROJECT, BY_PROJECT),
        (USER, "off", "one", true, BY_PROJECT, ToggleState::On),
        (USER, "off", "two", true, BY_PROJECT, BY_PROJECT),
        (USER, "my-plugin", "x", true, BY_PROJECT, BY_PROJECT),
        (BUILTIN, "autofmt", "autofmt", true, NOT_YET, NOT_YET),
        (USER, "autofmt", "autofmt", true, ToggleState::On, ToggleState::On),
        (LEFT_OUT, "guard", "fast", true, BY_PROJECT, BY_PROJECT),
    ] {
        let unmentioned = DefaultToggle { on: default, word: Scope::Project };
        let choices = WorkspaceToggles { skills: &[], workflows: &workflows, own: NO_OWN, unmentioned };
        assert_eq!(choices.plugin(by, plugin), plugin_on, "{plugin}");
        assert_eq!(choices.hook(by, plugin, hook, HookOrder::Normal), hook_on, "{plugin}/{hook}");
    }
    let unmentioned = DefaultToggle { on: false, word: Scope::User };
    let on = toggles(&[("autofmt", true)]);
    let choices = WorkspaceToggles { skills: &[], workflows: &on, own: NO_OWN, unmentioned };
    assert_eq!(choices.plugin(BUILTIN, "autofmt"), ToggleState::On);
    assert_eq!(choices.plugin(USER, "new"), NOT_YET, "the user wants to be asked first");
}

/// A project never disables the user's policies; the user's toggles decide on the user's own plugins.
#[test]
fn a_project_has_no_word_on_policies_of_the_user() {
    let project = [
        toggles(&[]),
        toggles(&[("guard", false)]),
        toggles(&[("guard/push", false)]),
        toggles(&[("guard", false), ("guard/push", false)]),
        toggles(&[("guard", true), ("guard/push", true)]),
    ];
    let defaults = [true, false].map(|on| DefaultToggle { on, word: Scope::Project });
    for (own, policy) in [
        (toggles(&[]), ToggleState::On),
        (toggles(&[("guard", false)]), BY_USER),
        (toggles(&[("guard/push", false)]), BY_USER),
        (toggles(&[("guard", false), ("guard/push", true)]), ToggleState::On),
        (toggles(&[("other", false)]), ToggleState::On),
    ] {
        let own = UserToggles { skills: Vec::new(), workflows: own };
        for workflows in &project {
            for unmentioned in defaults {
                let choices = WorkspaceToggles { skills: &[], workflows, own: &own, unmentioned };
                for by in [USER, LEFT_OUT] {
                    assert_eq!(choices.hook(by, "guard", "push", HookOrder::Policy), policy, "{workflows:?} {own:?}");
                }
            }
        }
    }
    // A policy of the project is the project's.
    let workflows = toggles(&[("guard", false)]);
    let own = UserToggles { skills: Vec::new(), workflows: toggles(&[("guard", true)]) };
    let choices = WorkspaceToggles { skills: &[], workflows: &workflows, own: &own, unmentioned: DefaultToggle::ON };
    assert_eq!(choices.hook(PROJECT, "guard", "push", HookOrder::Policy), BY_PROJECT);
    // The user's toggles decide on the user's own policies.
    assert_eq!(choices.hook(USER, "guard", "note", HookOrder::Normal), ToggleState::On);
    assert_eq!(choices.hook(LEFT_OUT, "guard", "note", HookOrder::Normal), ToggleState::On);
}
