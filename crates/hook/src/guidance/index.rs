//! The index at session start: one line for each direct dependency with a skill, within a budget of bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use symposium_model::hook::hook_plan::GuidanceLine;

/// The line above the index.
const HEADER: &str = "The dependencies with guidance:\n";

/// Renders the index with its header. Digests give way to names from the end, and names to a count. `has` tells whether
/// the agent has a skill.
pub(crate) fn render(entries: &[GuidanceLine], budget: usize, has: &dyn Fn(&str) -> bool) -> Option<String> {
    if entries.is_empty() || budget == 0 {
        return None;
    }
    let lines = lines(entries, has);
    let room = budget.saturating_sub(HEADER.len());
    let text = with_names(&lines, entries, room).unwrap_or_else(|| counted(entries, room));
    (!text.is_empty()).then(|| format!("{HEADER}{}", text.trim_end()))
}

/// Returns a prompt without the index that an agent put in front of it, since its crates were not mentioned by a user.
pub(crate) fn without_index(prompt: &str) -> Cow<'_, str> {
    let Some((before, after)) = prompt.split_once(HEADER) else { return Cow::Borrowed(prompt) };
    let rest = after.split_inclusive('\n').skip_while(|line| line.starts_with("- "));
    Cow::Owned(before.chars().chain(rest.flat_map(str::chars)).collect())
}

/// Renders the line of each crate. A digest that an earlier line has is not repeated.
fn lines(entries: &[GuidanceLine], has: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut shown: BTreeMap<&str, &GuidanceLine> = BTreeMap::new();
    let line = |entry: &GuidanceLine, first: &GuidanceLine| {
        let GuidanceLine { name, version, digest, skill } = entry;
        let pointer = if has(skill) { format!(" (skill {skill})") } else { String::new() };
        if std::ptr::eq(entry, first) {
            format!("- {name} {version}: {digest}{pointer}\n")
        } else {
            format!("- {name} {version}: see {}{pointer}\n", first.name)
        }
    };
    entries.iter().map(|entry| line(entry, shown.entry(&entry.digest).or_insert(entry))).collect()
}

/// Joins as many lines as fit beside the names of the other crates; `None` if not even the names fit.
fn with_names(lines: &[String], entries: &[GuidanceLine], budget: usize) -> Option<String> {
    let mut length: usize = lines.iter().map(String::len).sum();
    let mut names: Vec<String> = Vec::new();
    // The mark and the end of the line, and what separates the names.
    let mut names_length = 1;
    for (line, GuidanceLine { name, version, .. }) in lines.iter().zip(entries).rev() {
        if length + if names.is_empty() { 0 } else { names_length } <= budget {
            break;
        }
        length -= line.len();
        names.push(format!("{name} {version}"));
        names_length += name.len() + version.len() + 3;
    }
    let kept = lines.len() - names.len();
    if names.is_empty() {
        return (length <= budget).then(|| lines.concat());
    }
    names.reverse();
    let text = format!("{}- {}\n", lines.get(..kept)?.concat(), names.join(", "));
    (text.len() <= budget).then_some(text)
}

/// Names as many crates as fit, and counts the others.
fn counted(entries: &[GuidanceLine], budget: usize) -> String {
    let more = |kept: usize| format!("and {} more: `symposium crate --list`\n", entries.len() - kept);
    let mut length: usize = 2 + entries.iter().map(|entry| entry.name.len() + 2).sum::<usize>();
    for (kept, entry) in entries.iter().enumerate().rev() {
        length -= entry.name.len() + 2;
        let more = more(kept);
        if length + more.len() <= budget {
            let names: String = entries.iter().take(kept).flat_map(|entry| [entry.name.as_str(), ", "]).collect();
            return format!("- {names}{more}");
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(count: usize) -> Vec<GuidanceLine> {
        let entry = |number| GuidanceLine {
            name: format!("crate{number}"),
            version: "1.0.0".to_owned(),
            digest: format!("{number:x>40}"),
            skill: format!("skill{number}"),
        };
        (0..count).map(entry).collect()
    }

    #[test]
    fn digests_give_way_to_names_and_names_to_a_count() {
        let all = entries(3);
        let rendered = |budget| {
            let text = render(&all, HEADER.len() + budget, &|skill| skill != "skill1").unwrap_or_default();
            text.strip_prefix(HEADER).map(|lines| format!("{lines}\n")).unwrap_or_default()
        };
        let first = format!("- crate0 1.0.0: {:x>40} (skill skill0)\n", 0);
        let second = format!("- crate1 1.0.0: {:x>40}\n", 1);
        let third = format!("- crate2 1.0.0: {:x>40} (skill skill2)\n", 2);
        assert_eq!(rendered(2000), format!("{first}{second}{third}"));
        let whole = first.len() + second.len() + third.len();
        assert_eq!(rendered(whole), format!("{first}{second}{third}"));
        assert_eq!(rendered(whole - 1), format!("{first}{second}- crate2 1.0.0\n"));
        assert_eq!(rendered(first.len() + 40), format!("{first}- crate1 1.0.0, crate2 1.0.0\n"));
        assert_eq!(rendered(60), "- crate0 1.0.0, crate1 1.0.0, crate2 1.0.0\n");
        assert_eq!(rendered(42), "- and 3 more: `symposium crate --list`\n");
        assert_eq!(rendered(10), "");
        assert_eq!(render(&all, 0, &|_| true), None);
        assert_eq!(render(&[], 2000, &|_| true), None);
    }

    #[test]
    fn the_budget_holds_for_any_number() {
        for count in [1, 7, 40, 200] {
            for budget in [50, 100, 500, 2000] {
                let text = render(&entries(count), budget, &|_| true).unwrap_or_default();
                assert!(text.len() <= budget, "{count} {budget} {}", text.len());
            }
        }
    }

    #[test]
    fn a_digest_for_several_crates_is_shown_once() {
        let entry = |name: &str, digest: &str, skill: &str| GuidanceLine {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            digest: digest.to_owned(),
            skill: skill.to_owned(),
        };
        let all = [entry("tokio", "D", "tokio"), entry("serde", "E", "serde"), entry("tokio-util", "D", "tokio")];
        assert_eq!(
            render(&all, 2000, &|skill| skill == "tokio").unwrap(),
            format!(
                "{HEADER}- tokio 1.0.0: D (skill tokio)\n- serde 1.0.0: E\n- tokio-util 1.0.0: see tokio (skill tokio)"
            )
        );
    }

    #[test]
    fn an_index_in_front_of_a_prompt_is_no_part_of_it() {
        let index = render(&entries(2), 2000, &|_| true).unwrap();
        for (prompt, rest) in [
            (format!("{index}\n\nUse crate0."), "\nUse crate0."),
            (format!("{index}\nUse crate0."), "Use crate0."),
            (format!("Before.\n{index}"), "Before.\n"),
            ("- crate0 1.0.0: x".to_owned(), "- crate0 1.0.0: x"),
        ] {
            assert_eq!(without_index(&prompt), rest, "{prompt}");
        }
    }
}
