//! Every link of the book and of the other pages leads to a page and a heading that exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{pages, repository};

/// The links of a page that do not leave the repository: line, target.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        fenced ^= line.trim_start().starts_with("```");
        if fenced {
            continue;
        }
        // What stands in backticks is no link.
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for part in prose.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default().trim_matches(['<', '>']);
            if !target.contains("://") && !target.starts_with("mailto:") {
                found.push((index + 1, target.to_owned()));
            }
        }
    }
    found
}

/// The anchors mdBook and GitHub give to headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let title = line.trim_start_matches('#');
        if fenced || title == line || !title.starts_with(' ') {
            continue;
        }
        let kept = title.trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let mut numbered = anchor.clone();
        let mut number = 1;
        while !found.insert(numbered.clone()) {
            numbered = format!("{anchor}-{number}");
            number += 1;
        }
    }
    found
}

fn faults_of(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap();
    let shown = page.strip_prefix(repository()).unwrap_or(page).display().to_string();
    let mut faults = Vec::new();
    for (line, target) in links(&text) {
        let (file, anchor) =
            target.split_once('#').map_or((target.as_str(), None), |(file, anchor)| (file, Some(anchor)));
        let aim = if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
        if !aim.exists() {
            faults.push(format!("{shown}:{line}: `{target}` does not exist"));
        } else if let Some(anchor) = anchor
            && !anchors(&std::fs::read_to_string(&aim).unwrap_or_default()).contains(anchor)
        {
            faults.push(format!("{shown}:{line}: there is no heading for `{target}`"));
        }
    }
    faults
}

#[test]
fn every_link_leads_somewhere() {
    let mut all: Vec<PathBuf> = pages();
    for page in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "recommendations/README.md",
        "integrations/claude-code-plugin/README.md",
        "schemas/README.md",
    ] {
        all.push(repository().join(page));
    }
    let faults: Vec<String> = all.iter().flat_map(|page| faults_of(page)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_page_is_in_the_summary_once() {
    let summary = std::fs::read_to_string(repository().join("book/src/SUMMARY.md")).unwrap();
    let mut listed: Vec<String> = links(&summary).into_iter().map(|(_, target)| target).collect();
    listed.sort();
    let names = pages().into_iter().map(|page| page.file_name().unwrap().to_string_lossy().into_owned());
    let mut there: Vec<String> = names.filter(|name| name != "SUMMARY.md").collect();
    there.sort();
    assert_eq!(listed, there);
}

#[test]
fn a_page_has_the_title_the_summary_gives_it() {
    let book = repository().join("book/src");
    let summary = std::fs::read_to_string(book.join("SUMMARY.md")).unwrap();
    for entry in summary.split('[').skip(1) {
        let (title, rest) = entry.split_once("](").unwrap();
        let page = rest.split(')').next().unwrap();
        let text = std::fs::read_to_string(book.join(page)).unwrap();
        assert_eq!(text.lines().next().and_then(|line| line.strip_prefix("# ")), Some(title), "book/src/{page}");
    }
}

#[test]
fn pages_of_the_book_do_not_lead_out_of_it() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let out: Vec<_> = links(&text).into_iter().filter(|(_, target)| target.starts_with("..")).collect();
        assert!(out.is_empty(), "{}: {out:?}", page.display());
    }
}

#[test]
fn links_and_headings_are_found() {
    let text = "# The `hook list` of A\n[a](b.md#c) and `[x](y)` and [d](https://e)\n```\n[f](g)\n# no\n```\n## The end\n## The end\n";
    assert_eq!(links(text), [(2, "b.md#c".to_owned())]);
    let expected = ["the-end", "the-end-1", "the-hook-list-of-a"].map(str::to_owned);
    assert_eq!(anchors(text), expected.into());
}
