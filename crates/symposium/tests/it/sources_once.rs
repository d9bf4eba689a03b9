//! A `sync` that resolves more than once reads each source once.

use symposium_testkit::TestContext;

use crate::faults::can_trace;
use crate::with_fixture;

/// A user with choices of their own, so that what the project is to say is resolved apart from what applies here.
const OWN_CHOICES: &str =
    "[agent]\nname = \"claude\"\n[defaults]\nbuiltin = false\nsymposium-recommendations = false\n";
const NO_CHOICES: &str = "[agent]\nname = \"claude\"\n";
const PROJECT: &str = "[defaults]\nsymposium-recommendations = false\n\n\
                       [[plugin-source]]\nname = \"team\"\npath = \"team\"\n";

fn project(config: &str, dependency: &str) -> TestContext {
    let context = with_fixture(&["workspace0"]);
    context.write_config("config.toml", config);
    context.write(".symposium/config.toml", PROJECT);
    let skills = "\n[[skills]]\nsource.path = \"skills\"\n";
    for (name, krate, more) in [("serde-help", "serde", dependency), ("bevy-help", "bevy", "")] {
        context.write(&format!("team/{name}/symposium.toml"), format!("crates = [\"{krate}\"]\n{more}{skills}"));
        let skill = format!("---\nname: {name}\ndescription: Use it when {name} matters in this crate.\n---\n\nText\n");
        context.write(&format!("team/{name}/skills/{name}/SKILL.md"), skill);
    }
    context
}

/// Runs the first `sync`, and returns how often the manifest of a plugin that cannot apply was opened.
fn opened(context: &TestContext) -> usize {
    let log = context.root().join("strace.log");
    let tracer = ["strace", "-f", "-qq", "-o", log.to_str().unwrap(), "-e", "trace=open,openat,openat2"];
    context.invoke_through(&tracer, &["sync", "--lock"]).expect(0);
    let text = std::fs::read_to_string(log).unwrap();
    text.lines().filter(|line| line.contains("bevy-help/symposium.toml\"") && !line.contains(" = -1 ")).count()
}

fn lockfile(context: &TestContext) -> String {
    std::fs::read_to_string(context.workspace().join(".symposium/symposium.lock")).unwrap()
}

#[test]
fn a_source_that_was_read_is_not_read_again_for_the_project() {
    if !can_trace() {
        return;
    }
    // Once for what it says, and once for the hash in the lockfile.
    let own = project(OWN_CHOICES, "");
    assert_eq!(opened(&own), 2);
    let without = project(NO_CHOICES, "");
    assert_eq!(opened(&without), 2);
    let lock = lockfile(&own);
    assert!(lock.contains("serde-help") && !lock.contains("bevy-help"), "{lock}");
    assert_eq!(lock, lockfile(&without), "what was read for the user is right for the project");
}

#[test]
fn a_source_to_which_dependencies_were_added_is_read_again() {
    let more = "\n[[plugins]]\nsource.path = \"../extra\"\n";
    let [own, without] = [OWN_CHOICES, NO_CHOICES].map(|config| {
        let context = project(config, more);
        context.write("team/extra/symposium.toml", "crates = [\"serde\"]\n\n[[skills]]\nsource.path = \"skills\"\n");
        let skill = "---\nname: extra\ndescription: Use it when extra matters in this crate.\n---\n\nText\n";
        context.write("team/extra/skills/extra/SKILL.md", skill);
        let output = context.invoke(&["sync", "--lock"]);
        assert!([0, 3].contains(&output.code), "{output:?}");
        lockfile(&context)
    });
    assert!(own.contains("serde-help"), "{own}");
    assert_eq!(own, without);
}
