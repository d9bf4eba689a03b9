//! The values of a JSON text with their spans.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JsonNode {
    pub(crate) span: Range<usize>,
    pub(crate) kind: NodeKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Object(Vec<ObjectMember>),
    Array(Vec<JsonNode>),
    /// A string, number, `true`, `false` or `null`.
    Scalar,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ObjectMember {
    pub(crate) key: Range<usize>,
    pub(crate) value: JsonNode,
}
