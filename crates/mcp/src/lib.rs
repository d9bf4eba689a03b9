//! Our answers as tools of the Model Context Protocol: JSON-RPC on two pipes, one message on each line.
//!
//! Written by hand instead of on the official SDK (`rmcp` 3.8); ARCHITECTURE.md says why.
//!
//! All the server keeps between messages is which directories its client works in, so their order does not matter and a
//! bad one harms nobody else.

mod frame;
mod incoming;
mod roots;
mod rpc;
mod server;
mod tools;

pub use server::serve;
