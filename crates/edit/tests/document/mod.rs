//! Settings files as users and programs write them, with everything JSON and its comments allow.

use proptest::prelude::*;

/// A value, each scalar as it is spelled.
#[derive(Debug, Clone)]
enum Tree {
    Scalar(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

#[derive(Debug, Clone)]
struct Style {
    newline: &'static str,
    indent: Indent,
    comments: bool,
    trailing_commas: bool,
    byte_order_mark: bool,
    end: &'static str,
}

#[derive(Debug, Clone)]
enum Indent {
    Pretty(&'static str),
    OneLine(&'static str),
    /// Blanks, line breaks and comments wherever they are allowed.
    Wild,
}

/// Returns a random document with room for Symposium's entries, the empty file included.
pub(crate) fn document() -> impl Strategy<Value = String> {
    let written = (root(), style(), proptest::collection::vec(any::<u8>(), 0..200)).prop_map(|(root, style, noise)| {
        let mut writer = Writer { style, noise: noise.into_iter().cycle().take(4_000).collect(), out: String::new() };
        writer.document(&root);
        writer.out
    });
    let blank = proptest::sample::select(vec![
        "",
        "\n",
        "  ",
        "\r\n",
        "\n\n",
        "// mine",
        "// mine\n",
        "/* a */ // b\r\n",
        "\t\r\n \r\n",
        "\u{feff}",
        "\u{feff}\n",
        "\r",
    ]);
    prop_oneof![12 => written, 1 => blank.prop_map(str::to_owned)]
}

pub(crate) fn garbage() -> impl Strategy<Value = String> {
    let token = proptest::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"a\"",
        "\"hooks\"",
        "\"PreToolUse\"",
        "1",
        "-0",
        "1e5",
        "01",
        "true",
        "null",
        "\n",
        " ",
        "//",
        "/*",
        "*/",
        "\"",
        "\\",
        "'",
        "\u{feff}",
        "é",
        "NaN",
        "{}",
        "[]",
        "{\"hooks\":",
        "\t",
    ]);
    proptest::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat())
}

/// Returns the options with which another parser accepts the same JSON.
pub(crate) fn jsonc() -> jsonc_parser::ParseOptions {
    jsonc_parser::ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn style() -> impl Strategy<Value = Style> {
    let indent = prop_oneof![
        4 => proptest::sample::select(vec!["  ", "    ", "\t", "", " "]).prop_map(Indent::Pretty),
        2 => proptest::sample::select(vec!["", " ", "  "]).prop_map(Indent::OneLine),
        3 => Just(Indent::Wild),
    ];
    let newline = proptest::sample::select(vec!["\n", "\r\n"]);
    let end = proptest::sample::select(vec!["\n", "", "\n\n", " ", "// end"]);
    (newline, indent, any::<bool>(), any::<bool>(), proptest::bool::weighted(0.2), end).prop_map(
        |(newline, indent, comments, trailing_commas, byte_order_mark, end)| {
            let end = if comments || end != "// end" { end } else { "" };
            Style { newline, indent, comments, trailing_commas, byte_order_mark, end }
        },
    )
}

fn scalar() -> impl Strategy<Value = Tree> {
    let spelled = vec![
        "1",
        "1e5",
        "1.0",
        "1E+2",
        "-0",
        "0.10",
        "true",
        "false",
        "null",
        "\"\"",
        "\"a\\u00e9\\/\\n\"",
        "\"//\"",
        "\"/* */\"",
        "\"]},{[\"",
        "\"\\\\\"",
        "\"ü\"",
        "12345678901234567",
        "\"symposium sync\"",
    ];
    proptest::sample::select(spelled).prop_map(|spelled| Tree::Scalar(spelled.to_owned()))
}

fn tree() -> impl Strategy<Value = Tree> {
    scalar().prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Tree::Array),
            proptest::collection::vec(inner, 0..4).prop_map(|values| Tree::Object(keyed("k", values))),
        ]
    })
}

fn keyed(prefix: &str, values: Vec<Tree>) -> Vec<(String, Tree)> {
    values.into_iter().enumerate().map(|(index, value)| (format!("{prefix}{index}"), value)).collect()
}

