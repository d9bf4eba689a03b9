use super::*;
use crate::crates::{CargoLockState, CrateOrigin, DependencyKind, DirectUse, WorkspaceMember};
use crate::explain::sentence;

/// A workspace `demo` that uses serde 1.0.219 and two versions of rand itself, and libc through rand.
fn workspace() -> CrateSet {
    let krate = |name: &str, version: &str, direct| LockedCrate {
        name: CrateName::parse(name).unwrap(),
        version: version.parse().unwrap(),
        certainty: VersionCertainty::Locked,
        origin: CrateOrigin::Registry { source: None },
        uses: if direct {
            vec![DirectUse {
                member: "demo".to_owned(),
                kind: DependencyKind::Normal,
                target: None,
                optional: false,
                renamed: None,
                requirement: Some("*".to_owned()),
            }]
        } else {
            Vec::new()
        },
    };
    let member =
        WorkspaceMember { name: CrateName::parse("demo").unwrap(), version: Version::new(0, 1, 0), directory: None };
    CrateSet::assemble(
        vec![
            (krate("serde", "1.0.219", true), vec![]),
            (krate("rand", "0.8.5", true), vec![3]),
            (krate("rand", "0.9.1", true), vec![3]),
            (krate("libc", "0.2.170", false), vec![]),
        ],
        vec![(member, vec![0, 1, 2])],
        CargoLockState::Present,
    )
}

#[track_caller]
fn check(crates: &[&str], predicates: &[&str], expected: &[&str]) {
    let conditions = Conditions {
        crates: crates.iter().map(|atom| CrateAtom::parse(atom).unwrap()).collect(),
        predicates: predicates.iter().map(|predicate| Predicate::parse(predicate).unwrap()).collect(),
    };
    let set = workspace();
    let env = BTreeMap::from([("MODE".to_owned(), "fast".to_owned())]);
    let paths = BTreeSet::from(["build.rs".to_owned()]);
    let facts = ConditionFacts {
        crates: Some(&set),
        scope: DependencyScope::Direct,
        user_scope: DependencyScope::Direct,
        env: &env,
        paths: &paths,
    };
    let verdict = evaluate(&conditions, &facts, ConditionOwner::Elsewhere);
    let matched: Vec<String> =
        verdict.matched.iter().map(|found| format!("{} {}", found.name, found.version)).collect();
    let mut shown: Vec<String> = verdict.checks.iter().map(sentence).collect();
    shown.push(format!("{}: {}", verdict.holds, matched.join(", ")));
    assert_eq!(shown, expected);
}

#[test]
fn any_of_the_crates_is_enough_and_every_version_is_reported() {
    check(&[], &[], &["true: "]);
    check(&["serde"], &[], &["`serde` matches serde 1.0.219", "true: serde 1.0.219"]);
    check(&["rand"], &[], &["`rand` matches rand 0.8.5 and rand 0.9.1", "true: rand 0.8.5, rand 0.9.1"]);
    check(&["rand=0.8"], &[], &["`rand=0.8` matches rand 0.8.5", "true: rand 0.8.5"]);
    check(&["rand>=0.10"], &[], &["`rand>=0.10` does not match rand 0.8.5 and rand 0.9.1", "false: "]);
    check(&["hyper"], &[], &["`hyper` does not match: not a dependency of this workspace", "false: "]);
    check(&["libc"], &[], &["`libc` does not match: libc 0.2.170 is only an indirect dependency", "false: "]);
    check(
        &["hyper", "serde"],
        &[],
        &[
            "`any(hyper, serde)` holds: `hyper` does not match: not a dependency of this workspace; `serde` matches serde 1.0.219",
            "true: serde 1.0.219",
        ],
    );
    check(&["*"], &[], &["`*` matches any workspace", "true: "]);
}

#[test]
fn all_of_the_predicates_must_hold() {
    check(
        &["serde"],
        &["path_exists(build.rs)", "env(MODE=fast)", "not(env(CI))"],
        &[
            "`serde` matches serde 1.0.219",
            "`path_exists(build.rs)` holds: it exists",
            "`env(MODE=fast)` holds: the variable is set",
            "`not(env(CI))` holds: `env(CI)` does not hold: the variable is not set",
            "true: serde 1.0.219",
        ],
    );
    check(
        &["serde"],
        &["env(MODE=slow)"],
        &["`serde` matches serde 1.0.219", "`env(MODE=slow)` does not hold: the variable has another value", "false: "],
    );
    check(
        &[],
        &["workspace-member()"],
        &["`workspace-member()` does not hold: the plugin does not belong to this workspace", "false: "],
    );
    check(
        &[],
        &["any(env(CI), depends-on(serde))"],
        &[
            "`any(env(CI), depends-on(serde))` holds: `env(CI)` does not hold: the variable is not set; `serde` matches serde 1.0.219",
            "true: serde 1.0.219",
        ],
    );
}

#[test]
fn what_cannot_be_answered_never_holds_not_even_negated() {
    let never = "`shell(true)` never holds: Symposium runs no programs for conditions";
    check(&[], &["shell(true)"], &[never, "false: "]);
    check(&[], &["not(shell(true))"], &[&format!("`not(shell(true))` does not hold: {never}"), "false: "]);
}

#[test]
fn outside_a_workspace_nothing_is_a_dependency() {
    let (env, paths) = (BTreeMap::new(), BTreeSet::new());
    let facts = ConditionFacts {
        crates: None,
        scope: DependencyScope::Direct,
        user_scope: DependencyScope::Direct,
        env: &env,
        paths: &paths,
    };
    for atom in ["serde", "*"] {
        let conditions = Conditions { crates: vec![CrateAtom::parse(atom).unwrap()], predicates: vec![] };
        assert!(!evaluate(&conditions, &facts, ConditionOwner::Elsewhere).holds, "{atom}");
    }
    assert!(evaluate(&Conditions::default(), &facts, ConditionOwner::Elsewhere).holds);
}
