//! Files that plugin authors and users write.

use symposium_model::config::{self, Scope};
use symposium_model::diagnostic::Diagnostic;
use symposium_model::scan::{ScanSeverity, clean, scan};
use symposium_model::source_view::{
    LineRange, ProseFormat, SearchPattern, SourceCursor, code_blocks, excerpt, shortened,
};
use symposium_model::{manifest, skill};

use super::text;

fn are_showable(diagnostics: &[Diagnostic]) {
    for found in diagnostics {
        assert!(!found.message.is_empty());
        if let Some(location) = &found.location {
            assert!(location.line > 0 && location.column > 0);
            assert!(location.excerpt.get(location.marked.clone()).is_some(), "{found}");
        }
    }
}

pub(super) fn frontmatter(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let parsed = skill::parse("SKILL.md", "dir", text);
    are_showable(&parsed.diagnostics);
    are_showable(&skill::check("SKILL.md", "dir", text));
    let Some(document) = parsed.document else {
        assert!(!parsed.diagnostics.is_empty(), "skipped without a word: {text:?}");
        return;
    };
    let _ = document.scan(text);
    let installed = skill::installed_text(&document, document.body_of(text), &document.name);
    let again = skill::parse("SKILL.md", "dir", &installed).document.expect("what we install can be read");
    assert_eq!(skill::installed_text(&again, again.body_of(&installed), &again.name), installed);
    assert_eq!(again.body_of(&installed), document.body_of(text));
}

pub(super) fn manifest(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let parsed = manifest::parse("SYMPOSIUM.toml", text, "dir");
    are_showable(&parsed.diagnostics);
    assert!(parsed.plugin.is_some() || !parsed.diagnostics.is_empty(), "refused without a word: {text:?}");
}

pub(super) fn config(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    for scope in [Scope::User, Scope::Project] {
        are_showable(&config::parse("config.toml", text, scope).diagnostics);
    }
}

pub(super) fn scanned(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    for finding in scan(text) {
        assert!(text.get(finding.span).is_some());
    }
    let cleaned = clean(text);
    assert!(scan(&cleaned).iter().all(|finding| finding.severity != ScanSeverity::Blocking));
    assert_eq!(clean(&cleaned), cleaned);
}

pub(super) fn reading(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    for prose in [ProseFormat::Markdown, ProseFormat::Rust] {
        let _ = code_blocks(text, prose);
    }
    let _ = shortened(text);
    let cursor = SourceCursor::parse(text);
    let _ = (cursor.to_string(), cursor.resume(["a", "b"].into_iter()));
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if let Ok(range) = LineRange::parse(first) {
        let shown = excerpt(rest, range, 50, 2_000);
        let _ = shown.bounds();
    }
    if let Ok(pattern) = SearchPattern::compile(first) {
        let _ = pattern.is_in(rest, &|| true);
    }
}
