use super::*;

fn line(name: &str, version: &str, crates: &[&str]) -> String {
    let crates = serde_json::to_string(crates).unwrap();
    let hash = "a".repeat(64);
    format!(
        r#"{{"name":"{name}","version":"{version}","crates":{crates},"sha256":"{hash}","size":9,"archive":"aa/x.tar.gz"}}"#
    )
}

fn plugin(name: &str, version: &str, crates: &[&str]) -> PublishedPlugin {
    parse_line(&line(name, version, crates)).unwrap()
}

fn asked(crates: &[&str]) -> Vec<AskedCrate> {
    let mut asked: Vec<AskedCrate> =
        crates.iter().map(|text| serde_json::from_value((*text).into()).unwrap()).collect();
    asked.sort();
    asked
}

#[test]
fn a_line_is_read_and_written() {
    for crates in [&[][..], &["serde", "tokio>=1.0,<2"]] {
        let read = plugin("tokio-help", "1.2.0", crates);
        assert_eq!(parse_line(&read.to_string()), Ok(read.clone()));
        assert_eq!(serde_json::from_value::<PublishedPlugin>(serde_json::to_value(&read).unwrap()).unwrap(), read);
    }
}

#[test]
fn a_line_that_says_something_odd_is_refused() {
    let good = line("p", "1.0.0", &[]);
    for (found, instead, expected) in [
        ("\"p\"", "\"../p\"", "name of a plugin"),
        ("\"p\"", "\"con\"", "name of a plugin"),
        ("1.0.0", "one", "a version"),
        ("[]", "[\"a b\"]", "condition"),
        ("aaaa", "AAAA", "SHA-256"),
        ("aa/x.tar.gz", "../x", "outside"),
        ("aa/x.tar.gz", "https://h/x", "outside"),
        (":9", ":900000000", "8 MB"),
        ("{", "<html>{", "not the entry"),
    ] {
        let refused = parse_line(&good.replacen(found, instead, 1)).unwrap_err();
        assert!(refused.contains(expected), "{instead}: {refused}");
    }
    let long = line("p", "1.0.0", &[&"x".repeat(20_000)]);
    assert_eq!(parse_line(&long), Err("it is longer than 16 kB".to_owned()));
}

#[test]
fn a_file_is_whole_and_about_its_crate() {
    let serde = line("p", "1.0.0", &["serde"]);
    let file = crate_file(&CrateName::parse("serde").unwrap());
    assert_eq!(parse_file(&file, "").unwrap(), []);
    assert_eq!(parse_file(&file, &format!("{serde}\n")).unwrap().len(), 1);
    assert_eq!(parse_file(&file, &serde), Err("the file is cut off".to_owned()));
    assert_eq!(parse_file(ANY_FILE, &format!("{serde}\n")), Err("line 1: plugin `p` is for other crates".to_owned()));
    let torn = format!("{serde}\n{}\n", serde.get(..40).unwrap());
    assert_eq!(parse_file(&file, &torn), Err("line 2: it is not the entry of a plugin".to_owned()));
    let many: Vec<String> = (0..=MAX_ANYWHERE).map(|n| line(&format!("p{n}"), "1.0.0", &[])).collect();
    let many = format!("{}\n", many.join("\n"));
    assert!(parse_file(ANY_FILE, &many).unwrap_err().contains("more than 1000"));
}

#[test]
fn the_highest_version_that_can_apply_is_chosen() {
    let all = [
        plugin("p", "1.0.0", &["tokio<1"]),
        plugin("p", "2.0.0", &["tokio>=1"]),
        plugin("p", "1.5.0", &["tokio>=1"]),
        plugin("q", "1.0.0", &["serde_json"]),
        plugin("r", "1.0.0", &[]),
    ];
    let chosen = |crates: &[&str]| -> Vec<String> {
        let chosen = choose_plugins(&all, &asked(crates));
        chosen.iter().map(|plugin| format!("{} {}", plugin.name, plugin.version)).collect()
    };
    assert_eq!(chosen(&[]), ["r 1.0.0"]);
    assert_eq!(chosen(&["tokio 1.40.0"]), ["p 2.0.0", "r 1.0.0"]);
    assert_eq!(chosen(&["tokio 0.2.0", "serde-json 1.0.0"]), ["p 1.0.0", "q 1.0.0", "r 1.0.0"]);
    assert_eq!(chosen(&["tokio 0.2.0", "tokio 1.0.0"]), ["p 2.0.0", "r 1.0.0"]);
    // Both would be in one directory on some systems.
    let same = [plugin("P", "1.0.0", &[]), plugin("p", "1.1.0", &[])];
    assert_eq!(choose_plugins(&same, &[]), same[1..]);
    assert_eq!(keep_pinned(&same[..1], same[1..].to_vec(), &[]), same[..1]);
}

