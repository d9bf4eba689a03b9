//! Names of a crate's items in the prose of a skill, and what the skill says about them.

use std::ops::Range;

use super::name_form::NameForm;
use super::prose::{ProsePart, cells, code_spans, sentences, split_prose};

/// A name in backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProseMention {
    /// The bytes between the backticks.
    pub span: Range<usize>,
    pub form: NameForm,
    /// The name before it in a chain of calls, which returns what it is called on.
    pub receiver: Option<NameForm>,
    pub claim: MentionClaim,
    /// The versions that its paragraph names, with as many parts as are written.
    pub versions: Vec<Vec<u64>>,
}

/// Says what a text claims about a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MentionClaim {
    /// It exists in every version that the skill is for.
    Everywhere,
    /// It exists in one of them: the text names a version.
    Somewhere,
    /// It may be gone: the sentence says that something is not there, or not any more.
    Maybe,
    /// The left side of a rename: it is gone, or deprecated.
    Gone,
    /// The right side of a rename.
    Replacement,
}

/// Words of sentences about what is not there.
const DENIALS: &str = "gone removed renamed rename renames deprecated deleted dropped no not never none nothing without \
    instead old older former formerly was were became become becomes replaced replaces moved missing \
    cannot neither nor nowhere lacks lost unlike wrong don't doesn't isn't can't";

/// Headings of a column with names that must not be used.
const OLD_HEADINGS: [&str; 8] = ["old", "before", "was", "from", "do not write", "instead of", "removed", "wrong"];

/// Finds the paths and methods that a text names, and the names in its renames: `old` -> `new`, and tables of two columns.
pub fn find_mentions(text: &str) -> Vec<ProseMention> {
    let mut found = Vec::new();
    // The versions in the heading above, unless that is the title.
    let mut section = Vec::new();
    for part in split_prose(text) {
        match part {
            ProsePart::Paragraph(paragraph) => {
                match text.get(paragraph.clone()) {
                    Some(heading) if heading.starts_with("##") => section = named_versions(heading),
                    Some(title) if title.starts_with("# ") => section = Vec::new(),
                    _ => {}
                }
                read_paragraph(text, &paragraph, &section, &mut found);
            }
            ProsePart::Row { heading, left, right } if is_rename_table(text, &heading) => {
                let is_removal = matches!(text.get(right.clone()).unwrap_or_default().trim(), "gone" | "removed");
                let new = if is_removal { Some(Vec::new()) } else { cell_names(text, &right) };
                let old = cell_names(text, &left);
                // A row about anything but names claims nothing.
                if let (Some(old), Some(new)) = (old, new)
                    && !old.is_empty()
                {
                    let own = named_versions(&without_code(text, right));
                    let claim = if own.is_empty() { MentionClaim::Replacement } else { MentionClaim::Somewhere };
                    let versions = [own, heading_versions(text, &heading)].concat();
                    add_rename(old, new, claim, &versions, &mut found);
                }
            }
            // The left column says what the row is about, which may be another crate.
            ProsePart::Row { right, .. } => read_paragraph(text, &right, &section, &mut found),
        }
    }
    found
}

/// A name with its place, before its claim is known.
struct PlacedName {
    span: Range<usize>,
    chain: Vec<NameForm>,
    is_dotted: bool,
}

impl PlacedName {
    fn read(text: &str, span: &Range<usize>) -> Self {
        let is_dotted = text.get(span.clone()).is_some_and(|code| code.contains('.'));
        Self { span: span.clone(), chain: chain_of(text, span), is_dotted }
    }
}

