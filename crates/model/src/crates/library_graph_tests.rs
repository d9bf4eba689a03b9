use super::*;
use crate::crates::cargo_manifest::parse_manifest;

fn manifest(text: &str) -> CargoManifest {
    parse_manifest("Cargo.toml", text).unwrap().0
}

fn package(text: &str, needs: &[usize]) -> PackageInput {
    let manifest = manifest(text);
    let own = manifest.package.clone().unwrap();
    let crate::crates::cargo_manifest::PackageVersion::Given(version) = own.version else { panic!("{text}") };
    PackageInput {
        name: own.name.to_string(),
        version,
        source: "registry".to_owned(),
        is_path: false,
        directory: None,
        manifest: Some(manifest),
        needs: needs.to_vec(),
    }
}

fn compose(packages: &[PackageInput], member: &str, needs: &[usize]) -> LibraryGraph {
    let members = [MemberInput { manifest: manifest(member), needs: needs.to_vec() }];
    let input = GraphInput {
        packages,
        members: &members,
        table: None,
        requests: &[],
        is_for_host: &|target| target == "cfg(unix)",
    };
    LibraryGraph::compose(input)
}

fn show(graph: &LibraryGraph) -> Vec<String> {
    let each = graph.packages.iter().map(|package| {
        let uses: Vec<String> =
            package.dependencies.iter().map(|own| format!("{}={}", own.name, own.package)).collect();
        let asked = package.asked.as_ref().map(|asked| asked.join(","));
        let asked = asked.unwrap_or_else(|| "-".to_owned());
        format!("{} [{}] asked [{asked}] uses {}", package.code_name, package.features.join(","), uses.join(","))
    });
    each.collect()
}

#[test]
fn features_and_names_come_from_manifests() {
    let tokio = package(
        "[package]\nname = \"tokio\"\nversion = \"1.2.0\"\nedition = \"2021\"\n\
         [features]\ndefault = []\nfull = [\"net\", \"rt\"]\nnet = [\"dep:mio\"]\nrt = []\n\
         [dependencies]\nmio = { version = \"1\", optional = true, default-features = false, features = [\"os\"] }\n\
         old-rand = { package = \"rand\", version = \"0.8\" }\n\
         [target.'cfg(windows)'.dependencies]\nwindows-sys = \"1\"\n[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n",
        &[1, 2, 3, 4, 5],
    );
    let mio = package(
        "[package]\nname = \"mio\"\nversion = \"1.0.0\"\n[features]\ndefault = [\"log\"]\nlog = []\nos = []\n",
        &[],
    );
    let rand_old = package("[package]\nname = \"rand\"\nversion = \"0.8.5\"\n", &[]);
    let rand_new = package("[package]\nname = \"rand\"\nversion = \"0.10.0\"\n", &[]);
    let windows = package("[package]\nname = \"windows-sys\"\nversion = \"1.0.0\"\n", &[]);
    let libc =
        package("[package]\nname = \"libc\"\nversion = \"0.2.0\"\n[lib]\nname = \"c\"\npath = \"lib.rs\"\n", &[]);
    let member = "[package]\nname = \"app\"\nversion = \"0.1.0\"\n[features]\ndefault = [\"tokio/rt\"]\n\
                  [dependencies]\ntokio = { version = \"1\", features = [\"net\"] }\n";
    let graph = compose(&[tokio, mio, rand_old, rand_new, windows, libc], member, &[0]);
    assert_eq!(
        show(&graph),
        [
            "tokio [default,net,rt] asked [default,net,rt] uses mio=1,old_rand=2,c=5",
            "mio [os] asked [-] uses ",
            "rand [] asked [-] uses ",
            "rand [] asked [-] uses ",
            "windows_sys [] asked [-] uses ",
            "c [] asked [-] uses ",
        ]
    );
    let libc = graph.packages.last().unwrap();
    assert_eq!((libc.lib_path.as_str(), libc.edition.as_str()), ("lib.rs", "2015"));
}

#[test]
fn a_feature_that_only_another_dependency_asks_for_is_on_but_not_asked_for() {
    let tokio = package("[package]\nname = \"tokio\"\nversion = \"1.2.0\"\n[features]\nnet = []\n", &[]);
    let client = package(
        "[package]\nname = \"client\"\nversion = \"1.0.0\"\n[dependencies]\ntokio = { version = \"1\", features = [\"net\"] }\n",
        &[0],
    );
    let member = "[package]\nname = \"app\"\nversion = \"0.1.0\"\n[dependencies]\ntokio = \"1\"\nclient = \"1\"\n";
    let graph = compose(&[tokio, client], member, &[0, 1]);
    assert_eq!(show(&graph)[0], "tokio [net] asked [] uses ");
}

#[test]
fn one_version_from_several_sources_is_told_apart() {
    let from = |source: &str| PackageInput {
        source: source.to_owned(),
        ..package("[package]\nname = \"kit\"\nversion = \"1.0.0\"\n", &[])
    };
    let user = package(
        "[package]\nname = \"user\"\nversion = \"1.0.0\"\n[dependencies]\nkit = \"1\"\n\
         one = { package = \"kit\", git = \"https://example.org/kit\", rev = \"1\" }\n\
         two = { package = \"kit\", git = \"https://example.org/kit\", rev = \"2\" }\n",
        &[0, 1, 2],
    );
    let packages = [
        from("registry+https://example.org/index"),
        from("git+https://example.org/kit?rev=1#11"),
        from("git+https://example.org/kit?rev=2#22"),
        user,
    ];
    let graph = compose(&packages, "[package]\nname = \"app\"\n[dependencies]\nuser = \"1\"\n", &[3]);
    assert_eq!(show(&graph)[3], "user [] asked [] uses kit=0,one=1,two=2");
}
