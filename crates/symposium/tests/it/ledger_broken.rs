//! A record of what was installed that is damaged, or may not be read.

use crate::{bound_by_modes, set_mode, with_fixture};

#[test]
fn a_broken_record_is_said_and_so_is_the_fix() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    context.invoke(&["init", "--yes", "--agent", "claude"]).expect(0);
    let ledger = context.config_dir().join("ledger.json");
    let sound = std::fs::read(&ledger).unwrap();
    for (damage, reason) in [("{ torn", "is invalid"), ("\0", "is invalid")] {
        std::fs::write(&ledger, damage).unwrap();
        for args in [&["status"][..], &["why", "serde-basics"], &["hook", "list"], &["doctor"], &["sync", "--dry-run"]]
        {
            let output = context.invoke(args);
            let said = format!("error: $CONFIG_DIR/ledger.json: the ledger of installed files {reason}");
            assert_eq!(output.stderr.matches(&said).count(), 1, "{args:?}: {}", output.stderr);
            assert!(
                output.stderr.contains("run `symposium sync`: it keeps the file as `ledger.json.broken`"),
                "{}",
                output.stderr
            );
            assert_ne!(output.code, 0, "{args:?}");
        }
        let output = context.invoke(&["uninstall", "--dry-run"]);
        assert!(output.stderr.contains("the ledger of installed files"), "{}", output.stderr);
    }
    assert_eq!(std::fs::read(&ledger).unwrap(), b"\0", "looking changes nothing");
    context.invoke(&["sync"]).expect(0);
    let table = context.invoke(&["status"]).expect(0);
    assert!(table.lines().any(|line| line.starts_with("serde-basics ") && line.ends_with(" claude")), "{table}");
    std::fs::write(&ledger, &sound).unwrap();
    set_mode(&ledger, 0o000);
    let output = context.invoke_through(bound_by_modes(&context), &["status"]);
    set_mode(&ledger, 0o600);
    assert!(output.stderr.contains("cannot be read"), "{}", output.stderr);
    assert!(output.stderr.contains("make the file readable"), "{}", output.stderr);
}
