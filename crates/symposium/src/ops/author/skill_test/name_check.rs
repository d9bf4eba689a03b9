//! Names in the prose of a skill, looked up in the indexes of the crates it is for.

use std::collections::BTreeSet;

use semver::Version;
use symposium_api::{ApiItem, CrateIndex, ItemKind, find_item, find_off_name};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::skill_text::{MentionClaim, NameForm, ProseMention};
use symposium_model::suggest::nearest;

use super::std_names::{is_std_member, is_std_module, is_std_type};

/// The crates of a skill at one set of versions; the crate it is about comes first.
pub(super) struct IndexedVersions {
    /// The crate it is about, with its version.
    pub(super) title: String,
    pub(super) version: Option<Version>,
    pub(super) indexes: Vec<CrateIndex>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamePresence {
    Present,
    Deprecated,
    Absent,
    /// It is not a name of these crates, or their indexes cannot tell.
    Unknown,
}

/// The names that were looked up, and what is wrong with them.
#[derive(Debug, Default)]
pub(super) struct NameReport {
    pub(super) findings: Vec<Diagnostic>,
    pub(super) names: usize,
    pub(super) renames: usize,
}

/// Compares what a skill says about names with the versions it is for, lowest first.
pub(super) fn check_names(
    path: &str,
    text: &str,
    mentions: &[ProseMention],
    versions: &[IndexedVersions],
) -> NameReport {
    let mut report = NameReport::default();
    if versions.is_empty() {
        return report;
    }
    for mention in mentions {
        let found: Vec<NamePresence> = versions.iter().map(|own| look_up_mention(mention, own, versions)).collect();
        if found.iter().all(|presence| *presence == NamePresence::Unknown) {
            continue;
        }
        let is_rename = matches!(mention.claim, MentionClaim::Gone | MentionClaim::Replacement);
        if is_rename {
            report.renames += 1;
        } else {
            report.names += 1;
        }
        let titles = |wanted: NamePresence| {
            let own = versions.iter().zip(&found).filter(move |(_, presence)| **presence == wanted);
            own.map(|(own, _)| own.title.as_str()).collect::<BTreeSet<&str>>()
        };
        let absent = titles(NamePresence::Absent);
        let present = titles(NamePresence::Present);
        let code = text.get(mention.span.clone()).unwrap_or_default();
        let name = mention.form.name();
        let shown = if code.ends_with(name) { code.to_owned() } else { format!("{name}` in `{code}") };
        let list = |titles: &BTreeSet<&str>| titles.iter().copied().collect::<Vec<_>>().join(" and ");
        let finding = match mention.claim {
            // The name may be one of that other version.
            _ if names_other(mention, versions) => None,
            MentionClaim::Everywhere | MentionClaim::Replacement if !absent.is_empty() => {
                let help = suggest(&mention.form, versions).unwrap_or_else(|| {
                    "correct the name, or say in the same paragraph which version has it".to_owned()
                });
                Some((format!("`{shown}` does not exist in {}", list(&absent)), help))
            }
            MentionClaim::Somewhere if found.iter().all(|presence| *presence == NamePresence::Absent) => {
                let help = suggest(&mention.form, versions).unwrap_or_else(|| "correct the name".to_owned());
                Some((format!("`{shown}` does not exist in {}", list(&absent)), help))
            }
            MentionClaim::Gone if found.last() == Some(&NamePresence::Present) => {
                let help = "the left side of a rename is a name that is gone or deprecated; write a longer path if \
                            another item is meant";
                Some((format!("`{shown}` still exists in {}", list(&present)), help.to_owned()))
            }
            _ => None,
        };
        if let Some((message, help)) = finding {
            report.findings.push(Diagnostic::error(path, message).at(text, mention.span.clone()).help(help));
        }
    }
    report
}

/// Says whether the paragraph of a name speaks of a version that is not between the tested ones.
fn names_other(mention: &ProseMention, versions: &[IndexedVersions]) -> bool {
    let parts = |version: &Version| vec![version.major, version.minor, version.patch];
    let tested: Vec<Vec<u64>> = versions.iter().filter_map(|own| own.version.as_ref().map(parts)).collect();
    let cut = |length: usize| tested.iter().map(move |own| own.iter().take(length).copied().collect::<Vec<u64>>());
    mention.versions.iter().any(|named| {
        let (lowest, highest) = (cut(named.len()).min(), cut(named.len()).max());
        lowest.is_some_and(|lowest| *named < lowest) || highest.is_some_and(|highest| *named > highest)
    })
}

/// Looks for a name. A method that is called on a value of a type that has no public path is in no index.
fn look_up_mention(mention: &ProseMention, own: &IndexedVersions, all: &[IndexedVersions]) -> NamePresence {
    match look_up(&mention.form, mention.claim, own, all) {
        NamePresence::Absent if mention.receiver.as_ref().is_some_and(|receiver| returns_unlisted(receiver, own)) => {
            NamePresence::Unknown
        }
        presence => presence,
    }
}

/// Says whether a function may return a type that no index lists.
fn returns_unlisted(function: &NameForm, own: &IndexedVersions) -> bool {
    let indexes: Vec<&CrateIndex> = own.indexes.iter().collect();
    let found: Vec<&ApiItem> = match function {
        NameForm::Path(parts) => find_item(&indexes, &parts.join("::")).iter().map(|view| view.item).collect(),
        NameForm::Method(name) | NameForm::Bare(name) => {
            own.indexes.iter().flat_map(visible).filter(|item| item.name() == name).collect()
        }
    };
    let is_listed = |name: &str| own.indexes.iter().flat_map(visible).any(|item| item.name() == name);
    let is_unlisted = |item: &&ApiItem| {
        let returned = item.signature.rsplit_once("->").map(|(_, returned)| returned).unwrap_or_default();
        let words = returned.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let mut types = words.filter(|word| word.starts_with(|first: char| first.is_ascii_uppercase()));
        types.any(|name| name != "Self" && !is_std_type(name) && !is_listed(name))
    };
    found.is_empty() || found.iter().any(is_unlisted)
}

fn look_up(form: &NameForm, claim: MentionClaim, own: &IndexedVersions, all: &[IndexedVersions]) -> NamePresence {
    let is_old = claim == MentionClaim::Gone;
    match form {
        NameForm::Path(parts) => look_up_path(parts, own, all),
        NameForm::Method(name) => {
            let is_member =
                |item: &&ApiItem| matches!(item.kind, ItemKind::Method | ItemKind::Function | ItemKind::Field);
            look_up_name(name, own, is_old, is_member)
        }
        NameForm::Bare(name) => look_up_name(name, own, is_old, |_| true),
    }
}

/// Looks for an item of a name. An old name counts only in the crate that the skill is about.
fn look_up_name(name: &str, own: &IndexedVersions, is_old: bool, fits: impl Fn(&&ApiItem) -> bool) -> NamePresence {
    let indexes = own.indexes.iter().take(if is_old { 1 } else { usize::MAX });
    let items = indexes.clone().flat_map(visible).filter(|item| item.name() == name).filter(fits);
    let items: Vec<&ApiItem> = items.collect();
    // Of several items of an old name, one that is deprecated is meant.
    if is_old && items.iter().any(|item| item.deprecated.is_some()) {
        return NamePresence::Deprecated;
    }
    match judge(items.into_iter()) {
        NamePresence::Absent if !is_old && (is_std_member(name) || is_std_type(name)) => NamePresence::Unknown,
        NamePresence::Absent if !indexes.clone().all(|index| index.completeness.is_complete()) => NamePresence::Unknown,
        // A name without a crate before it may be of any other crate.
        NamePresence::Absent if name.starts_with(|first: char| first.is_ascii_uppercase()) => NamePresence::Unknown,
        presence => presence,
    }
}

fn look_up_path(parts: &[String], own: &IndexedVersions, all: &[IndexedVersions]) -> NamePresence {
    let [head, .., last] = parts else { return NamePresence::Unknown };
    let path = parts.join("::");
    let is_crate = own.indexes.iter().any(|index| index.name == *head);
    let is_known = || all.iter().flat_map(|versions| &versions.indexes).any(|index| has_members(index, head));
    if !is_crate && (is_std_module(head) || is_std_type(head) || !is_known()) {
        return NamePresence::Unknown;
    }
    let indexes: Vec<&CrateIndex> = own.indexes.iter().collect();
    let found = find_item(&indexes, &path);
    if !found.is_empty() {
        return judge(found.iter().map(|view| view.item));
    }
    let rest = path.strip_prefix(head.as_str()).and_then(|rest| rest.strip_prefix("::")).unwrap_or(&path);
    let is_off = |index: &&CrateIndex| index.name == *head && find_off_name(index, rest).is_some();
    if is_crate && indexes.iter().any(is_off) {
        return NamePresence::Present;
    }
    // A method may be one of a trait, and so may a constant.
    let is_member = parts.len() > 2 || !is_crate;
    let is_type = |part: &String| part.starts_with(|first: char| first.is_ascii_uppercase());
    let has_type = parts.iter().rev().nth(1).is_some_and(is_type);
    if is_member && has_type {
        if is_std_member(last) {
            return NamePresence::Unknown;
        }
        let of_trait = own.indexes.iter().flat_map(|index| {
            let traits: BTreeSet<&str> =
                visible(index).filter(|item| item.kind == ItemKind::Trait).map(|item| item.path.as_str()).collect();
            visible(index).filter(move |item| item.name() == last && traits.contains(item.parent()))
        });
        let of_trait = judge(of_trait);
        if of_trait != NamePresence::Absent {
            return of_trait;
        }
        // An alias has the members of another type, which may be anywhere.
        let owner = parts.split_last().map(|(_, owner)| owner.join("::")).unwrap_or_default();
        if find_item(&indexes, &owner).iter().any(|view| view.item.kind == ItemKind::Type) {
            return NamePresence::Unknown;
        }
    }
    let is_complete = own.indexes.iter().filter(|index| !is_crate || index.name == *head).all(|index| {
        let passes_on =
            index.items.iter().any(|item| item.whole_crate.is_some() && parts.contains(&item.name().to_owned()));
        index.completeness.is_complete() && !passes_on
    });
    if is_complete { NamePresence::Absent } else { NamePresence::Unknown }
}

fn visible(index: &CrateIndex) -> impl Iterator<Item = &ApiItem> {
    index.items.iter().filter(|item| !item.is_hidden)
}

/// Says whether a crate has an item of this name with something below it.
fn has_members(index: &CrateIndex, name: &str) -> bool {
    let is_home = |path: &str| path == name || path.strip_suffix(name).is_some_and(|before| before.ends_with("::"));
    visible(index).any(|item| is_home(item.parent()))
}

fn judge<'i>(items: impl Iterator<Item = &'i ApiItem>) -> NamePresence {
    let mut presence = NamePresence::Absent;
    for item in items {
        match item.deprecated {
            None => return NamePresence::Present,
            Some(_) => presence = NamePresence::Deprecated,
        }
    }
    presence
}

