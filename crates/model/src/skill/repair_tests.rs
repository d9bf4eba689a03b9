use super::*;

/// `key=text` of every entry, then the advice.
fn check(block: &str, entries: &[&str], advice: &[&str]) {
    let mended = mend(block).unwrap();
    let shown: Vec<String> =
        mended.entries.iter().map(|entry| format!("{}={}", entry.key, entry.value.text())).collect();
    assert_eq!(shown, entries, "{block}");
    let helps: Vec<&str> = mended.mends.iter().map(|mend| mend.help.as_str()).collect();
    assert_eq!(helps, advice, "{block}");
}

#[test]
fn a_slip_costs_only_its_own_line() {
    check(
        "name: a\ndescription: Use when: building\nversion: 1.0 # new\n",
        &["name=a", "description=Use when: building", "version=1.0"],
        &["write `description: \"Use when: building\"`"],
    );
    check(
        "description: @State patterns\n",
        &["description=@State patterns"],
        &["write `description: \"@State patterns\"`"],
    );
    check("description: `x` first\n", &["description=`x` first"], &["write `description: \"`x` first\"`"]);
    check("description: *bold* text\n", &["description=*bold* text"], &["write `description: \"*bold* text\"`"]);
    check("description: [WIP] text\n", &["description=[WIP] text"], &["write `description: \"[WIP] text\"`"]);
    check("description: 'it's fine'\n", &["description=it's fine"], &["write `description: \"it's fine\"`"]);
    check("description: \"a\" b\n", &["description=\"a\" b"], &["write `description: '\"a\" b'`"]);
    check(
        "description: fix: issue #12 # note\n",
        &["description=fix: issue #12"],
        &["write `description: \"fix: issue #12\"`"],
    );
    check("crates: *\ndescription: x\n", &["crates=*", "description=x"], &["write `crates: \"*\"`"]);
    check("description: one\ntwo\nname: a\n", &["description=one two", "name=a"], &["write `description: one two`"]);
    check(
        "description:\n  When: x: y\nname: a\n",
        &["description=When: x: y", "name=a"],
        &["write `description: \"When: x: y\"`"],
    );
}

#[test]
fn a_glued_key_is_taken_apart() {
    check(
        "description: foo.license: MIT\n",
        &["description=foo.", "license=MIT"],
        &["start a new line before `license:`"],
    );
    check(
        "description: Use when: x.license: MIT\n",
        &["description=Use when: x.", "license=MIT"],
        &["start a new line before `license:`", "write `description: \"Use when: x.\"`"],
    );
    check(
        "name: a\ndescription: Set x.name: y\n",
        &["name=a", "description=Set x.name: y"],
        &["write `description: \"Set x.name: y\"`"],
    );
    check(
        "description: the license: MIT\n",
        &["description=the license: MIT"],
        &["write `description: \"the license: MIT\"`"],
    );
}

#[test]
fn lists_and_metadata_survive() {
    check(
        "crates:\n- serde: x: y\n- tokio\nmetadata:\n  a: b: c\n  d: \"e\"\n    f\nallowed-tools:\n  - Read\n",
        &["crates=serde: x: y, tokio", "metadata=a: b: c, d: e f", "allowed-tools=Read"],
        &["put the items of `crates` in double quotes", "put the values under `metadata` in double quotes"],
    );
    check("description: |\n\tx: y\n\tz\n", &["description=x: y\nz"], &["write `description: \"x: y z\"`"]);
}

#[test]
fn what_is_ambiguous_is_not_guessed_at() {
    for block in [
        "description: \"never closed\nname: a\n",
        "description: 'never closed\n",
        "crates: [serde, tokio\n",
        "x: {a: b\n",
        "no key at all\n",
        "text first\nname: a: b\n",
        "\tname: a\n",
        "",
        "# note\n",
        "a: &x 1\nb: c: d\n",
    ] {
        assert_eq!(mend(block), None, "{block}");
    }
}

#[test]
fn the_place_is_on_the_line_of_the_slip() {
    let block = "name: a\ndescription: Use when: building\n";
    let mended = mend(block).unwrap();
    let span = mended.mends[0].span.clone();
    assert_eq!(block.get(..span.start).unwrap().matches('\n').count(), 1);
    assert_eq!(
        mended.mends[0].message,
        "The frontmatter is not valid YAML: a value that is not in quotes contains `: `"
    );
}

#[test]
fn hostile_blocks_take_no_time() {
    for block in [
        format!("description: {}\n", "x.name: ".repeat(30_000)),
        format!("description: {}\n", "a: ".repeat(100_000)),
        "a: b: c\n".repeat(511),
        format!("description: @{}", "\n x".repeat(100_000)),
    ] {
        let _ = mend(&block);
    }
}

#[test]
fn a_forbidden_character_is_named_where_it_is_and_not_repeated() {
    for (block, at, message, help) in [
        (
            "description: a \u{1b}[1mx\n",
            15,
            "it contains the character U+001B, which YAML does not allow",
            "write `description: \"a [1mx\"`",
        ),
        (
            "description: \"a\u{7}b\"\n",
            15,
            "it contains the character U+0007, which YAML does not allow",
            "write `description: ab`",
        ),
        ("description: @x\n", 13, "a value that is not in quotes begins with `@`", "write `description: \"@x\"`"),
        (
            "description: `x`\n",
            13,
            "a value that is not in quotes begins with a backtick",
            "write `description: \"`x`\"`",
        ),
        (
            "description: a\u{200b}: b\n",
            17,
            "a value that is not in quotes contains `: `",
            "write `description: \"a: b\"`",
        ),
    ] {
        let mended = mend(block).unwrap();
        let [found] = mended.mends.as_slice() else { panic!("{block}") };
        assert_eq!((found.span.start, found.help.as_str()), (at, help));
        assert_eq!(found.message, format!("The frontmatter is not valid YAML: {message}"));
    }
}
