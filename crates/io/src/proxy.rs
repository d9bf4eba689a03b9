//! The proxy that the environment names for encrypted requests.

use ureq::ProxyProtocol;
use ureq::http::Uri;

use crate::env;

/// The variables that may name a proxy, in the order in which they count.
const VARIABLES: [&str; 4] = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

/// The variables that may list the hosts that are asked without a proxy.
const EXCEPTIONS: [&str; 2] = ["no_proxy", "NO_PROXY"];

#[derive(Debug)]
pub(crate) enum ProxySetting {
    Direct,
    /// It also knows the hosts that are asked without it.
    Through(ureq::Proxy),
    Unusable(UnusableProxy),
}

/// The first variable that names a proxy, if none of the named ones can be used.
#[derive(Debug)]
pub(crate) struct UnusableProxy {
    pub(crate) variable: &'static str,
    /// Not a proxy to use: it only knows the hosts that are asked without one.
    exceptions: Option<ureq::Proxy>,
}

impl ProxySetting {
    pub(crate) fn from_env() -> Self {
        Self::choose(env::text)
    }

    /// Chooses the first proxy that can be used. `value` returns the value of a variable.
    fn choose(value: impl Fn(&str) -> Option<String>) -> Self {
        let exceptions = EXCEPTIONS.into_iter().find_map(&value).unwrap_or_default();
        let mut unusable = None;
        for variable in VARIABLES {
            let Some(address) = value(variable) else { continue };
            if let Some(proxy) = usable(address.trim(), &exceptions) {
                return Self::Through(proxy);
            }
            unusable = unusable.or(Some(variable));
        }
        let Some(variable) = unusable else { return Self::Direct };
        let exceptions = except(ureq::Proxy::builder(ProxyProtocol::Http), &exceptions);
        Self::Unusable(UnusableProxy { variable, exceptions })
    }
}

impl UnusableProxy {
    /// Returns false for the hosts that are asked without a proxy.
    pub(crate) fn concerns(&self, url: &str) -> bool {
        let uri = url.parse::<Uri>().ok();
        !uri.zip(self.exceptions.as_ref()).is_some_and(|(uri, exceptions)| exceptions.is_no_proxy(&uri))
    }
}

fn usable(address: &str, exceptions: &str) -> Option<ureq::Proxy> {
    let parsed = ureq::Proxy::new(address).ok()?;
    if !matches!(parsed.protocol(), ProxyProtocol::Http | ProxyProtocol::Https) {
        return None;
    }
    // Only a builder takes exceptions.
    let mut builder = ureq::Proxy::builder(parsed.protocol()).host(parsed.host()).port(parsed.port());
    if let Some(username) = parsed.username() {
        builder = builder.username(username);
    }
    if let Some(password) = parsed.password() {
        builder = builder.password(password);
    }
    except(builder, exceptions)
}

fn except(builder: ureq::ProxyBuilder, exceptions: &str) -> Option<ureq::Proxy> {
    let words = exceptions.split(',').map(str::trim).filter(|word| !word.is_empty());
    words.fold(builder, ureq::ProxyBuilder::no_proxy).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(variables: &[(&str, &str)]) -> ProxySetting {
        ProxySetting::choose(|name| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_first_usable_proxy_counts() {
        for (variables, expected) in [
            (&[("all_proxy", "socks5://a:1"), ("HTTPS_PROXY", "http://b:2")][..], "b:2"),
            (&[("https_proxy", "socks5://a:1"), ("ALL_PROXY", "https://b")], "b:443"),
            (&[("https_proxy", "http://a"), ("HTTPS_PROXY", "http://b")], "a:80"),
            (&[("HTTPS_PROXY", "http://a"), ("all_proxy", "http://b")], "a:80"),
            (&[("https_proxy", "ftp://a"), ("all_proxy", " b:3128 "), ("ALL_PROXY", "http://c")], "b:3128"),
            (&[("https_proxy", "http://[::1]:5/")], "[::1]:5"),
        ] {
            let ProxySetting::Through(proxy) = choose(variables) else { panic!("{variables:?}") };
            assert_eq!(format!("{}:{}", proxy.host(), proxy.port()), expected);
        }
        assert!(matches!(choose(&[]), ProxySetting::Direct));
        assert!(matches!(choose(&[("http_proxy", "http://a"), ("HTTP_PROXY", "x://a")]), ProxySetting::Direct));
    }

    #[test]
    fn credentials_of_a_proxy_are_kept() {
        let ProxySetting::Through(proxy) = choose(&[("https_proxy", "http://me:a%40b%25+@a:1")]) else { panic!() };
        assert_eq!((proxy.username(), proxy.password()), (Some("me"), Some("a@b%+")));
    }

    #[test]
    fn exceptions_are_told_by_the_host_of_each_request() {
        let exceptions = ("NO_PROXY", "localhost, 127.0.0.1 ,.inside.example,");
        let is_direct = |url: &str| {
            let ProxySetting::Through(proxy) = choose(&[("https_proxy", "http://a"), exceptions]) else { panic!() };
            let through = !proxy.is_no_proxy(&url.parse().unwrap());
            let ProxySetting::Unusable(unusable) =
                choose(&[("ALL_PROXY", "socks5://b"), ("all_proxy", "socks5://a"), exceptions])
            else {
                panic!()
            };
            assert_eq!((unusable.variable, unusable.concerns(url)), ("all_proxy", through), "{url}");
            !through
        };
        assert!(is_direct("https://localhost/x") && is_direct("https://127.0.0.1:5/x"));
        assert!(is_direct("https://archives.inside.example/x") && !is_direct("https://archives.example/x"));
    }
}
