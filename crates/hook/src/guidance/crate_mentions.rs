//! Finds the crates that Rust text names: by `use`, `extern crate`, or a path that begins with the crate.

use super::rust_tokens::{RustToken, TokenReader};

/// Returns which of `names` the text names, in the order of the text, as positions in `names`.
///
/// A name that the file declares as a module, or that a `use` of the file takes from elsewhere, counts only where a path
/// begins with `::`. Comments and literals name nothing.
pub(crate) fn find_mentions(text: &[u8], names: &[&str]) -> Vec<usize> {
    let mut finder = MentionFinder::new(text, names);
    finder.run();
    finder.in_text_order()
}

/// Returns the position of the crate from which a `use` of the text brings in a name.
pub(super) fn find_import(text: &[u8], name: &[u8], crates: &[&str]) -> Option<usize> {
    let mut reader = TokenReader::new(text);
    let mut head = None;
    let mut is_use = false;
    while let Some(token) = reader.next_token() {
        match token {
            RustToken::Name(b"use") => (is_use, head) = (true, None),
            RustToken::Mark(b';') => is_use = false,
            RustToken::Name(found) if is_use => {
                let first = *head.get_or_insert(found);
                if found == name && first != found {
                    return crates.iter().position(|known| known.as_bytes() == first);
                }
            }
            _ => {}
        }
    }
    None
}

/// The occurrences of one of the names.
#[derive(Debug, Clone, Copy, Default)]
struct NameMention {
    first: Option<usize>,
    is_global: bool,
    is_shadowed: bool,
}

struct MentionFinder<'t, 'n> {
    reader: TokenReader<'t>,
    names: &'n [&'n str],
    /// For each first byte of a name the lengths of such names, as bits: most tokens need no comparison.
    lengths: [u64; 256],
    uses: Vec<NameMention>,
}

impl<'t, 'n> MentionFinder<'t, 'n> {
    fn new(text: &'t [u8], names: &'n [&'n str]) -> Self {
        let mut lengths = [0; 256];
        for name in names {
            if let Some(bits) = name.bytes().next().and_then(|first| lengths.get_mut(usize::from(first))) {
                *bits |= length_bit(name.len());
            }
        }
        Self { reader: TokenReader::new(text), names, lengths, uses: vec![NameMention::default(); names.len()] }
    }

    fn run(&mut self) {
        let (mut before, mut last) = (None, None);
        while let Some(token) = self.reader.next_token() {
            if let RustToken::Name(name) = token
                && let Some(head) = PathHead::find(before, last)
            {
                match name {
                    b"use" => self.read_use(),
                    b"extern" => self.read_extern(),
                    b"mod" => self.read_module(),
                    _ => self.read_path(name, head),
                }
            }
            (before, last) = (last, Some(token));
        }
    }

    fn read_path(&mut self, name: &[u8], head: PathHead) {
        let Some(index) = self.index_of(name) else { return };
        let at = self.reader.position();
        if let (Some(RustToken::PathSeparator), Some(RustToken::Name(_))) = self.reader.peek_two() {
            self.mention(index, at, head);
        }
    }

    fn read_module(&mut self) {
        if let Some(RustToken::Name(name)) = self.reader.peek()
            && let Some(index) = self.index_of(name)
        {
            self.shadow(index);
        }
    }

    fn read_extern(&mut self) {
        if let (Some(RustToken::Name(b"crate")), Some(RustToken::Name(name))) = self.reader.peek_two()
            && let Some(index) = self.index_of(name)
        {
            self.mention(index, self.reader.position(), PathHead::Global);
        }
    }

    /// Reads the tree of a `use` up to its semicolon.
    fn read_use(&mut self) {
        let mut tree = UseTree::default();
        // `impl Trait + use<'a>` imports nothing.
        if self.reader.peek() == Some(RustToken::Mark(b'<')) {
            return;
        }
        while let Some(token) = self.reader.next_token() {
            match token {
                RustToken::Name(b"as") => {
                    let alias = self.reader.next_token();
                    tree.leaf = match alias {
                        Some(RustToken::Name(name)) => Some(name),
                        _ => None,
                    };
                    tree.is_renamed = true;
                }
                RustToken::Name(name) => self.read_segment(name, &mut tree),
                RustToken::PathSeparator if tree.leaf.is_none() && !tree.has_prefix() => tree.is_global = true,
                RustToken::PathSeparator => tree.enter_segment(),
                RustToken::Mark(b'{') => tree.open(),
                RustToken::Mark(b',') => {
                    self.import(&tree);
                    tree.next_item();
                }
                RustToken::Mark(b'}') => {
                    self.import(&tree);
                    if !tree.close() {
                        return;
                    }
                }
                RustToken::Mark(b';') => {
                    self.import(&tree);
                    return;
                }
                // A glob, or a variable of a macro: the names behind it are unknown.
                RustToken::Mark(_) | RustToken::Literal | RustToken::Range => tree.leaf = None,
            }
        }
    }

    fn read_segment(&mut self, name: &'t [u8], tree: &mut UseTree<'t>) {
        if tree.is_at_head()
            && let Some(index) = self.index_of(name)
        {
            let head = if tree.is_global { PathHead::Global } else { PathHead::Relative };
            self.mention(index, self.reader.position(), head);
        }
        tree.leaf = Some(name);
    }

    /// Notes the name that one item of a `use` brings in, unless it is a crate under its own name.
    fn import(&mut self, tree: &UseTree<'t>) {
        let Some(name) = tree.imported_name() else { return };
        if let Some(index) = self.index_of(name) {
            self.shadow(index);
        }
    }

    fn mention(&mut self, index: usize, at: usize, head: PathHead) {
        if let Some(name) = self.uses.get_mut(index) {
            name.first.get_or_insert(at);
            name.is_global |= head == PathHead::Global;
        }
    }

    fn shadow(&mut self, index: usize) {
        if let Some(name) = self.uses.get_mut(index) {
            name.is_shadowed = true;
        }
    }

    fn index_of(&self, name: &[u8]) -> Option<usize> {
        let bits = self.lengths.get(usize::from(*name.first()?))?;
        (bits & length_bit(name.len()) != 0).then(|| self.names.iter().position(|known| known.as_bytes() == name))?
    }

    fn in_text_order(self) -> Vec<usize> {
        let counted = self.uses.iter().enumerate().filter(|(_, name)| name.is_global || !name.is_shadowed);
        let mut found: Vec<(usize, usize)> = counted.filter_map(|(index, name)| Some((name.first?, index))).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, index)| index).collect()
    }
}

