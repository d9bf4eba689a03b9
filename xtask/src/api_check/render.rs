//! Signatures from rustdoc's JSON, as text.

use serde_json::Value;

use super::graph::{list, text};

/// Renders what is comparable of an item: functions, consts, statics, aliases, and the heads of types and traits.
pub(super) fn render_signature(item: &Value) -> Option<String> {
    let (word, inner) = item.get("inner")?.as_object()?.iter().next()?;
    let name = text(item, "name");
    let generics = inner.get("generics").unwrap_or(&Value::Null);
    match word.as_str() {
        "function" => Some(render_function(name, inner)),
        "constant" | "assoc_const" => Some(format!("const {name}: {}", render_type(inner.get("type")?))),
        "static" => {
            let mutable = if flag(inner, "is_mutable") { "static mut" } else { "static" };
            Some(format!("{mutable} {name}: {}", render_type(inner.get("type")?)))
        }
        "type_alias" => Some(format!(
            "type {name}{} = {}{}",
            render_params(generics),
            render_type(inner.get("type")?),
            render_where(generics)
        )),
        "enum" | "union" => Some(format!("{word} {name}{}{}", render_params(generics), render_where(generics))),
        "trait" => {
            let keyword = if flag(inner, "is_unsafe") { "unsafe trait" } else { "trait" };
            let bounds = render_bounds(list(inner, "bounds"));
            let bounds = if bounds.is_empty() { bounds } else { format!(": {bounds}") };
            Some(format!("{keyword} {name}{}{bounds}{}", render_params(generics), render_where(generics)))
        }
        _ => None,
    }
}

fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool) == Some(true)
}

fn render_function(name: &str, inner: &Value) -> String {
    let null = Value::Null;
    let header = inner.get("header").unwrap_or(&null);
    let sig = inner.get("sig").unwrap_or(&null);
    let generics = inner.get("generics").unwrap_or(&null);
    let mut inputs: Vec<String> = list(sig, "inputs")
        .filter_map(|input| {
            let mut parts = input.as_array()?.iter();
            let (name, ty) = (parts.next()?.as_str()?, parts.next()?);
            Some(render_input(name, ty))
        })
        .collect();
    if flag(sig, "is_c_variadic") {
        inputs.push("...".to_owned());
    }
    let output = sig.get("output").filter(|output| !output.is_null());
    let output = output.map(|output| format!(" -> {}", render_type(output))).unwrap_or_default();
    format!(
        "{}fn {name}{}({}){output}{}",
        render_header(header),
        render_params(generics),
        inputs.join(", "),
        render_where(generics)
    )
}

fn render_input(name: &str, ty: &Value) -> String {
    if name == "self" {
        let is_self = |ty: &Value| text(ty, "generic") == "Self";
        if is_self(ty) {
            return "self".to_owned();
        }
        if let Some(reference) = ty.get("borrowed_ref")
            && reference.get("type").is_some_and(is_self)
        {
            let lifetime = reference.get("lifetime").and_then(Value::as_str).unwrap_or_default();
            let mutable = if flag(reference, "is_mutable") { "mut " } else { "" };
            return format!("&{lifetime} {mutable}self");
        }
    }
    format!("{name}: {}", render_type(ty))
}

fn render_header(header: &Value) -> String {
    let mut words = String::new();
    for (key, word) in [("is_const", "const "), ("is_async", "async "), ("is_unsafe", "unsafe ")] {
        if flag(header, key) {
            words.push_str(word);
        }
    }
    match header.get("abi") {
        Some(Value::String(abi)) if abi != "Rust" => words.push_str(&format!("extern \"{abi}\" ")),
        Some(Value::Object(abi)) => {
            if let Some((name, details)) = abi.iter().next() {
                let unwind = if flag(details, "unwind") { "-unwind" } else { "" };
                let name = if name == "Other" { details.as_str().unwrap_or_default().trim_matches('"') } else { name };
                words.push_str(&format!("extern \"{name}{unwind}\" "));
            }
        }
        _ => {}
    }
    words
}

fn render_params(generics: &Value) -> String {
    let params: Vec<String> = list(generics, "params").filter_map(render_param).collect();
    if params.is_empty() { String::new() } else { format!("<{}>", params.join(", ")) }
}

