//! The values of a JSON text with their places.

use std::ops::Range;

/// A value and its place.
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

/// One key of an object with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ObjectMember {
    pub(crate) key: Range<usize>,
    pub(crate) value: JsonNode,
}
