//! Which packages `deny.toml` does not want at all, and which in two versions: its part `bans`, without `cargo deny`.

use std::collections::BTreeMap;

use serde_json::Value;

/// What is wrong, and what to do about it.
pub(super) type Finding = (String, &'static str);

/// Finds banned packages, doubles nobody has a reason for, and reasons for doubles that are gone.
pub(super) fn check(rules: &str, metadata: &Value) -> Vec<Finding> {
    let rules: toml::Table = rules.parse().unwrap_or_default();
    let bans = |key: &str| -> Vec<toml::Value> {
        rules.get("bans").and_then(|bans| bans.get(key)?.as_array().cloned()).unwrap_or_default()
    };
    let text = |entry: &toml::Value, key: &str| entry.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let mut versions: BTreeMap<String, Vec<Vec<u64>>> = BTreeMap::new();
    for package in metadata.get("packages").and_then(Value::as_array).into_iter().flatten() {
        let field = |key: &str| package.get(key).and_then(Value::as_str);
        if let (Some(name), Some(version)) = (field("name"), field("version")) {
            versions.entry(name.to_owned()).or_default().push(numbers(version));
        }
    }
    let mut findings = Vec::new();
    for ban in bans("deny") {
        let Some(name) = text(&ban, "name") else { continue };
        let below = text(&ban, "version").and_then(|version| version.strip_prefix('<').map(numbers));
        let found = versions.get(&name).into_iter().flatten();
        for version in found.filter(|version| below.as_ref().is_none_or(|below| *version < below)) {
            let message = format!("`{name}` {} is banned", shown(version));
            findings.push((message, "do without what brings it: `cargo tree --invert` tells"));
        }
    }
    let skipped: Vec<(String, Vec<u64>)> = bans("skip")
        .iter()
        .filter_map(|skip| text(skip, "crate"))
        .filter_map(|skip| skip.split_once('@').map(|(name, version)| (name.to_owned(), numbers(version))))
        .collect();
    let is_meant =
        |name: &str, version: &[u64], (skip, prefix): &(String, Vec<u64>)| name == skip && version.starts_with(prefix);
    let mut doubles = Vec::new();
    for (name, versions) in &mut versions {
        versions.sort();
        versions.dedup();
        // The newest is the one to keep.
        versions.pop();
        doubles.extend(versions.iter().map(|version| (name.clone(), version.clone())));
    }
    for (name, version) in &doubles {
        if !skipped.iter().any(|skip| is_meant(name, version, skip)) {
            let message = format!("`{name}` is there twice, the older one as {}", shown(version));
            findings.push((message, "bring both to one version, or add it to `skip` with the reason"));
        }
    }
    for skip in &skipped {
        if !doubles.iter().any(|(name, version)| is_meant(name, version, skip)) {
            let message = format!("`{}` {} is no double any more", skip.0, shown(&skip.1));
            findings.push((message, "take it out of `skip`"));
        }
    }
    findings
}

/// The numbers of a version; what comes after them does not matter here.
fn numbers(version: &str) -> Vec<u64> {
    let plain = version.split(['-', '+']).next().unwrap_or_default();
    plain.split('.').filter_map(|part| part.trim().parse().ok()).collect()
}

fn shown(version: &[u64]) -> String {
    version.iter().map(u64::to_string).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bans_doubles_and_stale_reasons_are_found() {
        let rules = r#"
            [bans]
            skip = [{ crate = "a@0.2", reason = "r" }, { crate = "gone@1", reason = "r" }]
            deny = [{ name = "syn", version = "<2" }, { name = "openssl-sys" }]
        "#;
        let package = |name: &str, version: &str| serde_json::json!({"name": name, "version": version});
        let packages = [
            package("a", "0.2.17"),
            package("a", "0.4.3"),
            package("b", "1.0.0-rc.1"),
            package("b", "1.10.0"),
            package("b", "1.9.0"),
            package("gone", "1.2.3"),
            package("syn", "1.0.109"),
            package("syn", "2.0.0"),
            package("openssl-sys", "0.9.1"),
        ];
        let found = check(rules, &serde_json::json!({"packages": packages}));
        let found: Vec<String> = found.into_iter().map(|(message, _)| message).collect();
        assert_eq!(
            found,
            [
                "`syn` 1.0.109 is banned",
                "`openssl-sys` 0.9.1 is banned",
                "`b` is there twice, the older one as 1.0.0",
                "`b` is there twice, the older one as 1.9.0",
                "`syn` is there twice, the older one as 1.0.109",
                "`gone` 1 is no double any more",
            ]
        );
    }
}
