use super::text::{closeness, distance, mentions, split_question, split_words, stem};
use super::*;
use crate::ItemKind;
use crate::tests::TestCrate;

#[test]
fn names_are_taken_apart() {
    assert_eq!(split_words("spawn_blocking"), ["spawn", "blocking"]);
    assert_eq!(split_words("JsonValue::from_str"), ["json", "value", "from", "str"]);
    assert_eq!(split_words("HTTPServer2X"), ["httpserver2", "x"]);
    assert_eq!(split_question("how to spawn a task in rust").wanted, ["spawn", "task"]);
    assert_eq!(split_question("is it").wanted, ["is", "it"]);
    assert_eq!((stem("blocking"), stem("blocks"), stem("is")), ("block", "block", "is"));
}

#[test]
fn near_words_are_recognised() {
    assert_eq!((distance("spawn", "spwan", 2), distance("a", "abcd", 2), distance("kitten", "sitting", 3)), (1, 3, 3));
    assert!(closeness("spawn", "spawn") > closeness("spawning", "spawn"));
    assert!(closeness("spwan", "spawn") > 0);
    assert_eq!(closeness("get", "set"), 0);
    assert!(mentions("Runs the closure on a thread where blocking is acceptable.", "block"));
    assert!(mentions("-> ThreadRng", "thread") && mentions("-> ThreadRng", "rng"));
    assert!(!mentions("unblocked", "block"));
}

fn tokio() -> TestCrate {
    TestCrate::new(
        "pub mod task {
             /// Runs the provided closure on a thread where blocking is acceptable.
             pub fn spawn_blocking<F>(f: F) -> JoinHandle<()> {}
             /// Spawns a new asynchronous task.
             pub fn spawn<F>(f: F) -> JoinHandle<()> {}
             pub struct JoinHandle<T>(T);
             impl<T> JoinHandle<T> { /// Abort the task.\n pub fn abort(&self) {} }
             pub mod join_set { pub struct JoinSet; impl JoinSet { pub fn spawn_blocking(&mut self) {} } }
         }
         pub use task::spawn;
         pub mod sync { pub struct Semaphore; impl Semaphore { pub async fn acquire(&self) {} pub fn new() {} } pub mod mpsc { pub fn channel() {} } }
         #[doc(hidden)] pub mod __private { pub fn spawn_hidden() {} }",
    )
    .named("tokio", "1.0.0")
}

