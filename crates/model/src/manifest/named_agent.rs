//! Parser of names of agents.

use std::ops::Range;

use crate::agent::AgentId;
use crate::suggest::advice;
use crate::toml_table::{ParseReport, TomlTable};

pub(super) fn read(table: &mut TomlTable<'_>, report: &mut ParseReport<'_>) -> Option<AgentId> {
    read_as("agent", table, report)
}

pub(super) fn read_as(key: &'static str, table: &mut TomlTable<'_>, report: &mut ParseReport<'_>) -> Option<AgentId> {
    let written = table.string(key, report)?;
    let agent = AgentId::parse(&written.value);
    if agent.is_none() {
        unknown(&written.value, written.span, report);
    }
    agent
}

pub(super) fn unknown(written: &str, span: Range<usize>, report: &mut ParseReport<'_>) {
    let names = AgentId::names();
    let help = advice(written, &names, || format!("use one of {}", names.join(", ")));
    report.error(span, format!("Unknown agent `{written}`"), help);
}
