//! An index as bytes: small, quick to read, and searched by words without reading all of it.

mod bytes;
mod read;
mod words;
mod write;

pub use read::PackedIndex;
pub use write::pack_index;

/// The first bytes, which change with the layout.
const MAGIC: &[u8; 8] = b"symapi04";

/// Bits of an item.
const OFF: u8 = 1;
const HIDDEN: u8 = 2;
const HIDES_ITSELF: u8 = 4;
const DEPRECATED: u8 = 8;
const FEATURE: u8 = 16;
const ORIGIN: u8 = 32;
const WHOLE_CRATE: u8 = 64;
const ALIASED: u8 = 128;

/// Sums bytes up, to notice a file that was cut or changed. Four sums do not wait for each other.
fn checksum(bytes: &[u8]) -> u64 {
    let add = |sum: u64, part: u64| (sum ^ part).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    let mut sums = [0xcbf2_9ce4_8422_2325_u64 ^ bytes.len() as u64; 4];
    let (chunks, rest) = bytes.as_chunks::<32>();
    for chunk in chunks {
        for (sum, part) in sums.iter_mut().zip(chunk.as_chunks::<8>().0) {
            *sum = add(*sum, u64::from_le_bytes(*part));
        }
    }
    let [first, others @ ..] = sums;
    let sum = others.into_iter().fold(first, add);
    rest.iter().fold(sum, |sum, byte| add(sum, u64::from(*byte)))
}

#[cfg(test)]
mod tests;
