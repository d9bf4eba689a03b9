//! The directories a client works in, as it names them.

use std::path::PathBuf;

use serde_json::Value;

/// Returns the paths of the roots that are on this machine, in order.
pub(crate) fn paths(result: &Value) -> Vec<PathBuf> {
    let roots = result.get("roots").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let addresses = roots.iter().filter_map(|root| root.get("uri")?.as_str());
    addresses.filter_map(path).collect()
}

fn path(address: &str) -> Option<PathBuf> {
    let rest = address.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let decoded = decoded(rest.split(['?', '#']).next()?)?;
    // `file:///C:/work` on Windows.
    let has_drive = decoded.starts_with('/') && decoded.chars().nth(2) == Some(':');
    let path = PathBuf::from(if cfg!(windows) && has_drive { decoded.trim_start_matches('/') } else { &decoded });
    path.is_absolute().then_some(path)
}

/// Decodes percent escapes such as `%20`.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        bytes.push(u8::try_from(digit()? * 16 + digit()?).ok()?);
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

#[cfg(all(test, unix))]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_paths_of_this_machine_count() {
        for (address, expected) in [
            ("file:///home/user/work", Some("/home/user/work")),
            ("file://localhost/work", Some("/work")),
            ("file:///a%20b/%C3%A4", Some("/a b/ä")),
            ("file:///a%2", None),
            ("file:///a%zz", None),
            ("file:///a%00b", None),
            ("file://server/share", None),
            ("https://example.org/", None),
            ("/work", None),
            ("", None),
        ] {
            assert_eq!(path(address), expected.map(PathBuf::from), "{address}");
        }
    }

    #[test]
    fn whatever_a_client_sends_is_survived() {
        for (result, expected) in [
            (json!({"roots": [{"uri": "https://x"}, {"uri": "file:///a", "name": "a"}, {"uri": "file:///b"}]}), 2),
            (json!({"roots": [{"uri": 1}, {}, "file:///a", null]}), 0),
            (json!({"roots": {}}), 0),
            (json!(null), 0),
        ] {
            assert_eq!(paths(&result).len(), expected, "{result}");
        }
    }
}
