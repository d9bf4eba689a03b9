//! Where Symposium keeps its own files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The environment variables that decide.
#[derive(Debug, Clone, Default)]
pub struct DirectoryVariables {
    /// `SYMPOSIUM_HOME`.
    pub symposium_home: Option<OsString>,
    /// `XDG_CONFIG_HOME`.
    pub xdg_config: Option<OsString>,
    /// `XDG_CACHE_HOME`.
    pub xdg_cache: Option<OsString>,
    /// `XDG_DATA_HOME`.
    pub xdg_data: Option<OsString>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
}

/// The three directories everything of ours lives in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directories {
    /// Configuration, the user's plugins, and state that must not be lost.
    pub config: PathBuf,
    /// What can be made again.
    pub cache: PathBuf,
    /// Logs and the trail.
    pub logs: PathBuf,
}

impl Directories {
    /// `SYMPOSIUM_HOME` decides for all three; else each XDG variable counts on its own; else `~/.symposium`.
    /// `None` when neither the variables nor a home directory say where.
    pub fn resolve(variables: &DirectoryVariables) -> Option<Self> {
        if let Some(home) = absolute(variables.symposium_home.as_ref()) {
            return Some(Self::below(&home));
        }
        let fallback = variables.home.as_deref().filter(|home| home.is_absolute());
        let fallback = fallback.map(|home| Self::below(&home.join(".symposium")));
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

    /// The user's configuration file.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The user's own plugins.
    pub fn user_plugins(&self) -> PathBuf {
        self.config.join("plugins")
    }

    /// What the hook reads.
    pub fn plans(&self) -> PathBuf {
        self.cache.join("plans")
    }

    /// What the hook remembers about sessions of agents.
    pub fn sessions(&self) -> PathBuf {
        self.config.join("sessions")
    }

    /// Texts that were too long to be told.
    pub fn contexts(&self) -> PathBuf {
        self.cache.join("contexts")
    }

    /// What was granted to run.
    pub fn trust_file(&self) -> PathBuf {
        self.config.join("trust.json")
    }

    /// The texts that were granted, each under its hash.
    pub fn trusted_texts(&self) -> PathBuf {
        self.config.join("trust")
    }

    /// What plugins that need no grant ran last time.
    pub fn executables(&self) -> PathBuf {
        self.cache.join("executables.json")
    }

    /// What is remembered of sources, to spare reading all of them again.
    pub fn index(&self) -> PathBuf {
        self.cache.join("index")
    }

    /// Copies of sources that are not on disk as they are.
    pub fn plugin_sources(&self) -> PathBuf {
        self.cache.join("plugin-sources")
    }

    /// Programs that plugins need.
    pub fn installations(&self) -> PathBuf {
        self.cache.join("installations")
    }
}

/// An empty or relative value counts as unset, as the XDG specification demands.
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
        };
        let wanted = expected.map(|[config, cache, logs]| Directories {
            config: config.into(),
            cache: cache.into(),
            logs: logs.into(),
        });
        assert_eq!(Directories::resolve(&variables), wanted);
    }

    #[test]
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
}
