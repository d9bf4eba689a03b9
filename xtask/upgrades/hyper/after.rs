use futures_util::{Stream, TryStreamExt};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use std::error::Error;
use std::io;
use std::net::SocketAddr;

pub type Body = BoxBody<Bytes, io::Error>;

async fn echo(request: Request<Incoming>) -> hyper::Result<Response<Body>> {
    let whole = request.into_body().collect().await?.to_bytes();
    Ok(Response::new(if whole.is_empty() {
        Empty::new().map_err(|never| match never {}).boxed()
    } else {
        Full::from(whole).map_err(|never| match never {}).boxed()
    }))
}

pub fn streamed(chunks: impl Stream<Item = io::Result<Bytes>> + Send + Sync + 'static) -> Body {
    StreamBody::new(chunks.map_ok(Frame::data)).boxed()
}

pub async fn serve(address: SocketAddr) -> io::Result<()> {
    let listener = tokio::net::TcpListener::bind(address).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(async move {
            let connection = auto::Builder::new(TokioExecutor::new());
            let _ = connection.serve_connection(TokioIo::new(stream), service_fn(echo)).await;
        });
    }
}

pub fn client() -> Client<HttpConnector, Empty<Bytes>> {
    Client::builder(TokioExecutor::new()).build_http()
}

pub async fn read(client: &Client<HttpConnector, Empty<Bytes>>, uri: Uri) -> Result<Bytes, Box<dyn Error + Send + Sync>> {
    Ok(client.get(uri).await?.into_body().collect().await?.to_bytes())
}
