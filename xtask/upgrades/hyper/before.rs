use futures_util::Stream;
use hyper::body::Bytes;
use hyper::client::HttpConnector;
use hyper::service::{make_service_fn, service_fn};
use hyper::{Body, Client, Request, Response, Server, Uri};
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;

async fn echo(request: Request<Body>) -> hyper::Result<Response<Body>> {
    let whole = hyper::body::to_bytes(request.into_body()).await?;
    Ok(Response::new(if whole.is_empty() { Body::empty() } else { Body::from(whole) }))
}

pub fn streamed(chunks: impl Stream<Item = io::Result<Bytes>> + Send + Sync + 'static) -> Body {
    Body::wrap_stream(chunks)
}

pub async fn serve(address: SocketAddr) -> hyper::Result<()> {
    let service = make_service_fn(|_| async { Ok::<_, Infallible>(service_fn(echo)) });
    Server::bind(&address).serve(service).await
}

pub fn client() -> Client<HttpConnector> {
    Client::new()
}

pub async fn read(client: &Client<HttpConnector>, uri: Uri) -> hyper::Result<Bytes> {
    hyper::body::to_bytes(client.get(uri).await?.into_body()).await
}
