//! Names of the directories of vendored sources.

use crate::sync::fingerprint;

const MAX_NAME: usize = 48;

/// Returns the source's own name if it is a legal directory name on every system; else its legal characters and a hash.
pub(super) fn vendor_name(source: &str) -> String {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    let starts_well = source.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    // Windows has devices of three or four letters.
    let is_device = matches!(source, "con" | "prn" | "aux" | "nul")
        || (source.len() == 4 && (source.starts_with("com") || source.starts_with("lpt")));
    if starts_well && source.len() <= MAX_NAME && source.chars().all(is_plain) && !is_device {
        return source.to_owned();
    }
    let plain: String = source.to_lowercase().chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let plain: String = plain.trim_matches(['-', '_']).chars().take(MAX_NAME).collect();
    let hash = fingerprint(source.as_bytes());
    let digits: String = hash.as_str().chars().take(8).collect();
    if plain.is_empty() { format!("source-{digits}") } else { format!("{plain}-{digits}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_of_directories_everywhere() {
        for (source, expected) in [
            ("team", "team"),
            ("symposium-recommendations", "symposium-recommendations"),
            ("Team", "team-"),
            ("..", "source-"),
            ("", "source-"),
            ("a/../b", "a----b-"),
            (".git", "git-"),
            ("con", "con-"),
            ("com1", "com1-"),
            ("über uns", "ber-uns-"),
        ] {
            let name = vendor_name(source);
            let (known, digits) = name.split_at(expected.len());
            assert_eq!(known, expected, "{source}");
            assert!(digits.is_empty() || digits.len() == 8, "{name}");
        }
        assert_ne!(vendor_name("Team"), vendor_name("TEAM"));
        assert!(vendor_name(&"x".repeat(300)).len() < 60);
    }
}
