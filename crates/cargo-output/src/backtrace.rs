//! Leaves out of a backtrace the frames that are not of the workspace.

/// Begins a backtrace.
const START: &str = "stack backtrace:";

/// Source files that belong to the toolchain or to dependencies.
const FOREIGN_FILES: [&str; 4] = ["/rustlib/src/", "/registry/src/", "/git/checkouts/", "/rustc/"];

/// Beginnings of functions of the standard library and of the system, for frames without a file.
const FOREIGN_PREFIXES: [&str; 14] = [
    "std::",
    "core::",
    "alloc::",
    "test::",
    "<std::",
    "<core::",
    "<alloc::",
    "std[",
    "core[",
    "alloc[",
    "test[",
    "__rust",
    "__libc_start",
    "__GI_",
];

/// Whole names of such functions.
const FOREIGN_FUNCTIONS: [&str; 7] =
    ["rust_begin_unwind", "_start", "__clone", "clone", "start_thread", "<unknown>", "main"];

/// One call of a backtrace: the line with its number, and the lines after it.
struct BacktraceFrame<'o> {
    lines: Vec<&'o str>,
    is_ours: bool,
}

/// Finds a backtrace at the beginning of `lines`: its length, and the lines that are kept.
pub(crate) fn shorten_backtrace<'o>(lines: &[&'o str]) -> Option<ShortBacktrace<'o>> {
    let (first, rest) = lines.split_first()?;
    if first.trim() != START {
        return None;
    }
    let mut frames: Vec<BacktraceFrame<'o>> = Vec::new();
    for line in rest {
        if let Some(function) = frame_function(line) {
            let is_foreign = FOREIGN_FUNCTIONS.contains(&function)
                || FOREIGN_PREFIXES.iter().any(|foreign| function.starts_with(foreign));
            frames.push(BacktraceFrame { lines: vec![line], is_ours: !is_foreign });
        } else if let (Some(frame), Some(file)) = (frames.last_mut(), line.trim_start().strip_prefix("at ")) {
            frame.is_ours = !FOREIGN_FILES.iter().any(|foreign| file.contains(foreign));
            frame.lines.push(line);
        } else {
            break;
        }
    }
    let length = 1 + frames.iter().map(|frame| frame.lines.len()).sum::<usize>();
    if !frames.iter().any(|frame| frame.is_ours) {
        return None;
    }
    let ours = frames.into_iter().filter(|frame| frame.is_ours).flat_map(|frame| frame.lines);
    Some(ShortBacktrace { length, kept: std::iter::once(*first).chain(ours).collect() })
}

/// A backtrace of which only the frames of the workspace are left.
pub(crate) struct ShortBacktrace<'o> {
    /// The number of lines of the whole backtrace.
    pub(crate) length: usize,
    pub(crate) kept: Vec<&'o str>,
}

/// The function of a line such as `  12: core::panicking::panic` or `  12:     0x5581c0a1 - core::panicking::panic`.
fn frame_function(line: &str) -> Option<&str> {
    let (number, function) = line.trim_start().split_once(": ")?;
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let function = function.trim_start();
    let after_address = function.strip_prefix("0x").and_then(|address| address.split_once(" - "));
    Some(after_address.map_or(function, |(_, function)| function))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_the_workspace_stay() {
        let text = "stack backtrace:\n   0: core::panicking::panic_fmt\n             at /rustc/59807/library/core/src/panicking.rs:80:14\n   1: <alloc::vec::Vec<T>>::index\n             at /opt/rustup/toolchains/stable/lib/rustlib/src/rust/library/alloc/src/vec/mod.rs:1:9\n   2: nested::inner\n             at ./src/lib.rs:7:9\n   3: other::call\n             at /opt/cargo/registry/src/index.crates.io-1/other-1.0.0/src/lib.rs:1:1\n   4: without_a_file\n  10: std::rt::lang_start\nnote: Some details are omitted\n";
        let lines: Vec<&str> = text.lines().collect();
        let short = shorten_backtrace(&lines).unwrap();
        assert_eq!(short.length, lines.len() - 1);
        assert_eq!(
            short.kept,
            ["stack backtrace:", "   2: nested::inner", "             at ./src/lib.rs:7:9", "   4: without_a_file"]
        );
    }

    #[test]
    fn a_backtrace_without_a_frame_of_ours_stays_whole() {
        assert!(shorten_backtrace(&["stack backtrace:", "   0: std::panicking"]).is_none());
        assert!(shorten_backtrace(&["stack backtrace:"]).is_none());
        assert!(shorten_backtrace(&["text"]).is_none());
        assert!(shorten_backtrace(&[]).is_none());
    }
}
