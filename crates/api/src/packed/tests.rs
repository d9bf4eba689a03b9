use super::*;
use crate::search::{SearchHit, search_words};
use crate::tests::TestCrate;

fn example() -> crate::CrateIndex {
    TestCrate::new(
        "//! Tasks.
         pub mod task {
             /// Runs the provided closure on a thread where blocking is acceptable.
             #[cfg(feature = \"rt\")]
             pub fn spawn_blocking<F>(f: F) -> JoinHandle<()> {}
             pub struct JoinHandle<T>(T);
             impl<T> JoinHandle<T> { /// Abort the HTTPServer task.\n pub fn abort(&self) {} }
             impl<T> Clone for JoinHandle<T> {}
         }
         pub use task::JoinHandle as Handle;
         #[deprecated(note = \"use `task`\")] pub fn old() {}
         #[doc(hidden)] pub mod __private { pub fn spawn_hidden() {} }
         #[cfg(feature = \"macros\")] pub use tokio_macros::main;
         #[macro_export] macro_rules! select { () => {}; }",
    )
    .named("tokio", "1.0.0")
    .index()
}

#[test]
fn bytes_keep_everything() {
    let index = example();
    assert_eq!(PackedIndex::parse(&pack_index(&index)).unwrap().unpack().unwrap(), index);
}

#[test]
fn cut_or_changed_bytes_are_no_index() {
    let packed = pack_index(&example());
    assert!(PackedIndex::parse(&packed).is_some());
    for cut in 0..packed.len() {
        assert!(PackedIndex::parse(&packed[..cut]).is_none(), "{cut}");
    }
    for at in 0..packed.len() {
        let mut changed = packed.clone();
        changed[at] ^= 0x10;
        assert!(PackedIndex::parse(&changed).is_none(), "{at}");
    }
}

#[test]
fn bytes_of_any_content_end_without_a_panic() {
    let packed = pack_index(&example());
    for at in 16..packed.len() {
        let mut changed = packed.clone();
        changed[at] = changed[at].wrapping_add(0x7f);
        let sum = checksum(&changed[16..]).to_le_bytes();
        changed[8..16].copy_from_slice(&sum);
        if let Some(packed) = PackedIndex::parse(&changed) {
            let _ = packed.unpack();
            let _ = packed.unpack_matching("spawn blocking task");
            let _ = packed.may_have("JoinHandle");
        }
    }
}

#[test]
fn the_items_for_a_question_are_enough_to_answer_it() {
    let index = example();
    let bytes = pack_index(&index);
    let packed = PackedIndex::parse(&bytes).unwrap();
    for question in [
        "spawn blocking",
        "spwan",
        "closure",
        "abort task",
        "struct",
        "tokio",
        "tokio handle",
        "server",
        "acceptable thread",
        "zzz",
        "",
    ] {
        let part = packed.unpack_matching(question).unwrap();
        let paths = |hits: &[SearchHit<'_>]| hits.iter().map(SearchHit::full_path).collect::<Vec<_>>();
        let expected = search_words(&[&index], question);
        assert_eq!(paths(&search_words(&[&part], question).hits), paths(&expected.hits), "{question}");
    }
    assert!(packed.unpack_matching("abort").unwrap().items.len() < index.items.len());
}

#[test]
fn names_tell_whether_a_path_can_be_there() {
    let bytes = pack_index(&example());
    let packed = PackedIndex::parse(&bytes).unwrap();
    for (path, may) in [
        ("JoinHandle", true),
        ("task::JoinHandle::abort()", true),
        ("Handle", true),
        ("select!", true),
        ("Semaphore", false),
    ] {
        assert_eq!(packed.may_have(path), may, "{path}");
    }
}
