/// Diagnostics as `severity line:column message | help`.
fn check(text: &str, wanted: &[&str]) {
    let shown: Vec<String> = super::check("SKILL.md", "a", text)
        .iter()
        .map(|found| {
            let place = found.location.as_ref().unwrap();
            let help = found.help.as_deref().unwrap();
            format!("{} {}:{} {} | {help}", found.severity, place.line, place.column, found.message)
        })
        .collect();
    assert_eq!(shown, wanted, "{text}");
}

#[test]
fn a_good_skill_gets_no_remark() {
    check("---\nname: a\ndescription: Does a\n---\n", &[]);
    check(
        "---\nname: a\ndescription: 'Use when: x'\nlicense: MIT\ncompatibility: claude, codex\n\
         allowed-tools: Read Grep\ncrates: serde, tokio>=1.40\ndepends-on: [x]\npredicates: not(env(CI))\n\
         activation: always\nmetadata:\n  version: \"1.0\"\n  author: me\n---\nbody\n",
        &[],
    );
}

#[test]
fn what_every_skill_needs_is_demanded() {
    check(
        "# Title\n",
        &[
            "error 1:1 The frontmatter is missing: the file does not begin with `---` | begin the file with `---`, a `name:` and a \
         `description:` line, and `---`",
        ],
    );
    check(
        "---\nname: a\n",
        &["error 1:1 The frontmatter is never closed | add a line `---` after the last key, before the body"],
    );
    check(
        "---\n---\n",
        &[
            "error 1:1 The required key `name` is missing or empty | add the line `name: a`",
            "error 1:1 The required key `description` is missing or empty | add a line `description: …` that says what the \
         skill does and when to use it",
        ],
    );
    check(
        "---\nname: a\ndescription:\n---\n",
        &[
            "error 1:1 The required key `description` is missing or empty | add a line `description: …` that says what the \
         skill does and when to use it",
        ],
    );
}

#[test]
fn names_follow_the_pattern_and_the_directory() {
    check(
        "---\nname: My Skill\ndescription: x\n---\n",
        &["error 2:7 `My Skill` is not a valid skill name: only lower-case letters, digits and single hyphens \
         between them are allowed | write `name: my-skill`"],
    );
    check(
        "---\nname: a/b\ndescription: x\n---\n",
        &["error 2:7 `a/b` is not a valid skill name: it contains `/` | use lower-case letters, digits and single \
         hyphens, at most 64 characters"],
    );
    check(
        "---\nname: b\ndescription: x\n---\n",
        &[
            "warning 2:7 The name `b` differs from the directory `a`, and Crush skips the skill | rename the directory to \
         `b`; the installed directory has that name in any case",
        ],
    );
    let digits = super::check("SKILL.md", "123", "---\nname: 123\ndescription: x\n---\n");
    assert_eq!(digits[0].help.as_deref(), Some("write `name: \"123\"`"));
    assert_eq!(super::check("SKILL.md", "123", "---\nname: '123'\ndescription: x\n---\n"), vec![]);
}

#[test]
fn the_yaml_must_be_valid_without_guessing() {
    check(
        "---\nname: a\ndescription: Use when: x\n---\n",
        &["error 3:22 The frontmatter is not valid YAML: a value that is not in quotes contains `: ` | write \
         `description: \"Use when: x\"`"],
    );
    check(
        "---\nname: a\ndescription: x\nname: a\n---\n",
        &[
            "error 4:1 `name` is written twice, and the last value is used | remove one of them: Goose and Amp skip a skill \
         with a key written twice",
        ],
    );
    check(
        "\u{feff}---\nname: a\ndescription: x\n---\n",
        &["warning 1:1 The file begins with a byte order mark, so Codex and Gemini skip it | save the file as \
         UTF-8 without a byte order mark"],
    );
    check(
        "\n---\nname: a\ndescription: x\n---\n",
        &["error 2:1 The frontmatter is not at the start of the file | remove the blank lines above `---`"],
    );
}

