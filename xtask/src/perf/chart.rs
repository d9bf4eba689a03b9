//! A bar chart as SVG, for the book.

#[derive(Debug, Clone)]
pub(super) struct Bar {
    pub(super) label: String,
    pub(super) value: f64,
}

const WIDTH: f64 = 720.0;
const LEFT: f64 = 300.0;
/// Room for the number behind the longest bar.
const RIGHT: f64 = 60.0;
const ROW: f64 = 26.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 28.0;
/// Readable on light and on dark pages.
const STYLE: &str = "<style>
.page { fill: #ffffff }
text { fill: #24292f }
.bar { fill: #3b6ea5 }
.limit { fill: #b03030 }
line { stroke: #b03030 }
@media (prefers-color-scheme: dark) {
  .page { fill: #161b22 }
  text { fill: #e6edf3 }
  .bar { fill: #5b8fc7 }
  .limit { fill: #ff7b72 }
  line { stroke: #ff7b72 }
}
</style>";

/// Draws bars from the top down, with a line where the limit is.
pub(super) fn draw(title: &str, bars: &[Bar], limit: f64) -> String {
    let longest = bars.iter().map(|bar| bar.value).fold(limit, f64::max);
    let scale = (WIDTH - LEFT - RIGHT) / longest.max(f64::MIN_POSITIVE);
    let rows = bars.iter().map(|_| ROW).sum::<f64>();
    let height = TOP + rows + BOTTOM;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<title>{0}</title>\n{STYLE}\n\
         <rect class=\"page\" width=\"{WIDTH:.0}\" height=\"{height:.0}\" rx=\"8\"/>\n\
         <text x=\"10\" y=\"22\" font-weight=\"bold\">{0}</text>\n",
        escaped(title)
    );
    let mut y = TOP;
    for bar in bars {
        let length = bar.value * scale;
        let (middle, end) = (y + 17.0, LEFT + length + 6.0);
        svg += &format!(
            "<text x=\"{:.0}\" y=\"{middle:.0}\" text-anchor=\"end\">{}</text>\n\
             <rect class=\"bar\" x=\"{LEFT:.0}\" y=\"{:.0}\" width=\"{length:.1}\" height=\"18\"/>\n\
             <text x=\"{end:.1}\" y=\"{middle:.0}\">{:.1}</text>\n",
            LEFT - 8.0,
            escaped(&bar.label),
            y + 4.0,
            bar.value
        );
        y += ROW;
    }
    let at = LEFT + limit * scale;
    // Left of its line: there is always room, wherever the limit is.
    svg += &format!(
        "<line x1=\"{at:.1}\" y1=\"{:.0}\" x2=\"{at:.1}\" y2=\"{y:.0}\" stroke-dasharray=\"4 3\"/>\n\
         <text x=\"{at:.1}\" y=\"{:.0}\" text-anchor=\"end\" class=\"limit\">budget of the commands: {limit}</text>\n</svg>\n",
        TOP - 4.0,
        y + 18.0
    );
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_drawn_to_scale() {
        let bar = |label: &str, value| Bar { label: label.to_owned(), value };
        let svg = draw("a < b", &[bar("one", 1.0), bar("ten & more", 20.0)], 10.0);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("<title>a &lt; b</title>") && svg.contains("ten &amp; more"));
        // The longest takes all the room there is, the other a twentieth of it; the limit is in the middle.
        assert!(
            svg.contains("width=\"360.0\"") && svg.contains("width=\"18.0\"") && svg.contains("x1=\"480.0\""),
            "{svg}"
        );
    }
}
