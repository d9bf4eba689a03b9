use super::super::plugin_commands::{command_reaches, hook_reach};
use super::super::reached_files::ReachableFiles;
use super::super::referenced_file::{FileRole, GrantCoverage};
use crate::manifest::Plugin;

fn plugin(text: &str) -> Plugin {
    crate::manifest::parse("p/SYMPOSIUM.toml", text, "p").plugin.unwrap()
}

fn of_line(line: &str, coverage: GrantCoverage) -> ReachableFiles {
    let plugin = plugin(&format!("name = \"p\"\n[[hooks]]\nevent = \"Stop\"\ncommand = {line:?}\n"));
    hook_reach(&plugin, &plugin.hooks[0], coverage)
}

/// The reachable files: `plugin:`, `workspace:`, `either:` or `machine:`, then the path; files that are run in
/// capitals.
fn shown(reach: &ReachableFiles) -> Vec<String> {
    let ReachableFiles::Files(files) = reach else { panic!("{reach:?}") };
    let shown = files.iter().map(|file| {
        let base = format!("{:?}", file.base);
        let base = if file.role.is_word() { base.to_lowercase() } else { base.to_uppercase() };
        match file.role {
            FileRole::Unquoted => "unquoted".to_owned(),
            _ => format!("{base}:{}", file.path),
        }
    });
    shown.collect()
}

#[track_caller]
fn check(line: &str, expected: &[&str]) {
    assert_eq!(shown(&of_line(line, GrantCoverage::Whole)), expected, "{line}");
}

#[test]
fn the_files_that_a_command_names_are_found_however_they_are_written() {
    check("./x.sh --flag", &["PLUGIN:./x.sh"]);
    check("sh x.sh", &["EITHER:x.sh"]);
    check("sh $SYMPOSIUM_PLUGIN_DIR/x.sh", &["PLUGIN:x.sh", "unquoted"]);
    check("sh \"${SYMPOSIUM_PLUGIN_DIR}/my script.sh\"", &["PLUGIN:my script.sh"]);
    check("sh \"$SYMPOSIUM_PLUGIN_DIR\"/x.sh", &["PLUGIN:x.sh"]);
    check("sh \"$CLAUDE_PROJECT_DIR/tools/x.sh\"", &["WORKSPACE:tools/x.sh"]);
    check("sh tools/x.sh", &["EITHER:tools/x.sh"]);
    check("sh -eu -o pipefail tools/x.sh a/b", &["either:a/b", "EITHER:tools/x.sh"]);
    check("python3 ./tool.py --flag", &["EITHER:./tool.py"]);
    check("python3 -u 'my tool.py'", &["EITHER:my tool.py"]);
    check("node tools/m.js", &["EITHER:tools/m.js"]);
    check("sh /opt/x.sh", &["MACHINE:/opt/x.sh"]);
    check("java -jar ./x.jar", &["either:./x.jar", "either:ar"]);
    check("cat a|grep -q 'b c' --file=./d", &["either:./d", "either:a", "either:b", "either:b c", "either:c"]);
    check("jq -f./x.jq <in.json >out.json 2>&1", &["either:./x.jq", "either:in.json"]);
    check(
        "curl -d @body.json https://example.com/x",
        &[
            "either:@body.json",
            "either:body.json",
            "either:https",
            "either:https://example.com/x",
            "machine://example.com/x",
        ],
    );
    check("A=1 B=lib/x ./x.sh", &["EITHER:./x.sh", "either:1", "either:lib/x"]);
    check("env -i A=1 sh x.sh", &["either:1", "EITHER:x.sh"]);
    check("timeout 5 ./x.sh", &["EITHER:./x.sh"]);
    check("exec ./x.sh", &["EITHER:./x.sh"]);
    check(". ./rc.sh; true", &["EITHER:./rc.sh"]);
    check("cd $SYMPOSIUM_PLUGIN_DIR && ./x.sh", &["PLUGIN:", "PLUGIN:./x.sh", "unquoted"]);
    check("cd \"$SYMPOSIUM_PLUGIN_DIR/lib\" && sh deep/x.sh | make", &["PLUGIN:lib", "PLUGIN:lib/deep/x.sh"]);
    check("cd \"$SYMPOSIUM_WORKSPACE\" && sh x.sh", &["EITHER:x.sh"]);
    check("if test -f ../x; then ./x.sh; else exit 0; fi", &["EITHER:./x.sh"]);
    check("echo 'a rule: ..' # ../x\n./x.sh", &["EITHER:./x.sh"]);
    check("{ ./x.sh; } || true", &["EITHER:./x.sh"]);
    check("(./x.sh)", &["EITHER:./x.sh"]);
    check("./x.sh $SYMPOSIUM_AGENT", &["PLUGIN:./x.sh"]);
    check("sed -n 's/a/b/p' x.txt", &["either:s/a/b/p", "either:x.txt"]);
    check("awk '{print}'", &["either:print", "either:{print}"]);
    check("git diff --stat", &["either:diff"]);
    check("rustfmt x.rs", &["workspace:rust-toolchain", "workspace:rust-toolchain.toml", "either:x.rs"]);
    check(
        "cargo fmt",
        &[
            "workspace:.cargo/config",
            "workspace:.cargo/config.toml",
            "workspace:rust-toolchain",
            "workspace:rust-toolchain.toml",
            "either:fmt",
        ],
    );
}