fn read_paragraph(text: &str, paragraph: &Range<usize>, section: &[Vec<u64>], found: &mut Vec<ProseMention>) {
    let mut versions = named_versions(&without_code(text, paragraph.clone()));
    versions.extend_from_slice(section);
    for sentence in sentences(text, paragraph.clone()) {
        let denies = has_denial(&without_code(text, sentence.clone()));
        let spans = code_spans(text, sentence);
        let mut renamed = vec![false; spans.len()];
        for (at, pair) in spans.windows(2).enumerate() {
            let [left, right] = pair else { continue };
            let between = text.get(left.end + 1..right.start - 1).unwrap_or_default().trim();
            if between != "->" && between != "→" {
                continue;
            }
            let name = |span: &Range<usize>| PlacedName::read(text, span);
            let claim = if versions.is_empty() { MentionClaim::Replacement } else { MentionClaim::Somewhere };
            let old = if denies { Vec::new() } else { vec![name(left)] };
            add_rename(old, vec![name(right)], claim, &versions, found);
            renamed.iter_mut().skip(at).take(2).for_each(|renamed| *renamed = true);
            // `a`, `b` -> `c`
            for (first, second) in spans.iter().zip(spans.iter().skip(1)).take(at).rev() {
                if text.get(first.end + 1..second.start - 1).is_none_or(|between| between.trim() != ",") {
                    break;
                }
                let position = spans.iter().position(|span| span == first).unwrap_or(at);
                if let Some(is_renamed) = renamed.get_mut(position).filter(|is_renamed| !**is_renamed) {
                    *is_renamed = true;
                    let old = if denies { Vec::new() } else { vec![name(first)] };
                    add_rename(old, vec![], claim, &versions, found);
                }
            }
        }
        let claim = match (denies, versions.is_empty()) {
            (true, _) => MentionClaim::Maybe,
            (false, false) => MentionClaim::Somewhere,
            (false, true) => MentionClaim::Everywhere,
        };
        for (span, _) in spans.into_iter().zip(renamed).filter(|(_, renamed)| !renamed) {
            let links = linked(chain_of(text, &span)).filter(|link| !matches!(link.form, NameForm::Bare(_)));
            found.extend(links.map(|ChainLink { form, receiver }| ProseMention {
                span: span.clone(),
                form,
                receiver,
                claim,
                versions: versions.clone(),
            }));
        }
    }
}

fn chain_of(text: &str, span: &Range<usize>) -> Vec<NameForm> {
    let code = text.get(span.clone()).unwrap_or_default();
    NameForm::parse_chain(code.strip_prefix("use ").unwrap_or(code))
}

/// A name of a chain, with the one before it.
struct ChainLink {
    form: NameForm,
    receiver: Option<NameForm>,
}

fn linked(chain: Vec<NameForm>) -> impl Iterator<Item = ChainLink> {
    let receivers: Vec<Option<NameForm>> = std::iter::once(None).chain(chain.iter().cloned().map(Some)).collect();
    chain.into_iter().zip(receivers).map(|(form, receiver)| ChainLink { form, receiver })
}

/// Adds both sides of a rename. An old name that occurs on the right has got another meaning, and a chain of several calls
/// is no name that could be gone.
fn add_rename(
    old: Vec<PlacedName>,
    new: Vec<PlacedName>,
    claim: MentionClaim,
    versions: &[Vec<u64>],
    found: &mut Vec<ProseMention>,
) {
    let new_names: Vec<String> = new.iter().flat_map(|name| &name.chain).map(|form| form.name().to_owned()).collect();
    for PlacedName { span, chain, is_dotted } in old {
        // Whose field it is cannot be told.
        let is_field = |form: &NameForm| matches!(form, NameForm::Bare(_)) && is_dotted;
        if let [form] = chain.as_slice()
            && !is_field(form)
            && !new_names.iter().any(|new| new == form.name())
        {
            let (form, claim, versions) = (form.clone(), MentionClaim::Gone, versions.to_vec());
            found.push(ProseMention { span, form, receiver: None, claim, versions });
        }
    }
    for PlacedName { span, chain, .. } in new {
        let mention = |ChainLink { form, receiver }| {
            let (span, versions) = (span.clone(), versions.to_vec());
            ProseMention { span, form, receiver, claim, versions }
        };
        found.extend(linked(chain).map(mention));
    }
}

/// Says whether the columns of a table are an old and a new version, or words for that.
fn is_rename_table(text: &str, heading: &Range<usize>) -> bool {
    let cells = cells(text, heading.clone());
    let words = |cell: &Range<usize>| text.get(cell.clone()).unwrap_or_default().trim().to_lowercase();
    let [left, right] = cells.as_slice() else { return false };
    let (left, right) = (words(left), words(right));
    let has_digit = |cell: &str| cell.contains(|letter: char| letter.is_ascii_digit());
    OLD_HEADINGS.contains(&left.as_str()) || (has_digit(&left) && has_digit(&right))
}

/// Reads the versions above the right column, which the new names are of.
fn heading_versions(text: &str, heading: &Range<usize>) -> Vec<Vec<u64>> {
    let cells = cells(text, heading.clone());
    cells.get(1).map(|right| named_versions(text.get(right.clone()).unwrap_or_default())).unwrap_or_default()
}

