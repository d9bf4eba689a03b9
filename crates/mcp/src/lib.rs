//! A server for the Model Context Protocol with Symposium's guidance as tools: JSON-RPC on two pipes, one message on
//! each line.
//!
//! Written by hand instead of on the official SDK (`rmcp` 3.8); ARCHITECTURE.md says why.
//!
//! The only state between messages is the client's working directories, so the order of messages does not matter, and
//! an invalid message affects no other.

mod frame;
mod incoming;
mod roots;
mod rpc;
mod server;
mod tools;

pub use server::serve;
pub use tools::{describe_tools, tool_names};
