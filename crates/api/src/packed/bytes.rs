//! Numbers and texts in bytes.

/// Collects bytes.
#[derive(Debug, Default)]
pub(super) struct ByteWriter {
    pub(super) bytes: Vec<u8>,
}

impl ByteWriter {
    /// Seven bits in each byte, the low ones first.
    pub(super) fn number(&mut self, number: usize) {
        let mut left = number;
        loop {
            let low = left.to_le_bytes().first().map_or(0, |byte| byte & 0x7f);
            left >>= 7;
            if left == 0 {
                return self.bytes.push(low);
            }
            self.bytes.push(low | 0x80);
        }
    }

    pub(super) fn fixed(&mut self, number: usize) {
        self.bytes.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len());
        self.bytes.extend(text.as_bytes());
    }
}

/// Reads bytes; everything is nothing once they end too early.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByteReader<'a> {
    rest: &'a [u8],
}

impl<'a> ByteReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    pub(super) fn number(&mut self) -> Option<usize> {
        let mut number = 0_usize;
        for shift in (0..usize::BITS).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    pub(super) fn fixed(&mut self) -> Option<usize> {
        let (bytes, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        usize::try_from(u32::from_le_bytes(*bytes)).ok()
    }

    /// Reads a number of things that take at least a byte each.
    pub(super) fn count(&mut self) -> Option<usize> {
        self.number().filter(|count| *count <= self.rest.len())
    }

    /// A part with its length before it.
    pub(super) fn part(&mut self) -> Option<&'a [u8]> {
        let length = self.fixed()?;
        self.take(length)
    }
}

/// Reads the place of one thing from a table of places.
pub(super) fn place_in(table: &[u8], number: usize) -> Option<usize> {
    let bytes = table.get(number.checked_mul(4)?..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*bytes)).ok()
}
