use symposium_model::config::SourceRank;

use super::super::test_sources::{SampleFiles, catalog, with_facts};
use super::super::{hooks, hooks::extra_events};
use super::*;

const BUILTIN: SampleFiles = &[
    ("rtk/symposium.toml", include_str!("../../../../../recommendations/rtk/symposium.toml")),
    ("autofmt/symposium.toml", include_str!("../../../../../recommendations/autofmt/symposium.toml")),
];

const GUARD: SampleFiles = &[(
    "guard/symposium.toml",
    r#"
[[hooks]]
name = "late"
event = "PreToolUse"
order = "rewrite"
command = "late"
[[hooks]]
name = "first"
event = "PreToolUse"
order = "policy"
command = "./first.sh"
[[hooks]]
name = "usual"
event = "PreToolUse"
command = "usual"
[[hooks]]
name = "theirs"
event = "PreToolUse"
command = "theirs"
crates = ["tokio"]
"#,
)];

fn sorted(sources: &[(SourceRank, SampleFiles)], toggles: &[(&str, bool)]) -> CompiledHandlers {
    let catalog = catalog(sources);
    let workflows = BuiltinWorkflows {
        rtk_exclude: vec!["cargo tree".to_owned()],
        rtk_disabled_for: vec![AgentId::Claude],
        formatting: FormattingSettings { editions: Vec::new(), toolchain: None },
    };
    let directory_of = |source: &LoadedSource, loaded: &LoadedPlugin| {
        let root = crate::ops::catalog::root_of(source)?;
        root.join(&loaded.path).parent().map(Path::to_owned)
    };
    with_facts(&catalog, toggles, |selection, facts, on| {
        let hooks = hooks::active(&catalog, selection, facts, on);
        let waits = |id| catalog.plugin(id).is_some_and(|(source, _)| source.spec.rank.needs_grant());
        let leave = |id| {
            if waits(id) { RunPermission::Withheld(PendingReason::Unheard) } else { RunPermission::Given(Vec::new()) }
        };
        let canonical = |path: &Path| Some(path.to_owned());
        sort(
            &hooks,
            &workflows,
            &MachineLookup {
                directory_of: &directory_of,
                workspace: None,
                canonical: &canonical,
                is_file: &|_| false,
                leave: &leave,
                refusal: &|_, _| None,
                coverage: &|_| GrantCoverage::Whole,
                installed: &|_, _| None,
                owned: &|_| Vec::new(),
                replaced_on: &|_| Vec::new(),
            },
        )
    })
}

/// Handlers as `plan: plugin/hook`, those that are not run after them with a `-`.
#[track_caller]
fn check(sources: &[(SourceRank, SampleFiles)], toggles: &[(&str, bool)], expected: &[&str]) -> CompiledHandlers {
    let handlers = sorted(sources, toggles);
    let slot = |slot: &PlanSlot| match slot {
        PlanSlot::Canonical(event) => event.to_string(),
        PlanSlot::Native(agent, event) => format!("{agent}:{event}"),
    };
    let run = handlers.permitted.iter().map(|(of, handler)| format!("{}: {}", slot(of), handler.title()));
    let not_run = handlers.withheld.iter().map(|(of, title)| format!("-{}: {title}", slot(of)));
    assert_eq!(run.chain(not_run).collect::<Vec<_>>(), expected);
    handlers
}

#[test]
fn policy_comes_first_then_the_order_of_sources_and_manifests() {
    use SourceRank::{Builtin, User};
    check(
        &[(Builtin, BUILTIN), (User, GUARD)],
        &[],
        &["PreToolUse: guard/first", "PreToolUse: guard/usual", "PreToolUse: rtk/shorten", "PreToolUse: guard/late"],
    );
}

/// Others could use up the time that all hooks of an event share.
#[test]
fn policies_of_the_user_run_before_those_of_others() {
    use SourceRank::{Builtin, User};
    const OTHER: SampleFiles = &[(
        "other/symposium.toml",
        "[[hooks]]\nname = \"slow\"\nevent = \"PreToolUse\"\norder = \"policy\"\ncommand = \"sleep 9\"\n",
    )];
    let handlers = sorted(&[(Builtin, OTHER), (User, GUARD)], &[]);
    let titles: Vec<String> = handlers.permitted.iter().map(|(_, handler)| handler.title()).collect();
    assert_eq!(titles, ["guard/first", "other/slow", "guard/usual", "guard/late"]);
}

