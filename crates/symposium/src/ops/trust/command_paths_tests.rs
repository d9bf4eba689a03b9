use super::*;

/// A plugin in `/p`, in the workspace `/w`.
fn canonical(path: &Path) -> Option<PathBuf> {
    let real = symposium_model::crates::lexical_path::normal(path);
    let there = ["/p", "/p/bin", "/p/bin/i.sh", "/p/a b.py", "/p/guard", "/p/check", "/p/Cargo.toml", "/p/src"];
    let link = (real == Path::new("/p/out.sh")).then(|| PathBuf::from("/etc/out.sh"));
    let known = |real: &PathBuf| there.contains(&real.to_str().unwrap()) || *real == Path::new("/w/tools/t.sh");
    link.or_else(|| Some(real).filter(known))
}

fn is_file(path: &Path) -> bool {
    !matches!(path.to_str(), Some("/p" | "/p/bin" | "/p/src"))
}

fn places() -> PathResolver<'static> {
    let (plugin, workspace) = (Some(Path::new("/p")), Some(Path::new("/w")));
    PathResolver { plugin, workspace, canonical: &canonical, is_file: &is_file }
}

#[test]
fn a_word_that_names_a_file_of_the_plugin_is_that_file() {
    let check = |line: &str, expected: &str, loose: &[&str]| {
        let mut words = line.split(' ').map(str::to_owned);
        let program = words.next().unwrap();
        let found = places().arguments(&program, words.collect());
        assert_eq!(
            (found.words.join(" ").as_str(), found.loose.as_slice()),
            (expected, loose.map_owned().as_slice()),
            "{line}"
        );
    };
    check("sh bin/i.sh x", "/p/bin/i.sh x", &[]);
    check("python3 ./bin/../bin/i.sh", "/p/bin/i.sh", &[]);
    check("sh guard", "/p/guard", &[]);
    check("tool --config=bin/i.sh", "--config=/p/bin/i.sh", &[]);
    // Where the project's files are granted too, they are meant from its root.
    check("sh tools/t.sh", "/w/tools/t.sh", &[]);
    // What a program calls so is no file, and what is worked on is the workspace's.
    check("cargo check", "check", &[]);
    check("cargo fmt --manifest-path Cargo.toml src", "fmt --manifest-path Cargo.toml src", &[]);
    check("sh /p/bin/i.sh out.sh none.sh", "/p/bin/i.sh out.sh none.sh", &[]);
    // Inside of something else nobody can tell.
    check("sh -c 'sh:bin/i.sh'", "-c 'sh:bin/i.sh'", &["bin/i.sh"]);
    check("node bin", "bin", &["bin"]);
    check("curl -d @bin/i.sh", "-d @bin/i.sh", &["bin/i.sh"]);
}

#[test]
fn the_words_of_a_shell_are_found_in_its_line() {
    let check = |line: &str, expected: &str, loose: &[&str]| {
        let found = places().line(line);
        assert_eq!((found.words.as_str(), found.loose.as_slice()), (expected, loose.map_owned().as_slice()), "{line}");
    };
    check("sh bin/i.sh | sh 'guard' && cat \"a b.py\"", "sh /p/bin/i.sh | sh /p/guard && cat '/p/a b.py'", &[]);
    check("A=bin/i.sh sh $A", "A=/p/bin/i.sh sh $A", &[]);
    check("cargo check | tee x", "cargo check | tee x", &[]);
    check("sh $SYMPOSIUM_PLUGIN_DIR/bin/i.sh; x", "sh $SYMPOSIUM_PLUGIN_DIR/bin/i.sh; x", &[]);
    check("cd \"$SYMPOSIUM_PLUGIN_DIR\" && sh bin/i.sh", "cd \"$SYMPOSIUM_PLUGIN_DIR\" && sh bin/i.sh", &[]);
    check("cd bin && ./i.sh", "cd bin && ./i.sh", &["bin"]);
    check("bash -c 'sh bin/i.sh' | x", "bash -c 'sh bin/i.sh' | x", &["bin/i.sh"]);
    check("sh bin/i.sh <<E\nE", "sh /p/bin/i.sh <<E\nE", &[]);
}

trait Owned {
    fn map_owned(&self) -> Vec<String>;
}

impl Owned for [&str] {
    fn map_owned(&self) -> Vec<String> {
        self.iter().map(|word| (*word).to_owned()).collect()
    }
}