/// Lines, each with a word of the reason.
const UNTOLD: &[(&str, &str)] = &[
    ("sh $SYMPOSIUM_PLUGIN_DIR/../shared/x.sh", ".."),
    ("sh ${SYMPOSIUM_PLUGIN_DIR}x/x.sh", "next to"),
    ("cd tools && sh x.sh", "cd"),
    ("cd tools; sh x.sh", "cd"),
    ("cd $SYMPOSIUM_WORKSPACE/tools && sh ./x.sh", "cd"),
    ("cd $SYMPOSIUM_PLUGIN_DIR/.. && sh shared/x.sh", "cd"),
    ("cd $SYMPOSIUM_PLUGIN_DIR; sh x.sh", "cd"),
    ("true && cd $SYMPOSIUM_PLUGIN_DIR && sh x.sh", "cd"),
    ("(cd $SYMPOSIUM_PLUGIN_DIR && true); sh x.sh", "cd"),
    ("cd $SYMPOSIUM_PLUGIN_DIR && true & sh x.sh", "&"),
    ("cd", "cd"),
    ("cd -", "cd"),
    ("sh \"${CLAUDE_PROJECT_DIR:-.}/tools/x.sh\"", "CLAUDE_PROJECT_DIR:-."),
    ("sh \"$PWD/tools/x.sh\"", "$PWD"),
    ("sh \"$(git rev-parse --show-toplevel)/tools/x.sh\"", "$("),
    ("sh `pwd`/x.sh", "backquote"),
    ("sh \"`pwd`/x.sh\"", "backquote"),
    ("sh $(<file)", "$("),
    ("for f in tools/*.sh; do sh $f; done", "*"),
    ("for f in a b; do sh x.sh; done", "for"),
    ("D=tools; sh $D/x.sh", "$D"),
    ("sh tools/$SYMPOSIUM_EVENT.sh", "event"),
    ("$SYMPOSIUM_AGENT", "is unknown"),
    ("env -C tools sh x.sh", "env -C"),
    ("env -S 'sh tools/x.sh'", "env -S"),
    ("env FOO=../x true", ".."),
    ("env PYTHONPATH=lib python3 x.py", "PYTHONPATH"),
    ("PATH=tools x", "PATH"),
    ("export PATH=tools; x", "PATH"),
    ("IFS=x sh y", "IFS"),
    ("BASH_ENV=tools/x.sh bash y", "BASH_ENV"),
    ("pushd tools; sh x.sh", "pushd"),
    ("sh \"${SYMPOSIUM_PLUGIN_DIR%/p}/shared/x.sh\"", "SYMPOSIUM_PLUGIN_DIR%/p"),
    ("sh \"$(dirname $SYMPOSIUM_PLUGIN_DIR)/shared/x.sh\"", "$("),
    ("sh tools/x.sh <<E\nE", "<<"),
    ("sh <<<'sh x.sh'", "<<"),
    ("sh <(cat x)", "<("),
    ("sh ../shared/x.sh", ".."),
    ("sh a/../../x.sh", ".."),
    ("tool --file=../x", ".."),
    ("make -C tools", "make"),
    ("make", "make"),
    ("/usr/bin/make", "make"),
    ("just lint", "just"),
    ("npm run lint", "npm"),
    ("npx tool", "npx"),
    ("bun run x.ts", "bun"),
    ("deno run x.ts", "deno"),
    ("cargo run", "cargo run"),
    ("cargo test", "cargo test"),
    ("cargo xtask", "cargo xtask"),
    ("cargo --config x check", "cargo"),
    ("cargo check --config x", "cargo"),
    ("pytest", "pytest"),
    ("pre-commit run", "pre-commit"),
    ("python3 -m mod", "python3 -m"),
    ("python3 -c 'import x'", "python3 -c"),
    ("python3.12 -Sc 'import x'", "python3.12 -Sc"),
    ("python3", "python3"),
    ("python3 -", "python3"),
    ("node -r ./x.js y.js", "node -r"),
    ("node -e 'x'", "node -e"),
    ("node --import ./x.js y.js", "node --import"),
    ("perl -Ilib x.pl", "perl -Ilib"),
    ("perl -e 'x'", "perl -e"),
    ("ruby -r ./x y.rb", "ruby -r"),
    ("sh -c 'sh tools/x.sh'", "sh -c"),
    ("bash -lc 'x'", "bash -lc"),
    ("cat tools/x.sh | sh", "sh"),
    ("sh < tools/x.sh", "sh"),
    ("sh -s", "sh -s"),
    ("$SYMPOSIUM_PLUGIN_DIR/venv/bin/python -m mod", "python -m"),
    ("eval sh tools/x.sh", "eval"),
    ("trap 'sh x' EXIT", "trap"),
    ("alias x='sh y'; x", "alias"),
    ("echo x | xargs sh", "xargs"),
    ("find . -name x -exec sh {} +", "find"),
    ("fd -e sh -x sh", "fd"),
    ("fd -Hx sh -e sh", "fd"),
    ("git grep -nO./tools/x.sh hello", "git"),
    ("git grep --open=./tools/x.sh hello", "git"),
    ("git log --ext", "git"),
    ("git diff --textc", "git"),
    ("rg --pre sh x", "rg"),
    ("split --filter=sh x", "split"),
    ("run-parts ./tools", "run-parts"),
    ("git -C tools status", "git"),
    ("git -c alias.x='!sh y' x", "git"),
    ("git commit -m x", "git"),
    ("git diff --ext-diff", "git"),
    ("sh tools/{x,y}.sh", "{"),
    ("sh tools/x{1..3}.sh", "{"),
    ("sh tools/?.sh", "?"),
    ("sh tools/[xy].sh", "["),
    ("sh ~/x.sh", "~"),
    ("A=~/x.sh ./y", "~"),
    ("sh $'tools/x.sh'", "$"),
    ("sh \"$1\"", "$1"),
    ("\"$@\"", "$@"),
    ("sh /proc/self/cwd/tools/x.sh", "/proc"),
    ("sh /dev/stdin", "/dev/stdin"),
    ("awk 'BEGIN{system(\"x\")}'", "awk"),
    ("sed 's/a/b/e' x", "sed"),
    ("sed '1e sh x' y", "sed"),
    ("timeout 5 make", "make"),
    ("timeout -k 1 5 sh x", "timeout -k"),
    ("nohup make", "make"),
    ("exec make", "make"),
    ("command -p make", "command -p"),
    ("true && make", "make"),
    ("if true; then make; fi", "make"),
    ("sudo sh x", "sudo"),
    ("docker run x", "docker"),
    ("rustup run nightly x", "rustup"),
    ("java -cp x Main", "java"),
    ("go run ./tools/x", "go"),
    ("go vet ./tools", "go"),
    ("dotnet run --project tools", "dotnet"),
    ("swift run", "swift"),
    ("zig build", "zig"),
    ("pylint src", "pylint"),
    ("mypy src", "mypy"),
    ("tsx tools/x.ts", "tsx"),
    ("deno run ./tools", "deno"),
    ("gradle check", "gradle"),
    ("inv lint", "inv"),
    ("nim c tools/x.nim", "nim"),
    ("Rscript tools/x.R", "Rscript"),
    ("ruby -Itools x.rb", "ruby -Itools"),
    ("ruby3.1 -Itools x.rb", "ruby3.1 -Itools"),
    ("perl5.36 -Ilib x.pl", "perl5.36 -Ilib"),
    ("perl5.36-x86_64-linux-gnu -e x", "perl5.36-x86_64-linux-gnu -e"),
    ("lua5.4 -l x", "lua5.4 -l"),
    ("node20 -r ./x.js y.js", "node20 -r"),
    ("pypy3 -m mod", "pypy3 -m"),
    ("python3.12-dbg -m mod", "python3.12-dbg -m"),
    ("csh -c 'source x'", "csh -c"),
    ("tcsh", "tcsh"),
    ("make-4.3", "make-4.3"),
    ("npm.cmd run x", "npm"),
    ("npm --prefix tools run x", "npm"),
    ("docker run -v ./tools:/t x", "docker"),
    ("cargo run --manifest-path tools/x/Cargo.toml", "cargo run"),
    ("cargo check --manifest-path tools/x/Cargo.toml", "cargo"),
    ("gawk -l ./tools/ext '{print}'", "gawk"),
    ("ionice sh tools/x.sh", "ionice"),
    ("grep -rh '' tools > gen.sh; sh ./gen.sh", "may write `./gen.sh`"),
    ("grep -rh '' tools | tee gen.sh; sh gen.sh", "may write"),
    ("curl -s -ogen.sh https://example.com/x; sh \"$SYMPOSIUM_WORKSPACE/gen.sh\"", "may write"),
    ("cat src/lib.rs > /srv/w/x.sh; sh tools/x.sh", "may write"),
    ("git log --format=%B --output=tools/x.sh && sh tools/x.sh", "may write"),
    ("find tools -fprint gen.sh; sh gen.sh", "may write"),
    ("awk '{print > \"gen.sh\"}' notes; sh gen.sh", "may write"),
    ("curl -o plugins/p/x.sh https://example.com/x; ./x.sh", "may write"),
    ("rustdoc --test src/lib.rs", "--test"),
    ("curl -s https://example.com/x > gen.sh && . ./gen.sh", "may write"),
    ("a\u{1}b", "control"),
    ("sh 'x", "quote"),
];

