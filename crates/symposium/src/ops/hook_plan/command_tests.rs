use super::*;

/// A plugin in `/p` with two scripts and a link to the outside.
fn canonical(path: &Path) -> Option<PathBuf> {
    let mut real = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                real.pop();
            }
            std::path::Component::CurDir => {}
            other => real.push(other),
        }
    }
    match real.to_str()? {
        "/p/run.sh" | "/p/bin/it's" | "/p/a b.sh" | "/usr/bin/env" | "/p" => Some(real),
        "/p/link" => Some("/etc/passwd".into()),
        _ => None,
    }
}

fn places(plugin: Option<&'static str>) -> PathResolver<'static> {
    let is_file = &|path: &Path| path != Path::new("/p");
    PathResolver { plugin: plugin.map(Path::new), workspace: None, canonical: &canonical, is_file }
}

fn check(line: &str, args: &[&str], expected: Result<(&str, &[&str]), &str>) {
    let command = CommandSpec::Line { line: line.to_owned(), args: args.iter().map(|arg| (*arg).to_owned()).collect() };
    let found = resolve(&command, places(Some("/p"))).map(|found| {
        let run = match found.run {
            HandlerAction::Direct { program, args } => format!("{program} {args:?}"),
            HandlerAction::Shell { line, args } => format!("sh: {line} {args:?}"),
            HandlerAction::Rtk { .. } | HandlerAction::Autofmt(_) => panic!("{line} is no workflow of ours"),
        };
        let files: Vec<String> = found.files.iter().map(|file| file.display().to_string()).collect();
        (run, files)
    });
    let expected = expected
        .map(|(run, files)| (run.to_owned(), files.iter().map(|file| (*file).to_owned()).collect()))
        .map_err(str::to_owned);
    assert_eq!(found, expected, "{line}");
}

#[test]
fn a_first_word_with_a_slash_is_a_file_of_the_plugin() {
    check("./run.sh --x 'a b'", &["y"], Ok((r#"/p/run.sh ["--x", "a b", "y"]"#, &["/p/run.sh"])));
    check("bin/../run.sh", &[], Ok(("/p/run.sh []", &["/p/run.sh"])));
    check("\"./a b.sh\" x", &[], Ok((r#"/p/a b.sh ["x"]"#, &["/p/a b.sh"])));
    check("/p/run.sh", &[], Ok(("/p/run.sh []", &["/p/run.sh"])));
    check("./gone.sh", &[], Ok(("/p/gone.sh []", &["/p/gone.sh"])));
    check("../gone.sh", &[], Err("it runs `../gone.sh`, which is outside the plugin's directory"));
    check("./link", &[], Err("it runs `./link`, which is outside the plugin's directory"));
    check("/usr/bin/env x", &[], Err("it runs `/usr/bin/env`, which is outside the plugin's directory"));
    check("../usr/bin/env", &[], Err("it runs `../usr/bin/env`, which is outside the plugin's directory"));
}

#[test]
fn any_other_word_is_looked_up_when_it_is_run() {
    check("jq .x", &[], Ok((r#"jq [".x"]"#, &[])));
    check("python3 run.sh", &["--check"], Ok((r#"python3 ["/p/run.sh", "--check"]"#, &["/p/run.sh"])));
    check("''", &[], Err("its command names no program"));
    check("builtin:rtk", &[], Err("`builtin:rtk` is only for plugins that ship with Symposium"));
}

#[test]
fn a_shell_gets_the_line_with_its_first_word_in_place() {
    check("./run.sh | tee x", &[], Ok(("sh: '/p/run.sh' | tee x []", &["/p/run.sh"])));
    check("./run.sh;true", &[], Ok(("sh: '/p/run.sh';true []", &["/p/run.sh"])));
    check("'./a b.sh' && x", &[], Ok(("sh: '/p/a b.sh' && x []", &["/p/a b.sh"])));
    check("echo $HOME", &["y"], Ok((r#"sh: echo $HOME ["y"]"#, &[])));
    check("A=1 ./run.sh", &[], Ok(("sh: A=1 /p/run.sh []", &["/p/run.sh"])));
    check("~/x | y", &[], Ok(("sh: ~/x | y []", &[])));
    check(
        "sh \"$SYMPOSIUM_PLUGIN_DIR\"/run.sh",
        &[],
        Ok(("sh: sh \"$SYMPOSIUM_PLUGIN_DIR\"/run.sh []", &["/p/run.sh"])),
    );
    check("\"./bin/it's\" | x", &[], Ok((r"sh: '/p/bin/it'\''s' | x []", &["/p/bin/it's"])));
    check("./link | x", &[], Err("it runs `./link`, which is outside the plugin's directory"));
}

#[test]
fn a_plugin_inside_the_program_has_no_files_to_run() {
    let command = CommandSpec::Line { line: "./run.sh".to_owned(), args: Vec::new() };
    assert!(resolve(&command, places(None)).is_err());
    let installed = CommandSpec::Installed { installation: "tool".to_owned(), program: None, args: Vec::new() };
    let expected = "its program comes with the installation `tool`";
    assert_eq!(resolve(&installed, places(Some("/p"))).unwrap_err(), expected);
}
