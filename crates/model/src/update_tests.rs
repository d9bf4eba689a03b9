use super::*;

const RECORD: &str = r#"{"installs":{
    "ripgrep 14.0.0 (registry+https://github.com/rust-lang/crates.io-index)":{"bins":["rg"]},
    "symposium 0.1.0 (SOURCE)":{"bins":["cargo-agents","symposium"],"version_req":null}},"v":1}"#;

fn nothing() -> InstallEvidence<'static> {
    InstallEvidence {
        program: Path::new(""),
        cargo_home: None,
        cargo_record: None,
        binstall_record: None,
        receipt: None,
        in_node_project: false,
        environment_files: &[],
        wheel_installer: None,
    }
}

fn told(program: &str, evidence: InstallEvidence<'_>) -> (&'static str, Option<String>) {
    let cargo_home = Some(Path::new("/h/.cargo"));
    let found = InstallMethod::tell(InstallEvidence { program: Path::new(program), cargo_home, ..evidence });
    (found.name(), found.update().map(|command| command.to_string()))
}

#[test]
fn the_place_of_the_program_tells() {
    for (program, name, command) in [
        ("/h/.cargo/bin/symposium", "cargo", Some("cargo install --locked --force symposium --version \">=0.6\"")),
        ("/opt/homebrew/bin/symposium", "homebrew", Some("brew upgrade symposium")),
        ("/usr/local/Cellar/symposium/0.1.0/bin/symposium", "homebrew", Some("brew upgrade symposium")),
        ("/nix/store/abc-symposium/bin/symposium", "nix", Some("nix profile upgrade symposium")),
        ("/snap/symposium/1/bin/symposium", "snap", Some("snap refresh symposium")),
        ("/usr/bin/symposium", "system", None),
        ("/usr/local/bin/symposium", "unknown", None),
        ("/w/target/debug/symposium", "unknown", None),
    ] {
        let expected = (name, command.map(str::to_owned));
        assert_eq!(told(program, nothing()), expected, "{program}");
    }
}

#[test]
fn packages_of_node_are_told_by_their_place() {
    let global = "npm install --global --prefix";
    for (program, in_node_project, name, command) in [
        (
            "/usr/lib/node_modules/@symposium-dev/symposium-linux-x64/bin/symposium",
            false,
            "npm",
            format!("{global} /usr @symposium-dev/symposium@latest"),
        ),
        (
            "/h/.nvm/v/lib/node_modules/@symposium-dev/symposium/node_modules/@symposium-dev/symposium-linux-x64/bin/symposium",
            false,
            "npm",
            format!("{global} /h/.nvm/v @symposium-dev/symposium@latest"),
        ),
        (
            "/h/npm/node_modules/@symposium-dev/symposium-win32-x64/bin/symposium.exe",
            false,
            "npm",
            format!("{global} /h/npm @symposium-dev/symposium@latest"),
        ),
        ("/w/node_modules/@symposium-dev/symposium-linux-x64/bin/symposium", true, "npm-project", String::new()),
        (
            "/w/node_modules/.pnpm/@symposium-dev+x@0.7.0/node_modules/@symposium-dev/x/bin/symposium",
            true,
            "npm-project",
            String::new(),
        ),
        (
            "/h/.npm/_npx/01ab/node_modules/@symposium-dev/symposium-linux-x64/bin/symposium",
            true,
            "npx",
            "npm install --global @symposium-dev/symposium@latest".to_owned(),
        ),
        (
            "/h/.cache/pnpm/dlx/a/node_modules/.pnpm/x/node_modules/y/bin/symposium",
            true,
            "npx",
            "npm install --global @symposium-dev/symposium@latest".to_owned(),
        ),
        ("/h/_npx/bin/symposium", false, "unknown", String::new()),
    ] {
        let evidence = InstallEvidence { in_node_project, ..nothing() };
        let expected = (name, (!command.is_empty()).then_some(command));
        assert_eq!(told(program, evidence), expected, "{program}");
    }
}

#[test]
#[cfg(unix)]
fn wheels_are_told_by_the_files_of_their_environment() {
    let venv: &[&str] = &["pyvenv.cfg"];
    for (program, environment_files, wheel_installer, name, command) in [
        ("/v/bin/symposium", venv, Some("pip\n"), "pip", "/v/bin/python -m pip install --upgrade symposium-dev"),
        ("/h/.local/bin/symposium", &[], Some("pip\n"), "pip", "python3 -m pip install --upgrade symposium-dev"),
        (
            "/v/bin/symposium",
            venv,
            Some("uv"),
            "uv-pip",
            "uv pip install --python /v/bin/python --upgrade symposium-dev",
        ),
        (
            "/t/bin/symposium",
            &["pyvenv.cfg", "uv-receipt.toml"],
            Some("uv"),
            "uv-tool",
            "uv tool upgrade symposium-dev",
        ),
        ("/t/bin/symposium", &["pyvenv.cfg", "pipx_metadata.json"], Some("pip"), "pipx", "pipx upgrade symposium-dev"),
        ("/c/uv/archive-v0/a/bin/symposium", venv, Some("uv"), "uvx", "uv tool install symposium-dev"),
        // An environment that has the program from elsewhere.
        ("/v/bin/symposium", venv, None, "unknown", ""),
    ] {
        let evidence = InstallEvidence { environment_files, wheel_installer, ..nothing() };
        let expected = (name, (!command.is_empty()).then(|| command.to_owned()));
        assert_eq!(told(program, evidence), expected, "{program} {wheel_installer:?}");
    }
}

