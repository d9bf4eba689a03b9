//! Shows a finding with the line it is about, the way the compiler does.

use annotate_snippets::{AnnotationKind, Element, Level, Renderer, Snippet};
use symposium_model::diagnostic::{Diagnostic, Severity, TextLocation};
use symposium_model::scan;

use super::palette;
use super::text::begin_lower;

/// The compiler's way, in our colours.
const RENDERER: Renderer = Renderer::styled()
    .error(palette::ERROR)
    .warning(palette::WARNING)
    .help(palette::HELP)
    .line_num(palette::DIM)
    .context(palette::DIM);

pub(crate) fn render(finding: &Diagnostic) -> String {
    let message = scan::one_line(&finding.message);
    let message = begin_lower(&message);
    let path = scan::one_line(&finding.path);
    let help = finding.help.as_deref().map(scan::one_line);
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let Some(location) = &finding.location else {
        // It still names its file; an excerpt of nothing would only be an empty gutter.
        let title = format!("{path}: {message}");
        let group = level.primary_title(title.as_str()).elements(std::iter::empty::<Element<'_>>());
        let style = palette::HELP;
        let help = help.map(|help| format!("{style}help{style:#}: {help}\n")).unwrap_or_default();
        return format!("{}\n{help}", RENDERER.render(&[group]));
    };
    let (text, marked) = clean_excerpt(location);
    let annotation = AnnotationKind::Primary.span(marked);
    let snippet = Snippet::source(text.as_str()).path(path.as_ref()).line_start(location.line);
    let mut group = level.primary_title(message.as_ref()).element(snippet.annotation(annotation));
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(help.as_ref()));
    }
    format!("{}\n", RENDERER.render(&[group]))
}

/// Cleans the line piece by piece, so that the mark stays where it belongs.
fn clean_excerpt(location: &TextLocation) -> (String, std::ops::Range<usize>) {
    let piece = |range: std::ops::Range<usize>| scan::one_line(location.excerpt.get(range).unwrap_or_default());
    let before = piece(0..location.marked.start);
    let marked = piece(location.marked.clone());
    let after = piece(location.marked.end..location.excerpt.len());
    let start = before.len();
    let end = start + marked.len();
    (format!("{before}{marked}{after}"), start..end)
}
