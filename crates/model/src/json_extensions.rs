//! Finds extensions of strict JSON in a text, which agents treat differently.

/// The line of the first occurrence of each extension.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JsonExtensions {
    pub comment: Option<usize>,
    pub trailing_comma: Option<usize>,
    pub byte_order_mark: bool,
    /// Set if the text is blank.
    pub empty: bool,
}

/// Scans a JSON text, which need not be well-formed otherwise.
pub fn oddities(text: &str) -> JsonExtensions {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = JsonExtensions {
        byte_order_mark: body.len() != text.len(),
        empty: body.trim().is_empty(),
        ..JsonExtensions::default()
    };
    let mut line = 1;
    let mut comma = None;
    let mut chars = body.chars().peekable();
    while let Some(character) = chars.next() {
        match character {
            '\n' => line += 1,
            '"' => {
                comma = None;
                while let Some(inner) = chars.next() {
                    match inner {
                        '"' => break,
                        '\\' => {
                            chars.next();
                        }
                        '\n' => line += 1,
                        _ => {}
                    }
                }
            }
            '/' if matches!(chars.peek(), Some('/' | '*')) => {
                found.comment.get_or_insert(line);
                let block = chars.next() == Some('*');
                let mut previous = ' ';
                for inner in chars.by_ref() {
                    line += usize::from(inner == '\n');
                    if (!block && inner == '\n') || (block && previous == '*' && inner == '/') {
                        break;
                    }
                    previous = inner;
                }
            }
            ',' => comma = Some(line),
            '}' | ']' => {
                if let Some(line) = comma.take() {
                    found.trailing_comma.get_or_insert(line);
                }
            }
            blank if blank.is_whitespace() => {}
            _ => comma = None,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oddities_are_found_by_line_and_strings_are_not_looked_into() {
        let check = |text: &str, comment, trailing_comma, byte_order_mark, empty| {
            assert_eq!(oddities(text), JsonExtensions { comment, trailing_comma, byte_order_mark, empty }, "{text:?}");
        };
        check("{\"a\": [1, 2]}", None, None, false, false);
        check("{\n// x\n\"a\": 1}", Some(2), None, false, false);
        check("{\"a\": /* x\n */ 1, /* y */ }", Some(1), Some(2), false, false);
        check("{\"a\": [1,\n],}", None, Some(1), false, false);
        check("{\"u\": \"http://x, }\", \"e\": \"\\\"//\"}", None, None, false, false);
        check("\u{feff}{}", None, None, true, false);
        check(" \n", None, None, false, true);
        check("", None, None, false, true);
        check("{\"a\": \"", None, None, false, false);
    }
}
