//! Finds the dependencies that the new text of a Cargo.toml names.

use symposium_model::crates::dependency_tables::{CrateRequest, ManifestTables};

/// Returns the dependencies whose keys stand in the new text, in its order. `whole` is the manifest with that text in it.
pub(super) fn find_named_requests(whole: &str, new: &str) -> Vec<CrateRequest> {
    let Some(ManifestTables { requests, workspace, .. }) = ManifestTables::parse(whole) else { return Vec::new() };
    let requests: Vec<CrateRequest> = requests.into_iter().chain(workspace).collect();
    let mut named: Vec<CrateRequest> = Vec::new();
    for key in dependency_keys(new) {
        let is_known = |request: &&CrateRequest| request.key == key;
        if !named.iter().any(|known| is_known(&known)) {
            named.extend(requests.iter().find(is_known).cloned());
        }
    }
    named
}

/// Returns the first words of keys, except those in a table that holds no dependencies.
fn dependency_keys(text: &str) -> Vec<&str> {
    let mut keys = Vec::new();
    // An edit may begin inside a table of dependencies.
    let mut is_inside = true;
    for line in text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_matches(['[', ']', ' ']);
            let (table, last) = header.rsplit_once('.').unwrap_or(("", header));
            let names_one = is_dependency_table(table);
            is_inside = names_one || is_dependency_table(header);
            keys.extend(names_one.then(|| plain_key(last)));
        } else if let Some((key, _)) = line.split_once('=').filter(|_| is_inside) {
            keys.push(plain_key(key.split('.').next().unwrap_or(key)));
        }
    }
    keys
}

fn is_dependency_table(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path).trim();
    last.ends_with("dependencies")
}

fn plain_key(key: &str) -> &str {
    key.trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "[package]\nname = \"a\"\nserde = 1\n\n[dependencies]\nserde = \"1\"\nrand.version = \"0.9\"\n\
        'quoted' = \"1\"\n\n[dependencies.tokio]\nversion = \"1\"\nfeatures = [\"serde\"]\n\n\
        [target.'cfg(unix)'.dependencies]\nnix = \"0.30\"\n\n[dev-dependencies]\nold = { package = \"new\", version = \"2\" }\n\n\
        [features]\nrand = [\"serde\"]\n";

    #[test]
    fn keys_of_dependency_tables_in_the_new_text_count() {
        for (new, expected) in [
            (WHOLE, vec!["serde", "rand", "quoted", "tokio", "nix", "new"]),
            ("rand.version = \"0.9\"\nserde = \"1\"", vec!["rand", "serde"]),
            ("serde = \"1\"\nserde = \"1\"", vec!["serde"]),
            ("[features]\nrand = [\"serde\"]", vec![]),
            ("[package]\nserde = 1\n[dependencies]\nserde = \"1\"", vec!["serde"]),
            ("# serde = \"1\"", vec![]),
            ("version = \"1\"\nfeatures = [\"serde\"]", vec![]),
            ("unknown = \"1\"", vec![]),
            ("", vec![]),
        ] {
            let named = find_named_requests(WHOLE, new);
            assert_eq!(named.iter().map(|request| request.package.as_str()).collect::<Vec<_>>(), expected, "{new}");
        }
        assert_eq!(find_named_requests("[dependencies\nserde = 1", "serde = 1"), Vec::new());
    }
}
