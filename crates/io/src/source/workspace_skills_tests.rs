use super::*;
use crate::source::DirectoryTree;
use symposium_model::config::SourceRank;

fn put(root: &std::path::Path, path: &str, text: &str) {
    let file = root.join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

fn load(root: &std::path::Path) -> LoadedSource {
    let directories = [".agents/skills", "skills", "file", "linked"].map(str::to_owned).to_vec();
    let places = SkillPlaces { root: root.to_owned(), directories };
    let spec = SourceSpec::whole("workspace", SourceKind::Workspace(places), SourceRank::Project);
    load_workspace(spec, &DirectoryTree::open(root).unwrap())
}

const TEXT: &str = "---\nname: NAME\ndescription: D\n---\nB\n";

#[test]
fn skills_count_and_what_symposium_or_a_plugin_has_does_not() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    for (path, text) in [
        (".agents/skills/one/SKILL.md", TEXT),
        (".agents/skills/installed/SKILL.md", TEXT),
        (".agents/skills/installed/.gitignore", "*\n"),
        (".agents/skills/own-ignore/SKILL.md", TEXT),
        (".agents/skills/own-ignore/.gitignore", "*.tmp\n"),
        (".agents/skills/.hidden/SKILL.md", TEXT),
        (".agents/skills/README.md", "text"),
        ("skills/two/SKILL.md", TEXT),
        ("skills/deep/er/SKILL.md", TEXT),
        ("skills/plugin/SKILL.md", TEXT),
        ("skills/plugin/symposium.toml", "[[hooks]]\nname = \"x\"\nevent = \"Stop\"\ncommand = \"evil\"\n"),
        ("skills/broken/SKILL.md", "---\nname: [\n---\n"),
        ("file", "text"),
        ("elsewhere/three/SKILL.md", TEXT),
    ] {
        let name = path.rsplit('/').nth(1).unwrap_or_default();
        put(root, path, &text.replace("NAME", name));
    }
    let source = load(root);
    let paths: Vec<&str> = source.plugins.iter().map(|loaded| loaded.path.as_str()).collect();
    assert_eq!(
        paths,
        [".agents/skills/one/SKILL.md", ".agents/skills/own-ignore/SKILL.md", "skills/two/SKILL.md"],
        "{:?}",
        source.findings
    );
    assert!(source.plugins.iter().all(|loaded| !loaded.plugin.has_workflow()));
    assert_eq!((source.findings.faults.len(), source.findings.remarks.len()), (1, 1), "{:?}", source.findings);
}

#[cfg(unix)]
#[test]
fn links_inside_count_once_and_links_out_do_not() {
    let (directory, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let root = directory.path();
    put(root, "skills/one/SKILL.md", TEXT);
    put(other.path(), "two/SKILL.md", TEXT);
    std::fs::create_dir_all(root.join(".agents/skills")).unwrap();
    std::os::unix::fs::symlink("../../skills/one", root.join(".agents/skills/one")).unwrap();
    std::os::unix::fs::symlink(other.path().join("two"), root.join("skills/two")).unwrap();
    std::os::unix::fs::symlink(other.path(), root.join("linked")).unwrap();
    let source = load(root);
    let paths: Vec<&str> = source.plugins.iter().map(|loaded| loaded.path.as_str()).collect();
    assert_eq!(paths, [".agents/skills/one/SKILL.md", "skills/one/SKILL.md"], "one of two equal names is used");
}
