//! The complete reader of Cargo.lock: accepts any TOML of the right shape and reports an error for anything else.

use std::borrow::Cow;
use std::ops::Range;

use semver::Version;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::package::{CargoLock, LockedDependency, LockedPackage};

#[derive(Debug)]
pub(super) struct CargoLockError {
    pub(super) message: String,
    pub(super) span: Range<usize>,
}

type LockValue<'a> = Spanned<DeValue<'a>>;
type SpannedText<'a> = (Cow<'a, str>, Range<usize>);

pub(super) fn read(text: &str) -> Result<CargoLock<'_>, CargoLockError> {
    let mut document = DeTable::parse(text).map_err(|error| CargoLockError {
        message: error.message().to_owned(),
        span: error.span().unwrap_or(text.len()..text.len()),
    })?;
    let document = std::mem::take(document.get_mut());
    let mut lockfile = CargoLock::default();
    let mut root = None;
    for (key, value) in document {
        match key.get_ref().as_ref() {
            "version" => lockfile.format = Some(format_number(&value)?),
            "root" => root = Some(package(value, key.span())?),
            "package" => lockfile.packages = packages(value)?,
            // `metadata` holds checksums, `patch` unused packages; later formats may add more.
            _ => {}
        }
    }
    // The position of `[root]` in the file is lost here; cargo always wrote it first.
    if let Some(root) = root {
        lockfile.packages.insert(0, root);
    }
    Ok(lockfile)
}

fn fault<T>(span: Range<usize>, message: impl Into<String>) -> Result<T, CargoLockError> {
    Err(CargoLockError { message: message.into(), span })
}

fn format_number(value: &LockValue<'_>) -> Result<u32, CargoLockError> {
    let number = value.get_ref().as_integer();
    match number.and_then(|number| u32::from_str_radix(number.as_str(), number.radix()).ok()) {
        Some(number) => Ok(number),
        None => fault(value.span(), "`version` has to be a small whole number"),
    }
}

fn packages(value: LockValue<'_>) -> Result<Vec<LockedPackage<'_>>, CargoLockError> {
    let span = value.span();
    let DeValue::Array(array) = value.into_inner() else {
        return fault(span, "`package` has to be a list of tables");
    };
    array.into_iter().map(|value| package(value, span.clone())).collect()
}

fn package(value: LockValue<'_>, header: Range<usize>) -> Result<LockedPackage<'_>, CargoLockError> {
    let span = value.span();
    let DeValue::Table(mut table) = value.into_inner() else {
        return fault(span, "a package has to be a table");
    };
    let span = if span.is_empty() { header } else { span };
    let Some((name, name_span)) = text(&mut table, "name")? else {
        return fault(span, "a package has no `name`");
    };
    if name.is_empty() {
        return fault(name_span, "a package has an empty `name`");
    }
    let Some((version, version_span)) = text(&mut table, "version")? else {
        return fault(span, format!("the package `{name}` has no `version`"));
    };
    let Ok(version) = Version::parse(&version) else {
        return fault(version_span, format!("`{version}` is not a version"));
    };
    let replace = match text(&mut table, "replace")? {
        None => None,
        Some((replace, span)) => Some(Box::new(mention(replace, span)?)),
    };
    let source = text(&mut table, "source")?.map(|(source, _)| source);
    text(&mut table, "checksum")?;
    let dependencies = match table.remove("dependencies") {
        None => Vec::new(),
        Some(value) => mentions(value)?,
    };
    Ok(LockedPackage { name, version, source, dependencies, replace })
}

fn text<'a>(table: &mut DeTable<'a>, key: &str) -> Result<Option<SpannedText<'a>>, CargoLockError> {
    let Some(value) = table.remove(key) else { return Ok(None) };
    let span = value.span();
    match value.into_inner() {
        DeValue::String(text) => Ok(Some((text, span))),
        _ => fault(span, format!("`{key}` has to be a string")),
    }
}

fn mentions(value: LockValue<'_>) -> Result<Vec<LockedDependency<'_>>, CargoLockError> {
    let span = value.span();
    let DeValue::Array(array) = value.into_inner() else {
        return fault(span, "`dependencies` has to be a list of strings");
    };
    let each = array.into_iter().map(|value| {
        let span = value.span();
        match value.into_inner() {
            DeValue::String(text) => mention(text, span),
            _ => fault(span, "a dependency has to be a string"),
        }
    });
    each.collect()
}

fn mention(text: Cow<'_, str>, span: Range<usize>) -> Result<LockedDependency<'_>, CargoLockError> {
    let shown = text.clone().into_owned();
    match LockedDependency::parse(text) {
        Some(dependency) => Ok(dependency),
        None => fault(span, format!("`{shown}` is not `name`, `name version` or `name version (source)`")),
    }
}