#[test]
fn a_pin_holds_while_it_can_apply() {
    let pinned = [plugin("p", "1.0.0", &["tokio"]), plugin("gone", "1.0.0", &["serde"])];
    let now = vec![plugin("p", "2.0.0", &["tokio"]), plugin("new", "1.0.0", &["rand"])];
    let kept = |crates: &[&str]| -> Vec<String> {
        let kept = keep_pinned(&pinned, now.clone(), &asked(crates));
        kept.iter().map(|plugin| format!("{} {}", plugin.name, plugin.version)).collect()
    };
    assert_eq!(kept(&["tokio 1.0.0", "serde 1.0.0", "rand 1.0.0"]), ["gone 1.0.0", "new 1.0.0", "p 1.0.0"]);
    assert_eq!(kept(&["tokio 1.0.0", "rand 1.0.0"]), ["new 1.0.0", "p 1.0.0"]);
}

#[test]
fn the_config_says_where_archives_are() {
    for (text, expected) in [
        (r#"{"format":1,"archives":"archives"}"#, Ok("archives")),
        (r#"{"format":1,"archives":"https://h/x","more":1}"#, Ok("https://h/x")),
        (r#"{"format":2,"archives":"archives"}"#, Err("the index has format 2")),
        (r#"{"format":1,"archives":"../x"}"#, Err("neither a path")),
        (r#"{"format":1,"archives":"https://u:p@h/x"}"#, Err("`archives` has credentials")),
        (r#"{"format":1,"archives":"https://h/x?token=p"}"#, Err("`archives` has credentials or a query")),
        ("<html>", Err("it is not the `config.json`")),
    ] {
        match (IndexConfig::parse(text), expected) {
            (Ok(config), Ok(archives)) => assert_eq!(config.archives, archives),
            (Err(reason), Err(expected)) => {
                assert!(reason.starts_with(expected) || reason.contains(expected), "{reason}");
            }
            (found, _) => panic!("{text}: {found:?}"),
        }
    }
}

#[test]
fn a_workspace_gets_a_bounded_number_of_plugins() {
    let some = |count: usize, crates: &[&str]| -> Vec<PublishedPlugin> {
        (0..count).map(|number| plugin(&format!("p{number}"), "1.0.0", crates)).collect()
    };
    assert_eq!(check_amount(&some(MAX_PLUGINS, &["serde"])), Ok(()));
    let many = check_amount(&some(MAX_PLUGINS + 1, &["serde"])).unwrap_err();
    assert_eq!(many, "it has 5001 plugins for the crates of one workspace, more than 5000");
    let long = "x".repeat(60);
    let long: Vec<&str> = vec![&long; 200];
    let large = check_amount(&some(400, &long)).unwrap_err();
    assert_eq!(large, "its entries for the crates of one workspace have more than 4 MB");
}

#[test]
fn plugins_with_other_content_are_no_wanted_ones() {
    let (a, b, later) = (plugin("a", "1.0.0", &[]), plugin("b", "1.0.0", &[]), plugin("b", "1.1.0", &[]));
    let elsewhere = PublishedPlugin { archive: "bb/other".to_owned(), size: 1, ..a.clone() };
    let changed = PublishedPlugin { sha256: fingerprint(b"x"), ..a.clone() };
    let wanted = [a, b];
    for (found, expected) in [
        (vec![], vec![]),
        (vec![elsewhere.clone()], vec![]),
        (vec![changed], vec!["a"]),
        (vec![elsewhere, later], vec!["b"]),
    ] {
        assert_eq!(list_others(&found, &wanted).into_iter().collect::<Vec<_>>(), expected, "{found:?}");
    }
}