/// Names the item that was probably meant.
fn suggest(form: &NameForm, versions: &[IndexedVersions]) -> Option<String> {
    let highest = versions.last()?;
    let owner = match form {
        NameForm::Path(parts) => parts.iter().rev().nth(1).cloned(),
        NameForm::Method(_) | NameForm::Bare(_) => None,
    };
    let of_owner = |item: &&ApiItem| {
        owner.as_deref().is_none_or(|owner| {
            let parent = item.parent();
            parent.rsplit("::").next() == Some(owner)
                || (parent.is_empty() && highest.indexes.iter().any(|index| index.name == owner))
        })
    };
    let names: BTreeSet<&str> = highest
        .indexes
        .iter()
        .flat_map(visible)
        .filter(of_owner)
        .map(ApiItem::name)
        .filter(|name| !name.is_empty())
        .collect();
    let names: Vec<&str> = names.into_iter().collect();
    let near = nearest(form.name(), &names)?;
    Some(if near == form.name() {
        format!("name {} in the same paragraph, or raise the lowest version", highest.title)
    } else {
        format!("did you mean `{near}`?")
    })
}

#[cfg(test)]
mod tests {
    use symposium_model::skill_text::find_mentions;

    use super::*;

    fn item(path: &str, kind: ItemKind, deprecated: bool) -> ApiItem {
        ApiItem {
            path: path.to_owned(),
            kind,
            signature: String::new(),
            docs: String::new(),
            deprecated: deprecated.then(String::new),
            feature: None,
            is_off: false,
            is_hidden: false,
            hides_itself: false,
            file: String::new(),
            line: 1,
            origin: None,
            whole_crate: None,
            aliased: None,
            implements: Vec::new(),
        }
    }

