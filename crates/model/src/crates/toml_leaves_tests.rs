use proptest::prelude::*;

use super::*;

fn show(text: &str) -> String {
    let Some(leaves) = read_leaves(text) else { return "none".to_owned() };
    let shown = leaves.iter().filter(|leaf| leaf.value != LeafValue::Compound).map(|leaf| {
        let value = match &leaf.value {
            LeafValue::Text(text) => format!("{text:?}"),
            LeafValue::Flag(flag) => flag.to_string(),
            LeafValue::List(texts) => format!("{texts:?}"),
            LeafValue::Compound => "…".to_owned(),
            LeafValue::Bare(word) => word.clone(),
        };
        format!("{}={value}", leaf.path.join("/"))
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn keys_are_read_wherever_they_stand() {
    for (text, expected) in [
        ("a = 1\n", "a=1"),
        ("[a.'b c'.\"d\"]\ne = \"f\"", "a/b c/d/e=\"f\""),
        ("a.b = { c = true, d.e = ['x', \"y\", ] } # z\r\nf = 'g'\r\n", "a/b/c=true a/b/d/e=[\"x\", \"y\"] f=\"g\""),
        ("a = [ # one\n  \"x\", # two\n  \"y\"\n]\n", "a=[\"x\", \"y\"]"),
        ("a = [1, 'x']\nb = [{c = 1}]\nd = [[], ['x']]", ""),
        ("[[bin]]\nname = 'x'\n[[bin]]\nname = 'y'", "bin/name=\"x\" bin/name=\"y\""),
        ("a = \"q\\\"\\u00e9\\n\"", "a=\"q\\\"é\\n\""),
        ("a = \"\"\"one\ntwo = 3\"\"\"\nb = '''x'''", "a=\"one\\ntwo = 3\" b=\"x\""),
        ("a = {\n b = 'c',\n}", "a/b=\"c\""),
        ("a = 1979-05-27 07:32:00Z\nb = inf", "a=1979-05-27 07:32:00Z b=inf"),
        ("\u{feff}a = 1", "a=1"),
        ("", ""),
    ] {
        assert_eq!(show(text), expected, "{text}");
    }
}

#[test]
fn anything_else_is_not_read() {
    for text in [
        "a",
        "a =",
        "= 1",
        "a = 'x",
        "a = \"x\ny\"",
        "[a",
        "[a]]",
        "a = [1",
        "a = {b = 1",
        "a = 1 b = 2",
        "a = yes",
        "<<<<<<< ours",
        "a = \"\\q\"",
        "a = 'x' 'y'",
        "[a] b = 1",
        "a b = 1",
        &format!("a = {}{}", "[".repeat(100), "]".repeat(100)),
    ] {
        assert_eq!(read_leaves(text), None, "{text}");
    }
}

#[cfg(feature = "manifests")]
mod beside_the_parser {
    use toml::Value;

    use super::*;

    fn flatten(path: &[String], value: &Value, leaves: &mut Vec<TomlLeaf>) {
        let value = match value {
            Value::Table(table) => {
                for (key, value) in table {
                    flatten(&[path, std::slice::from_ref(key)].concat(), value, leaves);
                }
                return;
            }
            // Lists of tables may be written as tables; both sides leave them out.
            Value::Array(items) if items.iter().any(Value::is_table) => return,
            Value::Array(items) => {
                let texts: Option<Vec<String>> = items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
                texts.map_or(LeafValue::Compound, LeafValue::List)
            }
            Value::String(text) => LeafValue::Text(text.clone()),
            Value::Boolean(flag) => LeafValue::Flag(*flag),
            Value::Integer(_) | Value::Float(_) | Value::Datetime(_) => LeafValue::Bare(String::new()),
        };
        leaves.push(TomlLeaf { path: path.to_vec(), value });
    }

    /// Compares what both read, where both read something; texts of several lines and lists of tables aside.
    pub(super) fn check(text: &str) -> bool {
        let (Some(leaves), Ok(table)) = (read_leaves(text), text.parse::<toml::Table>()) else { return false };
        let mut expected = Vec::new();
        flatten(&[], &Value::Table(table), &mut expected);
        let comparable = |leaf: &&TomlLeaf| leaf.value != LeafValue::Compound;
        let key = |leaf: &TomlLeaf| match &leaf.value {
            LeafValue::Bare(_) => format!("{:?} bare", leaf.path),
            value => format!("{:?} {value:?}", leaf.path),
        };
        let mut ours: Vec<String> = leaves.iter().filter(comparable).map(key).collect();
        let mut theirs: Vec<String> = expected.iter().filter(comparable).map(key).collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{text}");
        true
    }

    fn line() -> impl Strategy<Value = String> {
        let key = prop_oneof!["[a-d]", "[a-c]\\.[a-c]", Just("\"a b\"".to_owned()), Just("'x.y'".to_owned())];
        let value = prop_oneof![
            Just("true".to_owned()),
            "[0-9]{1,3}".prop_map(|number| format!("1{number}")),
            "\"[a-z#\\[\\]{},= ]{0,6}\"",
            "'[a-z\\\\#\"]{0,6}'",
            Just("[\"a\", 'b', # c\n \"d\" ]".to_owned()),
            Just("{ x = 'y', z.w = [\"q\"] }".to_owned()),
            Just("[1, [2], \"3\"]".to_owned()),
            Just("{}".to_owned()),
        ];
        prop_oneof![
            5 => (key.clone(), value).prop_map(|(key, value)| format!("{key} = {value}")),
            2 => key.prop_map(|key| format!("[ {key} ] # t")),
            1 => Just("# comment ' \"".to_owned()),
            1 => "[ -~]{0,12}",
        ]
    }

    proptest! {
        #[test]
        fn both_read_the_same(lines in proptest::collection::vec(line(), 0..8)) {
            check(&lines.join("\n"));
        }
    }

    #[test]
    fn the_comparison_compares() {
        assert!(check("[a]\nb = { c = 'd' }\ne.f = [\"g\"]\nh = 1\n"));
        assert!(check(
            "[package]\nname = \"x\"\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\n"
        ));
    }
}

proptest! {
    #[test]
    fn any_text_is_survived(text in "\\PC{0,200}") {
        let _ = read_leaves(&text);
    }

    #[test]
    fn any_punctuation_is_survived(text in "[\\[\\]{}=,.\"'#\\\\\n a-b1ü]{0,80}") {
        let _ = read_leaves(&text);
    }
}
