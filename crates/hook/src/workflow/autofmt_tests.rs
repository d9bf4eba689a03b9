//! Tests with the real rustfmt, and with substitutes where it would have to misbehave.
#![expect(clippy::disallowed_methods, reason = "tests look at files")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::time::Duration;

use super::*;
use crate::edge::child::tests::script;
use crate::handler_environment::UNKNOWN;

const UGLY: &str = "fn   main( ){let a=1;\nlet _=a;}\n";
const NICE: &str = "fn main() {\n    let a = 1;\n    let _ = a;\n}\n";

struct Workspace {
    directory: tempfile::TempDir,
    rustfmt: PathBuf,
    editions: Vec<(String, String)>,
}

impl Workspace {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().to_str().unwrap().to_owned();
        Self { directory, rustfmt: "rustfmt".into(), editions: vec![(root, "2024".to_owned())] }
    }

    /// Uses a script instead of rustfmt.
    fn with(lines: &str) -> Self {
        let mut workspace = Self::new();
        workspace.rustfmt = workspace.path("bin/rustfmt");
        fs::create_dir(workspace.path("bin")).unwrap();
        script(&workspace.rustfmt, &format!("#!/bin/sh\n{lines}\n"));
        workspace
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn format(&self, name: &str) -> FormatResult {
        self.format_by(name, None)
    }

    fn format_by(&self, name: &str, toolchain: Option<&str>) -> FormatResult {
        let deadline = Instant::now() + Duration::from_secs(20);
        let (rustfmt, workspace, editions) = (&self.rustfmt, self.directory.path(), self.editions.as_slice());
        let places = EventPlaces { workspace: Some(workspace), cwd: None, user: &UNKNOWN };
        let with = RustFormatter { rustfmt, workspace, places, editions, toolchain, deadline };
        let formatting = format(&self.path(name), &with);
        let left = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().contains(".symposium");
        let parent = self.path(name).parent().unwrap().to_owned();
        assert!(!fs::read_dir(parent).unwrap().flatten().any(|entry| left(&entry)), "no file of ours is left");
        formatting
    }
}

#[track_caller]
fn failure(formatting: FormatResult) -> String {
    let FormatResult::Failed(text) = formatting else { panic!("{formatting:?}") };
    text
}

#[test]
fn a_file_is_formatted_once() {
    let workspace = Workspace::new();
    let file = workspace.write("src/main.rs", UGLY);
    assert_eq!(workspace.format("src/main.rs"), FormatResult::Done);
    assert_eq!(workspace.read("src/main.rs"), NICE);
    let inode = fs::metadata(&file).unwrap().ino();
    assert_eq!(workspace.format("src/main.rs"), FormatResult::Same);
    assert_eq!(fs::metadata(&file).unwrap().ino(), inode, "nothing was written");
    for blank in ["", " \n"] {
        workspace.write("blank.rs", blank);
        assert_eq!(workspace.format("blank.rs"), FormatResult::Same);
        assert_eq!(workspace.read("blank.rs"), blank);
    }
}

#[test]
fn only_the_file_itself_is_touched() {
    let workspace = Workspace::new();
    workspace.write("lib.rs", format!("mod part;\n{UGLY}"));
    workspace.write("part.rs", UGLY);
    assert_eq!(workspace.format("lib.rs"), FormatResult::Done);
    assert_eq!(workspace.read("lib.rs"), format!("mod part;\n{NICE}"));
    assert_eq!(workspace.read("part.rs"), UGLY);
}

#[test]
fn a_fault_in_the_text_becomes_context() {
    let workspace = Workspace::new();
    workspace.write("src/bad.rs", "fn main( {\n");
    let text = failure(workspace.format("src/bad.rs"));
    assert!(text.starts_with("`src/bad.rs` was not formatted: rustfmt says\nerror:"), "{text}");
    assert!(text.contains("--> src/bad.rs:"), "{text}");
    assert_eq!(workspace.read("src/bad.rs"), "fn main( {\n");
    workspace.write("latin.rs", b"// gr\xfc\xdfe\nfn  a(){}");
    assert_eq!(failure(workspace.format("latin.rs")), "`latin.rs` was not formatted: it is not UTF-8");
}

