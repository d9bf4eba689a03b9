//! Sources in git when something is wrong: with the server, the repository, the cache, or the address.

use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use symposium_testkit::TestContext;

use crate::plugin_sync::{age, cached, configure, installed, machine};
use crate::repository::{Pace, Repository, deaf_server, http_server, slow_git_server};

/// A source gets no longer than this, however busy the machine.
const LIMIT: Duration = Duration::from_mins(1);

fn repository(context: &TestContext, name: &str) -> Repository {
    let repository = Repository::create(context.root().join("server").join(name));
    repository.skill(&format!("{name}-tips"), "serde", "first").commit();
    repository
}

fn warnings(stderr: &str) -> usize {
    stderr.lines().filter(|line| line.starts_with("warning")).count()
}

pub(crate) fn start(context: &TestContext, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_symposium"))
        .args(args)
        .current_dir(context.workspace())
        .env_clear()
        .env("SYMPOSIUM_TEST_WITHOUT_ANCESTORS", "1")
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", context.root().join("home"))
        .env("SYMPOSIUM_HOME", context.config_dir())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_repository_that_is_gone_takes_nothing_with_it() {
    let context = machine(&[]);
    let repository = repository(&context, "team");
    configure(&context, &[("team", &repository.url())], "");
    context.invoke(&["sync"]).expect(0);
    context.write(".symposium/config.toml", "[skills]\nserde = true\nserde-json = false\n");
    std::fs::rename(&repository.path, context.root().join("moved")).unwrap();
    age(&context);
    let output = context.invoke(&["sync"]);
    assert_eq!((output.code, warnings(&output.stderr)), (0, 2), "{output:?}");
    assert!(output.stderr.contains("removed `serde-json = false`"), "{output:?}");
    assert!(output.stderr.contains("failed to fetch source `team`"), "{output:?}");
    assert!(output.stderr.contains("using the copy fetched 5 hours ago"), "{output:?}");
    assert!(installed(&context, "team-tips").is_some());

    context.write(".symposium/config.toml", "[skills]\nserde = true\n\n[workflows]\nteam-flow = false\n");
    std::fs::remove_dir_all(context.config_dir().join("cache")).unwrap();
    let output = context.invoke(&["sync"]);
    assert_eq!((output.code, warnings(&output.stderr)), (3, 1), "{output:?}");
    assert!(output.stderr.contains("run `symposium plugin sync team` to try again"), "{output:?}");
    assert!(installed(&context, "team-tips").is_some(), "without a copy nothing is removed");
    let config = std::fs::read_to_string(context.workspace().join(".symposium/config.toml")).unwrap();
    assert!(config.contains("serde = true") && config.contains("team-flow = false"), "{config}");
    let document: serde_json::Value = serde_json::from_str(&context.invoke(&["sync", "--json"]).stdout).unwrap();
    assert!(document["warnings"][0].as_str().unwrap().contains("ailed to fetch source `team`"), "{document}");

    std::fs::rename(context.root().join("moved"), &repository.path).unwrap();
    assert_eq!(context.invoke(&["sync"]).stderr, "");
}

#[test]
fn a_damaged_copy_is_made_anew() {
    let context = machine(&[]);
    let repository = repository(&context, "team");
    configure(&context, &[("team", &repository.url())], "");
    context.invoke(&["sync"]).expect(0);
    let [directory] = cached(&context).try_into().unwrap();
    let tree = directory.join(repository.git(&["rev-parse", "HEAD"]));
    let damages: [(&str, &dyn Fn()); 5] = [
        ("no record", &|| std::fs::write(directory.join("current.json"), "{ broken").unwrap()),
        ("another record", &|| std::fs::write(directory.join("current.json"), "{\"version\": 9}").unwrap()),
        ("no tree", &|| std::fs::remove_dir_all(&tree).unwrap()),
        ("an empty tree", &|| {
            std::fs::remove_dir_all(&tree).unwrap();
            std::fs::create_dir(&tree).unwrap();
        }),
        ("a file in its place", &|| {
            std::fs::remove_dir_all(&tree).unwrap();
            std::fs::write(&tree, "x").unwrap();
        }),
    ];
    for (what, damage) in damages {
        damage();
        let offline = context.invoke(&["sync", "--offline"]);
        assert_eq!(offline.code, 0, "{what}: {offline:?}");
        assert!(installed(&context, "team-tips").is_some(), "{what}");
        let output = context.invoke(&["sync"]);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{what}");
        assert!(tree.join("team-tips/SKILL.md").is_file(), "{what}");
    }
    // What no record shows is found when it is asked for.
    std::fs::write(tree.join("team-tips/SKILL.md"), "changed").unwrap();
    context.invoke(&["plugin", "sync"]).expect(0);
    assert!(std::fs::read_to_string(tree.join("team-tips/SKILL.md")).unwrap().contains("first"));
}

#[test]
fn one_dead_source_among_five_delays_only_itself() {
    let context = machine(&[]);
    let port = deaf_server();
    let mut sources: Vec<(String, String)> =
        ["a", "b", "c", "d"].iter().map(|name| ((*name).to_owned(), repository(&context, name).url())).collect();
    sources.insert(2, ("dead".to_owned(), format!("git://127.0.0.1:{port}/x")));
    let sources: Vec<(&str, &str)> = sources.iter().map(|(name, url)| (name.as_str(), url.as_str())).collect();
    configure(&context, &sources, "");
    let begin = Instant::now();
    let output = context.invoke(&["sync"]);
    assert!(begin.elapsed() < Duration::from_secs(25), "{:?}", begin.elapsed());
    assert_eq!((output.code, warnings(&output.stderr)), (3, 1), "{output:?}");
    assert!(output.stderr.contains("failed to fetch source `dead`: the request to the server timed out"), "{output:?}");
    for name in ["a", "b", "c", "d"] {
        assert!(installed(&context, &format!("{name}-tips")).is_some(), "{name}");
    }
}

#[test]
fn many_at_once_fetch_one_after_the_other() {
    let context = machine(&[]);
    let repository = repository(&context, "team");
    configure(&context, &[("team", &repository.url())], "");
    let children: Vec<Child> =
        (0..8).map(|number| start(&context, [&["plugin", "sync"][..], &["sync"]][number % 2])).collect();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    let [directory] = cached(&context).try_into().unwrap();
    assert_eq!(
        std::fs::read_dir(&directory).unwrap().count(),
        4,
        "one copy, what is known of it, the record, the lock"
    );
    assert!(installed(&context, "team-tips").is_some());
    assert_eq!(context.invoke(&["sync", "--check"]).code, 0);
}

#[test]
fn killed_at_any_moment_the_old_copy_or_the_new_one_is_there() {
    let context = machine(&[]);
    let repository = repository(&context, "team");
    configure(&context, &[("team", &repository.url())], "");
    context.invoke(&["sync"]).expect(0);
    for round in 0_u64..16 {
        repository.write(&format!("file-{round}"), "x".repeat(100_000)).commit();
        let mut child = start(&context, &["plugin", "sync"]);
        // Different moments of a run that takes some tens of milliseconds; no randomness, so that a fault can be found.
        std::thread::sleep(Duration::from_millis(round * 7_919 % 120));
        let _ = child.kill();
        child.wait().unwrap();
        let list = context.invoke(&["plugin", "list"]);
        assert!(list.code == 0 && list.stdout.contains("team-tips"), "round {round}: {list:?}");
    }
    context.invoke(&["plugin", "sync"]).expect(0);
    let [directory] = cached(&context).try_into().unwrap();
    let left: Vec<String> =
        std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(left.len() <= 6 && !left.iter().any(|name| name.starts_with('.')), "{left:?}");
    let tree = directory.join(repository.git(&["rev-parse", "HEAD"]));
    assert!(tree.join("file-15").is_file());
}

#[test]
fn credentials_are_in_no_output_and_no_file_of_ours() {
    let port = http_server(Vec::new()).port;
    let url = format!("http://me:s3kr1t@127.0.0.1:{port}/x.git");
    let context = machine(&[("private", &url)]);
    context.write("sub/symposium.toml", format!("name = \"p\"\n[[skills]]\nsource.git = \"{url}\"\n"));
    for args in [
        &["sync"][..],
        &["sync", "-v", "--json"],
        &["plugin", "sync"],
        &["plugin", "sync", "-v", "private"],
        &["plugin", "sync", "--json"],
        &["plugin", "list", "--json"],
        &["plugin", "list"],
        &["plugin", "show", "p", "--source", "sub"],
        &["config", "show"],
        &["config", "show", "--json", "--origin"],
        &["status"],
        &["why", "private"],
        &["doctor"],
    ] {
        let output = context.invoke(args);
        let said = output.transcript();
        assert!(!said.contains("s3kr1t"), "{args:?}: {said}");
    }
    let output = context.invoke(&["plugin", "sync"]);
    assert!(output.stderr.contains("failed to fetch source `private`"), "{output:?}");
    // Broken, with the address in the excerpt; refused, with the address in the message.
    for bad in [
        format!("[[plugin-source]]\nname = \"x\"\ngit = \"{url}\" oops\n"),
        format!("[[plugin-source]]\nname = \"x\"\ngit = \"{url}\"\npath = \"y\"\n"),
        "[[plugin-source]]\nname = \"x\"\ngit = \"http://me:s3kr1t@example.com/x\"\n".to_owned(),
        "[[plugin-source]]\nname = \"x\"\ngit = \"ftp://me:s3kr1t@example.com/x\"\n".to_owned(),
    ] {
        context.write_config("config.toml", bad);
        let said = context.invoke(&["sync", "-v"]).transcript();
        assert!(said.contains("error") && !said.contains("s3kr1t"), "{said}");
    }
    let found = Command::new("grep").args(["-rl", "s3kr1t"]).arg(context.config_dir()).output().unwrap();
    let found = String::from_utf8(found.stdout).unwrap();
    assert_eq!(found.trim(), context.config_dir().join("config.toml").display().to_string());
}

#[test]
fn addresses_that_would_run_something_are_refused() {
    for address in
        ["--upload-pack=touch TRAP", "-x", "ext::sh -c touch% TRAP", "fd::7", "ssh://-oProxyCommand=touch%20TRAP/x"]
    {
        let context = machine(&[]);
        let trap = context.root().join("trap");
        configure(&context, &[("bad", &address.replace("TRAP", &trap.display().to_string()))], "");
        for command in [&["sync"][..], &["plugin", "sync"]] {
            let output = context.invoke(command);
            assert_eq!(output.code, 3, "{address}: {output:?}");
            assert!(output.stderr.contains("source `bad` is skipped"), "{address}: {output:?}");
        }
        assert!(!trap.exists() && cached(&context).is_empty(), "{address}");
    }
}

#[test]
fn neither_the_users_hooks_nor_a_repository_nearby_matter() {
    let context = machine(&[]);
    let repository = repository(&context, "team");
    configure(&context, &[("team", &repository.url())], "");
    let (trap, hooks) = (context.root().join("trap"), context.root().join("templates/hooks"));
    std::fs::create_dir_all(&hooks).unwrap();
    for hook in ["reference-transaction", "post-checkout", "post-merge"] {
        std::fs::write(hooks.join(hook), format!("#!/bin/sh\ntouch {}\n", trap.display())).unwrap();
        std::fs::set_permissions(hooks.join(hook), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let settings = format!(
        "[core]\n\thooksPath = {0}/hooks\n\tfsmonitor = touch {1}\n[init]\n\ttemplateDir = {0}\n\
         [protocol \"ext\"]\n\tallow = always\n[url \"ext::touch {1} \"]\n\tinsteadOf = https://example.com/\n",
        context.root().join("templates").display(),
        trap.display()
    );
    std::fs::write(context.root().join("home/.gitconfig"), settings).unwrap();
    let mut context = context;
    // As in a hook of git.
    context.set("GIT_DIR", "/nonexistent").set("GIT_INDEX_FILE", "/nonexistent").set("GIT_TRACE", "1");
    let output = context.invoke(&["sync"]);
    assert_eq!((output.code, output.stderr.contains("warning")), (0, false), "{output:?}");
    assert!(installed(&context, "team-tips").is_some());
    configure(&context, &[("team", "https://example.com/x")], "");
    let output = context.invoke(&["plugin", "sync", "team"]);
    assert!(output.code == 3 && output.stderr.contains("not allowed"), "{output:?}");
    assert!(!trap.exists());
}

#[test]
fn odd_things_in_a_repository_cost_only_themselves_and_are_named() {
    let context = machine(&[]);
    let repository = repository(&context, "team");
    configure(&context, &[("team", &repository.url())], "");
    std::fs::write(context.root().join("secret"), "secret").unwrap();
    std::os::unix::fs::symlink("../../secret", repository.path.join("out")).unwrap();
    std::os::unix::fs::symlink("team-tips", repository.path.join("in")).unwrap();
    repository.write("logo.png", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n");
    repository.write("Notes/a", "1").write("run.sh", "#!/bin/sh\n");
    std::fs::set_permissions(repository.path.join("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    repository.git(&["add", "--all"]);
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let blob = repository.git(&["hash-object", "-w", "run.sh"]);
    let index = format!("160000 {commit} 0\tsub\n100644 {blob} 0\tnotes/b\n");
    repository.git_at(&["update-index", "--index-info"], "2024-05-01T12:00:00Z", index.as_bytes());
    repository.git(&["commit", "--quiet", "-m", "odd"]);
    let output = context.invoke(&["plugin", "sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    for expected in [
        "`out` is a link to a place outside the source",
        "`logo.png` is a pointer to a large file",
        "`Notes` and `notes` are the same name",
        "`sub` is a submodule",
    ] {
        assert!(output.stderr.contains(expected), "{expected}: {output:?}");
    }
    let listed: serde_json::Value =
        serde_json::from_str(&context.invoke(&["plugin", "list", "--json"]).stdout).unwrap();
    assert_eq!(listed["sources"][1]["warnings"].as_array().unwrap().len(), 4, "{listed}");
    let [directory] = cached(&context).try_into().unwrap();
    let tree = directory.join(repository.git(&["rev-parse", "HEAD"]));
    assert!(tree.join("in").is_symlink() && tree.join("out").symlink_metadata().is_err());
    let mode = |path: &str| tree.join(path).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("run.sh"), mode("Notes/a")), (0o700, 0o600));
}

#[test]
fn a_repository_that_is_too_much_is_refused_and_the_old_copy_stays() {
    let context = machine(&[]);
    let repository = repository(&context, "team");
    configure(&context, &[("team", &repository.url())], "");
    context.invoke(&["sync"]).expect(0);
    let blob = repository.git(&["hash-object", "-w", "team-tips/SKILL.md"]);
    for (from, to) in [(0, 10_000), (10_000, 100_000)] {
        let index: Vec<String> = (from..to).map(|number| format!("100644 {blob} 0\tmany/{number}\n")).collect();
        let index = index.concat();
        repository.git_at(&["update-index", "--index-info"], "2024-05-01T12:00:00Z", index.as_bytes());
        repository.git(&["commit", "--quiet", "-m", "many"]);
        let begin = Instant::now();
        let output = context.invoke(&["plugin", "sync", "team"]);
        assert!(output.code == 3 && output.stderr.contains("more than 10000 files"), "{output:?}");
        assert!(output.stderr.contains("name a directory inside it"), "{output:?}");
        assert!(begin.elapsed() < LIMIT, "{to} files: {:?}", begin.elapsed());
        assert!(context.invoke(&["plugin", "list"]).expect(0).contains("team-tips"));
    }

    // A tree that holds itself ten times, ten levels deep.
    let mut object = format!("100644 blob {blob}\tx\n");
    for _ in 0..10 {
        let tree = repository.git_at(&["mktree"], "2024-05-01T12:00:00Z", object.as_bytes());
        let entries: Vec<String> = (0..10).map(|number| format!("040000 tree {tree}\t{number}\n")).collect();
        object = entries.concat();
    }
    let tree = repository.git_at(&["mktree"], "2024-05-01T12:00:00Z", object.as_bytes());
    let commit = repository.git(&["commit-tree", &tree, "-m", "explode"]);
    repository.git(&["update-ref", "refs/heads/main", &commit]);
    let begin = Instant::now();
    let output = context.invoke(&["plugin", "sync", "team"]);
    assert!(output.code == 3 && output.stderr.contains("more than 10000 files"), "{output:?}");
    assert!(begin.elapsed() < LIMIT);
    assert!(context.invoke(&["plugin", "list"]).expect(0).contains("team-tips"));
}

#[test]
fn an_empty_repository_is_named() {
    let context = machine(&[]);
    let empty = Repository::create(context.root().join("server/empty"));
    configure(&context, &[("empty", &empty.url())], "");
    let output = context.invoke(&["sync"]);
    assert!(output.code == 3 && output.stderr.contains("the repository is empty"), "{output:?}");
}

/// A machine with a source whose files are too many for a bad line.
fn behind_bad_line(pace: Pace) -> (TestContext, String) {
    let context = machine(&[]);
    let repository = repository(&context, "team");
    // What does not shrink when it is packed.
    let mut state = 1_u64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    let noise: Vec<u8> = (0..200_000).map(|_| noise()).collect();
    repository.write("noise", noise).commit();
    let port = slow_git_server(&context.root().join("server"), pace);
    let url = format!("git://127.0.0.1:{port}/team");
    (context, url)
}

#[test]
fn a_slow_source_gets_as_long_as_the_user_says() {
    let (context, url) = behind_bad_line(Pace::Trickle);
    let config = |timeout: u64| {
        configure(&context, &[("team", &url)], &format!("\n[fetch]\ntimeout = {timeout}\n"));
    };
    config(3);
    let begin = Instant::now();
    let output = context.invoke(&["sync"]);
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("failed to fetch source `team`: the fetch took longer than 3 s"), "{output:?}");
    // Whether a number is known depends on how busy the machine is.
    assert!(output.stderr.contains("; increase `[fetch] timeout`"), "{output:?}");
    // `plugin sync` has advice of its own for other failures.
    let asked = context.invoke(&["plugin", "sync", "team"]);
    assert!(asked.stderr.contains("the fetch took longer than 3 s"), "{asked:?}");
    assert!(!asked.stderr.contains("check its address"), "{asked:?}");
    // A project can ask for less, for its own sources, and never for more.
    context.write(".symposium/config.toml", "[fetch]\ntimeout = 600\n");
    assert!(context.invoke(&["config", "show"]).expect(0).contains("fetch.timeout = 3\n"));
    context.write(".symposium/config.toml", "[fetch]\ntimeout = 2\n");
    assert!(context.invoke(&["config", "show"]).expect(0).contains("fetch.timeout = 2\n"));
    let output = context.invoke(&["sync"]);
    assert!(output.stderr.contains("the fetch took longer than 3 s"), "it is the user's source: {output:?}");
    configure(&context, &[], "");
    context.write(
        ".symposium/config.toml",
        format!("[fetch]\ntimeout = 2\n[[plugin-source]]\nname = \"theirs\"\ngit = \"{url}\"\n"),
    );
    let output = context.invoke(&["sync"]);
    assert!(output.stderr.contains("failed to fetch source `theirs`: the fetch took longer than 2 s"), "{output:?}");
}

#[test]
fn a_source_that_stops_sending_is_told_from_a_slow_one() {
    let (context, url) = behind_bad_line(Pace::Stop);
    configure(&context, &[("team", &url)], "");
    let begin = Instant::now();
    let output = context.invoke(&["sync"]);
    assert!(begin.elapsed() < Duration::from_secs(45), "{:?}", begin.elapsed());
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("the server stopped sending: nothing was received for 15 s, after"), "{output:?}");
}
