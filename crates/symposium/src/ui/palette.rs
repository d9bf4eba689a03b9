//! The colours of labels: readable on a dark and on a light background, and never needed to understand a text.
//!
//! Terminals choose their eight colours to go with their background, but not the bright ones: bright yellow and bright
//! cyan vanish on white. Many show bold text in the bright colour, so what is yellow or cyan is not bold.

use anstyle::{AnsiColor, Style};

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default();
pub(crate) const HELP: Style = AnsiColor::Cyan.on_default();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// Marks important text, headings and names.
pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_colour_is_bright_or_becomes_so() {
        for style in [ERROR, WARNING, HELP, GOOD, STRONG, DIM] {
            let shown = style.to_string();
            assert!(!shown.contains("[9") && !shown.contains("[10"), "{shown:?}");
        }
        for style in [WARNING, HELP, GOOD] {
            assert!(!style.get_effects().contains(anstyle::Effects::BOLD), "{style:?}");
        }
    }
}
