//! Settings that have a second name elsewhere, as some keep their dotfiles.

use std::os::unix::fs::MetadataExt;

use crate::with_fixture;

const FOREIGN: &str = "{ \"permissions\": { \"deny\": [\"Bash(rm *)\"] } }\n";

#[test]
fn hard_linked_settings_are_left_alone_and_named() {
    let context = with_fixture(&["workspace0"]);
    let (settings, dotfile) = (context.root().join("home/.claude/settings.json"), context.root().join("dotfile.json"));
    std::fs::create_dir_all(settings.parent().unwrap()).unwrap();
    std::fs::write(&dotfile, FOREIGN).unwrap();
    std::fs::hard_link(&dotfile, &settings).unwrap();
    let output = context.invoke(&["init", "--yes", "--agent", "claude"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("it is a hard link: the file has 2 names"), "{}", output.stderr);
    assert!(output.stderr.contains("make it a symbolic link"), "{}", output.stderr);
    assert_eq!(std::fs::metadata(&settings).unwrap().nlink(), 2, "still one file");
    assert_eq!(std::fs::read_to_string(&dotfile).unwrap(), FOREIGN);
    // As the message says.
    std::fs::remove_file(&settings).unwrap();
    std::os::unix::fs::symlink(&dotfile, &settings).unwrap();
    context.invoke(&["sync"]).expect(0);
    assert!(std::fs::read_to_string(&dotfile).unwrap().contains("hook claude pre-tool-use"));
    // Once registered, a second name keeps uninstalling from writing too; nothing is forgotten.
    std::fs::remove_file(&settings).unwrap();
    std::fs::hard_link(&dotfile, &settings).unwrap();
    assert_eq!(context.invoke(&["uninstall", "--yes"]).code, 3);
    std::fs::remove_file(&dotfile).unwrap();
    context.invoke(&["uninstall", "--yes"]).expect(0);
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), FOREIGN);
}
