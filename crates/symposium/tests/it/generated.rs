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
