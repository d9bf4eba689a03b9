//! `symposium plugin show`.

use expect_test::expect;

use crate::{check, json, with_fixture};

#[test]
fn a_plugin_is_shown_in_full() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    check(
        context.invoke(&["plugin", "show", "serde-plugin"]),
        expect![[r#"
            serde-plugin, on, from source `user-plugins`
              $CONFIG_DIR/plugins/serde-plugin/symposium.toml
              skills from path: skills
                condition: crates: serde
              skill serde-basics: Basic guidance for serde
                condition: crates: serde>=1.0
              skill serde-deep: Writing a data format for serde
              hook say-hello: echo on SessionStart for *
        "#]],
    );
    let document = json(context.invoke(&["plugin", "show", "serde-plugin", "--json"]));
    assert_eq!(document["plugins"][0]["hooks"][0]["name"], "say-hello");
}

#[test]
fn a_slip_of_the_fingers_is_answered_with_the_nearest_name() {
    let context = with_fixture(&["plugins0", "workspace0"]);
    check(
        context.invoke(&["plugin", "show", "serde-plugn"]),
        expect![[r#"
            --- stderr
            error: no source has a plugin `serde-plugn`
            help: did you mean `serde-plugin`?
            --- exit 1
        "#]],
    );
}
