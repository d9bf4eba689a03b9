//! Removal of credentials from addresses in a text.

use std::borrow::Cow;

/// Removes user names, passwords, tokens and queries from every address in a text. The user name of an ssh address is
/// harmless and stays.
pub fn redact(text: &str) -> Cow<'_, str> {
    if !text.contains("://") {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        let scheme = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        clean.push_str(before);
        clean.push_str("://");
        let end = after.find(ends_address).unwrap_or(after.len());
        let (address, tail) = after.split_at(end);
        let is_http = scheme.to_ascii_lowercase().starts_with("http");
        clean.push_str(&without_secrets(address, is_http));
        rest = tail;
    }
    clean.push_str(rest);
    if clean == text { Cow::Borrowed(text) } else { Cow::Owned(clean) }
}

/// Tells whether a character ends an address in prose: none of these is legal inside one.
fn ends_address(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>' | '(' | ')' | ',' | ';')
}

fn without_secrets(address: &str, is_http: bool) -> String {
    let (authority, path) = match address.find(['/', '?', '#']) {
        Some(at) => address.split_at(at),
        None => (address, ""),
    };
    let authority = match authority.rsplit_once('@') {
        Some((user, host)) if is_http || user.contains(':') => host,
        Some(_) | None => authority,
    };
    let path = if is_http { path.split(['?', '#']).next().unwrap_or_default() } else { path };
    format!("{authority}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_secrets_go() {
        for (text, expected) in [
            ("no address", "no address"),
            ("https://h/r", "https://h/r"),
            ("'https://u:p@h/r': not found", "'https://h/r': not found"),
            ("https://token@h/r and https://x:y@z", "https://h/r and https://z"),
            ("git = \"https://u:p@h/r\"", "git = \"https://h/r\""),
            ("https://h/r?access_token=s#x", "https://h/r"),
            ("https://u:p@w@h/r", "https://h/r"),
            ("ssh://git@h/r", "ssh://git@h/r"),
            ("ssh://git:p@h/r", "ssh://h/r"),
            ("file:///a@b/c", "file:///a@b/c"),
            ("://", "://"),
        ] {
            assert_eq!(redact(text), expected, "{text}");
        }
    }
}
