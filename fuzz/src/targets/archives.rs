//! Archives of sources: whatever they contain, no file lies outside the directory and none is there twice.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Component, Path};

use flate2::Compression;
use flate2::write::GzEncoder;
use symposium_io::source::archive_paths;

const CHECKSUM: std::ops::Range<usize> = 148..156;
const MAGIC: std::ops::Range<usize> = 257..262;

pub(super) fn archive(bytes: &[u8]) {
    for directory in ["", "plugins"] {
        // As it may come from a server.
        check(bytes, directory);
        // As a tar with corrected checksums of its headers: without them hardly any input would get past the headers.
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&with_checksums(bytes)).expect("memory can be written");
        packed.write_all(&[0; 1024]).expect("memory can be written");
        check(&packed.finish().expect("memory can be written"), directory);
    }
}

fn check(packed: &[u8], directory: &str) {
    let Ok(paths) = archive_paths(packed, directory) else { return };
    let mut seen = BTreeSet::new();
    for path in &paths {
        let plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let odd = path.split('/').any(|part| part.is_empty() || part == "." || part.eq_ignore_ascii_case(".git"));
        assert!(plain && !odd && !path.contains(['\\', '\0']), "{path:?}");
        assert!(seen.insert(path), "{path:?} twice");
    }
    // A file is not a directory.
    for path in &paths {
        let mut above = Path::new(path).ancestors().skip(1);
        assert!(!above.any(|above| above.to_str().is_some_and(|above| seen.contains(&above.to_owned()))), "{path:?}");
    }
}

fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut tar = bytes.to_vec();
    tar.resize(tar.len().next_multiple_of(512), 0);
    for block in tar.chunks_exact_mut(512).filter(|block| block.get(MAGIC) == Some(b"ustar")) {
        let Some(place) = block.get_mut(CHECKSUM) else { continue };
        place.fill(b' ');
        let sum: u32 = block.iter().copied().map(u32::from).sum();
        if let Some(place) = block.get_mut(CHECKSUM) {
            place.copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
    }
    tar
}