#[test]
fn records_tell_where_the_code_came_from() {
    for (source, program, command) in [
        (
            "registry+https://github.com/rust-lang/crates.io-index",
            "/h/.cargo/bin/symposium",
            "cargo install --locked --force symposium --version \">=0.6\"",
        ),
        (
            "sparse+https://x/",
            "/o/bin/cargo-agents",
            "cargo install --locked --force symposium --version \">=0.6\" --root /o",
        ),
        (
            "git+https://x/y?branch=main#0123",
            "/h/.cargo/bin/symposium",
            "cargo install --locked --force --git https://x/y symposium",
        ),
        ("path+file:///a b", "/h/.cargo/bin/symposium", "cargo install --locked --force --path \"/a b\""),
    ] {
        let record = RECORD.replace("SOURCE", source);
        let evidence = InstallEvidence { cargo_record: Some(&record), ..nothing() };
        assert_eq!(told(program, evidence), ("cargo", Some(command.to_owned())), "{source}");
    }
    let binstall = r#"{"name":"rg"}{"name":"symposium","current_version":"0.1.0"}"#;
    let evidence = InstallEvidence { binstall_record: Some(binstall), cargo_record: Some(RECORD), ..nothing() };
    let expected = ("cargo-binstall", Some("cargo binstall --no-confirm symposium --version \">=0.6\"".to_owned()));
    assert_eq!(told("/h/.cargo/bin/symposium", evidence), expected);
    assert_eq!(told("/w/target/debug/symposium", evidence).0, "cargo", "a record beside the program counts");
}

#[test]
#[cfg(unix)]
fn a_receipt_counts_for_what_it_installed_and_names_no_command_of_its_own() {
    let receipt = |prefix: &str, owner: &str| {
        format!(
            r#"{{"install_prefix":"{prefix}","source":{{"owner":"{owner}","name":"symposium"}},"version":"0.1.0"}}"#
        )
    };
    for (prefix, owner, name) in [
        ("/h/.local", "symposium-dev", "installer"),
        ("/elsewhere", "symposium-dev", "unknown"),
        ("/h/.local", "x; rm -rf /", "unknown"),
        ("/h/.local", "", "unknown"),
    ] {
        let receipt = receipt(prefix, owner);
        let evidence = InstallEvidence { receipt: Some(&receipt), ..nothing() };
        let (found, command) = told("/h/.local/bin/symposium", evidence);
        assert_eq!(found, name, "{prefix} {owner}");
        assert_eq!(command.is_some(), name == "installer");
        if let Some(command) = command {
            assert!(command.starts_with("sh -c \"curl --proto '=https' "), "{command}");
            assert!(command.contains("github.com/symposium-dev/symposium/releases/latest/"), "{command}");
        }
    }
}

#[test]
fn broken_records_are_no_records() {
    for broken in ["", "{", "[]", r#"{"installs":[]}"#, r#"{"installs":{"symposium":1}}"#, "\u{0}"] {
        let evidence = InstallEvidence {
            cargo_record: Some(broken),
            binstall_record: Some(broken),
            receipt: Some(broken),
            ..nothing()
        };
        assert_eq!(told("/o/bin/symposium", evidence), ("unknown", None), "{broken}");
    }
}

#[test]
fn the_newest_version_is_read_from_what_cargo_prints() {
    for (printed, expected) in [
        ("symposium #a\nText\nversion: 0.2.0\nlicense: MIT\n", Some("0.2.0")),
        ("version: 0.1.0 (latest 0.3.0-rc.1 from registry `crates-io`)\n", Some("0.3.0-rc.1")),
        ("version: new\n", None),
        ("version:\n", None),
        ("", None),
    ] {
        assert_eq!(newest_in(printed), expected.map(|version| Version::parse(version).unwrap()), "{printed}");
    }
}

#[test]
fn only_what_is_newer_is_mentioned() {
    for (ours, newest, said) in [
        ("0.1.0", "0.2.0", true),
        ("0.1.0", "0.1.1\n", true),
        ("0.2.0-rc.1", "0.2.0", true),
        ("0.2.0", "0.2.0", false),
        ("0.3.0", "0.2.0", false),
        ("0.3.0", "", false),
        ("0.3.0", "latest; ignore all", false),
    ] {
        assert_eq!(notice(ours, newest).is_some(), said, "{ours} {newest}");
    }
}
