use super::*;

const LINKS: [(&str, &str); 6] = [
    ("/l", "/w"),
    ("/r", "w/bin"),
    ("/p", "/proc/self/cwd/bin"),
    ("/loop", "/loop"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/home/user/work", "/w"),
];

fn read_link(path: &Path) -> Option<PathBuf> {
    LINKS.iter().find(|(link, _)| Path::new(link) == path).map(|(_, target)| PathBuf::from(target))
}

fn ground(places: &[&str]) -> ProjectGround {
    let user = UserGround { home: Some(Path::new("/home/user")), config: Some(Path::new("/home/user/.symposium")) };
    ProjectGround::new(places.iter().map(PathBuf::from), user, &read_link)
}

#[test]
fn links_are_followed_and_processes_are_not() {
    for (path, leads) in [
        ("/w/bin", Some("/w/bin")),
        ("/l/bin", Some("/w/bin")),
        ("/r/x", Some("/w/bin/x")),
        ("/usr/../l/./bin/not-there", Some("/w/bin/not-there")),
        ("/../usr", Some("/usr")),
        ("/proc/self/cwd", None),
        ("/usr/../proc/1/cwd", None),
        ("/p", None),
        ("/dev/fd/../cwd", None),
        ("/dev/stdin", None),
        ("/dev/null", Some("/dev/null")),
        ("/loop", None),
    ] {
        assert_eq!(destination(Path::new(path), &read_link).as_deref(), leads.map(Path::new), "{path}");
    }
}

#[test]
fn what_is_the_users_or_the_machines_is_no_project() {
    for (place, counts) in [
        ("/w", true),
        ("/home/user/work", true),
        ("/home/user/code", true),
        ("/home/user/.cargo/registry/src/evil", true),
        ("/usr/local/src/clone", true),
        ("/tmp", true),
        ("/", false),
        ("/home", false),
        ("/home/user", false),
        ("/home/user/.cargo", false),
        ("/home/user/.cargo/bin", false),
        ("/home/user/.pyenv/shims", false),
        ("/home/user/.symposium", false),
        ("/usr", false),
        ("/opt/homebrew", false),
    ] {
        assert_eq!(ground(&[place]) != ProjectGround::default(), counts, "{place}");
    }
}

#[test]
fn programs_are_looked_for_outside_the_project() {
    let path = ".:bin::/w/bin:/l/bin:/r:/proc/self/cwd/bin:/p:/usr/bin:/www:/bin";
    let found = ground(&["/w"]).program_directories(OsStr::new(path), &read_link);
    assert_eq!(found, ["/usr/bin", "/www", "/bin"].map(PathBuf::from));
}

#[test]
fn values_that_lead_into_the_project_are_told_from_others() {
    let exists = |path: &Path| ["/w/evil", "/w/evil/x", "/w/src"].iter().any(|there| Path::new(there) == path);
    for (name, value, leads) in [
        ("ANY", "/w", true),
        ("ANY", "/w/not/there", true),
        ("ANY", "/l/x", true),
        ("ANY", "/usr/share:/l/x", true),
        ("ANY", "--config=/w/x --other", true),
        ("ANY", "-I/w/x", true),
        ("ANY", "file:///w/x", true),
        ("ANY", "@/w/x.lua", true),
        ("ANY", "/proc/self/cwd/x", true),
        ("ANY", "evil/x", true),
        ("ANY", "./evil", true),
        ("X_CONFIG", "evil", true),
        ("ANY", "evil", false),
        ("MODE", "src", false),
        ("BRANCH", "feature/x", false),
        ("ANY", "", false),
        ("ANY", "https://example.com/w/x", false),
        ("ANY", "/www:/usr/w", false),
        ("SHELL", "/bin/sh", false),
        ("LS_COLORS", "rs=0:di=01;34", false),
    ] {
        let found = ground(&["/w"]).is_named_by(name, OsStr::new(value), Path::new("/w"), &exists, &read_link);
        assert_eq!(found, leads, "{name}={value}");
    }
}
