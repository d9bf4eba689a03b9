//! Variables by which a shell, an interpreter, git, a build tool or the loader runs what somebody else wrote.

/// Whole names.
const NAMES: &[&str] = &[
    // Shells.
    "BASH_ENV",
    "BASHOPTS",
    "BASH_LOADABLES_PATH",
    "CDPATH",
    "ENV",
    "FPATH",
    "GLOBIGNORE",
    "IFS",
    "PROMPT_COMMAND",
    "PS4",
    "SHELLOPTS",
    "ZDOTDIR",
    // Interpreters.
    "_JAVA_OPTIONS",
    "AWKLIBPATH",
    "AWKPATH",
    "CLASSPATH",
    "DOTNET_STARTUP_HOOKS",
    "ELIXIR_ERL_OPTIONS",
    "ERL_AFLAGS",
    "ERL_FLAGS",
    "ERL_LIBS",
    "ERL_ZFLAGS",
    "GEM_HOME",
    "GEM_PATH",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_EXTERNAL_MODULE",
    "PERLLIB",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PSModulePath",
    "TCLLIBPATH",
    "TCL_LIBRARY",
    // The loader and libraries.
    "GCONV_PATH",
    "LIBPATH",
    "LOCPATH",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "OPENSSL_MODULES",
    "SHLIB_PATH",
    // Programs that others start.
    "BROWSER",
    "EDITOR",
    "EXINIT",
    "LESSCLOSE",
    "LESSOPEN",
    "MANPAGER",
    "PAGER",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "VIMINIT",
    "VISUAL",
    // Build tools.
    "GNUMAKEFLAGS",
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

/// How other names begin.
const PREFIXES: &[&str] = &[
    "BASH_FUNC_",
    "BUNDLE_",
    "BUN_",
    "CARGO_",
    "CORECLR_",
    "COR_",
    "DENO_",
    "DYLD_",
    "GIT_",
    "GUILE_",
    "JULIA_",
    "LD_",
    "LUA_",
    "NPM_CONFIG_",
    "PERL5",
    "PYTHON",
    "RUBY",
    "R_",
    "npm_config_",
];

/// Names that begin like those and load nothing.
const HARMLESS: &[&str] = &[
    "CARGO_HOME",
    "CARGO_NET_OFFLINE",
    "CARGO_TARGET_DIR",
    "CARGO_TERM_COLOR",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_TERMINAL_PROMPT",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONIOENCODING",
    "PYTHONSAFEPATH",
    "PYTHONUNBUFFERED",
    "PYTHONUTF8",
    "RUBY_VERSION",
];

/// Whether a variable makes programs run code that whoever set it chose.
pub fn loads_code(name: &str) -> bool {
    // Exported functions have signs behind their names.
    let is_known = NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    is_known && !HARMLESS.contains(&name)
}

/// Whether a command may set a variable for what it starts: neither code, nor where programs and their settings are.
pub(super) fn may_be_set(name: &str) -> bool {
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
            "PERL5LIB",
            "PERL5OPT",
            "RUBYOPT",
            "RUBYLIB",
            "LD_PRELOAD",
            "DYLD_INSERT_LIBRARIES",
            "GIT_EXEC_PATH",
            "GIT_CONFIG_KEY_0",
            "BASH_FUNC_git%%",
            "npm_config_x",
        ] {
            assert!(loads_code(name) && !may_be_set(name), "{name}");
        }
        for name in
            ["HOME", "PATH", "LANG", "TERM", "TOKEN", "PYTHONIOENCODING", "CARGO_HOME", "SHELL", "USER", "REGION"]
        {
            assert!(!loads_code(name), "{name}");
        }
        for (name, may) in
            [("PATH", false), ("HOME", false), ("XDG_CONFIG_HOME", false), ("MODE", true), ("RUST_LOG", true)]
        {
            assert_eq!(may_be_set(name), may, "{name}");
        }
    }
}