    fn versions(title: &str, paths: &[&str]) -> IndexedVersions {
        let mut items: Vec<ApiItem> = paths
            .iter()
            .map(|path| {
                let name = path.trim_end_matches('?').rsplit("::").next().unwrap_or_default();
                let kind = match (name.starts_with(char::is_uppercase), path.contains("::")) {
                    (true, _) if name.ends_with("Ext") => ItemKind::Trait,
                    (true, _) => ItemKind::Struct,
                    (false, true) => ItemKind::Method,
                    (false, false) => ItemKind::Function,
                };
                item(path.trim_end_matches('?'), kind, path.ends_with('?'))
            })
            .collect();
        items.sort_by(|one, other| one.path.cmp(&other.path));
        let index = CrateIndex { name: "dice".to_owned(), items, ..CrateIndex::default() };
        let version = title.rsplit(' ').next().and_then(|version| Version::parse(&format!("{version}.0")).ok());
        IndexedVersions { title: title.to_owned(), version, indexes: vec![index] }
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let old = versions("dice 1.0", &["roll", "throw", "Cup", "Cup::new", "Cup::shake", "CupExt", "CupExt::turn"]);
        let new = versions("dice 1.2", &["roll", "throw?", "Cup", "Cup::new", "Cup::mix", "CupExt", "CupExt::turn"]);
        let report = check_names("SKILL.md", text, &find_mentions(text), &[old, new]);
        let found: Vec<&str> = report.findings.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names_must_exist_at_both_ends() {
        check("Call `dice::roll()`, `Cup::new`, `cup.turn()`, `Cup::turn` and `.collect()`.", &[]);
        check("Call `dice::rol()`.", &["`rol` in `dice::rol()` does not exist in dice 1.0 and dice 1.2"]);
        check("Call `Cup::mix`.", &["`Cup::mix` does not exist in dice 1.0"]);
        check("Call `Cup::mix` from 1.2 on.", &[]);
        check("Call `Cup::mixx` from 1.2 on.", &["`Cup::mixx` does not exist in dice 1.0 and dice 1.2"]);
        check("Version 2.x has `Cup::stir`.", &[]);
        check("There is no `Cup::stir`.", &[]);
        check("`.stir()` it.", &["`stir` in `.stir()` does not exist in dice 1.0 and dice 1.2"]);
        check("`std::iter::x`, `Vec::y`, `other::z`, `Saucer::w`, `sync::v`.", &[]);
    }

    #[test]
    fn an_item_of_an_optional_crate_that_is_off_is_there() {
        let mut own = versions("dice 1.0", &["roll"]);
        own.indexes[0].off_names = vec![item("felt", ItemKind::Module, false)];
        let text = "Use `dice::felt` and `dice::wool`.";
        let report = check_names("SKILL.md", text, &find_mentions(text), &[own]);
        let found: Vec<String> = report.findings.into_iter().map(|found| found.message).collect();
        assert_eq!(found, ["`dice::wool` does not exist in dice 1.0"]);
    }

    #[test]
    fn a_method_of_a_type_without_a_public_path_is_not_called_missing() {
        let versions = |returned: &str| {
            let mut versions = versions("dice 1.0", &["Cup", "Cup::build", "Cup::new"]);
            for item in &mut versions.indexes[0].items {
                item.signature = format!("fn {}() -> {returned}", item.name());
            }
            versions
        };
        let text = "Call `Cup::new().paint().build()`.";
        let found = |returned: &str| {
            let report = check_names("SKILL.md", text, &find_mentions(text), &[versions(returned)]);
            report.findings.into_iter().map(|found| found.message).collect::<Vec<_>>()
        };
        assert_eq!(found("CupBuilder<Blank>"), Vec::<String>::new());
        let missing = "`paint` in `Cup::new().paint().build()` does not exist in dice 1.0";
        assert_eq!(found("Result<Cup, Self>"), [missing]);
    }

    #[test]
    fn renames_are_checked_both_ways() {
        check("`throw` -> `roll`", &[]);
        check("`hurl` -> `roll`", &[]);
        check("`roll` -> `throw`", &["`roll` still exists in dice 1.0 and dice 1.2"]);
        check("`throw` -> `rolls`", &["`rolls` does not exist in dice 1.0 and dice 1.2"]);
        check("| 1.0 | 1.2 |\n|---|---|\n| `Cup::shake` | `Cup::mix` |", &["`Cup::mix` does not exist in dice 1.0"]);
        check("| 1.2 | 2.0 |\n|---|---|\n| `Cup::mix` | `Cup::stir` |", &[]);
    }

    #[test]
    fn the_nearest_name_is_suggested() {
        let text = "Call `Cup::neu`.";
        let report =
            check_names("SKILL.md", text, &find_mentions(text), &[versions("dice 1", &["Cup", "Cup::new", "nex"])]);
        assert_eq!(report.findings.first().and_then(|found| found.help.as_deref()), Some("did you mean `new`?"));
    }
}
