//! The directories of Symposium's own files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Default)]
pub struct DirectoryVariables {
    pub symposium_home: Option<OsString>,
    pub xdg_config: Option<OsString>,
    pub xdg_cache: Option<OsString>,
    pub xdg_data: Option<OsString>,
    pub home: Option<PathBuf>,
    /// The options of the call, which take precedence.
    pub named: NamedDirectories,
}

impl DirectoryVariables {
    /// Removes the variables that relocate Symposium's own files; the home directory and the options stay.
    #[must_use]
    pub fn usual(self) -> Self {
        Self { home: self.home, named: self.named, ..Self::default() }
    }
}

/// Directories given as options of a call.
///
/// Registered calls contain them, because an agent started from a desktop may lack the variables and one in a project
/// may have others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedDirectories {
    /// `--home`: replaces `SYMPOSIUM_HOME`.
    pub home: Option<PathBuf>,
    pub cache: Option<PathBuf>,
    pub logs: Option<PathBuf>,
    /// `--user-home`: the user's home directory, which holds the settings of agents and is `~` in a configuration.
    pub user: Option<PathBuf>,
}

impl NamedDirectories {
    /// Returns the options a call needs to find `wanted`, and the user's home, with any environment.
    pub fn to_find(wanted: &AppDirectories, home: Option<&Path>) -> Self {
        let implied = AppDirectories::below(&wanted.config);
        let unless = |implied: &PathBuf, wanted: &PathBuf| (implied != wanted).then(|| wanted.clone());
        Self {
            home: Some(wanted.config.clone()),
            cache: unless(&implied.cache, &wanted.cache),
            logs: unless(&implied.logs, &wanted.logs),
            user: home.filter(|home| wanted.config != home.join(USUAL)).map(Path::to_owned),
        }
    }

    /// Returns the user's home as the call gives it: directly, or as the parent of a `.symposium` directory.
    pub fn user_home(&self) -> Option<&Path> {
        let named = self.user.as_deref().filter(|home| home.is_absolute());
        let usual = || self.home.as_deref().filter(|home| home.is_absolute() && home.ends_with(USUAL))?.parent();
        named.or_else(usual)
    }

    pub fn options(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let all =
            [("--home", &self.home), ("--cache", &self.cache), ("--logs", &self.logs), ("--user-home", &self.user)];
        all.into_iter().filter_map(|(option, directory)| Some((option, directory.as_deref()?)))
    }

    /// Returns the field that `option` sets, if it is one of these options.
    pub fn slot(&mut self, option: &str) -> Option<&mut Option<PathBuf>> {
        match option {
            "--home" => Some(&mut self.home),
            "--cache" => Some(&mut self.cache),
            "--logs" => Some(&mut self.logs),
            "--user-home" => Some(&mut self.user),
            _ => None,
        }
    }

    #[must_use]
    pub fn from(self, cwd: &Path) -> Self {
        let absolute = |directory: Option<PathBuf>| directory.map(|directory| cwd.join(directory));
        Self {
            home: absolute(self.home),
            cache: absolute(self.cache),
            logs: absolute(self.logs),
            user: absolute(self.user),
        }
    }
}

const USUAL: &str = ".symposium";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppDirectories {
    /// Configuration, the user's plugins, and state that must not be lost.
    pub config: PathBuf,
    /// Files that can be made again.
    pub cache: PathBuf,
    pub logs: PathBuf,
}

impl AppDirectories {
    /// Resolves the directories: `SYMPOSIUM_HOME` decides for all three; else each XDG variable counts on its own; else
    /// `~/.symposium`. Options of the call take precedence. `None` when nothing is set.
    pub fn resolve(variables: &DirectoryVariables) -> Option<Self> {
        let named = |directory: &Option<PathBuf>| directory.clone().filter(|directory| directory.is_absolute());
        let Self { config, cache, logs } = match named(&variables.named.home) {
            Some(home) => Self::below(&home),
            None => Self::from_variables(variables)?,
        };
        Some(Self {
            config,
            cache: named(&variables.named.cache).unwrap_or(cache),
            logs: named(&variables.named.logs).unwrap_or(logs),
        })
    }

