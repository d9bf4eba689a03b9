//! The network namespace everything runs in: loopback and nothing else.

#![expect(clippy::disallowed_methods, reason = "the harness starts itself again in a namespace")]

use std::process::{Command, ExitCode, Stdio};

use crate::Outcome;
use crate::programs::on_path;

/// The argument that says we are inside already.
pub(crate) const INSIDE: &str = "inside";

/// What this machine lacks; none when the agents can be run here.
pub(crate) fn missing() -> Option<String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Some("the agents are installed for Linux on x86-64 only".to_owned());
    }
    if let Some(program) = ["node", "npm", "unshare", "ip", "git"].iter().find(|program| on_path(program).is_none()) {
        return Some(format!("`{program}` is not on PATH"));
    }
    let arguments = ["--net", "--pid", "--mount-proc", "--fork", "--", "ip", "link", "set", "lo", "up"];
    let tried = Command::new("unshare").args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if tried.is_ok_and(|status| status.success()) {
        None
    } else {
        Some("network and process namespaces need root, and a kernel that allows them".to_owned())
    }
}

/// Starts this program again in a namespace without a network.
pub(crate) fn enter(arguments: &[String]) -> Outcome<ExitCode> {
    let own = std::env::current_exe().map_err(|error| format!("finding this program: {error}"))?;
    let status = Command::new("unshare")
        .args(["--net", "--"])
        .arg(own)
        .arg(INSIDE)
        .args(arguments)
        .status()
        .map_err(|error| format!("`unshare` did not start: {error}"))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

/// Switches loopback on, and makes sure that there is nothing else.
pub(crate) fn settle() -> Outcome<()> {
    let status = Command::new("ip").args(["link", "set", "lo", "up"]).status();
    if !status.is_ok_and(|status| status.success()) {
        return Err("`ip link set lo up` failed".to_owned());
    }
    let links = Command::new("ip").args(["-oneline", "link"]).output().map_err(|error| format!("`ip`: {error}"))?;
    let links = String::from_utf8_lossy(&links.stdout).into_owned();
    if links.lines().any(|link| link.contains("state UP")) {
        return Err(format!("this is no namespace of our own: there is a network\n{links}"));
    }
    Ok(())
}
