//! Index sources behind servers and proxies of others.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::plugin_index::{IndexWorld, age};

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A running nginx, with a log of the status and path of every request.
struct NginxServer {
    process: Child,
    plain: u16,
    encrypted: Option<u16>,
    log: PathBuf,
}

impl NginxServer {
    /// Serves a directory, also encrypted where `openssl` can make a certificate; `None` without nginx.
    fn start(directory: &Path, index: &Path) -> Option<Self> {
        let (plain, log) = (free_port(), directory.join("requests"));
        std::fs::create_dir_all(directory).unwrap();
        let encrypted = has_certificate(directory).then(free_port);
        let place = directory.display();
        let ssl = encrypted.map_or_else(String::new, |port| {
            format!("server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {place}/cert.pem; ssl_certificate_key {place}/key.pem; root {}; }}", index.display())
        });
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let temporary: String = temporary.map(|name| format!("{name}_temp_path {place}/{name};\n")).concat();
        let config = format!(
            "daemon off;\nmaster_process off;\npid {place}/pid;\nerror_log {place}/errors;\nevents {{}}\nhttp {{\n{temporary}\
             log_format short '$status $uri';\naccess_log {} short;\n\
             server {{ listen 127.0.0.1:{plain}; root {}; }}\n{ssl}\n}}\n",
            log.display(),
            index.display()
        );
        std::fs::write(directory.join("nginx.conf"), config).unwrap();
        let mut command = Command::new("nginx");
        command.arg("-p").arg(directory).arg("-c").arg(directory.join("nginx.conf"));
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
        let mut server = Self { process, plain, encrypted, log };
        let is_up = (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            TcpStream::connect(("127.0.0.1", plain)).is_ok()
        });
        assert!(is_up, "{:?} {:?}", server.process.try_wait(), std::fs::read_to_string(directory.join("errors")));
        Some(server)
    }

    /// Returns the requests since the last call, each as the status and the path.
    fn take_requests(&self) -> Vec<String> {
        let mut requests: Vec<String> =
            std::fs::read_to_string(&self.log).unwrap().lines().map(str::to_owned).collect();
        std::fs::write(&self.log, "").unwrap();
        requests.sort();
        requests
    }
}

impl Drop for NginxServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn has_certificate(directory: &Path) -> bool {
    let mut command = Command::new("openssl");
    command.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]);
    command.args(["-addext", "subjectAltName=IP:127.0.0.1"]);
    command.arg("-keyout").arg(directory.join("key.pem")).arg("-out").arg(directory.join("cert.pem"));
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[test]
fn nginx_serves_an_index_and_sends_what_is_unchanged_once() {
    let world = IndexWorld::new();
    let Some(server) = NginxServer::start(&world.context.root().join("nginx"), &world.index) else {
        eprintln!("skipped: there is no nginx");
        return;
    };
    world.use_url(&format!("http://127.0.0.1:{}", server.plain));
    let output = world.context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(world.skill("serde-help").unwrap().contains("first"));
    let requests = server.take_requests();
    assert!(requests.contains(&"200 /se/rd/serde".to_owned()), "{requests:?}");
    assert_eq!(requests.iter().filter(|request| request.contains("/archives/")).count(), 1, "{requests:?}");

    let output = world.context.invoke(&["plugin", "sync"]);
    assert!(output.stdout.contains("unchanged"), "{output:?}");
    let requests = server.take_requests();
    assert!(requests.contains(&"304 /se/rd/serde".to_owned()), "{requests:?}");
    assert!(!requests.iter().any(|request| request.starts_with("200")), "{requests:?}");

    // Its tags are made of the time in seconds and the size, so the new file needs another size.
    world.plugin("serde-help", "1.10.0", "serde", "second, which is longer");
    world.publish();
    age(&world.context);
    world.context.invoke(&["sync"]).expect(0);
    assert!(world.skill("serde-help").unwrap().contains("second"));

    let Some(port) = server.encrypted else {
        eprintln!("skipped in part: there is no openssl to make a certificate");
        return;
    };
    world.use_url(&format!("https://127.0.0.1:{port}"));
    server.take_requests();
    let output = world.context.invoke(&["sync"]);
    assert_eq!(output.code, 3, "{output:?}");
    let expected = format!("https://127.0.0.1:{port}: failed to fetch source `team`: invalid peer certificate");
    assert!(output.stderr.contains(&expected), "{output:?}");
    assert_eq!(server.take_requests(), [""; 0], "nothing was asked of a server that nobody vouches for");
    assert!(world.skill("serde-help").unwrap().contains("second"), "what was installed stays");
}

/// A proxy that connects to where it is told, and records it.
struct TunnelServer {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl TunnelServer {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let asked = Arc::clone(&shared);
                std::thread::spawn(move || tunnel(stream, &asked));
            }
        });
        Self { port, asked }
    }

    fn take_asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

fn tunnel(mut client: TcpStream, asked: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(client.try_clone().unwrap());
    let mut head = String::new();
    while reader.read_line(&mut head).is_ok_and(|read| read > 2) {}
    let first = head.lines().next().unwrap_or_default().to_owned();
    asked.lock().unwrap().push(head.clone());
    let Some(target) = first.strip_prefix("CONNECT ").and_then(|rest| rest.split(' ').next()) else {
        let _ = client.write_all(b"HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\n\r\n");
        return;
    };
    let Ok(mut server) = TcpStream::connect(target) else { return };
    let _ = client.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
    let (mut from_server, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    std::thread::spawn(move || std::io::copy(&mut from_server, &mut to_client));
    let _ = std::io::copy(&mut reader, &mut server);
}

/// Starts a server that answers whatever is sent without TLS, and returns its port.
fn serve_without_tls() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut beginning = [0; 16];
            let _ = stream.read(&mut beginning);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    port
}