#[test]
#[cfg_attr(windows, ignore = "the commands are those of a shell of Unix")]
fn what_only_a_shell_or_the_disk_could_tell_is_not_told() {
    for (line, word) in UNTOLD {
        let plugin = plugin("name = \"p\"\n[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\n");
        let mut hook = plugin.hooks[0].clone();
        hook.command = crate::manifest::CommandSpec::Line { line: (*line).to_owned(), args: Vec::new() };
        match hook_reach(&plugin, &hook, GrantCoverage::Whole) {
            ReachableFiles::Unknown(unknown) => assert!(unknown.reason.contains(word), "{line}: {unknown:?}"),
            ReachableFiles::Files(files) => panic!("{line}: {files:?}"),
        }
    }
}

#[test]
fn in_a_directory_that_is_covered_anything_may_run_what_it_finds() {
    let line = "cd \"$SYMPOSIUM_PLUGIN_DIR\" && make";
    assert!(matches!(of_line(line, GrantCoverage::Whole), ReachableFiles::Files(_)));
    assert!(matches!(of_line(line, GrantCoverage::Named), ReachableFiles::Unknown(_)));
}

#[test]
fn arguments_servers_and_installations_count_too() {
    let text = "name = \"p\"\n\
        [[hooks]]\nevent = \"Stop\"\ncommand = \"sh\"\nargs = [\"a b.sh\", \"$HOME\"]\n\
        [[hooks]]\nname = \"i\"\nevent = \"Stop\"\ncommand = \"i\"\nargs = [\"x\"]\n\
        [[hooks]]\nname = \"v\"\nevent = \"Stop\"\ncommand = \"$SYMPOSIUM_i --flag\"\nrequirements = [\"i\"]\n\
        [[mcp_servers]]\nname = \"s\"\ncommand = \"node\"\nargs = [\"${SYMPOSIUM_PLUGIN_DIR}/server.js\"]\nenv = { TOKEN = \"${TOKEN}\", D = \"data/x\" }\n\
        [[mcp_servers]]\nname = \"u\"\ncommand = \"node\"\nargs = [\"${HOME}/server.js\"]\n\
        [[mcp_servers]]\nname = \"e\"\ncommand = \"x\"\nenv = { LD_PRELOAD = \"./x.so\" }\n\
        [[installations]]\nname = \"i\"\nscript = \"run.sh\"\ninstall_commands = [\"make && sh ./setup.sh\"]\n\
        [[installations]]\nname = \"j\"\ninstall_commands = [\"sh ../setup.sh\"]\n";
    let found = command_reaches(&plugin(text), GrantCoverage::Whole);
    let shown_of = |name: &str| shown(&found.iter().find(|command| command.name == name).unwrap().reach);
    assert_eq!(shown_of("Stop"), ["either:$HOME", "EITHER:a b.sh"]);
    assert_eq!(shown_of("i"), ["PLUGIN:./setup.sh", "PLUGIN:run.sh", "either:x"]);
    assert_eq!(shown_of("v"), ["PLUGIN:./setup.sh", "PLUGIN:run.sh", "unquoted"]);
    assert_eq!(shown_of("s"), ["PLUGIN:server.js", "either:data/x"]);
    let unknown: Vec<&str> = found
        .iter()
        .filter(|command| matches!(command.reach, ReachableFiles::Unknown(_)))
        .map(|command| command.name.as_str())
        .collect();
    assert_eq!(unknown, ["u", "e", "j"]);
}

