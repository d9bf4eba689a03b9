//! Our answers as tools of the Model Context Protocol: JSON-RPC on two pipes, one message on each line.
//!
//! Written by hand instead of on the official SDK (`rmcp` 3.8), because of what that does before `initialize`: it ends
//! the session at a notification, answers an unknown method with a complaint about metadata where Goose and Copilot
//! wait for "method not found", and drops a line that is too long without an answer. Mending that means replacing its
//! transport and its handshake, which is most of what a server without state needs. It also spares every start an async
//! runtime, and every build some fifty crates.
//!
//! The server keeps nothing between messages, so their order does not matter and a bad one harms nobody else.

mod frame;
mod rpc;
mod server;
mod tools;

pub use server::serve;