#[test]
fn toggles_switch_plugins_and_single_hooks() {
    use SourceRank::{Builtin, User};
    check(&[(Builtin, GUARD)], &[("guard", false)], &[]);
    // A policy of the user is not for projects to switch.
    let first = "PreToolUse: guard/first";
    check(&[(User, GUARD)], &[("guard", false), ("guard/first", false)], &[first]);
    check(&[(User, GUARD)], &[("guard", false), ("guard/usual", true)], &[first, "PreToolUse: guard/usual"]);
    check(&[(User, GUARD)], &[("guard/usual", false)], &["PreToolUse: guard/first", "PreToolUse: guard/late"]);
    check(&[(Builtin, BUILTIN)], &[("autofmt", true), ("rtk", false)], &["PostToolUse: autofmt/format"]);
}

#[test]
fn executables_of_others_wait_for_a_grant() {
    use SourceRank::{Crate, Project, Recommendations, User};
    for (rank, runs) in [(User, true), (Recommendations, false), (Crate, false), (Project, false)] {
        let handlers = sorted(&[(rank, GUARD)], &[]);
        assert_eq!((handlers.permitted.len(), handlers.withheld.len()), if runs { (3, 0) } else { (0, 3) }, "{rank:?}");
        assert_eq!(handlers.awaiting.len(), handlers.withheld.len(), "{rank:?}");
        assert!(
            handlers.files.iter().any(|(_, file)| file.ends_with("guard/first.sh")),
            "{rank:?}: a grant is for its content"
        );
    }
}

#[test]
fn what_is_built_in_is_for_what_ships_with_the_program() {
    use SourceRank::{Builtin, User};
    let handlers = check(&[(Builtin, BUILTIN)], &[], &["PreToolUse: rtk/shorten"]);
    let handler = &handlers.permitted[0].1;
    assert_eq!(handler.run, HandlerAction::Rtk { exclude: vec!["cargo tree".to_owned()] });
    assert_eq!(handler.not_for, [AgentId::Claude]);
    let handlers = check(
        &[(User, &[("mine/symposium.toml", "[[hooks]]\nevent = \"Stop\"\ncommand = \"builtin:rtk\"\n")])],
        &[],
        &["-Stop: mine/Stop"],
    );
    assert_eq!(
        handlers.warnings,
        ["Hook `mine/Stop` is not run: `builtin:rtk` is only for plugins that ship with Symposium"]
    );
    assert_eq!(handlers.awaiting, [], "nobody can grant what does not exist");
}

const NATIVE: SampleFiles = &[(
    "native/symposium.toml",
    r#"
[[hooks]]
name = "model"
event = "gemini:BeforeModel"
command = "x"
[[hooks]]
name = "failed"
event = "claude:PostToolUseFailure"
command = "x"
[[hooks]]
name = "end"
event = "copilot:agentStop"
command = "x"
[[hooks]]
name = "never"
event = "claude:BeforeModel"
command = "x"
[[hooks]]
name = "stop"
event = "Stop"
agent = "claude"
command = "x"
"#,
)];

#[test]
fn events_of_one_agent_have_their_plans_and_are_registered() {
    let handlers = check(
        &[(SourceRank::User, NATIVE)],
        &[],
        &["gemini:BeforeModel: native/model", "PostToolUse: native/failed", "Stop: native/end", "Stop: native/stop"],
    );
    assert_eq!(handlers.warnings, ["Hook `native/never` never runs: claude has no event `claude:BeforeModel`"]);
    let failed = &handlers.permitted[1].1;
    assert_eq!(failed.native.as_deref(), Some("PostToolUseFailure"));
    assert_eq!(
        (failed.agent, failed.format),
        (Some(AgentId::Claude), symposium_model::hook::PayloadFormat::Agent(AgentId::Claude))
    );
    let catalog = catalog(&[(SourceRank::User, NATIVE)]);
    let events =
        with_facts(&catalog, &[], |selection, facts, on| extra_events(&hooks::active(&catalog, selection, facts, on)));
    let word = |text: &str| text.to_owned();
    assert_eq!(
        events,
        [(AgentId::Gemini, word("BeforeModel")), (AgentId::Copilot, word("stop")), (AgentId::Claude, word("stop")),]
    );
}
