//! Validates a JSON value against a JSON Schema: the small part of draft 7 that Symposium's schemas use.

use serde_json::Value;

/// Returns the violations of a schema, a line each.
///
/// An unknown keyword of a schema is a violation too, so that nothing passes unchecked.
pub fn schema_faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    look("", schema, value, &mut faults);
    faults
}

fn look(at: &str, schema: &Value, value: &Value, faults: &mut Vec<String>) {
    let Value::Object(words) = schema else {
        faults.push(format!("{at}: the schema is no object"));
        return;
    };
    let mut fault = |what: String| faults.push(format!("{}: {what}", if at.is_empty() { "top" } else { at }));
    for (word, rule) in words {
        match word.as_str() {
            "$schema"
            | "$id"
            | "title"
            | "description"
            | "examples"
            | "properties"
            | "items"
            | "additionalProperties" => {}
            "type" => {
                let wanted: Vec<&str> = match rule {
                    Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
                    one => one.as_str().into_iter().collect(),
                };
                let is = kind(value);
                let fits = wanted.contains(&is) || (is == "integer" && wanted.contains(&"number"));
                if !fits {
                    fault(format!("is {is}, not {}", wanted.join(" or ")));
                }
            }
            "enum" => {
                if !rule.as_array().unwrap().contains(value) {
                    fault(format!("{value} is none of {rule}"));
                }
            }
            "pattern" => {
                let pattern = regex_lite::Regex::new(rule.as_str().unwrap()).unwrap();
                if value.as_str().is_some_and(|text| !pattern.is_match(text)) {
                    fault(format!("{value} does not match {rule}"));
                }
            }
            "minimum" => {
                if value.as_f64().is_some_and(|number| number < rule.as_f64().unwrap()) {
                    fault(format!("{value} is below {rule}"));
                }
            }
            "maximum" => {
                if value.as_f64().is_some_and(|number| number > rule.as_f64().unwrap()) {
                    fault(format!("{value} is above {rule}"));
                }
            }
            "maxProperties" => {
                if value.as_object().is_some_and(|entries| entries.len() as u64 > rule.as_u64().unwrap()) {
                    fault(format!("has more than {rule} keys"));
                }
            }
            "required" => {
                for key in rule.as_array().unwrap().iter().filter_map(Value::as_str) {
                    if value.as_object().is_some_and(|entries| !entries.contains_key(key)) {
                        fault(format!("`{key}` is missing"));
                    }
                }
            }
            "anyOf" => {
                let forms = rule.as_array().unwrap().iter().map(|form| schema_faults(form, value));
                let forms: Vec<Vec<String>> = forms.collect();
                if forms.iter().all(|faults| !faults.is_empty()) {
                    fault(format!("fits none of its forms: {}", forms.concat().join("; ")));
                }
            }
            unknown => fault(format!("the schema says `{unknown}`, which nobody here understands")),
        }
    }
    if let Value::Object(entries) = value {
        for (key, inner) in entries {
            let at = format!("{at}.{key}");
            match (schema["properties"].get(key), &schema["additionalProperties"]) {
                (Some(rule), _) => look(&at, rule, inner, faults),
                (None, Value::Bool(false)) => faults.push(format!("{at}: is no key of it")),
                (None, Value::Object(rule)) => look(&at, &Value::Object(rule.clone()), inner, faults),
                (None, _) => {}
            }
        }
    }
    if let (Value::Array(items), Some(rule)) = (value, schema.get("items")) {
        for (index, item) in items.iter().enumerate() {
            look(&format!("{at}[{index}]"), rule, item, faults);
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_does_not_fit_is_named() {
        let schema = json!({
            "type": "object",
            "required": ["a"],
            "additionalProperties": false,
            "properties": {
                "a": {"anyOf": [{"enum": ["x"]}, {"type": "string", "pattern": "^y:"}]},
                "b": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 5}},
                "c": {"type": "object", "additionalProperties": {"type": "boolean"}},
                "d": {"maxProperties": 1},
            },
        });
        for (value, faults) in [
            (json!({"a": "x", "b": [1, 5], "c": {"n": true}, "d": {"e": 1}}), 0),
            (json!({"a": "y:1"}), 0),
            (json!({}), 1),
            (json!([]), 1),
            (json!({"a": "z"}), 1),
            (json!({"a": "x", "e": 1}), 1),
            (json!({"a": "x", "b": [0, 6, "1"]}), 3),
            (json!({"a": "x", "c": {"n": 1}, "d": {"e": 1, "f": 2}}), 2),
        ] {
            assert_eq!(schema_faults(&schema, &value).len(), faults, "{value}: {:?}", schema_faults(&schema, &value));
        }
        assert_eq!(schema_faults(&json!({"allOf": []}), &json!(1)).len(), 1);
    }
}