#[test]
fn mode_line_ends_and_mark_are_kept() {
    let workspace = Workspace::new();
    let file = workspace.write("script.rs", UGLY);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o751)).unwrap();
    assert_eq!(workspace.format("script.rs"), FormatResult::Done);
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, 0o751);
    workspace.write("windows.rs", format!("\u{feff}{}", UGLY.replace('\n', "\r\n")));
    assert_eq!(workspace.format("windows.rs"), FormatResult::Done);
    assert_eq!(workspace.read("windows.rs"), format!("\u{feff}{}", NICE.replace('\n', "\r\n")));
    assert_eq!(workspace.format("windows.rs"), FormatResult::Same);
}

#[test]
fn edition_and_configuration_are_the_nearest() {
    let mut workspace = Workspace::new();
    let inner = workspace.path("inner").to_str().unwrap().to_owned();
    workspace.editions.push((inner, "2015".to_owned()));
    let modern = "async fn f() {}\n";
    workspace.write("new.rs", modern);
    workspace.write("inner/old.rs", modern);
    workspace.write("inner-not/new.rs", modern);
    assert_eq!(workspace.format("new.rs"), FormatResult::Same);
    assert_eq!(workspace.format("inner-not/new.rs"), FormatResult::Same);
    assert!(failure(workspace.format("inner/old.rs")).contains("2015"));
    workspace.editions.clear();
    assert_eq!(workspace.format("inner/old.rs"), FormatResult::Same, "no package holds it");
    workspace.write("rustfmt.toml", "hard_tabs = true\n");
    workspace.write("deep/down/main.rs", UGLY);
    assert_eq!(workspace.format("deep/down/main.rs"), FormatResult::Done);
    assert_eq!(workspace.read("deep/down/main.rs"), NICE.replace("    ", "\t"));
    workspace.write("deep/.rustfmt.toml", "tab_spaces = 2\n");
    assert_eq!(workspace.format("deep/down/main.rs"), FormatResult::Done);
    assert_eq!(workspace.read("deep/down/main.rs"), NICE.replace("    ", "  "));
}

#[test]
fn what_is_none_of_our_business_is_left_alone() {
    let workspace = Workspace::new();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("other.rs"), UGLY).unwrap();
    symlink(elsewhere.path().join("other.rs"), workspace.path("outside.rs")).unwrap();
    symlink(elsewhere.path(), workspace.path("folder")).unwrap();
    workspace.write("huge.rs", "fn  a(){}\n".repeat(110_000));
    workspace.write("text.txt", UGLY);
    let locked = workspace.write("locked.rs", UGLY);
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o444)).unwrap();
    workspace.write("one.rs", UGLY);
    fs::hard_link(workspace.path("one.rs"), workspace.path("two.rs")).unwrap();
    fs::create_dir(workspace.path("directory.rs")).unwrap();
    for (name, why) in [
        ("outside.rs", "it is outside the workspace"),
        ("folder/other.rs", "it is outside the workspace"),
        ("huge.rs", "it is too large"),
        ("text.txt", "it is not a Rust file"),
        ("locked.rs", "it is read-only"),
        ("one.rs", "it has several names"),
        ("directory.rs", "it is not a regular file"),
        ("missing.rs", "it is gone"),
    ] {
        assert_eq!(workspace.format(name), FormatResult::LeftAlone(why), "{name}");
    }
    assert_eq!(fs::read_to_string(elsewhere.path().join("other.rs")).unwrap(), UGLY);
    assert_eq!((workspace.read("locked.rs"), workspace.read("one.rs")), (UGLY.to_owned(), UGLY.to_owned()));
}

#[test]
fn a_link_inside_the_workspace_stays_a_link() {
    let workspace = Workspace::new();
    workspace.write("real/main.rs", UGLY);
    symlink("real/main.rs", workspace.path("main.rs")).unwrap();
    assert_eq!(workspace.format("main.rs"), FormatResult::Done);
    assert_eq!(workspace.read("real/main.rs"), NICE);
    assert!(fs::symlink_metadata(workspace.path("main.rs")).unwrap().is_symlink());
}

