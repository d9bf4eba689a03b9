//! Questions as they are written: what code has around a path is taken away.

/// The most bytes of a question that are worth an answer.
pub const MOST_QUERY: usize = 1_000;

/// Returns the path of a question such as `use axum::Router;`, `Router<S>::route(path)` or `#[tokio::main]`. Any other
/// question stays as it is.
pub fn strip_code(question: &str) -> String {
    let question = question.trim();
    let text = question.trim_end_matches(';').trim_end();
    let text = text.strip_prefix("pub ").unwrap_or(text);
    let text = text.strip_prefix("use ").unwrap_or(text);
    let text = text.strip_prefix("#[").and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let called = text.split_once('(').filter(|(path, _)| path.contains("::") || text.ends_with(')'));
    let text = called.map_or(text, |(path, _)| path).trim_end_matches('!');
    let Some(plain) = strip_generics(text) else { return question.to_owned() };
    let parts: Vec<&str> = plain.split("::").map(str::trim).collect();
    let path = parts.join("::");
    let path = path.trim_end_matches(':');
    let is_path = path.split("::").skip_while(|part| part.is_empty()).all(is_segment);
    if is_path && !path.is_empty() { path.to_owned() } else { question.to_owned() }
}

/// Says whether this can be part of a path; the first may name a package with its version.
fn is_segment(part: &str) -> bool {
    !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || "_-#@.+".contains(letter))
}

/// Removes the arguments of types. Of `<A as Trait>::name` and `<A>::name` the trait or the type stays.
fn strip_generics(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix('<') {
        let (owner, rest) = rest.rsplit_once(">::")?;
        let owner = owner.rsplit_once(" as ").map_or(owner, |(_, name)| name);
        return strip_generics(&format!("{}::{rest}", strip_generics(owner)?));
    }
    let (mut plain, mut depth) = (String::new(), 0_usize);
    for letter in text.chars() {
        match letter {
            '<' => {
                depth += 1;
                // `::<` of a call.
                plain.truncate(plain.trim_end_matches("::").len());
            }
            '>' => depth = depth.checked_sub(1)?,
            letter if depth == 0 => plain.push(letter),
            _ => {}
        }
    }
    (depth == 0).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_around_a_path_is_taken_away() {
        for (question, expected) in [
            ("use axum::Router;", "axum::Router"),
            ("pub use axum::Router", "axum::Router"),
            ("#[tokio::main(flavor = \"multi_thread\")]", "tokio::main"),
            ("tokio::select!", "tokio::select"),
            ("tokio::spawn(async move { x(1) })", "tokio::spawn"),
            ("axum::Router<S>::route", "axum::Router::route"),
            ("Vec::<A<B>>::new()", "Vec::new"),
            ("<Semaphore>::acquire", "Semaphore::acquire"),
            ("<R as rand::Rng<T>>::gen::<u8>", "rand::Rng::gen"),
            ("tokio ::\n  spawn", "tokio::spawn"),
            ("rand::", "rand"),
            ("::rand::rng", "::rand::rng"),
            ("rand@0.8.5-alpha.1+x::thread_rng()", "rand@0.8.5-alpha.1+x::thread_rng"),
            ("r#type", "r#type"),
            ("serde-json", "serde-json"),
        ] {
            assert_eq!(strip_code(question), expected, "{question}");
        }
    }

    #[test]
    fn words_stay() {
        for question in [
            "spawn blocking",
            "fn(u8) -> u8",
            "a < b",
            "<",
            ">::",
            "<>::",
            "use",
            "::",
            "",
            "<<<>>>::x::",
            "how to run (many) tasks",
            "é ü",
            "rand::::rng",
            "a: b",
        ] {
            assert_eq!(strip_code(question), question, "{question}");
        }
    }
}
