use super::*;

fn check_file(path: &str, text: &str, expected: &[(usize, &str)]) {
    let violations = check(&[SourceFile::new(path, text)]);
    let found: Vec<(usize, &str)> = violations.iter().map(|v| (v.line, v.message.as_str())).collect();
    assert_eq!(found, expected, "{path}: {text}");
}

#[test]
fn names_say_what_is_inside() {
    for path in [
        "crates/model/src/util.rs",
        "crates/model/src/utils/json.rs",
        "crates/model/src/json_helpers.rs",
        "crates/model/tests/common/mod.rs",
        "crates/io/src/process-manager.rs",
        "scripts/misc.sh",
    ] {
        assert_eq!(check(&[SourceFile::new(path, "")]).len(), 1, "{path}");
    }
    for path in [
        "crates/model/src/common_prefix.rs",
        "crates/model/src/utility_bill.rs",
        "crates/testkit/fixtures/workspace0/src/utils.rs",
        "recommendations/tokio/references/common.md",
        "README.md",
    ] {
        check_file(path, "", &[]);
    }
}

#[test]
fn modules_inside_a_file_are_named_too() {
    let message = "The name `helpers` says nothing about what is inside";
    check_file("src/a.rs", "mod b;\nmod helpers { fn x() {} }", &[(2, message)]);
    check_file("src/a.rs", "mod helping { fn x() {} } // mod helpers {", &[]);
}

#[test]
fn paths_of_one_machine() {
    let path = |parts: &[&str]| format!("/{}", parts.join("/"));
    for (before, parts) in [
        ("x ", ["work", "main"]),
        ("\"", ["root", ".cargo"]),
        ("`", ["home", "alice"]),
        ("(", ["Users", "alice"]),
        ("", ["work", ""]),
    ] {
        let text = format!("\n{before}{}", path(&parts));
        let found = check(&[SourceFile::new("a.md", text.as_str())]);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].line, 2, "{text}");
    }
    for (before, parts) in [
        ("", ["home", "user"]),
        ("", ["Users", "user"]),
        ("", ["home", "<name>"]),
        ("", ["home", "$USER"]),
        ("https://example.com", ["work", "main"]),
        ("~", ["work", "main"]),
        ("{}", ["root", "x"]),
        ("", ["workspace", "x"]),
        ("", ["tmp", "work"]),
    ] {
        let text = format!("\n{before}{}", path(&parts));
        check_file("a.md", &text, &[]);
    }
}

#[test]
fn unfinished_work() {
    let mark = |word: &str| format!("`{word}` marks unfinished work");
    check_file("src/a.rs", "a\n// TODO: b", &[(2, &mark("TODO"))]);
    check_file("src/a.rs", "/* FIXME */ a // XXX", &[(1, &mark("FIXME")), (1, &mark("XXX"))]);
    check_file("src/a.rs", "fn a() { todo!() }", &[(1, &mark("todo!"))]);
    check_file("src/a.rs", "fn a() {\n    unimplemented!(\"b\")\n}", &[(2, &mark("unimplemented!"))]);
    for (path, text) in [
        ("src/a.rs", "const A: &str = \"TODO\";"),
        ("src/a.rs", "// TODOS, XXXX\nfn my_todo() {}"),
        ("src/a.rs", "#[cfg(test)]\nmod tests {\n    // TODO\n}"),
        ("src/a_tests.rs", "// TODO"),
        ("tests/a.rs", "// TODO"),
        ("a.md", "TODO"),
    ] {
        check_file(path, text, &[]);
    }
}