fn render_param(param: &Value) -> Option<String> {
    let name = text(param, "name");
    let kind = param.get("kind")?;
    if let Some(lifetime) = kind.get("lifetime") {
        let outlives: Vec<&str> = list(lifetime, "outlives").filter_map(Value::as_str).collect();
        return Some(if outlives.is_empty() { name.to_owned() } else { format!("{name}: {}", outlives.join(" + ")) });
    }
    if let Some(ty) = kind.get("type") {
        if flag(ty, "is_synthetic") {
            return None;
        }
        let bounds = render_bounds(list(ty, "bounds"));
        let bounds = if bounds.is_empty() { bounds } else { format!(": {bounds}") };
        let default = ty.get("default").filter(|default| !default.is_null());
        let default = default.map(|default| format!(" = {}", render_type(default))).unwrap_or_default();
        return Some(format!("{name}{bounds}{default}"));
    }
    let constant = kind.get("const")?;
    let default = constant.get("default").and_then(Value::as_str).map(|text| format!(" = {text}")).unwrap_or_default();
    Some(format!("const {name}: {}{default}", render_type(constant.get("type")?)))
}

fn render_where(generics: &Value) -> String {
    let clauses: Vec<String> = list(generics, "where_predicates").filter_map(render_predicate).collect();
    if clauses.is_empty() { String::new() } else { format!(" where {}", clauses.join(", ")) }
}

fn render_predicate(predicate: &Value) -> Option<String> {
    if let Some(bound) = predicate.get("bound_predicate") {
        let binder = render_binder(bound);
        return Some(format!("{binder}{}: {}", render_type(bound.get("type")?), render_bounds(list(bound, "bounds"))));
    }
    let lifetime = predicate.get("lifetime_predicate")?;
    let outlives: Vec<&str> = list(lifetime, "outlives").filter_map(Value::as_str).collect();
    Some(format!("{}: {}", text(lifetime, "lifetime"), outlives.join(" + ")))
}

fn render_binder(value: &Value) -> String {
    let params: Vec<&str> = list(value, "generic_params").map(|param| text(param, "name")).collect();
    if params.is_empty() { String::new() } else { format!("for<{}> ", params.join(", ")) }
}

fn render_bounds<'a>(bounds: impl Iterator<Item = &'a Value>) -> String {
    bounds.filter_map(render_bound).collect::<Vec<_>>().join(" + ")
}

fn render_bound(bound: &Value) -> Option<String> {
    if let Some(outlives) = bound.get("outlives") {
        return outlives.as_str().map(str::to_owned);
    }
    if let Some(captured) = bound.get("use") {
        let names = captured.as_array()?.iter().filter_map(|name| name.as_object()?.values().next()?.as_str());
        return Some(format!("use<{}>", names.collect::<Vec<_>>().join(", ")));
    }
    let bound = bound.get("trait_bound")?;
    let modifier = match text(bound, "modifier") {
        "maybe" => "?",
        "maybe_const" => "~const ",
        _ => "",
    };
    Some(format!("{}{modifier}{}", render_binder(bound), render_path(bound.get("trait")?)))
}

fn render_path(path: &Value) -> String {
    format!("{}{}", text(path, "path"), render_args(path.get("args").unwrap_or(&Value::Null)))
}

fn render_args(args: &Value) -> String {
    if let Some(angle) = args.get("angle_bracketed") {
        let plain = list(angle, "args").map(render_arg);
        let constraints = list(angle, "constraints").filter_map(render_constraint);
        let parts: Vec<String> = plain.chain(constraints).collect();
        return if parts.is_empty() { String::new() } else { format!("<{}>", parts.join(", ")) };
    }
    if let Some(call) = args.get("parenthesized") {
        let inputs: Vec<String> = list(call, "inputs").map(render_type).collect();
        let output = call.get("output").filter(|output| !output.is_null());
        let output = output.map(|output| format!(" -> {}", render_type(output))).unwrap_or_default();
        return format!("({}){output}", inputs.join(", "));
    }
    String::new()
}

