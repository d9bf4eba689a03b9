use prost::Message;
use tonic::body::{BoxBody, empty_body};
use tonic::codec::ProstCodec;
use tonic::transport::server::TcpIncoming;

#[derive(Clone, PartialEq, Message)]
pub struct Order {
    #[prost(string, tag = "1")]
    pub name: String,
}

pub fn build_script() -> std::io::Result<()> {
    tonic_build::configure().build_server(false).compile_protos(&["proto/shop.proto"], &["proto"])
}

pub fn codec() -> ProstCodec<Order, Order> {
    ProstCodec::default()
}

pub fn empty() -> BoxBody {
    empty_body()
}

pub fn listen(address: std::net::SocketAddr) -> Result<TcpIncoming, Box<dyn std::error::Error + Send + Sync>> {
    TcpIncoming::new(address, true, None)
}

pub fn whole(body: BoxBody) -> BoxBody {
    tonic::body::boxed(body)
}
