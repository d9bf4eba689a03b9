//! Repositories and servers for tests: real git, and this machine only.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// A repository with a working tree.
pub(crate) struct Repository {
    pub(crate) path: PathBuf,
}

impl Repository {
    pub(crate) fn create(path: PathBuf) -> Self {
        std::fs::create_dir_all(&path).unwrap();
        let repository = Self { path };
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    pub(crate) fn url(&self) -> String {
        format!("file://{}", self.path.display())
    }

    /// The address of it at a server on this machine: a project may not name a repository by its path.
    pub(crate) fn served(&self) -> String {
        static PORT: OnceLock<u16> = OnceLock::new();
        let port = PORT.get_or_init(|| git_server(Path::new("/")));
        format!("git://127.0.0.1:{port}{}", self.path.display())
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        self.git_at(args, "2024-05-01T12:00:00Z", b"")
    }

    pub(crate) fn git_at(&self, args: &[&str], date: &str, input: &[u8]) -> String {
        let mut child = Command::new("git")
            .args(args)
            .current_dir(&self.path)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_COMMITTER_DATE", date)
            .env("GIT_AUTHOR_DATE", date)
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_NAME"), "t")))
            .envs(["AUTHOR", "COMMITTER"].map(|who| (format!("GIT_{who}_EMAIL"), "t@example.com")))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// A skill for a crate, in a directory of its name.
    pub(crate) fn skill(&self, name: &str, krate: &str, body: &str) -> &Self {
        let own = name.rsplit('/').next().unwrap();
        let text = format!("---\nname: {own}\ndescription: About {krate}.\ncrates: {krate}\n---\n{body}\n");
        self.write(&format!("{name}/SKILL.md"), text)
    }

    /// Commits everything; gives back the commit.
    pub(crate) fn commit(&self) -> String {
        self.commit_at("2024-05-01T12:00:00Z")
    }

    pub(crate) fn commit_at(&self, date: &str) -> String {
        self.git(&["add", "--all"]);
        self.git_at(&["commit", "--quiet", "--allow-empty", "-m", "change"], date, b"");
        self.git(&["rev-parse", "HEAD"])
    }
}

/// Listens on a port of this machine and hands every connection to `serve`, each in a thread of its own.
fn listen(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = Arc::new(serve);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = Arc::clone(&serve);
            std::thread::spawn(move || serve(stream));
        }
    });
    port
}

/// A real git server for everything below a directory; the port it listens on.
pub(crate) fn git_server(base: &Path) -> u16 {
    let base = base.to_owned();
    listen(move |stream| {
        let output = stream.try_clone().unwrap();
        let _ = Command::new("git")
            .args(["daemon", "--inetd", "--export-all"])
            .arg(format!("--base-path={}", base.display()))
            .arg(&base)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdin(OwnedFd::from(stream))
            .stdout(OwnedFd::from(output))
            .stderr(Stdio::null())
            .status();
    })
}

/// How a server sends what was asked for, once it has said what there is.
#[derive(Clone, Copy)]
pub(crate) enum Pace {
    /// A little at a time.
    Trickle,
    /// A little, and then nothing.
    Stop,
}

/// A real git server behind a bad line: lists of branches come through at once, packs do not.
pub(crate) fn slow_git_server(base: &Path, pace: Pace) -> u16 {
    let real = git_server(base);
    listen(move |mut client| {
        let mut server = TcpStream::connect(("127.0.0.1", real)).unwrap();
        let mut requests = (client.try_clone().unwrap(), server.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut requests.0, &mut requests.1));
        let mut chunk = [0; 1024];
        let mut is_pack = false;
        while let Ok(read @ 1..) = server.read(&mut chunk) {
            is_pack = is_pack || chunk[..read].windows(4).any(|four| four == b"PACK");
            if client.write_all(&chunk[..read]).is_err() {
                return;
            }
            if is_pack {
                std::thread::sleep(match pace {
                    Pace::Trickle => Duration::from_millis(300),
                    Pace::Stop => Duration::from_mins(1),
                });
            }
        }
    })
}

/// A server that accepts every connection and never says a word.
pub(crate) fn deaf_server() -> u16 {
    counting_deaf_server().0
}

/// The same, and how often somebody called.
pub(crate) fn counting_deaf_server() -> (u16, Arc<AtomicUsize>) {
    let called = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&called);
    let port = listen(move |mut stream| {
        count.fetch_add(1, Ordering::Relaxed);
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    });
    (port, called)
}

/// An HTTP server with some files, which can be changed; how often it was asked is counted.
pub(crate) struct HttpServer {
    pub(crate) port: u16,
    pub(crate) asked: Arc<AtomicUsize>,
    pub(crate) files: Arc<Mutex<Vec<(String, Answer)>>>,
}

pub(crate) fn http_server(files: Vec<(String, Answer)>) -> HttpServer {
    let asked = Arc::new(AtomicUsize::new(0));
    let shared = Arc::new(Mutex::new(files));
    let (count, files) = (Arc::clone(&asked), Arc::clone(&shared));
    let port = listen(move |mut stream| {
        count.fetch_add(1, Ordering::Relaxed);
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
        let path = lines.next().and_then(|line| Some(line.split(' ').nth(1)?.to_owned())).unwrap_or_default();
        lines.take_while(|line| !line.is_empty()).for_each(drop);
        let answer = files.lock().unwrap().iter().find(|(known, _)| *known == path).map(|(_, answer)| answer.clone());
        let _ = match answer {
            Some(Answer::Body(bytes)) => {
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", bytes.len());
                stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes))
            }
            Some(Answer::Elsewhere(place)) => {
                let head = format!("HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n");
                stream.write_all(head.as_bytes())
            }
            None => stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        };
        // The other side decides when it has read everything.
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read(&mut [0; 64]);
    });
    HttpServer { port, asked, files: shared }
}

/// What an HTTP server has to say about a path.
#[derive(Clone)]
pub(crate) enum Answer {
    Body(Vec<u8>),
    Elsewhere(String),
}
