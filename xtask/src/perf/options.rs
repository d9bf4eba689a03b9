//! How `cargo xtask perf` is called.

use std::path::PathBuf;

/// How it is called, for people.
pub(super) const USAGE: &str = "\
Usage: cargo xtask perf [--quick] [--rounds N] [--peer PATH] [--first-sync] [--items] [--scale] [--build] [--write-baseline] [--write-book]

  --quick            only what is the same on every run: instructions, system calls, files, memory, sizes
  --rounds N         how often each program is started for the times (default 500)
  --peer PATH        measure another program that takes `hook AGENT EVENT`, in the same run
  --first-sync       only the first `sync`, beside that of the peer
  --items            only questions about public items
  --scale            besides: 100 000 plugins, 100 000 skills, 3 000 packages, 500 members
  --build            besides: build everything from nothing, which takes minutes
  --write-baseline   keep the counts of this run as the ones later runs are compared with
  --write-book       put the figures of this run into the book, as a page and a chart";

/// What is measured, and against what.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line, and any may be combined")]
pub(super) struct Options {
    /// Leave out what depends on the machine and its load.
    pub(super) quick: bool,
    /// How often each program is started for the times.
    pub(super) rounds: u32,
    pub(super) peer: Option<PathBuf>,
    /// Measure only the first `sync`, ours and the peer's.
    pub(super) first_sync: bool,
    /// Measure only questions about public items.
    pub(super) items: bool,
    /// Measure very large sources and workspaces.
    pub(super) scale: bool,
    pub(super) build: bool,
    /// Keep the counts instead of comparing them.
    pub(super) write_baseline: bool,
    /// Write the page of the book.
    pub(super) write_book: bool,
}

/// Reads the words after `perf`; `None` when they make no sense.
pub(super) fn read(args: &[String]) -> Option<Options> {
    let mut options = Options {
        quick: false,
        rounds: 500,
        peer: None,
        first_sync: false,
        items: false,
        scale: false,
        build: false,
        write_baseline: false,
        write_book: false,
    };
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--quick" => options.quick = true,
            "--first-sync" => options.first_sync = true,
            "--items" => options.items = true,
            "--scale" => options.scale = true,
            "--build" => options.build = true,
            "--write-baseline" => options.write_baseline = true,
            "--write-book" => options.write_book = true,
            "--rounds" => options.rounds = rest.next()?.parse().ok().filter(|rounds| *rounds > 0)?,
            "--peer" => options.peer = Some(rest.next()?.into()),
            _ => return None,
        }
    }
    // What was left out cannot be shown.
    let is_partial = options.quick && options.write_book
        || (options.items || options.first_sync) && (options.write_book || options.write_baseline)
        || options.first_sync && (options.quick || options.peer.is_none());
    (!is_partial).then_some(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_or_refused() {
        let read_line = |line: &str| read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let plain = read_line("").unwrap();
        assert_eq!((plain.quick, plain.rounds, plain.peer.clone(), plain.scale), (false, 500, None, false));
        assert_eq!(
            read_line("--rounds 9 --peer /p --quick --scale"),
            Some(Options { quick: true, rounds: 9, peer: Some("/p".into()), scale: true, ..plain.clone() })
        );
        assert_eq!(read_line("--write-book"), Some(Options { write_book: true, ..plain }));
        for wrong in [
            "--rounds",
            "--rounds 0",
            "--rounds x",
            "--peer",
            "--fast",
            "claude",
            "--quick --write-book",
            "--first-sync",
        ] {
            assert_eq!(read_line(wrong), None, "{wrong}");
        }
    }
}
