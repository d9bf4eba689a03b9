//! Every dialect the public recommendations have been written in loads, and what is odd about it is said.

use expect_test::expect;

use crate::plugin_sync::installed;
use crate::repository::Repository;
use crate::with_fixture;

/// The answer of `plugin list` about one source, one line for each plugin and warning.
fn summary(document: &serde_json::Value, source: &str) -> String {
    let sources = document["sources"].as_array().unwrap();
    let source = sources.iter().find(|found| found["name"] == source).unwrap();
    let names = |value: &serde_json::Value| {
        value.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    let mut lines = Vec::new();
    for plugin in source["plugins"].as_array().unwrap() {
        let active = if plugin["active"] == true { "active" } else { "inactive" };
        let name = plugin["name"].as_str().unwrap();
        let line = format!("{name}, {active}; skills {}; hooks {}", names(&plugin["skills"]), names(&plugin["hooks"]));
        lines.push(line.replace("skills ;", "no skills;").trim_end().to_owned());
    }
    for kind in ["errors", "warnings"] {
        for found in source[kind].as_array().unwrap() {
            let path = found["path"].as_str().unwrap().rsplit("recommendations/").next().unwrap();
            lines.push(format!("{kind}: {path}: {}", found["message"].as_str().unwrap()));
        }
    }
    lines.join("\n")
}

#[test]
fn every_dialect_loads() {
    let context = with_fixture(&["workspace0", "dialects"]);
    let source = context.root().join("files/recommendations");
    let output = context.invoke(&["plugin", "list", "--json", "--source", source.to_str().unwrap()]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let document = serde_json::from_str(&output.stdout).unwrap();
    expect![[r#"
        recommendations, active; no skills; hooks
        advice, active; no skills; hooks
        alone, active; skills alone; hooks
        below-the-crate, inactive; no skills; hooks
        everywhere, active; skills habits; hooks
        in-the-crate, active; no skills; hooks
        one-skill, active; skills one-skill; hooks
        rewrite-first, active; no skills; hooks rewrite
        rewrite-last, active; no skills; hooks rewrite
        rewrite-next, inactive; no skills; hooks rewrite
        server, inactive; no skills; hooks
        through-a-crate, active; no skills; hooks
        twin, active; no skills; hooks
        twin, inactive; no skills; hooks
        unnamed, active; skills unnamed-guidance; hooks
        warnings: advice.toml: Skills of this group were skipped: `https://github.com/symposium-dev/recommendations/tree/main/skills/serde` is not fetched yet
        warnings: in-the-crate/SYMPOSIUM.toml: Skills of this group were skipped: the source of crate serde 1.0.219 is not on this machine
        warnings: SYMPOSIUM.toml: This manifest has no name; its directory or file name `recommendations` is used
        warnings: SYMPOSIUM.toml: `discovery` is not supported: only the user chooses the dependencies whose plugins are used
        warnings: rewrite-next/SYMPOSIUM.toml: This manifest has no name; its directory or file name `rewrite-next` is used
        warnings: server/SYMPOSIUM.toml: `shell(…)` is not supported, so this condition never holds
        warnings: server/SYMPOSIUM.toml: `subcommand` is not supported: plugins do not add commands
        warnings: through-a-crate/SYMPOSIUM.toml: This manifest has no name; its directory or file name `through-a-crate` is used
        warnings: unnamed/SYMPOSIUM.toml: This manifest has no name; its directory or file name `unnamed` is used
        warnings: through-a-crate/SYMPOSIUM.toml: A dependency of this plugin was skipped: crate `error-pack` is not a dependency of this workspace"#]].assert_eq(&summary(&document, "recommendations"));
}

#[test]
fn they_load_where_they_come_from() {
    let mut context = with_fixture(&["workspace0", "dialects"]);
    context.set("SYMPOSIUM_OFFLINE", "0");
    let repository = Repository::create(context.root().join("files/recommendations"));
    repository.commit();
    let stand_in = format!(
        "[url \"file://{}/files/\"]\n\tinsteadOf = https://github.com/symposium-dev/\n",
        context.root().display()
    );
    std::fs::write(context.root().join("home/.gitconfig"), stand_in).unwrap();
    context.write_config("config.toml", "[agent]\nname = \"claude\"\n");
    context.invoke(&["sync"]).expect(0);
    for skill in ["habits", "one-skill", "unnamed-guidance", "alone"] {
        assert!(installed(&context, skill).is_some(), "{skill}");
    }
    let output = context.invoke(&["plugin", "list", "--json"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let document: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let summary = summary(&document, "symposium-recommendations");
    assert!(summary.contains("rewrite-first, active") && !summary.contains("errors:"), "{summary}");
    // Text is used; what would be run is not, before somebody agreed to it.
    let servers = std::fs::read_to_string(context.root().join("home/.claude.json")).unwrap();
    assert!(!servers.contains("console"), "{servers}");
}
