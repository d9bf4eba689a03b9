//! Reads the words of `cargo add …`.

use super::dependency_tables::{CrateRequest, RequestSource};
use super::name::CrateName;

/// Options of `cargo add` with a value behind them that change nothing about the request.
const WITH_VALUE: [&str; 13] = [
    "--rename",
    "--target",
    "-p",
    "--package",
    "--manifest-path",
    "--lockfile-path",
    "--color",
    "--config",
    "-Z",
    "-C",
    "--branch",
    "--tag",
    "--rev",
];

/// Options that say that the crate comes from elsewhere.
const ELSEWHERE: [&str; 4] = ["--path", "--git", "--registry", "--base"];

/// Reads the arguments of cargo, from `add` on; none if they are not understood.
pub fn parse_cargo_add<A: AsRef<str>>(arguments: &[A]) -> Option<Vec<CrateRequest>> {
    let mut words = arguments.iter().map(AsRef::as_ref).skip_while(|word| *word != "add").skip(1);
    let mut crates: Vec<&str> = Vec::new();
    let mut features: Vec<String> = Vec::new();
    let mut is_elsewhere = false;
    while let Some(word) = words.next() {
        let (option, attached) = split_option(word);
        if matches!(option, "--features" | "-F") {
            let value = attached.or_else(|| words.next())?;
            features.extend(value.split([',', ' ']).filter(|feature| !feature.is_empty()).map(str::to_owned));
        } else if ELSEWHERE.contains(&option) {
            is_elsewhere = true;
            attached.or_else(|| words.next())?;
        } else if WITH_VALUE.contains(&option) {
            attached.or_else(|| words.next())?;
        } else if matches!(option, "--help" | "-h") {
            return None;
        } else if word == "--" {
            crates.extend(words.by_ref());
        } else if !word.starts_with('-') {
            crates.push(word);
        }
    }
    let is_alone = crates.len() == 1;
    let requests: Option<Vec<CrateRequest>> = crates.into_iter().map(|spec| read_spec(spec, is_elsewhere)).collect();
    let mut requests = requests.filter(|requests| !requests.is_empty())?;
    for feature in features {
        add_feature(&mut requests, &feature, is_alone);
    }
    Some(requests)
}

/// Splits `--features=a` and `-Fa`.
fn split_option(word: &str) -> (&str, Option<&str>) {
    if word.starts_with("--") {
        return word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
    }
    match word.strip_prefix("-F") {
        Some(value) if !value.is_empty() => ("-F", Some(value.trim_start_matches('='))),
        Some(_) | None => (word, None),
    }
}

/// Reads `name` or `name@requirement`; a path is from elsewhere.
fn read_spec(spec: &str, is_elsewhere: bool) -> Option<CrateRequest> {
    let (name, requirement) = spec.split_once('@').map_or((spec, None), |(name, version)| (name, Some(version)));
    let is_path = spec.contains(['/', '\\']) || spec.starts_with('.');
    if !is_path && CrateName::parse(name).is_none() {
        return None;
    }
    let source = if is_path || is_elsewhere { RequestSource::Elsewhere } else { RequestSource::Registry };
    Some(CrateRequest {
        table: String::new(),
        key: name.to_owned(),
        package: name.to_owned(),
        requirement: requirement.map(str::to_owned),
        features: Vec::new(),
        source,
    })
}

/// Gives a feature to the crate it is for: `name/feature`, or the only one there is.
fn add_feature(requests: &mut [CrateRequest], feature: &str, is_alone: bool) {
    match feature.split_once('/') {
        Some((name, feature)) => {
            if let Some(request) = requests.iter_mut().find(|request| request.key == name) {
                request.features.push(feature.to_owned());
            }
        }
        None if is_alone => {
            if let Some(request) = requests.first_mut() {
                request.features.push(feature.to_owned());
            }
        }
        // Cargo refuses that itself.
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(command: &str) -> String {
        let words: Vec<&str> = command.split_whitespace().collect();
        let Some(requests) = parse_cargo_add(&words) else { return "none".to_owned() };
        let show = |request: &CrateRequest| {
            let requirement = request.requirement.as_ref().map(|text| format!("@{text}")).unwrap_or_default();
            let source = if request.source == RequestSource::Registry { "" } else { "!" };
            format!("{source}{}{requirement}[{}]", request.package, request.features.join(","))
        };
        requests.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_of_cargo_add() {
        for (command, expected) in [
            ("add serde", "serde[]"),
            ("--offline add serde", "serde[]"),
            ("add serde@1.0", "serde@1.0[]"),
            ("add serde@=1.0.3 --dev", "serde@=1.0.3[]"),
            ("add serde --features derive,rc", "serde[derive,rc]"),
            ("add serde -F derive -F rc", "serde[derive,rc]"),
            ("add serde -Fderive", "serde[derive]"),
            ("add serde --features=derive --no-default-features", "serde[derive]"),
            ("add --features derive serde", "serde[derive]"),
            ("add serde tokio --features serde/derive,tokio/rt", "serde[derive] tokio[rt]"),
            ("add serde tokio --features rt", "serde[] tokio[]"),
            ("add tokio --rename t -p app --target x86_64 --optional", "tokio[]"),
            ("add near --path ../near", "!near[]"),
            ("add far --git https://example.com/far --branch main", "!far[]"),
            ("add own --registry ours", "!own[]"),
            ("add --git=https://example.com/far far", "!far[]"),
            ("add ../near", "!../near[]"),
            ("add ./near --features x", "!./near[x]"),
            ("add serde --build --dry-run --quiet", "serde[]"),
            ("add serde --features", "none"),
            ("add", "none"),
            ("add --help", "none"),
            ("add 9lives", "none"),
            ("add -- serde", "serde[]"),
            ("build", "none"),
        ] {
            assert_eq!(show(command), expected, "{command}");
        }
    }
}