fn render_arg(arg: &Value) -> String {
    if let Some(lifetime) = arg.get("lifetime").and_then(Value::as_str) {
        return lifetime.to_owned();
    }
    if let Some(ty) = arg.get("type") {
        return render_type(ty);
    }
    arg.get("const").map_or_else(|| "_".to_owned(), |constant| text(constant, "expr").to_owned())
}

fn render_constraint(constraint: &Value) -> Option<String> {
    let name = format!("{}{}", text(constraint, "name"), render_args(constraint.get("args").unwrap_or(&Value::Null)));
    let binding = constraint.get("binding")?;
    if let Some(term) = binding.get("equality") {
        let value = term.get("type").map_or_else(|| render_arg(term), render_type);
        return Some(format!("{name} = {value}"));
    }
    Some(format!("{name}: {}", render_bounds(list(binding, "constraint"))))
}

fn render_type(ty: &Value) -> String {
    let Some((word, inner)) = ty.as_object().and_then(|object| object.iter().next()) else { return "_".to_owned() };
    let nested = |key: &str| inner.get(key).map(render_type).unwrap_or_default();
    match word.as_str() {
        "resolved_path" => render_path(inner),
        "generic" | "primitive" => match inner.as_str() {
            Some("never") => "!".to_owned(),
            Some("unit") => "()".to_owned(),
            name => name.unwrap_or_default().to_owned(),
        },
        "dyn_trait" => {
            let mut parts: Vec<String> = list(inner, "traits")
                .map(|object| {
                    format!("{}{}", render_binder(object), object.get("trait").map(render_path).unwrap_or_default())
                })
                .collect();
            parts.extend(inner.get("lifetime").and_then(Value::as_str).map(str::to_owned));
            format!("dyn {}", parts.join(" + "))
        }
        "function_pointer" => render_pointer(inner),
        "tuple" => {
            let parts: Vec<String> = inner.as_array().into_iter().flatten().map(render_type).collect();
            if parts.len() == 1 { format!("({},)", parts.join("")) } else { format!("({})", parts.join(", ")) }
        }
        "slice" => format!("[{}]", render_type(inner)),
        "array" => format!("[{}; {}]", nested("type"), text(inner, "len")),
        "impl_trait" => format!("impl {}", render_bounds(inner.as_array().into_iter().flatten())),
        "raw_pointer" => {
            format!("*{} {}", if flag(inner, "is_mutable") { "mut" } else { "const" }, render_behind(inner))
        }
        "borrowed_ref" => {
            let lifetime = inner.get("lifetime").and_then(Value::as_str).unwrap_or_default();
            let mutable = if flag(inner, "is_mutable") { "mut " } else { "" };
            format!("&{lifetime} {mutable}{}", render_behind(inner))
        }
        "qualified_path" => {
            let args = inner.get("args").map(render_args).unwrap_or_default();
            let is_name = inner.get("self_type").is_some_and(|ty| ty.get("generic").is_some());
            let owner = if is_name { nested("self_type") } else { format!("<{}>", nested("self_type")) };
            format!("{owner}::{}{args}", text(inner, "name"))
        }
        _ => "_".to_owned(),
    }
}

/// What a reference or pointer leads to, in brackets if it has several parts.
fn render_behind(inner: &Value) -> String {
    let ty = inner.get("type").unwrap_or(&Value::Null);
    let shown = render_type(ty);
    let parts = ty.get("dyn_trait").map_or(0, |object| {
        list(object, "traits").count() + usize::from(object.get("lifetime").is_some_and(Value::is_string))
    });
    let parts = parts.max(ty.get("impl_trait").and_then(Value::as_array).map_or(0, Vec::len));
    if parts > 1 { format!("({shown})") } else { shown }
}

fn render_pointer(inner: &Value) -> String {
    let null = Value::Null;
    let sig = inner.get("sig").unwrap_or(&null);
    let inputs: Vec<String> =
        list(sig, "inputs").filter_map(|input| input.as_array()?.get(1).map(render_type)).collect();
    let output = sig.get("output").filter(|output| !output.is_null());
    let output = output.map(|output| format!(" -> {}", render_type(output))).unwrap_or_default();
    let header = render_header(inner.get("header").unwrap_or(&null));
    format!("{}{header}fn({}){output}", render_binder(inner), inputs.join(", "))
}
