//! Conversion of TOML tables with arbitrary keys to JSON.

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ParseReport, SpannedValue, TomlTable, ValueKind};

impl TomlTable<'_> {
    /// Reads a sub-table as a JSON object. A value that JSON cannot represent is reported and left out.
    pub fn json(
        &mut self,
        key: &'static str,
        report: &mut ParseReport<'_>,
    ) -> Option<SpannedValue<Map<String, Value>>> {
        let value = self.take(key, ValueKind::Object, report)?;
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(entries) => Some(SpannedValue { value: object(entries, report), span }),
            other => {
                let help = format!("write `{key} = {{ … }}`");
                self.wrong_type(key, &other, span, "a table", &help, report);
                None
            }
        }
    }
}

fn object(entries: DeTable<'_>, report: &mut ParseReport<'_>) -> Map<String, Value> {
    let entries = entries.into_iter();
    entries.filter_map(|(key, value)| Some((key.into_inner().into_owned(), json(value, report)?))).collect()
}

fn json(value: Spanned<DeValue<'_>>, report: &mut ParseReport<'_>) -> Option<Value> {
    let span = value.span();
    let number = |number: Option<Number>, written: &str, report: &mut ParseReport<'_>| {
        if number.is_none() {
            report.error(
                span.clone(),
                format!("`{written}` is not a valid JSON number"),
                "use a finite number of 64 bits",
            );
        }
        number.map(Value::Number)
    };
    match value.into_inner() {
        DeValue::String(text) => Some(Value::String(text.into_owned())),
        DeValue::Integer(digits) => {
            let read = i64::from_str_radix(digits.as_str(), digits.radix()).ok();
            number(read.map(Number::from), digits.as_str(), report)
        }
        DeValue::Float(digits) => {
            let read = digits.as_str().parse().ok().and_then(Number::from_f64);
            number(read, digits.as_str(), report)
        }
        DeValue::Boolean(truth) => Some(Value::Bool(truth)),
        DeValue::Datetime(date) => Some(Value::String(date.to_string())),
        DeValue::Array(items) => Some(Value::Array(items.into_iter().filter_map(|item| json(item, report)).collect())),
        DeValue::Table(entries) => Some(Value::Object(object(entries, report))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::toml_table::parse;

    fn read(text: &str) -> (Option<Value>, Vec<String>) {
        let mut report = ParseReport::new("x.toml", text);
        let value = parse(&mut report).unwrap().json("x", &mut report).map(|found| Value::Object(found.value));
        (value, report.into_diagnostics().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn every_kind_of_value_has_its_form() {
        let text =
            "[x]\na = \"t\"\nb = [1, -2, 0x10, 1_000]\nc = 1.5\nd = true\ne = 2024-01-02\nf = { g = [{ h = 1 }] }\n";
        let expected = json!({
            "a": "t", "b": [1, -2, 16, 1000], "c": 1.5, "d": true, "e": "2024-01-02", "f": {"g": [{"h": 1}]}
        });
        assert_eq!(read(text), (Some(expected), Vec::new()));
        assert_eq!(read("y = 1"), (None, Vec::new()));
    }

    #[test]
    fn what_has_none_is_reported() {
        let (value, found) = read("x = { a = inf, b = 99999999999999999999, c = 1 }");
        assert_eq!(value, Some(json!({"c": 1})));
        assert_eq!(
            found,
            [
                "x.toml:1:11: `inf` is not a valid JSON number",
                "x.toml:1:20: `99999999999999999999` is not a valid JSON number"
            ]
        );
        let (value, found) = read("x = 5");
        assert_eq!((value, found), (None, vec!["x.toml:1:5: `x` must be a table, not a number".to_owned()]));
    }
}
