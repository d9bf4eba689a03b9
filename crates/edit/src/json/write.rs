//! New JSON text in the layout of the file it goes into.

use serde_json::Value;

use crate::items::{ItemFlow, TextLayout};
use crate::order::in_reading_order;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NewValue<'v> {
    Object(Vec<(&'v str, NewValue<'v>)>),
    Array(Vec<NewValue<'v>>),
    Value(&'v Value),
}

pub(crate) fn member(key: &str, value: &NewValue<'_>, flow: &ItemFlow, layout: &TextLayout) -> String {
    format!("{}:{}{}", string(key), layout.space, fresh(value, flow, layout))
}

pub(crate) fn fresh(value: &NewValue<'_>, flow: &ItemFlow, layout: &TextLayout) -> String {
    match value {
        NewValue::Object(members) => {
            bracketed(['{', '}'], flow, layout, members, |(key, value), flow| member(key, value, flow, layout))
        }
        NewValue::Array(elements) => {
            bracketed(['[', ']'], flow, layout, elements, |element, flow| fresh(element, flow, layout))
        }
        NewValue::Value(value) => self::value(value, flow, layout),
    }
}

pub(crate) fn value(value: &Value, flow: &ItemFlow, layout: &TextLayout) -> String {
    match value {
        Value::Object(members) => {
            let members = in_reading_order(members);
            bracketed(['{', '}'], flow, layout, &members, |(key, value), flow| {
                format!("{}:{}{}", string(key), layout.space, self::value(value, flow, layout))
            })
        }
        Value::Array(elements) => {
            // Lists of scalars, such as arguments, stand on one line.
            let flat = elements.iter().all(|element| !element.is_array() && !element.is_object());
            let inline = ItemFlow::Inline { gap: layout.space.to_owned() };
            let flow = if flat { &inline } else { flow };
            bracketed(['[', ']'], flow, layout, elements, |element, flow| self::value(element, flow, layout))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => string(text),
    }
}

fn string(text: &str) -> String {
    Value::from(text).to_string()
}

fn bracketed<T>(
    [open, close]: [char; 2],
    flow: &ItemFlow,
    layout: &TextLayout,
    items: &[T],
    write: impl Fn(&T, &ItemFlow) -> String,
) -> String {
    if items.is_empty() {
        return format!("{open}{close}");
    }
    match flow {
        ItemFlow::Inline { .. } => {
            let flow = ItemFlow::Inline { gap: layout.space.to_owned() };
            let items: Vec<_> = items.iter().map(|item| write(item, &flow)).collect();
            format!("{open}{}{close}", items.join(&format!(",{}", layout.space)))
        }
        ItemFlow::Lines { indent } => {
            let inner = format!("{indent}{}", layout.unit);
            let start = format!("{}{inner}", layout.newline);
            let flow = ItemFlow::Lines { indent: inner };
            let items: Vec<_> = items.iter().map(|item| write(item, &flow)).collect();
            format!("{open}{start}{}{}{indent}{close}", items.join(&format!(",{start}")), layout.newline)
        }
    }
}