/// The first segment of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PathHead {
    Relative,
    /// Behind a leading `::`, which only a crate can follow.
    Global,
}

impl PathHead {
    /// Tells from the two tokens before a name whether a path begins with it.
    fn find(before: Option<RustToken<'_>>, last: Option<RustToken<'_>>) -> Option<Self> {
        match last {
            // A field, a variable of a macro, or a value put into quoted code.
            Some(RustToken::Mark(b'.' | b'$' | b'#')) => None,
            Some(RustToken::PathSeparator) => match before {
                Some(RustToken::Name(name)) => KEYWORDS_BEFORE_PATHS.contains(&name).then_some(Self::Global),
                Some(RustToken::Literal | RustToken::Mark(b'>' | b')')) => None,
                _ => Some(Self::Global),
            },
            _ => Some(Self::Relative),
        }
    }
}

/// Keywords that a path with a leading `::` may follow; behind any other name `::` continues a path.
const KEYWORDS_BEFORE_PATHS: [&[u8]; 16] = [
    b"as", b"break", b"dyn", b"else", b"for", b"if", b"impl", b"in", b"let", b"match", b"move", b"mut", b"return",
    b"unsafe", b"where", b"while",
];

/// Groups nested deeper than this are read without their names.
const MAX_DEPTH: usize = 16;

/// The position in the tree of a `use`.
#[derive(Debug, Default)]
struct UseTree<'t> {
    /// The path before each open group.
    prefixes: [Option<UsePrefix<'t>>; MAX_DEPTH],
    depth: usize,
    /// The last name of the item that is read.
    leaf: Option<&'t [u8]>,
    /// The path before `leaf`, within the innermost group.
    parent: Option<UsePrefix<'t>>,
    is_global: bool,
    is_renamed: bool,
}

/// The end of a path in front of a name or a group.
#[derive(Debug, Clone, Copy)]
struct UsePrefix<'t> {
    name: &'t [u8],
    /// No other segment comes before it.
    is_first: bool,
}

impl<'t> UseTree<'t> {
    fn has_prefix(&self) -> bool {
        self.parent.is_some() || self.prefixes.iter().take(self.depth).any(Option::is_some)
    }

    fn is_at_head(&self) -> bool {
        self.leaf.is_none() && !self.has_prefix()
    }

    fn enter_segment(&mut self) {
        let is_first = !self.has_prefix();
        self.parent = self.leaf.take().map(|name| UsePrefix { name, is_first }).or(self.parent);
    }

    fn open(&mut self) {
        if let Some(prefix) = self.prefixes.get_mut(self.depth) {
            *prefix = self.parent;
        }
        self.depth += 1;
        self.start_item();
    }

    /// Leaves a group; false if none was open.
    fn close(&mut self) -> bool {
        let Some(depth) = self.depth.checked_sub(1) else { return false };
        self.depth = depth;
        self.start_item();
        true
    }

    fn next_item(&mut self) {
        self.start_item();
    }

    fn start_item(&mut self) {
        (self.leaf, self.parent, self.is_renamed) = (None, None, false);
        self.is_global &= self.depth > 0;
    }

    /// Returns the name that the item brings in from elsewhere.
    fn imported_name(&self) -> Option<&'t [u8]> {
        let leaf = self.leaf?;
        let group = self.depth.checked_sub(1).and_then(|depth| self.prefixes.get(depth).copied()).flatten();
        if leaf == b"self" && !self.is_renamed {
            // `use serde::{self}` brings in the crate itself.
            return group.filter(|prefix| !prefix.is_first).map(|prefix| prefix.name);
        }
        (self.is_renamed || self.parent.is_some() || group.is_some()).then_some(leaf)
    }
}

fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

#[cfg(test)]
#[path = "crate_mentions_tests.rs"]
mod tests;
