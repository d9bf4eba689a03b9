//! The recognition of secrets, and the references that replace them.

use super::name::slug;

const TELLING: [&str; 17] = [
    "TOKEN",
    "KEY",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASS",
    "PAT",
    "AUTH",
    "CREDENTIAL",
    "CREDENTIALS",
    "COOKIE",
    "BEARER",
    "DSN",
    "PWD",
    "PASSPHRASE",
    "JWT",
    "AUTHORIZATION",
];

const BEGINNINGS: [&str; 23] = [
    "sk-",
    "sk_",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
    "eyJ",
    "npm_",
    "hf_",
    "xapp-",
    "rk_live",
    "whsec_",
    "lin_api_",
    "ntn_",
    "gsk_",
    "dop_v1_",
    "-----BEGIN",
];

const PLAIN_HEADERS: [&str; 6] =
    ["accept", "accept-language", "content-type", "user-agent", "mcp-protocol-version", "origin"];

/// Returns whether the value of a variable or parameter looks like a secret. A reference does not.
pub(super) fn is_secret(name: &str, value: &str) -> bool {
    if value.is_empty() || is_reference(value) {
        return false;
    }
    let telling = name
        .to_ascii_uppercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| TELLING.contains(&part) || TELLING.iter().take(5).any(|end| part.ends_with(end)));
    telling || looks_secret(value)
}

pub(super) fn looks_secret(value: &str) -> bool {
    if begins_secret(value) {
        return true;
    }
    let letters = value.chars().filter(char::is_ascii_alphabetic).count();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let plain = value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '='));
    value.len() >= 24 && plain && letters >= 4 && digits >= 4
}

pub(super) fn is_secret_header(name: &str, value: &str) -> bool {
    !value.is_empty() && !is_reference(value) && !PLAIN_HEADERS.contains(&name.to_ascii_lowercase().as_str())
}

/// Returns whether a value consists of references only, possibly after a word such as `Bearer`.
fn is_reference(value: &str) -> bool {
    let value = SCHEMES.iter().find_map(|scheme| value.strip_prefix(scheme)?.strip_prefix(' ')).unwrap_or(value);
    let mut rest = value;
    let mut refers = false;
    while let Some((before, behind)) = rest.split_once("${") {
        let Some((name, after)) = behind.split_once('}') else { return false };
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name || before.contains(|c: char| c.is_alphanumeric()) {
            return false;
        }
        (refers, rest) = (true, after);
    }
    refers && !rest.contains(|c: char| c.is_alphanumeric())
}

/// Returns whether a URL contains a password or a secret parameter.
pub(super) fn is_in_address(value: &str) -> bool {
    let Some((_, rest)) = value.split_once("://") else { return false };
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let host = place.split('/').next().unwrap_or_default();
    let has_password = host.rsplit_once('@').is_some_and(|(user, _)| user.contains(':') && !is_reference(user));
    has_password || query.split('&').filter_map(|pair| pair.split_once('=')).any(|(name, value)| is_secret(name, value))
}

pub(super) fn is_in_line(line: &str) -> bool {
    let words = line.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';'));
    words.filter(|word| !word.is_empty()).any(|word| {
        let in_value = word.split_once(['=', ':']).is_some_and(|(_, value)| begins_secret(value));
        begins_secret(word) || in_value || is_in_address(word)
    })
}

fn begins_secret(value: &str) -> bool {
    BEGINNINGS.iter().any(|start| value.starts_with(start) && value.len() >= start.len() + 8)
}

/// Authentication schemes before a secret in a header.
pub(super) const SCHEMES: [&str; 3] = ["Bearer", "Basic", "Token"];

pub(super) fn variable_for(server: &str, what: &str) -> String {
    format!("{}_{}", slug(server), slug(what)).replace('-', "_").to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_told_from_settings() {
        for (name, value, secret) in [
            ("GITHUB_TOKEN", "x", true),
            ("OPENAI_APIKEY", "x", true),
            ("api-key", "x", true),
            ("DB_PASSWORD", "hunter2", true),
            ("LOG_LEVEL", "debug", false),
            ("HOME_DIR", "/home/user/some-directory", false),
            ("X", "ghp_0123456789abcdef", true),
            ("X", "0123456789abcdef01234567", true),
            ("GITHUB_TOKEN", "${GITHUB_TOKEN}", false),
            ("KEYBOARD", "de", false),
            ("MONKEY", "see", true),
            ("GITHUB_TOKEN", "", false),
            ("GITHUB_TOKEN", "Bearer ${GITHUB_TOKEN}", false),
            ("CREDENTIALS", "${USER}:${PASSWORD}", false),
            // A value besides the reference.
            ("GITHUB_TOKEN", "${GITHUB_TOKEN:-ghp_0123456789abcdef}", true),
            ("GITHUB_TOKEN", "${USER}hunter2${X}", true),
            ("GITHUB_TOKEN", "hunter2 ${X}", true),
        ] {
            assert_eq!(is_secret(name, value), secret, "{name}={value}");
        }
        assert!(is_secret_header("Authorization", "Bearer x"));
        assert!(!is_secret_header("Authorization", "Bearer ${TOKEN}"));
        assert!(!is_secret_header("Accept", "text/html"));
        for (address, secret) in [
            ("postgres://user:hunter2@host/db", true),
            ("postgres://user@host/db", false),
            ("postgres://user:${PASSWORD}@host/db", true),
            ("postgres://${USER}:${PASSWORD}@host/db", false),
            ("https://host/x?api_key=abc", true),
            ("https://host/x?q=abc", false),
            ("hunter2", false),
        ] {
            assert_eq!(is_in_address(address), secret, "{address}");
        }
        for (line, secret) in [
            ("curl -H 'Authorization: Bearer sk-0123456789abcdef' https://x", true),
            ("API=ghp_0123456789abcdef ./x", true),
            ("~/.claude/hooks/sk-check.sh", false),
            ("cargo test", false),
        ] {
            assert_eq!(is_in_line(line), secret, "{line}");
        }
        assert_eq!(variable_for("my-server", "X-Api-Key"), "MY_SERVER_X_API_KEY");
    }
}
