//! The plugins and skills that ship inside Symposium, as bytes.
//!
//! The directory of this package is a source like any other; the build script lists its files.

/// One file of the embedded source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct File {
    /// Relative to the source, with `/` between the parts on every platform.
    pub path: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The guidance that `symposium start` prints.
pub const START: &str = include_str!("../start.md");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sorted_and_named_once() {
        assert!(FILES.is_sorted_by(|a, b| a.path < b.path));
    }

    #[test]
    fn skills_are_there_with_their_bytes() {
        let serde = FILES.iter().find(|file| file.path == "serde/SKILL.md").expect("serde/SKILL.md is embedded");
        assert!(serde.bytes.starts_with(b"---\nname: serde\n"));
    }

    /// A file that is no part of a skill or a plugin would be shipped to everyone for nothing.
    #[test]
    fn no_stray_file_is_embedded() {
        let homes: Vec<&str> = FILES
            .iter()
            .filter_map(|file| file.path.rsplit_once('/'))
            .filter(|(_, name)| *name == "SKILL.md" || name.eq_ignore_ascii_case("symposium.toml"))
            .map(|(directory, _)| directory)
            .collect();
        for file in FILES {
            let at_home =
                homes.iter().any(|home| file.path.strip_prefix(home).is_some_and(|rest| rest.starts_with('/')));
            assert!(file.path == "start.md" || at_home, "`{}` belongs to no skill and no plugin", file.path);
            assert!(!file.path.contains('\\') && !file.path.contains("/."), "`{}` is an odd path", file.path);
        }
    }

    #[test]
    fn start_is_the_embedded_file() {
        let file = FILES.iter().find(|file| file.path == "start.md").expect("start.md is embedded");
        assert_eq!(file.bytes, START.as_bytes());
    }

    #[test]
    fn fingerprint_is_sixteen_hex_digits() {
        assert_eq!(FINGERPRINT.len(), 16);
        assert!(FINGERPRINT.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
}
