//! Our directories, wherever the variables put them: what is registered finds them again without the variables.

use std::path::Path;

use serde_json::Value;
use symposium_testkit::{Output, TestContext};

use crate::repository::Repository;
use crate::with_fixture;

const GUARD: &str = "name = \"guard\"\n\n[[hooks]]\nname = \"no\"\nevent = \"PreToolUse\"\nmatcher = \"Bash\"\n\
                     command = \"sh -c 'echo not here >&2; exit 2'\"\n";

const EVENT: &str = r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash",
"tool_input":{"command":"ls"},"tool_use_id":"t","cwd":"CWD"}"#;

/// The command Claude Code was told for an event, as `sh` runs it, with nothing of ours in the environment.
fn as_registered(context: &TestContext, event: &str) -> Output {
    let settings = std::fs::read_to_string(context.root().join("home/.claude/settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&settings).unwrap();
    let command = settings["hooks"][event][0]["hooks"][0]["command"].as_str().unwrap();
    let home = format!("HOME={}", context.root().join("home").display());
    let path = format!("PATH={}", std::env::var("PATH").unwrap());
    let clean = ["env", "-i", &home, &path, "SYMPOSIUM_OFFLINE=1", "sh", "-c"];
    let payload = EVENT.replace("CWD", context.workspace().to_str().unwrap());
    let script = format!("printf '%s' '{payload}' | ( {command} )");
    let mut words = clean.to_vec();
    words.push(&script);
    context.invoke_through(&words, &[])
}

fn machine(variables: &[&str]) -> TestContext {
    let mut context = with_fixture(&["workspace0"]);
    context.set("SYMPOSIUM_HOME", "").set("SYMPOSIUM_OFFLINE", "0");
    for variable in variables {
        let directory = context.root().join(variable.to_lowercase());
        context.set(variable, directory.to_str().unwrap());
    }
    let repository = Repository::create(context.root().join("server/plugins"));
    repository.write("guard/symposium.toml", GUARD).commit();
    let config = format!(
        "[defaults]\nbuiltin = false\nsymposium-recommendations = false\nuser-plugins = false\n\n\
         [[plugin-source]]\nname = \"team\"\ngit = \"{}\"\n",
        repository.url()
    );
    let place = if variables.contains(&"XDG_CONFIG_HOME") { "xdg_config_home/symposium" } else { "home/.symposium" };
    let place = context.root().join(place);
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("config.toml"), config).unwrap();
    context
}

/// An agent started from a desktop lacks the variables of the terminal `init` ran in.
#[test]
fn a_guard_from_git_holds_without_the_variables_it_was_registered_with() {
    let all = ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"];
    for variables in [&all[..0], &all[..1], &all[1..2], &all[2..], &all[..]] {
        let context = machine(variables);
        context.invoke(&["init", "--agent", "claude", "--yes"]).expect(0);
        let answer = as_registered(&context, "PreToolUse");
        assert!(answer.stdout.contains("not here"), "{variables:?}: {answer:?}");
        let trail = context.invoke(&["hook", "log", "--json"]).expect(0);
        assert!(trail.contains("guard/no"), "{variables:?}: {trail}");
        for unused in ["home/.symposium", "xdg_config_home"].map(|place| context.root().join(place)) {
            let places = [unused.join("cache"), unused.join("symposium/cache"), unused.join("symposium/logs")];
            let wrong = |place: &&std::path::PathBuf| variables.len() == all.len() && Path::exists(place);
            assert_eq!(places.iter().find(wrong), None, "{variables:?}");
        }
    }
}
