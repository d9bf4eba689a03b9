//! The name of a package's library, which code uses instead of the package's name.

use super::toml_leaves::{LeafValue, TomlLeaf, read_leaves};

/// Returns `[lib] name` of a Cargo.toml; none if it has none, which means that the library is named as the package.
pub fn library_name(manifest: &str) -> Option<String> {
    // A manifest may be long, so only the table is read where it stands by itself.
    let is_header = |line: &str| line.split('#').next().is_some_and(|line| line.trim() == "[lib]");
    let mut lines = manifest.split_inclusive('\n').skip_while(|line| !is_header(line)).peekable();
    let leaves = if lines.peek().is_some() {
        let rest = lines.enumerate().take_while(|(at, line)| *at == 0 || !line.trim_start().starts_with('['));
        read_leaves(&rest.map(|(_, line)| line).collect::<String>())?
    } else if manifest.lines().any(|line| line.trim_start().starts_with("lib")) {
        read_leaves(manifest)?
    } else {
        return None;
    };
    let name = |leaf: TomlLeaf| match leaf.value {
        LeafValue::Text(name) if leaf.path == ["lib", "name"] => Some(name),
        _ => None,
    };
    leaves.into_iter().find_map(name).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_that_of_the_library_table() {
        for (manifest, name) in [
            ("[package]\nname = \"md-5\"\n\n[lib]\nname = \"md5\"\n", Some("md5")),
            (
                "[package]\nname = \"a\"\n[lib] # the library\npath = \"src/x.rs\"\nname = 'b'\n[features]\nx = []\n",
                Some("b"),
            ),
            ("\r\n[lib]\r\ncrate-type = [\r\n  \"rlib\",\r\n]\r\nname = \"c\"\r\n", Some("c")),
            ("lib = { name = \"d\" }\n", Some("d")),
            ("lib.name = \"e\"\n", Some("e")),
            ("[package]\nname = \"a\"\n", None),
            ("[lib]\nproc-macro = true\n\n[[bin]]\nname = \"f\"\n", None),
            ("[lib]\nname = \"\"\n", None),
            ("[lib]\nname = 1\n", None),
            ("[lib\nname = \"a\"", None),
            ("", None),
        ] {
            assert_eq!(library_name(manifest).as_deref(), name, "{manifest}");
        }
    }
}
