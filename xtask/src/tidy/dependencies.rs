//! What we depend on comes from the registry, under a licence of `deny.toml`: what of `cargo deny` needs neither that
//! program nor the network.

use serde_json::Value;

use super::bans;
use super::source_file::SourceFile;
use super::violation::Violation;

/// The call that tells everything about dependencies without fetching anything.
pub(super) const CARGO_METADATA: [&str; 4] = ["metadata", "--format-version", "1", "--offline"];

const RULES: &str = "deny.toml";

/// The one place packages come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Finds packages from elsewhere, licences that are not allowed, packages that are banned, and doubles.
pub(super) fn check(files: &[SourceFile], metadata: &str) -> Vec<Violation> {
    let rules = files.iter().find(|file| file.path == RULES).map_or("", |file| &file.text);
    let allowed = allowed(rules);
    let Ok(metadata) = serde_json::from_str::<Value>(metadata) else {
        return vec![violation("What cargo says about dependencies cannot be read", "run `cargo metadata` to see why")];
    };
    let mut violations = Vec::new();
    for package in metadata.get("packages").and_then(Value::as_array).into_iter().flatten() {
        let text = |key: &str| package.get(key).and_then(Value::as_str);
        let (Some(name), Some(source)) = (text("name"), text("source")) else { continue };
        if source != REGISTRY {
            let message = format!("`{name}` comes from `{source}`");
            violations.push(violation(&message, "use a version that is in the registry"));
        }
        let licence = text("license").unwrap_or_default();
        if !is_allowed(licence, &allowed) {
            let message = format!("`{name}` is under `{licence}`, which is not in the list");
            violations.push(violation(&message, "do without it, or add the licence to `deny.toml` with the reason"));
        }
    }
    violations.extend(bans::check(rules, &metadata).iter().map(|(message, fix)| violation(message, fix)));
    violations
}

fn violation(message: &str, fix: &str) -> Violation {
    Violation { file: RULES.to_owned(), line: 1, message: message.to_owned(), fix: fix.to_owned() }
}

/// The licences that `deny.toml` allows.
fn allowed(rules: &str) -> Vec<String> {
    let table: Option<toml::Table> = rules.parse().ok();
    let list = table.as_ref().and_then(|table| table.get("licenses")?.get("allow")?.as_array());
    list.into_iter().flatten().filter_map(|licence| licence.as_str().map(str::to_owned)).collect()
}

/// Whether one of the choices consists of allowed licences. Brackets bind as they are mostly meant: choices inside a sum.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let plain = |licence: &str| {
        let licence = licence.trim().trim_matches(['(', ')']).trim();
        let licence = licence.split(" WITH ").next().unwrap_or(licence);
        allowed.iter().any(|one| one == licence)
    };
    let choices = |part: &str| part.replace('/', " OR ").split(" OR ").any(plain);
    if expression.contains('(') {
        return expression.split(" AND ").all(choices);
    }
    expression.replace('/', " OR ").split(" OR ").any(|choice| choice.split(" AND ").all(plain))
}

#[cfg(test)]
mod tests {
    use super::super::source_file::files;
    use super::*;

    #[test]
    fn sources_and_licences_are_checked() {
        let rules = files(&[("deny.toml", "[licenses]\nallow = ['MIT', 'Apache-2.0', 'Unicode-3.0', 'ISC']\n")]);
        let package = |name: &str, source: &str, licence: &str| serde_json::json!({"name": name, "source": source, "license": licence});
        let metadata = serde_json::json!({"packages": [
            package("a", REGISTRY, "MIT OR GPL-3.0"),
            package("b", REGISTRY, "(MIT OR Apache-2.0) AND Unicode-3.0"),
            package("c", REGISTRY, "Apache-2.0 WITH LLVM-exception OR MIT"),
            package("d", REGISTRY, "MIT/Apache-2.0"),
            package("e", REGISTRY, "Apache-2.0 AND ISC"),
            package("f", REGISTRY, "MIT AND GPL-3.0"),
            package("g", "git+https://example.com/g", "MIT"),
            {"name": "ours", "source": null, "license": null},
        ]});
        let found: Vec<String> = check(&rules, &metadata.to_string()).into_iter().map(|found| found.message).collect();
        assert_eq!(
            found,
            ["`f` is under `MIT AND GPL-3.0`, which is not in the list", "`g` comes from `git+https://example.com/g`"]
        );
    }
}
