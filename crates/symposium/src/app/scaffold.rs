//! A new plugin to start from: a manifest, a skill and a hook that work as they are.

use std::path::PathBuf;

use symposium_model::skill::SkillName;

/// A file of a new plugin.
pub(crate) struct NewFile {
    /// Where it goes, below the directory it is made in.
    pub(crate) path: PathBuf,
    /// Its text.
    pub(crate) text: String,
    /// Whether it is run.
    pub(crate) executable: bool,
}

/// The files of a plugin called `name`, in a directory of that name.
pub(crate) fn files(name: &SkillName) -> Vec<NewFile> {
    let plugin = name.as_str();
    let root = PathBuf::from(plugin);
    let skill = format!("{plugin}-basics");
    vec![
        NewFile { path: root.join("symposium.toml"), text: manifest(plugin), executable: false },
        NewFile {
            path: root.join("skills").join(&skill).join("SKILL.md"),
            text: skill_text(plugin, &skill),
            executable: false,
        },
        NewFile { path: root.join("scripts/check.sh"), text: SCRIPT.to_owned(), executable: true },
    ]
}

fn manifest(plugin: &str) -> String {
    format!(
        r#"# What agents should know and do in workspaces that depend on `{plugin}`.
# Check it with `symposium plugin validate .`; try it with `symposium --source . crate {plugin}`.
name = "{plugin}"

[[skills]]
# Any version; `{plugin}=1.0` means compatible with 1.0, `{plugin}>=1.2` at least 1.2.
crates = ["{plugin}"]
source.path = "skills"

[[hooks]]
# Asked before an agent runs a shell command; see scripts/check.sh.
name = "check-commands"
event = "PreToolUse"
matcher = "Bash"
command = "./scripts/check.sh"
predicates = ["depends-on({plugin})"]
"#
    )
}

fn skill_text(plugin: &str, skill: &str) -> String {
    format!(
        r#"---
name: {skill}
description: How to use {plugin} well. Use when writing or reviewing code that calls {plugin}.
activation: always
---

# Using {plugin}

Say here what an agent gets wrong about `{plugin}`: the call to prefer, the one to avoid, what changed in the last
version, and a short example that compiles.
"#
    )
}

const SCRIPT: &str = r#"#!/bin/sh
# Reads one event as JSON from standard input.
#   exit 0: go on; JSON on standard output may add context
#   exit 2: block; standard error is the reason the agent sees
event=$(cat)

case "$event" in
  *"cargo publish"*)
    echo "Publishing is for people: ask before you run cargo publish." >&2
    exit 2
    ;;
esac
exit 0
"#;
