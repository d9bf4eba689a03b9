use proptest::prelude::*;

use super::*;

/// Makes a file as cargo writes it.
pub(crate) fn cache_file(lines: &[&str]) -> Vec<u8> {
    let mut bytes = vec![3, 2, 0, 0, 0];
    bytes.extend_from_slice(b"etag: x\0");
    for line in lines {
        let version: serde_json::Value = serde_json::from_str(line).unwrap();
        bytes.extend_from_slice(version["vers"].as_str().unwrap().as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(0);
    }
    bytes
}

const OLD: &str = r#"{"name":"a","vers":"0.9.0","deps":[],"cksum":"0","features":{},"yanked":true}"#;
const NEW: &str = r#"{"name":"a","vers":"1.0.0","deps":[
    {"name":"std-lib","req":"^1","features":[],"optional":true,"default_features":true,"target":null,"kind":"normal","package":"real"},
    {"name":"hidden","req":"^1","features":[],"optional":true,"default_features":true,"target":null,"kind":"normal"},
    {"name":"always","req":"^1","features":[],"optional":false,"default_features":true,"target":null,"kind":"normal"}
  ],"cksum":"0","features":{"std":[]},"features2":{"extra":["dep:hidden"]},"yanked":false,"rust_version":"1.56","v":2,"unknown":{}}"#;

#[test]
fn versions_features_and_rust_versions_are_read() {
    let entry = parse_index_cache(&cache_file(&[OLD, NEW])).unwrap();
    let [old, new] = entry.versions.as_slice() else { panic!("two versions") };
    assert_eq!((old.version.to_string(), old.yanked, &old.rust_version), ("0.9.0".to_owned(), true, &None));
    assert_eq!(new.rust_version, Some(Version::new(1, 56, 0)));
    assert_eq!(new.feature_names().collect::<Vec<_>>(), ["extra", "std", "std-lib"]);
    for (feature, has) in [
        ("std", true),
        ("extra", true),
        ("std-lib", true),
        ("default", true),
        ("hidden", false),
        ("always", false),
        ("real", false),
    ] {
        assert_eq!(new.has_feature(feature), has, "{feature}");
    }
    assert_eq!(new.dependencies.first().unwrap().package.as_deref(), Some("real"));
}

#[test]
fn unknown_forms_are_refused_by_name() {
    let good = cache_file(&[OLD]);
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        parse_index_cache(&bytes)
    };
    assert_eq!(with(0, 1), Err(IndexCacheError::UnknownCache(1)));
    assert_eq!(with(0, 4), Err(IndexCacheError::UnknownCache(4)));
    assert_eq!(with(1, 1), Err(IndexCacheError::UnknownSchema(1)));
    assert_eq!(with(1, 3), Err(IndexCacheError::UnknownSchema(3)));
    assert_eq!(parse_index_cache(b""), Err(IndexCacheError::Torn));
    assert_eq!(parse_index_cache(b"{\"name\":\"a\"}"), Err(IndexCacheError::UnknownCache(b'{')));
    assert!(IndexCacheError::UnknownCache(9).to_string().contains("version 9"));
}

#[test]
fn every_torn_file_is_refused_or_shorter_by_whole_versions() {
    let bytes = cache_file(&[OLD, NEW]);
    let first = cache_file(&[OLD]).len();
    for end in 0..bytes.len() {
        let parsed = parse_index_cache(&bytes[..end]);
        assert_eq!(parsed.is_ok(), end == first, "{end}");
    }
}

#[test]
fn a_version_that_is_not_understood_is_known_to_exist() {
    let newer = r#"{"vers":"2.0.0","deps":[],"features":{},"yanked":false,"v":3}"#;
    let odd = r#"{"vers":"3.0.0","deps":"none"}"#;
    let entry = parse_index_cache(&cache_file(&[OLD, newer, odd])).unwrap();
    assert_eq!(entry.versions.len(), 1);
    assert_eq!(entry.unread, ["2.0.0", "3.0.0"]);
}

#[test]
fn files_are_found_by_name() {
    for (name, path) in [
        ("a", Some("1/a")),
        ("cc", Some("2/cc")),
        ("log", Some("3/l/log")),
        ("serde", Some("se/rd/serde")),
        ("Inflector", Some("in/fl/inflector")),
        ("", None),
        ("../x", None),
        ("größe", None),
    ] {
        assert_eq!(index_cache_path(name).as_deref(), path, "{name}");
    }
}

#[test]
fn rust_versions_have_two_or_three_numbers() {
    for (text, version) in
        [("1.56", Some("1.56.0")), ("1.56.1", Some("1.56.1")), ("1", Some("1.0.0")), ("new", None), ("", None)]
    {
        assert_eq!(parse_rust_version(text).map(|version| version.to_string()).as_deref(), version, "{text}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse_index_cache(&bytes);
        let with_head: Vec<u8> = [&[3, 2, 0, 0, 0][..], &bytes].concat();
        let _ = parse_index_cache(&with_head);
    }
}
