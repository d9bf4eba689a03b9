//! How `cargo xtask perf` is called.

use std::path::PathBuf;

/// How it is called, for people.
pub(super) const USAGE: &str = "\
Usage: cargo xtask perf [--quick] [--rounds N] [--peer PATH] [--write-baseline]

  --quick            only what is the same on every run: instructions, system calls, files, memory
  --rounds N         how often each program is started for the times (default 500)
  --peer PATH        measure another program that takes `hook AGENT EVENT`, in the same run
  --write-baseline   keep the counts of this run as the ones later runs are compared with";

/// What is measured, and against what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Options {
    /// Leave out what depends on the machine and its load.
    pub(super) quick: bool,
    /// How often each program is started for the times.
    pub(super) rounds: u32,
    /// Another program to measure.
    pub(super) peer: Option<PathBuf>,
    /// Keep the counts instead of comparing them.
    pub(super) write_baseline: bool,
}

/// Reads the words after `perf`; `None` when they make no sense.
pub(super) fn read(args: &[String]) -> Option<Options> {
    let mut options = Options { quick: false, rounds: 500, peer: None, write_baseline: false };
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--quick" => options.quick = true,
            "--write-baseline" => options.write_baseline = true,
            "--rounds" => options.rounds = rest.next()?.parse().ok().filter(|rounds| *rounds > 0)?,
            "--peer" => options.peer = Some(rest.next()?.into()),
            _ => return None,
        }
    }
    Some(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_or_refused() {
        let read_line = |line: &str| read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let plain = Options { quick: false, rounds: 500, peer: None, write_baseline: false };
        assert_eq!(read_line(""), Some(plain.clone()));
        assert_eq!(
            read_line("--rounds 9 --peer /p --quick"),
            Some(Options { quick: true, rounds: 9, peer: Some("/p".into()), ..plain })
        );
        for wrong in ["--rounds", "--rounds 0", "--rounds x", "--peer", "--fast", "claude"] {
            assert_eq!(read_line(wrong), None, "{wrong}");
        }
    }
}
