//! Shows a finding with the line it is about, the way the compiler does.

use annotate_snippets::{AnnotationKind, Element, Level, Renderer, Snippet};
use symposium_model::diagnostic::{Diagnostic, Location, Severity};
use symposium_model::scan;

use super::palette;

/// The compiler's way, in our colours.
const RENDERER: Renderer = Renderer::styled()
    .error(palette::ERROR)
    .warning(palette::WARNING)
    .help(palette::HINT)
    .line_num(palette::DIM)
    .context(palette::DIM);

/// The finding as styled text.
pub(crate) fn render(finding: &Diagnostic) -> String {
    let message = scan::one_line(&finding.message);
    let path = scan::one_line(&finding.path);
    let help = finding.help.as_deref().map(scan::one_line);
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    // A finding without a place still names its file.
    let title = match &finding.location {
        Some(_) => message.into_owned(),
        None => format!("{path}: {message}"),
    };
    let excerpt = finding.location.as_ref().map(clean_excerpt);
    let mut group = level.primary_title(title.as_str()).elements(std::iter::empty::<Element<'_>>());
    if let (Some((text, marked)), Some(location)) = (&excerpt, &finding.location) {
        let annotation = AnnotationKind::Primary.span(marked.clone());
        let snippet = Snippet::source(text.as_str()).path(path.as_ref()).line_start(location.line);
        group = group.element(snippet.annotation(annotation));
    }
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(help.as_ref()));
    }
    format!("{}\n", RENDERER.render(&[group]))
}

/// Cleans the line piece by piece, so that the mark stays where it belongs.
fn clean_excerpt(location: &Location) -> (String, std::ops::Range<usize>) {
    let piece = |range: std::ops::Range<usize>| scan::one_line(location.excerpt.get(range).unwrap_or_default());
    let before = piece(0..location.marked.start);
    let marked = piece(location.marked.clone());
    let after = piece(location.marked.end..location.excerpt.len());
    let start = before.len();
    let end = start + marked.len();
    (format!("{before}{marked}{after}"), start..end)
}
