//! Features: which of them are on in each package of a graph, and which optional dependencies they switch on.

use std::collections::{BTreeMap, BTreeSet};

/// A package with its features and dependencies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeaturePackage {
    /// The section `[features]`.
    pub table: BTreeMap<String, Vec<String>>,
    pub dependencies: Vec<FeatureDependency>,
}

/// A dependency of a package, and the features it asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeatureDependency {
    /// The key in the manifest.
    pub key: String,
    /// The position of the package.
    pub package: usize,
    pub is_optional: bool,
    pub request: FeatureRequest,
}

/// Features that are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeatureRequest {
    pub features: Vec<String>,
    pub with_default: bool,
}

/// Features that are on in a package.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActiveFeatures {
    pub features: BTreeSet<String>,
    /// Positions of the dependencies that are switched on.
    pub dependencies: BTreeSet<usize>,
    /// Features of dependencies that are asked for if those are on.
    weak: BTreeSet<(String, String)>,
    is_used: bool,
}

impl ActiveFeatures {
    /// Says whether anything asked for the package.
    pub fn is_used(&self) -> bool {
        self.is_used
    }
}

/// Finds the features of all packages when some are asked for, as cargo's resolver does without regard to platforms.
pub fn unify_features(packages: &[FeaturePackage], requests: &[(usize, FeatureRequest)]) -> Vec<ActiveFeatures> {
    let mut unifier = FeatureUnifier {
        packages,
        active: vec![ActiveFeatures::default(); packages.len()],
        waiting: requests.iter().map(|(package, request)| (*package, request.clone())).collect(),
    };
    while let Some((package, request)) = unifier.waiting.pop() {
        unifier.request(package, &request);
    }
    unifier.active
}

/// Finds the features of one package when some are asked for, regardless of its dependencies.
pub fn expand_features(package: &FeaturePackage, request: FeatureRequest) -> BTreeSet<String> {
    let mut alone = package.clone();
    alone.dependencies.iter_mut().for_each(|dependency| dependency.package = 1);
    let active = unify_features(&[alone, FeaturePackage::default()], &[(0, request)]);
    active.into_iter().next().map(|active| active.features).unwrap_or_default()
}

struct FeatureUnifier<'a> {
    packages: &'a [FeaturePackage],
    active: Vec<ActiveFeatures>,
    waiting: Vec<(usize, FeatureRequest)>,
}

impl<'a> FeatureUnifier<'a> {
    fn request(&mut self, at: usize, request: &FeatureRequest) {
        let packages = self.packages;
        let (Some(package), Some(active)) = (packages.get(at), self.active.get_mut(at)) else { return };
        if !active.is_used {
            active.is_used = true;
            for (position, dependency) in package.dependencies.iter().enumerate() {
                if !dependency.is_optional {
                    self.switch_on(at, position, dependency);
                }
            }
        }
        if request.with_default {
            self.enable(at, package, "default");
        }
        for feature in &request.features {
            self.enable(at, package, feature);
        }
    }

    fn switch_on(&mut self, at: usize, position: usize, dependency: &FeatureDependency) {
        let Some(active) = self.active.get_mut(at) else { return };
        if active.dependencies.insert(position) {
            let weak = active.weak.iter().filter(|(key, _)| *key == dependency.key);
            let mut request = dependency.request.clone();
            request.features.extend(weak.map(|(_, feature)| feature.clone()));
            self.waiting.push((dependency.package, request));
        }
    }

    fn switch_on_named(&mut self, at: usize, package: &'a FeaturePackage, key: &str) {
        for (position, dependency) in package.dependencies.iter().enumerate() {
            if dependency.key == key {
                self.switch_on(at, position, dependency);
            }
        }
    }

    /// Turns a feature on, and all that it turns on in turn.
    fn enable(&mut self, at: usize, package: &'a FeaturePackage, feature: &str) {
        let mut left = vec![feature.to_owned()];
        while let Some(value) = left.pop() {
            if let Some(key) = value.strip_prefix("dep:") {
                self.switch_on_named(at, package, key);
            } else if let Some((key, feature)) = value.split_once('/') {
                self.enable_below(at, package, key, feature);
                // The old spelling also turns on the feature of that name.
                if !key.ends_with('?') && package.table.contains_key(key) {
                    left.push(key.to_owned());
                }
            } else {
                let is_known = package.table.contains_key(&value);
                let is_dependency = package.dependencies.iter().any(|own| own.is_optional && own.key == value);
                let Some(active) = self.active.get_mut(at) else { return };
                if (is_known || is_dependency) && active.features.insert(value.clone()) {
                    left.extend(package.table.get(&value).into_iter().flatten().cloned());
                    if !is_known {
                        self.switch_on_named(at, package, &value);
                    }
                }
            }
        }
    }