    fn from_variables(variables: &DirectoryVariables) -> Option<Self> {
        if let Some(home) = absolute(variables.symposium_home.as_ref()) {
            return Some(Self::below(&home));
        }
        let fallback = variables.home.as_deref().filter(|home| home.is_absolute());
        let fallback = fallback.map(|home| Self::below(&home.join(USUAL)));
        let xdg = |value: &Option<OsString>| absolute(value.as_ref()).map(|base| base.join("symposium"));
        Some(Self {
            config: xdg(&variables.xdg_config).or_else(|| Some(fallback.as_ref()?.config.clone()))?,
            cache: xdg(&variables.xdg_cache).or_else(|| Some(fallback.as_ref()?.cache.clone()))?,
            logs: xdg(&variables.xdg_data)
                .map(|data| data.join("logs"))
                .or_else(|| Some(fallback.as_ref()?.logs.clone()))?,
        })
    }

    fn below(home: &Path) -> Self {
        Self { config: home.to_owned(), cache: home.join("cache"), logs: home.join("logs") }
    }

    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    pub fn user_plugins(&self) -> PathBuf {
        self.config.join("plugins")
    }

    /// Returns the directory of the user's own toggles, one file for each workspace.
    pub fn workspaces(&self) -> PathBuf {
        self.config.join("workspaces")
    }

    pub fn plans(&self) -> PathBuf {
        self.cache.join("plans")
    }

    /// The file under whose lock policy hooks are released, and plans with policy hooks are written.
    pub fn plans_lock(&self) -> PathBuf {
        self.cache.join("plans.lock")
    }

    pub fn usage_file(&self) -> PathBuf {
        self.config.join("usage")
    }

    pub fn usage_lock(&self) -> PathBuf {
        self.config.join("usage.lock")
    }

    pub fn sessions(&self) -> PathBuf {
        self.config.join("sessions")
    }

    /// Returns the directory of texts that were too long for an agent's context.
    pub fn contexts(&self) -> PathBuf {
        self.cache.join("contexts")
    }

    /// Returns the directory of the whole outputs of cargo that `symposium cargo` shortened.
    pub fn cargo_outputs(&self) -> PathBuf {
        self.cache.join("cargo")
    }

    /// Returns the directory in which the blocks of skills are compiled.
    pub fn skill_tests(&self) -> PathBuf {
        self.cache.join("skill-test")
    }

    /// Returns the directory in which cargo looks up the newest version of Symposium, as its `CARGO_HOME`.
    pub fn update_lookup(&self) -> PathBuf {
        self.cache.join("update-lookup")
    }

    /// Returns the directory of the `cargo` that `[cargo] shim` puts on the PATH of agents' shells.
    pub fn shim(&self) -> PathBuf {
        self.cache.join("shim")
    }

    /// Returns the file with the PATH of the moment at which the shim was switched on.
    pub fn shim_path(&self) -> PathBuf {
        self.cache.join("shim-path")
    }

    pub fn trust_file(&self) -> PathBuf {
        self.config.join("trust.json")
    }

    /// Returns the directory of the trusted texts, each named by its hash.
    pub fn trusted_texts(&self) -> PathBuf {
        self.config.join("trust")
    }

    /// Returns the record of what plugins that need no grant ran last time.
    pub fn executables(&self) -> PathBuf {
        self.cache.join("executables.json")
    }

    /// Returns the directory of the source cache.
    pub fn index(&self) -> PathBuf {
        self.cache.join("index")
    }

    /// Returns the directory of the indexes of crates.
    pub fn api(&self) -> PathBuf {
        self.cache.join("api")
    }

    /// Returns the directory of checkouts.
    pub fn plugin_sources(&self) -> PathBuf {
        self.cache.join("plugin-sources")
    }

    pub fn installations(&self) -> PathBuf {
        self.cache.join("installations")
    }
}