#[test]
fn a_proxy_of_the_environment_is_used_and_its_password_never_shown() {
    let (mut world, _server) = IndexWorld::served();
    world.context.invoke(&["sync"]).expect(0);
    let port = serve_without_tls();
    world.use_url(&format!("https://127.0.0.1:{port}/i"));
    let proxy = TunnelServer::start();
    world.context.set("HTTPS_PROXY", &format!("http://reader:s3cret@127.0.0.1:{}", proxy.port));
    let output = world.context.invoke(&["sync"]);
    // The proxy passed on what either side sent.
    assert!(output.stderr.contains("failed to fetch source `team`: received corrupt message"), "{output:?}");
    assert!(!format!("{output:?}").contains("s3cret"), "{output:?}");
    assert!(world.skill("serde-help").is_some());
    let asked = proxy.take_asked();
    let target = format!("CONNECT 127.0.0.1:{port} ");
    assert!(!asked.is_empty() && asked.iter().all(|head| head.starts_with(&target)), "{asked:?}");
    assert!(asked[0].to_lowercase().contains("proxy-authorization: basic"), "{asked:?}");

    world.context.set("NO_PROXY", "127.0.0.1");
    let output = world.context.invoke(&["sync"]);
    assert!(output.stderr.contains("received corrupt message"), "{output:?}");
    assert_eq!(proxy.take_asked(), [""; 0]);

    world.context.set("NO_PROXY", "");
    world.context.set("HTTPS_PROXY", &format!("http://reader:s3cret@127.0.0.1:{}", free_port()));
    let output = world.context.invoke(&["sync"]);
    assert!(output.stderr.contains("failed to fetch source `team`"), "{output:?}");
    assert!(!format!("{output:?}").contains("s3cret"), "{output:?}");
    assert!(world.skill("serde-help").is_some());
}

/// What is not encrypted must not leave this machine, least of all the password.
#[test]
fn no_proxy_stands_between_symposium_and_a_plain_server_on_this_machine() {
    let (mut world, server) = IndexWorld::served();
    let proxy = TunnelServer::start();
    for variable in ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] {
        world.context.set(variable, &format!("http://127.0.0.1:{}", proxy.port));
    }
    world.use_url(&format!("http://reader:s3cret@127.0.0.1:{}/i", server.port()));
    let output = world.context.invoke(&["sync"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(world.skill("serde-help").is_some());
    assert_eq!(proxy.take_asked(), [""; 0]);
}

#[test]
fn a_proxy_that_cannot_be_used_is_not_passed_by() {
    let (mut world, server) = IndexWorld::served();
    world.use_url(&format!("https://127.0.0.1:{}/i", server.port()));
    for proxy in ["socks5://reader:s3cret@127.0.0.1:1", "socks5h://127.0.0.1:1", "ftp://127.0.0.1:1", "http://a b"] {
        world.context.set("ALL_PROXY", proxy);
        server.take_requests();
        let output = world.context.invoke(&["plugin", "sync"]);
        assert_eq!(output.code, 3, "{output:?}");
        let expected = "the proxy in `ALL_PROXY` cannot be used; its address has to begin with `http://` or `https://`";
        assert!(output.stderr.contains(expected), "{proxy}: {output:?}");
        assert!(!output.stderr.contains("address in the configuration"), "{proxy}: {output:?}");
        assert!(!format!("{output:?}").contains("s3cret"), "{output:?}");
        assert_eq!(server.last_head(), "", "{proxy}");
    }
}

#[test]
fn a_variable_with_a_proxy_that_cannot_be_used_spares_the_others() {
    let (mut world, _server) = IndexWorld::served();
    let port = serve_without_tls();
    world.use_url(&format!("https://127.0.0.1:{port}/i"));
    let proxy = TunnelServer::start();
    let answered = "failed to fetch source `team`: received corrupt message";
    // For addresses that are not encrypted.
    world.context.set("http_proxy", "socks5://127.0.0.1:1");
    let output = world.context.invoke(&["plugin", "sync"]);
    assert!(output.stderr.contains(answered), "{output:?}");
    world.context.set("all_proxy", "socks5://127.0.0.1:1");
    world.context.set("ALL_PROXY", "socks5://127.0.0.1:1");
    world.context.set("https_proxy", &format!("http://127.0.0.1:{}", proxy.port));
    let output = world.context.invoke(&["plugin", "sync"]);
    assert!(output.stderr.contains(answered), "{output:?}");
    assert!(!proxy.take_asked().is_empty());
    world.context.set("NO_PROXY", "localhost, 127.0.0.1");
    for named in ["https_proxy", "all_proxy"] {
        let output = world.context.invoke(&["plugin", "sync"]);
        assert!(output.stderr.contains(answered), "{named}: {output:?}");
        assert_eq!(proxy.take_asked(), [""; 0], "{named}");
        world.context.set("https_proxy", "");
    }
}
