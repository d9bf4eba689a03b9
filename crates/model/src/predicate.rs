//! Predicates: conditions such as `path_exists(rustfmt.toml)`, `not(env(CI))`, `any(…)`.

use std::fmt;

use crate::crates::{AtomError, CrateAtom};
use crate::suggest::advice;

/// Deeper nesting is a mistake or an attack.
const MAX_DEPTH: usize = 16;

/// One condition of a `predicates` list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Predicate {
    /// `depends-on(atom)`; `crate(atom)` is its older spelling.
    DependsOn(CrateAtom),
    /// `path_exists(x)`: with a separator, a path of the workspace; without, also a program on `PATH`.
    PathExists(String),
    /// `env(NAME)` or `env(NAME=VALUE)`.
    Env {
        name: String,
        /// The required value; `None` for any.
        value: Option<String>,
    },
    /// `workspace-member()`: the plugin is defined by a member of this workspace.
    WorkspaceMember,
    /// `not(p)`.
    Not(Box<Predicate>),
    /// `any(p, …)`.
    Any(Vec<Predicate>),
    /// `all(p, …)`.
    All(Vec<Predicate>),
    /// `shell(…)` and custom predicates: parsed, but never true, since evaluating them would run code.
    Unsupported { name: String, argument: String },
}

const FUNCTIONS: [&str; 7] = ["depends-on", "path_exists", "env", "workspace-member", "not", "any", "all"];

pub type PredicateError = AtomError;

impl Predicate {
    pub fn parse(text: &str) -> Result<Self, PredicateError> {
        parse_at(text, 0, MAX_DEPTH)
    }

    /// Returns a predicate that never holds.
    pub fn never() -> Self {
        Self::Any(Vec::new())
    }

    /// Returns the name of an unsupported predicate in this one, if any.
    pub fn unsupported(&self) -> Option<&str> {
        match self {
            Self::Unsupported { name, .. } => Some(name),
            Self::Not(inner) => inner.unsupported(),
            Self::Any(list) | Self::All(list) => list.iter().find_map(Self::unsupported),
            Self::DependsOn(_) | Self::PathExists(_) | Self::Env { .. } | Self::WorkspaceMember => None,
        }
    }

    pub fn walk<'p>(&'p self, visit: &mut impl FnMut(&'p Self)) {
        visit(self);
        match self {
            Self::Not(inner) => inner.walk(visit),
            Self::Any(list) | Self::All(list) => list.iter().for_each(|inner| inner.walk(visit)),
            Self::DependsOn(_)
            | Self::PathExists(_)
            | Self::Env { .. }
            | Self::WorkspaceMember
            | Self::Unsupported { .. } => {}
        }
    }
}

fn parse_at(text: &str, offset: usize, depth: usize) -> Result<Predicate, PredicateError> {
    let trimmed = text.trim();
    let start = offset + (text.len() - text.trim_start().len());
    let fault = |message: String, help: &str| PredicateError {
        message,
        help: help.to_owned(),
        span: start..start + trimmed.len(),
    };
    if depth == 0 {
        return Err(fault(
            "The predicate is nested too deeply".to_owned(),
            "split it into several entries of the list",
        ));
    }
    let call = trimmed.split_once('(').and_then(|(name, rest)| Some((name.trim(), rest.strip_suffix(')')?)));
    let Some((name, argument)) = call else {
        let help = "write it as a call, such as `path_exists(build.rs)` or `not(env(CI))`";
        return Err(fault(format!("`{trimmed}` is not a predicate"), help));
    };
    let argument_start = start + trimmed.find('(').map_or(0, |at| at + 1);
    if !is_balanced(argument) {
        return Err(fault(format!("The parentheses of `{trimmed}` do not match"), "close every `(` with a `)`"));
    }
    let inner = |text: &str, at: usize| parse_at(text, at, depth - 1);
    let value = argument.trim();
    match name {
        "depends-on" | "depends_on" | "crate" => {
            let atom = CrateAtom::parse(argument).map_err(|error| PredicateError {
                span: error.span.start + argument_start..error.span.end + argument_start,
                ..error
            })?;
            Ok(Predicate::DependsOn(atom))
        }
        "path_exists" | "path-exists" if value.is_empty() => {
            Err(fault("`path_exists()` needs a path".to_owned(), "write `path_exists(build.rs)`"))
        }
        "path_exists" | "path-exists" => Ok(Predicate::PathExists(value.to_owned())),
        "env" => {
            let (name, value) = match value.split_once('=') {
                Some((name, value)) => (name.trim(), Some(value.to_owned())),
                None => (value, None),
            };
            if name.is_empty() {
                return Err(fault("`env()` needs a variable".to_owned(), "write `env(CI)` or `env(MODE=fast)`"));
            }
            Ok(Predicate::Env { name: name.to_owned(), value })
        }
        "workspace-member" | "workspace_member" if value.is_empty() => Ok(Predicate::WorkspaceMember),
        "workspace-member" | "workspace_member" => {
            Err(fault("`workspace-member()` takes no arguments".to_owned(), "leave the parentheses empty"))
        }
        "not" => Ok(Predicate::Not(Box::new(inner(argument, argument_start)?))),
        "any" | "all" => {
            let mut list = Vec::new();
            for (at, part) in split_top_level(argument) {
                if !part.trim().is_empty() {
                    list.push(inner(part, argument_start + at)?);
                }
            }
            if list.is_empty() {
                return Err(fault(format!("`{name}()` is empty"), "put predicates between the parentheses"));
            }
            Ok(if name == "any" { Predicate::Any(list) } else { Predicate::All(list) })
        }
        _ if is_function_name(name) => Ok(Predicate::Unsupported { name: name.to_owned(), argument: value.to_owned() }),
        _ => Err(fault(format!("`{name}` is not a predicate"), &format!("known: {}", FUNCTIONS.join(", ")))),
    }
}

