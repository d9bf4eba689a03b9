//! The files of an index: one for each crate, laid out like cargo's sparse index, and one for plugins without a crate.

use crate::crates::CrateName;

/// The file at the root that says how the rest is laid out.
pub const CONFIG_FILE: &str = "config.json";

/// The file with the plugins that may apply in any workspace.
pub const ANY_FILE: &str = "any";

/// The directory of archives that `symposium plugin index` makes.
pub const ARCHIVES: &str = "archives";

/// Returns the path of a crate's file. `-` and `_` are the same, as are the cases of letters; a letter outside ASCII is
/// written with its code.
pub fn crate_file(name: &CrateName) -> String {
    let mut folded = String::new();
    for letter in name.as_str().chars() {
        match letter {
            '_' => folded.push('-'),
            letter if letter.is_ascii() => folded.push(letter.to_ascii_lowercase()),
            letter => folded.push_str(&format!("u{:x}", u32::from(letter))),
        }
    }
    let part = |from: usize, to: usize| folded.get(from..to).unwrap_or_default();
    match folded.len() {
        length @ (1 | 2) => format!("{length}/{folded}"),
        3 => format!("3/{}/{folded}", part(0, 1)),
        _ => format!("{}/{}/{folded}", part(0, 2), part(2, 4)),
    }
}

/// Returns the path of an archive, below the directory of archives.
pub fn archive_file(sha256: &str) -> String {
    format!("{}/{sha256}.tar.gz", sha256.get(..2).unwrap_or_default())
}

/// Whether a path of an index leads below the directory that it starts in, on every system and server.
pub fn is_plain_path(path: &str) -> bool {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+');
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && part.bytes().all(is_usual);
    path.len() <= 256 && path.split('/').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_have_the_places_of_the_sparse_index() {
        for (name, expected) in [
            ("a", "1/a"),
            ("ab", "2/ab"),
            ("abc", "3/a/abc"),
            ("rand", "ra/nd/rand"),
            ("serde_json", "se/rd/serde-json"),
            ("serde-json", "se/rd/serde-json"),
            ("Inflector", "in/fl/inflector"),
            ("_", "1/-"),
            ("ä", "3/u/ue4"),
            ("größe", "gr/uf/gruf6udfe"),
        ] {
            let file = crate_file(&CrateName::parse(name).unwrap());
            assert_eq!(file, expected);
            assert!(is_plain_path(&file) || name == "_", "{file}");
        }
    }

    #[test]
    fn a_path_stays_below_its_directory() {
        for (path, expected) in [
            ("ab/abcdef.tar.gz", true),
            ("a+b/c-1.0_2", true),
            ("", false),
            ("/a", false),
            ("a//b", false),
            ("../a", false),
            ("a/..", false),
            ("a/.git", false),
            ("a\\b", false),
            ("a?b", false),
            ("a%2e%2e", false),
            ("http://h/a", false),
        ] {
            assert_eq!(is_plain_path(path), expected, "{path}");
        }
    }
}
