//! The files of a crate, as code.

use proc_macro2::TokenStream;

use super::files::FileCode;
use super::loader::TreeLoader;
use crate::source::SourceContent;
use crate::syntax::depth::check_depth;
use crate::syntax::trim::{SplitText, split_items, trim_bodies};

impl TreeLoader<'_> {
    /// Reads a file. The byte order mark and `#!` line are no code.
    pub(super) fn read_code(&mut self, path: &str) -> Option<FileCode> {
        if self.items > self.limits.items {
            return None;
        }
        if self.tree.files.len() >= self.limits.files || self.bytes >= self.limits.total_bytes {
            self.tree.completeness.add("too many files".to_owned());
            return None;
        }
        let text = match self.files.read(path) {
            SourceContent::Text(text) => text,
            SourceContent::Missing => return None,
            SourceContent::Refused(reason) => {
                self.tree.completeness.add(format!("`{path}`: {reason}"));
                return None;
            }
        };
        self.bytes += text.len();
        if text.len() > self.limits.file_bytes {
            self.tree.completeness.add(format!("`{path}` is too large"));
            return None;
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let text = match text.strip_prefix("#!") {
            // The line stays, so that the following keep their numbers.
            Some(rest) if !rest.trim_start().starts_with('[') => {
                rest.find('\n').and_then(|end| rest.get(end..)).unwrap_or("")
            }
            _ => text,
        };
        self.tree.files.push(path.to_owned());
        let SplitText { pieces, is_cut } = split_items(trim_bodies(text));
        if is_cut {
            self.tree.completeness.add(format!("`{path}` has an item that is too large"));
        }
        Some(FileCode { pieces, file: self.tree.files.len() - 1 })
    }

    /// Reads a piece of a file as tokens.
    pub(super) fn parse_piece(&mut self, text: &str, file: usize) -> Option<TokenStream> {
        let parsed = text.parse::<TokenStream>().map_err(|_| "is not Rust");
        match parsed.and_then(|tokens| check_depth(tokens).ok_or("is nested too deeply")) {
            Ok(tokens) => Some(tokens),
            Err(fault) => {
                let path = self.tree.files.get(file).cloned().unwrap_or_default();
                self.tree.completeness.add(format!("`{path}` {fault}"));
                None
            }
        }
    }
}
