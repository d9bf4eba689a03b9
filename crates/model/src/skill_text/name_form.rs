//! Names of items, as they are written in backticks.

/// A name of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NameForm {
    /// `rand::rng`, `Uniform::new`: at least two parts.
    Path(Vec<String>),
    /// `.shuffle()`, `rng.random()`.
    Method(String),
    /// `shuffle`, `shuffle()`, `Uniform`.
    Bare(String),
}

impl NameForm {
    /// The last part.
    pub fn name(&self) -> &str {
        match self {
            Self::Path(parts) => parts.last().map(String::as_str).unwrap_or_default(),
            Self::Method(name) | Self::Bare(name) => name,
        }
    }

    /// Reads the names of a path or of a chain of calls; nothing if it is something else. What stands in brackets and
    /// before the first dot of a chain is passed over.
    pub(super) fn parse_chain(code: &str) -> Vec<Self> {
        parse(code).unwrap_or_default()
    }
}

fn parse(code: &str) -> Option<Vec<NameForm>> {
    let mut rest = code.trim().trim_end_matches(['?', ';', '…']);
    let mut names = Vec::new();
    let mut is_first = true;
    loop {
        let is_member = match rest.strip_prefix('.') {
            Some(after) => {
                rest = after;
                true
            }
            None if is_first => false,
            None => return None,
        };
        let (parts, after) = read_path(rest)?;
        let (is_called, after) = skip_call(after)?;
        rest = after.trim_start_matches('?');
        let is_receiver = is_first && !is_member && !is_called && parts.len() == 1 && rest.starts_with('.');
        match (is_member, parts.as_slice()) {
            _ if is_receiver => {}
            (true, ["await"]) => {}
            (true, [name]) if is_called => names.push(NameForm::Method((*name).to_owned())),
            (_, [name]) => names.push(NameForm::Bare((*name).to_owned())),
            (false, parts) => names.push(NameForm::Path(parts.iter().map(|part| (*part).to_owned()).collect())),
            (true, _) => return None,
        }
        is_first = false;
        if rest.is_empty() {
            return Some(names);
        }
    }
}

/// Reads `a::b::<T>::c`, without what stands in angle brackets.
fn read_path(text: &str) -> Option<(Vec<&str>, &str)> {
    let mut rest = text.strip_prefix("::").unwrap_or(text);
    let mut parts = Vec::new();
    loop {
        let width = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let part = rest.get(..width).filter(|part| part.starts_with(|first: char| !first.is_ascii_digit()))?;
        parts.push(part);
        rest = rest.get(width..)?;
        // `Query<T>` in a type, `query::<T>` in an expression.
        let generics = rest.strip_prefix("::").filter(|after| after.starts_with('<')).unwrap_or(rest);
        if generics.starts_with('<') {
            rest = skip_group(generics, '<', '>')?;
        }
        match rest.strip_prefix("::") {
            Some(after) => rest = after,
            None => return Some((parts, rest)),
        }
    }
}

/// Passes over `!` and arguments.
fn skip_call(text: &str) -> Option<(bool, &str)> {
    let rest = text.strip_prefix('!').unwrap_or(text);
    match rest.chars().next() {
        Some('(') => skip_group(rest, '(', ')').map(|rest| (true, rest)),
        Some('[') => skip_group(rest, '[', ']').map(|rest| (true, rest)),
        _ => Some((false, rest)),
    }
}

fn skip_group(text: &str, open: char, close: char) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close && !text.get(..at).is_some_and(|before| before.ends_with('-')) {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return text.get(at + close.len_utf8()..);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(code: &str) -> String {
        let one = |name: &NameForm| match name {
            NameForm::Path(parts) => parts.join("::"),
            NameForm::Method(name) => format!(".{name}"),
            NameForm::Bare(name) => name.clone(),
        };
        NameForm::parse_chain(code).iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_are_told_from_other_code() {
        for (code, expected) in [
            ("rand::rng()", "rand::rng"),
            ("Uniform::new(a, b)", "Uniform::new"),
            (".shuffle()", ".shuffle"),
            ("rng.random_range(0..=3)", ".random_range"),
            ("Utc.ymd(y, m, d).and_hms(…)", ".ymd .and_hms"),
            ("DateTime::<Utc>::from_utc(naive, Utc)", "DateTime::from_utc"),
            ("res.into_json::<T>()?", ".into_json"),
            ("res.body_mut().read_to_string()?", ".body_mut .read_to_string"),
            ("rand::make_rng::<StdRng>()", "rand::make_rng"),
            ("attr.path", "path"),
            ("set.next().await", ".next"),
            ("Rng", "Rng"),
            ("izip!", "izip"),
            ("ureq::json!", "ureq::json"),
            ("Option<Query<T>>", "Option"),
            ("Box<dyn Fn() -> u8>", "Box"),
            ("Cargo.toml", "toml"),
            ("cargo add rand", ""),
            ("#[serde(default)]", ""),
            ("/:id", ""),
            ("gen*", ""),
            ("0.9", ""),
            ("x += 1", ""),
            ("rand::distr::{A, B}", ""),
            ("Agent::config_builder()…build()", ""),
            ("(", ""),
            ("a(", ""),
            ("", ""),
            ("::", ""),
            (".", ""),
        ] {
            assert_eq!(shown(code), expected, "{code}");
        }
    }
}