/// Reads the names of a cell that holds nothing else, besides remarks in brackets.
fn cell_names(text: &str, cell: &Range<usize>) -> Option<Vec<PlacedName>> {
    let mut depth = 0_usize;
    let mut names = Vec::new();
    let mut at = cell.start;
    let ends = code_spans(text, cell.clone()).into_iter().map(Some).chain([None]);
    for span in ends {
        let between = text.get(at..span.as_ref().map_or(cell.end, |span| span.start - 1)).unwrap_or_default();
        let mut plain = String::new();
        for letter in between.chars() {
            match letter {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                letter if depth == 0 => plain.push(letter),
                _ => {}
            }
        }
        let words = plain.split(|letter: char| letter.is_whitespace() || ",;*".contains(letter));
        if words.filter(|word| !word.is_empty()).any(|word| word != "or" && word != "and") {
            return None;
        }
        if let Some(span) = span {
            at = span.end + 1;
            if depth == 0 {
                names.push(PlacedName::read(text, &span));
            }
        }
    }
    Some(names)
}

fn without_code(text: &str, within: Range<usize>) -> String {
    text.get(within).unwrap_or_default().split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// Reads the versions that a text names, such as `0.9`, `1.38.2` or `2.x`.
fn named_versions(prose: &str) -> Vec<Vec<u64>> {
    let words = prose.split(|letter: char| letter.is_whitespace() || ":,;()/".contains(letter));
    let version = |word: &str| {
        let parts: Vec<&str> = word.trim_end_matches('.').split('.').collect();
        let numbers: Vec<u64> = parts.iter().map_while(|part| part.parse().ok()).collect();
        let is_version =
            parts.len() > 1 && !numbers.is_empty() && parts.iter().skip(numbers.len()).all(|part| *part == "x");
        is_version.then_some(numbers)
    };
    words.filter_map(version).collect()
}

fn has_denial(prose: &str) -> bool {
    let words = prose.split(|letter: char| !letter.is_alphanumeric() && letter != '\'');
    words.map(str::to_lowercase).any(|word| DENIALS.split_whitespace().any(|denial| denial == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, MentionClaim)]) {
        let mentions = find_mentions(text);
        let found: Vec<(&str, MentionClaim)> =
            mentions.iter().map(|mention| (mention.form.name(), mention.claim)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn paths_and_methods_in_prose_are_found_with_their_claim() {
        use MentionClaim::{Everywhere, Maybe, Somewhere};
        check("Call `rand::rng()` and\n`.shuffle()`, a `Vec`.", &[("rng", Everywhere), ("shuffle", Everywhere)]);
        check("Do not call `rand::rng()`. Use `rand::x()`.", &[("rng", Maybe), ("x", Everywhere)]);
        check("- 0.14: `A::b`. Then `A::c`.\n- `A::d`", &[("b", Somewhere), ("c", Somewhere), ("d", Everywhere)]);
        check(
            "# A 1.0\n`A::b`\n## To 2.0\n`A::c`\n## More\n`A::d`",
            &[("b", Everywhere), ("c", Somewhere), ("d", Everywhere)],
        );
        check("```rust\n// `A::b`\n```\n", &[]);
        check("| a | b |\n|---|---|\n| see `A::b` | `A::c` |", &[("c", Everywhere)]);
        check("| a | b | c |\n|---|---|---|\n| see `A::b` | x | `A::c` |", &[("b", Everywhere), ("c", Everywhere)]);
        check("| 1.x | 2.x | 3.x |\n|---|---|---|\n| see `A::b` | x | `A::c` |", &[]);
        assert_eq!(named_versions("From 1.38.2, 2.x or 0.9. Not 3, 4x or a.b."), [vec![1, 38, 2], vec![2], vec![0, 9]]);
    }

    #[test]
    fn renames_say_what_is_gone_and_what_is_there() {
        use MentionClaim::{Gone, Replacement, Somewhere};
        check("`gen` -> `random`", &[("gen", Gone), ("random", Replacement)]);
        check("From 0.9 `gen` → `random`", &[("gen", Gone), ("random", Somewhere)]);
        check("Old names are `gen` -> `random`", &[("random", Replacement)]);
        check("`a.b` -> `a.b()`", &[("b", Replacement)]);
        check("`a.b` -> `a.c()`", &[("c", Replacement)]);
        check("`A::b`, `A::c` -> `d`", &[("c", Gone), ("d", Replacement), ("b", Gone)]);
        let table = |row: &str| format!("| 0.8 | 0.9 |\n|---|---|\n{row}\n");
        check(&table("| `a::b()`, `c` | `d` (a `E`) |"), &[("b", Gone), ("c", Gone), ("d", Replacement)]);
        check(&table("| `A::b` panics | returns a `C` |"), &[]);
        check(&table("| `x.a().b()` | `c` |"), &[("c", Replacement)]);
        check(&table("| `a` | gone |"), &[("a", Gone)]);
        check("| old | new |\n|---|---|\n| `a` | `b` |", &[("a", Gone), ("b", Replacement)]);
        check("| version | change |\n|---|---|\n| 9 | `A::b` is new |", &[("b", MentionClaim::Everywhere)]);
    }
}
