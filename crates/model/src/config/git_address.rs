//! Addresses of git repositories: parsing, the form passed to git, the form shown to users, and refused forms.

use std::fmt;

use super::redact::redact;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitProtocol {
    Https,
    /// Plain HTTP, which is allowed only to a server on this machine.
    HttpOfThisMachine,
    Ssh,
    Git,
    File,
}

/// An address that is safe to pass to git.
#[derive(Clone, PartialEq, Eq)]
pub struct GitAddress {
    url: String,
    shown: String,
    protocol: GitProtocol,
    github: Option<GitHub>,
    /// Set for a source that is updated only on request.
    held: bool,
}

/// A repository at GitHub, or at a server on this machine that imitates it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct GitHub {
    /// Scheme and host of the server that packs archives.
    archives: String,
    owner: String,
    repository: String,
    /// The segments after `tree/`: a branch, tag or commit, then a directory; only the server knows the boundary.
    tree: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressFault {
    pub message: String,
    pub help: String,
}

const HELP: &str = "write `https://…`, `ssh://…`, `git@host:path` or `file:///…`; for a directory use `path`";

impl GitAddress {
    /// Parses an address. Refuses one that git would take for an option, or for which it would run a program.
    pub fn parse(written: &str) -> Result<Self, AddressFault> {
        let written = written.trim();
        let refuse = |reason: &str, help: &str| {
            let message = format!("`{}` {reason}", redact(written).escape_debug());
            Err(AddressFault { message, help: help.to_owned() })
        };
        if written.is_empty() {
            return refuse("is not an address", HELP);
        }
        if written.starts_with('-') {
            return refuse("begins with `-`, which git would read as an option", HELP);
        }
        if let Some((helper, _)) = written.split_once("::").filter(|(helper, _)| is_word(helper)) {
            let reason =
                format!("would make git start the program `git-remote-{helper}`, which is not allowed for a source");
            return refuse(&reason, HELP);
        }
        if written.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return refuse("contains spaces or control characters", "write spaces as `%20`");
        }
        let Some((scheme, rest)) = written.split_once("://").filter(|(scheme, _)| is_word(scheme)) else {
            return match local_or_scp(written) {
                Some((url, protocol)) => {
                    Ok(Self { url, shown: redact(written).into_owned(), protocol, github: None, held: false })
                }
                None => refuse("is not the address of a git repository", HELP),
            };
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        if authority.starts_with('-') || host.starts_with('-') {
            return refuse("has a host that begins with `-`, which would be read as an option", HELP);
        }
        let protocol = match scheme.to_ascii_lowercase().as_str() {
            "https" => GitProtocol::Https,
            "http" if is_this_machine(host) => GitProtocol::HttpOfThisMachine,
            "http" => return refuse("is not encrypted, so it could be changed in transit", "write `https://`"),
            "ssh" => GitProtocol::Ssh,
            "git" => GitProtocol::Git,
            "file" => GitProtocol::File,
            _ => return refuse(&format!("uses the protocol `{scheme}`, which is not allowed"), HELP),
        };
        let has_host = !host.is_empty();
        if has_host == (protocol == GitProtocol::File && host != "localhost") || path.is_empty() {
            return refuse("is not the address of a git repository", HELP);
        }
        let shown = redact(written).into_owned();
        let whole = Self { url: written.to_owned(), shown, protocol, github: None, held: false };
        match (protocol, ArchiveHost::from_host(host)) {
            (GitProtocol::Https | GitProtocol::HttpOfThisMachine, Some(place)) => {
                whole.at_github(&place, authority, path)
            }
            _ => Ok(whole),
        }
    }

    /// Extracts the repository and the directory from an address of GitHub's form.
    fn at_github(self, place: &ArchiveHost, authority: &str, path: &str) -> Result<Self, AddressFault> {
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let mut segments = path.split('/').filter(|segment| !segment.is_empty());
        let (Some(owner), Some(repository)) = (segments.next(), segments.next()) else { return Ok(self) };
        let tree: Vec<String> = match segments.next() {
            None => Vec::new(),
            Some("tree") => segments.map(decoded).collect(),
            Some(_) => return Ok(self),
        };
        let bad = |segment: &&String| {
            matches!(segment.as_str(), "" | "." | "..")
                || segment.contains(['/', '\\', '\0', ':'])
                || segment.contains("..")
        };
        if let Some(segment) = tree.iter().find(bad) {
            let message =
                format!("`{}` names the directory `{}`, which is not a valid path", self.shown, segment.escape_debug());
            return Err(AddressFault { message, help: "copy the address from the browser".to_owned() });
        }
        let scheme = match self.protocol {
            GitProtocol::HttpOfThisMachine => "http",
            GitProtocol::Https | GitProtocol::Ssh | GitProtocol::Git | GitProtocol::File => "https",
        };
        let url =
            if tree.is_empty() { self.url.clone() } else { format!("{scheme}://{authority}/{owner}/{repository}") };
        let archives = match place {
            ArchiveHost::GitHub => "https://codeload.github.com".to_owned(),
            ArchiveHost::ThisMachine(host) => format!("{scheme}://{host}"),
        };
        let repository = repository.strip_suffix(".git").unwrap_or(repository).to_owned();
        let github = Some(GitHub { archives, owner: owner.to_owned(), repository, tree });
        Ok(Self { url, github, ..self })
    }

