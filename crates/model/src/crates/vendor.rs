//! Directories of vendored crates, as named in a `.cargo/config.toml`.

use std::collections::BTreeSet;

use toml::de::DeTable;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VendorDirectory {
    /// As written; relative to the parent of `.cargo`.
    pub path: String,
}

/// Returns the vendored directories that a `replace-with` leads to; none when the text is not such a configuration.
pub fn vendor_directories(config: &str) -> Vec<VendorDirectory> {
    let Ok(document) = DeTable::parse(config) else { return Vec::new() };
    let Some(sources) = document.get_ref().get("source").and_then(|value| value.get_ref().as_table()) else {
        return Vec::new();
    };
    let text = |name: &str, key: &str| -> Option<&str> {
        sources.get(name)?.get_ref().as_table()?.get(key)?.get_ref().as_str()
    };
    let mut used = BTreeSet::new();
    for (name, _) in sources {
        let mut name = name.get_ref().as_ref();
        // A cycle is followed only once.
        while let Some(next) = text(name, "replace-with").filter(|next| used.insert(*next)) {
            name = next;
        }
    }
    let paths = used.into_iter().filter_map(|name| text(name, "directory"));
    paths.map(|path| VendorDirectory { path: path.to_owned() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_directories_in_use_count() {
        let config = r#"
            [source.crates-io]
            replace-with = "first"
            [source.first]
            replace-with = "vendored"
            [source.vendored]
            directory = "third-party"
            [source.loop]
            replace-with = "loop"
            [source.unused]
            directory = "elsewhere"
        "#;
        assert_eq!(vendor_directories(config), [VendorDirectory { path: "third-party".to_owned() }]);
        for odd in ["", "source = 1", "[source]\na = 2", "not toml", "[source.a]\nreplace-with = 3"] {
            assert!(vendor_directories(odd).is_empty(), "{odd}");
        }
    }
}