#[test]
fn values_have_their_form() {
    let long = format!("---\nname: a\ndescription: {}\n---\n", "x".repeat(1025));
    check(
        &long,
        &[
            "error 3:14 The description has 1025 characters; at most 1024 are allowed | describe what the skill does and \
         when to use it, and move the rest to the body",
        ],
    );
    check(
        "---\nname: a\ndescription: b --- c\n---\n",
        &["warning 3:14 The description contains `---`, where Goose truncates it | use `—` or `--` instead"],
    );
    check(
        "---\nname: a\ndescription: Closes issue #12\n---\n",
        &[
            "warning 3:14 The description ends at ` #`, which starts a comment | put the whole description in double quotes",
        ],
    );
    check("---\nname: a\ndescription: Does things # a note\n---\n", &[]);
    let rest = |line: &str| format!("---\nname: a\ndescription: x\n{line}\n---\n");
    for (line, wanted) in [
        (
            "activation: sometimes",
            "error 4:13 Unknown activation `sometimes` | write `activation: always` or `activation: optional`",
        ),
        (
            "metadata:\n  activation: x",
            "error 5:15 Unknown activation `x` | write `activation: always` or `activation: optional`",
        ),
        (
            "predicates: a(b",
            "error 4:13 The parentheses of predicate `a(b` do not match | close every parenthesis, as in `not(env(CI))`",
        ),
        (
            "crates: {serde: 1}",
            "error 4:9 `crates` is a mapping, which cannot name a crate | write `crates: serde, tokio>=1.40`, or a list of such items",
        ),
        ("license: [a]", "error 4:10 `license` is not a string | put the value in double quotes"),
        (
            "compatibility: [claude]",
            "warning 4:16 `compatibility` is a list, but the format requires a string | write `compatibility: claude`",
        ),
        (
            "compatibility: [claude, vim]",
            "warning 4:16 `vim` in `compatibility` is not a known agent | write `compatibility: claude`",
        ),
        (
            "allowed-tools: [Read, 'Bash(git:*)']",
            "warning 4:16 `allowed-tools` is a list, but the format requires a string | write `allowed-tools: \"Read Bash(git:*)\"`",
        ),
        (
            "metadata:\n  version: 1.0",
            "warning 5:3 The value of `version` under `metadata` is not a string | write `version: \"1.0\"`",
        ),
        (
            "metadata:\n  tags: [a, b]",
            "warning 5:3 The value of `tags` under `metadata` is not a string | write `tags: \"a, b\"`",
        ),
        (
            "metadata: x",
            "warning 4:11 `metadata` is not a mapping | write `metadata:` and below it indented `key: value` lines",
        ),
        (
            "version: 1.0",
            "warning 4:1 Unknown key `version` | move it under `metadata`: the reference validator accepts no other keys",
        ),
        (
            "crate: serde",
            "error 4:1 Unknown key `crate` instead of the condition `crates`, so this entry is skipped | did you mean `crates`?",
        ),
        ("allowed_tools: Read", "warning 4:1 Unknown key `allowed_tools` | did you mean `allowed-tools`?"),
    ] {
        check(&rest(line), &[wanted]);
    }
    let long = super::check("SKILL.md", "a", &rest(&format!("compatibility: {}", "x".repeat(501))));
    assert_eq!(long[0].message, "`compatibility` has 501 characters; at most 500 are allowed");
}

#[test]
fn a_condition_nobody_answers_is_pointed_out() {
    let skill = |predicates: &str| format!("---\nname: a\ndescription: x\npredicates: {predicates}\n---\n");
    check(
        &skill("env(CI), shell(make check)"),
        &[
            "warning 4:13 `shell(…)` is not supported, so this condition never holds | Symposium runs no programs for conditions; use `path_exists` or `env`",
        ],
    );
    check(
        &skill("[\"any(env(CI), path-exist(x))\", custom()]"),
        &[
            "warning 4:13 `path-exist(…)` is not supported, so this condition never holds | did you mean `path_exists`?",
            "warning 4:13 `custom(…)` is not supported, so this condition never holds | Symposium runs no programs for conditions; use `path_exists` or `env`",
        ],
    );
}