    /// Returns the address for git. It may contain credentials: never print or log it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the address as written, without credentials. Equal texts name equal content.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns the address for a source that is updated only on request, even if another source follows the repository.
    #[must_use]
    pub fn held(self) -> Self {
        Self { held: true, ..self }
    }

    #[must_use]
    pub fn following(self) -> Self {
        Self { held: false, ..self }
    }

    pub fn is_held(&self) -> bool {
        self.held
    }

    pub fn protocol(&self) -> GitProtocol {
        self.protocol
    }

    /// Returns the segments after `tree/` in GitHub's form: a branch, tag or commit, then a directory. Any number of
    /// the first segments may be the name of the branch.
    pub fn tree(&self) -> &[String] {
        self.github.as_ref().map_or(&[], |github| &github.tree)
    }

    /// Returns every split of [`GitAddress::tree`] into a reference and a directory, the longest reference first.
    /// Without a tree, the only one is the default branch and everything in it.
    pub fn readings(&self) -> Vec<(String, String)> {
        let tree = self.tree();
        if tree.is_empty() {
            return vec![("HEAD".to_owned(), String::new())];
        }
        let splits = (1..=tree.len().min(MAX_REFERENCE_PARTS)).rev();
        splits
            .map(|at| {
                let (reference, directory) = tree.split_at(at);
                (reference.join("/"), directory.join("/"))
            })
            .collect()
    }

    /// Returns the address of an archive with the content of a branch, tag or commit, for a fetch without git.
    pub fn archive_url(&self, reference: &str) -> Option<String> {
        let github = self.github.as_ref()?;
        Some(format!("{}/{}/{}/tar.gz/{}", github.archives, github.owner, github.repository, encoded(reference)))
    }
}

/// No branch has more parts to its name, and each part costs a request to the server.
const MAX_REFERENCE_PARTS: usize = 8;

/// Leaves credentials out of debug output.
impl fmt::Debug for GitAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GitAddress").field(&self.shown).finish()
    }
}

/// A server whose addresses have GitHub's form.
enum ArchiveHost {
    GitHub,
    ThisMachine(String),
}

impl ArchiveHost {
    fn from_host(host: &str) -> Option<Self> {
        match host.to_ascii_lowercase().as_str() {
            "github.com" | "www.github.com" => Some(Self::GitHub),
            _ => is_this_machine(host).then(|| Self::ThisMachine(host.to_owned())),
        }
    }
}

