//! The index at session start: one line for each direct dependency with a skill, within a budget of bytes.

use symposium_model::hook::hook_plan::GuidanceLine;

/// Renders the index. Digests give way to names from the end, and names to a count. `has` tells whether the agent has a
/// skill.
pub(crate) fn render(entries: &[GuidanceLine], budget: usize, has: &dyn Fn(&str) -> bool) -> Option<String> {
    if entries.is_empty() || budget == 0 {
        return None;
    }
    let lines: Vec<String> = entries.iter().map(|entry| line(entry, has)).collect();
    let full = (0..=entries.len()).rev().find_map(|kept| {
        let text = with_names(lines.get(..kept)?, entries.get(kept..)?);
        (text.len() <= budget).then_some(text)
    });
    Some(full.unwrap_or_else(|| counted(entries, budget)))
}

fn line(entry: &GuidanceLine, has: &dyn Fn(&str) -> bool) -> String {
    let GuidanceLine { name, version, digest, skill } = entry;
    let pointer = if has(skill) { format!(" (skill {skill})") } else { String::new() };
    format!("- {name} {version}: {digest}{pointer}\n")
}

fn with_names(lines: &[String], rest: &[GuidanceLine]) -> String {
    let mut text = lines.concat();
    if !rest.is_empty() {
        let names: Vec<String> = rest.iter().map(|entry| format!("{} {}", entry.name, entry.version)).collect();
        text.push_str(&format!("- {}\n", names.join(", ")));
    }
    text
}

/// Names as many crates as fit, and counts the others.
fn counted(entries: &[GuidanceLine], budget: usize) -> String {
    let text = |kept: usize| {
        let names: Vec<&str> = entries.iter().take(kept).map(|entry| entry.name.as_str()).collect();
        let separator = if kept == 0 { "" } else { ", " };
        format!("- {}{separator}and {} more: `symposium crate --list`\n", names.join(", "), entries.len() - kept)
    };
    (0..entries.len()).rev().map(text).find(|text| text.len() <= budget).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(count: usize) -> Vec<GuidanceLine> {
        let entry = |number| GuidanceLine {
            name: format!("crate{number}"),
            version: "1.0.0".to_owned(),
            digest: "x".repeat(40),
            skill: format!("skill{number}"),
        };
        (0..count).map(entry).collect()
    }

    #[test]
    fn digests_give_way_to_names_and_names_to_a_count() {
        let all = entries(3);
        let digest = "x".repeat(40);
        let rendered = |budget| render(&all, budget, &|skill| skill != "skill1").unwrap_or_default();
        let first = format!("- crate0 1.0.0: {digest} (skill skill0)\n");
        let second = format!("- crate1 1.0.0: {digest}\n");
        let third = format!("- crate2 1.0.0: {digest} (skill skill2)\n");
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
}
