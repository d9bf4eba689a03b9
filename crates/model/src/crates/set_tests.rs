use super::*;

fn name(text: &str) -> CrateName {
    CrateName::parse(text).unwrap()
}

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

fn krate(text: &str, users: &[&str]) -> LockedCrate {
    let (own_name, own_version) = text.split_once(' ').unwrap();
    let uses = users.iter().map(|member| DirectUse {
        member: (*member).to_owned(),
        kind: DependencyKind::Normal,
        target: None,
        optional: false,
        renamed: None,
        requirement: Some("*".to_owned()),
    });
    LockedCrate {
        name: name(own_name),
        version: version(own_version),
        certainty: VersionCertainty::Locked,
        origin: CrateOrigin::Registry { source: None },
        uses: uses.collect(),
    }
}

fn member(own_name: &str) -> WorkspaceMember {
    WorkspaceMember { name: name(own_name), version: version("0.1.0"), directory: None }
}

/// Two members; `app` needs `web` and rand 0.9, `web` leads to rand 0.8 over a long and a short way, with a cycle.
fn example() -> CrateSet {
    let crates = vec![
        (krate("web 1.0.0", &["app"]), vec![1, 3]),
        (krate("long_way 1.0.0", &[]), vec![3]),
        (krate("rand 0.9.1", &["app"]), vec![]),
        (krate("short-way 1.0.0", &[]), vec![4, 0]),
        (krate("rand 0.8.5", &[]), vec![]),
        (krate("core-lib 0.1.0", &["app"]), vec![2]),
    ];
    let members = vec![(member("core_lib"), vec![2]), (member("app"), vec![0, 2, 5])];
    CrateSet::assemble(crates, members, CargoLockState::Present)
}

fn path(set: &CrateSet, text: &str) -> Option<String> {
    let (own_name, own_version) = text.split_once(' ').unwrap();
    let steps = set.path_to(&name(own_name), &version(own_version))?;
    Some(steps.iter().map(|step| format!("{} {}", step.name, step.version)).collect::<Vec<_>>().join(" > "))
}

#[test]
fn crates_come_by_name_then_version() {
    let set = example();
    let shown: Vec<String> = set.crates().iter().map(|krate| format!("{} {}", krate.name, krate.version)).collect();
    let expected = ["core-lib 0.1.0", "long_way 1.0.0", "rand 0.8.5", "rand 0.9.1", "short-way 1.0.0", "web 1.0.0"];
    assert_eq!(shown, expected);
    assert_eq!(set.members().iter().map(|member| member.name.as_str()).collect::<Vec<_>>(), ["app", "core_lib"]);
}

#[test]
fn the_scope_decides_which_versions_count() {
    let set = example();
    let versions = |text: &str, scope| -> Vec<String> {
        set.versions(&name(text), scope).map(|krate| krate.version.to_string()).collect()
    };
    assert_eq!(versions("rand", DependencyScope::Transitive), ["0.8.5", "0.9.1"]);
    assert_eq!(versions("rand", DependencyScope::Direct), ["0.9.1"]);
    assert_eq!(versions("short_way", DependencyScope::Transitive), ["1.0.0"], "`-` and `_` are the same");
    assert!(versions("short_way", DependencyScope::Direct).is_empty());
    assert!(versions("serde", DependencyScope::Transitive).is_empty());
}

#[test]
fn members_are_known_by_name() {
    let set = example();
    assert!(set.is_member(&name("core-lib")));
    assert!(set.is_member(&name("app")));
    assert!(!set.is_member(&name("rand")));
}

#[test]
fn the_shortest_way_leads_from_a_member() {
    let set = example();
    assert_eq!(path(&set, "rand 0.9.1").as_deref(), Some("app 0.1.0 > rand 0.9.1"));
    assert_eq!(path(&set, "rand 0.8.5").as_deref(), Some("app 0.1.0 > web 1.0.0 > short-way 1.0.0 > rand 0.8.5"));
    assert_eq!(path(&set, "core_lib 0.1.0").as_deref(), Some("app 0.1.0 > core-lib 0.1.0"));
    assert_eq!(path(&set, "rand 0.7.0"), None);
    assert_eq!(path(&CrateSet::empty(), "rand 0.7.0"), None);
}