/// Parses a path as a repository on this machine, and `host:path` as one reached through ssh.
fn local_or_scp(written: &str) -> Option<(String, GitProtocol)> {
    if written.starts_with('/') {
        return Some((format!("file://{written}"), GitProtocol::File));
    }
    let (host, path) = written.split_once(':')?;
    let name = host.rsplit_once('@').map_or(host, |(_, name)| name);
    // One letter is a drive.
    let is_host = host.len() > 1 && !name.is_empty() && !name.starts_with('-') && !host.contains('/');
    (is_host && !path.is_empty() && !path.starts_with('-')).then(|| (written.to_owned(), GitProtocol::Ssh))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or(rest, |(name, _)| name),
        None => host.split_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Decodes `%20` and the like; an invalid code stays.
pub(super) fn decoded(segment: &str) -> String {
    let mut parts = segment.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let code =
            part.split_at_checked(2).and_then(|(digits, rest)| Some((u8::from_str_radix(digits, 16).ok()?, rest)));
        match code {
            Some((byte, rest)) => {
                bytes.push(byte);
                bytes.extend_from_slice(rest.as_bytes());
            }
            None => {
                bytes.push(b'%');
                bytes.extend_from_slice(part.as_bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn encoded(reference: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/');
    reference
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(written: &str) -> GitAddress {
        GitAddress::parse(written).unwrap_or_else(|fault| panic!("{written}: {fault:?}"))
    }

    #[test]
    fn addresses_git_may_be_given() {
        for (written, url, shown, protocol) in [
            ("https://h/r.git", "https://h/r.git", "https://h/r.git", GitProtocol::Https),
            ("https://u:p@h/r", "https://u:p@h/r", "https://h/r", GitProtocol::Https),
            ("https://token@h/r?x=secret", "https://token@h/r?x=secret", "https://h/r", GitProtocol::Https),
            ("http://127.0.0.1:80/r", "http://127.0.0.1:80/r", "http://127.0.0.1:80/r", GitProtocol::HttpOfThisMachine),
            ("http://[::1]:8/r", "http://[::1]:8/r", "http://[::1]:8/r", GitProtocol::HttpOfThisMachine),
            ("ssh://git@h/r", "ssh://git@h/r", "ssh://git@h/r", GitProtocol::Ssh),
            ("ssh://git:p@h:22/r", "ssh://git:p@h:22/r", "ssh://h:22/r", GitProtocol::Ssh),
            ("git@h:o/r.git", "git@h:o/r.git", "git@h:o/r.git", GitProtocol::Ssh),
            ("git://h/r", "git://h/r", "git://h/r", GitProtocol::Git),
            ("file:///srv/r", "file:///srv/r", "file:///srv/r", GitProtocol::File),
            ("/srv/r", "file:///srv/r", "/srv/r", GitProtocol::File),
        ] {
            let address = parsed(written);
            assert_eq!((address.url(), address.shown(), address.protocol()), (url, shown, protocol), "{written}");
        }
    }

    #[test]
    fn what_git_would_run_or_misread_is_refused() {
        for (written, expected) in [
            ("--upload-pack=touch /tmp/x", "option"),
            ("-x", "option"),
            ("ext::sh -c touch% /tmp/x", "git-remote-ext"),
            ("fd::17/x", "git-remote-fd"),
            ("http://example.com/r", "not encrypted"),
            ("http://127.0.0.1.example.com/r", "not encrypted"),
            ("ftp://h/r", "protocol `ftp`"),
            ("ssh://-oProxyCommand=x/r", "host that begins"),
            ("ssh://a@-oProxyCommand=x/r", "host that begins"),
            ("-oProxyCommand=x:r", "option"),
            ("git@-oProxyCommand=x:r", "not the address"),
            ("C:\\repo", "not the address"),
            ("https://h/a b", "spaces"),
            ("https://h/a\nb", "spaces"),
            ("https://", "not the address"),
            ("file://host/r", "not the address"),
            ("relative/dir", "not the address"),
            ("", "not an address"),
            ("https://u:secret@h/a b", "https://h/a b"),
        ] {
            let fault = GitAddress::parse(written).expect_err(written);
            assert!(fault.message.contains(expected), "{written}: {}", fault.message);
            assert!(!fault.message.contains("secret"), "{}", fault.message);
        }
    }

    #[test]
    fn github_trees_are_narrowed_in_every_possible_way() {
        let address = parsed("https://github.com/o/r/tree/feature/x/a%20b/");
        assert_eq!(address.url(), "https://github.com/o/r");
        assert_eq!(
            address.readings(),
            [("feature/x/a b", ""), ("feature/x", "a b"), ("feature", "x/a b")]
                .map(|(reference, directory)| (reference.to_owned(), directory.to_owned()))
        );
        assert_eq!(address.archive_url("feature/x").unwrap(), "https://codeload.github.com/o/r/tar.gz/feature/x");
        assert_eq!(parsed("https://t@github.com/o/r.git/tree/v1").url(), "https://t@github.com/o/r.git");
        let local = parsed("http://localhost:7/o/r/tree/main/d");
        assert_eq!(local.url(), "http://localhost:7/o/r");
        assert_eq!(local.archive_url("a b").unwrap(), "http://localhost:7/o/r/tar.gz/a%20b");
        let plain = parsed("https://github.com/o/r.git");
        assert_eq!(plain.readings(), [("HEAD".to_owned(), String::new())]);
        assert_eq!(plain.archive_url("HEAD").unwrap(), "https://codeload.github.com/o/r/tar.gz/HEAD");
        assert_eq!(parsed("https://example.com/o/r/tree/main/d").archive_url("main"), None);
        for bad in ["https://github.com/o/r/tree/main/../x", "https://github.com/o/r/tree/main/%2e%2e/x"] {
            assert!(GitAddress::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn looking_at_an_address_shows_no_credentials() {
        let shown = format!("{:?}", parsed("https://u:secret@h/r"));
        assert_eq!(shown, "GitAddress(\"https://h/r\")");
    }
}
