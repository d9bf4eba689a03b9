use prost::Message;
use tonic::body::Body;
use tonic::transport::server::TcpIncoming;
use tonic_prost::ProstCodec;

#[derive(Clone, PartialEq, Message)]
pub struct Order {
    #[prost(string, tag = "1")]
    pub name: String,
}

pub fn build_script() -> std::io::Result<()> {
    tonic_prost_build::configure().build_server(false).compile_protos(&["proto/shop.proto"], &["proto"])
}

pub fn codec() -> ProstCodec<Order, Order> {
    ProstCodec::default()
}

pub fn empty() -> Body {
    Body::empty()
}

pub fn listen(address: std::net::SocketAddr) -> std::io::Result<TcpIncoming> {
    Ok(TcpIncoming::bind(address)?.with_nodelay(Some(true)))
}

pub fn whole(body: Body) -> Body {
    Body::new(body)
}
