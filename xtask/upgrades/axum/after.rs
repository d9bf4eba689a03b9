use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts, Path};
use axum::http::{HeaderMap, StatusCode, header, request::Parts};
use axum::response::Response;
use axum::routing::{Router, any, get};
use axum::serve::ListenerExt;
use axum_extra::extract::OptionalQuery;
use serde::Deserialize;
use std::convert::Infallible;
use tower::util::BoxCloneSyncService;

pub struct RequestId(pub String);

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

async fn file(
    Path((id, rest)): Path<(u64, String)>,
    OptionalQuery(page): OptionalQuery<Page>,
    id_of: RequestId,
) -> String {
    format!("{}: {id} {rest} after {}", id_of.0, page.map_or(0, |page| page.after))
}

async fn greet(headers: HeaderMap) -> String {
    headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default().to_owned()
}

async fn upgrade(socket: WebSocketUpgrade) -> Response {
    socket.on_upgrade(talk)
}

async fn talk(mut socket: WebSocket) {
    let _ = socket.send(Message::Text("hello".into())).await;
    let _ = socket.send(Message::Binary(vec![1, 2].into())).await;
    let _ = socket.send(Message::Close(None)).await;
}

pub fn app(service: BoxCloneSyncService<axum::extract::Request, Response, Infallible>) -> Router {
    let files = Router::new().route("/users/{id}/files/{*rest}", get(file));
    Router::new()
        .route("/", get(greet))
        .route("/talk", any(upgrade))
        .route_service("/old", service)
        .merge(files)
}

pub async fn run(listener: tokio::net::TcpListener, app: Router) -> std::io::Result<()> {
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, app).await
}
