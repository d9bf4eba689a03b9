//! Addresses of indexes: parsing, the parts that a request needs, and the form shown to users.

use std::fmt;
use std::path::PathBuf;

use super::git_address::{AddressFault, GitAddress, GitProtocol, decoded};

/// Stands for the path of an address that has none.
const ROOT: &str = "root-of-the-server";

/// The address of an index, which is a directory of files.
#[derive(Clone, PartialEq, Eq)]
pub struct IndexAddress {
    /// Without credentials and without a `/` at the end.
    url: String,
    shown: String,
    protocol: GitProtocol,
    /// In the form `user:password`, with codes such as `%40` decoded.
    credentials: Option<String>,
}

impl IndexAddress {
    pub fn parse(written: &str) -> Result<Self, AddressFault> {
        let help = "write `https://…` or `file:///…`";
        let fault = |fault: AddressFault| AddressFault {
            message: fault
                .message
                .replace("the address of a git repository", "the address of an index")
                .replace(&format!("/{ROOT}"), ""),
            help: help.to_owned(),
        };
        // An index may be at the root of its server.
        let written = written.trim().trim_end_matches('/');
        let is_root = written.split_once("://").is_some_and(|(_, rest)| !rest.is_empty() && !rest.contains('/'));
        let probe = if is_root { format!("{written}/{ROOT}") } else { written.to_owned() };
        let parsed = GitAddress::parse(&probe).map_err(fault)?;
        let shown = parsed.shown().strip_suffix(&format!("/{ROOT}")).unwrap_or(parsed.shown()).to_owned();
        let refuse = |reason: &str| {
            let message = format!("`{shown}` {reason}");
            Err(AddressFault { message, help: help.to_owned() })
        };
        match parsed.protocol() {
            GitProtocol::Https | GitProtocol::HttpOfThisMachine | GitProtocol::File => {}
            GitProtocol::Ssh | GitProtocol::Git => return refuse("is not the address of an index"),
        }
        if written.contains(['?', '#']) {
            return refuse("has a query, which an index cannot have");
        }
        let (scheme, rest) = written.split_once("://").unwrap_or(("file", written));
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (credentials, host) = match authority.rsplit_once('@') {
            Some((credentials, host)) => (Some(decoded(credentials)), host),
            None => (None, authority),
        };
        let scheme = scheme.to_ascii_lowercase();
        let url = format!("{scheme}://{host}/{path}").trim_end_matches('/').to_owned();
        Ok(Self { url, shown, protocol: parsed.protocol(), credentials })
    }

    /// Returns the address of a file, without credentials.
    pub fn file_url(&self, path: &str) -> String {
        format!("{}/{path}", self.url)
    }

    /// Returns the path of a file on this machine; `None` for an index on a server.
    pub fn local_file(&self, path: &str) -> Option<PathBuf> {
        let rest = self.url.strip_prefix("file://")?;
        let directory = rest.strip_prefix("localhost").unwrap_or(rest);
        let directory = decoded(directory);
        // On Windows, `file:///C:/index` is `C:/index`.
        let is_drive = cfg!(windows) && directory.get(2..3) == Some(":");
        let directory = directory.strip_prefix('/').filter(|_| is_drive).unwrap_or(&directory);
        Some(PathBuf::from(directory).join(path))
    }

    /// Returns the credentials as `user:password`: never print or log them.
    pub fn credentials(&self) -> Option<&str> {
        self.credentials.as_deref()
    }

    /// Returns the address as written, without credentials. Equal texts name equal content.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    pub fn protocol(&self) -> GitProtocol {
        self.protocol
    }

    /// Returns the place of archives that `config.json` names. An index on a server must not lead to files of this
    /// machine.
    pub fn archives(&self, named: &str) -> Result<Self, String> {
        if !named.contains("://") {
            let below = |base: &str| format!("{base}/{}", named.trim_end_matches('/'));
            return Ok(Self { url: below(&self.url), shown: below(&self.shown), ..self.clone() });
        }
        let other = Self::parse(named).map_err(|fault| fault.message)?;
        let is_farther = match (self.protocol, other.protocol) {
            (GitProtocol::File, _) | (_, GitProtocol::Https) => true,
            (GitProtocol::HttpOfThisMachine, protocol) => protocol == GitProtocol::HttpOfThisMachine,
            (GitProtocol::Https | GitProtocol::Ssh | GitProtocol::Git, _) => false,
        };
        if is_farther { Ok(other) } else { Err(format!("`{}` is not allowed as the place of archives", other.shown)) }
    }
}

/// Leaves credentials out of debug output.
impl fmt::Debug for IndexAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IndexAddress").field(&self.shown).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_indexes() {
        for (written, url, shown, credentials) in [
            ("https://h/i/", "https://h/i/x", "https://h/i", None),
            ("https://u:p%40@h/i", "https://h/i/x", "https://h/i", Some("u:p@")),
            ("HTTPS://h", "https://h/x", "HTTPS://h", None),
            ("http://u:p@localhost:8/", "http://localhost:8/x", "http://localhost:8", Some("u:p")),
            ("http://127.0.0.1:8080/i", "http://127.0.0.1:8080/i/x", "http://127.0.0.1:8080/i", None),
            (
                "http://localhost:1/o/r/tree/main",
                "http://localhost:1/o/r/tree/main/x",
                "http://localhost:1/o/r/tree/main",
                None,
            ),
            ("file:///srv/i", "file:///srv/i/x", "file:///srv/i", None),
            ("/srv/i", "file:///srv/i/x", "/srv/i", None),
        ] {
            let address = IndexAddress::parse(written).unwrap();
            let found = (address.file_url("x"), address.shown(), address.credentials());
            assert_eq!(found, (url.to_owned(), shown, credentials), "{written}");
        }
        let local = IndexAddress::parse("file:///srv/my%20index").unwrap();
        assert_eq!(local.local_file("1/a"), Some(PathBuf::from("/srv/my index/1/a")));
    }

    #[test]
    fn other_addresses_are_refused() {
        for (written, expected) in [
            ("http://example.com/i", "not encrypted"),
            ("git@h:o/r", "not the address of an index"),
            ("ssh://h/i", "not the address of an index"),
            ("https://h/i?token=secret", "has a query"),
            ("http://example.com", "`http://example.com` is not encrypted"),
            ("https://", "not the address of an index"),
            ("relative", "not the address of an index"),
        ] {
            let fault = IndexAddress::parse(written).expect_err(written);
            assert!(fault.message.contains(expected), "{}", fault.message);
            assert!(!fault.message.contains("secret"), "{}", fault.message);
        }
    }

    #[test]
    fn archives_are_below_or_on_another_server() {
        let of = |index: &str, named: &str| {
            IndexAddress::parse(index).unwrap().archives(named).map(|address| address.file_url("x"))
        };
        assert_eq!(of("https://u:p@h/i", "archives/"), Ok("https://h/i/archives/x".to_owned()));
        assert_eq!(of("https://h/i", "https://cdn/a"), Ok("https://cdn/a/x".to_owned()));
        assert_eq!(of("file:///i", "file:///a"), Ok("file:///a/x".to_owned()));
        for (index, named) in
            [("https://h/i", "file:///etc"), ("https://h/i", "http://127.0.0.1/a"), ("http://127.0.0.1/i", "file:///a")]
        {
            assert!(of(index, named).is_err(), "{index} {named}");
        }
    }
}
