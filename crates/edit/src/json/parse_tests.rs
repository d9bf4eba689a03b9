use symposium_model::edit::EditFormat;

use super::parse::parse;
use crate::error::EditErrorKind;

#[test]
fn what_agents_read_is_read() {
    for text in [
        "",
        " \n",
        "// only a comment",
        "{}",
        "{ }",
        "[1, 2,]",
        "{\"a\": 1,}",
        "{\"a\": /* x */ [true, false, null] // y\n}",
        "[-0, 1e5, 1.0, 1E+2, 12345678901234567890123, 0.1e-7]",
        "\"\\u00e9\\ud800\\/\"",
        "{\"\": {}}",
        "\t[\r\n]\r\n",
    ] {
        assert_eq!(parse(text).err(), None, "{text}");
    }
}

#[test]
fn everything_else_is_refused_with_its_place() {
    let check = |text: &str, kind: EditErrorKind, offset: usize, message: &str| {
        let error = parse(text).unwrap_err();
        assert_eq!((error.kind, error.offset, error.message.as_str()), (kind, offset, message), "{text}");
    };
    let syntax = |text, offset, message| check(text, EditErrorKind::Syntax, offset, message);
    syntax("{", 1, "Expected a key in double quotes or `}`, found the end of the file");
    syntax("{a: 1}", 1, "Expected a key in double quotes or `}`, found `a`");
    syntax("{'a': 1}", 1, "Expected a key in double quotes or `}`, found `'`");
    syntax("{\"a\" 1}", 5, "Expected `:`, found `1`");
    syntax("{\"a\": 1 \"b\": 2}", 8, "Expected `,` or `}`, found `\"`");
    syntax("{,}", 1, "Expected a key in double quotes or `}`, found `,`");
    syntax("[,]", 1, "Expected a value, found `,`");
    syntax("[1 2]", 3, "Expected `,` or `]`, found `2`");
    syntax("[01]", 2, "Expected `,` or `]`, found `1`");
    syntax("[0x1]", 2, "Expected `,` or `]`, found `x`");
    syntax("[+1]", 1, "Expected a value, found `+`");
    syntax("[.5]", 1, "Expected a value, found `.`");
    syntax("[1.]", 3, "Expected a digit, found `]`");
    syntax("[1e]", 3, "Expected a digit, found `]`");
    syntax("[-]", 2, "Expected a digit, found `]`");
    syntax("[NaN]", 1, "Expected a value, found `N`");
    syntax("[nul]", 1, "Expected a value, found `n`");
    syntax("[truex]", 5, "Expected `,` or `]`, found `x`");
    syntax("[\"a\nb\"]", 3, "Expected the end of the string or an escape such as `\\n`, found `\\n`");
    syntax("[\"\\x\"]", 2, "This is not a valid JSON escape");
    syntax("[\"\\u12g4\"]", 2, "This is not a valid JSON escape");
    syntax("[\"a]", 1, "This string has no end");
    syntax("[1 /* ]", 3, "This comment has no end");
    check("{}\u{a0}", EditErrorKind::SeveralValues, 2, "Expected the end of the file after its closing bracket");
    syntax("# comment\n{}", 0, "Expected a value, found `#`");
    syntax("<<<<<<< HEAD\n{}", 0, "Expected a value, found `<`");
}

#[test]
fn several_values_and_bottomless_nesting_are_refused() {
    assert_eq!(parse("{} {}").unwrap_err().kind, EditErrorKind::SeveralValues);
    for open in ["[", "{\"a\":", "[{\"a\":"] {
        assert_eq!(parse(&open.repeat(100_000)).unwrap_err().kind, EditErrorKind::TooDeep, "{open}");
    }
}

#[test]
fn a_value_is_read_past_comments_commas_and_a_byte_order_mark() {
    let value = |text: &str, format| crate::value(text, format).map_err(|error| error.offset);
    let wanted = Ok(Some(serde_json::json!({"a": [1, 2]})));
    assert_eq!(value("\u{feff}{\"a\": [1, /* x */ 2,], // y\n}", EditFormat::Json), wanted);
    assert_eq!(value("// nothing", EditFormat::Json), Ok(None));
    assert_eq!(value("\u{feff}{\"a\" 1}", EditFormat::Json), Err(8));
    assert_eq!(value("\u{feff}# x\na = [1, 2,]\n", EditFormat::Toml), wanted);
    assert_eq!(value("\u{feff}a = \n", EditFormat::Toml), Err(7));
}
