//! A directory tree as one text file, free of the machine it was made on.
//!
//! Paths below the root are written as `@ROOT@`. Names and fingerprints that an old version computed from such a path are
//! written as `@fnv:PATH@` and `@sha256:PATH@`, and computed again for the place where the tree is unpacked.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use sha2::{Digest, Sha256};

const ROOT: &str = "@ROOT@";
const NO_NEWLINE: &str = "\\ no newline at the end\n";

/// Every file and directory below a root, by path from there. Directories have no bytes.
pub(super) type Tree = BTreeMap<String, (u32, Option<Vec<u8>>)>;

pub(super) fn read_tree(root: &Path, below: &[&str]) -> Tree {
    fn walk(root: &Path, path: &Path, found: &mut Tree) {
        let metadata = path.symlink_metadata().unwrap();
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        let mode = metadata.permissions().mode() & 0o7777;
        if metadata.is_dir() {
            found.insert(name, (mode, None));
            for entry in std::fs::read_dir(path).unwrap() {
                walk(root, &entry.unwrap().path(), found);
            }
        } else {
            assert!(metadata.is_file(), "{name} is neither a file nor a directory");
            found.insert(name, (mode, Some(std::fs::read(path).unwrap())));
        }
    }
    let mut found = Tree::new();
    for part in below {
        walk(root, &root.join(part), &mut found);
    }
    found
}

/// Packs a tree. Names were computed from its directories, and from these sources in them.
pub(super) fn pack(root: &Path, tree: &Tree, sources: &[&str]) -> String {
    let shown_root = root.to_str().unwrap();
    let mut computed: Vec<(String, String)> = Vec::new();
    for (path, (_, bytes)) in tree {
        match bytes {
            None => {
                let below = sources.iter().map(|source| format!("{path}/{source}"));
                let paths = std::iter::once(path.clone()).chain(below);
                computed.extend(paths.map(|path| (fnv(&format!("{shown_root}/{path}")), format!("@fnv:{path}@"))));
            }
            Some(bytes) if String::from_utf8_lossy(bytes).contains(shown_root) => {
                computed.push((sha256(bytes), format!("@sha256:{path}@")));
            }
            Some(_) => {}
        }
    }
    let portable = |text: &str| {
        let text = text.replace(shown_root, ROOT);
        computed.iter().fold(text, |text, (value, shown)| text.replace(value, shown))
    };
    let sorted: BTreeMap<String, &(u32, Option<Vec<u8>>)> =
        tree.iter().map(|(path, entry)| (portable(path), entry)).collect();
    let mut packed = String::new();
    for (path, (mode, bytes)) in sorted {
        let kind = if bytes.is_some() { "file" } else { "directory" };
        writeln!(packed, "=== {kind} {mode:o} {path}").unwrap();
        let Some(bytes) = bytes.as_deref().filter(|bytes| !bytes.is_empty()) else { continue };
        let text = portable(std::str::from_utf8(bytes).unwrap());
        assert!(!text.starts_with("=== ") && !text.contains("\n=== ") && !text.contains('\u{240d}'), "{path}");
        packed.push_str(&text.replace('\r', "\u{240d}"));
        if !text.ends_with('\n') {
            packed.push('\n');
            packed.push_str(NO_NEWLINE);
        }
    }
    packed
}

pub(super) fn unpack(root: &Path, packed: &str) {
    let packed = packed.replace(ROOT, root.to_str().unwrap());
    let packed = compute(&packed, "@fnv:", |path| fnv(root.join(path).to_str().unwrap()));
    let packed = packed.strip_prefix("=== ").and_then(|packed| packed.strip_suffix('\n')).unwrap();
    let mut parts: Vec<&str> = packed.split("\n=== ").collect();
    // A file with a fingerprint in it comes after the file that it is the fingerprint of.
    parts.sort_by_key(|part| part.contains("@sha256:"));
    for part in parts {
        let (head, text) =
            part.split_once('\n').map_or((part, String::new()), |(head, text)| (head, format!("{text}\n")));
        let [kind, mode, path] = head.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
        let path = root.join(path);
        if kind == "directory" {
            std::fs::create_dir_all(&path).unwrap();
        } else {
            let text = compute(&text, "@sha256:", |path| sha256(&std::fs::read(root.join(path)).unwrap()));
            let text = text.replace('\u{240d}', "\r");
            let bytes = text.strip_suffix(NO_NEWLINE).map_or(text.as_str(), |text| text.strip_suffix('\n').unwrap());
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, bytes).unwrap();
        }
        crate::set_mode(&path, u32::from_str_radix(mode, 8).unwrap());
    }
}

fn compute(text: &str, mark: &str, value: impl Fn(&str) -> String) -> String {
    let mut parts = text.split(mark);
    let mut computed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (path, rest) = part.split_once('@').unwrap();
        computed.push_str(&value(path));
        computed.push_str(rest);
    }
    computed
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

/// 64-bit FNV-1a, by which version 0.6.0 named directories for a path.
fn fnv(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

#[test]
fn a_tree_is_the_same_after_packing_and_unpacking() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let write = |path: &str, text: &str| {
        let path = here.path().join("a").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let root = here.path().to_str().unwrap();
    let own = format!("at {root}/a");
    write("path", &own);
    write("breaks", "a\r\n\nb\n\n");
    write("empty", "");
    write("last", "\n");
    write("fingerprint", &sha256(own.as_bytes()));
    write(&format!("{}/inside", fnv(&format!("{root}/a"))), "x");
    let packed = pack(here.path(), &read_tree(here.path(), &["a"]), &[]);
    assert!(!packed.contains(root), "{packed}");
    unpack(there.path(), &packed);
    let moved = |path: &Path| read_tree(path, &["a"]);
    assert_eq!(pack(there.path(), &moved(there.path()), &[]), packed);
    let text = |path: &str| std::fs::read_to_string(there.path().join("a").join(path)).unwrap();
    assert_eq!(text("breaks"), "a\r\n\nb\n\n");
    assert_eq!(text("last"), "\n");
    assert_eq!(text("empty"), "");
    assert_eq!(text("fingerprint"), sha256(text("path").as_bytes()));
}