#[test]
fn what_a_program_does_with_its_words_is_told_by_the_program() {
    let role_of = |line: &str, path: &str| {
        let ReachableFiles::Files(files) = of_line(line, GrantCoverage::Whole) else { panic!("{line}") };
        files.into_iter().find(|file| file.path == path).map(|file| file.role)
    };
    for (line, role) in [
        ("grep -r x tools", FileRole::Data),
        ("git diff tools", FileRole::Data),
        ("./x.sh tools", FileRole::Word),
        ("sh x.sh --in=tools", FileRole::Word),
        ("LIB=tools ./x.sh", FileRole::Word),
        ("rustc -L tools x.rs", FileRole::Word),
        ("mytool tools", FileRole::Operand),
        ("mytool -Itools", FileRole::Operand),
        ("mytool --volume ./x:tools", FileRole::Operand),
        ("grep -rh '' tools | mytool", FileRole::Operand),
        ("echo source tools | mytool", FileRole::Operand),
        ("java -jar tools", FileRole::Operand),
        ("cd \"$SYMPOSIUM_PLUGIN_DIR\" && ./x.sh && make \"$SYMPOSIUM_WORKSPACE/tools\"", FileRole::Operand),
        ("sh tools", FileRole::Script),
        ("lua5.4 tools", FileRole::Script),
        ("node20 tools", FileRole::Program),
        ("python3 tools", FileRole::Module),
    ] {
        assert_eq!(role_of(line, "tools"), Some(role), "{line}");
    }
    assert_eq!(role_of("mytool .", "."), Some(FileRole::Operand));
    assert_eq!(role_of("echo tools && ./x.sh", "tools"), None);
}
