use async_trait::async_trait;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts, Host, Path, Query};
use axum::http::{StatusCode, request::Parts};
use axum::response::Response;
use axum::routing::{Router, get};
use serde::Deserialize;
use std::convert::Infallible;
use tower::util::BoxCloneService;

pub struct RequestId(pub String);

#[async_trait]
impl<S: Send + Sync> FromRequestParts<S> for RequestId {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Self::Rejection> {
        let id = parts.headers.get("x-request-id").and_then(|value| value.to_str().ok());
        id.map(|id| Self(id.to_owned())).ok_or(StatusCode::BAD_REQUEST)
    }
}

#[derive(Deserialize)]
pub struct Page {
    pub after: u64,
}

async fn file(Path((id, rest)): Path<(u64, String)>, page: Option<Query<Page>>, id_of: RequestId) -> String {
    format!("{}: {id} {rest} after {}", id_of.0, page.map_or(0, |page| page.after))
}

async fn greet(Host(host): Host) -> String {
    host
}

async fn upgrade(socket: WebSocketUpgrade) -> Response {
    socket.on_upgrade(talk)
}

async fn talk(mut socket: WebSocket) {
    let _ = socket.send(Message::Text("hello".to_owned())).await;
    let _ = socket.send(Message::Binary(vec![1, 2])).await;
    let _ = socket.close().await;
}

pub fn app(service: BoxCloneService<axum::extract::Request, Response, Infallible>) -> Router {
    let files = Router::new().route("/users/:id/files/*rest", get(file));
    Router::new()
        .route("/", get(greet))
        .route("/talk", get(upgrade))
        .route_service("/old", service)
        .nest("/", files)
}

pub async fn run(listener: tokio::net::TcpListener, app: Router) -> std::io::Result<()> {
    axum::serve(listener, app).tcp_nodelay(true).await
}
