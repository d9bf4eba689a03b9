//! Sources of GitHub on a machine without git: downloaded as archives.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use symposium_testkit::TestContext;

use crate::plugin_sync::{age, cached, configure, installed, machine};
use crate::repository::{Answer, Repository, deaf_server, http_server};

/// A machine on which no program is found.
fn without_git() -> TestContext {
    let mut context = machine(&[]);
    context.set("PATH", "/nonexistent");
    context
}

/// What GitHub makes of a repository.
fn archive(repository: &Repository, reference: &str) -> Vec<u8> {
    let file = repository.path.with_extension("tar.gz");
    let output = format!("--output={}", file.display());
    repository.git(&["archive", "--format=tar.gz", "--prefix=r-x/", &output, reference]);
    std::fs::read(file).unwrap()
}

#[test]
fn an_archive_stands_in_for_git() {
    let context = without_git();
    let repository = Repository::create(context.root().join("server/r"));
    repository.skill("outside", "serde", "x").skill("plugins/rust/inside", "serde", "x");
    let commit = repository.commit();
    let bytes = archive(&repository, "HEAD");
    let server = http_server(vec![
        ("/o/r/tar.gz/feature/x".to_owned(), Answer::Body(bytes.clone())),
        ("/o/r/tar.gz/HEAD".to_owned(), Answer::Body(bytes)),
    ]);
    let port = server.port;
    configure(&context, &[("ours", &format!("http://127.0.0.1:{port}/o/r/tree/feature/x/plugins"))], "");
    let output = context.invoke(&["sync"]);
    assert_eq!((output.code, output.stderr.contains("warning")), (0, false), "{output:?}");
    assert!(installed(&context, "inside").is_some() && installed(&context, "outside").is_none());
    assert_eq!(server.asked.load(Ordering::Relaxed), 2, "`feature` is no branch, `feature/x` is");
    let list = context.invoke(&["plugin", "list", "--json"]).expect(0);
    assert!(list.contains(&commit), "{list}");

    configure(&context, &[("ours", &format!("http://127.0.0.1:{port}/o/r"))], "");
    context.invoke(&["sync"]).expect(0);
    assert!(installed(&context, "outside").is_some());

    for (tree, reason) in [
        ("tree/gone/plugins", "does not begin with a branch, tag or commit"),
        ("tree/feature/x/gone", "no directory `gone`"),
    ] {
        configure(&context, &[("ours", &format!("http://127.0.0.1:{port}/o/r/{tree}"))], "");
        let output = context.invoke(&["plugin", "sync", "ours"]);
        assert!(output.code == 3 && output.stderr.contains(reason), "{output:?}");
    }
}

#[test]
fn a_bad_archive_is_refused_and_the_old_copy_stays() {
    let context = without_git();
    let repository = Repository::create(context.root().join("server/r"));
    repository.skill("good", "serde", "x").commit();
    let good = archive(&repository, "HEAD");
    std::os::unix::fs::symlink("/etc/passwd", repository.path.join("link")).unwrap();
    repository.commit();
    let with_link = archive(&repository, "HEAD");
    let cut = good[..good.len() / 2].to_vec();
    let server = http_server(vec![("/o/r/tar.gz/HEAD".to_owned(), Answer::Body(good))]);
    configure(&context, &[("ours", &format!("http://127.0.0.1:{}/o/r", server.port))], "");
    context.invoke(&["sync"]).expect(0);
    let [directory] = cached(&context).try_into().unwrap();
    // When it last failed is noted.
    let noted = |line: &&str| !line.starts_with("failed ");
    let names = || context.tree(&directory).lines().filter(noted).map(str::to_owned).collect::<Vec<_>>();
    let kept = names();
    for (bad, reason) in [(with_link, "which is a link"), (cut, "damaged"), (b"<html>".to_vec(), "damaged")] {
        server.files.lock().unwrap()[0].1 = Answer::Body(bad);
        age(&context);
        let output = context.invoke(&["sync"]);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(output.stderr.contains("refused: it") && output.stderr.contains(reason), "{output:?}");
        assert!(context.invoke(&["plugin", "list"]).expect(0).contains("good"), "{reason}");
        assert!(installed(&context, "good").is_some(), "{reason}");
        assert_eq!(names(), kept, "{reason}: nothing of it is left");
    }
}

#[test]
fn redirects_to_weaker_places_are_not_followed() {
    let context = without_git();
    let server = http_server(vec![
        ("/o/r/tar.gz/HEAD".to_owned(), Answer::Elsewhere("file:///etc/passwd".to_owned())),
        ("/o/s/tar.gz/HEAD".to_owned(), Answer::Elsewhere("http://127.0.0.1:9/x".to_owned())),
    ]);
    for repository in ["r", "s"] {
        configure(&context, &[("ours", &format!("http://127.0.0.1:{}/o/{repository}", server.port))], "");
        let output = context.invoke(&["plugin", "sync", "ours"]);
        assert!(output.code == 3 && output.stderr.contains("redirect"), "{output:?}");
    }
}

#[test]
fn a_server_that_never_answers_is_left_behind() {
    let context = without_git();
    let port = deaf_server();
    configure(&context, &[("ours", &format!("http://127.0.0.1:{port}/o/r"))], "");
    let begin = Instant::now();
    let output = context.invoke(&["sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stderr.contains("the request timed out"), "{output:?}");
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn other_servers_need_git() {
    let context = without_git();
    configure(&context, &[("ours", "ssh://git@127.0.0.1/o/r")], "");
    let output = context.invoke(&["plugin", "sync", "ours"]);
    assert!(output.code == 3 && output.stderr.contains("the program `git` was not found"), "{output:?}");
}
