//! A new plugin to start from: a manifest, a skill and a hook that work as they are.

use std::path::PathBuf;

use symposium_model::crates::CrateName;
use symposium_model::schema::JsonSchema;
use symposium_model::skill::{NameProblem, SKILL_FILE, SkillName, TEMPLATE};

/// The suffix of the skill's name, after the name of the plugin.
const SUFFIX: &str = "-basics";

/// The schema of manifests, so that editors which know the directive above complete keys and explain them.
const SCHEMA: &str = "symposium.schema.json";

/// Characters of a skill's name; every agent takes as many.
const LONGEST_SKILL_NAME: usize = 64;

pub(crate) struct NewPlugin {
    name: String,
    skill: SkillName,
}

pub(crate) struct NewFile {
    /// The path below the directory in which the plugin is created.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) executable: bool,
}

impl NewPlugin {
    /// A plugin called after the crate it is for, or what to do about a name it cannot have.
    pub(crate) fn parse(name: &str) -> Result<Self, &'static str> {
        const RULE: &str = "use the crate's name: letters, digits, `-` and `_`, starting with a letter, at most 64";
        let is_crate = CrateName::parse(name).is_some();
        if !is_crate || !name.is_ascii() || name.starts_with('_') {
            return Err(RULE);
        }
        let skill = SkillName::normalize(name).and_then(|name| {
            let longest = LONGEST_SKILL_NAME - SUFFIX.len();
            let short: String = name.as_str().chars().take(longest).collect();
            SkillName::normalize(&format!("{short}{SUFFIX}"))
        });
        match skill {
            Ok(skill) => Ok(Self { name: name.to_owned(), skill }),
            Err(NameProblem::Device) => Err("choose another name: Windows reserves this one for a device"),
            Err(NameProblem::Empty | NameProblem::TooLong | NameProblem::Character(_) | NameProblem::NotNormal) => {
                Err(RULE)
            }
        }
    }

    /// Its name, which is that of its directory and of the crate it is for.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Its files, below the directory it is made in.
    pub(crate) fn files(&self, home: PluginHome) -> Vec<NewFile> {
        let (plugin, skill) = (self.name.as_str(), self.skill.as_str());
        let root = self.root(home);
        let text_file = |path: PathBuf, text: String| NewFile { path, text, executable: false };
        let mut files = vec![
            text_file(root.join(home.manifest()), manifest(plugin, home)),
            text_file(self.skill_file(home), skill_text(plugin, skill)),
            NewFile { path: root.join("scripts/check.sh"), text: SCRIPT.to_owned(), executable: true },
        ];
        match home {
            PluginHome::Directory => {
                files.push(text_file(root.join(SCHEMA), format!("{}\n", JsonSchema::Manifest.document())));
            }
            // Users of a published crate do not need it.
            PluginHome::Crate => {}
        }
        files
    }

    /// Its skill, below the directory it is made in.
    pub(crate) fn skill_file(&self, home: PluginHome) -> PathBuf {
        self.root(home).join("skills").join(self.skill.as_str()).join(SKILL_FILE)
    }

    fn root(&self, home: PluginHome) -> PathBuf {
        match home {
            PluginHome::Directory => PathBuf::from(&self.name),
            PluginHome::Crate => PathBuf::new(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PluginHome {
    /// In a directory of its name.
    Directory,
    /// At the root of the crate it is for.
    Crate,
}

impl PluginHome {
    fn manifest(self) -> &'static str {
        match self {
            Self::Directory => "symposium.toml",
            Self::Crate => "SYMPOSIUM.toml",
        }
    }
}

fn manifest(plugin: &str, home: PluginHome) -> String {
    let head = match home {
        PluginHome::Directory => format!(
            "#:schema ./{SCHEMA}\n\
             # Skills and hooks for workspaces that depend on `{plugin}`.\n\
             # Check it with `symposium plugin validate .` and `symposium skill test .`; try it with `symposium --source . crate {plugin}`.\n"
        ),
        PluginHome::Crate => format!(
            "# Skills and hooks for workspaces that depend on this version of the crate.\n\
             # Check it with `symposium plugin validate` and `symposium skill test`; try it with `symposium crate {plugin}`.\n"
        ),
    };
    format!(
        r#"{head}name = "{plugin}"
# Any version; `{plugin}=1.0` means compatible with 1.0, `{plugin}>=1.2` at least 1.2.
crates = ["{plugin}"]

[[skills]]
source.path = "skills"

[[hooks]]
# Runs before an agent runs a shell command; see scripts/check.sh.
name = "check-commands"
event = "PreToolUse"
matcher = "Bash"
command = "./scripts/check.sh"

# Expected results; `symposium hook test` runs each case for every agent.
[[hooks.tests]]
name = "publishing is refused"
input = {{ tool_name = "Bash", tool_input = {{ command = "cargo publish" }} }}
decision = "deny"
reason = "for people"

[[hooks.tests]]
name = "the rest goes on"
input = {{ tool_name = "Bash", tool_input = {{ command = "cargo test" }} }}
decision = "none"
"#
    )
}

fn skill_text(plugin: &str, skill: &str) -> String {
    format!(
        r#"---
name: {skill}
description: Use when writing or reviewing code that calls {plugin}.
activation: always
---

# Using {plugin}

{TEMPLATE} `{plugin}`: the call to prefer, the one to avoid, what changed in the last
version, and a short example that compiles. `symposium skill test` compiles it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_is_called_after_the_crate_and_no_longer_than_a_skill_may_be() {
        let long = "a".repeat(64);
        let cut = format!("{}-basics", "a".repeat(57));
        for (name, skill) in [
            ("tokio", "tokio-basics"),
            ("serde_json", "serde-json-basics"),
            ("Inflector", "inflector-basics"),
            (&long, &cut),
            (&format!("{}_{}", "a".repeat(56), "b"), &format!("{}-basics", "a".repeat(56))),
        ] {
            let plugin = NewPlugin::parse(name).unwrap_or_else(|hint| panic!("{name}: {hint}"));
            assert_eq!((plugin.name(), plugin.skill.as_str()), (name, skill));
        }
    }

    #[test]
    fn a_name_no_crate_has_is_refused_with_what_to_do() {
        for name in ["", "../x", "a/b", "3d", "_x", "größe", "a b", "a.b", "a\u{1b}b", &"a".repeat(65)] {
            let hint = NewPlugin::parse(name).err();
            assert!(hint.is_some_and(|hint| hint.starts_with("use the crate's name")), "{name}");
        }
        let hint = NewPlugin::parse("con").err();
        assert!(hint.is_some_and(|hint| hint.contains("Windows")));
    }
}