#[test]
fn words_find_what_is_meant() {
    let tokio = tokio().index();
    let rand = TestCrate::new(
        "/// Access a fast, pre-initialized generator.\npub fn rng() -> rngs::ThreadRng {}
         pub mod rngs { /// A reference to the thread-local generator.\npub struct ThreadRng; pub struct StdRng; }
         pub trait Rng { /// Generate a random value in the given range.\nfn random_range(&mut self); }",
    )
    .named("rand", "0.10.0")
    .index();
    let indexes = [&tokio, &rand];
    let check = |question: &str, expected: &str, within: usize| {
        let found: Vec<String> = search_words(&indexes, question).hits.iter().map(SearchHit::full_path).collect();
        assert!(found.iter().take(within).any(|path| path == expected), "{question}: {found:?}");
    };
    check("spawn blocking", "tokio::task::spawn_blocking", 1);
    check("spawn_blocking", "tokio::task::spawn_blocking", 1);
    check("run blocking closure on a thread", "tokio::task::spawn_blocking", 1);
    check("spwan", "tokio::spawn", 1);
    check("thread_rng", "rand::rng", 2);
    check("gen_range", "rand::Rng::random_range", 3);
    check("create semaphore", "tokio::sync::Semaphore::new", 1);
    check("abort task", "tokio::task::JoinHandle::abort", 1);
    check("tokio channel", "tokio::sync::mpsc::channel", 1);
    assert!(search_words(&indexes, "zzzz").hits.is_empty());
    assert!(search_words(&indexes, "").hits.is_empty());
    assert!(!search_words(&indexes, "hidden").hits.iter().any(|hit| hit.item.is_hidden));
}

#[test]
fn answers_are_bounded() {
    let many: String = (0..100).map(|number| format!("pub fn spawn_{number}() {{}}\n")).collect::<Vec<_>>().concat();
    let index = TestCrate::new(&many).index();
    let hits = search_words(&[&index], "spawn");
    assert_eq!((hits.hits.len(), hits.more), (MOST_HITS, 70));
}

#[test]
fn paths_find_items_and_their_parts() {
    let tokio = tokio().index();
    let check = |path: &str, expected: &[&str]| {
        let found: Vec<String> = find_item(&[&tokio], path).iter().map(ItemView::full_path).collect();
        assert_eq!(found, expected, "{path}");
    };
    check("tokio::sync::Semaphore", &["tokio::sync::Semaphore"]);
    check("Semaphore::acquire", &["tokio::sync::Semaphore::acquire"]);
    check("acquire", &["tokio::sync::Semaphore::acquire"]);
    check("tokio::task::spawn", &["tokio::spawn"]);
    check("tokio::spawn()", &["tokio::spawn"]);
    check("tokio", &["tokio"]);
    check("tokio::__private::spawn_hidden", &[]);
    check("nothing::here", &[]);
    let views = find_item(&[&tokio], "Semaphore");
    let view = views.first().expect("a view");
    assert_eq!(view.members.iter().map(|member| member.name()).collect::<Vec<_>>(), ["acquire", "new"]);
    let spawn = find_item(&[&tokio], "tokio::spawn");
    assert_eq!(spawn.first().map(|view| view.other_paths.clone()), Some(vec!["tokio::task::spawn".to_owned()]));
}

#[test]
fn whole_crates_are_gone_through() {
    let http = TestCrate::new("pub struct Uri; impl Uri { pub fn host(&self) {} }").named("http", "1.0.0");
    let axum = TestCrate::new("pub use http; pub mod e { pub use http as h; }")
        .named("axum", "0.8.0")
        .dependency("http", &http);
    let (axum, http) = (axum.index(), http.index());
    for path in ["axum::http::Uri::host", "axum::e::h::Uri::host"] {
        let found: Vec<String> = find_item(&[&axum, &http], path).iter().map(ItemView::full_path).collect();
        assert_eq!(found, ["http::Uri::host"], "{path}");
    }
}

#[test]
fn modules_show_what_they_re_export() {
    let rand = TestCrate::new(
        "mod rng { pub trait Rng { fn f(&self); } pub fn rng() {} } pub use rng::{Rng, rng};
         pub mod prelude { pub use crate::{Rng, rng}; pub use crate::Rng as RngExt; #[doc(hidden)] pub use crate::Rng as Old; }",
    )
    .index();
    let views = find_item(&[&rand], "krate::prelude");
    let shown = |view: &ItemView<'_>| {
        let lines = view.reexports.iter().map(|found| format!("{} = {}", found.name, found.item.path));
        lines.collect::<Vec<_>>()
    };
    assert_eq!(views.iter().flat_map(shown).collect::<Vec<_>>(), ["Rng = Rng", "RngExt = Rng", "rng = rng"]);
}

#[test]
fn type_aliases_lead_to_the_members_of_their_types() {
    let http = TestCrate::new("pub mod body { pub struct Body<T>(T); impl<T> Body<T> { pub fn read(&self) {} } }")
        .named("http", "1.0.0");
    let krate = TestCrate::new(
        "pub struct Map<K, V>(K, V); impl<K, V> Map<K, V> { pub fn get(&self) {} }
         pub mod m { pub type Names = crate::Map<String, u8>; pub type More = Names; pub type Body = http::body::Body<u8>; }
         pub type Result<T> = std::result::Result<T, u8>; pub type Pair = (u8, u8);",
    )
    .dependency("http", &http);
    let (index, http) = (krate.index(), http.index());
    let found =
        |path: &str| -> Vec<String> { find_item(&[&index, &http], path).iter().map(ItemView::full_path).collect() };
    assert_eq!(found("krate::m::Names::get"), ["krate::Map::get"]);
    assert_eq!(found("krate::m::More::get"), ["krate::Map::get"]);
    assert_eq!(found("krate::m::Body::read"), ["http::body::Body::read"]);
    assert_eq!(found("krate::m::Body::write"), [""; 0]);
    assert_eq!(found("krate::Result::map"), [""; 0]);
    for (path, member) in [("krate::m::More", "Map::get"), ("krate::m::Body", "body::Body::read")] {
        let members: Vec<String> = find_item(&[&index, &http], path)
            .iter()
            .flat_map(|view| view.members.iter().map(|member| member.path.clone()))
            .collect();
        assert_eq!(members, [member], "{path}");
    }
    // Another crate that re-exports the alias.
    let user = TestCrate::new("pub use krate::m::{Body, Names};").dependency("krate", &krate).named("user", "1.0.0");
    let user = user.index();
    for (path, expected) in [("user::Body::read", "http::body::Body::read"), ("user::Names::get", "krate::Map::get")] {
        let found: Vec<String> = find_item(&[&user, &index, &http], path).iter().map(ItemView::full_path).collect();
        assert_eq!(found, [expected], "{path}");
    }
}

#[test]
fn items_that_are_off_come_last() {
    let index = TestCrate::new(
        "#[cfg(feature = \"net\")] pub fn bind_listener() {} pub fn bind_listener_with(x: u8) {} pub fn unbind() {}
         #[cfg(feature = \"macros\")] pub use absent_macros::bind_all;",
    )
    .index();
    let hits = search_words(&[&index], "bind listener").hits;
    let shown: Vec<(String, Option<&str>)> =
        hits.iter().map(|hit| (hit.full_path(), hit.item.feature.as_deref())).collect();
    let expected = [("krate::bind_listener_with".to_owned(), None), ("krate::bind_listener".to_owned(), Some("net"))];
    assert_eq!(shown.get(..2), Some(&expected[..]), "{shown:?}");
    let hits = search_words(&[&index], "bind all").hits;
    let last = hits.iter().find(|hit| hit.item.name() == "bind_all").map(|hit| hit.item);
    assert_eq!(last.map(|item| item.signature.as_str()), Some("pub use absent_macros::bind_all"));
    let bytes = crate::pack_index(&index);
    let part = crate::PackedIndex::parse(&bytes).and_then(|packed| packed.unpack_matching("bind all")).unwrap();
    assert_eq!(part.off_names, index.off_names);
}

#[test]
fn outlines_are_bounded_and_say_what_matters() {
    let text = print_outline(&tokio().index(), OUTLINE_BYTES);
    assert!(text.starts_with("tokio 1.0.0\n\ntokio\n"), "{text}");
    assert!(text.contains("  fn spawn_blocking<F>(f: F) -> JoinHandle<()> // Runs the provided closure"), "{text}");
    assert!(text.contains("\ntokio::sync::mpsc\n  fn channel()\n"), "{text}");
    assert!(text.contains("\n  struct Semaphore\n    acquire, new\n") && !text.contains("hidden"), "{text}");
    let many: String = (0..2_000)
        .map(|number| format!("/// Docs é.\npub fn function_{number}(x: u8) {{}}\n"))
        .collect::<Vec<_>>()
        .concat();
    let index = TestCrate::new(&many).index();
    for bytes in [200, 1_001, OUTLINE_BYTES] {
        let text = print_outline(&index, bytes);
        assert!(text.len() <= bytes, "{}", text.len());
    }
    let text = print_outline(&index, OUTLINE_BYTES);
    assert!(text.contains("fn function_1(x: u8) // Docs é\n") && text.contains(" more\n"), "{text}");
}

#[test]
fn outlines_use_the_room_there_is() {
    let item = |module: usize, number: usize| format!("/// Does {number}.\npub fn do_{module}_{number}(x: u8) {{}}\n");
    let module = |module: usize| {
        let items: String = (0..60).map(|number| item(module, number)).collect::<Vec<_>>().concat();
        format!("pub mod m{module} {{ //! Module {module}.\n {items} pub mod deep {{ pub struct Deep{module}; }} }}\n")
    };
    let modules: String = (0..20).map(module).collect::<Vec<_>>().concat();
    let root = "pub mod prelude { pub use crate::Thing; } /// A thing.\npub struct Thing; #[cfg(feature = \"off\")] pub fn off() {}";
    let index = TestCrate::new(&format!("{root} {modules}")).index();
    let text = print_outline(&index, OUTLINE_BYTES);
    assert!(text.len() <= OUTLINE_BYTES && text.len() > OUTLINE_BYTES * 9 / 10, "{} {text}", text.len());
    for part in [
        "\nkrate\n  struct Thing // A thing\n",
        "\nkrate::m19 // Module 19\n  fn do_19_0(x: u8) // Does 0\n",
        " more\n",
        "[needs feature off]",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn only_what_has_members_shows_some() {
    let derives = TestCrate::new("#[proc_macro_derive(Serialize)] pub fn a(x: T) -> T {}").named("derives", "1.0.0");
    let serde = TestCrate::new(
        "pub trait Serialize { fn serialize(&self); } pub use derives::Serialize;
         pub mod select { pub fn all() {} } #[macro_export] macro_rules! select { () => {} }",
    )
    .named("serde", "1.0.0")
    .dependency("derives", &derives)
    .index();
    for (path, expected) in [
        ("serde::Serialize", vec![(ItemKind::Trait, 1), (ItemKind::Derive, 0)]),
        ("select", vec![(ItemKind::Module, 1), (ItemKind::Macro, 0)]),
    ] {
        let views = find_item(&[&serde], path);
        let found: Vec<_> = views.iter().map(|view| (view.item.kind, view.members.len())).collect();
        assert_eq!(found, expected, "{path}");
    }
}
