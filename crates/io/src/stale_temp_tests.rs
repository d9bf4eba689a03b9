use super::*;

/// A directory in which a run was killed when `text` was in the temporary file; `now` is in the target.
struct Killed {
    home: tempfile::TempDir,
    target: PathBuf,
}

impl Killed {
    fn replacing(text: &str, now: Option<&str>) -> Self {
        Self::with("settings.json", Some("ours"), text, now)
    }

    fn deleting(text: &str, now: Option<&str>) -> Self {
        Self::with("settings.json", None, text, now)
    }

    fn with(name: &str, after: Option<&str>, text: &str, now: Option<&str>) -> Self {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join(name);
        let left = swap_beside(&target, "old", after, |path| fs::write(path, text)).unwrap();
        left.keep().unwrap();
        if let Some(now) = now {
            fs::write(&target, now).unwrap();
        }
        Self { home, target }
    }

    /// Returns the content of the target and the number of files left beside it after cleanup.
    fn cleared(&self) -> (Option<String>, usize) {
        let kept = sweep(self.home.path());
        let now = fs::read_to_string(&self.target).ok();
        let beside = fs::read_dir(self.home.path()).unwrap().count() - usize::from(now.is_some());
        assert_eq!(kept.len(), beside, "what is kept is named");
        assert_eq!(sweep(self.home.path()).len(), beside, "the second time too");
        (now, beside)
    }
}

fn left(text: &str, beside: usize) -> (Option<String>, usize) {
    (Some(text.to_owned()), beside)
}

#[test]
fn what_may_go_goes() {
    assert_eq!(Killed::replacing("ours", Some("old")).cleared(), left("old", 0), "before the exchange");
    assert_eq!(Killed::replacing("old", Some("ours")).cleared(), left("ours", 0), "after it");
    assert_eq!(Killed::replacing("old", Some("newer")).cleared(), left("newer", 0), "somebody wrote since");
    assert_eq!(Killed::deleting("old", None).cleared(), (None, 0));
}

#[test]
fn a_text_of_another_program_goes_back() {
    assert_eq!(Killed::replacing("theirs", Some("ours")).cleared(), left("theirs", 0));
    assert_eq!(Killed::replacing("theirs", None).cleared(), left("theirs", 0));
    assert_eq!(Killed::deleting("theirs", None).cleared(), left("theirs", 0));
    assert_eq!(Killed::replacing("", Some("ours")).cleared(), left("", 0), "an empty text is one too");
}

#[test]
fn the_text_from_before_goes_back_when_nothing_is_at_its_place() {
    // Killed where files cannot be exchanged, between moving the file away and putting Symposium's text there.
    assert_eq!(Killed::replacing("old", None).cleared(), left("old", 0));
    let both = Killed::replacing("old", None);
    swap_beside(&both.target, "old", Some("ours"), |path| fs::write(path, "ours")).unwrap().keep().unwrap();
    assert_eq!(both.cleared(), left("old", 0), "ours goes");
}

#[test]
fn what_is_missing_is_put_back() {
    let restored = |killed: Killed| {
        restore(killed.home.path());
        killed.cleared()
    };
    assert_eq!(restored(Killed::replacing("old", None)), left("old", 0));
    assert_eq!(restored(Killed::replacing("theirs", None)), left("theirs", 0));
    assert_eq!(restored(Killed::replacing("ours", None)), (None, 0), "ours was never at its place");
    assert_eq!(restored(Killed::deleting("old", None)), (None, 0), "it was to go");
    assert_eq!(restored(Killed::replacing("old", Some("newer"))), left("newer", 0));
}

#[test]
fn two_files_change_places_step_by_step_too() {
    for step_by_step in [false, true] {
        let killed = Killed::replacing("ours", Some("old"));
        let swap = files::list(killed.home.path()).unwrap().into_iter().find(|entry| entry.name.starts_with(SWAP));
        let swap = killed.home.path().join(swap.unwrap().name);
        let traded = if step_by_step { trade_in_steps(&swap, &killed.target) } else { trade(&swap, &killed.target) };
        traded.unwrap();
        assert_eq!(fs::read_to_string(&killed.target).unwrap(), "ours");
        assert_eq!(fs::read_to_string(&swap).unwrap(), "old");
        assert_eq!(killed.cleared(), left("ours", 0));
    }
    let gone = Killed::replacing("ours", None);
    let swap = gone.home.path().join(&files::list(gone.home.path()).unwrap()[0].name);
    assert_eq!(trade_in_steps(&swap, &gone.target).unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[test]
fn where_something_newer_is_it_is_kept_beside() {
    assert_eq!(Killed::replacing("theirs", Some("newer")).cleared(), left("newer", 1));
    assert_eq!(Killed::deleting("theirs", Some("newer")).cleared(), left("newer", 1));
    let long = "x".repeat(200);
    assert_eq!(Killed::with(&long, Some("ours"), "theirs", Some("ours")).cleared(), left("ours", 1), "a name too long");
}

#[test]
fn names_a_person_might_choose_are_not_ours() {
    let digest = digest(b"old");
    for name in [
        ".symposium-swap-notes.tmp".to_owned(),
        format!(".symposium-swap-{digest}-{digest}-aB3dE6-settings.json"),
        format!(".symposium-swap-{digest}-some-aB3dE6-settings.json.tmp"),
        format!(".symposium-swap-{digest}-{digest}-toolong-settings.json.tmp"),
    ] {
        assert!(SwapName::parse(&name).is_none(), "{name}");
    }
    let swap = format!(".symposium-swap-{digest}-nothing-aB3dE6-a-b.json.tmp");
    assert_eq!(SwapName::parse(&swap).unwrap().target, "a-b.json");
}