/// Reads an absolute path; an empty or relative value counts as unset, as the XDG specification demands.
fn absolute(value: Option<&OsString>) -> Option<PathBuf> {
    value.map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(symposium: &str, [config, cache, data]: [&str; 3], home: &str, expected: Option<[&str; 3]>) {
        let set = |text: &str| (text != "unset").then(|| text.into());
        let variables = DirectoryVariables {
            symposium_home: set(symposium),
            xdg_config: set(config),
            xdg_cache: set(cache),
            xdg_data: set(data),
            home: (home != "unset").then(|| home.into()),
            named: NamedDirectories::default(),
        };
        let wanted = expected.map(|[config, cache, logs]| AppDirectories {
            config: config.into(),
            cache: cache.into(),
            logs: logs.into(),
        });
        assert_eq!(AppDirectories::resolve(&variables), wanted);
    }

    #[test]
    #[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
    fn each_variable_counts_on_its_own() {
        let none = ["unset"; 3];
        let default = Some(["/h/.symposium", "/h/.symposium/cache", "/h/.symposium/logs"]);
        check("unset", none, "/h", default);
        check("/s", none, "/h", Some(["/s", "/s/cache", "/s/logs"]));
        check("/s", ["/c", "/k", "/d"], "/h", Some(["/s", "/s/cache", "/s/logs"]));
        check("/s", none, "unset", Some(["/s", "/s/cache", "/s/logs"]));
        check("", none, "/h", default);
        check("relative", ["", "rel", "unset"], "/h", default);
        check(
            "unset",
            ["/c", "unset", "unset"],
            "/h",
            Some(["/c/symposium", "/h/.symposium/cache", "/h/.symposium/logs"]),
        );
        check("unset", ["/c", "/k", "/d"], "unset", Some(["/c/symposium", "/k/symposium", "/d/symposium/logs"]));
        check("unset", ["/c", "unset", "unset"], "unset", None);
        check("unset", none, "unset", None);
        check("unset", none, "relative", None);
    }

    #[test]
    #[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
    fn a_registered_call_finds_the_same_directories() {
        let set = |text: &str| (!text.is_empty()).then(|| OsString::from(text));
        let expected = [
            (["", "", "", ""], vec![("--home", "/h/.symposium")]),
            (["/s", "/c", "/k", "/d"], vec![("--home", "/s"), ("--user-home", "/h")]),
            (["/s/.symposium", "", "", ""], vec![("--home", "/s/.symposium"), ("--user-home", "/h")]),
            (
                ["", "/c", "", ""],
                vec![
                    ("--home", "/c/symposium"),
                    ("--cache", "/h/.symposium/cache"),
                    ("--logs", "/h/.symposium/logs"),
                    ("--user-home", "/h"),
                ],
            ),
            (["", "", "/k", ""], vec![("--home", "/h/.symposium"), ("--cache", "/k/symposium")]),
            (["", "", "", "/d"], vec![("--home", "/h/.symposium"), ("--logs", "/d/symposium/logs")]),
        ];
        for ([symposium, config, cache, data], options) in expected {
            let mut variables = DirectoryVariables {
                symposium_home: set(symposium),
                xdg_config: set(config),
                xdg_cache: set(cache),
                xdg_data: set(data),
                home: Some("/h".into()),
                named: NamedDirectories::default(),
            };
            let found = AppDirectories::resolve(&variables).unwrap();
            let named = NamedDirectories::to_find(&found, variables.home.as_deref());
            let words: Vec<_> =
                named.options().map(|(option, directory)| (option, directory.to_str().unwrap())).collect();
            assert_eq!(words, options);
            assert_eq!(named.user_home(), Some(Path::new("/h")));
            // Neither missing variables nor others change what is found.
            for other in [None, Some("/evil")] {
                let other = || other.map(OsString::from);
                variables = DirectoryVariables {
                    symposium_home: other(),
                    xdg_config: other(),
                    xdg_cache: other(),
                    xdg_data: other(),
                    home: other().map(PathBuf::from),
                    named: named.clone(),
                };
                assert_eq!(AppDirectories::resolve(&variables).as_ref(), Some(&found));
            }
        }
    }
}