pub fn unsupported_message(name: &str) -> String {
    format!("`{name}(…)` is not supported, so this condition never holds")
}

/// Returns advice about an unsupported function, which may be a typing error.
pub fn unsupported_help(name: &str) -> String {
    advice(name, &FUNCTIONS, || "Symposium runs no programs for conditions; use `path_exists` or `env`".to_owned())
}

/// Splits at commas outside parentheses; returns each part with its offset.
pub fn split_top_level(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push((start, text.get(start..at).unwrap_or_default()));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push((start, text.get(start..).unwrap_or_default()));
    parts
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

fn is_function_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, name: &str, inner: &[Predicate]| {
            write!(f, "{name}(")?;
            for (index, predicate) in inner.iter().enumerate() {
                write!(f, "{}{predicate}", if index > 0 { ", " } else { "" })?;
            }
            f.write_str(")")
        };
        match self {
            Self::DependsOn(atom) => write!(f, "depends-on({atom})"),
            Self::PathExists(path) => write!(f, "path_exists({path})"),
            Self::Env { name, value: None } => write!(f, "env({name})"),
            Self::Env { name, value: Some(value) } => write!(f, "env({name}={value})"),
            Self::WorkspaceMember => f.write_str("workspace-member()"),
            Self::Not(inner) => write!(f, "not({inner})"),
            Self::Any(inner) => list(f, "any", inner),
            Self::All(inner) => list(f, "all", inner),
            Self::Unsupported { name, argument } => write!(f, "{name}({argument})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_print_as_they_are_meant() {
        for (written, meant) in [
            ("depends-on(serde >= 1.0)", "depends-on(serde>=1.0)"),
            ("crate(serde)", "depends-on(serde)"),
            ("depends-on(serde>=1.0,<2.0)", "depends-on(serde>=1.0,<2.0)"),
            ("path_exists(.git)", "path_exists(.git)"),
            ("env(CI)", "env(CI)"),
            ("env(KEY=a=b)", "env(KEY=a=b)"),
            ("workspace-member()", "workspace-member()"),
            ("not(any(env(CI), path_exists(.skip)))", "not(any(env(CI), path_exists(.skip)))"),
            (" all( depends-on(serde) , env(X) ) ", "all(depends-on(serde), env(X))"),
            ("shell(echo $(date), x)", "shell(echo $(date), x)"),
            ("battery_pack(cli>=0.3)", "battery_pack(cli>=0.3)"),
        ] {
            assert_eq!(Predicate::parse(written).unwrap().to_string(), meant, "{written}");
        }
    }

    #[test]
    fn what_is_not_a_predicate_says_where_and_why() {
        for (written, message, span) in [
            ("serde", "`serde` is not a predicate", 0..5),
            ("not(env(CI)", "The parentheses of `not(env(CI)` do not match", 0..11),
            ("any()", "`any()` is empty", 0..5),
            ("not(serde)", "`serde` is not a predicate", 4..9),
            ("all(env(A), depends-on(!))", "`!` is not a crate name", 23..24),
            ("path_exists( )", "`path_exists()` needs a path", 0..14),
            ("workspace-member(x)", "`workspace-member()` takes no arguments", 0..19),
            ("a b(c)", "`a b` is not a predicate", 0..6),
        ] {
            let error = Predicate::parse(written).unwrap_err();
            assert_eq!((error.message.as_str(), error.span), (message, span), "{written}");
        }
        let deep = format!("{}env(X){}", "not(".repeat(40), ")".repeat(40));
        assert_eq!(Predicate::parse(&deep).unwrap_err().message, "The predicate is nested too deeply");
    }

    #[test]
    fn what_cannot_be_answered_is_found_inside() {
        assert_eq!(Predicate::parse("any(env(A), not(shell(true)))").unwrap().unsupported(), Some("shell"));
        assert_eq!(Predicate::parse("any(env(A), not(env(B)))").unwrap().unsupported(), None);
    }

    #[test]
    fn every_function_that_is_named_to_users_is_parsed() {
        for name in FUNCTIONS {
            let parsed = Predicate::parse(&format!("{name}()"));
            assert!(!matches!(parsed, Ok(Predicate::Unsupported { .. })), "{name}");
        }
    }

    #[test]
    fn a_slip_in_a_name_is_answered_with_the_name_that_was_meant() {
        let runs = "Symposium runs no programs for conditions; use `path_exists` or `env`";
        for (written, help) in [
            ("dependson(serde)", "did you mean `depends-on`?"),
            ("path_exist(x)", "did you mean `path_exists`?"),
            ("not(envv(CI))", "did you mean `env`?"),
            ("workspacemember()", "did you mean `workspace-member`?"),
            ("shell(true)", runs),
            ("battery_pack(cli)", runs),
        ] {
            let predicate = Predicate::parse(written).unwrap();
            assert_eq!(unsupported_help(predicate.unsupported().unwrap()), help, "{written}");
        }
    }
}
