//! `symposium completions` and `symposium man`.

use crate::with_fixture;

#[test]
fn completions_exist_for_every_shell() {
    let context = with_fixture(&[]);
    for (shell, word) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef symposium"),
        ("fish", "complete -c symposium"),
        ("elvish", "edit:completion:arg-completer[symposium]"),
        ("powershell", "Register-ArgumentCompleter -Native -CommandName 'symposium'"),
    ] {
        let script = context.invoke(&["completions", shell]).expect(0);
        assert!(script.contains(word) && script.contains("validate"), "{shell}");
    }
    assert_eq!(context.invoke(&["completions", "tcsh"]).code, 2);
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let context = with_fixture(&[]);
    let manual = context.invoke(&["man"]).expect(0);
    for command in ["symposium", "symposium-crate", "symposium-plugin-validate", "symposium-config-show"] {
        assert!(manual.contains(&format!(".TH {command} ")), "{command}");
    }
}

fn repository() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn a_release_has_a_page_for_every_command_and_a_script_for_every_shell() {
    let context = with_fixture(&[]);
    let made = std::process::Command::new(repository().join("scripts/release-files"))
        .arg(env!("CARGO_BIN_EXE_symposium"))
        .arg(context.root().join("made"))
        .status()
        .unwrap();
    assert!(made.success());
    let manual = context.invoke(&["man"]).expect(0);
    let files = context.tree(&context.root().join("made"));
    assert_eq!(files.lines().filter(|line| line.contains(".1 ")).count(), manual.matches("\n.TH ").count());
    for file in ["man/symposium.1", "man/symposium-hook-test.1", "completions/_symposium", "completions/symposium.bash"]
    {
        assert!(files.lines().any(|line| line.starts_with(file)), "{file} in\n{files}");
        assert!(std::fs::metadata(context.root().join("made").join(file)).unwrap().len() > 500, "{file}");
    }
}

#[test]
fn what_is_released_is_what_is_built_and_found() {
    let read = |path: &str| std::fs::read_to_string(repository().join(path)).unwrap();
    let release: serde_json::Value = toml::from_str(&read("dist-workspace.toml")).unwrap();
    let workflow = read(".github/workflows/release.yml");
    let targets = release["dist"]["targets"].as_array().unwrap();
    assert_eq!(workflow.matches("{ target: ").count(), targets.len());
    for target in targets.iter().filter_map(|target| target.as_str()) {
        assert!(workflow.contains(&format!("{{ target: {target},")), "{target}");
        for script in ["scripts/make-packages", "scripts/install.sh"] {
            assert!(read(script).contains(target), "{script} does not know {target}");
        }
    }
    let version = release["dist"]["cargo-dist-version"].as_str().unwrap();
    assert_eq!(workflow.matches(&format!("cargo-dist --version {version} ")).count(), 2);
    let package: serde_json::Value = toml::from_str(&read("crates/symposium/Cargo.toml")).unwrap();
    let found = &package["package"]["metadata"]["binstall"];
    assert_eq!(release["dist"]["unix-archive"], ".tar.gz");
    assert_eq!(found["pkg-fmt"], "tgz");
    assert_eq!(release["dist"]["windows-archive"], ".zip");
    assert_eq!(found["overrides"]["x86_64-pc-windows-msvc"]["pkg-fmt"], "zip");
}
