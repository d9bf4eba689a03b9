//! JSON-RPC messages and their answers.

use serde_json::{Map, Value, json};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RequestError {
    code: i32,
    message: String,
}

impl RequestError {
    pub(crate) fn parse(message: impl Into<String>) -> Self {
        Self { code: -32700, message: message.into() }
    }

    /// Returns the error for JSON that is not a message.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self { code: -32600, message: message.into() }
    }

    pub(crate) fn method(name: &str) -> Self {
        Self { code: -32601, message: format!("Method not found: `{name}`") }
    }

    pub(crate) fn params(message: impl Into<String>) -> Self {
        Self { code: -32602, message: message.into() }
    }
}

#[derive(Debug, PartialEq)]
pub(crate) enum RpcMessage {
    Request {
        id: Value,
        method: String,
        params: Map<String, Value>,
    },
    Notification {
        method: String,
        params: Map<String, Value>,
    },
    /// The answer to a request of Symposium; `None` is a refusal.
    Response {
        id: Value,
        result: Option<Value>,
    },
    /// Not a message; the id is null unless it could be read.
    Bad {
        id: Value,
        refusal: RequestError,
    },
}

impl RpcMessage {
    pub(crate) fn read(value: Value) -> Self {
        let Value::Object(mut fields) = value else {
            return Self::Bad { id: Value::Null, refusal: RequestError::invalid("A message is a JSON object") };
        };
        let id = fields.remove("id");
        let readable = match &id {
            Some(id @ (Value::String(_) | Value::Number(_))) => id.clone(),
            Some(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) | None => Value::Null,
        };
        let bad = |refusal| Self::Bad { id: readable.clone(), refusal };
        if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return bad(RequestError::invalid("`jsonrpc` is not \"2.0\""));
        }
        let method = match fields.remove("method") {
            Some(Value::String(method)) => method,
            Some(_) => return bad(RequestError::invalid("`method` is not a string")),
            None if fields.contains_key("result") || fields.contains_key("error") => {
                return Self::Response { id: readable, result: fields.remove("result") };
            }
            None => return bad(RequestError::invalid("`method` is missing")),
        };
        if id.is_none() {
            let params = match fields.remove("params") {
                Some(Value::Object(params)) => params,
                _ => Map::new(),
            };
            return Self::Notification { method, params };
        }
        if readable.is_null() {
            return bad(RequestError::invalid("`id` is neither a string nor a number"));
        }
        match fields.remove("params") {
            None | Some(Value::Null) => Self::Request { id: readable, method, params: Map::new() },
            Some(Value::Object(params)) => Self::Request { id: readable, method, params },
            Some(_) => bad(RequestError::params("`params` is not an object")),
        }
    }
}

pub(crate) fn request(id: &str, method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method })
}

pub(crate) fn response(id: &Value, outcome: Result<Value, RequestError>) -> Value {
    match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(RequestError { code, message }) => {
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        let bad = |id: Value, refusal| RpcMessage::Bad { id, refusal };
        let table = [
            (json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}), request(json!(1), json!({}))),
            (json!({"jsonrpc": "2.0", "id": "a", "method": "ping", "params": null}), request(json!("a"), json!({}))),
            (
                json!({"jsonrpc": "2.0", "id": 0, "method": "ping", "params": {"a": 1}}),
                request(json!(0), json!({"a": 1})),
            ),
            (json!({"jsonrpc": "2.0", "method": "a/b"}), notification("a/b", json!({}))),
            (json!({"jsonrpc": "2.0", "method": "a/b", "params": [1]}), notification("a/b", json!({}))),
            (json!({"jsonrpc": "2.0", "method": "a/b", "params": {"c": 1}}), notification("a/b", json!({"c": 1}))),
            (
                json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
                RpcMessage::Response { id: json!(1), result: Some(json!({})) },
            ),
            (json!({"jsonrpc": "2.0", "id": "x", "error": {}}), RpcMessage::Response { id: json!("x"), result: None }),
            (json!({"jsonrpc": "2.0", "id": 1}), bad(json!(1), RequestError::invalid("`method` is missing"))),
            (
                json!({"jsonrpc": "2.0", "id": 1, "method": 7}),
                bad(json!(1), RequestError::invalid("`method` is not a string")),
            ),
            (json!({"id": 1, "method": "ping"}), bad(json!(1), RequestError::invalid("`jsonrpc` is not \"2.0\""))),
            (
                json!({"jsonrpc": "2.0", "id": null, "method": "ping"}),
                bad(json!(null), RequestError::invalid("`id` is neither a string nor a number")),
            ),
            (
                json!({"jsonrpc": "2.0", "id": [1], "method": "ping"}),
                bad(json!(null), RequestError::invalid("`id` is neither a string nor a number")),
            ),
            (
                json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}),
                bad(json!(1), RequestError::params("`params` is not an object")),
            ),
            (json!("ping"), bad(json!(null), RequestError::invalid("A message is a JSON object"))),
        ];
        for (value, expected) in table {
            assert_eq!(RpcMessage::read(value.clone()), expected, "{value}");
        }
    }

    fn notification(method: &str, params: Value) -> RpcMessage {
        let Value::Object(params) = params else { panic!("{params} is not an object") };
        RpcMessage::Notification { method: method.to_owned(), params }
    }

    fn request(id: Value, params: Value) -> RpcMessage {
        let Value::Object(params) = params else { panic!("{params} is not an object") };
        RpcMessage::Request { id, method: "ping".to_owned(), params }
    }
}
