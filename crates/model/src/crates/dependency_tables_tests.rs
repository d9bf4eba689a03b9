use super::*;

fn show(request: &CrateRequest) -> String {
    let source = match request.source {
        RequestSource::Registry => "",
        RequestSource::Inherited => " inherited",
        RequestSource::Elsewhere => " elsewhere",
    };
    let name = if request.key == request.package { String::new() } else { format!("({})", request.package) };
    let requirement = request.requirement.as_deref().unwrap_or("-");
    format!("{}: {}{name} {requirement} [{}]{source}", request.table, request.key, request.features.join(","))
}

fn changes(old: &str, new: &str) -> String {
    let Some(changed) = find_changed_requests(Some(old), new) else { return "none".to_owned() };
    changed.iter().map(show).collect::<Vec<_>>().join("; ")
}

#[test]
fn every_way_to_write_a_dependency_is_read() {
    let text = r#"
        [package]
        name = "a"
        rust-version = "1.80"
        [dependencies]
        one = "1"
        two = { version = "2", features = ["x", "y"], default-features = false }
        three.version = "3"
        three.features = [
            "z", # why
        ]
        four = { package = "real", version = "4" }
        five = { path = "../five", version = "5" }
        six = { git = "https://example.com/six" }
        seven = { version = "7", registry = "ours" }
        eight.workspace = true
        nine = { workspace = true, features = ["n"] }
        ten = {}
        [dependencies.eleven]
        version = "11"
        [dev-dependencies]
        one = "1.5"
        [build_dependencies]
        cc = "1"
        [target.'cfg(unix)'.dependencies]
        libc = "0.2"
        [workspace.dependencies]
        eight = "8"
        [patch.crates-io]
        one = { path = "../one" }
        alias = { package = "two", git = "x" }
        [replace]
        "three:3.0.0" = { path = "x" }
    "#;
    let tables = ManifestTables::parse(text).unwrap();
    assert_eq!(
        tables.requests.iter().map(show).collect::<Vec<_>>(),
        [
            "build-dependencies: cc 1 []",
            "dependencies: eight - [] inherited",
            "dependencies: eleven 11 []",
            "dependencies: five 5 [] elsewhere",
            "dependencies: four(real) 4 []",
            "dependencies: nine - [n] inherited",
            "dependencies: one 1 []",
            "dependencies: seven 7 [] elsewhere",
            "dependencies: six * [] elsewhere",
            "dependencies: ten * []",
            "dependencies: three 3 [z]",
            "dependencies: two 2 [x,y]",
            "target.cfg(unix).dependencies: libc 0.2 []",
            "dev-dependencies: one 1.5 []",
        ]
    );
    assert_eq!(tables.workspace.iter().map(show).collect::<Vec<_>>(), ["workspace.dependencies: eight 8 []"]);
    assert_eq!(tables.rust_version.as_deref(), Some("1.80"));
    for name in ["one", "two", "three"] {
        assert!(tables.patched.contains(name), "{name}");
    }
}

#[test]
fn only_what_changed_is_found() {
    let old = "[dependencies]\na = \"1\"\nb = { version = \"2\", features = [\"x\"] }\n";
    for (new, expected) in [
        (old.to_owned(), ""),
        (format!("# comment\n{old}"), ""),
        (format!("{old}c = \"3\"\n"), "dependencies: c 3 []"),
        (old.replace("\"1\"", "\"1.1\""), "dependencies: a 1.1 []"),
        (old.replace("\"x\"", "\"x\", \"y\""), "dependencies: b 2 [x,y]"),
        (old.replace("a = \"1\"", "a = { version = \"1\" }"), ""),
        (old.replace("a = \"1\"\n", ""), ""),
        (old.replace("[dependencies]", "[dev-dependencies]"), "dev-dependencies: a 1 []; dev-dependencies: b 2 [x]"),
        (format!("{old}[workspace.dependencies]\nd = \"4\"\n"), "workspace.dependencies: d 4 []"),
        (format!("{old}c = \"3\"\n[patch.crates-io]\nc = {{ path = \"c\" }}\n"), ""),
        (format!("{old}c = 3\n"), ""),
        (format!("{old}c = \"3\"\nc = \"4\"\n"), ""),
        (format!("{old}c = \"3\n"), "none"),
        ("<<<<<<< ours\n".to_owned(), "none"),
    ] {
        assert_eq!(changes(old, &new), expected, "{new}");
    }
    assert_eq!(changes("not toml", old), "none");
    assert_eq!(find_changed_requests(None, old).unwrap().len(), 2);
}

#[test]
fn requests_get_their_requirement_from_the_workspace() {
    let workspace = ManifestTables::parse(
        "[workspace.dependencies]\na = \"1\"\nnear = { path = \"near\" }\nweb = { package = \"axum\", version = \"0.8\" }\n[patch.crates-io]\np = { path = \"p\" }\n",
    );
    let manifest = ManifestTables::parse("[dependencies]\nhere = \"0.9\"\nshared.workspace = true\n").unwrap();
    let resolve = |text: &str| {
        let requests = find_changed_requests(None, &format!("[dependencies]\n{text}\n")).unwrap();
        let resolved = resolve_requests(requests, Some(&manifest), workspace.as_ref());
        resolved.iter().map(show).collect::<Vec<_>>().join("; ")
    };
    for (text, expected) in [
        ("a = { workspace = true, features = [\"x\"] }", "dependencies: a 1 [x]"),
        ("web = { workspace = true, features = [\"x\"] }", "dependencies: web(axum) 0.8 [x]"),
        ("near.workspace = true", ""),
        ("missing.workspace = true", ""),
        ("p = \"1\"", ""),
        ("other = \"1\"", "dependencies: other 1 []"),
        ("other = { path = \"x\" }", ""),
    ] {
        assert_eq!(resolve(text), expected, "{text}");
    }
    let added = |name: &str| {
        let requests = crate::crates::cargo_add::parse_cargo_add(&["add", name, "-F", "x"]).unwrap();
        let resolved = resolve_requests(requests, Some(&manifest), workspace.as_ref());
        resolved.iter().map(show).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(added("here"), ": here 0.9 [x]", "the entry that is there counts");
    assert_eq!(added("a"), ": a 1 [x]", "cargo takes it from the workspace");
    assert_eq!(added("shared"), "", "inherited from a workspace that does not have it");
    assert_eq!(added("near"), "", "a member of the workspace");
    assert_eq!(added("fresh"), ": fresh - [x]");
}