    /// Turns on a feature of a dependency, written `key/feature` or `key?/feature`.
    fn enable_below(&mut self, at: usize, package: &FeaturePackage, key: &str, feature: &str) {
        let (key, is_weak) = key.strip_suffix('?').map_or((key, false), |key| (key, true));
        for (position, dependency) in package.dependencies.iter().enumerate() {
            if dependency.key != key {
                continue;
            }
            if !is_weak {
                self.switch_on(at, position, dependency);
            }
            let Some(active) = self.active.get_mut(at) else { return };
            if active.dependencies.contains(&position) {
                let request = FeatureRequest { features: vec![feature.to_owned()], with_default: false };
                self.waiting.push((dependency.package, request));
            } else {
                active.weak.insert((key.to_owned(), feature.to_owned()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(table: &[(&str, &[&str])], dependencies: Vec<FeatureDependency>) -> FeaturePackage {
        let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        let table = table.iter().map(|(name, values)| ((*name).to_owned(), owned(values))).collect();
        FeaturePackage { table, dependencies }
    }

    fn dependency(key: &str, package: usize, is_optional: bool, request: FeatureRequest) -> FeatureDependency {
        FeatureDependency { key: key.to_owned(), package, is_optional, request }
    }

    fn request(features: &[&str], with_default: bool) -> FeatureRequest {
        FeatureRequest { features: features.iter().map(|name| (*name).to_owned()).collect(), with_default }
    }

    fn names(active: &ActiveFeatures) -> String {
        active.features.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn features_turn_on_features() {
        let tokio = package(
            &[("default", &["rt"]), ("full", &["net", "fs"]), ("net", &["mio/os"]), ("fs", &[]), ("rt", &[])],
            Vec::new(),
        );
        let check = |asked: &[&str], with_default: bool, expected: &str| {
            let found = expand_features(&tokio, request(asked, with_default));
            assert_eq!(found.into_iter().collect::<Vec<_>>().join(" "), expected, "{asked:?}");
        };
        check(&[], true, "default rt");
        check(&[], false, "");
        check(&["full"], false, "fs full net");
        check(&["nonsense"], false, "");
    }

    #[test]
    fn dependencies_get_what_others_ask_for() {
        let graph = [
            package(
                &[("default", &["json"]), ("json", &["dep:serde", "base?/late"])],
                vec![
                    dependency("base", 1, false, request(&["one"], false)),
                    dependency("serde", 2, true, request(&[], true)),
                ],
            ),
            package(&[("one", &[]), ("two", &[]), ("late", &[]), ("default", &["two"])], Vec::new()),
            package(&[("default", &["std"]), ("std", &[])], vec![dependency("old", 3, true, request(&["x"], false))]),
            package(&[("x", &["x"]), ("y", &[])], Vec::new()),
        ];
        let active = unify_features(&graph, &[(0, request(&[], true))]);
        assert_eq!(active.iter().map(names).collect::<Vec<_>>(), ["default json", "late one", "default std", ""]);
        let active = unify_features(&graph, &[(0, request(&[], false)), (2, request(&["old", "old/y"], false))]);
        assert_eq!(active.iter().map(names).collect::<Vec<_>>(), ["", "one", "old", "x y"]);
        assert_eq!(active[0].dependencies.len(), 1, "an optional dependency stays off");
    }

    #[test]
    fn a_weak_feature_waits_for_its_dependency() {
        let graph = [
            package(&[("a", &["d?/f"]), ("b", &["dep:d"])], vec![dependency("d", 1, true, request(&[], false))]),
            package(&[("f", &[])], Vec::new()),
        ];
        for (asked, expected) in [(&["a"][..], ""), (&["b"], ""), (&["a", "b"], "f"), (&["b", "a"], "f")] {
            assert_eq!(names(&unify_features(&graph, &[(0, request(asked, false))])[1]), expected, "{asked:?}");
        }
    }
}
