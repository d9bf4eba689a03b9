//! The list of places that broke a naming rule when it was made: it may get shorter, never longer.

use std::collections::BTreeMap;

use super::naming_rule::NamingOffender;
use super::violation::Violation;

pub(super) const LIST: &str = "xtask/words.txt";

/// Whether places that are not in the list are added to it when it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListGrowth {
    /// Only places that are gone are removed.
    Shrink,
    /// All places of today are listed.
    Accept,
}

/// A line of the list: an entry, the file it was in when the list was written, and its number.
struct ListLine<'a> {
    entry: &'a str,
    file: &'a str,
    number: usize,
}

/// Places and lines that belong together, and those that are alone.
struct Matching<'a> {
    listed: Vec<&'a NamingOffender>,
    unlisted: Vec<&'a NamingOffender>,
    gone: Vec<ListLine<'a>>,
}

/// Compares the list with the places of today.
pub(super) fn check(list: &str, offenders: &[NamingOffender]) -> Vec<Violation> {
    let matching = match_up(list, offenders);
    let unlisted = matching.unlisted.into_iter().map(|place| Violation {
        file: place.file.clone(),
        line: place.line,
        message: format!("{}: `{}`", place.rule.label(), place.subject),
        fix: place.rule.fix().to_owned(),
    });
    let gone = matching.gone.into_iter().map(|line| Violation {
        file: LIST.to_owned(),
        line: line.number,
        message: format!("`{}` no longer exists", line.entry),
        fix: "remove it from the list: `cargo xtask tidy --write-words`".to_owned(),
    });
    unlisted.chain(gone).collect()
}

/// The list after a change, sorted.
pub(super) fn renew(list: &str, offenders: &[NamingOffender], growth: ListGrowth) -> String {
    let matching = match_up(list, offenders);
    let added = match growth {
        ListGrowth::Shrink => Vec::new(),
        ListGrowth::Accept => matching.unlisted,
    };
    let places = matching.listed.into_iter().chain(added);
    let mut lines: Vec<String> = places.map(|place| format!("{}  [{}]\n", place.list_entry(), place.file)).collect();
    lines.sort();
    lines.concat()
}

/// Finds a line for every place: one with its file, else one of a file that the code was in before.
fn match_up<'a>(list: &'a str, offenders: &'a [NamingOffender]) -> Matching<'a> {
    let mut lines: BTreeMap<&str, Vec<ListLine<'a>>> = BTreeMap::new();
    for (index, line) in list.lines().enumerate() {
        let (entry, file) = line.strip_suffix(']').and_then(|line| line.rsplit_once("  [")).unwrap_or((line, ""));
        lines.entry(entry).or_default().push(ListLine { entry, file, number: index + 1 });
    }
    let (mut listed, mut moved, mut unlisted) = (Vec::new(), Vec::new(), Vec::new());
    for place in offenders {
        let known = lines.get_mut(place.list_entry().as_str());
        let at = known.as_ref().and_then(|known| known.iter().position(|line| line.file == place.file));
        match known.zip(at) {
            Some((known, at)) => {
                known.remove(at);
                listed.push(place);
            }
            None => moved.push(place),
        }
    }
    for place in moved {
        let line = lines.get_mut(place.list_entry().as_str()).and_then(Vec::pop);
        if line.is_some() { listed.push(place) } else { unlisted.push(place) }
    }
    Matching { listed, unlisted, gone: lines.into_values().flatten().collect() }
}

#[cfg(test)]
mod tests {
    use super::super::naming_rule::NamingRule;
    use super::super::violation::render;
    use super::*;
    use expect_test::expect;

    fn place(subject: &str, file: &str, line: usize) -> NamingOffender {
        NamingOffender { rule: NamingRule::OneWordType, subject: subject.to_owned(), file: file.to_owned(), line }
    }

    fn list(entries: &[(&str, &str)]) -> String {
        let lines: Vec<String> =
            entries.iter().map(|(name, file)| format!("type of one word: {name}  [{file}]\n")).collect();
        lines.concat()
    }

    #[test]
    fn new_places_and_places_that_are_gone_fail() {
        let places = [place("Heard", "a.rs", 1), place("Place", "a.rs", 2), place("Place", "b.rs", 3)];
        assert_eq!(check(&list(&[("Heard", "a.rs"), ("Place", "a.rs"), ("Place", "b.rs")]), &places), []);
        let moved = list(&[("Heard", "c.rs"), ("Place", "c.rs"), ("Place", "d.rs")]);
        assert_eq!(check(&moved, &places), [], "code may be moved");
        expect![[r#"
            a.rs:1: type of one word: `Heard`
                fix: name it with two words, the second a noun of the glossary in `ARCHITECTURE.md`, such as `SyncReport`
            a.rs:2: type of one word: `Place`
                fix: name it with two words, the second a noun of the glossary in `ARCHITECTURE.md`, such as `SyncReport`
            xtask/words.txt:2: `type of one word: Told` no longer exists
                fix: remove it from the list: `cargo xtask tidy --write-words`
        "#]]
        .assert_eq(&render(&check(&list(&[("Place", "b.rs"), ("Told", "a.rs")]), &places)));
        let twice = list(&[("Heard", "a.rs"), ("Heard", "a.rs"), ("Place", "a.rs"), ("Place", "b.rs")]);
        assert_eq!(check(&twice, &places).len(), 1, "a line allows one place");
    }

    #[test]
    fn the_list_shrinks_unless_growth_is_accepted() {
        let places = [place("Place", "b.rs", 3), place("Heard", "a.rs", 1), place("Place", "a.rs", 2)];
        let before = list(&[("Told", "a.rs"), ("Place", "b.rs")]);
        assert_eq!(renew(&before, &places, ListGrowth::Shrink), list(&[("Place", "b.rs")]));
        let all = list(&[("Heard", "a.rs"), ("Place", "a.rs"), ("Place", "b.rs")]);
        assert_eq!(renew(&before, &places, ListGrowth::Accept), all);
        assert_eq!(check(&all, &places), []);
    }
}
