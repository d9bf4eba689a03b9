//! Environment variables through which a shell, an interpreter, git, a build tool or the loader runs other code, or
//! stops working.

const NAMES: &[&str] = &[
    // Shells.
    "BASH_ENV",
    "BASHOPTS",
    "BASH_LOADABLES_PATH",
    "CDPATH",
    "ENV",
    "EXECIGNORE",
    "FPATH",
    "FUNCNEST",
    "GLOBIGNORE",
    "GREP_OPTIONS",
    "IFS",
    "PROMPT_COMMAND",
    "PS4",
    "SHELLOPTS",
    "TMOUT",
    "ZDOTDIR",
    // Interpreters.
    "_JAVA_OPTIONS",
    "AWKLIBPATH",
    "AWKPATH",
    "BC_ENV_ARGS",
    "CAML_LD_LIBRARY_PATH",
    "CLASSPATH",
    "DOTNET_ADDITIONAL_DEPS",
    "DOTNET_SHARED_STORE",
    "DOTNET_STARTUP_HOOKS",
    "ELIXIR_ERL_OPTIONS",
    "ERL_AFLAGS",
    "ERL_FLAGS",
    "ERL_LIBS",
    "ERL_ZFLAGS",
    "GEM_HOME",
    "GEM_PATH",
    "GRADLE_OPTS",
    "JAVA_OPTS",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JRUBY_OPTS",
    "MAVEN_OPTS",
    "PERLLIB",
    "PSModulePath",
    "TCLLIBPATH",
    "TCL_LIBRARY",
    // The loader and libraries.
    "GCONV_PATH",
    "LIBPATH",
    "LOCPATH",
    "GLIBC_TUNABLES",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "OPENSSL_MODULES",
    "SHLIB_PATH",
    // Programs that others start.
    "BROWSER",
    "CVS_RSH",
    "EDITOR",
    "EXINIT",
    "MANPAGER",
    "MORE",
    "PAGER",
    "RSYNC_RSH",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "SUDO_EDITOR",
    "SVN_SSH",
    "SYSTEMD_PAGER",
    "TAR_OPTIONS",
    "VIMINIT",
    "VISUAL",
    "ZIPOPT",
    // Version managers: a project does not decide which installed version runs.
    "MISE_TRUSTED_CONFIG_PATHS",
    "MISE_YES",
    "NODENV_DIR",
    "NODENV_VERSION",
    "PYENV_DIR",
    "PYENV_VERSION",
    "RBENV_DIR",
    "RBENV_VERSION",
    // Build tools.
    "GCC_EXEC_PREFIX",
    "AR",
    "CC",
    "CXX",
    "EMACSLOADPATH",
    "GNUMAKEFLAGS",
    "GOENV",
    "GOFLAGS",
    "GOPROXY",
    "LD",
    "MAKEFILES",
    "MAKEFLAGS",
    "MFLAGS",
    "RUSTC",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTDOC",
    "RUSTFLAGS",
    "RUSTFMT",
    "RUSTUP_TOOLCHAIN",
];

const PREFIXES: &[&str] = &[
    "BASH_FUNC_",
    "BUNDLE_",
    "BUN_",
    "CARGO_",
    "CORECLR_",
    "COR_",
    "DENO_",
    "DYLD_",
    "FZF_",
    "GIT_",
    "GUILE_",
    "JULIA_",
    "LD_",
    "LESS",
    "LUA_",
    "NODE_",
    "PERL5",
    "PERLIO",
    "PERL_",
    "PHP",
    "PIP_",
    "PYTHON",
    "RAKU",
    "RUBY",
    "R_",
    "TS_NODE_",
    "UV_",
];

/// Names with such a prefix that load nothing.
const HARMLESS: &[&str] = &[
    "CARGO_HOME",
    "CARGO_HTTP_CAINFO",
    "CARGO_HTTP_PROXY",
    "CARGO_NET_OFFLINE",
    "CARGO_TARGET_DIR",
    "CARGO_TERM_COLOR",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_PROXY_SSL_CAINFO",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_TERMINAL_PROMPT",
    "NODE_ENV",
    "NODE_EXTRA_CA_CERTS",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONSAFEPATH",
    "PYTHONUNBUFFERED",
    "RUBY_VERSION",
];

/// The prefix of npm's settings, in upper or lower case.
const NPM_SETTINGS: &str = "npm_config_";

/// Tells whether a variable makes programs run other code, or stops an interpreter from working.
pub fn loads_code(name: &str) -> bool {
    // Exported functions have signs behind their names.
    let is_known = NAMES.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || name.get(..NPM_SETTINGS.len()).is_some_and(|start| start.eq_ignore_ascii_case(NPM_SETTINGS));
    is_known && !HARMLESS.contains(&name)
}

/// Tells whether a command may set a variable for the programs it starts: it must not load code, nor relocate programs
/// or their settings.
#[cfg(any(test, feature = "manifests"))]
pub(crate) fn may_be_set(name: &str) -> bool {
    !loads_code(name) && !matches!(name, "PATH" | "HOME" | "CARGO_HOME") && !name.starts_with("XDG_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_loads_code_is_told_from_what_does_not() {
        for name in [
            "PYTHONPATH",
            "PYTHONSTARTUP",
            "NODE_OPTIONS",
            "BASH_ENV",
            "ENV",
            "EXECIGNORE",
            "PERL5LIB",
            "PERL5OPT",
            "RUBYOPT",
            "RUBYLIB",
            "LD_PRELOAD",
            "DYLD_INSERT_LIBRARIES",
            "GIT_EXEC_PATH",
            "GIT_CONFIG_KEY_0",
            "BASH_FUNC_git%%",
            "PERL_UNSAFE_INC",
            "NODE_COMPILE_CACHE",
            "TAR_OPTIONS",
            "GOFLAGS",
            "npm_config_x",
            "Npm_config_registry",
            "PYTHONUTF8",
            "PYTHONIOENCODING",
            "FUNCNEST",
            "PERLIO",
            "PYENV_VERSION",
            "UV_PYTHON",
        ] {
            assert!(loads_code(name) && !may_be_set(name), "{name}");
        }
        for name in ["HOME", "PATH", "LANG", "TERM", "TOKEN", "PYENV_ROOT", "CARGO_HOME", "SHELL", "USER", "REGION"] {
            assert!(!loads_code(name), "{name}");
        }
        for (name, may) in
            [("PATH", false), ("HOME", false), ("XDG_CONFIG_HOME", false), ("MODE", true), ("RUST_LOG", true)]
        {
            assert_eq!(may_be_set(name), may, "{name}");
        }
    }
}
