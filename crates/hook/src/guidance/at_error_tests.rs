//! Outputs of a shell, and the guidance they bring.

use serde_json::Map;
use symposium_model::agent::AgentId;
use symposium_model::hook::ToolUse;
use symposium_model::hook::guidance_plan::{GuidedCrate, GuidedPackage, SkillDigest, print_digests, print_packages};
use symposium_model::hook::hook_plan::{EditGuidance, GuidancePlan, SkillAgents};

use super::*;
use crate::session::SessionState;

const CARGO: &str = include_str!("../../tests/fixtures/rustc/cargo-never.txt");
const SOURCE: &str = include_str!("../../tests/fixtures/rustc/broken.rs.txt");

#[expect(clippy::disallowed_methods, reason = "files of the test")]
fn world() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let krate = |name: &str, version: &str| GuidedCrate {
        code_name: name.to_owned(),
        name: name.to_owned(),
        version: version.to_owned(),
        skills: vec![format!("about-{name}")],
    };
    let crates = vec![krate("semver", "1.0.28"), krate("serde_json", "1.0.154"), krate("unused", "1.0.0")];
    let package = GuidedPackage { directory: root.path().to_str().unwrap().to_owned(), crates };
    let digest = |name: &str, text: String| SkillDigest { skill: format!("about-{name}"), text };
    for (name, text) in [
        ("guidance", print_packages(&[package])),
        ("digests", print_digests(&[digest("semver", "Digest S".to_owned()), digest("serde_json", "x".repeat(1400))])),
    ] {
        std::fs::write(root.path().join(name), text).unwrap();
    }
    std::fs::create_dir(root.path().join("src")).unwrap();
    std::fs::write(root.path().join("src/main.rs"), SOURCE).unwrap();
    root
}

fn advise(
    root: &tempfile::TempDir,
    agent: Option<AgentId>,
    session: &SessionState,
    input: &HookInput,
) -> Option<ErrorAdvice> {
    let plan = GuidancePlan { mode: EditGuidance::Digest, holders: SkillAgents::default() };
    let files = FileGuide { plan: &plan, plans: root.path(), workspace: root.path(), agent, session };
    let nearest = |query: &ItemQuery| match query.name.as_str() {
        "VersionRequest" => vec!["semver::VersionReq".to_owned(), "x".repeat(200)],
        _ => Vec::new(),
    };
    ErrorGuide { files, nearest: &nearest }.advise(input)
}

fn ran(tool: &str, output: &str, failed: bool) -> HookInput {
    let result = ToolResult { response: None, failed, output: Some(output.to_owned()) };
    let tool = ToolUse { name: tool.to_owned(), input: Map::new(), native: None };
    HookInput {
        agent: None,
        session_id: None,
        cwd: None,
        sub_agent: None,
        detail: EventDetail::PostToolUse(tool, result),
    }
}

#[test]
fn an_error_about_a_dependency_brings_its_digest_and_the_nearest_items() {
    let root = world();
    let told = advise(&root, None, &SessionState::default(), &ran("Bash", CARGO, true)).unwrap();
    assert_eq!(
        told.text,
        "semver 1.0.28: Digest S\nThe skill `about-semver` has the rest.\nPublic items nearest to `VersionRequest`: \
         `semver::VersionReq`."
    );
    let keys = ["VersionRequest", "bump_major", "new", "patchlevel", "label"];
    assert_eq!(told.told, keys.map(|name| format!("error.semver.{name}")), "the other digest did not fit");
}

#[test]
fn each_name_is_told_once_and_only_where_the_agent_listens() {
    let root = world();
    let none = SessionState::default();
    let first = advise(&root, None, &none, &ran("Bash", CARGO, true)).unwrap();
    let again = SessionState { told: first.told, ..SessionState::default() };
    let rest = advise(&root, None, &again, &ran("Bash", CARGO, true)).unwrap();
    assert_eq!(rest.told, ["error.serde_json.from_string", "error.serde_json.Integer"]);
    let all = SessionState { told: [again.told, rest.told].concat(), ..SessionState::default() };
    assert_eq!(advise(&root, None, &all, &ran("Bash", CARGO, true)), None);
    for (agent, tool, output, is_told) in [
        (AgentId::Claude, "Bash", CARGO, true),
        (AgentId::Goose, "Bash", CARGO, false),
        (AgentId::Claude, "Read", CARGO, false),
        (AgentId::Claude, "Bash", "error[E0308]: mismatched types", false),
        (AgentId::Claude, "Bash", "", false),
    ] {
        let told = advise(&root, Some(agent), &none, &ran(tool, output, true));
        assert_eq!(told.is_some(), is_told, "{agent} {tool}");
    }
}

#[test]
fn words_of_the_agent_before_the_first_error_do_not_hide_it() {
    let root = world();
    let whole = format!("Output: {CARGO}\nExit Code: 101\nProcess Group PGID: 25");
    let mut input = ran("Bash", &whole, false);
    if let EventDetail::PostToolUse(_, result) = &mut input.detail {
        result.response = Some(serde_json::json!({ "llmContent": whole }));
    }
    let told = advise(&root, Some(AgentId::Gemini), &SessionState::default(), &input).unwrap();
    assert!(told.told.contains(&"error.semver.VersionRequest".to_owned()), "{:?}", told.told);
}
