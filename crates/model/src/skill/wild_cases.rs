//! SKILL.md files from the wild: every oddity found in public repositories, and those that agents treat differently.

pub(crate) struct WildCase {
    /// The oddity, in words that can name a directory.
    pub(crate) title: &'static str,
    pub(crate) directory: &'static str,
    pub(crate) text: String,
}

fn case(title: &'static str, frontmatter: &str) -> WildCase {
    WildCase { title, directory: "odd", text: format!("---\n{frontmatter}\n---\n# Body\n\nText.\n") }
}

fn file(title: &'static str, text: impl Into<String>) -> WildCase {
    WildCase { title, directory: "odd", text: text.into() }
}

/// The cases with a count in the survey of public repositories, in its order.
pub(crate) fn found() -> Vec<WildCase> {
    let head = "---\nname: odd\ndescription: Does things\n---\n";
    vec![
        case("non-ascii", "name: odd\ndescription: \"Prüft – schnell ✅\""),
        file("rule-in-body", format!("{head}one\n---\ntwo\n---\n")),
        file("600-lines", format!("{head}{}", "line\n".repeat(600))),
        case("folded-strip", "name: odd\ndescription: >-\n  one\n  two"),
        case("folded", "name: odd\ndescription: >\n  one\n  two"),
        case("literal", "name: odd\ndescription: |\n  one\n  two"),
        case("literal-strip", "name: odd\ndescription: |-\n  one\n  two"),
        case("single-quoted", "name: odd\ndescription: 'it''s: fine'"),
        case("double-quoted", "name: odd\ndescription: \"say \\\"hi\\\": now\""),
        WildCase { directory: "a-b", ..case("name-is-not-directory", "name: org-a-b\ndescription: Does things") },
        WildCase { directory: "x_y", ..case("directory-with-underscore", "name: x-y\ndescription: Does things") },
        case("metadata-flow-list", "name: odd\ndescription: Does things\nmetadata: {tags: [a, b]}"),
        case("metadata-block-list", "name: odd\ndescription: Does things\nmetadata:\n  tags:\n    - a\n    - b"),
        case("allowed-tools-list", "name: odd\ndescription: Does things\nallowed-tools:\n  - Read\n  - Grep"),
        case("allowed-tools-text", "name: odd\ndescription: Does things\nallowed-tools: Read, Bash(git:*)"),
        case("unquoted-colon", "name: odd\ndescription: Use when: building"),
        case("leading-at", "name: odd\ndescription: @State patterns"),
        case("leading-backtick", "name: odd\ndescription: `serde` patterns"),
        case("glued-key", "name: odd\ndescription: foo.license: MIT"),
        case("description-with-newlines", "name: odd\ndescription: |\n  a\n  b"),
        case("plain-multi-line", "name: odd\ndescription: one\n  two"),
        case("xml", "name: odd\ndescription: Use <Foo> here"),
        file("294-kb", format!("{head}{}", "A line of the body, 28 bytes\n".repeat(10_500))),
        file("no-frontmatter", "# Title\n\nText.\n"),
        case("comments", "# note\nname: odd # the name\n# note\ndescription: Does things"),
        case("description-on-next-line", "name: odd\ndescription:\n  Does things"),
        case("missing-description", "name: odd\n# description: Does things"),
        case("numeric-version", "name: odd\ndescription: Does things\nversion: 1.0"),
        case("long-description", &format!("name: odd\ndescription: {}", "word ".repeat(243).trim_end())),
        file("crlf", "---\r\nname: odd\r\ndescription: Does things\r\n---\r\n# Body\r\n\r\nText.\r\n"),
    ]
}

/// Cases that the survey did not find but that agents treat differently, and the unknown keys it lists.
pub(crate) fn synthetic() -> Vec<WildCase> {
    vec![
        file("bom", "\u{feff}---\nname: odd\ndescription: Does things\n---\n# Body\n"),
        case("tab", "name:\todd\ndescription:\tDoes things"),
        case("tab-indentation", "name: odd\ndescription: Does things\nmetadata:\n\tversion: 1"),
        case("duplicate-key", "name: odd\ndescription: First\ndescription: Second"),
        case("missing-name", "description: Does things"),
        case("odd-name", "name: My_Odd.Skill\ndescription: Does things"),
        case("numeric-name", "name: 123\ndescription: Does things"),
        case("boolean-name", "name: true\ndescription: Does things"),
        case("fence-in-description", "name: odd\ndescription: a --- b"),
        case(
            "fence-in-other-values",
            "name: odd\ndescription: x\nlicense: a---b\nmetadata:\n  k---y: \"c---d\"\norigin: e --- f",
        ),
        file("unclosed", "---\nname: odd\ndescription: Does things\n\n# Body\n"),
        file("trailing-blanks", "---  \nname: odd\ndescription: Does things\n--- \t\n# Body\n"),
        file("blank-lines-first", "\n\n---\nname: odd\ndescription: Does things\n---\n# Body\n"),
        case("path-name", "name: ../../.git/hooks\ndescription: Does things"),
        case("device-name", "name: CON\ndescription: Does things"),
        case("empty-description", "name: odd\ndescription: \"\""),
        case("broken-quote", "name: odd\ndescription: \"never closed\nlicense: MIT"),
        case("broken-list", "name: odd\ndescription: Does things\ncrates: [serde, tokio"),
        case("not-a-mapping", "just text"),
        case("bomb", "name: odd\ndescription: Does things\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]"),
        case("unindented-continuation", "name: odd\ndescription: one\ntwo"),
        case("alias-like", "name: odd\ndescription: *very* good"),
        case("quotes-of-both-kinds", "name: odd\ndescription: it's \"odd\" and \\ more"),
        case("control-characters", "name: odd\ndescription: \"a\\u200bb \\e[31m\\x85 c\\u2028d\""),
        case("emoji", "name: odd\ndescription: 👨‍👩‍👧 ❤️ 1️⃣ می‌خواهم"),
        case("yaml-words", "name: odd\ndescription: yes\nlicense: null\ncompatibility: 1.0"),
        case("compatibility-list", "name: odd\ndescription: Does things\ncompatibility: [claude-code, codex]"),
        case("compatibility-text", "name: odd\ndescription: Does things\ncompatibility: Needs git, docker and jq"),
        case(
            "unknown-keys",
            "name: odd\ndescription: Does things\norigin: here\nargument-hint: \"[file]\"\nuser-invocable: true\ntools: [a]\nglobs: \"*.rs\"\nmodel: ~\n\"odd key: yes\": 1\n\"\": empty",
        ),
        case(
            "metadata-misleads",
            "name: odd\ndescription: Does things\nmetadata:\n  name: other\n  description: other\n  1: one\n  yes: true\nversion: 2",
        ),
        case(
            "ours",
            "name: odd\ndescription: Does things\ncrates: serde, tokio>=1.0\npredicates:\n- any(env(CI), path_exists(a,b))\nactivation: always\ndepends-on:\n- axum>=0.7,<0.9",
        ),
        case("metadata-text", "name: odd\ndescription: Does things\nmetadata: text"),
        case("key-in-both-places", "name: odd\ndescription: Does things\nversion: 2\nmetadata:\n  version: 1"),
        file("empty-body", "---\nname: odd\ndescription: Does things\n---"),
    ]
}
