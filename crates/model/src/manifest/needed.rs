//! The installations that a hook needs, and their names on disk.

use super::plugin::{CommandSpec, Hook, Installation, InstallationSource, Plugin, ProgramFile};
use crate::sync::fingerprint;
use crate::transport::ServerTransport;

impl Plugin {
    pub fn installation(&self, name: &str) -> Option<&Installation> {
        self.installations.iter().find(|installation| installation.name == name)
    }

    /// Returns the installations a hook needs: that of its command first, then the requirements of both. `Err` names
    /// one that is not declared.
    pub fn needed_by(&self, hook: &Hook) -> Result<Vec<&Installation>, String> {
        let mut names: Vec<&str> = Vec::new();
        if let CommandSpec::Installed { installation, .. } = &hook.command {
            names.push(installation);
        }
        names.extend(hook.requirements.iter().map(String::as_str));
        let mut found: Vec<&Installation> = Vec::new();
        let mut at = 0;
        // Requirements of an installation are appended during the loop; each is in the list once.
        while let Some(name) = names.get(at).copied() {
            at += 1;
            let installation = self
                .installation(name)
                .ok_or_else(|| format!("it needs the installation `{name}`, which is not declared"))?;
            if found.iter().any(|known| known.name == installation.name) {
                continue;
            }
            found.push(installation);
            names.extend(installation.requirements.iter().map(String::as_str));
        }
        Ok(found)
    }

    /// Returns the installations that a hook or server uses; others are never made.
    pub fn used_installations(&self) -> Vec<&Installation> {
        let mut found: Vec<&Installation> = Vec::new();
        let of_hooks = self.hooks.iter().filter_map(|hook| self.needed_by(hook).ok()).flatten();
        let of_servers = self.mcp_servers.iter().filter_map(|server| match &server.transport {
            ServerTransport::Stdio { command, .. } => self.installation(command),
            ServerTransport::Http { .. } | ServerTransport::Sse { .. } => None,
        });
        for installation in of_hooks.chain(of_servers) {
            if !found.iter().any(|known| known.name == installation.name) {
                found.push(installation);
            }
        }
        found
    }
}

impl Installation {
    pub fn has_steps(&self) -> bool {
        !self.install_commands.is_empty() || !matches!(self.source, InstallationSource::None)
    }

    /// Returns the name of its directory: a readable part, and a hash of all the steps. `plugin` is the plugin's
    /// directory, which is hashed for steps that run in it.
    pub fn directory_name(&self, plugin: &str) -> String {
        let mut text = String::new();
        let mut say = |part: &str| text.push_str(&format!("{} {part}\n", part.len()));
        match &self.source {
            InstallationSource::None => {
                say("none");
                say(plugin);
            }
            InstallationSource::Cargo { package, version, git, global } => {
                say("cargo");
                say(package);
                say(version.as_deref().unwrap_or("*"));
                say(git.as_deref().unwrap_or("-"));
                say(if *global { "global" } else { "here" });
            }
            InstallationSource::GitHub { url } => {
                say("github");
                say(url);
            }
        }
        self.install_commands.iter().for_each(|command| say(command));
        let hash: String = fingerprint(text.as_bytes()).as_str().chars().take(16).collect();
        let shown = match &self.source {
            InstallationSource::Cargo { package, .. } => package,
            InstallationSource::None | InstallationSource::GitHub { .. } => &self.name,
        };
        let safe: String =
            shown.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(40).collect();
        format!("{safe}-{hash}")
    }

    /// Returns the suffix of the names of its environment variables.
    pub fn variable(&self) -> String {
        self.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }
}

impl ProgramFile {
    pub fn path(&self) -> &str {
        match self {
            Self::Executable(path) | Self::Script(path) => path,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn plugin(text: &str) -> Plugin {
        parse("p.toml", text, "p").plugin.unwrap()
    }

    const MANIFEST: &str = r#"
name = "p"
[[installations]]
name = "tool"
source = "cargo"
crate = "tool"
requirements = ["base"]
[[installations]]
name = "base"
requirements = ["tool"]
install_commands = ["make"]
[[installations]]
name = "unused"
source = "cargo"
crate = "unused"
[[installations]]
name = "server"
source = "github"
url = "https://github.com/o/r"
script = "run.sh"
[[hooks]]
name = "a"
event = "PreToolUse"
command = "tool"
[[hooks]]
name = "b"
event = "PreToolUse"
command = "true"
requirements = ["base"]
[[mcp_servers]]
name = "s"
command = "server"
"#;

    #[test]
    fn what_is_needed_is_found_through_others_and_once() {
        let plugin = plugin(MANIFEST);
        let names = |found: Vec<&Installation>| found.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
        assert_eq!(plugin.needed_by(&plugin.hooks[0]).map(names), Ok(vec!["tool".to_owned(), "base".to_owned()]));
        assert_eq!(plugin.needed_by(&plugin.hooks[1]).map(names), Ok(vec!["base".to_owned(), "tool".to_owned()]));
        assert_eq!(names(plugin.used_installations()), ["tool", "base", "server"]);
    }

    #[test]
    fn whatever_would_be_done_is_in_the_name_of_the_directory() {
        let of = |text: &str| {
            let plugin = plugin(&format!("name = \"p\"\n[[installations]]\nname = \"a/../b\"\n{text}"));
            plugin.installations[0].directory_name("/p")
        };
        let cargo = "source = \"cargo\"\ncrate = \"x\"\n";
        let names = [
            of(cargo),
            of(&format!("{cargo}version = \"1\"\n")),
            of(&format!("{cargo}git = \"https://example.com/x\"\n")),
            of(&format!("{cargo}install_commands = [\"a\"]\n")),
            of("install_commands = [\"a\"]\n"),
            of("source = \"github\"\nurl = \"https://github.com/o/r\"\n"),
        ];
        for (at, name) in names.iter().enumerate() {
            assert!(!name.contains(['/', '.']), "{name}");
            assert!(names.iter().skip(at + 1).all(|other| other != name), "{names:?}");
        }
        assert_eq!(of(cargo), of(&format!("{cargo}args = [\"x\"]\n")), "arguments are not part of what is made");
    }
}
