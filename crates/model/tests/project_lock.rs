//! Whatever a lock holds, it reads back; whatever a text holds, reading it ends with a lock or with a reason.

use proptest::prelude::*;
use symposium_model::lockfile::{ExtensionKind, LockedExtension, LockedSource, Lockfile, SourcePin, parse};
use symposium_model::sync::fingerprint;

fn pin() -> impl Strategy<Value = SourcePin> {
    prop_oneof![
        any::<String>().prop_map(|version| SourcePin::Builtin { version }),
        any::<(String, String)>().prop_map(|(url, seed)| {
            let tree = fingerprint(seed.as_bytes());
            SourcePin::Git { url, commit: tree.as_str().to_owned(), tree }
        }),
        any::<String>().prop_map(|seed| SourcePin::Path { tree: fingerprint(seed.as_bytes()) }),
    ]
}

fn extension(source: String) -> impl Strategy<Value = LockedExtension> {
    let kind = prop_oneof![Just(ExtensionKind::Skill), Just(ExtensionKind::Workflow)];
    let crates = prop::collection::vec("[a-z_]{1,8} [0-9]\\.[0-9]", 0..3);
    (any::<String>(), kind, any::<String>(), crates, any::<String>()).prop_map(
        move |(name, kind, path, crates, seed)| LockedExtension {
            name,
            kind,
            source: source.clone(),
            path,
            crates,
            sha256: fingerprint(seed.as_bytes()),
        },
    )
}

fn lock() -> impl Strategy<Value = Lockfile> {
    (prop::collection::vec((any::<String>(), pin()), 1..4)).prop_flat_map(|sources| {
        let sources: Vec<LockedSource> = sources.into_iter().map(|(name, pin)| LockedSource { name, pin }).collect();
        let of = sources.first().map(|source| source.name.clone()).unwrap_or_default();
        prop::collection::vec(extension(of), 0..4)
            .prop_map(move |extensions| Lockfile::new(sources.clone(), extensions))
    })
}

proptest! {
    #[test]
    fn a_lock_reads_back(lock in lock()) {
        let text = lock.to_string();
        prop_assert!(!text.contains('\r'));
        prop_assert_eq!(parse("l", &text), Ok(lock));
    }

    #[test]
    fn the_order_of_entries_does_not_matter(lock in lock()) {
        let mut sources = lock.sources().to_vec();
        let mut extensions = lock.extensions().to_vec();
        sources.reverse();
        extensions.reverse();
        prop_assert_eq!(Lockfile::new(sources, extensions).to_string(), lock.to_string());
    }

    #[test]
    fn no_text_is_too_much(lock in lock(), at in any::<prop::sample::Index>(), put in any::<String>()) {
        let text = lock.to_string();
        let at = at.index(text.chars().count());
        let cut: String = text.chars().take(at).collect();
        // Only the end of line after the last line is not missed.
        prop_assert!(parse("l", &cut).is_err() || cut.ends_with("# end"));
        let _ = parse("l", &format!("{cut}{put}{}", text.chars().skip(at).collect::<String>()));
    }

    #[test]
    fn only_equal_locks_have_no_changes(one in lock(), other in lock()) {
        prop_assert_eq!(one.changes_to(&other).is_empty(), one == other);
    }
}
