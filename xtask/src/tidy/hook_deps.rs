//! The hook crate's dependencies are frozen: `crates/hook/deps.txt` lists every crate that it links.

use std::collections::BTreeSet;

use super::violation::Violation;

pub(super) const LIST: &str = "crates/hook/deps.txt";

/// What to ask cargo for the crates that the hook crate links, one on each line.
pub(super) const CARGO_TREE: [&str; 8] =
    ["tree", "-p", "symposium-hook", "-e", "normal", "--prefix", "none", "--target=x86_64-unknown-linux-gnu"];

/// Compares the list with what cargo says.
pub(super) fn check(list: &str, cargo_tree: &str) -> Vec<Violation> {
    let listed: BTreeSet<&str> = list.lines().filter(|line| !line.is_empty()).collect();
    let linked: BTreeSet<&str> = cargo_tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let added: Vec<&str> = linked.difference(&listed).copied().collect();
    let gone: Vec<&str> = listed.difference(&linked).copied().collect();
    let mut violations = Vec::new();
    if !added.is_empty() {
        violations
            .push(report(1, format!("The hook crate links crates that are not in its frozen list: {}", names(&added))));
    }
    if !gone.is_empty() {
        let line = list.lines().position(|line| gone.contains(&line)).map_or(1, |index| index + 1);
        violations
            .push(report(line, format!("The hook crate does not link these of its frozen list: {}", names(&gone))));
    }
    if violations.is_empty() && !list.lines().eq(listed) {
        violations.push(report(1, "The hook crate's frozen list is not sorted, or names a crate twice".to_owned()));
    }
    violations
}

fn names(names: &[&str]) -> String {
    format!("`{}`", names.join("`, `"))
}

/// What is reported when cargo cannot say.
pub(super) fn unknown(why: &str) -> Violation {
    Violation {
        file: LIST.to_owned(),
        line: 1,
        message: format!("Failed to compare the hook crate's frozen list with `cargo tree`: {why}"),
        fix: format!("make `{}` work", command()),
    }
}

fn command() -> String {
    format!("cargo {}", CARGO_TREE.join(" "))
}

fn report(line: usize, message: String) -> Violation {
    let fix = format!(
        "keep the list short, since every crate costs start-up time on every event; \
         if it changes on purpose: `{} | cut -d' ' -f1 | LC_ALL=C sort -u > {LIST}`",
        command()
    );
    Violation { file: LIST.to_owned(), line, message, fix }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_lists(list: &str, tree: &str, expected: &[(usize, &str)]) {
        let violations = check(list, tree);
        let found: Vec<(usize, &str)> = violations.iter().map(|v| (v.line, v.message.as_str())).collect();
        assert_eq!(found, expected, "{list}");
    }

    const TREE: &str = "symposium-hook v0.1.0 (/somewhere)\nserde v1.0.0\nserde_core v1.0.0\nserde v1.0.0 (*)\n";

    #[test]
    fn the_same_names_are_fine() {
        check_lists("serde\nserde_core\nsymposium-hook\n", TREE, &[]);
    }

    #[test]
    fn any_difference_is_not() {
        check_lists(
            "serde\n",
            TREE,
            &[(1, "The hook crate links crates that are not in its frozen list: `serde_core`, `symposium-hook`")],
        );
        check_lists(
            "serde\nserde_core\nsymposium-hook\ntoml\nwinnow\n",
            TREE,
            &[(4, "The hook crate does not link these of its frozen list: `toml`, `winnow`")],
        );
        for unsorted in ["serde_core\nserde\nsymposium-hook\n", "serde\nserde\nserde_core\nsymposium-hook\n"] {
            let message = "The hook crate's frozen list is not sorted, or names a crate twice";
            check_lists(unsorted, TREE, &[(1, message)]);
        }
        assert_eq!(check("", TREE).len(), 1);
    }

    #[test]
    fn the_fix_is_a_command() {
        let fix = &check("", TREE)[0].fix;
        assert!(fix.contains("cargo tree -p symposium-hook") && fix.contains("> crates/hook/deps.txt"), "{fix}");
    }
}
