//! Uses of names in Rust text: where a file still says what a crate no longer has.

use std::collections::{HashMap, HashSet};

use crate::changes::ApiChange;
use crate::file_imports::{FileImports, NameOrigin};
use crate::index::ItemKind;
use crate::text_tokens::{TextToken, is_name, split_tokens};

/// A place where a name is used.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameUse {
    /// The path of the item, without the crate.
    pub path: String,
    /// Line number, from 1.
    pub line: usize,
}

/// Finds uses of changed items of a crate in the text of a file. Comments and strings do not count, and a file that
/// never names the crate has none. `crate_name` is the name that code uses.
pub fn find_uses(text: &str, crate_name: &str, changes: &[&ApiChange]) -> Vec<NameUse> {
    let tokens = split_tokens(text);
    if !(0..tokens.len()).any(|at| names_crate(&tokens, at, crate_name)) {
        return Vec::new();
    }
    let file = FileTokens { imports: FileImports::read(&tokens, crate_name), tokens };
    let mut wanted: HashMap<&str, Vec<&ApiChange>> = HashMap::new();
    for change in changes {
        let name = change.path.rsplit("::").next().unwrap_or_default();
        wanted.entry(name).or_default().push(change);
    }
    let mut uses = HashSet::new();
    for (at, token) in file.tokens.iter().enumerate() {
        for change in wanted.get(token.text).into_iter().flatten() {
            if file.is_use(at, change) {
                uses.insert(NameUse { path: change.path.clone(), line: token.line });
            }
        }
    }
    let mut uses: Vec<NameUse> = uses.into_iter().collect();
    uses.sort_by(|one, other| (one.line, &one.path).cmp(&(other.line, &other.path)));
    uses
}

/// Says whether a crate is named here: at the beginning of a path, or in an import.
fn names_crate(tokens: &[TextToken<'_>], at: usize, crate_name: &str) -> bool {
    let text = |at: Option<usize>| text_at(tokens, at);
    text(Some(at)) == crate_name
        && (text(Some(at + 1)) == ":" && text(Some(at + 2)) == ":"
            || matches!(text(at.checked_sub(1)), "use" | "crate"))
}

/// The tokens of a file, with what its imports bring.
struct FileTokens<'t> {
    tokens: Vec<TextToken<'t>>,
    imports: FileImports<'t>,
}

impl FileTokens<'_> {
    /// Says whether a name stands where one of its kind is used, and can be that of the crate: a method behind a dot or a
    /// path, a field behind a dot.
    fn is_use(&self, at: usize, change: &ApiChange) -> bool {
        let text = |at: Option<usize>| text_at(&self.tokens, at);
        let before = text(at.checked_sub(1));
        let after = text(Some(at + 1));
        let is_behind_dot = before == "." && text(at.checked_sub(2)) != ".";
        // A declaration of the same name is another item.
        if matches!(
            before,
            "fn" | "struct" | "enum" | "trait" | "mod" | "type" | "const" | "static" | "let" | "macro_rules"
        ) {
            return false;
        }
        let fits = match change.kind {
            // A module or a primitive type, as in `str::replace`, has no methods of a crate.
            ItemKind::Method if before == ":" => !text(at.checked_sub(3)).starts_with(char::is_lowercase),
            ItemKind::Method => return is_behind_dot && matches!(after, "(" | ":"),
            ItemKind::Field => return is_behind_dot && after != "(",
            ItemKind::Variant => {
                let mut parts = change.path.rsplit("::");
                let owner = parts.nth(1).unwrap_or_default();
                before == ":" && text(at.checked_sub(3)) == owner
            }
            ItemKind::Macro => after == "!" || before == ":" || self.imports.is_in_use(at),
            ItemKind::Const | ItemKind::Type if change.path.contains("::") => {
                before == ":" || self.imports.is_in_use(at)
            }
            _ => before != ".",
        };
        fits && self.is_of_crate(at, change)
    }

    /// Says whether the path that a name ends may lead into the crate, by its head and by what is imported.
    fn is_of_crate(&self, at: usize, change: &ApiChange) -> bool {
        if let Some(origin) = self.imports.in_use.get(&at) {
            return *origin == NameOrigin::Crate;
        }
        let head_at = self.find_head(at);
        let head = text_at(&self.tokens, Some(head_at));
        match self.imports.origin(head) {
            Some(origin) => origin == NameOrigin::Crate,
            None if head_at == at => true,
            // `<R as Trait>::name`, or a type that a glob may bring.
            None if !head.starts_with(char::is_lowercase) => true,
            // A module that a glob brings.
            None => self.imports.has_glob && change.path.split("::").any(|part| part == head),
        }
    }

    /// Finds the first name of the path that a name ends.
    fn find_head(&self, at: usize) -> usize {
        let text = |at: Option<usize>| text_at(&self.tokens, at);
        let mut at = at;
        while text(at.checked_sub(1)) == ":" && text(at.checked_sub(2)) == ":" {
            let Some(owner) = at.checked_sub(3).filter(|owner| is_name(text(Some(*owner)))) else {
                // A leading `::`, or arguments of a type.
                return if matches!(text(at.checked_sub(3)), ">") { at.saturating_sub(3) } else { at };
            };
            at = owner;
        }
        at
    }
}

fn text_at<'t>(tokens: &[TextToken<'t>], at: Option<usize>) -> &'t str {
    at.and_then(|at| tokens.get(at)).map(|token| token.text).unwrap_or_default()
}

#[cfg(test)]
#[path = "uses_tests.rs"]
mod tests;
