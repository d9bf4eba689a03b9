//! Starts programs in turns and reports what each of them cost: `meter ROUNDS LIST REPORT`.
//!
//! `LIST` has a line for each program: home directory, working directory, file for standard input, program, arguments, all
//! separated by tabs. `REPORT` gets a line for each: least wall time in ns, least CPU time in µs (of the program and of
//! everything it waited for), largest resident set in KiB, and how many runs did not end with exit code 0.
//!
//! It is a program of its own, and small, because what the system reports as a child's peak memory is at least that of
//! whoever started it.

use std::fs::{self, File};
use std::io;
use std::process::{Command, Stdio};
use std::time::Instant;

/// `struct rusage` of 64-bit Linux, with room for what some C libraries append.
#[repr(C)]
struct Usage {
    user: [i64; 2],
    system: [i64; 2],
    largest_resident_set: i64,
    rest: [i64; 31],
}

unsafe extern "C" {
    fn wait4(pid: i32, status: *mut i32, options: i32, usage: *mut Usage) -> i32;
}

struct Entry<'a> {
    home: &'a str,
    directory: &'a str,
    stdin: &'a str,
    program: &'a str,
    args: Vec<&'a str>,
    wall: u128,
    cpu: i64,
    memory: i64,
    failures: u32,
}

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, rounds, list, report] = args.as_slice() else {
        return Err(io::Error::other("usage: meter ROUNDS LIST REPORT"));
    };
    let rounds: usize = rounds.parse().map_err(io::Error::other)?;
    let list = fs::read_to_string(list)?;
    let mut entries: Vec<Entry> = list.lines().filter_map(entry).collect();
    let count = entries.len();
    let mut order: Vec<usize> = (0..count).collect();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..rounds {
        // In another order each time: whoever runs after itself, or after the same one always, has an advantage.
        for at in (1..count).rev() {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            order.swap(at, (random % (at as u64 + 1)) as usize);
        }
        for at in &order {
            run(&mut entries[*at])?;
        }
    }
    let lines: Vec<String> = entries
        .iter()
        .map(|entry| format!("{}\t{}\t{}\t{}\n", entry.wall, entry.cpu, entry.memory, entry.failures))
        .collect();
    fs::write(report, lines.concat())
}

fn entry(line: &str) -> Option<Entry<'_>> {
    let mut words = line.split('\t');
    let (home, directory, stdin, program) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let args = words.collect();
    Some(Entry { home, directory, stdin, program, args, wall: u128::MAX, cpu: i64::MAX, memory: 0, failures: 0 })
}

fn run(entry: &mut Entry) -> io::Result<()> {
    // Here and not in the child: there it would cost what is measured.
    std::env::set_current_dir(entry.directory)?;
    let mut command = Command::new(entry.program);
    command.args(&entry.args).env("HOME", entry.home).stdin(Stdio::from(File::open(entry.stdin)?));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    for agent in ["CLAUDE", "GEMINI", "COPILOT", "CURSOR"] {
        command.env(format!("{agent}_PROJECT_DIR"), entry.directory);
    }
    let begun = Instant::now();
    let child = command.spawn()?;
    let mut status = 0;
    let mut usage = Usage { user: [0; 2], system: [0; 2], largest_resident_set: 0, rest: [0; 31] };
    // SAFETY: both pointers are to live values of the layout the call fills in, and the child is waited for only here.
    let waited = unsafe { wait4(child.id() as i32, &mut status, 0, &mut usage) };
    let wall = begun.elapsed().as_nanos();
    if waited < 0 {
        return Err(io::Error::last_os_error());
    }
    let microseconds = |[seconds, rest]: [i64; 2]| seconds * 1_000_000 + rest;
    entry.wall = entry.wall.min(wall);
    entry.cpu = entry.cpu.min(microseconds(usage.user) + microseconds(usage.system));
    entry.memory = entry.memory.max(usage.largest_resident_set);
    entry.failures += u32::from(status != 0);
    Ok(())
}