fn holder(known: Vec<(&'static str, BoxedStrategy<Tree>)>) -> BoxedStrategy<Tree> {
    let members: Vec<_> = known
        .into_iter()
        .map(|(key, value)| {
            proptest::option::of(value).prop_map(move |value| value.map(|value| (key.to_owned(), value)))
        })
        .collect();
    let others = proptest::collection::vec(tree(), 0..3).prop_map(|values| keyed("other", values));
    (members, others)
        .prop_map(|(members, others)| members.into_iter().flatten().chain(others).collect::<Vec<_>>())
        .prop_shuffle()
        .prop_map(Tree::Object)
        .boxed()
}

fn root() -> impl Strategy<Value = Tree> {
    let array = || proptest::collection::vec(tree(), 0..3).prop_map(Tree::Array).boxed();
    let hooks = holder(vec![("PreToolUse", array()), ("PostToolUse", array())]);
    holder(vec![("hooks", hooks), ("mcpServers", holder(vec![])), ("mcp", holder(vec![])), ("flat", array())])
}

struct Writer {
    style: Style,
    noise: Vec<u8>,
    out: String,
}

impl Writer {
    fn chance(&mut self, below: u8) -> bool {
        self.noise.pop().unwrap_or(200) % 32 < below
    }

    fn document(&mut self, root: &Tree) {
        if self.style.byte_order_mark {
            self.out.push('\u{feff}');
        }
        if self.style.comments && self.chance(6) {
            self.out.push_str("// top");
            self.out.push_str(self.style.newline);
        }
        self.value(root, 0);
        let end = self.style.end.replace('\n', self.style.newline);
        self.out.push_str(&end);
    }

    /// Writes trivia that may stand between any two tokens.
    fn wild(&mut self) {
        if !matches!(self.style.indent, Indent::Wild) {
            return;
        }
        for _ in 0..3 {
            match self.noise.pop().unwrap_or(0) % 16 {
                7 | 8 => self.out.push(' '),
                9 => self.out.push('\t'),
                10 | 11 => self.out.push_str(self.style.newline),
                12 => self.out.push_str("   "),
                13 | 14 if self.style.comments => self.out.push_str("/* c, */"),
                15 if self.style.comments => {
                    self.out.push_str("// l ]");
                    self.out.push_str(self.style.newline);
                }
                _ => {}
            }
        }
    }

    fn line(&mut self, depth: usize) {
        let Style { newline, indent, comments, .. } = self.style.clone();
        match indent {
            Indent::Pretty(unit) => {
                if comments && self.chance(4) {
                    self.out.push_str(" // note, ]");
                }
                if comments && self.chance(3) {
                    self.out.push_str(newline);
                    self.out.push_str("/* own line */");
                }
                if self.chance(2) {
                    self.out.push_str(newline);
                }
                self.out.push_str(newline);
                self.out.push_str(&unit.repeat(depth));
            }
            Indent::OneLine(_) | Indent::Wild => self.wild(),
        }
    }

    fn space(&mut self) {
        match self.style.indent.clone() {
            Indent::Pretty(_) => self.out.push(' '),
            Indent::OneLine(space) => self.out.push_str(space),
            Indent::Wild => self.wild(),
        }
    }

    fn value(&mut self, tree: &Tree, depth: usize) {
        match tree {
            Tree::Scalar(text) => self.out.push_str(text),
            Tree::Array(values) => self.list(['[', ']'], values, depth, |writer, value| writer.value(value, depth + 1)),
            Tree::Object(members) => self.list(['{', '}'], members, depth, |writer, (key, value)| {
                // A key may be written with an escape.
                let key = if writer.chance(2) { key.replacen('o', "\\u006f", 1) } else { key.clone() };
                writer.out.push_str(&format!("\"{key}\""));
                writer.wild();
                writer.out.push(':');
                writer.space();
                writer.value(value, depth + 1);
            }),
        }
    }

    fn list<T>(&mut self, [open, close]: [char; 2], items: &[T], depth: usize, write: impl Fn(&mut Self, &T)) {
        self.out.push(open);
        if items.is_empty() {
            match self.noise.pop().unwrap_or(0) % 8 {
                0 => self.out.push(' '),
                1 => self.line(depth),
                2 => self.out.push_str("\t "),
                _ => self.wild(),
            }
            self.out.push(close);
            return;
        }
        // Some lists of a file in lines stand on one line.
        let outer = self.style.indent.clone();
        if self.chance(3) && matches!(outer, Indent::Pretty(_)) {
            self.style.indent = Indent::OneLine(" ");
        }
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            if index > 0 && matches!(self.style.indent, Indent::OneLine(_)) {
                self.space();
            }
            self.line(depth + 1);
            write(self, item);
            self.wild();
        }
        if self.style.trailing_commas && self.chance(20) {
            self.out.push(',');
        }
        self.line(depth);
        self.style.indent = outer;
        self.out.push(close);
    }
}
