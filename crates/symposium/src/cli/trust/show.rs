//! The output of `symposium trust`: every command and file with its hash, the changes, and suspicious content.

use serde::Serialize;
use symposium_model::config::AppDirectories;
use symposium_model::line_diff::difference;
use symposium_model::trust::{CommandKind, ContentChange, CoveredFile, TrustStatus};

use super::super::session::CliSession;
use crate::ops::context::Context;
use crate::ops::hook_plan;
use crate::ops::query::extension_state::ExtensionState;
use crate::ops::query::skill_audit;
use crate::ops::query::status::is_switched_on;
use crate::ops::resolve::Resolution;
use crate::ops::trust::{
    ExecutableContent, OpaqueCause, PluginTrust, ProjectToolchain, TrustReport, executables, store,
};
use crate::ui::printer::{OutputFormat, OutputPrinter, VerbosityLevel};
use crate::ui::text::{StyledText, count_of};

/// The maximum number of lines of a difference in the text output; the JSON document has all.
const MAX_LINES: usize = 80;

/// The number of lines that are shown at first of a file without a grant.
const FIRST_LINES: usize = 40;
/// The number of characters that are shown at first of one line.
const FIRST_CHARACTERS: usize = 1000;
const WHOLE: &str = "`symposium trust --show -v` shows every file in full";
/// The number of files whose lines are shown; the rest are only named.
const MAX_FILES: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TrustTense {
    Done,
    Would,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct TrustDocument {
    version: u32,
    workspace: Option<String>,
    plugins: Vec<TrustRow>,
    /// Passages in skills, which are text and need no grant.
    skills: Vec<String>,
    /// Grants for plugins that are not here: in other workspaces, or gone.
    elsewhere: Vec<OtherGrant>,
    granted: Vec<String>,
    withdrawn: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
struct TrustRow {
    name: String,
    source: String,
    path: String,
    state: &'static str,
    reason: String,
    commands: Vec<CommandRow>,
    files: Vec<CoveredFileRow>,
    changes: Vec<ChangeRow>,
    findings: Vec<String>,
    also_granted: Vec<String>,
}

impl TrustRow {
    fn is_manifest(&self, file: &CoveredFileRow) -> bool {
        !file.path.contains('/') && self.path.rsplit(['/', '\\']).next() == Some(file.path.as_str())
    }

    /// Returns the texts that are shown because they have no grant yet.
    fn new_texts(&self) -> Vec<&str> {
        let new = self.files.iter().filter(|file| !self.is_manifest(file));
        new.filter_map(|file| file.text.as_deref()).collect()
    }
}

#[derive(Debug, Clone, Serialize)]
struct CommandRow {
    kind: &'static str,
    name: String,
    command: String,
    /// The reason why it cannot be granted; absent if it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
struct CoveredFileRow {
    path: String,
    sha256: String,
    /// The text of a file without a grant.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The length of one that cannot be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    #[serde(skip)]
    opacity: Option<OpaqueCause>,
}

impl CoveredFileRow {
    fn from_covered(covered: &CoveredFile, gathered: &ExecutableContent, permission: &TrustStatus) -> Self {
        let is_new = *permission == TrustStatus::NeedsGrant;
        let text = gathered.texts.iter().find(|text| text.path == covered.path).filter(|_| is_new);
        let opaque = gathered.opaque.iter().find(|file| file.path == covered.path).filter(|_| is_new);
        Self {
            path: covered.path.clone(),
            sha256: covered.hash.as_str().to_owned(),
            text: text.map(|text| text.said.clone()),
            bytes: opaque.map(|file| file.size),
            opacity: opaque.map(|file| file.cause),
        }
    }
}

#[derive(Debug, Clone, Serialize)]
struct ChangeRow {
    path: String,
    kind: &'static str,
    /// Line by line, where both texts are known.
    difference: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
struct OtherGrant {
    name: String,
    workspace: Option<String>,
    source: String,
}

impl TrustDocument {
    pub(super) fn new(context: &Context, resolution: &Resolution) -> Self {
        let Resolution { catalog, selection, trust, .. } = resolution;
        let mut plugins = Vec::new();
        for (id, standing) in trust.standings() {
            let Some((source, loaded)) = catalog.plugin(id) else { continue };
            if standing.permission != TrustStatus::Free {
                let is_on = is_switched_on(&context.choices(), source.spec.bringer(), &loaded.plugin);
                let state = if is_on { None } else { Some(ExtensionState::Off) };
                let named =
                    NamedPlugin { name: &loaded.plugin.name, source: &source.spec.name, path: &loaded.shown, state };
                let commands = executables(loaded).into_iter().map(|executable| CommandRow {
                    kind: kind_name(executable.kind),
                    refusal: standing.refusal(executable.kind, &executable.name).map(str::to_owned),
                    name: executable.title,
                    command: executable.command,
                });
                let commands = commands.collect();
                plugins.push(row(&context.directories, &named, commands, standing, trust));
            }
        }
        plugins.extend(trust.toolchain.as_ref().map(|toolchain| toolchain_row(context, toolchain, trust)));
        let is_here = |subject: &_| trust.everything().any(|standing| standing.goes_by(subject));
        let others = trust.grants.all().iter().filter(|grant| !is_here(&grant.subject));
        let elsewhere = others.map(|grant| OtherGrant {
            name: grant.name.clone(),
            workspace: grant.subject.workspace.clone(),
            source: grant.subject.source.clone(),
        });
        Self {
            version: 1,
            workspace: context.root().map(|root| root.display().to_string()),
            plugins,
            skills: skill_audit::in_skills(catalog, selection)
                .iter()
                .map(skill_audit::AuditFinding::sentence)
                .collect(),
            elsewhere: elsewhere.collect(),
            granted: Vec::new(),
            withdrawn: Vec::new(),
        }
    }
}

fn kind_name(kind: CommandKind) -> &'static str {
    match kind {
        CommandKind::Hook => "hook",
        CommandKind::Server => "mcp server",
        CommandKind::Installation => "installation",
    }
}

/// A plugin, with its source and its path there.
struct NamedPlugin<'n> {
    name: &'n str,
    source: &'n str,
    path: &'n str,
    /// Its state, where that is not for the grant to say.
    state: Option<ExtensionState>,
}

/// The project's own toolchain, which is no plugin's and needs a yes like one.
fn toolchain_row(context: &Context, toolchain: &ProjectToolchain, trust: &TrustReport) -> TrustRow {
    let path = context.root().map(|root| root.join(toolchain.file).display().to_string()).unwrap_or_default();
    let named = NamedPlugin { name: toolchain.file, source: "the project itself", path: &path, state: None };
    let command =
        format!("rustfmt of the toolchain {} if it is installed, otherwise your default rustfmt", toolchain.channel);
    let commands = match &toolchain.standing.gathered {
        Ok(_) => vec![CommandRow { kind: "workflow", name: "autofmt".to_owned(), command, refusal: None }],
        Err(_) => Vec::new(),
    };
    row(&context.directories, &named, commands, &toolchain.standing, trust)
}

fn row(
    directories: &AppDirectories,
    named: &NamedPlugin<'_>,
    commands: Vec<CommandRow>,
    standing: &PluginTrust,
    trust: &TrustReport,
) -> TrustRow {
    let (reason, changes) = match &standing.permission {
        TrustStatus::Free => (String::new(), Vec::new()),
        TrustStatus::Granted => ("unchanged since it was granted".to_owned(), Vec::new()),
        TrustStatus::NeedsGrant => ("not granted yet".to_owned(), Vec::new()),
        TrustStatus::Changed(changes) => (
            "changed since it was granted".to_owned(),
            changes.iter().map(|change| change_row(directories, change, standing)).collect(),
        ),
        TrustStatus::Never => ("`[trust] projects = \"never\"` is set in the configuration".to_owned(), Vec::new()),
        TrustStatus::Unknown(reason) => (reason.clone(), Vec::new()),
    };
    let mut files = Vec::new();
    let mut findings = Vec::new();
    let mut also_granted = Vec::new();
    if let Ok(gathered) = &standing.gathered {
        let covered = gathered.content.files().iter();
        files.extend(covered.map(|file| CoveredFileRow::from_covered(file, gathered, &standing.permission)));
        for text in &gathered.texts {
            let found = skill_audit::in_text(named.name, &text.path, &text.said);
            findings.extend(found.iter().map(skill_audit::AuditFinding::sentence));
        }
        if standing.permission != TrustStatus::Granted {
            let elsewhere = trust.grants.elsewhere(&gathered.content, &standing.subject);
            let elsewhere = elsewhere.filter(|grant| !standing.goes_by(&grant.subject));
            also_granted.extend(elsewhere.map(|grant| match &grant.subject.workspace {
                Some(workspace) => workspace.clone(),
                None => grant.subject.source.clone(),
            }));
        }
    }
    let by_grant = || ExtensionState::of_waiting(&standing.permission).unwrap_or(ExtensionState::On);
    let state = named.state.unwrap_or_else(by_grant);
    TrustRow {
        name: named.name.to_owned(),
        source: named.source.to_owned(),
        path: named.path.to_owned(),
        state: state.word(),
        reason,
        commands,
        files,
        changes,
        findings,
        also_granted,
    }
}

fn change_row(directories: &AppDirectories, change: &ContentChange, standing: &PluginTrust) -> ChangeRow {
    let before = match &change.before {
        Some(hash) => store::earlier_text(directories, hash.as_str()),
        None => Some(String::new()),
    };
    let texts = standing.gathered.as_ref().map(|gathered| gathered.texts.as_slice()).unwrap_or_default();
    let is_covered = standing
        .gathered
        .as_ref()
        .is_ok_and(|gathered| gathered.content.files().iter().any(|file| file.path == change.path));
    let now = texts.iter().find(|text| text.path == change.path).map(|text| text.said.as_str());
    let now = if is_covered { now } else { Some("") };
    let lines = match (before, now) {
        (Some(before), Some(now)) => difference(&before, now),
        _ => Vec::new(),
    };
    ChangeRow { path: change.path.clone(), kind: change.kind.name(), difference: lines }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileExtent {
    /// The first lines.
    Beginning,
    Whole,
}

/// Shows everything, and of the files as much as is asked for.
pub(super) fn everything(session: &CliSession, review: &TrustDocument) {
    let extent =
        if session.printer.verbosity >= VerbosityLevel::Verbose { FileExtent::Whole } else { FileExtent::Beginning };
    shown(session, review, extent);
    if let Some(note) = hook_plan::unread_configuration(&session.context) {
        session.printer.note(&note);
    }
}

/// Shows everything, and so much of the files.
pub(super) fn shown(CliSession { context, printer, .. }: &CliSession, review: &TrustDocument, extent: FileExtent) {
    match printer.answer {
        OutputFormat::Json => printer.json(review),
        OutputFormat::Human => {
            // What a configuration brings that cannot be read may need one.
            let needs_none = review.plugins.is_empty() && context.broken_configs.is_empty();
            let beginning = needs_none.then(|| StyledText::default().line("No plugin here needs a grant."));
            printer.text(&page(beginning.unwrap_or_default(), review, extent));
        }
    }
}

fn is_cut(text: &str) -> bool {
    text.lines().count() > FIRST_LINES || text.lines().any(|line| line.chars().nth(FIRST_CHARACTERS).is_some())
}

/// Tells whether there is more of the files than is shown at first.
pub(super) fn has_more(review: &TrustDocument) -> bool {
    review.plugins.iter().any(|plugin| {
        let texts = plugin.new_texts();
        texts.len() > MAX_FILES || texts.iter().any(|text| is_cut(text))
    })
}

/// Shows what was granted, after everything was shown.
pub(super) fn granted(printer: OutputPrinter, review: &TrustDocument, granted: &[String]) {
    match printer.answer {
        OutputFormat::Json => printer.json(&TrustDocument { granted: granted.to_vec(), ..review.clone() }),
        OutputFormat::Human => {
            let names: Vec<String> = granted.iter().map(|name| format!("`{name}`")).collect();
            let text = StyledText::default().line(format!(
                "Granted with its present content: {}. If the content changes, it stops, and `symposium trust` shows \
                 the changes.",
                names.join(", ")
            ));
            printer.text(&text);
        }
    }
}

pub(super) fn withdrawn(printer: OutputPrinter, review: &TrustDocument, names: &[String], tense: TrustTense) {
    match printer.answer {
        OutputFormat::Json => {
            let review = TrustDocument { withdrawn: names.to_vec(), ..review.clone() };
            printer.json(&review);
        }
        OutputFormat::Human => {
            let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let line = match (names.is_empty(), tense) {
                (true, _) => "There are no grants to revoke here.".to_owned(),
                (false, TrustTense::Done) => format!("Revoked: {}.", quoted.join(", ")),
                (false, TrustTense::Would) => format!("Would revoke: {}.", quoted.join(", ")),
            };
            printer.text(&StyledText::default().line(line));
        }
    }
}

fn page(mut text: StyledText, review: &TrustDocument, extent: FileExtent) -> StyledText {
    for plugin in &review.plugins {
        text = text
            .strong(format!("{} ", &plugin.name))
            .plain(format!("of source {}: {}", &plugin.source, plugin.state))
            .dim(format!(" ({})", &plugin.reason))
            .end();
        text = text.dim(format!("  {}", &plugin.path)).end();
        for command in &plugin.commands {
            text = text.plain(format!("  {} {}: ", command.kind, command.name)).block(indented(&command.command));
            if let Some(refusal) = &command.refusal {
                text = text.line(format!("    cannot be granted: {refusal}"));
            }
        }
        text = add_files(text, plugin, extent);
        for change in &plugin.changes {
            text = text.line(format!("  {} {}", change.kind, &change.path));
            for line in change.difference.iter().take(MAX_LINES) {
                text = text.plain("    | ").line(line);
            }
            if change.difference.len() > MAX_LINES {
                let more = change.difference.len() - MAX_LINES;
                text = text.line(format!("    … {more} more lines; pass `--json` to see all"));
            } else if change.difference.is_empty() {
                text = text.line("    (the earlier content was not kept, or is not text)");
            }
        }
        for finding in &plugin.findings {
            text = text.line(format!("  warning: {finding}"));
        }
        for place in &plugin.also_granted {
            text = text.line(format!("  the same content is granted in {place}"));
        }
    }
    for finding in &review.skills {
        text = text.line(format!("Skill {finding}"));
    }
    if !review.elsewhere.is_empty() {
        text = text.dim(format!("Granted elsewhere: {}", review.elsewhere.len())).end();
    }
    text
}

/// Appends the files of a plugin, with the text of those without a grant. Of the manifest, only the commands are shown.
fn add_files(mut text: StyledText, plugin: &TrustRow, extent: FileExtent) -> StyledText {
    let mut shown = 0;
    for file in &plugin.files {
        text = text.line(format!("  file {}", &file.path)).dim(format!("    sha256 {}", file.sha256)).end();
        if let (Some(bytes), Some(cause)) = (file.bytes, file.opacity) {
            let what = match cause {
                OpaqueCause::NoText => "not text",
                OpaqueCause::TooLarge => "too large to show",
            };
            text = text.line(format!("    {what} ({bytes} bytes)"));
        }
        let Some(said) = file.text.as_ref().filter(|_| extent == FileExtent::Whole || !plugin.is_manifest(file)) else {
            continue;
        };
        shown += 1;
        let most = match extent {
            FileExtent::Whole => usize::MAX,
            FileExtent::Beginning if shown > MAX_FILES => 0,
            FileExtent::Beginning => FIRST_LINES,
        };
        for line in said.lines().take(most) {
            text = text.plain("    | ");
            let end = line.char_indices().nth(FIRST_CHARACTERS).filter(|_| extent == FileExtent::Beginning);
            text = match end.and_then(|(end, _)| line.split_at_checked(end)) {
                Some((begun, rest)) => {
                    let rest = count_of(rest.chars().count(), "more character");
                    text.plain(begun).dim(format!(" … {rest}; {WHOLE}")).end()
                }
                None => text.line(line),
            };
        }
        let more = said.lines().count().saturating_sub(most);
        if more > 0 {
            let lines = count_of(more, "more line");
            text = text.line(format!("    … {lines}; {WHOLE}"));
        }
    }
    text
}

fn indented(text: &str) -> String {
    text.replace('\n', "\n      ")
}
