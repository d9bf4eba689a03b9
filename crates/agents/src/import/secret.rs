//! What looks like a secret, and the reference that takes its place.

use super::name::slug;

/// Parts of names whose values nobody should copy.
const TELLING: [&str; 14] = [
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
];

/// How well-known secrets begin.
const BEGINNINGS: [&str; 15] = [
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
];

/// Headers that are no secrets.
const PLAIN_HEADERS: [&str; 6] =
    ["accept", "accept-language", "content-type", "user-agent", "mcp-protocol-version", "origin"];

/// Whether the value of a variable, or of a parameter, looks like a secret. A reference is none.
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

/// Whether a value looks like a secret whatever it is called.
pub(super) fn looks_secret(value: &str) -> bool {
    if BEGINNINGS.iter().any(|start| value.starts_with(start) && value.len() >= start.len() + 8) {
        return true;
    }
    let letters = value.chars().filter(char::is_ascii_alphabetic).count();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let plain = value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '='));
    value.len() >= 24 && plain && letters >= 4 && digits >= 4
}

/// Whether the value of a header is to be kept out.
pub(super) fn is_secret_header(name: &str, value: &str) -> bool {
    !value.is_empty() && !is_reference(value) && !PLAIN_HEADERS.contains(&name.to_ascii_lowercase().as_str())
}

/// Whether a value is nothing but references, perhaps behind a word such as `Bearer`.
fn is_reference(value: &str) -> bool {
    let value = value.rsplit(' ').next().unwrap_or(value);
    value.starts_with("${") && value.ends_with('}')
}

/// The name of a variable for a secret of a server.
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
        ] {
            assert_eq!(is_secret(name, value), secret, "{name}={value}");
        }
        assert!(is_secret_header("Authorization", "Bearer x"));
        assert!(!is_secret_header("Authorization", "Bearer ${TOKEN}"));
        assert!(!is_secret_header("Accept", "text/html"));
        assert_eq!(variable_for("my-server", "X-Api-Key"), "MY_SERVER_X_API_KEY");
    }
}
