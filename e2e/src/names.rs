//! Answers every question for a name with "there is no such name", at once.
//!
//! Without a network the question would be lost, and some programs wait five seconds for an answer that cannot come.

#![expect(clippy::disallowed_methods, reason = "the harness sets up the namespace it runs in")]

use std::fs;
use std::net::UdpSocket;
use std::process::{Command, Stdio};

/// Takes the place of the machine's servers for names. Where that is not possible, programs wait.
pub(crate) fn refuse_all() {
    let settings = fs::read_to_string("/etc/resolv.conf").unwrap_or_default();
    for server in settings.lines().filter_map(|line| line.trim().strip_prefix("nameserver")) {
        let address = server.trim();
        // Addresses of loopback are there already.
        let arguments = ["address", "add", address, "dev", "lo"];
        drop(Command::new("ip").args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status());
        if let Ok(address) = address.parse::<std::net::IpAddr>()
            && let Ok(socket) = UdpSocket::bind((address, 53))
        {
            std::thread::spawn(move || serve(&socket));
        }
    }
}

fn serve(socket: &UdpSocket) {
    let mut buffer = [0; 1500];
    while let Ok((length, asker)) = socket.recv_from(&mut buffer) {
        let question = buffer.get(..length).unwrap_or_default();
        if let Some(answer) = refusal(question) {
            drop(socket.send_to(&answer, asker));
        }
    }
}

/// The question again, marked as answered: no such name.
fn refusal(question: &[u8]) -> Option<Vec<u8>> {
    let [id_high, id_low, _, _, _, count, ..] = question else { return None };
    // One name, its type and its class follow the header.
    let rest = question.get(12..)?;
    let name = rest.iter().position(|byte| *byte == 0)?;
    let mut answer = vec![*id_high, *id_low, 0x81, 0x83, 0, *count, 0, 0, 0, 0, 0, 0];
    answer.extend(rest.get(..name + 5)?);
    Some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_repeats_the_question() {
        let question = b"\xab\xcd\x01\x00\x00\x01\x00\x00\x00\x00\x00\x01\x01a\x02bc\x00\x00\x01\x00\x01more";
        let answer = b"\xab\xcd\x81\x83\x00\x01\x00\x00\x00\x00\x00\x00\x01a\x02bc\x00\x00\x01\x00\x01";
        assert_eq!(refusal(question).unwrap(), answer);
        for broken in [&b""[..], b"\xab\xcd\x01", b"\xab\xcd\x01\x00\x00\x01\x00\x00\x00\x00\x00\x01\x01a"] {
            assert_eq!(refusal(broken), None);
        }
    }
}
