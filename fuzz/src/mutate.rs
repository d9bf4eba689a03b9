//! Derives bad inputs from good ones.

use crate::random::Random;

/// Larger inputs find nothing new and cost time.
const LONGEST: usize = 64 * 1024;

/// Pieces that are difficult for parsers of any format.
const PIECES: &[&str] = &[
    "\u{feff}",
    "\u{0}",
    "\r\n",
    "\r",
    "\n",
    "\t",
    "\u{85}",
    "\u{2028}",
    "\u{200b}",
    "\u{202e}",
    "\u{e0041}",
    "\u{1b}[2J",
    "é",
    "👩\u{200d}💻",
    "\u{10ffff}",
    "\\",
    "\"",
    "'",
    "`",
    "\\u0000",
    "\\ud800",
    "{}",
    "[]",
    "()",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ":",
    ",",
    ";",
    "=",
    "#",
    "//",
    "/*",
    "*/",
    "-",
    "---",
    "...",
    "../",
    "/",
    "//",
    "~",
    "$",
    "*",
    "&",
    "|",
    "<",
    ">",
    "0",
    "-0",
    "1e999",
    "18446744073709551616",
    "-9223372036854775809",
    "0.1e-400",
    "null",
    "true",
    "false",
    "NaN",
    "<<<<<<< HEAD\n",
    "=======\n",
    ">>>>>>> x\n",
    "__proto__",
    "symposium",
    "hooks",
];

/// Brackets whose depth is worth trying.
const NESTED: &[(&str, &str)] =
    &[("[", "]"), ("{\"a\":", "}"), ("(", ")"), ("not(", ")"), ("a.", ""), ("- ", ""), ("{", "}")];

/// Returns a changed copy of `seed`; `others` provide parts, `words` are keywords of the format.
pub(crate) fn mutate(random: &mut Random, seed: &[u8], others: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(6) {
        change(random, &mut bytes, others, words);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str]) {
    let at = random.below(bytes.len() + 1);
    let end = (at + random.below(24)).min(bytes.len());
    match random.below(12) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => bytes.insert(at, u8::try_from(random.below(256)).unwrap_or(0)),
        2 => drop(bytes.drain(at..end)),
        3 => {
            let copy: Vec<u8> = bytes.drain(at..end).collect();
            for _ in 0..=random.below(4) {
                insert(bytes, at, &copy);
            }
        }
        4 => bytes.truncate(at),
        5 | 6 => put(random, bytes, at, end, PIECES),
        7 | 8 => put(random, bytes, at, end, words),
        9 => {
            let Some(other) = random.pick(others) else { return };
            let from = random.below(other.len() + 1);
            let length = random.below(200);
            let part: Vec<u8> = other.iter().skip(from).take(length).copied().collect();
            insert(bytes, at, &part);
        }
        10 => {
            let Some((open, close)) = random.pick(NESTED) else { return };
            let depth = if random.below(8) == 0 { 5_000 } else { random.below(40) };
            let inner: Vec<u8> = bytes.drain(at..end).collect();
            insert(bytes, at, &[open.repeat(depth).as_bytes(), &inner, close.repeat(depth).as_bytes()].concat());
        }
        _ => {
            // Swaps two lines, or duplicates one.
            let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            let (one, other) = (random.below(lines.len()), random.below(lines.len()));
            if one < lines.len() && other < lines.len() {
                if random.below(2) == 0 {
                    lines.swap(one, other);
                } else if let Some(line) = lines.get(one).cloned() {
                    lines.insert(other, line);
                }
            }
            *bytes = lines.concat();
        }
    }
}

/// Replaces a part by one of `pieces`, or inserts it before the part.
fn put(random: &mut Random, bytes: &mut Vec<u8>, at: usize, end: usize, pieces: &[&str]) {
    let Some(piece) = random.pick(pieces) else { return };
    if random.below(3) == 0 {
        drop(bytes.drain(at..end));
    }
    insert(bytes, at, piece.as_bytes());
}

fn insert(bytes: &mut Vec<u8>, at: usize, part: &[u8]) {
    bytes.splice(at..at, part.iter().copied());
}
