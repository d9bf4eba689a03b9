//! Reads lines from a pipe and never holds more than a bounded part of one.

use std::io::{self, BufRead, ErrorKind};

/// The limit of a line, in bytes; no real request is longer.
pub(crate) const MAX_LINE: usize = 4 * 1024 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum InputFrame {
    Line(Vec<u8>),
    /// A line above the limit; its content is skipped.
    TooLong,
}

/// Reads the next line; `None` at the end. Text before the end without a line break is a line too.
pub(crate) fn next(input: &mut impl BufRead, limit: usize) -> io::Result<Option<InputFrame>> {
    let mut frame = InputFrame::Line(Vec::new());
    let mut began = false;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(began.then_some(frame));
        }
        began = true;
        let mut pieces = available.splitn(2, |byte| *byte == b'\n');
        let piece = pieces.next().unwrap_or_default();
        let ended = pieces.next().is_some();
        let taken = piece.len() + usize::from(ended);
        frame = match frame {
            InputFrame::Line(line) if line.len() + piece.len() > limit => InputFrame::TooLong,
            InputFrame::Line(mut line) => {
                line.extend_from_slice(piece);
                InputFrame::Line(line)
            }
            InputFrame::TooLong => InputFrame::TooLong,
        };
        input.consume(taken);
        if ended {
            return Ok(Some(frame));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    /// Reads everything with a limit of four bytes, in pieces of `buffer` bytes.
    fn frames(input: &str, buffer: usize) -> Vec<String> {
        let mut input = BufReader::with_capacity(buffer, input.as_bytes());
        let mut shown = Vec::new();
        while let Some(frame) = next(&mut input, 4).unwrap() {
            shown.push(match frame {
                InputFrame::Line(line) => String::from_utf8(line).unwrap(),
                InputFrame::TooLong => "too long".to_owned(),
            });
        }
        shown
    }

    #[test]
    fn lines_come_one_by_one_whatever_the_buffer() {
        let table: &[(&str, &[&str])] = &[
            ("", &[]),
            ("\n", &[""]),
            ("a\nb\n", &["a", "b"]),
            ("a\n\nb", &["a", "", "b"]),
            ("1234\nx\n", &["1234", "x"]),
            ("12345\nx\n", &["too long", "x"]),
            ("1234567890123", &["too long"]),
            ("x\n12345", &["x", "too long"]),
        ];
        for (input, expected) in table {
            for buffer in [1, 2, 3, 64] {
                assert_eq!(frames(input, buffer), *expected, "{input:?} in pieces of {buffer}");
            }
        }
    }

    struct Failing(Option<ErrorKind>);

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            self.0.take().map_or(Ok(0), |kind| Err(kind.into()))
        }
    }

    #[test]
    fn an_interruption_is_no_error() {
        let mut input = BufReader::new(Failing(Some(ErrorKind::Interrupted)));
        assert_eq!(next(&mut input, 4).unwrap(), None);
        let mut input = BufReader::new(Failing(Some(ErrorKind::PermissionDenied)));
        assert_eq!(next(&mut input, 4).unwrap_err().kind(), ErrorKind::PermissionDenied);
    }
}
