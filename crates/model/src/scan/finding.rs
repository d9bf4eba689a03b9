//! The findings of a scan: something in a text that deceives its reader, and its consequence.

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScanSeverity {
    /// The text is not used unless the user allows it.
    Blocking,
    /// The text is used, and the finding is shown.
    Notice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// Tag characters, an invisible copy of ASCII, outside the three flags that are made of them.
    TagCharacter,
    BidiControl,
    ZeroWidth,
    /// A byte order mark that is not at the start.
    ByteOrderMark,
    /// A control character other than tab, newline, and carriage return before a newline.
    Control,
    Joiner,
    /// A variation selector after something that has no variants.
    VariationSelector,
    /// Text that a rendered page does not show and that reads like an instruction.
    HiddenInstruction,
    PipeToShell,
}

impl FindingKind {
    pub fn severity(self) -> ScanSeverity {
        match self {
            Self::TagCharacter
            | Self::BidiControl
            | Self::ZeroWidth
            | Self::ByteOrderMark
            | Self::Control
            | Self::Joiner
            | Self::VariationSelector => ScanSeverity::Blocking,
            Self::HiddenInstruction | Self::PipeToShell => ScanSeverity::Notice,
        }
    }

    /// Returns the kind in words, to be read after "Found".
    pub fn describe(self) -> &'static str {
        match self {
            Self::TagCharacter => "invisible tag characters",
            Self::BidiControl => "characters that reverse the direction of text",
            Self::ZeroWidth => "zero-width characters",
            Self::ByteOrderMark => "a byte order mark inside the text",
            Self::Control => "control characters",
            Self::Joiner => "joiners outside letters and emoji",
            Self::VariationSelector => "variation selectors without a base character",
            Self::HiddenInstruction => "a hidden passage that reads like an instruction",
            Self::PipeToShell => "a download piped into an interpreter",
        }
    }

    /// Returns what the author of the text can do about it.
    pub fn advice(self) -> &'static str {
        match self {
            Self::PipeToShell => {
                "name a package, or let the user install it: what is downloaded can change at any time"
            }
            Self::HiddenInstruction => "write the instruction as visible text",
            Self::TagCharacter
            | Self::BidiControl
            | Self::ZeroWidth
            | Self::ByteOrderMark
            | Self::Control
            | Self::Joiner
            | Self::VariationSelector => "remove them",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanFinding {
    pub kind: FindingKind,
    /// The bytes in the text; neighbouring characters of one kind are one finding.
    pub span: Range<usize>,
    pub severity: ScanSeverity,
}

impl ScanFinding {
    pub(super) fn new(kind: FindingKind, span: Range<usize>) -> Self {
        Self { kind, span, severity: kind.severity() }
    }
}