#[test]
fn a_file_that_changes_meanwhile_is_left_alone() {
    for change in [
        "echo '// more' >> \"$f\"",
        "printf 'fn   main( ){let b=1;\\nlet _=b;}\\n' > \"$f\"",
        "cp \"$f\" \"$f.new\"; mv \"$f.new\" \"$f\"",
        "touch -d '2001-01-01' \"$f\"",
        "rm \"$f\"; ln -s /etc/hostname \"$f\"",
        "rm \"$f\"; mkfifo \"$f\"",
    ] {
        let workspace = Workspace::with(&format!("f=${{0%/bin/*}}/main.rs; {change}; echo 'fn main() {{}}'"));
        workspace.write("main.rs", UGLY);
        assert_eq!(workspace.format("main.rs"), FormatResult::LeftAlone("it was changed meanwhile"), "{change}");
    }
    let workspace = Workspace::with("rm \"${0%/bin/*}/main.rs\"; echo 'fn main() {}'");
    workspace.write("main.rs", UGLY);
    assert_eq!(workspace.format("main.rs"), FormatResult::LeftAlone("it was changed meanwhile"));
    assert!(!workspace.path("main.rs").exists(), "it does not come back");
}

#[test]
fn a_rustfmt_that_misbehaves_changes_nothing() {
    for (lines, says) in [
        ("exit 0", "rustfmt printed no text"),
        ("printf '\\377'", "rustfmt printed no text"),
        ("echo 'fn main() {}'; exit 1", "rustfmt failed without saying why"),
        ("kill -SEGV $$", "rustfmt was ended by signal 11"),
        ("head -c 9000 /dev/zero | tr '\\0' x >&2; exit 1", "xxx\n…"),
    ] {
        let workspace = Workspace::with(lines);
        workspace.write("main.rs", UGLY);
        let text = failure(workspace.format("main.rs"));
        assert!(text.starts_with("`main.rs` was not formatted: ") && text.ends_with(says), "{text}");
        assert!(text.len() < COMPLAINT_LIMIT + 100);
        assert_eq!(workspace.read("main.rs"), UGLY);
    }
    let mut workspace = Workspace::with("sleep 60");
    workspace.write("main.rs", UGLY);
    let deadline = Instant::now() + Duration::from_millis(100);
    let with = RustFormatter {
        rustfmt: &workspace.rustfmt,
        workspace: workspace.directory.path(),
        places: EventPlaces { workspace: None, cwd: None, user: &UNKNOWN },
        editions: &[],
        toolchain: None,
        deadline,
    };
    let text = failure(format(&workspace.path("main.rs"), &with));
    assert!(text.ends_with("rustfmt did not finish in time"), "{text}");
    workspace.rustfmt = "no-such-rustfmt-anywhere".into();
    assert!(failure(workspace.format("main.rs")).ends_with("`no-such-rustfmt-anywhere` was not found in PATH"));
}

#[test]
fn the_project_has_no_say_in_which_program_runs() {
    let workspace = Workspace::with("echo \"$PWD $RUSTUP_TOOLCHAIN $*\" >&2; exit 1");
    workspace.write("src/main.rs", UGLY);
    let told = |toolchain| failure(workspace.format_by("src/main.rs", toolchain));
    assert!(told(Some("stable")).ends_with("rustfmt says\n/ stable --edition 2024"));
    assert!(told(None).ends_with("rustfmt says\n/  --edition 2024"));
}

#[test]
fn a_toolchain_that_the_project_names_is_not_used() {
    let workspace = Workspace::new();
    fs::create_dir_all(workspace.path("evil/bin")).unwrap();
    for name in ["rustfmt", "rustc", "cargo"] {
        script(&workspace.path("evil/bin").join(name), "#!/bin/sh\ntouch \"${0%/bin/*}/ran\"\ncat\n");
    }
    workspace.write("rust-toolchain.toml", format!("[toolchain]\npath = {:?}\n", workspace.path("evil")));
    workspace.write("main.rs", UGLY);
    assert_eq!(workspace.format("main.rs"), FormatResult::Done);
    assert_eq!(workspace.read("main.rs"), NICE);
    assert!(!workspace.path("evil/ran").exists());
}
